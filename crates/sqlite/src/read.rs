//! Reads of one snapshot. Whatever has expired by the reader's `now` is absent.

use std::ops::ControlFlow;

use fencekv_kv::Key;
use rusqlite::{Connection, Row, params};

use crate::table::versionstamp;
use crate::{EntryRef, PageRequest, Read, Reply};

/// Visits the live entry of `key`, or its absence.
pub(crate) fn point<T>(
    connection: &Connection,
    key: &Key,
    now: i64,
    visit: impl FnOnce(Option<EntryRef<'_>>) -> T,
) -> rusqlite::Result<T> {
    let mut statement = connection.prepare_cached(
        "select k, version, v_encoding, v from kv
           where k = ?1 and (expiration_ms < 0 or expiration_ms > ?2)",
    )?;
    let mut rows = statement.query(params![key.as_bytes(), now])?;
    let entry = match rows.next()? {
        Some(row) => Some(entry(row)?),
        None => None,
    };
    Ok(visit(entry))
}

/// Visits the live entries of `keys`, in their order, from one snapshot.
pub(crate) fn points(
    connection: &Connection,
    keys: &[Key],
    now: i64,
    mut visit: impl FnMut(Option<EntryRef<'_>>),
) -> rusqlite::Result<()> {
    in_snapshot(connection, || {
        keys.iter()
            .try_for_each(|key| point(connection, key, now, &mut visit))
    })
}

/// Visits the entries of a page until it ends or `visit` breaks; says whether it broke.
pub(crate) fn page(
    connection: &Connection,
    page: &PageRequest,
    mut visit: impl FnMut(EntryRef<'_>) -> ControlFlow<()>,
) -> rusqlite::Result<ControlFlow<()>> {
    let select = if page.reverse {
        "select k, version, v_encoding, v from kv
           where k >= ?1 and k < ?2 and (expiration_ms < 0 or expiration_ms > ?3)
           order by k desc limit ?4"
    } else {
        "select k, version, v_encoding, v from kv
           where k >= ?1 and k < ?2 and (expiration_ms < 0 or expiration_ms > ?3)
           order by k asc limit ?4"
    };
    let mut statement = connection.prepare_cached(select)?;
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    let mut rows = statement.query(params![page.range.start, page.range.end, page.now, limit])?;
    while let Some(row) = rows.next()? {
        if visit(entry(row)?).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Answers a read with owned entries.
pub(crate) fn answer(connection: &Connection, read: &Read) -> rusqlite::Result<Reply> {
    match read {
        Read::Points { keys, now } => {
            let mut entries = Vec::with_capacity(keys.len());
            points(connection, keys, *now, |entry| {
                entries.push(entry.map(|entry| entry.to_owned()));
            })?;
            Ok(Reply::Points(entries))
        }
        Read::Page(request) => {
            let mut entries = Vec::new();
            let _ = page(connection, request, |entry| {
                entries.push(entry.to_owned());
                ControlFlow::Continue(())
            })?;
            Ok(Reply::Page(entries))
        }
    }
}

/// Holds one snapshot over several statements; inside a transaction there is one already.
fn in_snapshot<T>(
    connection: &Connection,
    read: impl FnOnce() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    if !connection.is_autocommit() {
        return read();
    }
    let snapshot = connection.unchecked_transaction()?;
    let result = read()?;
    snapshot.finish()?;
    Ok(result)
}

fn entry<'a>(row: &'a Row<'_>) -> rusqlite::Result<EntryRef<'a>> {
    Ok(EntryRef {
        key: row.get_ref(0)?.as_blob()?,
        versionstamp: versionstamp(row.get(1)?),
        encoding: row.get(2)?,
        value: row.get_ref(3)?.as_bytes()?,
    })
}
