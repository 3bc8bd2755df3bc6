//! Deno's tables, made and migrated as Deno makes and migrates them, and our format mark.

use fencekv_kv::Versionstamp;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::StoreError;
use crate::table::versionstamp;

/// The `migration_state` of a file with all of Deno's tables.
const MIGRATION: i64 = 3;

/// The newest `fencekv_format` that this build may write to.
const FORMAT: i64 = 1;

/// Step n leads from `migration_state` n to n + 1. Deno compares nothing but the number, yet the
/// text is kept as Deno has it, so that a file made here is a file made there.
const STEPS: [&str; MIGRATION as usize] = [
    "
create table data_version (
  k integer primary key,
  version integer not null
);
insert into data_version (k, version) values (0, 0);
create table kv (
  k blob primary key,
  v blob not null,
  v_encoding integer not null,
  version integer not null
) without rowid;
",
    "
create table queue (
  ts integer not null,
  id text not null,
  data blob not null,
  backoff_schedule text not null,
  keys_if_undelivered blob not null,

  primary key (ts, id)
);
create table queue_running(
  deadline integer not null,
  id text not null,
  data blob not null,
  backoff_schedule text not null,
  keys_if_undelivered blob not null,

  primary key (deadline, id)
);
",
    "
alter table kv add column seq integer not null default 0;
alter table data_version add column seq integer not null default 0;
alter table kv add column expiration_ms integer not null default -1;
create index kv_expiration_ms_idx on kv (expiration_ms);
",
];

/// Refuses a file that is not to be written to at all, before anything in it is changed.
pub(crate) fn judge(connection: &Connection) -> Result<(), StoreError> {
    let found = migration(connection)?;
    if !(0..=MIGRATION).contains(&found) {
        return Err(StoreError::UnsupportedFormat(format!(
            "the file has Deno's migration_state {found}, this build knows up to {MIGRATION}"
        )));
    }
    // A view, or a trigger on a table, would let the file decide what our statements do.
    let strange = "select type || ' ' || name from sqlite_schema
                     where tbl_name in ('migration_state', 'data_version', 'kv', 'queue',
                                        'queue_running', 'fencekv_format')
                       and (type in ('view', 'trigger')
                            or type = 'table' and ?1 = 0 and name <> 'migration_state')";
    let strange: Option<String> = connection
        .query_row(strange, [found], |row| row.get(0))
        .optional()?;
    match strange {
        Some(name) => Err(StoreError::UnsupportedFormat(format!(
            "the file holds a {name} that no KV made"
        ))),
        None => Ok(()),
    }
}

/// Brings the file to the current migration; writes nothing if it is there already.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    if migration(connection)? == MIGRATION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    judge(&transaction)?;
    let steps = usize::try_from(migration(&transaction)?)
        .ok()
        .and_then(|found| STEPS.get(found..))
        .unwrap_or_default();
    transaction.execute_batch(
        "create table if not exists migration_state(
  k integer not null primary key,
  version integer not null
)",
    )?;
    for step in steps {
        transaction.execute_batch(step)?;
    }
    transaction.execute(
        "insert into migration_state (k, version) values (0, ?1)
           on conflict (k) do update set version = excluded.version",
        [MIGRATION],
    )?;
    transaction.commit()?;
    Ok(())
}

/// The version of the last commit, once the file allows this build to write: refuses a file that a
/// newer fencekv has claimed, marks one that none has used yet.
///
/// Called inside each write transaction, so that raising the mark bars writers that are already
/// open.
pub(crate) fn last_version(connection: &Connection) -> Result<Versionstamp, StoreError> {
    let read = || {
        connection
            .prepare_cached(
                "select data_version.version, fencekv_format.version
                   from data_version left join fencekv_format on fencekv_format.k = 0
                   where data_version.k = 0",
            )?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let (version, format): (i64, Option<i64>) = match read() {
        Ok(versions) => versions,
        // It fails as well when the file is damaged: only a missing table means "unmarked".
        Err(error) if has_table(connection, "fencekv_format")? => return Err(error.into()),
        Err(_) => {
            connection.execute_batch(
                "create table fencekv_format (k integer primary key, version integer not null)",
            )?;
            read()?
        }
    };
    match format {
        Some(format) if format > FORMAT => Err(StoreError::UnsupportedFormat(format!(
            "the file has fencekv_format {format}, this build knows up to {FORMAT}"
        ))),
        Some(_) => Ok(versionstamp(version)),
        None => {
            let insert = "insert into fencekv_format (k, version) values (0, ?1)";
            connection.execute(insert, [FORMAT])?;
            Ok(versionstamp(version))
        }
    }
}

fn migration(connection: &Connection) -> rusqlite::Result<i64> {
    if !has_table(connection, "migration_state")? {
        return Ok(0);
    }
    let version = connection
        .query_row(
            "select version from migration_state where k = 0",
            [],
            |row| row.get(0),
        )
        .optional()?;
    Ok(version.unwrap_or(0))
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection
        .prepare("select 1 from sqlite_schema where type = 'table' and name = ?1")?
        .exists([name])
}
