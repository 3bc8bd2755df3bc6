//! The tables `kv` and `data_version` as rows: each statement that writes them stands here.

use fencekv_kv::{Encoding, Row, Rows, StoredValue, Versionstamp};
use rusqlite::{Connection, OptionalExtension, params};

use crate::Swept;

/// A sweep removes at most so many rows in one transaction, so that commits are not held up.
const SWEEP_CHUNK: usize = 1000;

/// What `expiration_ms` holds for an entry that does not expire.
const NO_EXPIRY: i64 = -1;

/// The rows of the table `kv`, inside the transaction of the connection.
pub(crate) struct Table<'a> {
    pub(crate) connection: &'a Connection,
}

impl Rows for Table<'_> {
    type Error = rusqlite::Error;

    fn get(&mut self, key: &[u8]) -> rusqlite::Result<Option<Row>> {
        self.connection
            .prepare_cached("select v, v_encoding, version, expiration_ms from kv where k = ?1")?
            .query_row([key], |row| {
                let expiration_ms: i64 = row.get(3)?;
                Ok(Row {
                    value: StoredValue {
                        encoding: Encoding::from_number(row.get(1)?),
                        bytes: row.get(0)?,
                    },
                    version: versionstamp(row.get(2)?),
                    expires_at: (expiration_ms >= 0).then_some(expiration_ms),
                })
            })
            .optional()
    }

    fn put(&mut self, key: &[u8], row: &Row) -> rusqlite::Result<()> {
        let values = params![
            key,
            row.value.bytes,
            row.value.encoding.number(),
            row.version.0.cast_signed(),
            row.expires_at.unwrap_or(NO_EXPIRY),
        ];
        // Most writes leave the expiry as it is. Saying so spares the index on it, whose pages
        // would otherwise be written too.
        let written = self
            .connection
            .prepare_cached(
                "insert into kv (k, v, v_encoding, version, expiration_ms)
                   values (?1, ?2, ?3, ?4, ?5)
                   on conflict (k) do update set v = excluded.v, v_encoding = excluded.v_encoding,
                     version = excluded.version
                     where expiration_ms = excluded.expiration_ms",
            )?
            .execute(values)?;
        if written == 1 {
            return Ok(());
        }
        self.connection
            .prepare_cached(
                "update kv set v = ?2, v_encoding = ?3, version = ?4, expiration_ms = ?5
                   where k = ?1",
            )?
            .execute(values)
            .map(drop)
    }

    fn remove(&mut self, key: &[u8]) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("delete from kv where k = ?1")?
            .execute([key])
            .map(drop)
    }
}

/// Records `version` as the version of the last commit.
pub(crate) fn set_last_version(
    connection: &Connection,
    version: Versionstamp,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("update data_version set version = ?1 where k = 0")?
        .execute([version.0.cast_signed()])
        .map(drop)
}

/// Removes up to [`SWEEP_CHUNK`] entries that expired at or before `now`.
pub(crate) fn sweep_chunk(connection: &Connection, now: i64) -> rusqlite::Result<Swept> {
    let count = connection
        .prepare_cached(
            "delete from kv where k in
               (select k from kv where expiration_ms between 0 and ?1 limit ?2)",
        )?
        .execute(params![now, SWEEP_CHUNK as i64])?;
    Ok(Swept {
        count: count as u64,
        more: count == SWEEP_CHUNK,
    })
}

/// Whether a sweep would find anything.
pub(crate) fn has_expired(connection: &Connection, now: i64) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("select 1 from kv where expiration_ms between 0 and ?1 limit 1")?
        .exists([now])
}

/// SQLite's integers have a sign, versionstamps have none.
pub(crate) fn versionstamp(stored: i64) -> Versionstamp {
    Versionstamp(stored.cast_unsigned())
}
