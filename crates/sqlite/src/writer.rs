//! The one thread of a handle that writes: it opens the file, commits in groups, and sweeps.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;

use crate::clock::Clock;
use crate::connection::{self, Patience};
use crate::group::{self, Failure};
use crate::lane::{Stop, Work};
use crate::{Answer, FileOptions, Reply, Request, StoreError, Swept, schema, table};

/// Between two looks for expired entries, the first of them after the file was opened.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Until a look that failed, since another process was writing or the disk was full, is repeated.
const SWEEP_AGAIN: Duration = Duration::from_secs(1);

/// What the threads of one handle tell each other.
pub(crate) struct Shared {
    /// Counts the times that the writer opened the file. A reader's connection from before the
    /// last of them is not used any more; zero means that the file is not known to exist.
    pub(crate) opened: AtomicU64,
    /// The `now` (ms since the epoch) of the operation called last.
    pub(crate) latest_now: AtomicI64,
}

pub(crate) struct Writer {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    shared: Arc<Shared>,
    connection: Option<Connection>,
    /// By the clock, microseconds; never until the file is open.
    next_sweep_us: Option<u64>,
}

impl Writer {
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
            next_sweep_us: None,
        }
    }

    fn open(&mut self, patience: &Patience<'_, Request>) -> Result<Connection, StoreError> {
        connection::assert_sqlite_version()?;
        let mut connection = patience.wait(|| {
            Ok(connection::open_writer(
                &self.path,
                self.options.durability,
            )?)
        })?;
        patience.wait(|| schema::migrate(&mut connection))?;
        self.shared.opened.fetch_add(1, Ordering::Release);
        let now_us = self.clock.monotonic_us();
        self.next_sweep_us.get_or_insert(after(now_us, SWEEP_EVERY));
        Ok(connection)
    }

    fn answer(&mut self, requests: &[Request], stop: &Stop<Request>) -> Vec<Answer> {
        let clock = Arc::clone(&self.clock);
        let budget_ms = self.options.busy_timeout_ms;
        let patience = Patience {
            clock: &*clock,
            stop,
            budget_ms,
        };
        let connection = match self
            .connection
            .take()
            .map_or_else(|| self.open(&patience), Ok)
        {
            Ok(connection) => connection,
            Err(error) => return same_for_all(requests, &error),
        };
        if let Err(error) = patience.wait(|| group::begin(&connection, requests)) {
            self.connection = Some(connection);
            return same_for_all(requests, &error);
        }
        match group::run(&connection, requests) {
            Ok(answers) => {
                self.connection = Some(connection);
                answers
            }
            Err(Failure::RolledBack(error)) => {
                self.connection = Some(connection);
                match requests {
                    [_] => vec![Err(error)],
                    _ => requests
                        .chunks(1)
                        .flat_map(|one| self.answer(one, stop))
                        .collect(),
                }
            }
            // The connection goes: what SQLite holds in memory may differ from what is on disk.
            Err(Failure::Unknown(error)) => {
                drop(connection);
                requests
                    .chunks(1)
                    .flat_map(|one| match one {
                        [Request::Read(_)] => self.answer(one, stop),
                        [Request::Open] => vec![Ok(Reply::Opened)],
                        _ => vec![Err(error.clone())],
                    })
                    .collect()
            }
        }
    }

    /// Removes a chunk of what has expired by the operations' own clock; says whether more is left.
    fn sweep(&self) -> Result<bool, StoreError> {
        let now = self.shared.latest_now.load(Ordering::Relaxed);
        let Some(connection) = &self.connection else {
            return Ok(false);
        };
        if !table::has_expired(connection, now)? {
            return Ok(false);
        }
        let requests = [Request::Sweep { now }];
        group::begin(connection, &requests)?;
        match group::run(connection, &requests) {
            Ok(answers) => Ok(matches!(
                answers[..],
                [Ok(Reply::Swept(Swept { more: true, .. }))]
            )),
            Err(Failure::RolledBack(error) | Failure::Unknown(error)) => Err(error),
        }
    }
}

impl Work for Writer {
    type Job = Request;

    fn run(&mut self, requests: Vec<Request>, stop: &Stop<Request>) -> Vec<Answer> {
        self.answer(&requests, stop)
    }

    fn upkeep_due_in(&self) -> Duration {
        self.next_sweep_us.map_or(Duration::MAX, |due_us| {
            Duration::from_micros(due_us.saturating_sub(self.clock.monotonic_us()))
        })
    }

    fn upkeep(&mut self) {
        let now_us = self.clock.monotonic_us();
        if self.next_sweep_us.is_none_or(|due_us| now_us < due_us) {
            return;
        }
        // A sweep that fails only leaves space unfreed; commits report what is wrong.
        let pause = match self.sweep() {
            Ok(true) => Duration::ZERO,
            Ok(false) => SWEEP_EVERY,
            Err(_) => SWEEP_AGAIN,
        };
        self.next_sweep_us = Some(after(now_us, pause));
    }
}

fn after(now_us: u64, pause: Duration) -> u64 {
    now_us.saturating_add(u64::try_from(pause.as_micros()).unwrap_or(u64::MAX))
}

fn same_for_all(requests: &[Request], error: &StoreError) -> Vec<Answer> {
    requests.iter().map(|_| Err(error.clone())).collect()
}
