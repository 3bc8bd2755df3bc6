//! What a commit does.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;

use crate::{Key, Row, StoredValue, Versionstamp};

/// A condition of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The key it is about.
    pub key: Key,
    /// The commit that must have written its live row; `None` asserts that there is none.
    pub versionstamp: Option<Versionstamp>,
}

/// One change that a commit makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutation {
    /// Writes a row.
    Set {
        /// Where.
        key: Key,
        /// The value.
        value: StoredValue,
        /// See [`Row::expires_at`]; made by [`expires_at`](crate::expires_at).
        expires_at: Option<i64>,
    },
    /// Writes a row under a key that ends in the commit's versionstamp, as a string part of 20 hex
    /// digits. Two of one commit with the same prefix write the same row.
    SetSuffixVersionstamp {
        /// All parts but the last; not empty.
        key_prefix: Key,
        /// The value.
        value: StoredValue,
        /// See [`Row::expires_at`].
        expires_at: Option<i64>,
    },
    /// Removes a row, if it is there.
    Delete {
        /// Where.
        key: Key,
    },
    /// Adds to a `KvU64`, modulo 2^64.
    Sum {
        /// Where.
        key: Key,
        /// What to add.
        operand: u64,
    },
    /// Replaces a `KvU64` by the operand if that is less.
    Min {
        /// Where.
        key: Key,
        /// What to compare with.
        operand: u64,
    },
    /// Replaces a `KvU64` by the operand if that is greater.
    Max {
        /// Where.
        key: Key,
        /// What to compare with.
        operand: u64,
    },
}

impl Mutation {
    /// The key as the caller gave it: without the versionstamp, if it is to end in one.
    pub fn key(&self) -> &Key {
        match self {
            Mutation::Set { key, .. }
            | Mutation::SetSuffixVersionstamp {
                key_prefix: key, ..
            }
            | Mutation::Delete { key }
            | Mutation::Sum { key, .. }
            | Mutation::Min { key, .. }
            | Mutation::Max { key, .. } => key,
        }
    }

    /// The size, in stored bytes, of the value that the mutation brings; `None` for a delete.
    pub fn value_len(&self) -> Option<usize> {
        match self {
            Mutation::Set { value, .. } | Mutation::SetSuffixVersionstamp { value, .. } => {
                Some(value.bytes.len())
            }
            Mutation::Delete { .. } => None,
            Mutation::Sum { .. } | Mutation::Min { .. } | Mutation::Max { .. } => {
                Some(size_of::<u64>())
            }
        }
    }
}

/// The arithmetic on a `KvU64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// [`Mutation::Sum`]
    Sum,
    /// [`Mutation::Min`]
    Min,
    /// [`Mutation::Max`]
    Max,
}

impl Arithmetic {
    fn compute(self, stored: u64, operand: u64) -> u64 {
        match self {
            Arithmetic::Sum => stored.wrapping_add(operand),
            Arithmetic::Min => stored.min(operand),
            Arithmetic::Max => stored.max(operand),
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Arithmetic::Sum => "sum",
            Arithmetic::Min => "min",
            Arithmetic::Max => "max",
        })
    }
}

/// A set of checks and changes that holds as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// The time of the call, in milliseconds since 1970; judges which rows are live.
    pub now: i64,
    /// All see the rows as they were before any mutation.
    pub checks: Vec<Check>,
    /// Done in order; a later one sees what an earlier one did.
    pub mutations: Vec<Mutation>,
}

/// How a commit ended that did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every check held and every mutation was done.
    Committed {
        /// The version of every row written.
        versionstamp: Versionstamp,
    },
    /// Some check did not hold; nothing was done.
    CheckFailed {
        /// The indexes of those checks, in order.
        failed: Vec<usize>,
    },
}

