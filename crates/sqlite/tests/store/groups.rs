//! Commits that share a transaction do not share their failures.

use fencekv_kv::{Commit, Mutation, Outcome};
use fencekv_sqlite::{LaneId, Reply, Request, StoreError};

use crate::caller::{Caller, absent, commit_of, key, set, stamp};

fn sum(name: &str) -> Mutation {
    Mutation::Sum {
        key: key(name),
        operand: 1,
    }
}

/// One that fails after its first, at its only, or at its last mutation.
fn failing(index: usize) -> Commit {
    let name = format!("half-{index}");
    commit_of(match index % 3 {
        0 => vec![
            set(&name, b"x"),
            sum("text"),
            Mutation::Delete { key: key("kept") },
        ],
        1 => vec![sum("text")],
        _ => vec![
            Mutation::Delete { key: key("kept") },
            set(&name, b"x"),
            sum("text"),
        ],
    })
}

#[test]
fn of_200_commits_at_once_the_failing_half_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let caller = Caller::file(&folder.path().join("kv.db"));
    caller
        .commit(commit_of(vec![
            set("text", b"no number"),
            set("kept", b"x"),
        ]))
        .unwrap();
    for index in 0..200 {
        let commit = match index % 2 {
            0 => commit_of(vec![set(&format!("whole-{index}"), b"x")]),
            _ => failing(index),
        };
        caller.submit(Request::Commit(commit)).unwrap();
    }
    for index in 0..200 {
        match (index % 2, caller.next_answer(LaneId::Writer)) {
            (0, Ok(Reply::Commit(Outcome::Committed { .. }))) => {}
            (1, Err(StoreError::TypeMismatch { key: at, .. })) => assert_eq!(at, key("text")),
            (_, answer) => panic!("commit {index}: {answer:?}"),
        }
    }
    assert_eq!(caller.get("kept", 0), Some(b"x".to_vec()));
    assert_eq!(caller.count_on(0).0, 102);
    for index in 0..200 {
        assert_eq!(
            caller.get(&format!("whole-{index}"), 0).is_some(),
            index % 2 == 0
        );
        assert_eq!(caller.get(&format!("half-{index}"), 0), None);
    }
}

#[test]
fn a_group_gives_each_commit_a_versionstamp_of_its_own_in_call_order() {
    let folder = tempfile::tempdir().unwrap();
    let caller = Caller::file(&folder.path().join("kv.db"));
    for _ in 0..50 {
        caller
            .submit(Request::Commit(commit_of(vec![set("k", b"x")])))
            .unwrap();
    }
    let stamps: Vec<_> = (0..50)
        .map(|_| match caller.next_answer(LaneId::Writer) {
            Ok(Reply::Commit(outcome)) => stamp(outcome),
            answer => panic!("{answer:?}"),
        })
        .collect();
    assert!(stamps.is_sorted_by(|one, next| one < next), "{stamps:?}");
}

#[test]
fn a_commit_in_a_group_sees_the_ones_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let caller = Caller::file(&folder.path().join("kv.db"));
    let claim = || Commit {
        now: 0,
        checks: vec![absent("lock")],
        mutations: vec![set("lock", b"mine")],
    };
    caller.submit(Request::Commit(claim())).unwrap();
    caller.submit(Request::Commit(claim())).unwrap();
    let (first, second) = (
        caller.next_answer(LaneId::Writer),
        caller.next_answer(LaneId::Writer),
    );
    assert!(
        matches!(first, Ok(Reply::Commit(Outcome::Committed { .. }))),
        "{first:?}"
    );
    assert!(
        matches!(second, Ok(Reply::Commit(Outcome::CheckFailed { .. }))),
        "{second:?}"
    );
}

#[test]
fn the_last_versionstamp_is_given_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    Caller::file(&path).ask(Request::Open).unwrap();
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute("update data_version set version = ?1", [i64::MAX - 1])
        .unwrap();

    let caller = Caller::file(&path);
    let last = stamp(caller.commit(commit_of(vec![set("k", b"x")])).unwrap());
    assert_eq!(last.0, i64::MAX.cast_unsigned());
    let refused = caller.commit(commit_of(vec![set("k", b"y")]));
    assert!(
        matches!(refused, Err(StoreError::VersionsExhausted)),
        "{refused:?}"
    );
    assert_eq!(caller.get("k", 0), Some(b"x".to_vec()));
}

#[test]
fn in_memory_a_failing_commit_leaves_nothing_either() {
    let caller = Caller::memory();
    caller
        .commit(commit_of(vec![
            set("text", b"no number"),
            set("kept", b"x"),
        ]))
        .unwrap();
    for index in 0..3 {
        let answer = caller.commit(failing(index));
        assert!(
            matches!(answer, Err(StoreError::TypeMismatch { .. })),
            "{answer:?}"
        );
    }
    assert_eq!(caller.count_on(0).0, 2);
}

/// The first write of all marks the file. A mark that was undone with its commit was once looked
/// for through a statement that still knew its table, and every later write failed.
#[test]
fn a_first_commit_that_fails_does_not_spoil_the_next() {
    let folder = tempfile::tempdir().unwrap();
    for caller in [Caller::memory(), Caller::file(&folder.path().join("kv.db"))] {
        for round in 0..3 {
            let answer = caller.commit(commit_of(vec![set("text", b"no number"), sum("text")]));
            assert!(
                matches!(answer, Err(StoreError::TypeMismatch { .. })),
                "{round}: {answer:?}"
            );
        }
        caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
        assert_eq!(caller.get("k", 0), Some(b"x".to_vec()));
    }
}
