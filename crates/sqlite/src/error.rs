//! What can go wrong in the embedded store, and the stable code that each failure bears outside.

use std::sync::Arc;

use fencekv_kv::{ApplyError, Arithmetic, Key};
use rusqlite::ErrorCode;

/// A failure of the embedded store.
///
/// Cloneable, because one failure (a lock that was never free, a disk that is full) answers every
/// request of a group.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The handle was closed before the call, or stopped while it waited.
    #[error("the store is closed")]
    Closed,
    /// Another connection held the lock for the whole wait budget; nothing was written.
    #[error("the database file is locked by another connection: gave up after {waited_ms} ms")]
    Busy {
        /// Milliseconds waited.
        waited_ms: u64,
    },
    /// The file is damaged.
    #[error("the database file is corrupt")]
    Corrupt(#[source] Arc<rusqlite::Error>),
    /// The file is not an SQLite database.
    #[error("the file is not a database")]
    NotADatabase(#[source] Arc<rusqlite::Error>),
    /// The file, its directory or its file system does not allow writes.
    #[error("the database file is read-only")]
    ReadOnly(#[source] Arc<rusqlite::Error>),
    /// No space left; nothing was written.
    #[error("no space left for the database file: nothing was written")]
    DiskFull(#[source] Arc<rusqlite::Error>),
    /// Reading or writing the file failed; nothing was written.
    #[error("an I/O error on the database file: nothing was written")]
    Io(#[source] Arc<rusqlite::Error>),
    /// The file cannot be opened: a missing directory, missing rights, or a directory in its place.
    #[error("the database file cannot be opened")]
    CantOpen(#[source] Arc<rusqlite::Error>),
    /// The file system does not let SQLite keep a write-ahead log.
    #[error("the database file cannot be opened: its file system has no write-ahead log")]
    NoWal,
    /// The file was removed, renamed or replaced while the handle had it open; nothing was written.
    #[error("the database file was moved or replaced while it was open: nothing was written")]
    FileMoved,
    /// This process has the file open by other means than this copy of the engine; whichever of
    /// the two closes first drops the other's locks.
    #[error(
        "the database file is open in this process already, through another copy of SQLite or a \
         plain file descriptor: one would drop the other's locks"
    )]
    FileInUse,
    /// A format that this build does not know.
    #[error("unsupported file format: {0}")]
    UnsupportedFormat(String),
    /// The commit may or may not have reached the disk.
    #[error("failed while the commit was being made durable: it may or may not have landed")]
    UnknownOutcome(#[source] Option<Arc<rusqlite::Error>>),
    /// `sum`, `min` or `max` on a value that is not a `KvU64`; the commit left nothing.
    #[error("failed to perform '{kind}' mutation on a non-U64 value in the database")]
    TypeMismatch {
        /// Index of the mutation in its commit.
        index: usize,
        /// Which mutation.
        kind: Arithmetic,
        /// The key it was for.
        key: Key,
    },
    /// All versionstamps are spent: the stored counter stands where no store can have come by
    /// committing.
    #[error("the versionstamps of this store are exhausted")]
    VersionsExhausted,
    /// A defect of fencekv or an SQLite error that no other kind covers; nothing was written.
    #[error("internal error: {message}")]
    Internal {
        /// What was being done.
        message: String,
        /// SQLite's error, where one was the cause.
        #[source]
        source: Option<Arc<rusqlite::Error>>,
    },
}

impl StoreError {
    /// The stable code under which docs/errors.md describes the failure.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Closed => "CLOSED",
            Self::Busy { .. } => "BUSY",
            Self::Corrupt(_) | Self::VersionsExhausted => "CORRUPT",
            Self::NotADatabase(_) => "NOT_A_DATABASE",
            Self::ReadOnly(_) => "READ_ONLY",
            Self::DiskFull(_) => "DISK_FULL",
            Self::Io(_) => "IO",
            Self::CantOpen(_) | Self::NoWal => "CANT_OPEN",
            Self::FileMoved => "FILE_MOVED",
            Self::FileInUse => "FILE_IN_USE",
            Self::UnsupportedFormat(_) => "UNSUPPORTED_FORMAT",
            Self::UnknownOutcome(_) => "UNKNOWN_OUTCOME",
            Self::TypeMismatch { .. } => "TYPE_MISMATCH",
            Self::Internal { .. } => "INTERNAL",
        }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Internal {
            message: message.into(),
            source: None,
        }
    }
}

/// SQLite's code for a statement that does not fit the tables.
const SQLITE_ERROR: i32 = 1;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        // Every statement is fixed, so what is wrong with it is wrong with the file: a table or
        // column is not there, or a column holds what no KV writes there.
        let unreadable = matches!(
            error,
            rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::QueryReturnedNoRows
        ) || error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == SQLITE_ERROR);
        let source = Arc::new(error);
        match code {
            _ if unreadable => Self::Corrupt(source),
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt(source),
            Some(ErrorCode::NotADatabase) => Self::NotADatabase(source),
            Some(ErrorCode::ReadOnly) => Self::ReadOnly(source),
            Some(ErrorCode::DiskFull) => Self::DiskFull(source),
            Some(ErrorCode::SystemIoFailure) => Self::Io(source),
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::CantOpen(source),
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Busy { waited_ms: 0 },
            _ => Self::Internal {
                message: source.to_string(),
                source: Some(source),
            },
        }
    }
}

impl From<ApplyError<rusqlite::Error>> for StoreError {
    fn from(error: ApplyError<rusqlite::Error>) -> Self {
        match error {
            ApplyError::Rows(error) => error.into(),
            ApplyError::TypeMismatch { index, kind, key } => {
                Self::TypeMismatch { index, kind, key }
            }
        }
    }
}
