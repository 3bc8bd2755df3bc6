//! Reads of one snapshot. Whatever has expired by the reader's `now` is absent.

use std::ops::ControlFlow;

use fencekv_kv::Key;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::table::versionstamp;
use crate::{Entry, EntryRef, PageRequest, Read, Reply};

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

/// Visits what `read` asks for until `visit` breaks: for points each key's live entry or its
/// absence, for a page its live entries. One snapshot, if one is open.
pub(crate) fn visit(
    connection: &Connection,
    read: &Read,
    mut visit: impl FnMut(Option<EntryRef<'_>>) -> ControlFlow<()>,
) -> rusqlite::Result<ControlFlow<()>> {
    match read {
        Read::Points { keys, now } => {
            for key in keys {
                if point(connection, key, *now, &mut visit)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        }
        Read::Page(request) => page(connection, request, |entry| visit(Some(entry))),
    }
}

fn page(
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
    let mut entries = Vec::new();
    let _ = visit(connection, read, |entry| {
        entries.push(entry.map(|entry| entry.to_owned()));
        ControlFlow::Continue(())
    })?;
    Ok(reply(read, entries))
}

/// The reply to a read that visited `entries`.
pub(crate) fn reply(read: &Read, entries: Vec<Option<Entry>>) -> Reply {
    match read {
        Read::Points { .. } => Reply::Points(entries),
        Read::Page(_) => Reply::Page(entries.into_iter().flatten().collect()),
    }
}

/// The encoding of an entry whose columns hold what no KV writes there, and whose value is thus
/// not to be had. Its neighbours are.
const UNREADABLE: i64 = -1;

fn entry<'a>(row: &'a Row<'_>) -> rusqlite::Result<EntryRef<'a>> {
    let key = row.get_ref(0)?.as_blob()?;
    let columns = (row.get_ref(1)?, row.get_ref(2)?, row.get_ref(3)?);
    let (version, encoding, value) = match columns {
        (
            ValueRef::Integer(version),
            ValueRef::Integer(encoding),
            ValueRef::Blob(value) | ValueRef::Text(value),
        ) => (version, encoding, value),
        _ => (0, UNREADABLE, &[][..]),
    };
    Ok(EntryRef {
        key,
        versionstamp: versionstamp(version),
        encoding,
        value,
    })
}
