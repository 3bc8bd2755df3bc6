//! A handle on a file: quick reads on the caller's thread, everything else on its lanes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use fencekv_kv::Key;

use crate::clock::Clock;
use crate::lane::{Lane, LaneEvent, Sink};
use crate::loop_turn;
use crate::pending::Pending;
use crate::reader::{Attempt, LongRead, Pool, Quick, Reader, Unfinished};
use crate::shared::Shared;
use crate::store::{LaneId, Started};
use crate::writer::Writer;
use crate::{EntryRef, FileOptions, Read, Request, StoreError, read};

/// A read on the caller's thread stops after so many bytes of values and goes to the reader.
const QUICK_BYTES: usize = 1 << 20;

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
    reader: Option<Lane<LongRead>>,
    /// Answers that are there already, but let the event loop turn.
    turn: Option<Sink>,
    /// When the last of them was asked for, by the clock, microseconds.
    turn_asked_us: u64,
    /// Requests that the reader has not settled.
    reading: usize,
    /// The connection of the last read; the pool holds those that came back from the reader.
    quick: Option<Quick>,
    pool: Arc<Pool>,
    pending: Pending,
}

/// How a read is done.
enum Route {
    /// On this thread.
    Here(Quick),
    /// On this thread, but its answer comes with a turn of the event loop.
    InTurn(Quick),
    /// On the writer: behind the writes that it has to see, or because a lock is held elsewhere.
    OnWriter,
}

impl FileStore {
    pub(crate) fn new(
        path: PathBuf,
        options: FileOptions,
        clock: Arc<dyn Clock>,
        sinks: Sinks,
    ) -> Self {
        let shared = Arc::new(Shared::new());
        let pool = Pool::new(path.clone(), Arc::clone(&shared));
        Self {
            path,
            options,
            clock,
            sinks,
            shared,
            writer: None,
            reader: None,
            turn: None,
            turn_asked_us: 0,
            reading: 0,
            quick: None,
            pool: Arc::new(pool),
            pending: Pending::default(),
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
        match self.route(now, waits)? {
            Route::Here(quick) => {
                let attempt = self.timed(|| quick.read(|on| read::point(on, &key, now, visit)));
                self.quick = Some(quick);
                match attempt? {
                    Attempt::Done(value) => return Ok(Started::Done(value)),
                    Attempt::Unfinished(_) => self.submit(Request::Read(Read::point(key, now))),
                }
            }
            Route::InTurn(quick) => self.read_in_turn(quick, Read::point(key, now)),
            Route::OnWriter => self.submit(Request::Read(Read::point(key, now))),
        }
        .map(Started::Queued)
    }

    pub(crate) fn read(
        &mut self,
        read: Read,
        visit: impl FnMut(Option<EntryRef<'_>>),
    ) -> Result<Started<()>, StoreError> {
        let (now, waits) = match &read {
            Read::Points { keys, now } => (*now, keys.iter().any(|key| self.pending.touches(key))),
            Read::Page(page) => (page.now, self.pending.touches_range(&page.range)),
        };
        match self.route(now, waits)? {
            Route::Here(quick) => match self.timed(|| attempt(&quick, &read, visit))? {
                Attempt::Done(()) => {
                    self.quick = Some(quick);
                    return Ok(Started::Done(()));
                }
                Attempt::Unfinished(why) => self.go_on(quick, read, why),
            },
            Route::InTurn(quick) => self.read_in_turn(quick, read),
            Route::OnWriter => self.submit(Request::Read(read)),
        }
        .map(Started::Queued)
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
            LaneId::Turn => loop_turn::turned(self.turn_asked_us, self.clock.monotonic_us()),
        }
        if self.shared.opened.load(Ordering::Acquire) == 0 {
            // The writer has closed the file: what was open beside it goes, too.
            self.quick = None;
            self.pool.clear();
        }
    }

    /// Lets the threads end when their queues are empty; says how many there are.
    pub(crate) fn drain(&mut self) -> usize {
        self.close_idle();
        let writer = self.writer.as_ref().map(Lane::drain);
        let reader = self.reader.as_ref().map(Lane::drain);
        writer.iter().chain(&reader).count()
    }

    pub(crate) fn abort(&mut self) {
        self.close_idle();
        self.shared.stopping.store(true, Ordering::Relaxed);
        if let Some(writer) = &mut self.writer {
            writer.abort();
        }
        if let Some(reader) = &mut self.reader {
            reader.abort();
        }
    }

    fn close_idle(&mut self) {
        self.quick = None;
        self.pool.close();
    }

    fn observe(&self, now: i64) {
        self.shared.latest_now.store(now, Ordering::Relaxed);
    }

    fn route(&mut self, now: i64, waits: bool) -> Result<Route, StoreError> {
        self.observe(now);
        let opened = self.shared.opened.load(Ordering::Acquire);
        if waits || opened == 0 {
            return Ok(Route::OnWriter);
        }
        let quick = match self.quick.take() {
            Some(quick) if quick.is_of(opened) => quick,
            _ => match self.pool.take(opened) {
                Ok(quick) => quick,
                Err(StoreError::Busy { .. }) => return Ok(Route::OnWriter),
                Err(error) => return Err(error),
            },
        };
        Ok(match loop_turn::is_due(self.clock.monotonic_us()) {
            true => Route::InTurn(quick),
            false => Route::Here(quick),
        })
    }

    /// Reads now, and lets the answer come with a turn of the event loop.
    fn read_in_turn(&mut self, quick: Quick, read: Read) -> Result<LaneId, StoreError> {
        let mut entries = Vec::new();
        let collect = |entry: Option<EntryRef<'_>>| {
            entries.push(entry.map(|entry| entry.to_owned()));
        };
        match self.timed(|| attempt(&quick, &read, collect))? {
            Attempt::Unfinished(why) => self.go_on(quick, read, why),
            Attempt::Done(()) => {
                self.quick = Some(quick);
                let turn = self.turn.get_or_insert_with(|| (self.sinks)(LaneId::Turn));
                turn(LaneEvent::Answered(vec![Ok(read::reply(&read, entries))]));
                self.turn_asked_us = self.clock.monotonic_us();
                Ok(LaneId::Turn)
            }
        }
    }

