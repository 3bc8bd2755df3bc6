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
