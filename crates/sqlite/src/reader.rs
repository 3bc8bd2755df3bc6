//! Reads beside the writer: at once on the caller's thread when they are small, else on a thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::clock::Clock;
use crate::connection::{self, Patience};
use crate::lane::{Stop, Work};
use crate::writer::Shared;
use crate::{Answer, FileOptions, Read, StoreError, read};

/// SQLite looks at the step budget once in so many steps of its virtual machine.
const STEPS: i32 = 1000;

/// A read on the caller's thread gets so many times [`STEPS`], about a millisecond of work.
const BUDGET: u32 = 20;

/// The connection for reads on the caller's thread: it never waits, neither for locks nor for long
/// scans.
pub(crate) struct Quick {
    connection: Connection,
    spent: Arc<AtomicU32>,
}

impl Quick {
    pub(crate) fn open(path: &std::path::Path) -> rusqlite::Result<Self> {
        let mut connection = connection::open_reader(path)?;
        let spent = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&spent);
        connection.progress_handler(
            STEPS,
            Some(move || counter.fetch_add(1, Ordering::Relaxed) >= BUDGET),
        )?;
        Ok(Self { connection, spent })
    }

    /// `None` when the read needs patience: a lock is held, or the budget is spent.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.spent.store(0, Ordering::Relaxed);
        match read(&self.connection) {
            Ok(value) => Ok(Some(value)),
            Err(error) => match error.sqlite_error_code() {
                Some(
                    ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::OperationInterrupted,
                ) => Ok(None),
                _ => Err(error.into()),
            },
        }
    }
}

/// The work of the reader thread.
pub(crate) struct PatientReader {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    shared: Arc<Shared>,
    /// With the count of [`Shared::opened`] that it belongs to.
    connection: Option<(u64, Connection)>,
}

impl PatientReader {
    pub(crate) fn new(
        path: PathBuf,
        options: FileOptions,
        clock: Arc<dyn Clock>,
        shared: Arc<Shared>,
    ) -> Self {
        Self {
            path,
            options,
            clock,
            shared,
            connection: None,
        }
    }
}

impl Work for PatientReader {
    type Job = Read;

    fn run(&mut self, reads: &[Read], stop: &Stop<Read>) -> Vec<Answer> {
        let budget_ms = self.options.busy_timeout_ms;
        let patience = Patience {
            clock: &*self.clock,
            stop,
            budget_ms,
        };
        let opened = self.shared.opened.load(Ordering::Acquire);
        let mut answer = |request: &Read| {
            let connection = match &mut self.connection {
                Some((generation, connection)) if *generation == opened => connection,
                stale => {
                    let fresh = patience.wait(|| Ok(connection::open_reader(&self.path)?))?;
                    &mut stale.insert((opened, fresh)).1
                }
            };
            patience.wait(|| Ok(read::answer(connection, request)?))
        };
        reads.iter().map(&mut answer).collect()
    }

    fn upkeep_due_in(&self) -> Duration {
        Duration::MAX
    }

    fn upkeep(&mut self) {}
}
