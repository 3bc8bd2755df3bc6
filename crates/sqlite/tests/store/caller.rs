//! A caller that waits for its answers, and a clock that it turns by hand.

use std::cell::RefCell;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fencekv_kv::{
    Check, Commit, Encoding, Key, KeyRange, KeyWriter, Mutation, Outcome, Selector, StoredValue,
    Versionstamp,
};
use fencekv_sqlite::{
    Answer, Clock, Durability, EntryRef, FileOptions, LaneEvent, LaneId, PageRequest, Read, Reply,
    Request, Started, Store, StoreError,
};

/// An answer that does not come within this is a failure of the test.
const BOUND: Duration = Duration::from_secs(60);

/// Time moves by `step_us` with each look at it, and by [`ManualClock::advance_ms`].
#[derive(Default)]
pub(crate) struct ManualClock {
    now_us: AtomicU64,
    step_us: AtomicU64,
}

impl ManualClock {
    pub(crate) fn advance_ms(&self, ms: u64) {
        self.now_us.fetch_add(ms * 1000, Ordering::SeqCst);
    }

    pub(crate) fn step_us(&self, us: u64) {
        self.step_us.store(us, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn monotonic_us(&self) -> u64 {
        self.now_us
            .fetch_add(self.step_us.load(Ordering::SeqCst), Ordering::SeqCst)
    }
}

pub(crate) struct Caller {
    pub(crate) clock: Arc<ManualClock>,
    store: RefCell<Store>,
    answers: Receiver<(LaneId, LaneEvent)>,
    arrived: RefCell<Vec<(LaneId, Answer)>>,
}

impl Caller {
    pub(crate) fn memory() -> Self {
        Self::of(Store::memory().unwrap(), Arc::default(), channel().1)
    }

    pub(crate) fn file(path: &Path) -> Self {
        Self::patient(path, 10_000)
    }

    pub(crate) fn patient(path: &Path, busy_timeout_ms: u64) -> Self {
        let (sender, answers) = channel();
        let sender = Mutex::new(sender);
        let clock = Arc::new(ManualClock::default());
        let options = FileOptions {
            durability: Durability::Full,
            busy_timeout_ms,
        };
        let sinks = Box::new(move |lane| {
            let sender = sender.lock().unwrap().clone();
            // A caller that is gone needs no answer.
            Box::new(move |event| drop(sender.send((lane, event)))) as fencekv_sqlite::Sink
        });
        let shared: Arc<dyn Clock> = clock.clone();
        Self::of(
            Store::file(path.to_owned(), options, shared, sinks),
            clock,
            answers,
        )
    }

    fn of(store: Store, clock: Arc<ManualClock>, answers: Receiver<(LaneId, LaneEvent)>) -> Self {
        Self {
            clock,
            store: RefCell::new(store),
            answers,
            arrived: RefCell::default(),
        }
    }

    /// Asks without waiting.
    pub(crate) fn submit(&self, request: Request) -> Result<Started<Answer>, StoreError> {
        let started = self.store.borrow_mut().submit(request);
        self.store.borrow().flush();
        started
    }

    pub(crate) fn ask(&self, request: Request) -> Answer {
        match self.submit(request)? {
            Started::Done(answer) => answer,
            Started::Queued(lane) => self.next_answer(lane),
        }
    }

    /// The next answer of a lane.
    pub(crate) fn next_answer(&self, lane: LaneId) -> Answer {
        self.store.borrow().flush();
        let mut arrived = self.arrived.borrow_mut();
        loop {
            if let Some(index) = arrived.iter().position(|(of, _)| *of == lane) {
                return arrived.remove(index).1;
            }
            let (of, event) = self.answers.recv_timeout(BOUND).expect("an answer");
            let LaneEvent::Answered(answers) = event else {
                panic!("the lane ended without an answer");
            };
            self.store.borrow_mut().settled(of, answers.len());
            arrived.extend(answers.into_iter().map(|answer| (of, answer)));
        }
    }

    /// The next answer of a lane to a read, past the commits that nobody waited for.
    fn next_read(&self, lane: LaneId) -> Reply {
        loop {
            match self.next_answer(lane).unwrap() {
                Reply::Commit(_) => {}
                reply => return reply,
            }
        }
    }

    pub(crate) fn commit(&self, commit: Commit) -> Result<Outcome, StoreError> {
        match self.ask(Request::Commit(commit))? {
            Reply::Commit(outcome) => Ok(outcome),
            other => panic!("{other:?} is no answer to a commit"),
        }
    }

    /// Begins to read a key without waiting.
    pub(crate) fn start_get(&self, name: &str, now: i64) -> Started<Option<Vec<u8>>> {
        self.try_get(name, now).unwrap()
    }

    /// As [`Caller::start_get`], where the read may not begin at all.
    pub(crate) fn try_get(
        &self,
        name: &str,
        now: i64,
    ) -> Result<Started<Option<Vec<u8>>>, StoreError> {
        let value = |entry: Option<EntryRef<'_>>| entry.map(|entry| entry.value.to_vec());
        self.store.borrow_mut().point(key(name), now, value)
    }

    /// The value of a key and where it was read.
    pub(crate) fn get_on(&self, name: &str, now: i64) -> (Option<Vec<u8>>, Option<LaneId>) {
        match self.start_get(name, now) {
            Started::Done(value) => (value, None),
            Started::Queued(lane) => match self.next_read(lane) {
                Reply::Points(entries) => {
                    let entry = entries.into_iter().next().unwrap();
                    (entry.map(|entry| entry.value), Some(lane))
                }
                other => panic!("{other:?} is no answer to a point read"),
            },
        }
    }

    pub(crate) fn get(&self, name: &str, now: i64) -> Option<Vec<u8>> {
        self.get_on(name, now).0
    }

    /// Begins to count all entries without waiting.
    pub(crate) fn start_list(&self, now: i64) -> Started<usize> {
        let page = PageRequest {
            range: everything(),
            reverse: false,
            limit: usize::MAX,
            now,
        };
        let mut count = 0;
        let started = self
            .store
            .borrow_mut()
            .read(Read::Page(page), |_| count += 1)
            .unwrap();
        match started {
            Started::Done(()) => Started::Done(count),
            Started::Queued(lane) => Started::Queued(lane),
        }
    }

    /// How many entries a list finds, and where they were read.
    pub(crate) fn count_on(&self, now: i64) -> (usize, Option<LaneId>) {
        match self.start_list(now) {
            Started::Done(count) => (count, None),
            Started::Queued(lane) => match self.next_read(lane) {
                Reply::Page(entries) => (entries.len(), Some(lane)),
                other => panic!("{other:?} is no answer to a page"),
            },
        }
    }

    /// Says how many lanes will end.
    pub(crate) fn close(&self) -> usize {
        self.store.borrow_mut().close()
    }

    /// Waits until a lane says that it has ended.
    pub(crate) fn wait_for_end(&self) {
        let (_, event) = self.answers.recv_timeout(BOUND).expect("the lane ends");
        assert!(matches!(event, LaneEvent::Ended), "{event:?}");
    }

    pub(crate) fn abort(&self) {
        self.store.borrow_mut().abort();
    }
}

pub(crate) fn key(name: &str) -> Key {
    let mut key = KeyWriter::new();
    key.push_str(name);
    key.finish()
}

pub(crate) fn everything() -> KeyRange {
    Selector::prefix(Key::default()).range().unwrap()
}

pub(crate) fn set(name: &str, value: &[u8]) -> Mutation {
    let value = StoredValue {
        encoding: Encoding::Bytes,
        bytes: value.to_vec(),
    };
    Mutation::Set {
        key: key(name),
        value,
        expires_at: None,
    }
}

pub(crate) fn set_until(name: &str, expires_at: i64) -> Mutation {
    let value = StoredValue {
        encoding: Encoding::Bytes,
        bytes: b"x".to_vec(),
    };
    Mutation::Set {
        key: key(name),
        value,
        expires_at: Some(expires_at),
    }
}

pub(crate) fn commit_of(mutations: Vec<Mutation>) -> Commit {
    Commit {
        now: 0,
        checks: Vec::new(),
        mutations,
    }
}

pub(crate) fn absent(name: &str) -> Check {
    Check {
        key: key(name),
        versionstamp: None,
    }
}

pub(crate) fn stamp(outcome: Outcome) -> Versionstamp {
    match outcome {
        Outcome::Committed { versionstamp } => versionstamp,
        Outcome::CheckFailed { failed } => panic!("the checks {failed:?} failed"),
    }
}
