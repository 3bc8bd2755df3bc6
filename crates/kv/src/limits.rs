//! How much a call may bring.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::{Commit, Key, KeyRange, Mutation};

/// The greatest size or number of each kind. The default is Deno's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Encoded bytes of a key in a check or a mutation. A key that ends in the commit's
    /// versionstamp is measured without it.
    pub key_write_bytes: usize,
    /// Encoded bytes of a bound of a range that is read. A point read is the range from the key
    /// to the key and one zero byte, so its key may have one byte less.
    pub key_read_bytes: usize,
    /// Bytes of a value as stored.
    pub value_bytes: usize,
    /// Checks in a commit.
    pub checks: usize,
    /// Mutations in a commit.
    pub mutations: usize,
    /// Keys in one `getMany` or `watch`.
    pub get_many_keys: usize,
    /// Entries in one batch of a list.
    pub batch_entries: usize,
    /// Bytes in a commit: the key of every check and mutation, and for every mutation that
    /// brings a value (all but delete) its key once more and the value.
    pub commit_bytes: usize,
    /// Bytes of the keys of those mutations of a commit that bring a value.
    pub commit_key_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            key_write_bytes: 2048,
            key_read_bytes: 2049,
            value_bytes: 65_536,
            checks: 100,
            mutations: 1000,
            get_many_keys: 10,
            batch_entries: 1000,
            commit_bytes: 819_200,
            commit_key_bytes: 81_920,
        }
    }
}

/// Which limit was exceeded; see the field of [`Limits`] of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// [`Limits::key_write_bytes`]
    KeyWriteBytes,
    /// [`Limits::key_read_bytes`]
    KeyReadBytes,
    /// [`Limits::value_bytes`]
    ValueBytes,
    /// [`Limits::checks`]
    Checks,
    /// [`Limits::mutations`]
    Mutations,
    /// [`Limits::get_many_keys`]
    GetManyKeys,
    /// [`Limits::batch_entries`]
    BatchEntries,
    /// [`Limits::commit_bytes`]
    CommitBytes,
    /// [`Limits::commit_key_bytes`]
    CommitKeyBytes,
}

impl LimitKind {
    /// Its name as the option `limits` and the error's field `limit` spell it.
    pub fn name(self) -> &'static str {
        match self {
            LimitKind::KeyWriteBytes => "keyWriteBytes",
            LimitKind::KeyReadBytes => "keyReadBytes",
            LimitKind::ValueBytes => "valueBytes",
            LimitKind::Checks => "checks",
            LimitKind::Mutations => "mutations",
            LimitKind::GetManyKeys => "keysPerGetMany",
            LimitKind::BatchEntries => "batchSize",
            LimitKind::CommitBytes => "commitBytes",
            LimitKind::CommitKeyBytes => "commitKeyBytes",
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitKind::KeyWriteBytes => "bytes in a key to write",
            LimitKind::KeyReadBytes => "bytes in a key to read",
            LimitKind::ValueBytes => "bytes in a value",
            LimitKind::Checks => "checks in a commit",
            LimitKind::Mutations => "mutations in a commit",
            LimitKind::GetManyKeys => "keys in one call",
            LimitKind::BatchEntries => "entries in a batch",
            LimitKind::CommitBytes => "bytes in a commit",
            LimitKind::CommitKeyBytes => "bytes of keys in a commit",
        })
    }
}

/// A call brought more than a limit allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("too many {kind}: {actual}, at most {max}")]
pub struct LimitExceeded {
    /// The limit.
    pub kind: LimitKind,
    /// The greatest allowed.
    pub max: usize,
    /// What the call brought.
    pub actual: usize,
    /// The key at fault, or of the value at fault; none when the call as a whole is.
    pub key: Option<Key>,
}

impl Limits {
    /// Checks a key that [`Rows::get`](crate::Rows::get) or a point read is to find.
    ///
    /// # Errors
    ///
    /// [`LimitKind::KeyReadBytes`].
    pub fn check_key_to_read(&self, key: &Key) -> Result<(), LimitExceeded> {
        let max = self.key_read_bytes.saturating_sub(1);
        within(LimitKind::KeyReadBytes, max, key.len(), Some(key))
    }

    /// Checks the range of a list's selector. What a cursor leaves of it is not checked: a key
    /// that ends in a versionstamp may be longer than any that a caller may bring.
    ///
    /// # Errors
    ///
    /// [`LimitKind::KeyReadBytes`].
    pub fn check_range(&self, range: &KeyRange) -> Result<(), LimitExceeded> {
        let longest = range.start.len().max(range.end.len());
        within(LimitKind::KeyReadBytes, self.key_read_bytes, longest, None)
    }

    /// Checks the number of keys of one `getMany` or `watch`.
    ///
    /// # Errors
    ///
    /// [`LimitKind::GetManyKeys`].
    pub fn check_get_many(&self, keys: usize) -> Result<(), LimitExceeded> {
        within(LimitKind::GetManyKeys, self.get_many_keys, keys, None)
    }

    /// Checks the number of entries asked for in one batch of a list.
    ///
    /// # Errors
    ///
    /// [`LimitKind::BatchEntries`].
    pub fn check_batch(&self, entries: usize) -> Result<(), LimitExceeded> {
        within(LimitKind::BatchEntries, self.batch_entries, entries, None)
    }

    /// Checks everything in a commit, in Deno's order: how many checks, how many mutations, every
    /// key, every value, the totals.
    ///
    /// # Errors
    ///
    /// The first limit exceeded.
    pub fn check_commit(&self, commit: &Commit) -> Result<(), LimitExceeded> {
        within(LimitKind::Checks, self.checks, commit.checks.len(), None)?;
        within(
            LimitKind::Mutations,
            self.mutations,
            commit.mutations.len(),
            None,
        )?;
        let mut bytes = 0;
        let mut key_bytes = 0;
        let checked = commit.checks.iter().map(|check| &check.key);
        for key in checked.chain(commit.mutations.iter().map(Mutation::key)) {
            within(
                LimitKind::KeyWriteBytes,
                self.key_write_bytes,
                key.len(),
                Some(key),
            )?;
            bytes += key.len();
        }
        for mutation in &commit.mutations {
            let Some(value_bytes) = mutation.value_len() else {
                continue;
            };
            let key = mutation.key();
            within(
                LimitKind::ValueBytes,
                self.value_bytes,
                value_bytes,
                Some(key),
            )?;
            bytes += key.len() + value_bytes;
            key_bytes += key.len();
        }
        within(LimitKind::CommitBytes, self.commit_bytes, bytes, None)?;
        within(
            LimitKind::CommitKeyBytes,
            self.commit_key_bytes,
            key_bytes,
            None,
        )
    }
}

fn within(
    kind: LimitKind,
    max: usize,
    actual: usize,
    key: Option<&Key>,
) -> Result<(), LimitExceeded> {
    if actual <= max {
        return Ok(());
    }
    Err(LimitExceeded {
        kind,
        max,
        actual,
        key: key.cloned(),
    })
}
