//! Another way to the file in the same process, which would cost somebody their locks.
#![cfg(target_os = "linux")]

use std::fs::File;

use fencekv_sqlite::{Request, StoreError};
use rusqlite::Connection;

use crate::caller::{Caller, commit_of, set};

#[test]
fn a_file_that_something_else_has_open_here_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let others = Connection::open(&path).unwrap();
    others.execute_batch("create table t (x)").unwrap();
    let caller = Caller::file(&path);
    for _ in 0..2 {
        assert!(matches!(
            caller.ask(Request::Open),
            Err(StoreError::FileInUse)
        ));
    }
    drop(others);
    caller.ask(Request::Open).unwrap();
}

#[test]
fn handles_of_this_copy_share_the_file_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("kv.db"), folder.path().join("link.db"));
    let first = Caller::file(&path);
    first.commit(commit_of(vec![set("k", b"x")])).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let second = Caller::file(&link);
    assert_eq!(second.get("k", 0), Some(b"x".to_vec()));
    second.commit(commit_of(vec![set("k", b"y")])).unwrap();
    assert_eq!(first.get("k", 0), Some(b"y".to_vec()));
}

#[test]
fn a_claim_ends_with_the_last_handle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let callers = [Caller::file(&path), Caller::file(&path)];
    for caller in &callers {
        // With a reader's connection beside the writer's.
        caller.ask(Request::Open).unwrap();
        assert_eq!(caller.get("k", 0), None);
    }
    for caller in &callers {
        caller.close();
        caller.wait_for_end();
    }
    let _plain = File::open(&path).unwrap();
    let late = Caller::file(&path).ask(Request::Open);
    assert!(matches!(late, Err(StoreError::FileInUse)));
}
