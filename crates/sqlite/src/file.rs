//! A handle on a file: quick reads on the caller's thread, everything else on its lanes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use fencekv_kv::Key;
use rusqlite::Connection;

use crate::clock::Clock;
use crate::lane::{Lane, Sink};
use crate::pending::Pending;
use crate::reader::{self, Attempt, Pool, Quick, Reader, ReaderJob};
use crate::store::{LaneId, Started};
use crate::writer::{Shared, Writer};
use crate::{EntryRef, FileOptions, Read, Request, StoreError, read};

/// After so many microseconds of reads on the caller's thread one is answered through the reader,
/// so that a loop of awaited reads lets the caller's event loop turn.
const TURN_US: u64 = 5000;

/// So many long reads may wait for the reader, each with a snapshot and a connection of its own.
const SNAPSHOTS: usize = 4;

/// Makes the sink of a lane.
pub type Sinks = Box<dyn Fn(LaneId) -> Sink>;

pub(crate) struct FileStore {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    sinks: Sinks,
    shared: Arc<Shared>,
    writer: Option<Lane<Request>>,
    reader: Option<Lane<ReaderJob>>,
    /// Requests that the reader has not settled.
    reading: usize,
    /// The connection of the last read; the pool holds those that came back from the reader.
    quick: Option<Quick>,
    pool: Pool,
    pending: Pending,
    /// Microseconds that reads took on the caller's thread since one let it turn.
    read_us: u64,
}

/// How a read is done.
enum Route {
    /// On this thread.
    Here,
    /// On this thread, but its answer comes with a turn of the event loop.
    InTurn,
    /// On the writer, behind the writes that it has to see.
    BehindWrites,
}

impl FileStore {
    pub(crate) fn new(
        path: PathBuf,
        options: FileOptions,
        clock: Arc<dyn Clock>,
        sinks: Sinks,
    ) -> Self {
        let shared = Shared {
            opened: AtomicU64::new(0),
            latest_now: AtomicI64::new(i64::MIN),
        };
        Self {
            path,
            options,
            clock,
            sinks,
            shared: Arc::new(shared),
            writer: None,
            reader: None,
            reading: 0,
            quick: None,
            pool: Pool::default(),
            pending: Pending::default(),
            read_us: 0,
        }
    }

    /// Puts a request at the end of the writer's lane.
    pub(crate) fn submit(&mut self, request: Request) -> Result<LaneId, StoreError> {
        if let Request::Commit(commit) = &request {
            self.observe(commit.now);
        }
        let writer = match &self.writer {
            Some(writer) => writer,
            None => {
                let work = Writer::new(
                    self.path.clone(),
                    self.options,
                    Arc::clone(&self.clock),
                    Arc::clone(&self.shared),
                );
                let sink = (self.sinks)(LaneId::Writer);
                self.writer
                    .insert(Lane::spawn("fencekv-writer", work, sink)?)
            }
        };
        self.pending.add(&request);
        writer.push(request);
        Ok(LaneId::Writer)
    }

    pub(crate) fn point<T>(
        &mut self,
        key: Key,
        now: i64,
        visit: impl FnOnce(Option<EntryRef<'_>>) -> T,
    ) -> Result<Started<T>, StoreError> {
        let waits = self.pending.touches(&key);
        match self.route(now, waits) {
            Route::Here => {
                let quick = self.take_quick()?;
                let attempt = self.timed(|| quick.read(|on| read::point(on, &key, now, visit)));
                self.quick = Some(quick);
                match attempt? {
                    Attempt::Done(value) => return Ok(Started::Done(value)),
                    Attempt::Spent | Attempt::Busy => {
                        self.submit(Request::Read(Read::point(key, now)))
                    }
                }
            }
            Route::InTurn => self.read_in_turn(Read::point(key, now)),
            Route::BehindWrites => self.submit(Request::Read(Read::point(key, now))),
        }
        .map(Started::Queued)
    }

    pub(crate) fn read(
        &mut self,
        read: Read,
        visit: impl FnMut(Option<EntryRef<'_>>) -> ControlFlow<()>,
    ) -> Result<Started<()>, StoreError> {
        let (now, waits) = match &read {
            Read::Points { keys, now } => (*now, keys.iter().any(|key| self.pending.touches(key))),
            Read::Page(page) => (page.now, self.pending.touches_range(&page.range)),
        };
        match self.route(now, waits) {
            Route::Here => {
                let quick = self.take_quick()?;
                let attempt =
                    self.timed(|| quick.read_in_snapshot(|on| read::visit(on, &read, visit)));
                self.finish(quick, read, attempt?)
            }
            Route::InTurn => self.read_in_turn(read).map(Started::Queued),
            Route::BehindWrites => self.submit(Request::Read(read)).map(Started::Queued),
        }
    }

    /// Wakes the lanes for what was queued.
    pub(crate) fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.wake();
        }
        if let Some(reader) = &self.reader {
            reader.wake();
        }
    }

