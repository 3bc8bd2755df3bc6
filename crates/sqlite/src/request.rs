//! What is asked of a store, and what it answers.

use fencekv_kv::{Commit, Key, KeyRange, Outcome, Versionstamp};

use crate::StoreError;

/// One request. A store answers requests in the order in which they were made.
#[derive(Debug)]
pub enum Request {
    /// Create, open and migrate the file; answered by [`Reply::Opened`].
    Open,
    /// Commit all or nothing; answered by [`Reply::Commit`].
    Commit(Commit),
    /// Read one snapshot; answered by [`Reply::Points`] or [`Reply::Page`].
    Read(Read),
    /// Remove what has expired; answered by [`Reply::Swept`].
    Sweep {
        /// Milliseconds since the epoch; entries that expire at or before it go.
        now: i64,
    },
}

/// A read of one snapshot.
#[derive(Debug)]
pub enum Read {
    /// Some keys.
    Points {
        /// In the order of the answer.
        keys: Vec<Key>,
        /// Milliseconds since the epoch, for expiry.
        now: i64,
    },
    /// The first entries of a range.
    Page(PageRequest),
}

impl Read {
    /// A read of one key at `now` (ms since the epoch).
    #[must_use]
    pub fn point(key: Key, now: i64) -> Self {
        Self::Points {
            keys: vec![key],
            now,
        }
    }
}

/// The first `limit` live entries of `range`, in key order or against it.
#[derive(Debug)]
pub struct PageRequest {
    /// The bounds, in encoded keys.
    pub range: KeyRange,
    /// From the end of the range backwards.
    pub reverse: bool,
    /// At most so many entries.
    pub limit: usize,
    /// Milliseconds since the epoch, for expiry.
    pub now: i64,
}

/// The answer to one request.
pub type Answer = Result<Reply, StoreError>;

/// A successful answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The store is open.
    Opened,
    /// What became of a commit.
    Commit(Outcome),
    /// For each key asked for, its live entry.
    Points(Vec<Option<Entry>>),
    /// Live entries in the order asked for.
    Page(Vec<Entry>),
    /// What a sweep did.
    Swept(Swept),
}

/// What one chunk of a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept {
    /// Entries removed.
    pub count: u64,
    /// Whether there may be more to remove.
    pub more: bool,
}

/// A live entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Encoded key.
    pub key: Vec<u8>,
    /// Of its last write.
    pub versionstamp: Versionstamp,
    /// The stored number of the value's encoding: 1, 2 or 3, or what a hostile file holds.
    pub encoding: i64,
    /// Value bytes as stored.
    pub value: Vec<u8>,
}

/// A live entry whose bytes still lie in SQLite's page.
#[derive(Debug, Clone, Copy)]
pub struct EntryRef<'a> {
    /// Encoded key.
    pub key: &'a [u8],
    /// Of its last write.
    pub versionstamp: Versionstamp,
    /// As in [`Entry::encoding`].
    pub encoding: i64,
    /// Value bytes as stored.
    pub value: &'a [u8],
}

impl EntryRef<'_> {
    /// An owned copy.
    #[must_use]
    pub fn to_owned(&self) -> Entry {
        Entry {
            key: self.key.to_vec(),
            versionstamp: self.versionstamp,
            encoding: self.encoding,
            value: self.value.to_vec(),
        }
    }
}

impl Entry {
    /// A view of it.
    #[must_use]
    pub fn as_ref(&self) -> EntryRef<'_> {
        EntryRef {
            key: &self.key,
            versionstamp: self.versionstamp,
            encoding: self.encoding,
            value: &self.value,
        }
    }
}
