//! A store in memory: one connection, used on the caller's thread, every answer at once.

use std::ops::ControlFlow;

use fencekv_kv::Key;
use rusqlite::Connection;

use crate::group::{self, Failure};
use crate::{Answer, EntryRef, Read, Request, StoreError, connection, read, schema};

pub(crate) struct MemoryStore {
    connection: Connection,
}

impl MemoryStore {
    pub(crate) fn open() -> Result<Self, StoreError> {
        connection::assert_sqlite_version()?;
        let mut connection = connection::open_memory()?;
        schema::migrate(&mut connection)?;
        Ok(Self { connection })
    }

    /// A group of one.
    pub(crate) fn answer(&self, request: Request) -> Answer {
        let requests = [request];
        group::begin(&self.connection, &requests)?;
        match group::run(&self.connection, &requests) {
            Ok(mut answers) => answers
                .pop()
                .unwrap_or(Err(StoreError::internal("no answer"))),
            Err(Failure::RolledBack(error) | Failure::Unknown(error)) => Err(error),
        }
    }

    pub(crate) fn point<T>(
        &self,
        key: &Key,
        now: i64,
        visit: impl FnOnce(Option<EntryRef<'_>>) -> T,
    ) -> Result<T, StoreError> {
        Ok(read::point(&self.connection, key, now, visit)?)
    }

    /// One snapshot without more ado: nobody else can write.
    pub(crate) fn read(
        &self,
        read: &Read,
        mut visit: impl FnMut(Option<EntryRef<'_>>),
    ) -> Result<(), StoreError> {
        let _ = read::visit(&self.connection, read, |entry| {
            visit(entry);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}
