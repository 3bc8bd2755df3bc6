//! A handle on a store, in memory or on a file.

use std::path::PathBuf;
use std::sync::Arc;

use fencekv_kv::Key;

use crate::clock::Clock;
use crate::file::{FileStore, Sinks};
use crate::memory::MemoryStore;
use crate::{Answer, EntryRef, Read, Request, StoreError};

/// When a commit counts as durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// When it is on the disk (`synchronous = FULL`): it survives a loss of power.
    #[default]
    Full,
    /// When the operating system has it (`synchronous = NORMAL`): it survives a crash of the
    /// process, and a loss of power may take the last commits.
    Normal,
}

/// How a file is used.
#[derive(Debug, Clone, Copy)]
pub struct FileOptions {
    /// When a commit is acknowledged.
    pub durability: Durability,
    /// How long a request waits for other processes, in milliseconds.
    pub busy_timeout_ms: u64,
}

/// The ways by which answers of a handle on a file come. Each keeps the order of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneId {
    /// Writes, and the reads that must see them.
    Writer,
    /// Reads that are too long for the caller's thread.
    Reader,
    /// Reads done on the caller's thread whose answer lets its event loop turn. It has no thread.
    Turn,
}

/// How a call began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Started<T> {
    /// It is done.
    Done(T),
    /// The answer comes through the sink of that lane.
    Queued(LaneId),
}

/// One handle. Reads see every write that the same handle was asked for before; writes apply in
/// the order of the calls. Dropping it lets what is queued finish.
pub struct Store {
    kind: Kind,
    closed: bool,
}

enum Kind {
    Memory(MemoryStore),
    File(Box<FileStore>),
    /// It was in memory, and is closed.
    Freed,
}

impl Store {
    /// A new store in memory, apart from all others.
    ///
    /// # Errors
    ///
    /// [`StoreError::Internal`] when there is no memory for it.
    pub fn memory() -> Result<Self, StoreError> {
        Ok(Self {
            kind: Kind::Memory(MemoryStore::open()?),
            closed: false,
        })
    }

    /// A handle on the file at `path`, which should be absolute. Does no I/O: the writer opens
    /// and migrates the file before its first request.
    #[must_use]
    pub fn file(path: PathBuf, options: FileOptions, clock: Arc<dyn Clock>, sinks: Sinks) -> Self {
        Self {
            kind: Kind::File(Box::new(FileStore::new(path, options, clock, sinks))),
            closed: false,
        }
    }

    /// Asks for anything but a quick read.
    ///
    /// # Errors
    ///
    /// [`StoreError::Closed`]; [`StoreError::Internal`] when no thread can be started. Failures of
    /// the request itself are its [`Answer`].
    pub fn submit(&mut self, request: Request) -> Result<Started<Answer>, StoreError> {
        match self.open()? {
            Kind::Memory(store) => Ok(Started::Done(store.answer(request))),
            Kind::File(store) => store.submit(request).map(Started::Queued),
            Kind::Freed => Err(StoreError::Closed),
        }
    }

    /// Lets the lanes begin with what was queued. Whatever is queued before one flush can share a
    /// transaction, so a caller flushes at the end of its turn; it must, or no answer comes.
    pub fn flush(&self) {
        if let Kind::File(store) = &self.kind {
            store.flush();
        }
    }

    /// Reads the live entry of `key` at `now` (ms since the epoch).
    ///
    /// # Errors
    ///
    /// Any [`StoreError`] of a read. `visit` is called only when the result is
    /// [`Started::Done`].
    pub fn point<T>(
        &mut self,
        key: Key,
        now: i64,
        visit: impl FnOnce(Option<EntryRef<'_>>) -> T,
    ) -> Result<Started<T>, StoreError> {
        match self.open()? {
            Kind::Memory(store) => store.point(&key, now, visit).map(Started::Done),
            Kind::File(store) => store.point(key, now, visit),
            Kind::Freed => Err(StoreError::Closed),
        }
    }

    /// Reads one snapshot: for points visits each key's live entry or its absence, for a page its
    /// live entries.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`] of a read. What `visit` was given counts only when the result is
    /// [`Started::Done`].
    pub fn read(
        &mut self,
        read: Read,
        visit: impl FnMut(Option<EntryRef<'_>>),
    ) -> Result<Started<()>, StoreError> {
        match self.open()? {
            Kind::Memory(store) => store.read(&read, visit).map(Started::Done),
            Kind::File(store) => store.read(read, visit),
            Kind::Freed => Err(StoreError::Closed),
        }
    }

    /// Tells the handle that `count` answers of a lane have reached the caller.
    pub fn settled(&mut self, lane: LaneId, count: usize) {
        if let Kind::File(store) = &mut self.kind {
            store.settled(lane, count);
        }
    }

    /// Takes no more calls; what is queued is still answered. Says how many threads there are,
    /// each of which tells its sink when it has ended. Safe to repeat, and then says none.
    pub fn close(&mut self) -> usize {
        if std::mem::replace(&mut self.closed, true) {
            return 0;
        }
        match &mut self.kind {
            Kind::Memory(_) | Kind::Freed => {
                self.kind = Kind::Freed;
                0
            }
            Kind::File(store) => store.drain(),
        }
    }

    /// Stops now: what is queued is dropped unanswered, and the threads are joined.
    pub fn abort(&mut self) {
        self.closed = true;
        if let Kind::File(store) = &mut self.kind {
            store.abort();
        }
    }

    fn open(&mut self) -> Result<&mut Kind, StoreError> {
        if self.closed {
            return Err(StoreError::Closed);
        }
        Ok(&mut self.kind)
    }
}
