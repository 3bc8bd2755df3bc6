//! A lane: a thread that takes requests from a queue in order and hands back answers in order.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Answer, StoreError};

/// At most so many requests make one batch, so that the first of them does not wait for ever.
const MAX_BATCH: usize = 1024;

/// The work of a lane, done on its thread.
pub(crate) trait Work: Send + 'static {
    /// A request as it stands in the queue.
    type Job: Send + 'static;

    /// Answers each job, in order.
    fn run(&mut self, jobs: Vec<Self::Job>, stop: &Stop<Self::Job>) -> Vec<Answer>;

    /// Cleans up after a panic; says what is to be answered to the jobs that it befell.
    fn recover(&mut self) -> StoreError;

    /// How long the lane may sleep before [`Work::upkeep`] is due.
    fn upkeep_due_in(&self) -> Duration;

    /// Work that nobody asked for; called after each batch and when due.
    fn upkeep(&mut self);
}

/// What a lane tells.
#[derive(Debug)]
pub enum LaneEvent {
    /// The answers to a batch, in the order of its requests.
    Answered(Vec<Answer>),
    /// It was closed and has ended: whatever it had open is closed.
    Ended,
}

/// Receives what a lane tells, on the lane's thread.
pub type Sink = Box<dyn Fn(LaneEvent) + Send>;

pub(crate) struct Lane<J> {
    queue: Arc<Queue<J>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The lane goes on.
    Open,
    /// The lane ends when its queue is empty.
    Draining,
    /// The lane ends at once; what is queued is dropped unanswered.
    Aborted,
}

struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    jobs: VecDeque<J>,
    ending: Ending,
}

enum Next<J> {
    Batch(Vec<J>),
    UpkeepDue,
    End,
}

impl<J: Send + 'static> Lane<J> {
    pub(crate) fn spawn<W: Work<Job = J>>(
        name: &str,
        mut work: W,
        sink: Sink,
    ) -> Result<Self, StoreError> {
        let queue = Arc::new(Queue {
            state: Mutex::new(State {
                jobs: VecDeque::new(),
                ending: Ending::Open,
            }),
            changed: Condvar::new(),
        });
        let stop = Stop {
            queue: Arc::clone(&queue),
        };
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                loop {
                    match stop.queue.next(work.upkeep_due_in()) {
                        Next::Batch(jobs) => {
                            let count = jobs.len();
                            let answers = caught(&mut work, |work| work.run(jobs, &stop));
                            sink(LaneEvent::Answered(
                                answers.unwrap_or_else(|error| vec![Err(error); count]),
                            ));
                        }
                        Next::UpkeepDue => {}
                        Next::End => break,
                    }
                    // Nobody asked for it, so nobody is told.
                    let _ = caught(&mut work, Work::upkeep);
                }
                drop(work);
                sink(LaneEvent::Ended);
            })
            .map_err(|error| StoreError::internal(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            queue,
            thread: Some(thread),
        })
    }

    /// Puts a job at the end of the queue. The lane may sleep on until [`Lane::wake`], so that
    /// jobs that are pushed together make one batch.
    pub(crate) fn push(&self, job: J) {
        self.queue.lock().jobs.push_back(job);
    }

    /// Lets the lane look at its queue.
    pub(crate) fn wake(&self) {
        self.queue.changed.notify_all();
    }

    /// Lets the lane end when its queue is empty, without waiting for it.
    pub(crate) fn drain(&self) {
        self.queue.end(Ending::Draining);
    }

    /// Ends the lane now, dropping what is queued, and waits for its thread.
    pub(crate) fn abort(&mut self) {
        self.queue.end(Ending::Aborted);
        if let Some(thread) = self.thread.take() {
            // Panics are caught on the thread; one of its sink's has nobody left to be told to.
            let _ = thread.join();
        }
    }
}

impl<J> Drop for Lane<J> {
    fn drop(&mut self) {
        self.queue.end(Ending::Draining);
    }
}

/// A panic is a defect, but it must not take the host down, nor leave a caller without an answer.
fn caught<W: Work, T>(work: &mut W, run: impl FnOnce(&mut W) -> T) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(|| run(work))).map_err(|_| work.recover())
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, ending: Ending) {
        let mut state = self.lock();
        if state.ending != Ending::Aborted {
            state.ending = ending;
        }
        if ending == Ending::Aborted {
            // Here and not when the lane is collected: some hosts never do that, and a job may hold
            // a snapshot.
            state.jobs.clear();
        }
        self.changed.notify_all();
    }

    fn next(&self, upkeep_due_in: Duration) -> Next<J> {
        let state = self.lock();
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, upkeep_due_in, |state| {
                state.jobs.is_empty() && state.ending == Ending::Open
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.ending == Ending::Aborted {
            return Next::End;
        }
        if state.jobs.is_empty() {
            return match state.ending {
                Ending::Open => Next::UpkeepDue,
                Ending::Draining | Ending::Aborted => Next::End,
            };
        }
        let count = state.jobs.len().min(MAX_BATCH);
        Next::Batch(state.jobs.drain(..count).collect())
    }
}

/// Lets work in progress notice that its lane was aborted.
pub(crate) struct Stop<J> {
    queue: Arc<Queue<J>>,
}

impl<J> Stop<J> {
    /// Waits for `pause`, or less if the lane is aborted meanwhile; says whether it was.
    pub(crate) fn aborted_within(&self, pause: Duration) -> bool {
        let state = self.queue.lock();
        let (state, _) = self
            .queue
            .changed
            .wait_timeout_while(state, pause, |state| state.ending != Ending::Aborted)
            .unwrap_or_else(PoisonError::into_inner);
        state.ending == Ending::Aborted
    }
}
