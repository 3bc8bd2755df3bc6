//! Fair waiting between the processes that write to one file.
//!
//! SQLite has no queue for its write lock: whoever asks at the right moment has it, and some may
//! ask for very long. Handles that had to wait once therefore line up first, for a lock on a side
//! file that the kernel gives out in order. A line in which a turn did not come within
//! [`COURTESY_MS`] is left for a new one, since whoever is at its head may have been stopped. All
//! this is a courtesy: correctness rests on SQLite's lock alone, so a handle that cannot have its
//! turn goes without.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use fencekv_kv::{Outcome, Versionstamp};

use crate::file_id::{FileId, Place, beside};
use crate::patience::{COURTESY_MS, Patience};
use crate::{Answer, Reply};

/// Between two looks whether the wait is over for another reason.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Who finds that another commit came between its reads and its checks keeps the turn for so long,
/// microseconds, to read again and retry; else the handle that committed last would stand in line
/// with the only fresh reads and win again and again.
const KEEP_US: u64 = 2000;

/// One handle's way of waiting for the write lock.
pub(crate) struct Turnstile {
    database: PathBuf,
    /// None as long as the handle does not line up.
    line: Option<Line>,
    position: Position,
    /// Waits in the kernel, which no timeout can end, for a turn in the line.
    waiting: Option<JoinHandle<()>>,
    /// Of the handle's last commit.
    last: Option<Versionstamp>,
}

/// Where the handle stands.
enum Position {
    Outside,
    InTurn(Turn),
    /// For a retry, until then by the clock, microseconds.
    Kept {
        _turn: Turn,
        until_us: u64,
    },
}

/// How a wait for the turn ended.
enum Wait {
    Turn(Turn),
    /// The head of the line may have been stopped.
    TooLong,
    /// For a reason that says nothing of the line: the caller's own budget is spent, the handle
    /// goes, an earlier wait has not ended, or files cannot be locked here.
    Without,
}

/// The side file: empty, and never removed but to send handles to a new line.
#[derive(Clone)]
struct Line {
    file: Arc<File>,
    place: Place,
}

impl Line {
    /// Opens the line of a database file; None where there is none, or it cannot be made.
    fn open(database: &Path, create: bool) -> Option<Self> {
        // SQLite has its own files beside the real one, too, whatever links lead to it.
        let path = beside(&database.canonicalize().ok()?, "-turn");
        let mut options = File::options();
        options.read(true).write(true).create(create);
        let file = options.open(&path).ok()?;
        Some(Self {
            place: Place {
                file: FileId::of_open(&file)?,
                path,
            },
            file: Arc::new(file),
        })
    }

    /// Whether this is where handles line up now.
    fn stands(&self) -> bool {
        self.place.stands()
    }

    /// Sends the next who come to a new line.
    fn abandon(&self) {
        if self.stands() {
            // Should a new line be there by now, it loses its file; all meet again in the next.
            let _ = fs::remove_file(&self.place.path);
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
            position: Position::Outside,
            waiting: None,
            last: None,
        }
    }

    /// Whether the handle lines up before it writes.
    pub(crate) fn lines_up(&self) -> bool {
        self.line.is_some()
    }

    /// From now on the handle lines up, as it met another's lock.
    pub(crate) fn line_up(&mut self) {
        self.line = Line::open(&self.database, true);
        self.waiting = None;
    }

    /// Waits for the turn; goes without if it does not come in time.
    pub(crate) fn enter<J>(&mut self, patience: &Patience<'_, J>) {
        if !matches!(self.position, Position::Outside) {
            return;
        }
        while let Some(line) = self.line.clone() {
            match self.wait(&line, patience) {
                Wait::Turn(turn) if line.stands() => {
                    self.position = Position::InTurn(turn);
                    return;
                }
                // Others have left this line for a new one.
                Wait::Turn(_) => self.line_up(),
                Wait::TooLong => {
                    line.abandon();
                    if !line.stands() {
                        self.line_up();
                    }
                    return;
                }
                Wait::Without => return,
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
                    self.join_if_others_commit(*versionstamp);
                }
                Ok(Reply::Commit(Outcome::CheckFailed { .. })) => refused = true,
                _ => {}
            }
        }
        self.position = match std::mem::replace(&mut self.position, Position::Outside) {
            Position::InTurn(turn) if refused && !landed => Position::Kept {
                _turn: turn,
                until_us: now_us + KEEP_US,
            },
            _ => Position::Outside,
        };
    }

    /// When a turn that was kept is over, by the clock, microseconds.
    pub(crate) fn kept_until_us(&self) -> Option<u64> {
        match self.position {
            Position::Kept { until_us, .. } => Some(until_us),
            Position::Outside | Position::InTurn(_) => None,
        }
    }

    /// Gives the turn to the next if it was kept and is over.
    pub(crate) fn leave_if_over(&mut self, now_us: u64) {
        if self
            .kept_until_us()
            .is_some_and(|until_us| until_us <= now_us)
        {
            self.leave();
        }
    }

    pub(crate) fn leave(&mut self) {
        self.position = Position::Outside;
    }

    /// Joins a line that is there when others committed since the handle last did: not having met
    /// them, it would slip in while they leave room to one another.
    fn join_if_others_commit(&mut self, landed: Versionstamp) {
        let last = self.last.replace(landed);
        if self.line.is_none() && last.is_some_and(|last| last.0 + 1 != landed.0) {
            self.line = Line::open(&self.database, false);
        }
    }

    fn wait<J>(&mut self, line: &Line, patience: &Patience<'_, J>) -> Wait {
        let file = Arc::clone(&line.file);
        let waits = |wait: &JoinHandle<()>| !wait.is_finished();
        if patience.is_over() || self.waiting.as_ref().is_some_and(waits) {
            return Wait::Without;
        }
        match file.try_lock() {
            Ok(()) => return Wait::Turn(Turn(file)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return Wait::Without,
        }
        let courtesy = patience.at_most(COURTESY_MS);
        let (sender, turn) = sync_channel(0);
        let wait = move || {
            if file.lock().is_ok() {
                // Where nobody waits any more, this passes the turn on.
                drop(sender.send(Turn(file)));
            }
        };
        let thread = std::thread::Builder::new().name("fencekv-line".to_owned());
        let Ok(thread) = thread.spawn(wait) else {
            return Wait::Without;
        };
        self.waiting = Some(thread);
        loop {
            match turn.recv_timeout(LOOK_EVERY) {
                Ok(turn) => {
                    // The thread may take a while to end, but it waits no more.
                    self.waiting = None;
                    return Wait::Turn(turn);
                }
                Err(RecvTimeoutError::Disconnected) => return Wait::Without,
                Err(RecvTimeoutError::Timeout) if patience.is_over() => return Wait::Without,
                Err(RecvTimeoutError::Timeout) if courtesy.is_over() => return Wait::TooLong,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
