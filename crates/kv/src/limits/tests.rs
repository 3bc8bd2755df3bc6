use super::*;
use crate::{Check, Encoding, KeyWriter, Selector, StoredValue, Versionstamp};

/// A key of exactly `len` encoded bytes; another for every `id` below 250.
fn key(id: u8, len: usize) -> Key {
    let mut part = vec![1; len - 2];
    part[0] = id + 1;
    let mut writer = KeyWriter::new();
    writer.push_bytes(&part);
    writer.finish()
}

fn value(len: usize) -> StoredValue {
    StoredValue {
        encoding: Encoding::Bytes,
        bytes: vec![0; len],
    }
}

fn set(key: Key, len: usize) -> Mutation {
    Mutation::Set {
        key,
        value: value(len),
        expires_at: None,
    }
}

fn check(key: Key) -> Check {
    Check {
        key,
        versionstamp: Some(Versionstamp(1)),
    }
}

fn commit(checks: Vec<Check>, mutations: Vec<Mutation>) -> Result<(), LimitExceeded> {
    Limits::default().check_commit(&Commit {
        now: 0,
        checks,
        mutations,
    })
}

fn exceeded(
    kind: LimitKind,
    max: usize,
    actual: usize,
    key: Option<Key>,
) -> Result<(), LimitExceeded> {
    Err(LimitExceeded {
        kind,
        max,
        actual,
        key,
    })
}

#[test]
fn a_key_to_write_has_at_most_2048_bytes() {
    let at_most = || key(0, 2048);
    let longer = || key(0, 2049);
    let refused = exceeded(LimitKind::KeyWriteBytes, 2048, 2049, Some(longer()));
    assert_eq!(commit(vec![check(at_most())], vec![]), Ok(()));
    assert_eq!(commit(vec![check(longer())], vec![]), refused);
    let mutations: [fn(Key) -> Mutation; 6] = [
        |key| set(key, 1),
        |key_prefix| Mutation::SetSuffixVersionstamp {
            key_prefix,
            value: value(1),
            expires_at: None,
        },
        |key| Mutation::Delete { key },
        |key| Mutation::Sum { key, operand: 1 },
        |key| Mutation::Min { key, operand: 1 },
        |key| Mutation::Max { key, operand: 1 },
    ];
    for mutation in mutations {
        assert_eq!(commit(vec![], vec![mutation(at_most())]), Ok(()));
        assert_eq!(commit(vec![], vec![mutation(longer())]), refused);
    }
}

#[test]
fn a_key_to_read_has_at_most_2048_bytes_and_a_bound_one_more() {
    let limits = Limits::default();
    assert_eq!(limits.check_key_to_read(&key(0, 2048)), Ok(()));
    let refused = exceeded(LimitKind::KeyReadBytes, 2048, 2049, Some(key(0, 2049)));
    assert_eq!(limits.check_key_to_read(&key(0, 2049)), refused);

    let prefix = |len| Selector::prefix(key(0, len)).range().unwrap();
    assert_eq!(limits.check_range(&prefix(2048)), Ok(()));
    let refused = exceeded(LimitKind::KeyReadBytes, 2049, 2050, None);
    assert_eq!(limits.check_range(&prefix(2049)), refused);
    let to = |len| {
        Selector::Range {
            start: Key::default(),
            end: key(0, len),
        }
        .range()
        .unwrap()
    };
    assert_eq!(limits.check_range(&to(2049)), Ok(()));
    assert_eq!(limits.check_range(&to(2050)), refused);
}

#[test]
fn a_value_has_at_most_65536_bytes() {
    assert_eq!(commit(vec![], vec![set(key(0, 9), 65_536)]), Ok(()));
    let refused = exceeded(LimitKind::ValueBytes, 65_536, 65_537, Some(key(1, 9)));
    assert_eq!(
        commit(vec![], vec![set(key(0, 9), 1), set(key(1, 9), 65_537)]),
        refused
    );
}

