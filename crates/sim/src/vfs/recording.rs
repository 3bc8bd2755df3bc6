//! What was done to the files of a database, in order.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A file of a database. The index of its log is none: no power loss leaves anything of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The database itself.
    Database,
    /// Its write-ahead log.
    Log,
    /// Its rollback journal, which it has only until it is given a log.
    Journal,
}

impl Part {
    /// All there are.
    pub const ALL: [Part; 3] = [Part::Database, Part::Log, Part::Journal];

    /// What its name has behind that of the database.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Part::Database => "",
            Part::Log => "-wal",
            Part::Journal => "-journal",
        }
    }
}

/// What was done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// These bytes were written.
    Write {
        /// Where.
        offset: usize,
        /// What.
        bytes: Vec<u8>,
    },
    /// It was cut, or grown with zeros, to so many bytes.
    Truncate(usize),
    /// What was done to it before was made durable.
    Sync,
    /// It was deleted.
    Delete,
}

/// One act, as far as it was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Which file.
    pub part: Part,
    /// What was done to it.
    pub act: Act,
}

/// All that is done to the files of one database while this lives.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    events: Mutex<Vec<Event>>,
}

/// Those that live, and some that do not any more.
static RECORDINGS: Mutex<Vec<Weak<Recording>>> = Mutex::new(Vec::new());

impl Recording {
    /// Begins to record what is done to the database at `path`, in a folder that is there.
    ///
    /// # Panics
    ///
    /// If the folder is not there.
    #[must_use]
    pub fn of(path: &Path) -> Arc<Recording> {
        let folder = path.parent().expect("a folder");
        let name = path.file_name().expect("a file");
        let recording = Arc::new(Recording {
            // The name by which SQLite knows it.
            path: folder.canonicalize().expect("a folder").join(name),
            events: Mutex::default(),
        });
        let mut recordings = lock(&RECORDINGS);
        recordings.retain(|recording| recording.strong_count() > 0);
        recordings.push(Arc::downgrade(&recording));
        recording
    }

    /// What was done so far.
    pub fn events(&self) -> MutexGuard<'_, Vec<Event>> {
        lock(&self.events)
    }

    pub(super) fn add(&self, part: Part, act: Act) {
        self.events().push(Event { part, act });
    }

    /// The recording that the file `name` belongs to, and as which part.
    pub(super) fn find(name: &str) -> Option<(Arc<Recording>, Part)> {
        lock(&RECORDINGS)
            .iter()
            .filter_map(Weak::upgrade)
            .find_map(|recording| {
                let suffix = name.strip_prefix(recording.path.to_str()?)?;
                let part = Part::ALL.into_iter().find(|part| part.suffix() == suffix)?;
                Some((recording, part))
            })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
