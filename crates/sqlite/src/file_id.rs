//! Which file stands at a path.

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

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

/// A file and the path at which it stood.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) file: FileId,
}

impl Place {
    /// None where there is no file.
    pub(crate) fn of(path: PathBuf) -> Option<Self> {
        FileId::of(&path).map(|file| Self { path, file })
    }

    /// Whether the file stands there still.
    pub(crate) fn stands(&self) -> bool {
        FileId::of(&self.path) == Some(self.file)
    }

    /// Whether nothing stands there.
    pub(crate) fn is_free(&self) -> bool {
        FileId::of(&self.path).is_none()
    }
}

/// `path` with `suffix`, as SQLite names the files beside its own.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
