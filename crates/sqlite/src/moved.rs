//! Files that do not stand any more where their connection opened them.
#![expect(unsafe_code, reason = "rusqlite has no safe call for file controls")]

use std::ffi::c_int;

use rusqlite::{Connection, ffi};

/// Whether the file was removed, renamed or replaced since `connection` opened it. SQLite itself
/// would go on, and acknowledge commits that no path leads to any more.
///
/// Always false where SQLite cannot tell: in memory, and on Windows, which lets nobody move a file
/// that is open.
pub(crate) fn has_moved(connection: &Connection) -> bool {
    let mut moved: c_int = 0;
    // SAFETY: the handle lives as long as `connection`, the name ends with a zero byte, and this
    // file control writes one int to where the last argument points.
    let code = unsafe {
        ffi::sqlite3_file_control(
            connection.handle(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_HAS_MOVED,
            (&raw mut moved).cast(),
        )
    };
    code == ffi::SQLITE_OK && moved != 0
}

/// Brings what the log of a moved file holds into that file, wherever it is now. SQLite would leave
/// the log at the old path, and play it into whatever file is opened there next.
pub(crate) fn empty_log(connection: &Connection) {
    // It may fail, as behind another handle's long read: then that handle is left to do it.
    let _ = connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
}
