//! The embedded engine: Deno's KV file on SQLite, for handles in one or many processes.
//!
//! # Terms
//!
//! - A *request* is what a caller asks of a [`Store`]; its *answer* comes at once ([`Started::Done`])
//!   or later through the sink of a *lane*, a thread that answers in order.
//! - A *group* is a run of requests that the writer's lane puts into one transaction: many commits,
//!   one flush.
//!
//! # Promises
//!
//! - A commit that fails leaves nothing, and does not touch the other commits of its group.
//! - With [`Durability::Full`] an acknowledged commit survives a loss of power.
//! - A read sees every write that the same handle was asked for before it, and no later one that
//!   was still pending.
//! - An entry whose time has come is absent at that millisecond, swept or not.
//! - Nothing here reads the time or rolls dice: a [`Clock`] is handed in for wait budgets, and
//!   `now` comes with each operation.
//!
//! # Example
//!
//! ```
//! use fencekv_kv::{Commit, Encoding, KeyWriter, Mutation, StoredValue};
//! use fencekv_sqlite::{Request, Started, Store};
//!
//! let mut store = Store::memory()?;
//! let mut key = KeyWriter::new();
//! key.push_str("greeting");
//! let key = key.finish();
//! let value = StoredValue { encoding: Encoding::Bytes, bytes: b"hello".to_vec() };
//! let set = Mutation::Set { key: key.clone(), value, expires_at: None };
//! store.submit(Request::Commit(Commit { now: 0, checks: vec![], mutations: vec![set] }))?;
//!
//! let read = store.point(key, 0, |entry| entry.map(|entry| entry.value.to_vec()))?;
//! assert_eq!(read, Started::Done(Some(b"hello".to_vec())));
//! # Ok::<(), fencekv_sqlite::StoreError>(())
//! ```
#![deny(unsafe_code)]

mod claim;
mod clock;
mod connection;
mod error;
mod file;
mod file_id;
mod group;
mod lane;
mod loop_turn;
mod memory;
mod moved;
mod patience;
mod pending;
mod read;
mod reader;
mod request;
mod schema;
mod shared;
mod store;
mod table;
mod turnstile;
mod writer;

pub use clock::Clock;
pub use error::StoreError;
pub use file::Sinks;
pub use lane::{LaneEvent, Sink};
pub use request::{Answer, Entry, EntryRef, PageRequest, Read, Reply, Request, Swept};
pub use store::{Durability, FileOptions, LaneId, Started, Store};
