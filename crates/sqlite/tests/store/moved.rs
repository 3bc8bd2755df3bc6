//! A file that is removed, renamed or replaced under an open handle. A commit into it would be
//! acknowledged, and no path would lead to it any more.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use fencekv_sqlite::{Request, StoreError};

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
    let caller = moved(&path, || fs::rename(&other, &path).unwrap());
    // The handle has not read yet, so its first read would open what stands at the path now.
    let read = caller.try_get("k", 0);
    assert!(matches!(read, Err(StoreError::FileMoved)), "{read:?}");
}

#[test]
fn a_file_that_comes_back_takes_commits_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("kv.db"), folder.path().join("away.db"));
    let caller = moved(&path, || fs::rename(&path, &away).unwrap());
    fs::rename(&away, &path).unwrap();
    commit(&caller).unwrap();
    assert_eq!(caller.get("k", 0), Some(b"later".to_vec()));
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

fn close(caller: Caller) {
    caller.close();
    caller.wait_for_end();
}
