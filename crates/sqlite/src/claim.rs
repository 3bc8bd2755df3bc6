//! One process reaches a file through one copy of SQLite.
//!
//! POSIX drops every lock that a process has on a file as soon as the process closes any
//! descriptor of that file. Inside one copy of SQLite all connections know of each other and
//! none closes too early; a second copy (of this package, Deno's, `node:sqlite`) knows nothing of
//! them, so whichever closes first takes the other's locks, and then two writers can be at work.

use std::fs::{File, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::StoreError;
use crate::file_id::{FileId, Place};

/// The files that this copy has open, once for each connection.
static CLAIMED: Mutex<Vec<Place>> = Mutex::new(Vec::new());

/// A connection and its claim on the file, which ends after the connection.
pub(crate) struct Claimed {
    connection: Connection,
    claim: Claim,
}

struct Claim(Place);

impl Claimed {
    /// The file that is open, by its real path, whatever links lead to it.
    pub(crate) fn place(&self) -> &Place {
        &self.claim.0
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
        if let Some(index) = claimed.iter().position(|it| it.file == self.0.file) {
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
        && !claimed.iter().any(|it| it.file == file)
        && path.is_file()
        && has_descriptor(file)
    {
        return Err(StoreError::FileInUse);
    }
    let connection = open()?;
    let place = Place::of(real(path)).ok_or(StoreError::FileMoved)?;
    claimed.push(place.clone());
    Ok(Claimed {
        connection,
        claim: Claim(place),
    })
}

/// Fails with [`StoreError::Busy`] while this process still has open the file that stood at the
/// path before the one that does now: the two would share the log and the locks beside it.
pub(crate) fn is_vacated(path: &Path) -> Result<(), StoreError> {
    let (path, there) = (real(path), FileId::of(path));
    let stays = |it: &Place| it.path == path && there != Some(it.file);
    match claimed().iter().any(stays) {
        true => Err(StoreError::Busy { waited_ms: 0 }),
        false => Ok(()),
    }
}

/// Without links, also where there is no file yet.
fn real(path: &Path) -> PathBuf {
    let real = path.canonicalize().or_else(|_| {
        let folder = path.parent().unwrap_or(path).canonicalize()?;
        Ok::<_, io::Error>(folder.join(path.file_name().unwrap_or_default()))
    });
    real.unwrap_or_else(|_| path.to_owned())
}

/// Holds off the other copies of this package while one looks whether it is alone and then opens
/// the file: a lock on the file's folder, which leaves nothing behind. Fails with
/// [`StoreError::Busy`] while another holds it; where folders cannot be locked, there is none.
pub(crate) fn hold_off_others(path: &Path) -> Result<Option<File>, StoreError> {
    let Some(Ok(folder)) = real(path).parent().map(File::open) else {
        return Ok(None);
    };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { waited_ms: 0 }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn claimed() -> MutexGuard<'static, Vec<Place>> {
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
