//! Connections to the file: how they are set up, and how long they wait for a lock.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::claim::{Claimed, claim};
use crate::shared::Shared;
use crate::{Durability, StoreError, schema};

/// Older versions can lose rows when two connections checkpoint a WAL at once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Prepared statements that one connection keeps.
const STATEMENTS: usize = 32;

/// Pages that a reading connection keeps, as SQLite counts KiB: below zero. The upper levels of a
/// store of ten million keys have room in it, so that a point read takes one page from the file.
const READER_CACHE: i64 = -16 * 1024;

/// SQLite looks up from a statement once in so many steps of its virtual machine.
pub(crate) const STEPS: i32 = 1000;

/// Opens the connection of the writer, the first time creating the file if it is not there.
pub(crate) fn open_writer(
    path: &Path,
    durability: Durability,
    shared: &Arc<Shared>,
) -> Result<Claimed, StoreError> {
    let mut connection = open(path, shared, OpenFlags::SQLITE_OPEN_CREATE)?;
    // In one snapshot, since another process may be creating the tables right now.
    let snapshot = connection.unchecked_transaction()?;
    schema::judge(&snapshot)?;
    drop(snapshot);
    let mode = |pragma| connection.query_row(pragma, [], |row| row.get::<_, String>(0));
    if mode("pragma journal_mode")? != "wal" && mode("pragma journal_mode = wal")? != "wal" {
        return Err(StoreError::NoWal);
    }
    let synchronous = match durability {
        Durability::Full => "full",
        Durability::Normal => "normal",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // Where a plain fsync leaves the data in the drive's cache (macOS), ask for more.
    let full = durability == Durability::Full;
    connection.pragma_update(None, "fullfsync", full)?;
    connection.pragma_update(None, "checkpoint_fullfsync", full)?;
    let shared = Arc::clone(shared);
    let stopping = move || shared.stopping.load(Ordering::Relaxed);
    connection.progress_handler(STEPS, Some(stopping))?;
    Ok(connection)
}

/// Opens a connection that only reads; the writer has created the file before.
pub(crate) fn open_reader(path: &Path, shared: &Shared) -> Result<Claimed, StoreError> {
    let connection = open(path, shared, OpenFlags::empty())?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", READER_CACHE)?;
    Ok(connection)
}

/// Opens a store that lives and dies with its connection.
pub(crate) fn open_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory_with_flags(flags())?;
    set_up(&connection)?;
    Ok(connection)
}

/// Opens the file; once the handle knows it, no other in its place, and wherever links lead by now.
fn open(path: &Path, shared: &Shared, create: OpenFlags) -> Result<Claimed, StoreError> {
    let (path, known, create) = match shared.home.get() {
        Some(home) => (&*home.path, Some(home.file), OpenFlags::empty()),
        None => (path, None, create),
    };
    let connection = claim(path, known, || {
        Connection::open_with_flags(path, flags() | create)
    })?;
    let home = shared.home.get_or_init(|| connection.place().clone());
    if home.file != connection.place().file {
        return Err(StoreError::FileMoved);
    }
    set_up(&connection)?;
    Ok(connection)
}

fn flags() -> OpenFlags {
    // Readers write too, for SQLite: a WAL that its last writer left behind must be recovered.
    // One thread at a time uses a connection, so SQLite's own mutexes would only cost time.
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.busy_timeout(Duration::ZERO)?;
    // A file that is cut short under a mapping kills the host.
    connection.pragma_update(None, "mmap_size", 0)?;
    // Whatever views or triggers a stranger put into the file call no function with side effects.
    connection.pragma_update(None, "trusted_schema", false)
}

/// Runs a statement that has no parameters and gives no rows.
pub(crate) fn execute(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}

/// Refuses an SQLite that can lose data.
pub(crate) fn assert_sqlite_version() -> Result<(), StoreError> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(StoreError::internal(format!(
            "SQLite {} is older than {OLDEST_SQLITE}",
            rusqlite::version_number()
        )));
    }
    Ok(())
}
