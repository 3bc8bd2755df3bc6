//! Fair waiting between the processes that write to one file.
//!
//! SQLite has no queue for its write lock: whoever asks at the right moment has it, and some may
//! ask for very long. Handles that had to wait once therefore line up first, for a lock on a side
//! file that the kernel gives out in order; a line that does not move is abandoned for another. It is a courtesy and no more: correctness rests on
//! SQLite's lock alone, so a handle that cannot have its turn goes without.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use fencekv_kv::{Outcome, Versionstamp};

use crate::claim::FileId;
use crate::connection::Patience;
use crate::{Answer, Reply};

/// Whoever has the turn may have been stopped, so nobody waits for it longer than this, and who did
/// starts another line.
const LONGEST_WAIT_MS: u64 = 250;

/// Between two looks whether the wait is over for another reason.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Who finds that another commit came between its reads and its checks keeps the turn for so long,
/// microseconds, to read again and retry; else the handle that committed last would stand in line
/// with the only fresh reads and win again and again.
const STAY_US: u64 = 2000;

/// One handle's way of waiting for the write lock.
pub(crate) struct Turnstile {
    database: PathBuf,
    /// None as long as the handle does not line up.
    line: Option<Line>,
    turn: Option<Turn>,
    /// When a turn that was kept for a retry is over, by the clock, microseconds.
    over_at_us: Option<u64>,
    /// Waits in the kernel, which no timeout can end, for a turn in the line.
    waiting: Option<JoinHandle<()>>,
    /// Of the handle's last commit.
    last: Option<Versionstamp>,
}

/// The side file: empty, and never removed but to abandon the line that stands in it.
#[derive(Clone)]
struct Line {
    path: PathBuf,
    file: Arc<File>,
}

impl Line {
    fn open(database: &Path, create: bool) -> Option<Self> {
        // SQLite has its own files beside the real one, too, whatever links lead to it.
        let mut path = database.canonicalize().ok()?.into_os_string();
        path.push("-turn");
        let mut options = File::options();
        options.read(true).write(true).create(create);
        Some(Self {
            file: Arc::new(options.open(&path).ok()?),
            path: path.into(),
        })
    }

    /// Whether this is where handles line up now.
    fn stands(&self) -> bool {
        FileId::of(&self.path).is_some_and(|there| FileId::of_open(&self.file) == Some(there))
    }

    /// Sends the next who come to another line.
    fn abandon(&self) {
        if self.stands() {
            // Should another line be there by now, it loses its file; all meet again in the next.
            let _ = fs::remove_file(&self.path);
        }
    }
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

    /// Lines up from now on, as the handle met another's lock. Where the side file cannot be made
    /// there is no line.
    pub(crate) fn start(&mut self) {
        self.line = Line::open(&self.database, true);
        self.waiting = None;
    }

    /// Waits for the turn; goes without if it does not come in time.
    pub(crate) fn enter<J>(&mut self, patience: &Patience<'_, J>) {
        if self.turn.is_some() {
            return;
        }
        while let Some(line) = self.line.clone() {
            let turn = self.wait(&line, patience);
            if turn.is_none() {
                line.abandon();
            }
            if line.stands() {
                self.turn = turn;
                return;
            }
            self.start();
            if turn.is_none() {
                return;
            }
        }
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
            self.line = Line::open(&self.database, false);
        }
    }

    /// None if the turn does not come in time, as long as an earlier wait in this line has not
    /// ended, and where files cannot be locked.
    fn wait<J>(&mut self, line: &Line, patience: &Patience<'_, J>) -> Option<Turn> {
        if self
            .waiting
            .as_ref()
            .is_some_and(|wait| !wait.is_finished())
        {
            return None;
        }
        let file = Arc::clone(&line.file);
        match file.try_lock() {
            Ok(()) => return Some(Turn(file)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return None,
        }
        let (sender, turn) = sync_channel(0);
        let wait = move || {
            if file.lock().is_ok() {
                // Where nobody waits any more, this passes the turn on.
                drop(sender.send(Turn(file)));
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
