//! Flushes, counted by the VFS: one before each acknowledgement, shared by the commits of a group.

use fencekv_kv::{Commit, Key, KeyWriter, Outcome};
use fencekv_sim::commits::{absent, commit, set};
use fencekv_sim::stepped::{BOUND, Stepped};
use fencekv_sim::vfs::{Act, Event, Part, Recording, install, pragma};
use fencekv_sqlite::{Answer, LaneEvent, LaneId, Reply, Request};

const WRITERS: usize = 64;

/// Of each writer.
const COMMITS: usize = 50;

fn key(index: usize) -> Key {
    let mut key = KeyWriter::new();
    key.push_number(index as f64);
    key.finish()
}

fn landing(index: usize) -> Commit {
    commit(vec![], vec![set(key(index), b'x', 500)])
}

/// One that does not land when [`landing`] of the same index has.
fn refused(index: usize) -> Commit {
    let checks = vec![absent(key(index))];
    commit(checks, landing(index).mutations)
}

fn assert_landed(answers: &[Answer]) {
    for answer in answers {
        let landed = matches!(answer, Ok(Reply::Commit(Outcome::Committed { .. })));
        assert!(landed, "{answer:?}");
    }
}

fn is_sync(event: &Event) -> bool {
    event.act == Act::Sync
}

#[test]
fn a_group_is_flushed_between_its_writes_and_its_answers() {
    install();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kv.db");
    let recording = Recording::of(&path);
    let mut handle = Stepped::open(&path);
    // Some groups end in a checkpoint, which writes to the database after the flush.
    handle.on_writer(|| pragma("wal_autocheckpoint = 10"));
    let mut checkpoints = 0;
    for size in 1..=30 {
        recording.events().clear();
        assert_landed(&handle.group((0..size).map(landing).map(Request::Commit).collect()));
        let events = recording.events();
        let log: Vec<_> = events
            .iter()
            .filter(|event| event.part == Part::Log)
            .collect();
        assert!(log.len() > 1, "{size} commits were written");
        assert!(
            log.last().is_some_and(|event| is_sync(event)),
            "and then flushed"
        );
        checkpoints += usize::from(log.len() < events.len());
    }
    assert!(checkpoints > 0);
    handle.close();
}

#[test]
fn a_group_that_changes_nothing_is_not_flushed() {
    install();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kv.db");
    let recording = Recording::of(&path);
    let mut handle = Stepped::open(&path);
    assert_landed(&handle.group(vec![Request::Commit(landing(0))]));
    recording.events().clear();
    let answers = handle.group((0..20).map(|_| Request::Commit(refused(0))).collect());
    for answer in answers {
        let refused = matches!(answer, Ok(Reply::Commit(Outcome::CheckFailed { .. })));
        assert!(refused, "{answer:?}");
    }
    assert_eq!(*recording.events(), []);
    handle.close();
}

#[test]
fn writers_at_the_same_time_share_flushes() {
    install();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kv.db");
    let recording = Recording::of(&path);
    let (mut store, answered) = Stepped::open(&path).let_go();
    recording.events().clear();

    // Each writer asks for its next commit when it has the answer to the one before.
    let mut commits = (0..WRITERS * COMMITS).map(landing).map(Request::Commit);
    let mut waiting = 0;
    let mut free = WRITERS;
    loop {
        for commit in commits.by_ref().take(free) {
            store.submit(commit).expect("an open handle");
            waiting += 1;
        }
        if waiting == 0 {
            break;
        }
        store.flush();
        let event = answered.recv_timeout(BOUND).expect("an answer");
        let LaneEvent::Answered(answers) = event else {
            panic!("the writer ended without an answer");
        };
        assert_landed(&answers);
        store.settled(LaneId::Writer, answers.len());
        free = answers.len();
        waiting -= free;
    }
    let flushes = recording
        .events()
        .iter()
        .filter(|event| is_sync(event))
        .count();
    assert!(
        (1..=WRITERS * COMMITS / 8).contains(&flushes),
        "{flushes} flushes of {} commits",
        WRITERS * COMMITS
    );
}