    /// Forgets the oldest `count` requests of a lane, whose answers have reached the caller.
    pub(crate) fn settled(&mut self, lane: LaneId, count: usize) {
        match lane {
            LaneId::Writer => self.pending.settled(count),
            LaneId::Reader => self.reading -= count,
        }
    }

    /// Lets the lanes end when their queues are empty; says how many there are.
    pub(crate) fn drain(&mut self) -> usize {
        self.quick = None;
        self.pool
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let writer = self.writer.as_ref().map(Lane::drain);
        let reader = self.reader.as_ref().map(Lane::drain);
        writer.iter().chain(&reader).count()
    }

    pub(crate) fn abort(&mut self) {
        self.quick = None;
        if let Some(writer) = &mut self.writer {
            writer.abort();
        }
        if let Some(reader) = &mut self.reader {
            reader.abort();
        }
    }

    fn observe(&self, now: i64) {
        self.shared.latest_now.store(now, Ordering::Relaxed);
    }

    fn route(&mut self, now: i64, waits: bool) -> Route {
        self.observe(now);
        if waits || self.shared.opened.load(Ordering::Acquire) == 0 {
            return Route::BehindWrites;
        }
        if self.read_us >= TURN_US {
            self.read_us = 0;
            return Route::InTurn;
        }
        Route::Here
    }

    /// Reads now, and lets the answer come through the reader.
    fn read_in_turn(&mut self, read: Read) -> Result<LaneId, StoreError> {
        let quick = self.take_quick()?;
        let answer = |on: &Connection| read::answer(on, &read).map(ControlFlow::Continue);
        let attempt = quick.read_in_snapshot(answer)?;
        match self.finish(quick, read, attempt)? {
            Started::Done(reply) => self.ask_reader(ReaderJob::Echo(reply)),
            Started::Queued(lane) => Ok(lane),
        }
    }

    /// Ends an attempt, or finds the lane on which the read goes on: the reader, with the
    /// snapshot of this moment, as long as it is not behind with others.
    fn finish<T>(
        &mut self,
        quick: Quick,
        read: Read,
        attempt: Attempt<T>,
    ) -> Result<Started<T>, StoreError> {
        match attempt {
            Attempt::Done(value) => {
                self.quick = Some(quick);
                return Ok(Started::Done(value));
            }
            Attempt::Spent if self.reading < SNAPSHOTS => {
                return self
                    .ask_reader(ReaderJob::Read(quick, read))
                    .map(Started::Queued);
            }
            Attempt::Spent => quick.end_snapshot()?,
            Attempt::Busy => {}
        }
        self.quick = Some(quick);
        self.submit(Request::Read(read)).map(Started::Queued)
    }

    fn take_quick(&mut self) -> Result<Quick, StoreError> {
        let generation = self.shared.opened.load(Ordering::Acquire);
        match self.quick.take() {
            Some(quick) if quick.is_of(generation) => Ok(quick),
            _ => Ok(reader::take(&self.pool, &self.path, generation)?),
        }
    }

    fn timed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begin_us = self.clock.monotonic_us();
        let result = work();
        self.read_us += self.clock.monotonic_us() - begin_us;
        result
    }

    fn ask_reader(&mut self, job: ReaderJob) -> Result<LaneId, StoreError> {
        let reader = match &self.reader {
            Some(reader) => reader,
            None => {
                let work = Reader {
                    pool: Arc::clone(&self.pool),
                };
                let sink = (self.sinks)(LaneId::Reader);
                self.reader
                    .insert(Lane::spawn("fencekv-reader", work, sink)?)
            }
        };
        reader.push(job);
        self.reading += 1;
        Ok(LaneId::Reader)
    }
}
