//! A closed store takes no calls and leaves none unanswered.

use fencekv_sqlite::{LaneId, Reply, Request, StoreError};

use crate::caller::{Caller, commit_of, set};

#[test]
fn what_was_asked_before_the_close_is_answered_and_lands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    for index in 0..100 {
        let commit = commit_of(vec![set(&format!("k-{index}"), b"x")]);
        caller.submit(Request::Commit(commit)).unwrap();
    }
    caller.close();
    for _ in 0..100 {
        assert!(matches!(
            caller.next_answer(LaneId::Writer),
            Ok(Reply::Commit(_))
        ));
    }
    assert_eq!(Caller::file(&path).count_on(0).0, 100);
}

#[test]
fn later_calls_are_refused_and_closing_twice_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    for caller in [Caller::memory(), Caller::file(&folder.path().join("kv.db"))] {
        caller.close();
        caller.close();
        let refused = caller.submit(Request::Open);
        assert!(matches!(refused, Err(StoreError::Closed)), "{refused:?}");
    }
}
