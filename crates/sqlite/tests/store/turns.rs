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

/// Returns when `condition` holds.
fn until(condition: impl Fn() -> bool) {
    // Looks at a file of /proc take some 20 us each.
    for _ in 0..1_000_000 {
        if condition() {
            return;
        }
        std::thread::yield_now();
    }
    panic!("it never came true");
}

/// Takes the turn when the handle has passed it on.
fn take(file: &File) {
    until(|| file.try_lock().is_ok());
}

/// Whether somebody stands in line behind whoever has the turn.
fn somebody_waits(file: &File) -> bool {
    let inode = format!(":{} ", file.metadata().unwrap().ino());
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    locks
        .lines()
        .any(|lock| lock.contains("-> FLOCK") && lock.contains(&inode))
}

/// Takes the turn, which is free, and starts a commit that waits behind it.
fn start_behind(file: &File, caller: &Caller) {
    file.try_lock().unwrap();
    start(caller, commit_of(vec![set("k", b"2")]));
    until(|| somebody_waits(file));
}

#[test]
fn a_commit_waits_for_its_turn_and_passes_it_on() {
    let folder = tempfile::tempdir().unwrap();
    let (caller, file) = in_line(&folder.path().join("kv.db"));
    for _ in 0..3 {
        start_behind(&file, &caller);
        file.unlock().unwrap();
        landed(&caller);
    }
    take(&file);
}

#[test]
fn a_line_that_does_not_move_is_waited_in_once_and_left_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let (caller, stuck) = in_line(&path);
    start_behind(&stuck, &caller);
    caller.clock.advance_ms(LONG_MS);
    landed(&caller);
    // The clock stands still: these do not wait.
    for _ in 0..20 {
        start(&caller, commit_of(vec![set("k", b"3")]));
        landed(&caller);
    }
    let line = File::options().write(true).open(side_file(&path)).unwrap();
    start_behind(&line, &caller);
    line.unlock().unwrap();
    landed(&caller);
    // The turn that came too late is passed on.
    stuck.unlock().unwrap();
    until(|| !somebody_waits(&stuck));
    take(&stuck);
}

#[test]
fn a_turn_in_a_line_that_others_have_left_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let (caller, left) = in_line(&path);
    std::fs::remove_file(side_file(&path)).unwrap();
    start_behind(&left, &caller);
    let line = File::create(side_file(&path)).unwrap();
    line.try_lock().unwrap();
    left.unlock().unwrap();
    until(|| somebody_waits(&line));
    line.unlock().unwrap();
    landed(&caller);
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
    // Passed on when no retry comes.
    take(&file);
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
    start_behind(&file, &second);
    file.unlock().unwrap();
    landed(&second);
}

/// A line is left only by who waited long enough to say that it does not move.
#[test]
fn whoever_has_no_time_leaves_the_line_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let (first, file) = in_line(&path);
    let hasty = Caller::patient(&path, 0);
    for caller in [&hasty, &first, &hasty] {
        caller.commit(commit_of(vec![set("k", b"2")])).unwrap();
    }
    take(&file);
    hasty.commit(commit_of(vec![set("k", b"3")])).unwrap();
    let there = side_file(&path).metadata().unwrap();
    assert_eq!(there.ino(), file.metadata().unwrap().ino());
}
