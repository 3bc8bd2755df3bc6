//! Where a read goes, and what it sees.

use fencekv_kv::{Mutation, StoredValue};
use fencekv_sqlite::{LaneId, Reply, Request, Started};

use crate::caller::{Caller, commit_of, key, set, set_until};

fn opened(path: &std::path::Path) -> Caller {
    let caller = Caller::file(path);
    caller.ask(Request::Open).unwrap();
    caller
}

/// More than a read on the caller's thread takes.
fn set_40_large(caller: &Caller) {
    for index in 0..40 {
        let large = vec![index; 60_000];
        let commit = commit_of(vec![set(&format!("large-{index}"), &large)]);
        caller.commit(commit).unwrap();
    }
}

/// The value that a point read found.
fn value_read(reply: Reply) -> Vec<u8> {
    match reply {
        Reply::Points(mut entries) => entries.remove(0).unwrap().value,
        reply => panic!("{reply:?}"),
    }
}

#[test]
fn a_read_goes_behind_the_pending_writes_of_its_key_and_sees_no_later_one() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"first")])))
        .unwrap();
    let read = fencekv_sqlite::Read::Points {
        keys: vec![key("k")],
        now: 0,
    };
    caller.submit(Request::Read(read)).unwrap();
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"second")])))
        .unwrap();
    caller.next_answer(LaneId::Writer).unwrap();
    let reply = caller.next_answer(LaneId::Writer).unwrap();
    assert_eq!(value_read(reply), b"first");
}

#[test]
fn only_reads_that_a_pending_write_may_change_wait_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"x")])))
        .unwrap();
    assert_eq!(caller.get_on("other", 0), (None, None));
    assert_eq!(
        caller.get_on("k", 0),
        (Some(b"x".to_vec()), Some(LaneId::Writer))
    );
    // The answer to the commit has arrived on the way.
    assert_eq!(caller.get_on("k", 0), (Some(b"x".to_vec()), None));
}

#[test]
fn a_pending_key_with_a_versionstamp_holds_back_what_may_be_that_key() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    let value = StoredValue::from_u64(1);
    let suffixed = Mutation::SetSuffixVersionstamp {
        key_prefix: key("log"),
        value,
        expires_at: None,
    };
    caller
        .submit(Request::Commit(commit_of(vec![suffixed])))
        .unwrap();
    assert_eq!(caller.get_on("other", 0), (None, None));
    assert_eq!(caller.count_on(0), (1, Some(LaneId::Writer)));
}

#[test]
fn after_some_milliseconds_of_reads_one_lets_the_event_loop_turn() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    caller.clock.advance_ms(100);
    let lanes: Vec<_> = (0..12)
        .map(|_| {
            caller.clock.advance_ms(1);
            caller.get_on("k", 0).1
        })
        .collect();
    let on_lane: Vec<_> = (0..12).filter(|index| lanes[*index].is_some()).collect();
    assert_eq!(on_lane, [3, 6, 9]);
    assert_eq!(lanes[3], Some(LaneId::Turn));
}

#[test]
fn a_scan_past_its_budget_of_steps_goes_to_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    let expired = (0..900)
        .map(|index| set_until(&format!("old-{index}"), 10))
        .collect();
    caller.commit(commit_of(expired)).unwrap();
    assert_eq!(caller.count_on(10), (0, None));
    for round in 0..9 {
        let expired = (0..1000)
            .map(|index| set_until(&format!("{round}-{index}"), 10))
            .collect();
        caller.commit(commit_of(expired)).unwrap();
    }
    assert_eq!(caller.count_on(10), (0, Some(LaneId::Reader)));
}

#[test]
fn a_page_of_large_values_goes_to_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    set_40_large(&caller);
    assert_eq!(caller.count_on(0), (40, Some(LaneId::Reader)));
}

#[test]
fn a_read_before_the_file_is_open_opens_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    assert_eq!(
        Caller::file(&path).get_on("k", 0),
        (None, Some(LaneId::Writer))
    );
    assert!(path.exists());
}

#[test]
fn a_long_read_does_not_see_what_is_written_after_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    set_40_large(&caller);
    for round in 0..20 {
        let list = caller.start_list(0);
        assert_eq!(list, Started::Queued(LaneId::Reader));
        let late = commit_of(vec![set(&format!("late-{round}"), b"x")]);
        caller.submit(Request::Commit(late)).unwrap();
        caller.next_answer(LaneId::Writer).unwrap();
        match caller.next_answer(LaneId::Reader).unwrap() {
            Reply::Page(entries) => assert_eq!(entries.len(), 40 + round),
            reply => panic!("{reply:?}"),
        }
    }
}

#[test]
fn a_read_that_lets_the_event_loop_turn_does_not_see_what_is_written_after_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    caller.commit(commit_of(vec![set("k", b"before")])).unwrap();
    caller.clock.advance_ms(100);
    assert_eq!(caller.get_on("k", 0).1, None);
    caller.clock.advance_ms(1);
    assert_eq!(caller.get_on("k", 0).1, None);
    caller.clock.advance_ms(2);
    assert_eq!(caller.start_get("k", 0), Started::Queued(LaneId::Turn));
    caller
        .submit(Request::Commit(commit_of(vec![set("k", b"after")])))
        .unwrap();
    caller.next_answer(LaneId::Writer).unwrap();
    let reply = caller.next_answer(LaneId::Turn).unwrap();
    assert_eq!(value_read(reply), b"before");
}

#[test]
fn long_reads_that_the_reader_is_behind_with_go_to_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let caller = opened(&folder.path().join("kv.db"));
    set_40_large(&caller);
    let lanes: Vec<_> = (0..6).map(|_| caller.start_list(0)).collect();
    let lane = |lane| Started::Queued(lane);
    assert_eq!(lanes[..4], [lane(LaneId::Reader); 4]);
    assert_eq!(lanes[4..], [lane(LaneId::Writer); 2]);
}

#[test]
fn in_memory_every_answer_is_there_at_once() {
    let caller = Caller::memory();
    let started = caller
        .submit(Request::Commit(commit_of(vec![set("k", b"x")])))
        .unwrap();
    assert!(
        matches!(started, Started::Done(Ok(Reply::Commit(_)))),
        "{started:?}"
    );
    assert_eq!(caller.get_on("k", 0), (Some(b"x".to_vec()), None));
    assert_eq!(caller.count_on(0), (1, None));
}
