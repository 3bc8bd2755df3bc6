//! What is found at the path.

use std::fs;
use std::path::Path;

use fencekv_sqlite::{Request, StoreError};
use rusqlite::Connection;

use crate::caller::{Caller, commit_of, set};

/// Deno's tables at each of its three migrations, as its own code makes them.
const MIGRATION_1: &str = "
create table migration_state(k integer not null primary key, version integer not null);
create table data_version (k integer primary key, version integer not null);
insert into data_version (k, version) values (0, 7);
create table kv (
  k blob primary key, v blob not null, v_encoding integer not null, version integer not null
) without rowid;
insert into kv values (x'026b00', x'78', 3, 7);
insert into migration_state values (0, 1);
";
const MIGRATION_2: &str = "
create table queue (
  ts integer not null, id text not null, data blob not null, backoff_schedule text not null,
  keys_if_undelivered blob not null, primary key (ts, id)
);
create table queue_running(
  deadline integer not null, id text not null, data blob not null,
  backoff_schedule text not null, keys_if_undelivered blob not null, primary key (deadline, id)
);
update migration_state set version = 2;
";

fn migration_state(path: &Path) -> i64 {
    Connection::open(path)
        .unwrap()
        .query_row("select version from migration_state", [], |row| row.get(0))
        .unwrap()
}

fn code_of_open(path: &Path) -> &'static str {
    match Caller::file(path).ask(Request::Open) {
        Err(error) => error.code(),
        Ok(reply) => panic!("{reply:?}"),
    }
}

#[test]
fn a_new_file_has_denos_tables_in_wal_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    Caller::file(&path).ask(Request::Open).unwrap();
    assert_eq!(migration_state(&path), 3);
    let connection = Connection::open(&path).unwrap();
    let text = |sql: &str| -> String { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(text("pragma journal_mode"), "wal");
    let names = "select group_concat(name, ' ') from (select name from sqlite_schema
                   where sql is not null order by name)";
    let expected = "data_version kv kv_expiration_ms_idx migration_state queue queue_running";
    assert_eq!(text(names), expected);
}

#[test]
fn older_migrations_are_brought_up_with_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sql) in [
        ("1", MIGRATION_1.to_owned()),
        ("2", [MIGRATION_1, MIGRATION_2].concat()),
    ] {
        let path = folder.path().join(name);
        Connection::open(&path)
            .unwrap()
            .execute_batch(&sql)
            .unwrap();
        let caller = Caller::file(&path);
        assert_eq!(caller.get("k", 0), Some(b"x".to_vec()));
        assert_eq!(migration_state(&path), 3);
        caller.commit(commit_of(vec![set("new", b"y")])).unwrap();
        let version: i64 = Connection::open(&path)
            .unwrap()
            .query_row("select version from data_version", [], |row| row.get(0))
            .unwrap();
        assert_eq!(version, 8);
    }
}

#[test]
fn reading_a_file_of_denos_does_not_mark_it_and_writing_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    Caller::file(&path).ask(Request::Open).unwrap();
    let marked = || {
        Connection::open(&path)
            .unwrap()
            .prepare("select 1 from sqlite_schema where name = 'fencekv_format'")
            .unwrap()
            .exists([])
            .unwrap()
    };
    let caller = Caller::file(&path);
    assert_eq!(caller.get("k", 0), None);
    assert!(!marked());
    caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
    assert!(marked());
}

#[test]
fn newer_formats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deno");
    Caller::file(&path).ask(Request::Open).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute("update migration_state set version = 4", [])
        .unwrap();
    assert_eq!(code_of_open(&path), "UNSUPPORTED_FORMAT");

    let path = folder.path().join("ours");
    let caller = Caller::file(&path);
    caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
    // Raised under the open handle: it bars its writes and leaves its reads.
    Connection::open(&path)
        .unwrap()
        .execute("update fencekv_format set version = 2", [])
        .unwrap();
    let refused = caller.commit(commit_of(vec![set("k", b"y")]));
    assert!(
        matches!(refused, Err(StoreError::UnsupportedFormat(_))),
        "{refused:?}"
    );
    let refused = caller.ask(Request::Sweep { now: 0 });
    assert!(
        matches!(refused, Err(StoreError::UnsupportedFormat(_))),
        "{refused:?}"
    );
    assert_eq!(caller.get("k", 0), Some(b"x".to_vec()));
}

