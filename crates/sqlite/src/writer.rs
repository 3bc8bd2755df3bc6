//! The one thread of a handle that writes: it opens the file, commits in groups, and sweeps.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusqlite::Connection;

use crate::claim::{Claimed, FileId, hold_off_others};
use crate::clock::Clock;
use crate::connection::{self, Patience};
use crate::group::{self, Failure};
use crate::lane::{Stop, Work};
use crate::moved::has_moved;
use crate::turnstile::Turnstile;
use crate::{Answer, FileOptions, Reply, Request, StoreError, Swept, schema, table};

/// Between two looks for expired entries, the first of them after the file was opened.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Other copies of this package in the process are held off so long, in milliseconds, not longer:
/// who holds the lock may have been stopped.
const LONGEST_HOLD_OFF_MS: u64 = 250;

/// Until a look that met another process's lock is repeated.
const SWEEP_AGAIN: Duration = Duration::from_secs(1);

/// What the threads of one handle tell each other.
pub(crate) struct Shared {
    /// How many times the writer has opened the file; zero while it has it not open. A reader's
    /// connection from before the last of them is not used any more.
    pub(crate) opened: AtomicU64,
    /// The `now` (ms since the epoch) of the operation called last.
    pub(crate) latest_now: AtomicI64,
    /// The file, since it was first opened.
    pub(crate) file: OnceLock<FileId>,
    /// Lets no statement go on.
    pub(crate) stopping: AtomicBool,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            opened: AtomicU64::new(0),
            latest_now: AtomicI64::new(i64::MIN),
            file: OnceLock::new(),
            stopping: AtomicBool::new(false),
        }
    }
}

