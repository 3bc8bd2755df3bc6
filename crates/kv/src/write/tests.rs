use std::collections::BTreeMap;

use super::*;
use crate::{Encoding, KeyWriter, parts};

const NOW: i64 = 1_000;

type OfOperand = fn(Key, u64) -> Mutation;

/// Rows in memory that can fail at a write, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Memory {
    rows: BTreeMap<Vec<u8>, Row>,
    writes: usize,
    failing_write: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the disk is full")]
struct DiskFull;

impl Memory {
    fn write(&mut self) -> Result<(), DiskFull> {
        self.writes += 1;
        if self.writes == self.failing_write {
            Err(DiskFull)
        } else {
            Ok(())
        }
    }
}

impl Rows for Memory {
    type Error = DiskFull;

    fn get(&mut self, key: &[u8]) -> Result<Option<Row>, DiskFull> {
        Ok(self.rows.get(key).cloned())
    }

    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), DiskFull> {
        self.write()?;
        self.rows.insert(key.to_vec(), row.clone());
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), DiskFull> {
        self.write()?;
        self.rows.remove(key);
        Ok(())
    }
}

fn key(name: &str) -> Key {
    let mut writer = KeyWriter::new();
    writer.push_str(name);
    writer.finish()
}

fn text(value: &str) -> StoredValue {
    StoredValue {
        encoding: Encoding::Bytes,
        bytes: value.into(),
    }
}

fn set(name: &str, value: StoredValue, expires_at: Option<i64>) -> Mutation {
    Mutation::Set {
        key: key(name),
        value,
        expires_at,
    }
}

fn sum(name: &str, operand: u64) -> Mutation {
    Mutation::Sum {
        key: key(name),
        operand,
    }
}

fn check(name: &str, versionstamp: Option<Versionstamp>) -> Check {
    Check {
        key: key(name),
        versionstamp,
    }
}

fn row(value: StoredValue, version: u64, expires_at: Option<i64>) -> Row {
    Row {
        value,
        version: Versionstamp(version),
        expires_at,
    }
}

/// A store of one commit at version 1.
fn store(mutations: Vec<Mutation>) -> Memory {
    let mut memory = Memory::default();
    let commit = Commit {
        now: NOW,
        checks: vec![],
        mutations,
    };
    apply(&mut memory, &commit, Versionstamp(1)).unwrap();
    memory.writes = 0;
    memory
}

fn mutate(memory: &mut Memory, mutations: Vec<Mutation>) -> Result<Outcome, ApplyError<DiskFull>> {
    apply(
        memory,
        &Commit {
            now: NOW,
            checks: vec![],
            mutations,
        },
        Versionstamp(2),
    )
}

fn checked(memory: &mut Memory, checks: Vec<Check>) -> Outcome {
    let mutations = vec![set("written", text("x"), None)];
    apply(
        memory,
        &Commit {
            now: NOW,
            checks,
            mutations,
        },
        Versionstamp(2),
    )
    .unwrap()
}

#[test]
fn checks_name_every_one_that_does_not_hold_and_then_nothing_is_written() {
    let mut memory = store(vec![set("a", text("1"), None), set("b", text("2"), None)]);
    let before = memory.clone();
    let outcome = checked(
        &mut memory,
        vec![
            check("a", Some(Versionstamp(1))),
            check("a", None),
            check("c", None),
            check("c", Some(Versionstamp(1))),
            check("b", Some(Versionstamp(2))),
            check("b", Some(Versionstamp::FOREIGN)),
        ],
    );
    assert_eq!(
        outcome,
        Outcome::CheckFailed {
            failed: vec![1, 3, 4, 5]
        }
    );
    assert_eq!(memory, before);
}

#[test]
fn checks_see_the_rows_as_they_were_before_any_mutation() {
    let mut memory = Memory::default();
    let commit = Commit {
        now: NOW,
        checks: vec![check("a", None)],
        mutations: vec![set("a", text("1"), None), sum("n", 1)],
    };
    let outcome = apply(&mut memory, &commit, Versionstamp(1)).unwrap();
    assert_eq!(
        outcome,
        Outcome::Committed {
            versionstamp: Versionstamp(1)
        }
    );
    let again = apply(&mut memory, &commit, Versionstamp(2)).unwrap();
    assert_eq!(again, Outcome::CheckFailed { failed: vec![0] });
}

#[test]
fn a_row_is_absent_from_the_millisecond_it_expires_at() {
    for (expires_at, live) in [(NOW + 1, true), (NOW, false), (NOW - 1, false), (0, false)] {
        let mut memory = store(vec![set("a", text("1"), Some(expires_at))]);
        let absent = checked(&mut memory, vec![check("a", None)]);
        assert_eq!(
            absent == Outcome::CheckFailed { failed: vec![0] },
            live,
            "{expires_at}"
        );
        let mut memory = store(vec![set("n", StoredValue::from_u64(5), Some(expires_at))]);
        mutate(&mut memory, vec![sum("n", 2)]).unwrap();
        let expected = if live {
            row(StoredValue::from_u64(7), 2, Some(expires_at))
        } else {
            row(StoredValue::from_u64(2), 2, None)
        };
        assert_eq!(memory.rows[key("n").as_bytes()], expected, "{expires_at}");
    }
}

