//! A handle on a file: quick reads on the caller's thread, everything else on its lanes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use fencekv_kv::Key;
use rusqlite::Connection;

use crate::clock::Clock;
use crate::lane::{Lane, Sink};
use crate::pending::Pending;
use crate::reader::{PatientReader, Quick};
use crate::store::{LaneId, Started};
use crate::writer::{Shared, Writer};
use crate::{EntryRef, FileOptions, PageRequest, Read, Request, StoreError, read};

/// After so many microseconds of reads on the caller's thread one read goes to the reader's lane,
/// so that a loop of awaited reads lets the caller's event loop turn.
const TURN_US: u64 = 5000;

/// Makes the sink of a lane.
pub type Sinks = Box<dyn Fn(LaneId) -> Sink>;

pub(crate) struct FileStore {
    path: PathBuf,
    options: FileOptions,
    clock: Arc<dyn Clock>,
    sinks: Sinks,
    shared: Arc<Shared>,
    writer: Option<Lane<Request>>,
    reader: Option<Lane<Read>>,
    quick: Option<(u64, Quick)>,
    pending: Pending,
    /// Microseconds that reads took on the caller's thread since the last that did not.
    read_us: u64,
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
            quick: None,
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
        let quick = |connection: &Connection| read::point(connection, &key, now, visit);
        match self.quick(now, waits, quick)? {
            Ok(value) => Ok(Started::Done(value)),
            Err(lane) => self.queue(
                lane,
                Read::Points {
                    keys: vec![key],
                    now,
                },
            ),
        }
    }

    pub(crate) fn points(
        &mut self,
        keys: Vec<Key>,
        now: i64,
        visit: impl FnMut(Option<EntryRef<'_>>),
    ) -> Result<Started<()>, StoreError> {
        let waits = keys.iter().any(|key| self.pending.touches(key));
        let quick = |connection: &Connection| read::points(connection, &keys, now, visit);
        match self.quick(now, waits, quick)? {
            Ok(()) => Ok(Started::Done(())),
            Err(lane) => self.queue(lane, Read::Points { keys, now }),
        }
    }

    pub(crate) fn page(
        &mut self,
        page: PageRequest,
        visit: impl FnMut(EntryRef<'_>) -> ControlFlow<()>,
    ) -> Result<Started<()>, StoreError> {
        let waits = self.pending.touches_range(&page.range);
        let quick = |connection: &Connection| read::page(connection, &page, visit);
        match self.quick(page.now, waits, quick)? {
            Ok(ControlFlow::Continue(())) => Ok(Started::Done(())),
            Ok(ControlFlow::Break(())) => self.queue(LaneId::Reader, Read::Page(page)),
            Err(lane) => self.queue(lane, Read::Page(page)),
        }
    }

    /// Forgets the oldest `count` requests of a lane, whose answers have reached the caller.
    pub(crate) fn settled(&mut self, lane: LaneId, count: usize) {
        if lane == LaneId::Writer {
            self.pending.settled(count);
        }
    }

    pub(crate) fn drain(&mut self) {
        self.quick = None;
        if let Some(writer) = &self.writer {
            writer.drain();
        }
        if let Some(reader) = &self.reader {
            reader.drain();
        }
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

    /// Reads at once if the read may and can; else says on which lane it has to go. A read whose
    /// keys have writes pending goes behind them, in the order of the calls.
    fn quick<T>(
        &mut self,
        now: i64,
        waits: bool,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Result<T, LaneId>, StoreError> {
        self.observe(now);
        let opened = self.shared.opened.load(Ordering::Acquire);
        if waits || opened == 0 {
            return Ok(Err(LaneId::Writer));
        }
        if self.read_us >= TURN_US {
            self.read_us = 0;
            return Ok(Err(LaneId::Reader));
        }
        let begin_us = self.clock.monotonic_us();
        let quick = match &mut self.quick {
            Some((generation, quick)) if *generation == opened => quick,
            stale => &mut stale.insert((opened, Quick::open(&self.path)?)).1,
        };
        let value = quick.read(read)?;
        self.read_us += self.clock.monotonic_us() - begin_us;
        Ok(value.ok_or(LaneId::Reader))
    }

    fn queue<T>(&mut self, lane: LaneId, read: Read) -> Result<Started<T>, StoreError> {
        match lane {
            LaneId::Writer => self.submit(Request::Read(read)).map(Started::Queued),
            LaneId::Reader => {
                let reader = match &self.reader {
                    Some(reader) => reader,
                    None => {
                        let work = PatientReader::new(
                            self.path.clone(),
                            self.options,
                            Arc::clone(&self.clock),
                            Arc::clone(&self.shared),
                        );
                        let sink = (self.sinks)(LaneId::Reader);
                        self.reader
                            .insert(Lane::spawn("fencekv-reader", work, sink)?)
                    }
                };
                reader.push(read);
                Ok(Started::Queued(LaneId::Reader))
            }
        }
    }
}
