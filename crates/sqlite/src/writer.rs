//! The one thread of a handle that writes: it opens the file, commits in groups, and sweeps.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::Connection;

use crate::claim::{Claimed, hold_off_others, is_vacated};
use crate::clock::Clock;
use crate::connection;
use crate::file_id::{Place, beside};
use crate::group::{self, Failure};
use crate::lane::{Stop, Work};
use crate::moved::{empty_log, has_moved};
use crate::patience::{COURTESY_MS, Patience};
use crate::shared::Shared;
use crate::turnstile::Turnstile;
use crate::{Answer, FileOptions, Reply, Request, StoreError, Swept, schema, table};

/// Between two looks for expired entries, the first of them after the file was opened.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Until a look that met another process's lock is repeated.
const SWEEP_AGAIN: Duration = Duration::from_secs(1);

/// Why the requests of a batch got no answers in one transaction.
enum Failed {
    /// None of them can be answered.
    All(StoreError),
    /// The writes among them failed with it, the reads can be answered.
    Writes(StoreError),
    /// Nothing of them landed, and each may do better by itself.
    Together(StoreError),
}

pub(crate) struct Writer {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    shared: Arc<Shared>,
    connection: Option<Claimed>,
    /// The log beside the file, since it was last opened.
    log: Option<Place>,
    /// Whether the file was found moved. Then it is not opened again: another may by now have its
    /// path, and its number, too.
    moved: bool,
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
            log: None,
            moved: false,
            undecided: false,
            openings: 0,
            next_sweep_us: None,
        }
    }

    fn open(&mut self, patience: &Patience<'_, Request>) -> Result<Claimed, StoreError> {
        connection::assert_sqlite_version()?;
        // An error is no obstacle: then there is but a moment in which another copy may slip in.
        let held_off = patience
            .at_most(COURTESY_MS)
            .wait(|| hold_off_others(&self.path));
        if self.shared.home.get().is_none() {
            patience
                .wait(|| is_vacated(&self.path))
                .map_err(|error| match error {
                    StoreError::Busy { .. } => StoreError::FileInUse,
                    error => error,
                })?;
        }
        let mut connection = patience
            .wait(|| connection::open_writer(&self.path, self.options.durability, &self.shared))?;
        drop(held_off);
        patience.wait(|| schema::migrate(&mut connection))?;
        self.log = Place::of(beside(&connection.place().path, "-wal"));
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
        match self.attempt(requests, stop) {
            Ok(answers) => answers,
            Err(Failed::All(error)) => requests.iter().map(|_| Err(error.clone())).collect(),
            Err(Failed::Writes(error)) => one_by_one(requests, |one| match one {
                [Request::Read(_)] => self.answer(one, stop),
                [Request::Open] => vec![Ok(Reply::Opened)],
                _ => vec![Err(error.clone())],
            }),
            Err(Failed::Together(error)) if requests.len() == 1 => vec![Err(error)],
            Err(Failed::Together(_)) => one_by_one(requests, |one| self.answer(one, stop)),
        }
    }

    /// Answers the requests in one transaction.
    fn attempt(
        &mut self,
        requests: &[Request],
        stop: &Stop<Request>,
    ) -> Result<Vec<Answer>, Failed> {
        if self.moved {
            return Err(Failed::All(StoreError::FileMoved));
        }
        let clock = Arc::clone(&self.clock);
        let patience = Patience::new(&*clock, stop, self.options.busy_timeout_ms);
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open(&patience).map_err(Failed::All)?,
        };
        if let Err(error) = self.begin(&connection, requests, &patience) {
            match error {
                StoreError::FileMoved => self.let_go(connection),
                _ => self.keep(connection),
            }
            return Err(match group::writes(requests) {
                true => Failed::Writes(error),
                false => Failed::All(error),
            });
        }
        match group::run(&connection, requests) {
            Ok(answers) => {
                self.keep(connection);
                Ok(answers)
            }
            Err(Failure::RolledBack(error)) => {
                self.keep(connection);
                Err(Failed::Together(error))
            }
            Err(Failure::Unknown(error)) => {
                drop(connection);
                self.lose_track();
                Err(Failed::Writes(error))
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
        if group::writes(requests) {
            if !self.turnstile.lines_up() {
                match self.begin_where_it_stands(connection, requests) {
                    Err(StoreError::Busy { .. }) => self.turnstile.line_up(),
                    begun => return begun,
                }
            }
            self.turnstile.enter(patience);
        }
        patience.wait(|| self.begin_where_it_stands(connection, requests))
    }

    /// Begins a group, unless it would write into a file or a log that no path leads to any more.
    fn begin_where_it_stands(
        &self,
        connection: &Connection,
        requests: &[Request],
    ) -> Result<(), StoreError> {
        group::begin(connection, requests)?;
        let log_stands = || self.log.as_ref().is_some_and(Place::stands);
        if group::writes(requests) && (has_moved(connection) || !log_stands()) {
            group::roll_back(connection);
            return Err(StoreError::FileMoved);
        }
        Ok(())
    }

    /// Lets go of a file that was moved. What is at its path next would share the log's index with
    /// it, so the handle must not be there any more.
    fn let_go(&mut self, connection: Claimed) {
        self.moved = true;
        // A log that is another's belongs to who has opened the path since.
        if self
            .log
            .take()
            .is_some_and(|log| log.stands() || log.is_free())
        {
            empty_log(&connection);
        }
        drop(connection);
        self.forget();
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
        self.begin_where_it_stands(connection, &requests)?;
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
        if let Some(connection) = self.connection.take()
            && has_moved(&connection)
        {
            self.let_go(connection);
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
        let kept_until_us = self.turnstile.kept_until_us();
        let due_us = self.next_sweep_us.into_iter().chain(kept_until_us).min();
        due_us.map_or(Duration::MAX, |due_us| {
            Duration::from_micros(due_us.saturating_sub(self.clock.monotonic_us()))
        })
    }

    fn upkeep(&mut self) {
        let now_us = self.clock.monotonic_us();
        self.turnstile.leave_if_over(now_us);
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

fn after(now_us: u64, pause: Duration) -> u64 {
    now_us.saturating_add(u64::try_from(pause.as_micros()).unwrap_or(u64::MAX))
}

fn one_by_one(requests: &[Request], answer: impl FnMut(&[Request]) -> Vec<Answer>) -> Vec<Answer> {
    requests.chunks(1).flat_map(answer).collect()
}
