//! A file that is removed, renamed or replaced under an open handle. A commit into it would be
//! acknowledged, and no path would lead to it any more.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use fencekv_sqlite::{LaneId, Request, Started, StoreError};

use crate::caller::{Caller, commit_of, set};

fn commit(caller: &Caller) -> Result<(), StoreError> {
    caller.commit(commit_of(vec![set("k", b"later")])).map(drop)
}

/// A handle with one entry, and what stands at its path after `move_file`.
fn moved(path: &Path, move_file: impl FnOnce()) -> Caller {
    let caller = Caller::file(path);
    caller.commit(commit_of(vec![set("k", b"first")])).unwrap();
    move_file();
    for _ in 0..3 {
        assert!(matches!(commit(&caller), Err(StoreError::FileMoved)));
    }
    let sweep = caller.ask(Request::Sweep { now: 0 });
    assert!(matches!(sweep, Err(StoreError::FileMoved)));
    caller
}

#[test]
fn a_removed_folder_takes_no_more_commits() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    moved(&inner.join("kv.db"), || fs::remove_dir_all(&inner).unwrap());
    assert!(!inner.exists());
}

#[test]
fn another_file_in_its_place_takes_no_commits_and_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("kv.db"), folder.path().join("other.db"));
    Caller::file(&other).ask(Request::Open).unwrap();
    let unaware = Caller::file(&path);
    unaware.ask(Request::Open).unwrap();
    let caller = moved(&path, || fs::rename(&other, &path).unwrap());
    // Neither has read yet, so a first read would open what stands at the path now.
    let read = unaware.try_get("k", 0);
    assert!(matches!(read, Err(StoreError::FileMoved)), "{read:?}");
    let read = caller.try_get("k", 0);
    assert!(
        matches!(read, Ok(Started::Queued(LaneId::Writer))),
        "{read:?}"
    );
    let answer = caller.next_answer(LaneId::Writer);
    assert!(matches!(answer, Err(StoreError::FileMoved)), "{answer:?}");
}

/// The handle on a removed file emptied the log of the file that was made in its place, and
/// commits that had been acknowledged were gone.
#[test]
fn a_handle_on_a_removed_file_does_no_harm_to_the_next_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let old = moved(&path, || fs::remove_file(&path).unwrap());
    let next = Caller::file(&path);
    next.commit(commit_of(vec![set("k", b"next")])).unwrap();
    assert!(matches!(commit(&old), Err(StoreError::FileMoved)));
    close(old);
    next.commit(commit_of(vec![set("l", b"next")])).unwrap();
    close(next);
    let again = Caller::file(&path);
    assert_eq!(again.get("k", 0), Some(b"next".to_vec()));
    assert_eq!(again.get("l", 0), Some(b"next".to_vec()));
}

#[test]
fn the_next_file_is_not_opened_before_the_one_that_was_there_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let old = Caller::file(&path);
    old.commit(commit_of(vec![set("k", b"old")])).unwrap();
    fs::remove_file(&path).unwrap();
    let hasty = Caller::patient(&path, 0);
    let refused = hasty.ask(Request::Open);
    assert!(matches!(refused, Err(StoreError::FileInUse)), "{refused:?}");
    old.close();
    let patient = Caller::file(&path);
    patient.commit(commit_of(vec![set("l", b"next")])).unwrap();
    assert_eq!(patient.get("k", 0), None);
}

#[test]
fn a_log_that_was_removed_is_noticed_and_nothing_of_it_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    caller.commit(commit_of(vec![set("k", b"first")])).unwrap();
    fs::remove_file(folder.path().join("kv.db-wal")).unwrap();
    assert!(matches!(commit(&caller), Err(StoreError::FileMoved)));
    let next = Caller::file(&path);
    assert_eq!(next.get("k", 0), Some(b"first".to_vec()));
    commit(&next).unwrap();
}

/// The path of the handle led through a link to another file by then, and it read the one and wrote
/// the other.
#[test]
fn a_handle_stays_with_its_file_when_a_link_to_it_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("kv.db"), folder.path().join("link.db"));
    let other = folder.path().join("other.db");
    for file in [&path, &other] {
        close_opened(Caller::file(file));
    }
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let caller = Caller::file(&link);
    caller.ask(Request::Open).unwrap();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&other, &link).unwrap();
    commit(&caller).unwrap();
    assert_eq!(caller.get("k", 0), Some(b"later".to_vec()));
    assert_eq!(Caller::file(&path).get("k", 0), Some(b"later".to_vec()));
}

#[test]
fn a_handle_that_lost_its_file_does_not_take_it_for_found() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("kv.db"), folder.path().join("away.db"));
    let caller = moved(&path, || fs::rename(&path, &away).unwrap());
    fs::rename(&away, &path).unwrap();
    assert!(matches!(commit(&caller), Err(StoreError::FileMoved)));
    let next = Caller::file(&path);
    commit(&next).unwrap();
    assert_eq!(next.get("k", 0), Some(b"later".to_vec()));
}

/// SQLite leaves the log of a file that was moved where it is, and played it into the file that
/// stood there next: old values came back, and pages of two files were mixed.
#[test]
fn the_log_of_a_moved_file_is_not_played_into_the_next_one() {
    for commits_after in [0, 1] {
        let folder = tempfile::tempdir().unwrap();
        let (path, away) = (folder.path().join("kv.db"), folder.path().join("away.db"));
        let other = folder.path().join("other.db");
        let stranger = Caller::file(&other);
        stranger
            .commit(commit_of(vec![set("k", b"stranger's")]))
            .unwrap();
        close(stranger);
        let caller = Caller::file(&path);
        caller.commit(commit_of(vec![set("k", b"first")])).unwrap();
        fs::hard_link(&path, &away).unwrap();
        fs::rename(&other, &path).unwrap();
        for _ in 0..commits_after {
            assert!(matches!(commit(&caller), Err(StoreError::FileMoved)));
        }
        close(caller);
        let next = Caller::file(&path);
        assert_eq!(next.get("k", 0), Some(b"stranger's".to_vec()));
        assert_eq!(Caller::file(&away).get("k", 0), Some(b"first".to_vec()));
    }
}

fn close_opened(caller: Caller) {
    caller.ask(Request::Open).unwrap();
    close(caller);
}

fn close(caller: Caller) {
    caller.close();
    caller.wait_for_end();
}