#[test]
fn counts_are_limited() {
    let checks = |count| commit(vec![check(key(0, 9)); count], vec![]);
    assert_eq!(checks(100), Ok(()));
    assert_eq!(checks(101), exceeded(LimitKind::Checks, 100, 101, None));
    let deletes = |count| commit(vec![], vec![Mutation::Delete { key: key(0, 9) }; count]);
    assert_eq!(deletes(1000), Ok(()));
    assert_eq!(
        deletes(1001),
        exceeded(LimitKind::Mutations, 1000, 1001, None)
    );
    let limits = Limits::default();
    assert_eq!(limits.check_get_many(10), Ok(()));
    assert_eq!(
        limits.check_get_many(11),
        exceeded(LimitKind::GetManyKeys, 10, 11, None)
    );
    assert_eq!(limits.check_batch(1000), Ok(()));
    assert_eq!(
        limits.check_batch(1001),
        exceeded(LimitKind::BatchEntries, 1000, 1001, None)
    );
}

/// Twelve full values, and one of `last` bytes, under keys of 10 bytes.
fn thirteen_sets(last: usize) -> Vec<Mutation> {
    let mut sets: Vec<_> = (0..12).map(|id| set(key(id, 10), 65_536)).collect();
    sets.push(set(key(12, 10), last));
    sets
}

/// The numbers are those at which Deno 2.9.6 begins to refuse.
#[test]
fn the_bytes_of_a_commit_count_a_key_once_more_where_it_brings_a_value() {
    let last_that_fits = 32_508;
    assert_eq!(commit(vec![], thirteen_sets(last_that_fits)), Ok(()));
    let refused = exceeded(LimitKind::CommitBytes, 819_200, 819_201, None);
    assert_eq!(commit(vec![], thirteen_sets(last_that_fits + 1)), refused);

    let checks = || (0..10).map(|id| check(key(id, 100))).collect::<Vec<_>>();
    assert_eq!(
        commit(checks(), thirteen_sets(last_that_fits - 1000)),
        Ok(())
    );
    assert_eq!(
        commit(checks(), thirteen_sets(last_that_fits - 999)),
        refused
    );

    let with = |mutation: fn(Key) -> Mutation, last| {
        let mut mutations = thirteen_sets(last);
        mutations.extend((0..10).map(|id| mutation(key(id, 100))));
        commit(vec![], mutations)
    };
    let delete = |key| Mutation::Delete { key };
    assert_eq!(with(delete, last_that_fits - 1000), Ok(()));
    assert_eq!(with(delete, last_that_fits - 999), refused);
    let sum = |key| Mutation::Sum { key, operand: 1 };
    assert_eq!(with(sum, last_that_fits - 2080), Ok(()));
    assert_eq!(with(sum, last_that_fits - 2079), refused);
}

#[test]
fn the_bytes_of_keys_count_where_they_bring_a_value() {
    let with = |mutation: fn(Key) -> Mutation, count: u8| {
        commit(
            vec![],
            (0..count).map(|id| mutation(key(id, 1024))).collect(),
        )
    };
    let refused = exceeded(LimitKind::CommitKeyBytes, 81_920, 82_944, None);
    let set = |key| set(key, 1);
    assert_eq!(with(set, 80), Ok(()));
    assert_eq!(with(set, 81), refused);
    let sum = |key| Mutation::Sum { key, operand: 1 };
    assert_eq!(with(sum, 80), Ok(()));
    assert_eq!(with(sum, 81), refused);
    assert_eq!(with(|key| Mutation::Delete { key }, 200), Ok(()));
    assert_eq!(
        commit((0..100).map(|id| check(key(id, 1024))).collect(), vec![]),
        Ok(())
    );
}

#[test]
fn lifted_limits_let_more_through() {
    let limits = Limits {
        value_bytes: 70_000,
        ..Limits::default()
    };
    let commit = Commit {
        mutations: vec![set(key(0, 9), 65_537)],
        ..Commit::default()
    };
    assert_eq!(limits.check_commit(&commit), Ok(()));
}

#[test]
fn the_message_names_the_limit_and_the_size() {
    let refused = Limits::default().check_get_many(11).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "too many keys in one call: 11, at most 10"
    );
}