pub(crate) struct Writer {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    shared: Arc<Shared>,
    connection: Option<Claimed>,
    /// Whether there was a commit of unknown outcome since the file was last opened.
    undecided: bool,
    turnstile: Turnstile,
    /// How many times it has opened the file.
    openings: u64,
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
            turnstile: Turnstile::new(path.clone()),
            path,
            options,
            clock,
            shared,
            connection: None,
            undecided: false,
            openings: 0,
            next_sweep_us: None,
        }
    }

    fn open(&mut self, patience: &Patience<'_, Request>) -> Result<Claimed, StoreError> {
        connection::assert_sqlite_version()?;
        let others = patience.at_most(LONGEST_HOLD_OFF_MS);
        // Without it there is but a moment in which another copy may slip in.
        let held_off = others.wait(|| hold_off_others(&self.path));
        let mut connection = patience
            .wait(|| connection::open_writer(&self.path, self.options.durability, &self.shared))?;
        drop(held_off);
        patience.wait(|| schema::migrate(&mut connection))?;
        if self.undecided {
            self.decide(&connection, patience)?;
        }
        self.openings += 1;
        self.shared.opened.store(self.openings, Ordering::Release);
        let now_us = self.clock.monotonic_us();
        self.next_sweep_us.get_or_insert(after(now_us, SWEEP_EVERY));
        Ok(connection)
    }

    /// Makes sure that what can be read from now on of a commit of unknown outcome stays true.
    fn decide(
        &mut self,
        connection: &Connection,
        patience: &Patience<'_, Request>,
    ) -> Result<(), StoreError> {
        match patience.wait(|| group::supersede(connection)) {
            // Whoever raised the format wrote after it; and without versions nothing was committed.
            Ok(()) | Err(StoreError::UnsupportedFormat(_) | StoreError::VersionsExhausted) => {
                self.undecided = false;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Keeps a connection for the next group, unless a transaction hangs on it.
    fn keep(&mut self, connection: Claimed) {
        if connection.is_autocommit() {
            self.connection = Some(connection);
        } else {
            self.forget();
        }
    }

    /// Has the file opened afresh: what SQLite holds in memory may differ from what is on disk.
    fn forget(&mut self) {
        self.connection = None;
        self.shared.opened.store(0, Ordering::Release);
    }

    /// After a commit of unknown outcome.
    fn lose_track(&mut self) {
        self.undecided = true;
        self.forget();
    }

    fn answer(&mut self, requests: &[Request], stop: &Stop<Request>) -> Vec<Answer> {
        let clock = Arc::clone(&self.clock);
        let budget_ms = self.options.busy_timeout_ms;
        let patience = Patience::new(&*clock, stop, budget_ms);
        let opened = match self.connection.take() {
            Some(connection) => Ok(connection),
            None => self.open(&patience),
        };
        let connection = match opened {
            Ok(connection) => connection,
            Err(error) => return same_for_all(requests, &error),
        };
        if let Err(error) = self.begin(&connection, requests, &patience) {
            if matches!(error, StoreError::FileMoved) {
                empty_log(&connection);
            }
            self.keep(connection);
            return match group::writes(requests) {
                true => self.answer_only_reads(requests, &error, stop),
                false => same_for_all(requests, &error),
            };
        }
        match group::run(&connection, requests) {
            Ok(answers) => {
                self.keep(connection);
                answers
            }
            Err(Failure::RolledBack(error)) => {
                self.keep(connection);
                match requests {
                    [_] => vec![Err(error)],
                    _ => requests
                        .chunks(1)
                        .flat_map(|one| self.answer(one, stop))
                        .collect(),
                }
            }
            Err(Failure::Unknown(error)) => {
                drop(connection);
                self.lose_track();
                self.answer_only_reads(requests, &error, stop)
            }
        }
    }

    /// Begins a group, in the handle's turn if others write to the file as well.
    fn begin(
        &mut self,
        connection: &Claimed,
        requests: &[Request],
        patience: &Patience<'_, Request>,
    ) -> Result<(), StoreError> {
        let begin = || group::begin(connection, requests);
        if group::writes(requests) {
            if !self.turnstile.is_in_use() {
                match begin() {
                    Err(StoreError::Busy { .. }) => self.turnstile.start(),
                    begun => return begun,
                }
            }
            self.turnstile.enter(patience);
        }
        patience.wait(begin)
    }

    /// Answers reads one by one, and all else with `error`.
    fn answer_only_reads(
        &mut self,
        requests: &[Request],
        error: &StoreError,
        stop: &Stop<Request>,
    ) -> Vec<Answer> {
        requests
            .chunks(1)
            .flat_map(|one| match one {
                [Request::Read(_)] => self.answer(one, stop),
                [Request::Open] => vec![Ok(Reply::Opened)],
                _ => vec![Err(error.clone())],
            })
            .collect()
    }

    /// Removes a chunk of what has expired by the operations' own clock; says whether more is left.
    fn sweep(&mut self) -> Result<bool, StoreError> {
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
            Err(Failure::RolledBack(error)) => Err(error),
            Err(Failure::Unknown(error)) => {
                self.lose_track();
                Err(error)
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.as_ref().filter(|on| has_moved(on)) {
            empty_log(connection);
        }
    }
}

impl Work for Writer {
    type Job = Request;

    fn run(&mut self, requests: Vec<Request>, stop: &Stop<Request>) -> Vec<Answer> {
        let answers = self.answer(&requests, stop);
        self.turnstile.settle(&answers, self.clock.monotonic_us());
        answers
    }

    fn recover(&mut self) -> StoreError {
        self.lose_track();
        self.turnstile.leave();
        StoreError::UnknownOutcome(None)
    }

    fn upkeep_due_in(&self) -> Duration {
        let over_at_us = self.turnstile.over_at_us();
        let due_us = self.next_sweep_us.into_iter().chain(over_at_us).min();
        due_us.map_or(Duration::MAX, |due_us| {
            Duration::from_micros(due_us.saturating_sub(self.clock.monotonic_us()))
        })
    }

    fn upkeep(&mut self) {
        let now_us = self.clock.monotonic_us();
        self.turnstile.give_up(now_us);
        if self.next_sweep_us.is_none_or(|due_us| now_us < due_us) {
            return;
        }
        // A sweep that fails only leaves space unfreed; commits report what is wrong.
        let pause = match self.sweep() {
            Ok(true) => Duration::ZERO,
            Err(StoreError::Busy { .. }) => SWEEP_AGAIN,
            Ok(false) | Err(_) => SWEEP_EVERY,
        };
        self.next_sweep_us = Some(after(now_us, pause));
    }
}

/// Brings what the log of a moved file holds into that file, wherever it is now. SQLite would leave
/// the log at the old path, and play it into whatever file is opened there next.
fn empty_log(connection: &Connection) {
    // Where it fails, as behind a long read, the next commit or the close tries again.
    let _ = connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
}

fn after(now_us: u64, pause: Duration) -> u64 {
    now_us.saturating_add(u64::try_from(pause.as_micros()).unwrap_or(u64::MAX))
}

fn same_for_all(requests: &[Request], error: &StoreError) -> Vec<Answer> {
    requests.iter().map(|_| Err(error.clone())).collect()
}
