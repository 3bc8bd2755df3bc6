//! Reads beside the writer: at once on the caller's thread when they are small, else on a thread.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::claim::Claimed;
use crate::connection::{STEPS, execute};
use crate::lane::{Stop, Work};
use crate::shared::Shared;
use crate::{Answer, Read, StoreError, connection, read};

/// A read on the caller's thread gets so many times [`STEPS`] steps, about a millisecond of work.
const BUDGET: u32 = 20;

/// A connection that never waits: not for a lock, nor, while it has a budget, for a long scan.
pub(crate) struct Quick {
    connection: Claimed,
    /// What is left of the budget.
    left: Arc<AtomicU32>,
    /// The count of [`Shared::opened`] that it belongs to.
    generation: u64,
}

/// How a quick read ended.
pub(crate) enum Attempt<T> {
    Done(T),
    Unfinished(Unfinished),
}

pub(crate) enum Unfinished {
    /// The budget is spent.
    Spent,
    /// A lock is held elsewhere.
    Busy,
}

impl Quick {
    fn open(path: &Path, generation: u64, shared: &Arc<Shared>) -> Result<Self, StoreError> {
        let mut connection = connection::open_reader(path, shared)?;
        let left = Arc::new(AtomicU32::new(0));
        let (counter, shared) = (Arc::clone(&left), Arc::clone(shared));
        connection.progress_handler(
            STEPS,
            Some(move || {
                counter.fetch_sub(1, Ordering::Relaxed) == 1
                    || shared.stopping.load(Ordering::Relaxed)
            }),
        )?;
        Ok(Self {
            connection,
            left,
            generation,
        })
    }

    pub(crate) fn is_of(&self, generation: u64) -> bool {
        self.generation == generation
    }

    /// A read of one statement.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Attempt<T>, StoreError> {
        self.left.store(BUDGET, Ordering::Relaxed);
        match read(&self.connection) {
            Ok(value) => Ok(Attempt::Done(value)),
            Err(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    Ok(Attempt::Unfinished(Unfinished::Busy))
                }
                Some(ErrorCode::OperationInterrupted) => Ok(Attempt::Unfinished(Unfinished::Spent)),
                _ => Err(error.into()),
            },
        }
    }

    /// A read in a snapshot, which stays open if the budget is spent, or `read` breaks since it
    /// is too large.
    pub(crate) fn read_in_snapshot<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<ControlFlow<(), T>>,
    ) -> Result<Attempt<T>, StoreError> {
        execute(&self.connection, "begin deferred")?;
        let attempt = match self.read(read) {
            Ok(Attempt::Done(ControlFlow::Continue(value))) => Ok(Attempt::Done(value)),
            Ok(Attempt::Done(ControlFlow::Break(())) | Attempt::Unfinished(Unfinished::Spent)) => {
                return Ok(Attempt::Unfinished(Unfinished::Spent));
            }
            Ok(Attempt::Unfinished(Unfinished::Busy)) => Ok(Attempt::Unfinished(Unfinished::Busy)),
            Err(error) => Err(error),
        };
        self.end_snapshot()?;
        attempt
    }

    pub(crate) fn end_snapshot(&self) -> rusqlite::Result<()> {
        execute(&self.connection, "commit")
    }

    /// Answers from the snapshot that is open, however long it takes, and ends it.
    fn answer(&self, read: &Read) -> Answer {
        // The counter goes on below zero, where it starts from the top.
        self.left.store(0, Ordering::Relaxed);
        let answer = read::answer(&self.connection, read);
        self.end_snapshot()?;
        Ok(answer?)
    }
}

/// What the reader is asked: to do a read in the snapshot that was open when it was called.
pub(crate) struct LongRead {
    pub(crate) quick: Quick,
    pub(crate) read: Read,
}

/// Connections that are not in use.
pub(crate) struct Pool {
    path: PathBuf,
    shared: Arc<Shared>,
    /// None once the store is closed.
    idle: Mutex<Option<Vec<Quick>>>,
}

impl Pool {
    pub(crate) fn new(path: PathBuf, shared: Arc<Shared>) -> Self {
        Self {
            path,
            shared,
            idle: Mutex::new(Some(Vec::new())),
        }
    }

    /// A connection of `generation`, opened if none is idle.
    pub(crate) fn take(&self, generation: u64) -> Result<Quick, StoreError> {
        let idle = self.lock().as_mut().and_then(|idle| {
            idle.retain(|quick| quick.is_of(generation));
            idle.pop()
        });
        idle.map_or_else(|| Quick::open(&self.path, generation, &self.shared), Ok)
    }

    /// Closes the connection instead, if the store is closed.
    pub(crate) fn put_back(&self, quick: Quick) {
        if let Some(idle) = self.lock().as_mut() {
            idle.push(quick);
        }
    }

    /// Closes what is idle.
    pub(crate) fn clear(&self) {
        if let Some(idle) = self.lock().as_mut() {
            idle.clear();
        }
    }

    pub(crate) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Quick>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work of the reader's thread.
pub(crate) struct Reader {
    pub(crate) pool: Arc<Pool>,
}

impl Work for Reader {
    type Job = LongRead;

    fn run(&mut self, jobs: Vec<LongRead>, _: &Stop<LongRead>) -> Vec<Answer> {
        jobs.into_iter()
            .map(|LongRead { quick, read }| {
                let answer = quick.answer(&read);
                self.pool.put_back(quick);
                answer
            })
            .collect()
    }

    fn recover(&mut self) -> StoreError {
        StoreError::internal("a panic of the reader")
    }

    fn upkeep_due_in(&self) -> Duration {
        Duration::MAX
    }

    fn upkeep(&mut self) {}
}
