//! What the commits that a test writes by hand are made of. Nothing in them expires.

use fencekv_kv::{Check, Commit, Encoding, Key, Mutation, StoredValue};

/// A commit at time 0.
#[must_use]
pub fn commit(checks: Vec<Check>, mutations: Vec<Mutation>) -> Commit {
    Commit {
        now: 0,
        checks,
        mutations,
    }
}

/// Checks that there is no such key.
#[must_use]
pub fn absent(key: Key) -> Check {
    Check {
        key,
        versionstamp: None,
    }
}

/// Writes `size` times the same byte.
#[must_use]
pub fn set(key: Key, byte: u8, size: usize) -> Mutation {
    Mutation::Set {
        key,
        value: StoredValue {
            encoding: Encoding::Bytes,
            bytes: vec![byte; size],
        },
        expires_at: None,
    }
}

/// Adds 1, so that who applies it twice is seen.
#[must_use]
pub fn count(key: Key) -> Mutation {
    Mutation::Sum { key, operand: 1 }
}
