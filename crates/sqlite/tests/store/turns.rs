//! The line in which handles wait that want the write lock at the same time.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fencekv_kv::{Commit, Outcome};
use fencekv_sqlite::{LaneId, Reply, Request};
use rusqlite::Connection;

use crate::caller::{Caller, absent, commit_of, set};

/// Longer than anybody waits for a turn, milliseconds.
const LONG_MS: u64 = 251;

fn side_file(path: &Path) -> PathBuf {
    path.with_file_name("kv.db-turn")
}

/// A handle that met another's lock, so that it lines up, and the side file.
fn in_line(path: &Path) -> (Caller, File) {
    let caller = Caller::file(path);
    caller.commit(commit_of(vec![set("k", b"0")])).unwrap();
    assert!(!side_file(path).exists(), "no line without need");
    let other = Connection::open(path).unwrap();
    other.execute_batch("begin immediate").unwrap();
    start(&caller, commit_of(vec![set("k", b"1")]));
    until(|| side_file(path).exists());
    other.execute_batch("rollback").unwrap();
    landed(&caller);
    let file = File::options().write(true).open(side_file(path)).unwrap();
    (caller, file)
}

fn start(caller: &Caller, commit: Commit) {
    caller.submit(Request::Commit(commit)).unwrap();
}

fn landed(caller: &Caller) {
    match caller.next_answer(LaneId::Writer) {
        Ok(Reply::Commit(Outcome::Committed { .. })) => {}
        answer => panic!("{answer:?}"),
    }
}

/// Returns when `condition` holds. The test runner bounds the wait.
fn until(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::yield_now();
    }
}

/// Whether somebody stands in line behind whoever has the turn.
fn somebody_waits(file: &File) -> bool {
    let inode = format!(":{} ", file.metadata().unwrap().ino());
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    locks
        .lines()
        .any(|lock| lock.contains("-> FLOCK") && lock.contains(&inode))
}

#[test]
fn a_commit_waits_for_its_turn_and_passes_it_on() {
    let folder = tempfile::tempdir().unwrap();
    let (caller, file) = in_line(&folder.path().join("kv.db"));
    for _ in 0..3 {
        file.lock().unwrap();
        start(&caller, commit_of(vec![set("k", b"2")]));
        until(|| somebody_waits(&file));
        file.unlock().unwrap();
        landed(&caller);
    }
    file.lock().unwrap();
}

#[test]
fn a_turn_that_does_not_come_is_gone_without_and_waited_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let (caller, file) = in_line(&folder.path().join("kv.db"));
    file.lock().unwrap();
    start(&caller, commit_of(vec![set("k", b"2")]));
    until(|| somebody_waits(&file));
    caller.clock.advance_ms(LONG_MS);
    landed(&caller);
    // The clock stands still: these do not wait at all.
    for _ in 0..20 {
        start(&caller, commit_of(vec![set("k", b"3")]));
        landed(&caller);
    }
    file.unlock().unwrap();
    until(|| !somebody_waits(&file));
    // The turn that came too late is passed on.
    file.lock().unwrap();
}

#[test]
fn a_refused_commit_keeps_the_turn_for_one_retry() {
    let folder = tempfile::tempdir().unwrap();
    let (caller, file) = in_line(&folder.path().join("kv.db"));
    let refused = || {
        let commit = Commit {
            checks: vec![absent("k")],
            ..commit_of(Vec::new())
        };
        match caller.commit(commit).unwrap() {
            Outcome::CheckFailed { .. } => {}
            outcome => panic!("{outcome:?}"),
        }
    };
    refused();
    assert!(file.try_lock().is_err(), "kept for the retry");
    caller.commit(commit_of(vec![set("k", b"2")])).unwrap();
    file.try_lock().expect("passed on by a commit that landed");
    file.unlock().unwrap();

    refused();
    refused();
    file.try_lock().expect("passed on after one retry");
    file.unlock().unwrap();

    refused();
    caller.clock.advance_ms(3);
    file.lock().expect("passed on when no retry comes");
}

#[test]
fn a_handle_joins_the_line_when_others_commit_though_it_never_met_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let (first, file) = in_line(&path);
    let second = Caller::file(&path);
    for caller in [&second, &first, &second] {
        caller.commit(commit_of(vec![set("k", b"2")])).unwrap();
    }
    file.lock().unwrap();
    start(&second, commit_of(vec![set("k", b"3")]));
    until(|| somebody_waits(&file));
    file.unlock().unwrap();
    landed(&second);
}
