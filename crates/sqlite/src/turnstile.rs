//! Fair waiting between the processes that write to one file.
//!
//! SQLite has no queue for its write lock: whoever asks at the right moment has it, and some may
//! ask for very long. Handles that had to wait once therefore line up first, for a lock on a side
//! file that the kernel gives out in order. It is a courtesy and no more: correctness rests on
//! SQLite's lock alone, so a handle that cannot have its turn goes without.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use fencekv_kv::{Outcome, Versionstamp};

use crate::connection::Patience;
use crate::{Answer, Reply};

/// Whoever has the turn may have been stopped, so nobody waits for it longer than this.
const LONGEST_WAIT_MS: u64 = 250;

/// Between two looks whether the wait is over for another reason.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Who finds that another commit came between its reads and its checks keeps the turn for so long,
/// microseconds, to read again and retry; else the handle that committed last would stand in line
/// with the only fresh reads and win again and again.
const STAY_US: u64 = 2000;

/// The line of one file, as one handle sees it.
pub(crate) struct Turnstile {
    database: PathBuf,
    /// The side file; None as long as the handle does not line up.
    line: Option<Arc<File>>,
    turn: Option<Turn>,
    /// When a turn that was kept for a retry is over, by the clock, microseconds.
    over_at_us: Option<u64>,
    /// Waits for the turn in the kernel, which no timeout can end.
    waiting: Option<JoinHandle<()>>,
    /// Of the handle's last commit.
    last: Option<Versionstamp>,
}

/// The turn; dropping it gives it to the next.
struct Turn(Arc<File>);

impl Drop for Turn {
    fn drop(&mut self) {
        // What cannot be unlocked was not locked.
        let _ = self.0.unlock();
    }
}

impl Turnstile {
    pub(crate) fn new(database: PathBuf) -> Self {
        Self {
            database,
            line: None,
            turn: None,
            over_at_us: None,
            waiting: None,
            last: None,
        }
    }

    /// Whether the handle lines up before it writes.
    pub(crate) fn is_in_use(&self) -> bool {
        self.line.is_some()
    }

    /// Lines up from now on, as the handle met another's lock. The side file is empty and stays:
    /// removing it would split the line. Where it cannot be made there is no line.
    pub(crate) fn start(&mut self) {
        self.line = self.open(true);
    }

    /// Waits for the turn; goes without if it does not come in time, and for as long as an earlier
    /// wait has not ended.
    pub(crate) fn enter<J>(&mut self, patience: &Patience<'_, J>) {
        let waits = |wait: &JoinHandle<()>| !wait.is_finished();
        if self.turn.is_some() || self.waiting.as_ref().is_some_and(waits) {
            return;
        }
        let Some(line) = self.line.clone() else {
            return;
        };
        self.turn = match line.try_lock() {
            Ok(()) => Some(Turn(line)),
            Err(TryLockError::WouldBlock) => self.wait(line, patience),
            Err(TryLockError::Error(_)) => None,
        };
    }

    /// Gives the turn to the next after a group, or keeps it, once, for a retry.
    pub(crate) fn settle(&mut self, answers: &[Answer], now_us: u64) {
        let (mut landed, mut refused) = (false, false);
        for answer in answers {
            match answer {
                Ok(Reply::Commit(Outcome::Committed { versionstamp })) => {
                    landed = true;
                    self.note(*versionstamp);
                }
                Ok(Reply::Commit(Outcome::CheckFailed { .. })) => refused = true,
                _ => {}
            }
        }
        match self.over_at_us {
            None if refused && !landed && self.turn.is_some() => {
                self.over_at_us = Some(now_us + STAY_US);
            }
            _ => self.leave(),
        }
    }

    /// When a turn that was kept is over, by the clock, microseconds.
    pub(crate) fn over_at_us(&self) -> Option<u64> {
        self.over_at_us
    }

    /// Gives up a turn that was kept, if it is over.
    pub(crate) fn give_up(&mut self, now_us: u64) {
        if self.over_at_us.is_some_and(|over_us| over_us <= now_us) {
            self.leave();
        }
    }

    pub(crate) fn leave(&mut self) {
        self.turn = None;
        self.over_at_us = None;
    }

    /// Joins the line, if there is one, when others committed since the handle last did: not
    /// having met them, it would slip in while they leave room to one another.
    fn note(&mut self, landed: Versionstamp) {
        let last = self.last.replace(landed);
        if self.line.is_none() && last.is_some_and(|last| last.0 + 1 != landed.0) {
            self.line = self.open(false);
        }
    }

    fn open(&self, create: bool) -> Option<Arc<File>> {
        let mut path = self.database.canonicalize().ok()?.into_os_string();
        path.push("-turn");
        let mut options = File::options();
        options.read(true).write(true).create(create);
        options.open(path).ok().map(Arc::new)
    }

    fn wait<J>(&mut self, line: Arc<File>, patience: &Patience<'_, J>) -> Option<Turn> {
        let (sender, turn) = sync_channel(0);
        let wait = move || {
            if line.lock().is_ok() {
                // Where nobody waits any more, this passes the turn on.
                drop(sender.send(Turn(line)));
            }
        };
        let thread = std::thread::Builder::new().name("fencekv-turn".to_owned());
        self.waiting = Some(thread.spawn(wait).ok()?);
        let patience = patience.at_most(LONGEST_WAIT_MS);
        loop {
            match turn.recv_timeout(LOOK_EVERY) {
                Ok(turn) => return Some(turn),
                Err(RecvTimeoutError::Timeout) if !patience.is_over() => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}
