//! Sweeps free space and nothing else.

use std::path::Path;

use fencekv_sqlite::{Reply, Request, Swept};

use crate::caller::{Caller, commit_of, set, set_until};

fn sweep(caller: &Caller, now: i64) -> (u64, bool) {
    match caller.ask(Request::Sweep { now }) {
        Ok(Reply::Swept(Swept { count, more })) => (count, more),
        answer => panic!("{answer:?}"),
    }
}

fn rows(path: &Path) -> i64 {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .query_row("select count(*) from kv", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn a_sweep_takes_what_has_expired_a_thousand_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    for half in 0..2 {
        let expired = (0..600)
            .map(|index| set_until(&format!("{half}-{index}"), 10))
            .collect();
        caller.commit(commit_of(expired)).unwrap();
    }
    caller
        .commit(commit_of(vec![set("kept", b"x"), set_until("live", 11)]))
        .unwrap();
    assert_eq!(sweep(&caller, 9), (0, false));
    assert_eq!(sweep(&caller, 10), (1000, true));
    assert_eq!(sweep(&caller, 10), (200, false));
    assert_eq!(sweep(&caller, 10), (0, false));
    assert_eq!(rows(&path), 2);
}

#[test]
fn the_background_sweep_goes_by_the_clock_of_the_operations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    caller
        .commit(commit_of(vec![set_until("a", 10), set_until("b", 20)]))
        .unwrap();
    // A minute goes by on the machine; on the operations' clock it is still before 10.
    caller.clock.advance_ms(61_000);
    assert_eq!(caller.get("a", 9), Some(b"x".to_vec()));
    caller.commit(commit_of(vec![])).unwrap();
    caller.commit(commit_of(vec![])).unwrap();
    assert_eq!(rows(&path), 2);
    // The operations' clock comes to 10: the next sweep takes what is due, and no more.
    caller.clock.advance_ms(61_000);
    caller
        .commit(fencekv_kv::Commit {
            now: 10,
            ..commit_of(vec![])
        })
        .unwrap();
    caller
        .commit(fencekv_kv::Commit {
            now: 10,
            ..commit_of(vec![])
        })
        .unwrap();
    assert_eq!(rows(&path), 1);
    assert_eq!(caller.get("b", 10), Some(b"x".to_vec()));
}
