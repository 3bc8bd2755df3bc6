//! The writes that were asked for and are not settled yet: a read of their keys waits for them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use fencekv_kv::{Key, KeyRange, Mutation};

use crate::Request;

/// Keys of unsettled writes, oldest request first.
#[derive(Default)]
pub(crate) struct Pending {
    requests: VecDeque<Vec<Written>>,
    /// How many unsettled requests write a key.
    keys: BTreeMap<Vec<u8>, u32>,
    /// The same for keys that end in a versionstamp, by what stands before it.
    prefixes: BTreeMap<Vec<u8>, u32>,
}

enum Written {
    Key(Vec<u8>),
    Prefix(Vec<u8>),
}

impl Pending {
    pub(crate) fn add(&mut self, request: &Request) {
        let written = match request {
            Request::Commit(commit) => commit.mutations.iter().map(written).collect(),
            Request::Open | Request::Read(_) | Request::Sweep { .. } => Vec::new(),
        };
        for one in &written {
            let (counts, key) = match one {
                Written::Key(key) => (&mut self.keys, key),
                Written::Prefix(key) => (&mut self.prefixes, key),
            };
            *counts.entry(key.clone()).or_default() += 1;
        }
        self.requests.push_back(written);
    }

    /// Forgets the oldest `count` requests.
    pub(crate) fn settled(&mut self, count: usize) {
        for one in self.requests.drain(..count).flatten() {
            let (counts, key) = match one {
                Written::Key(key) => (&mut self.keys, key),
                Written::Prefix(key) => (&mut self.prefixes, key),
            };
            if let Some(count) = counts.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&key);
                }
            }
        }
    }

    /// Whether an unsettled write may change what a read of `key` sees.
    pub(crate) fn touches(&self, key: &Key) -> bool {
        self.keys.contains_key(key.as_bytes())
            || self
                .prefixes
                .keys()
                .any(|prefix| key.as_bytes().starts_with(prefix))
    }

    /// Whether an unsettled write may change what a read of `range` sees.
    pub(crate) fn touches_range(&self, range: &KeyRange) -> bool {
        let bounds: (Bound<&[u8]>, Bound<&[u8]>) =
            (Bound::Included(&range.start), Bound::Excluded(&range.end));
        let key_inside =
            range.start < range.end && self.keys.range::<[u8], _>(bounds).next().is_some();
        key_inside
            || self.prefixes.keys().any(|prefix| {
                *prefix < range.end && (range.start <= *prefix || range.start.starts_with(prefix))
            })
    }
}

fn written(mutation: &Mutation) -> Written {
    let key = mutation.key().as_bytes().to_vec();
    match mutation {
        Mutation::SetSuffixVersionstamp { .. } => Written::Prefix(key),
        _ => Written::Key(key),
    }
}
