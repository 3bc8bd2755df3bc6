//! Connections to the file: how they are set up, and how long they wait for a lock.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::clock::Clock;
use crate::lane::Stop;
use crate::writer::Shared;
use crate::{Durability, StoreError, schema};

/// Older versions can lose rows when two connections checkpoint a WAL at once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Each lock attempt is followed by a pause that doubles from the first to the second of these.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(4);

/// Prepared statements that one connection keeps.
const STATEMENTS: usize = 32;

/// SQLite looks up from a statement once in so many steps of its virtual machine.
pub(crate) const STEPS: i32 = 1000;

/// Opens the connection of the writer, creating the file if it is not there.
pub(crate) fn open_writer(
    path: &Path,
    durability: Durability,
    shared: &Arc<Shared>,
) -> Result<Connection, StoreError> {
    let mut connection = open(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    schema::judge(&connection)?;
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
pub(crate) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    // Not SQLITE_OPEN_READONLY: a WAL that its last writer left behind must be recovered first.
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Opens a store that lives and dies with its connection.
pub(crate) fn open_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory_with_flags(flags())?;
    set_up(&connection)?;
    Ok(connection)
}

fn open(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, access | flags())?;
    set_up(&connection)?;
    Ok(connection)
}

fn flags() -> OpenFlags {
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
            "SQLite {} is older than 3.51.3",
            rusqlite::version()
        )));
    }
    Ok(())
}

/// Waits for locks, within a budget.
pub(crate) struct Patience<'a, J> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) stop: &'a Stop<J>,
    /// Milliseconds.
    pub(crate) budget_ms: u64,
}

impl<J> Patience<'_, J> {
    /// Repeats `attempt` while another connection holds the lock that it needs.
    pub(crate) fn wait<T>(
        &self,
        mut attempt: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let begin = self.clock.monotonic_us();
        let mut pause = FIRST_PAUSE;
        loop {
            match attempt() {
                Err(StoreError::Busy { .. }) => {
                    let waited_ms = (self.clock.monotonic_us() - begin) / 1000;
                    if waited_ms >= self.budget_ms {
                        return Err(StoreError::Busy { waited_ms });
                    }
                    if self.stop.aborted_within(pause) {
                        return Err(StoreError::Closed);
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                result => return result,
            }
        }
    }
}
