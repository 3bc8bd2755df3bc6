//! Locks that others hold.

use std::time::Duration;

use fencekv_sqlite::{LaneId, Reply, Request, StoreError};
use rusqlite::Connection;

use crate::caller::{Caller, commit_of, set};

#[test]
fn a_commit_waits_for_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    caller.ask(Request::Open).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("begin immediate").unwrap();
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"x")])))
        .unwrap();
    // Reads of other keys do not wait with it.
    assert_eq!(caller.get_on("other", 0), (None, None));
    other.execute_batch("rollback").unwrap();
    assert!(matches!(
        caller.next_answer(LaneId::Writer),
        Ok(Reply::Commit(_))
    ));
}

#[test]
fn past_its_budget_a_commit_is_busy_and_nothing_of_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::patient(&path, 20);
    caller.ask(Request::Open).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("begin immediate").unwrap();
    caller.clock.step_us(1000);
    match caller.commit(commit_of(vec![set("k", b"x")])) {
        Err(StoreError::Busy { waited_ms }) => {
            assert!((20..25).contains(&waited_ms), "{waited_ms}")
        }
        answer => panic!("{answer:?}"),
    }
    caller.clock.step_us(0);
    other.execute_batch("rollback").unwrap();
    assert_eq!(caller.get("k", 0), None);
    caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
}

#[test]
fn a_writer_that_waits_for_a_lock_stops_when_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::patient(&path, u64::MAX / 1000);
    caller.ask(Request::Open).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("begin immediate").unwrap();
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"x")])))
        .unwrap();
    let (done, joined) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        // `abort` joins the writer: without an end to its wait this would never return.
        scope.spawn(move || {
            joined
                .recv_timeout(Duration::from_secs(60))
                .expect("the writer stops");
        });
        caller.abort();
        done.send(()).unwrap();
    });
    drop(other);
    assert_eq!(Caller::file(&path).get("k", 0), None);
}
