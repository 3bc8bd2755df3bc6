//! Which file stands at a path.

use std::fs::{File, Metadata};
use std::path::Path;

/// What makes a file the same one, whatever its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// None where no file can be looked at.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.metadata().ok().map(|metadata| Self::from(&metadata))
    }

    pub(crate) fn of_open(file: &File) -> Option<Self> {
        file.metadata().ok().map(|metadata| Self::from(&metadata))
    }
}

#[cfg(unix)]
impl From<&Metadata> for FileId {
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

/// Elsewhere a file that is open can neither be moved nor lose a lock to another descriptor, so
/// all may look alike.
#[cfg(not(unix))]
impl From<&Metadata> for FileId {
    fn from(_: &Metadata) -> Self {
        Self {
            device: 0,
            inode: 0,
        }
    }
}
