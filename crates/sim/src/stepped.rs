//! A handle on a file whose writer waits between two groups, so that a test says what is in each.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fencekv_kv::Key;
use fencekv_sqlite::{
    Answer, Durability, FileOptions, LaneEvent, LaneId, Reply, Request, Sink, Started, Store,
};

use crate::clock::Stopped;

/// An answer that does not come within this is a failure of the test.
pub const BOUND: Duration = Duration::from_secs(60);

/// A durable handle.
pub struct Stepped {
    store: Store,
    answered: Receiver<LaneEvent>,
    orders: Sender<Order>,
}

/// To the writer, while it waits.
enum Order {
    Run(Box<dyn FnOnce() + Send>),
    GoOn,
}

impl Stepped {
    /// Opens the file at `path`.
    ///
    /// # Panics
    ///
    /// If that fails.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let (sender, answered) = channel();
        let (orders, ordered) = channel();
        // The writer is the only lane that a test of this crate starts.
        let ends = Mutex::new(Some((sender, ordered)));
        let sinks = Box::new(move |_: LaneId| -> Sink {
            let ends = ends.lock().expect("no panic").take();
            let (sender, ordered) = ends.expect("one lane");
            Box::new(move |event| {
                // A test that is gone needs no answer.
                let _ = sender.send(event);
                while let Ok(Order::Run(errand)) = ordered.recv() {
                    errand();
                }
            })
        });
        let options = FileOptions {
            durability: Durability::Full,
            busy_timeout_ms: 10_000,
        };
        let mut store = Store::file(path.to_owned(), options, Arc::new(Stopped), sinks);
        store.submit(Request::Open).expect("a thread");
        store.flush();
        let mut handle = Self {
            store,
            answered,
            orders,
        };
        let opened = handle.answers();
        assert!(matches!(opened[..], [Ok(Reply::Opened)]), "{opened:?}");
        handle
    }

    /// Has the writer answer `requests` as one group.
    ///
    /// # Panics
    ///
    /// If no answer comes.
    pub fn group(&mut self, requests: Vec<Request>) -> Vec<Answer> {
        for request in requests {
            self.store.submit(request).expect("an open handle");
        }
        self.orders.send(Order::GoOn).expect("the writer waits");
        self.answers()
    }

    fn answers(&mut self) -> Vec<Answer> {
        match self.answered.recv_timeout(BOUND).expect("an answer") {
            LaneEvent::Answered(answers) => {
                self.store.settled(LaneId::Writer, answers.len());
                answers
            }
            LaneEvent::Ended => panic!("the writer ended without an answer"),
        }
    }

    /// Runs `errand` on the thread of the writer while that waits.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn on_writer<T: Send + 'static>(&self, errand: impl FnOnce() -> T + Send + 'static) -> T {
        let (sender, result) = channel();
        let errand = Box::new(move || drop(sender.send(errand())));
        self.orders
            .send(Order::Run(errand))
            .expect("the writer waits");
        result.recv_timeout(BOUND).expect("its end")
    }

    /// The value of a key that never expires, read on this thread, or if that may not be done
    /// right now, by the writer.
    ///
    /// # Panics
    ///
    /// If it cannot be read.
    pub fn get(&mut self, key: &Key) -> Option<Vec<u8>> {
        let visited = self.store.point(key.clone(), 0, |entry| {
            entry.map(|entry| entry.value.to_vec())
        });
        match visited.expect("a read") {
            Started::Done(value) => value,
            Started::Queued(_) => match self.group(vec![]).pop() {
                Some(Ok(Reply::Points(entries))) => entries
                    .into_iter()
                    .flatten()
                    .next()
                    .map(|entry| entry.value),
                other => panic!("{other:?} is no answer to a read"),
            },
        }
    }

    /// Lets the writer go its own way from now on; gives back what it answers through.
    #[must_use]
    pub fn let_go(self) -> (Store, Receiver<LaneEvent>) {
        (self.store, self.answered)
    }

    /// Closes the file.
    ///
    /// # Panics
    ///
    /// If that takes too long.
    pub fn close(mut self) {
        self.store.close();
        self.orders.send(Order::GoOn).expect("the writer waits");
        let event = self.answered.recv_timeout(BOUND).expect("the end");
        assert!(matches!(event, LaneEvent::Ended), "{event:?}");
    }
}
