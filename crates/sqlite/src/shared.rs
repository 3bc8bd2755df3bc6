//! What the threads of one handle tell each other.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};

use crate::file_id::Place;

pub(crate) struct Shared {
    /// How many times the writer has opened the file; zero while it has it not open. A reader's
    /// connection from before the last of them is not used any more.
    pub(crate) opened: AtomicU64,
    /// The `now` (ms since the epoch) of the operation called last.
    pub(crate) latest_now: AtomicI64,
    /// The file, since it was first opened.
    pub(crate) home: OnceLock<Place>,
    /// Lets no statement go on.
    pub(crate) stopping: AtomicBool,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            opened: AtomicU64::new(0),
            latest_now: AtomicI64::new(i64::MIN),
            home: OnceLock::new(),
            stopping: AtomicBool::new(false),
        }
    }
}
