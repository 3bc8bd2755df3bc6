//! The simplest store over encoded keys: a sorted map. It plans nothing by itself, so what it gets
//! wrong is wrong in `fencekv-kv`.

use std::collections::BTreeMap;
use std::convert::Infallible;

use fencekv_kv::{ApplyError, Commit, Key, KeyRange, Outcome, Row, Rows, Versionstamp, apply};

use crate::judge::{Found, Mismatch, Store};

/// Rows under the bytes of their keys.
#[derive(Debug, Clone, Default)]
pub struct PlainStore {
    rows: BTreeMap<Vec<u8>, Row>,
    version: u64,
}

impl PlainStore {
    /// All rows, in key order, as [`file::rows`](crate::file::rows) has those of a file.
    #[must_use]
    pub fn rows(&self) -> Vec<Found> {
        self.rows.iter().map(|(key, row)| found(key, row)).collect()
    }
}

impl Rows for PlainStore {
    type Error = Infallible;

    fn get(&mut self, key: &[u8]) -> Result<Option<Row>, Infallible> {
        Ok(self.rows.get(key).cloned())
    }

    fn put(&mut self, key: &[u8], row: &Row) -> Result<(), Infallible> {
        self.rows.insert(key.to_vec(), row.clone());
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), Infallible> {
        self.rows.remove(key);
        Ok(())
    }
}

impl Store for PlainStore {
    fn get(&mut self, keys: &[Key], now: i64) -> Vec<Option<Found>> {
        let live = |key: &Key| {
            let row = self
                .rows
                .get(key.as_bytes())
                .filter(|row| row.is_live(now))?;
            Some(found(key.as_bytes(), row))
        };
        keys.iter().map(live).collect()
    }

    fn list_page(&mut self, range: &KeyRange, reverse: bool, limit: usize, now: i64) -> Vec<Found> {
        let mut inside: Vec<_> = self
            .rows
            .iter()
            .filter(|(key, row)| range.contains(key) && row.is_live(now))
            .map(|(key, row)| found(key, row))
            .collect();
        if reverse {
            inside.reverse();
        }
        inside.truncate(limit);
        inside
    }

    fn commit(&mut self, commit: &Commit) -> Result<Outcome, Mismatch> {
        let before = self.rows.clone();
        self.version += 1;
        let version = Versionstamp(self.version);
        apply(self, commit, version).map_err(|error| {
            self.rows = before;
            match error {
                ApplyError::TypeMismatch { index, key, .. } => Mismatch { index, key },
                ApplyError::Rows(never) => match never {},
            }
        })
    }

    fn sweep(&mut self, now: i64) -> usize {
        let before = self.rows.len();
        self.rows.retain(|_, row| row.is_live(now));
        before - self.rows.len()
    }
}

fn found(key: &[u8], row: &Row) -> Found {
    Found {
        key: key.to_vec(),
        value: row.value.clone(),
        versionstamp: row.version,
    }
}