#[test]
fn a_refused_file_is_left_as_it_is_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let refused = [
        "create table kv (name, price)",
        "create table queue (name, price)",
        "create table migration_state (k integer primary key, version); insert into migration_state values (0, 99)",
    ];
    for (index, sql) in refused.into_iter().enumerate() {
        let path = folder.path().join(index.to_string());
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&path).unwrap();
        assert_eq!(code_of_open(&path), "UNSUPPORTED_FORMAT", "{sql}");
        assert_eq!(fs::read(&path).unwrap(), before, "{sql}");
    }
}

#[test]
fn a_file_does_not_decide_what_our_statements_do() {
    let folder = tempfile::tempdir().unwrap();
    let strange = [
        "create trigger ours before insert on kv begin select raise(ignore); end",
        "create trigger ours after update on data_version begin
           update data_version set version = 0; end",
        "drop table kv; create view kv as select 1 as k",
    ];
    for (index, sql) in strange.into_iter().enumerate() {
        let path = folder.path().join(index.to_string());
        let caller = Caller::file(&path);
        caller.ask(Request::Open).unwrap();
        caller.close();
        caller.wait_for_end();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        assert_eq!(code_of_open(&path), "UNSUPPORTED_FORMAT", "{sql}");
    }
}

#[test]
fn what_is_missing_in_a_file_is_damage_and_no_defect_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let damage = [
        "drop table kv",
        "drop table data_version",
        "delete from data_version",
        "update data_version set version = 9223372036854775807",
        "update data_version set version = -1",
        "drop table kv; create table kv (k blob primary key, other)",
    ];
    for (index, sql) in damage.into_iter().enumerate() {
        let path = folder.path().join(index.to_string());
        Caller::file(&path).ask(Request::Open).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let code = Caller::file(&path)
            .commit(commit_of(vec![set("k", b"x")]))
            .unwrap_err()
            .code();
        assert_eq!(code, "CORRUPT", "{sql}");
    }
}

#[test]
fn a_row_of_the_wrong_types_does_not_hide_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let columns = [
        "v = 7",
        "v = 0.5",
        "v_encoding = 'V8'",
        "version = 'one'",
        "version = 0.5",
    ];
    for (index, column) in columns.into_iter().enumerate() {
        let path = folder.path().join(index.to_string());
        let caller = Caller::file(&path);
        let rows = ["a", "b", "c"].map(|name| set(name, b"x")).into();
        caller.commit(commit_of(rows)).unwrap();
        let change = format!("update kv set {column} where k = x'026200'");
        Connection::open(&path)
            .unwrap()
            .execute_batch(&change)
            .unwrap();
        assert_eq!(caller.count_on(0).0, 3, "{column}");
        assert_eq!(caller.get("c", 0), Some(b"x".to_vec()), "{column}");
    }
}

#[test]
fn what_is_no_database_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(code_of_open(folder.path()), "CANT_OPEN");
    assert_eq!(
        code_of_open(&folder.path().join("missing/kv.db")),
        "CANT_OPEN"
    );
    let path = folder.path().join("text");
    fs::write(
        &path,
        "this is a text and no database, however long it is. ".repeat(100),
    )
    .unwrap();
    assert_eq!(code_of_open(&path), "NOT_A_DATABASE");
}

#[test]
fn a_file_that_could_not_be_opened_is_tried_again_by_the_next_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later/kv.db");
    let caller = Caller::file(&path);
    assert!(matches!(
        caller.ask(Request::Open),
        Err(StoreError::CantOpen(_))
    ));
    fs::create_dir(folder.path().join("later")).unwrap();
    caller.commit(commit_of(vec![set("k", b"x")])).unwrap();
}

#[test]
fn a_damaged_page_is_corrupt_for_what_touches_it_and_for_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kv.db");
    let caller = Caller::file(&path);
    for index in 0..200 {
        let commit = commit_of(vec![set(&format!("k-{index:03}"), &[0; 900])]);
        caller.commit(commit).unwrap();
    }
    drop(caller);
    // Everything is in the file itself once the log is folded in.
    let connection = Connection::open(&path).unwrap();
    connection
        .query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
        .unwrap();
    drop(connection);
    let mut bytes = fs::read(&path).unwrap();
    let page = bytes
        .windows(5)
        .rposition(|window| window == b"k-100")
        .unwrap()
        / 4096;
    bytes[page * 4096..page * 4096 + 4096].fill(0xff);
    fs::write(&path, bytes).unwrap();

    let caller = Caller::file(&path);
    assert_eq!(caller.get("k-000", 0), Some(vec![0; 900]));
    let refused = caller.commit(commit_of(vec![set("k-100", b"x")]));
    assert!(
        matches!(refused, Err(StoreError::Corrupt(_))),
        "{refused:?}"
    );
    caller.commit(commit_of(vec![set("k-000", b"x")])).unwrap();
}
