use std::collections::BTreeMap;

use fencekv_kv::SelectorError;

use super::key::{Key, Part};
use super::selector::Selector;

/// A value, as far as a store looks into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number that sum, min and max work on.
    U64(u64),
    /// Anything else.
    Other(Vec<u8>),
}

/// What get and list give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// Its value.
    pub value: Value,
    /// The number of the commit that wrote it.
    pub version: u64,
}

/// A condition of a commit.
#[derive(Debug, Clone)]
pub struct Check {
    /// The key.
    pub key: Key,
    /// The version that it must have; `None`: it must be absent.
    pub version: Option<u64>,
}

/// A change. `expire_in` is in milliseconds.
#[derive(Debug, Clone)]
#[allow(
    missing_docs,
    reason = "the fields are named as the mutations of `fencekv-kv` name them"
)]
pub enum Mutation {
    Set {
        key: Key,
        value: Value,
        expire_in: Option<u64>,
    },
    SetSuffixVersionstamp {
        prefix: Key,
        value: Value,
        expire_in: Option<u64>,
    },
    Delete {
        key: Key,
    },
    Sum {
        key: Key,
        operand: u64,
    },
    Min {
        key: Key,
        operand: u64,
    },
    Max {
        key: Key,
        operand: u64,
    },
}

/// A commit at `now`, in milliseconds.
#[derive(Debug, Clone)]
pub struct Commit {
    /// When it was asked for.
    pub now: i64,
    /// All must hold before anything is done.
    pub checks: Vec<Check>,
    /// Done in order.
    pub mutations: Vec<Mutation>,
}

/// How a commit ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was done.
    Committed,
    /// Nothing was done: these checks did not hold.
    CheckFailed(Vec<usize>),
    /// Nothing was done: this mutation met a value that is no number.
    TypeMismatch(usize),
}

/// What to list.
#[derive(Debug, Clone)]
pub struct List {
    /// Which keys.
    pub selector: Selector,
    /// From the last key to the first.
    pub reverse: bool,
    /// Only what comes after this key, in the direction of the list.
    pub after: Option<Key>,
    /// At most so many entries.
    pub limit: usize,
}

#[derive(Debug, Clone)]
struct Record {
    value: Value,
    version: u64,
    expires_at: Option<i64>,
}

/// The model.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    records: BTreeMap<Key, Record>,
}

impl Reference {
    fn live(&self, key: &Key, now: i64) -> Option<&Record> {
        self.records.get(key).filter(|record| is_live(record, now))
    }

    /// The entry of a key.
    pub fn get(&self, key: &Key, now: i64) -> Option<Entry> {
        self.live(key, now).map(|record| entry(key, record))
    }

    /// The entries that `list` asks for, in its order.
    ///
    /// # Errors
    ///
    /// If the selector makes no sense.
    pub fn list(&self, list: &List, now: i64) -> Result<Vec<Entry>, SelectorError> {
        list.selector.check()?;
        let comes_later = |key: &Key| match &list.after {
            None => true,
            Some(after) if list.reverse => key < after,
            Some(after) => key > after,
        };
        let mut found: Vec<Entry> = self
            .records
            .iter()
            .filter(|(key, record)| {
                list.selector.selects(key) && comes_later(key) && is_live(record, now)
            })
            .map(|(key, record)| entry(key, record))
            .collect();
        if list.reverse {
            found.reverse();
        }
        found.truncate(list.limit);
        Ok(found)
    }

    /// Does a commit as version `version`, or nothing of it.
    pub fn commit(&mut self, commit: &Commit, version: u64) -> Outcome {
        let holds = |check: &Check| {
            self.live(&check.key, commit.now)
                .map(|record| record.version)
                == check.version
        };
        let failed: Vec<usize> = (0..commit.checks.len())
            .filter(|index| !holds(&commit.checks[*index]))
            .collect();
        if !failed.is_empty() {
            return Outcome::CheckFailed(failed);
        }
        let mut after = self.clone();
        for (index, mutation) in commit.mutations.iter().enumerate() {
            if !after.mutate(mutation, commit.now, version) {
                return Outcome::TypeMismatch(index);
            }
        }
        *self = after;
        Outcome::Committed
    }

    /// False if the value there is of the wrong type.
    fn mutate(&mut self, mutation: &Mutation, now: i64, version: u64) -> bool {
        let expires_at = |expire_in: &Option<u64>| expire_in.map(|ms| (now + ms as i64).max(0));
        match mutation {
            Mutation::Set {
                key,
                value,
                expire_in,
            } => {
                let record = Record {
                    value: value.clone(),
                    version,
                    expires_at: expires_at(expire_in),
                };
                self.records.insert(key.clone(), record);
            }
            Mutation::SetSuffixVersionstamp {
                prefix,
                value,
                expire_in,
            } => {
                let mut key = prefix.clone();
                key.push(Part::String(format!("{version:016x}0000")));
                let record = Record {
                    value: value.clone(),
                    version,
                    expires_at: expires_at(expire_in),
                };
                self.records.insert(key, record);
            }
            Mutation::Delete { key } => {
                self.records.remove(key);
            }
            Mutation::Sum { key, operand } => {
                return self.compute(key, now, version, *operand, u64::wrapping_add);
            }
            Mutation::Min { key, operand } => {
                return self.compute(key, now, version, *operand, u64::min);
            }
            Mutation::Max { key, operand } => {
                return self.compute(key, now, version, *operand, u64::max);
            }
        }
        true
    }

    fn compute(
        &mut self,
        key: &Key,
        now: i64,
        version: u64,
        operand: u64,
        of: fn(u64, u64) -> u64,
    ) -> bool {
        let (number, expires_at) = match self.live(key, now) {
            None => (operand, None),
            Some(Record {
                value: Value::U64(stored),
                expires_at,
                ..
            }) => (of(*stored, operand), *expires_at),
            Some(Record {
                value: Value::Other(_),
                ..
            }) => return false,
        };
        let record = Record {
            value: Value::U64(number),
            version,
            expires_at,
        };
        self.records.insert(key.clone(), record);
        true
    }

    /// Forgets what has expired; returns how many that were.
    pub fn sweep(&mut self, now: i64) -> usize {
        let before = self.records.len();
        self.records.retain(|_, record| is_live(record, now));
        before - self.records.len()
    }
}

fn is_live(record: &Record, now: i64) -> bool {
    match record.expires_at {
        None => true,
        Some(expires_at) => now < expires_at,
    }
}

fn entry(key: &Key, record: &Record) -> Entry {
    Entry {
        key: key.clone(),
        value: record.value.clone(),
        version: record.version,
    }
}
