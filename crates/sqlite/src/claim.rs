//! One process reaches a file through one copy of SQLite.
//!
//! POSIX drops every lock that a process has on a file as soon as the process closes any
//! descriptor of that file. Inside one copy of SQLite all connections know of each other and
//! none closes too early; a second copy (of this package, Deno's, `node:sqlite`) knows nothing of
//! them, so whichever closes first takes the other's locks, and then two writers can be at work.

use std::fs::{File, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::StoreError;
use crate::file_id::FileId;

/// The files that this copy has open, once for each connection.
static CLAIMED: Mutex<Vec<FileId>> = Mutex::new(Vec::new());

/// A connection and its claim on the file, which ends after the connection.
pub(crate) struct Claimed {
    connection: Connection,
    claim: Claim,
}

struct Claim(FileId);

impl Claimed {
    /// The file that is open.
    pub(crate) fn file(&self) -> FileId {
        self.claim.0
    }
}

impl Deref for Claimed {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Claimed {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut claimed = claimed();
        if let Some(index) = claimed.iter().position(|file| *file == self.0) {
            claimed.swap_remove(index);
        }
    }
}

/// Connects by `open` to the file at `path`, unless another copy of SQLite has it open in this
/// process, or, where a file is `expected`, another one is there.
pub(crate) fn claim(
    path: &Path,
    expected: Option<FileId>,
    open: impl FnOnce() -> rusqlite::Result<Connection>,
) -> Result<Claimed, StoreError> {
    let mut claimed = claimed();
    let found = FileId::of(path);
    if expected.is_some() && found != expected {
        return Err(StoreError::FileMoved);
    }
    if let Some(file) = found
        && !claimed.contains(&file)
        && has_descriptor(file)
    {
        return Err(StoreError::FileInUse);
    }
    let connection = open()?;
    let file = FileId::of(path).ok_or(StoreError::FileMoved)?;
    claimed.push(file);
    Ok(Claimed {
        connection,
        claim: Claim(file),
    })
}

/// Holds off the other copies of this package while one looks whether it is alone and then opens
/// the file: a lock on the file's folder, which leaves nothing behind. Fails with
/// [`StoreError::Busy`] while another holds it; where folders cannot be locked, there is none.
pub(crate) fn hold_off_others(path: &Path) -> Result<Option<File>, StoreError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let Some(Ok(folder)) = real.parent().map(File::open) else {
        return Ok(None);
    };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { waited_ms: 0 }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn claimed() -> MutexGuard<'static, Vec<FileId>> {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this process has a descriptor of `file`; false where that cannot be seen.
fn has_descriptor(file: FileId) -> bool {
    let descriptors = || -> io::Result<bool> {
        for descriptor in std::fs::read_dir("/proc/self/fd")? {
            // One that was closed meanwhile is none.
            if FileId::of(&descriptor?.path()) == Some(file) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    cfg!(target_os = "linux") && descriptors().unwrap_or(false)
}
