//! Reads beside the writer: at once on the caller's thread when they are small, else on a thread.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::lane::{Stop, Work};
use crate::{Answer, Read, Reply, StoreError, connection, read};

/// SQLite looks at the step budget once in so many steps of its virtual machine.
const STEPS: i32 = 1000;

/// A read on the caller's thread gets so many times [`STEPS`], about a millisecond of work.
const BUDGET: u32 = 20;

/// A connection that never waits: not for a lock, nor, while it has a budget, for a long scan.
pub(crate) struct Quick {
    connection: Connection,
    /// What is left of the budget.
    left: Arc<AtomicU32>,
    /// The count of [`Shared::opened`](crate::writer::Shared::opened) that it belongs to.
    generation: u64,
}

/// How a quick read ended.
pub(crate) enum Attempt<T> {
    Done(T),
    /// The budget is spent.
    Spent,
    /// A lock is held elsewhere.
    Busy,
}

impl Quick {
    pub(crate) fn open(path: &Path, generation: u64) -> rusqlite::Result<Self> {
        let mut connection = connection::open_reader(path)?;
        let left = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&left);
        connection.progress_handler(
            STEPS,
            Some(move || counter.fetch_sub(1, Ordering::Relaxed) == 1),
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
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Ok(Attempt::Busy),
                Some(ErrorCode::OperationInterrupted) => Ok(Attempt::Spent),
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
        read::begin_snapshot(&self.connection)?;
        let attempt = match self.read(read) {
            Ok(Attempt::Done(ControlFlow::Continue(value))) => Ok(Attempt::Done(value)),
            Ok(Attempt::Done(ControlFlow::Break(())) | Attempt::Spent) => {
                return Ok(Attempt::Spent);
            }
            Ok(Attempt::Busy) => Ok(Attempt::Busy),
            Err(error) => Err(error),
        };
        self.end_snapshot()?;
        attempt
    }

    pub(crate) fn end_snapshot(&self) -> rusqlite::Result<()> {
        read::end_snapshot(&self.connection)
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

/// What the reader is asked.
pub(crate) enum ReaderJob {
    /// To do a read in the snapshot that was open when it was called.
    Read(Quick, Read),
    /// To hand back an answer that is there already, so that the caller's event loop turns.
    Echo(Reply),
}

/// Connections that are not in use.
pub(crate) type Pool = Arc<Mutex<Vec<Quick>>>;

/// The work of the reader's thread.
pub(crate) struct Reader {
    pub(crate) pool: Pool,
}

impl Work for Reader {
    type Job = ReaderJob;

    fn run(&mut self, jobs: Vec<ReaderJob>, _: &Stop<ReaderJob>) -> Vec<Answer> {
        jobs.into_iter()
            .map(|job| match job {
                ReaderJob::Read(quick, read) => {
                    let answer = quick.answer(&read);
                    put_back(&self.pool, quick);
                    answer
                }
                ReaderJob::Echo(reply) => Ok(reply),
            })
            .collect()
    }

    fn upkeep_due_in(&self) -> Duration {
        Duration::MAX
    }

    fn upkeep(&mut self) {}
}

/// A connection out of the pool, or a new one.
pub(crate) fn take(pool: &Pool, path: &Path, generation: u64) -> rusqlite::Result<Quick> {
    let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
    pool.retain(|quick| quick.is_of(generation));
    pool.pop().map_or_else(|| Quick::open(path, generation), Ok)
}

pub(crate) fn put_back(pool: &Pool, quick: Quick) {
    pool.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(quick);
}