    /// Finds the lane on which an unfinished read goes on: the reader, with the snapshot of this
    /// moment, as long as it is not behind with others.
    fn go_on(&mut self, quick: Quick, read: Read, why: Unfinished) -> Result<LaneId, StoreError> {
        match why {
            Unfinished::Spent if self.reading < SNAPSHOTS => {
                return self.ask_reader(LongRead { quick, read });
            }
            Unfinished::Spent => quick.end_snapshot()?,
            Unfinished::Busy => {}
        }
        self.quick = Some(quick);
        self.submit(Request::Read(read))
    }

    fn timed<T>(&self, read: impl FnOnce() -> T) -> T {
        let result = read();
        loop_turn::read_ended(self.clock.monotonic_us());
        result
    }

    fn ask_reader(&mut self, read: LongRead) -> Result<LaneId, StoreError> {
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
        reader.push(read);
        self.reading += 1;
        Ok(LaneId::Reader)
    }
}

/// Reads as much as is quick.
fn attempt(
    quick: &Quick,
    read: &Read,
    mut visit: impl FnMut(Option<EntryRef<'_>>),
) -> Result<Attempt<()>, StoreError> {
    let mut bytes = 0;
    quick.read_in_snapshot(|on| {
        read::visit(on, read, |entry| {
            bytes += entry.map_or(0, |entry| entry.value.len());
            if bytes > QUICK_BYTES {
                return ControlFlow::Break(());
            }
            visit(entry);
            ControlFlow::Continue(())
        })
    })
}