/// Why a commit failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError<E: Error + 'static> {
    /// Arithmetic on a live row that holds no `KvU64`.
    #[error("mutation {index} is a {kind} on {key:?}, which holds no KvU64")]
    TypeMismatch {
        /// Index of the mutation.
        index: usize,
        /// What it asked for.
        kind: Arithmetic,
        /// The key at fault.
        key: Key,
    },
    /// The rows could not be read or written.
    #[error(transparent)]
    Rows(#[from] E),
}

/// The rows that a commit works on: one transaction of an engine. The row of a key is what the
/// last [`put`](Rows::put) left, live or not; this trait does not know the time.
pub trait Rows {
    /// Why rows cannot be read or written.
    type Error: Error + 'static;

    /// The row of a key, expired or not.
    ///
    /// # Errors
    ///
    /// The engine's.
    fn get(&mut self, key: &[u8]) -> Result<Option<Row>, Self::Error>;

    /// Writes the row of a key, over any other.
    ///
    /// # Errors
    ///
    /// The engine's.
    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), Self::Error>;

    /// Removes the row of a key, if there is one.
    ///
    /// # Errors
    ///
    /// The engine's.
    fn remove(&mut self, key: &[u8]) -> Result<(), Self::Error>;
}

/// Does a commit: all checks, then all mutations in order, each row written with `versionstamp`,
/// which must be greater than that of every commit before.
///
/// Sum, min and max keep the time to live of the row that they change (Deno drops it); where no
/// row is live the operand becomes the value, and never expires.
///
/// # Errors
///
/// [`ApplyError`]. Earlier mutations are then done: the caller rolls its rows back.
pub fn apply<R: Rows>(
    rows: &mut R,
    commit: &Commit,
    versionstamp: Versionstamp,
) -> Result<Outcome, ApplyError<R::Error>> {
    let mut failed = Vec::new();
    for (index, check) in commit.checks.iter().enumerate() {
        let row = live_row(rows, &check.key, commit.now)?;
        if row.map(|row| row.version) != check.versionstamp {
            failed.push(index);
        }
    }
    if !failed.is_empty() {
        return Ok(Outcome::CheckFailed { failed });
    }
    for (index, mutation) in commit.mutations.iter().enumerate() {
        let (key, kind, operand) = match mutation {
            Mutation::Set {
                key,
                value,
                expires_at,
            } => {
                put(rows, key, value.clone(), versionstamp, *expires_at)?;
                continue;
            }
            Mutation::SetSuffixVersionstamp {
                key_prefix,
                value,
                expires_at,
            } => {
                let key = key_prefix.with_versionstamp(versionstamp);
                put(rows, &key, value.clone(), versionstamp, *expires_at)?;
                continue;
            }
            Mutation::Delete { key } => {
                rows.remove(key.as_bytes())?;
                continue;
            }
            Mutation::Sum { key, operand } => (key, Arithmetic::Sum, *operand),
            Mutation::Min { key, operand } => (key, Arithmetic::Min, *operand),
            Mutation::Max { key, operand } => (key, Arithmetic::Max, *operand),
        };
        let (number, expires_at) = match live_row(rows, key, commit.now)? {
            None => (operand, None),
            Some(row) => match row.value.as_u64() {
                Some(stored) => (kind.compute(stored, operand), row.expires_at),
                None => {
                    return Err(ApplyError::TypeMismatch {
                        index,
                        kind,
                        key: key.clone(),
                    });
                }
            },
        };
        put(
            rows,
            key,
            StoredValue::from_u64(number),
            versionstamp,
            expires_at,
        )?;
    }
    Ok(Outcome::Committed { versionstamp })
}

fn live_row<R: Rows>(rows: &mut R, key: &Key, now: i64) -> Result<Option<Row>, R::Error> {
    Ok(rows.get(key.as_bytes())?.filter(|row| row.is_live(now)))
}

fn put<R: Rows>(
    rows: &mut R,
    key: &Key,
    value: StoredValue,
    version: Versionstamp,
    expires_at: Option<i64>,
) -> Result<(), R::Error> {
    rows.put(
        key.as_bytes(),
        &Row {
            value,
            version,
            expires_at,
        },
    )
}
