//! From the reference's terms to those of `fencekv-kv`.

use fencekv_kv::{Encoding, StoredValue, Versionstamp, expires_at};

use super::{Found, Mismatch};
use crate::generate::{CheckPlan, Expected, MutationPlan};
use crate::reference::{Check, Commit, Entry, Key, Mutation, Outcome, Value, encode};

/// The commit of a scenario's step. `version` gives the version of a key's live entry, or that of
/// the commit so many commits ago.
pub(super) fn plan(
    keys: &[Key],
    checks: &[CheckPlan],
    mutations: &[MutationPlan],
    now: i64,
    version: impl Fn(&Key, Option<usize>) -> Option<u64>,
) -> Commit {
    let check = |plan: &CheckPlan| {
        let key = keys[plan.key].clone();
        let version = match plan.expected {
            Expected::Absent => None,
            Expected::Right => version(&key, None),
            Expected::Of(ago) => version(&key, Some(ago)),
            Expected::Foreign => Some(Versionstamp::FOREIGN.0),
        };
        Check { key, version }
    };
    let key = |index: usize| keys[index].clone();
    let mutation = |plan: &MutationPlan| match plan.clone() {
        MutationPlan::Set {
            key: index,
            value,
            expire_in,
        } => Mutation::Set {
            key: key(index),
            value,
            expire_in,
        },
        MutationPlan::SetSuffixVersionstamp {
            prefix,
            value,
            expire_in,
        } => Mutation::SetSuffixVersionstamp {
            prefix: key(prefix),
            value,
            expire_in,
        },
        MutationPlan::Delete { key: index } => Mutation::Delete { key: key(index) },
        MutationPlan::Sum {
            key: index,
            operand,
        } => Mutation::Sum {
            key: key(index),
            operand,
        },
        MutationPlan::Min {
            key: index,
            operand,
        } => Mutation::Min {
            key: key(index),
            operand,
        },
        MutationPlan::Max {
            key: index,
            operand,
        } => Mutation::Max {
            key: key(index),
            operand,
        },
    };
    Commit {
        now,
        checks: checks.iter().map(check).collect(),
        mutations: mutations.iter().map(mutation).collect(),
    }
}

/// The commit as a store takes it.
pub(super) fn commit(commit: &Commit) -> fencekv_kv::Commit {
    let check = |check: &Check| fencekv_kv::Check {
        key: encode(&check.key),
        versionstamp: check.version.map(Versionstamp),
    };
    let expiry = |expire_in: &Option<u64>| {
        expire_in.map(|ms| expires_at(commit.now, ms).expect("a time to live of a scenario"))
    };
    let mutation = |mutation: &Mutation| match mutation {
        Mutation::Set {
            key,
            value,
            expire_in,
        } => fencekv_kv::Mutation::Set {
            key: encode(key),
            value: stored(value),
            expires_at: expiry(expire_in),
        },
        Mutation::SetSuffixVersionstamp {
            prefix,
            value,
            expire_in,
        } => fencekv_kv::Mutation::SetSuffixVersionstamp {
            key_prefix: encode(prefix),
            value: stored(value),
            expires_at: expiry(expire_in),
        },
        Mutation::Delete { key } => fencekv_kv::Mutation::Delete { key: encode(key) },
        Mutation::Sum { key, operand } => fencekv_kv::Mutation::Sum {
            key: encode(key),
            operand: *operand,
        },
        Mutation::Min { key, operand } => fencekv_kv::Mutation::Min {
            key: encode(key),
            operand: *operand,
        },
        Mutation::Max { key, operand } => fencekv_kv::Mutation::Max {
            key: encode(key),
            operand: *operand,
        },
    };
    fencekv_kv::Commit {
        now: commit.now,
        checks: commit.checks.iter().map(check).collect(),
        mutations: commit.mutations.iter().map(mutation).collect(),
    }
}

/// The outcome of `commit` as a store gives it, if it gave the commit this version.
pub(super) fn outcome(
    commit: &Commit,
    outcome: &Outcome,
    version: u64,
) -> Result<fencekv_kv::Outcome, Mismatch> {
    match outcome {
        Outcome::Committed => Ok(fencekv_kv::Outcome::Committed {
            versionstamp: Versionstamp(version),
        }),
        Outcome::CheckFailed(failed) => Ok(fencekv_kv::Outcome::CheckFailed {
            failed: failed.clone(),
        }),
        Outcome::TypeMismatch(index) => {
            let key = match &commit.mutations[*index] {
                Mutation::Sum { key, .. }
                | Mutation::Min { key, .. }
                | Mutation::Max { key, .. } => encode(key),
                other => unreachable!("{other:?} looks at no value"),
            };
            Err(Mismatch { index: *index, key })
        }
    }
}

/// The entry as a store gives it.
pub(super) fn found(entry: &Entry) -> Found {
    Found {
        key: encode(&entry.key).into_bytes(),
        value: stored(&entry.value),
        versionstamp: Versionstamp(entry.version),
    }
}

fn stored(value: &Value) -> StoredValue {
    match value {
        Value::U64(number) => StoredValue::from_u64(*number),
        Value::Other(bytes) => StoredValue {
            encoding: Encoding::Bytes,
            bytes: bytes.clone(),
        },
    }
}
