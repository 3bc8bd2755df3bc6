//! A closed store takes no calls and leaves none unanswered.

use fencekv_sqlite::{LaneId, Reply, Request, Started, StoreError};

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
fn a_lane_tells_when_it_has_ended_and_the_log_is_folded_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
    assert!(folder.path().join("kv.db-wal").exists());
    assert_eq!(caller.close(), 1);
    caller.wait_for_end();
    assert!(!folder.path().join("kv.db-wal").exists());
}

#[test]
fn later_calls_are_refused_and_closing_twice_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    for caller in [Caller::memory(), Caller::file(&folder.path().join("kv.db"))] {
        assert_eq!(caller.close(), 0);
        assert_eq!(caller.close(), 0);
        let refused = caller.submit(Request::Open);
        assert!(matches!(refused, Err(StoreError::Closed)), "{refused:?}");
    }
}

/// Long reads that waited for the reader kept their snapshots, and with them the log, until the
/// handle was collected, which some hosts never do.
#[cfg(target_os = "linux")]
#[test]
fn whoever_stops_now_closes_what_queued_reads_have_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    let large = (0..40).map(|index| set(&format!("k-{index}"), &[7; 60_000]));
    caller.commit(commit_of(large.collect())).unwrap();
    for _ in 0..4 {
        assert_eq!(caller.start_list(0), Started::Queued(LaneId::Reader));
    }
    caller.abort();
    // Where this copy of SQLite has nothing open, a plain descriptor is a stranger's.
    let _plain = std::fs::File::open(&path).unwrap();
    let refused = Caller::file(&path).ask(Request::Open);
    assert!(matches!(refused, Err(StoreError::FileInUse)), "{refused:?}");
}