#[test]
fn arithmetic_wraps_takes_the_less_or_the_greater_and_starts_from_the_operand() {
    let cases: [(OfOperand, u64, u64, u64); 6] = [
        (|key, operand| Mutation::Sum { key, operand }, 3, 4, 7),
        (
            |key, operand| Mutation::Sum { key, operand },
            u64::MAX,
            3,
            2,
        ),
        (|key, operand| Mutation::Min { key, operand }, 3, 4, 3),
        (|key, operand| Mutation::Min { key, operand }, 4, 3, 3),
        (|key, operand| Mutation::Max { key, operand }, 3, 4, 4),
        (|key, operand| Mutation::Max { key, operand }, 4, 3, 4),
    ];
    for (mutation, stored, operand, expected) in cases {
        let mut memory = Memory::default();
        mutate(&mut memory, vec![mutation(key("n"), stored)]).unwrap();
        assert_eq!(
            memory.rows[key("n").as_bytes()].value.as_u64(),
            Some(stored)
        );
        mutate(&mut memory, vec![mutation(key("n"), operand)]).unwrap();
        assert_eq!(
            memory.rows[key("n").as_bytes()].value.as_u64(),
            Some(expected)
        );
    }
}

#[test]
fn mutations_are_done_in_order() {
    let mut memory = store(vec![set("n", text("no number"), None)]);
    let delete = Mutation::Delete { key: key("n") };
    mutate(&mut memory, vec![delete, sum("n", 2), sum("n", 3)]).unwrap();
    assert_eq!(memory.rows[key("n").as_bytes()].value.as_u64(), Some(5));
}

#[test]
fn arithmetic_on_anything_but_a_kv_u64_names_the_mutation_and_the_key() {
    let too_short = StoredValue {
        encoding: Encoding::U64,
        bytes: vec![1; 7],
    };
    let unknown = StoredValue {
        encoding: Encoding::Unknown(9),
        bytes: vec![0; 8],
    };
    let v8 = StoredValue {
        encoding: Encoding::V8,
        bytes: vec![0; 8],
    };
    for value in [text("8 bytes!"), too_short, unknown, v8] {
        let mut memory = store(vec![set("a", value, None)]);
        let before = memory.clone();
        let kinds: [(OfOperand, Arithmetic); 3] = [
            (
                |key, operand| Mutation::Sum { key, operand },
                Arithmetic::Sum,
            ),
            (
                |key, operand| Mutation::Min { key, operand },
                Arithmetic::Min,
            ),
            (
                |key, operand| Mutation::Max { key, operand },
                Arithmetic::Max,
            ),
        ];
        for (mutation, kind) in kinds {
            let failed = mutate(
                &mut memory,
                vec![mutation(key("a"), 1), set("b", text("x"), None)],
            );
            assert_eq!(
                failed,
                Err(ApplyError::TypeMismatch {
                    index: 0,
                    kind,
                    key: key("a")
                })
            );
        }
        assert_eq!(memory, before);
    }
    let mut memory = Memory::default();
    let failed = mutate(&mut memory, vec![set("a", text("x"), None), sum("a", 1)]);
    let expected = ApplyError::TypeMismatch {
        index: 1,
        kind: Arithmetic::Sum,
        key: key("a"),
    };
    assert_eq!(failed, Err(expected));
}

#[test]
fn a_suffix_set_ends_its_key_in_the_commits_versionstamp() {
    let suffix = |value| Mutation::SetSuffixVersionstamp {
        key_prefix: key("log"),
        value: text(value),
        expires_at: Some(NOW + 9),
    };
    let mut memory = store(vec![suffix("first"), suffix("second")]);
    mutate(&mut memory, vec![suffix("later")]).unwrap();
    let found: Vec<_> = memory
        .rows
        .iter()
        .map(|(key, row)| (parts(key).flatten().last(), row.clone()))
        .collect();
    let part = |digits: &'static str| Some(crate::Part::String(digits.into()));
    let expected = [
        (
            part("00000000000000010000"),
            row(text("second"), 1, Some(NOW + 9)),
        ),
        (
            part("00000000000000020000"),
            row(text("later"), 2, Some(NOW + 9)),
        ),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_row_that_cannot_be_written_fails_the_commit() {
    let mut memory = Memory {
        failing_write: 2,
        ..Memory::default()
    };
    let failed = mutate(
        &mut memory,
        vec![set("a", text("x"), None), set("b", text("y"), None)],
    );
    assert_eq!(failed, Err(ApplyError::Rows(DiskFull)));
    assert_eq!(memory.writes, 2);
}
