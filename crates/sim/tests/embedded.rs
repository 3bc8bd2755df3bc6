//! The suite of `scenarios.rs` on the embedded engine, in memory and on a file.

use std::cell::Cell;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use fencekv_kv::{Commit, Encoding, Key, KeyRange, Outcome, StoredValue};
use fencekv_sim::clock::Stopped;
use fencekv_sim::judge::{Found, Mismatch, Store, suite};
use fencekv_sim::stepped::BOUND;
use fencekv_sqlite::{
    Answer, Durability, EntryRef, FileOptions, LaneEvent, LaneId, PageRequest, Read, Reply,
    Request, Sink, Sinks, Started, StoreError,
};

/// A handle that waits for every answer.
struct Embedded {
    store: fencekv_sqlite::Store,
    answers: Receiver<(LaneId, LaneEvent)>,
}

impl Embedded {
    fn memory() -> Embedded {
        let store = fencekv_sqlite::Store::memory().expect("memory");
        Embedded {
            store,
            answers: channel().1,
        }
    }

    fn file(path: &Path) -> Embedded {
        let (sender, answers) = channel();
        let sender = Mutex::new(sender);
        let sinks: Sinks = Box::new(move |lane| -> Sink {
            let sender = sender.lock().expect("no panic").clone();
            // A handle that is gone needs no answer.
            Box::new(move |event| drop(sender.send((lane, event))))
        });
        let options = FileOptions {
            durability: Durability::Normal,
            busy_timeout_ms: 10_000,
        };
        let store = fencekv_sqlite::Store::file(path.into(), options, Arc::new(Stopped), sinks);
        Embedded { store, answers }
    }

    /// The answer to the only request there is.
    fn wait(&mut self) -> Answer {
        self.store.flush();
        let (lane, event) = self.answers.recv_timeout(BOUND).expect("an answer");
        let LaneEvent::Answered(mut answers) = event else {
            panic!("the lane ended without an answer");
        };
        self.store.settled(lane, answers.len());
        answers.pop().expect("one answer")
    }

    fn read(&mut self, read: Read) -> Vec<Option<Found>> {
        let mut entries = Vec::new();
        let visit = |entry: Option<EntryRef<'_>>| entries.push(entry.map(found));
        match self.store.read(read, visit).expect("a read") {
            Started::Done(()) => entries,
            Started::Queued(_) => match self.wait() {
                Ok(Reply::Points(entries)) => entries
                    .iter()
                    .map(|entry| entry.as_ref().map(|entry| found(entry.as_ref())))
                    .collect(),
                Ok(Reply::Page(entries)) => entries
                    .iter()
                    .map(|entry| Some(found(entry.as_ref())))
                    .collect(),
                other => panic!("{other:?} is no answer to a read"),
            },
        }
    }

    fn ask(&mut self, request: Request) -> Answer {
        match self.store.submit(request)? {
            Started::Done(answer) => answer,
            Started::Queued(_) => self.wait(),
        }
    }
}

impl Store for Embedded {
    fn get(&mut self, keys: &[Key], now: i64) -> Vec<Option<Found>> {
        let keys = keys.to_vec();
        self.read(Read::Points { keys, now })
    }

    fn list_page(&mut self, range: &KeyRange, reverse: bool, limit: usize, now: i64) -> Vec<Found> {
        let range = range.clone();
        let page = self.read(Read::Page(PageRequest {
            range,
            reverse,
            limit,
            now,
        }));
        page.into_iter().flatten().collect()
    }

    fn commit(&mut self, commit: &Commit) -> Result<Outcome, Mismatch> {
        match self.ask(Request::Commit(commit.clone())) {
            Ok(Reply::Commit(outcome)) => Ok(outcome),
            Err(StoreError::TypeMismatch { index, key, .. }) => Err(Mismatch { index, key }),
            other => panic!("{other:?} is no answer to a commit"),
        }
    }

    fn sweep(&mut self, now: i64) -> usize {
        let mut count = 0;
        loop {
            match self.ask(Request::Sweep { now }) {
                Ok(Reply::Swept(swept)) => {
                    count += swept.count as usize;
                    if !swept.more {
                        return count;
                    }
                }
                other => panic!("{other:?} is no answer to a sweep"),
            }
        }
    }
}

fn found(entry: EntryRef<'_>) -> Found {
    Found {
        key: entry.key.to_vec(),
        value: StoredValue {
            encoding: Encoding::from_number(entry.encoding),
            bytes: entry.value.to_vec(),
        },
        versionstamp: entry.versionstamp,
    }
}

#[test]
fn in_memory() {
    suite(500, Embedded::memory);
}

#[test]
fn on_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = Cell::new(0);
    suite(100, || {
        opened.set(opened.get() + 1);
        Embedded::file(&folder.path().join(format!("{}.db", opened.get())))
    });
}
