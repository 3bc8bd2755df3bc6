//! A look at a file from outside: by SQLite alone, and by a VFS that knows of no faults.

use std::path::Path;

use fencekv_kv::{Encoding, StoredValue, Versionstamp};
use rusqlite::{Connection, OpenFlags, ffi};

use crate::judge::Found;
use crate::vfs::UNDISTURBED;

/// The rows of a file, in key order.
///
/// # Errors
///
/// SQLite's, if it cannot be read or is not whole.
pub fn rows(path: &Path) -> rusqlite::Result<Vec<Found>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let file = Connection::open_with_flags_and_vfs(path, flags, UNDISTURBED)?;
    // Closing it may move the log to the database; nobody needs that to be durable.
    file.pragma_update(None, "synchronous", "off")?;
    let verdict: String = file.query_row("pragma integrity_check", [], |row| row.get(0))?;
    if verdict != "ok" {
        let corrupt = ffi::Error::new(ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(corrupt, Some(verdict)));
    }
    file.prepare("select k, v_encoding, v, version from kv order by k")?
        .query_map([], |row| {
            Ok(Found {
                key: row.get(0)?,
                value: StoredValue {
                    encoding: Encoding::from_number(row.get(1)?),
                    bytes: row.get(2)?,
                },
                versionstamp: Versionstamp(row.get::<_, i64>(3)?.cast_unsigned()),
            })
        })?
        .collect()
}
