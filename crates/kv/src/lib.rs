//! What the store means, whatever holds it.
//!
//! Everything here is a function from values to values: no I/O, no clock, no dice, no threads.
//! An engine brings the rows ([`Rows`]), the time (`now`, in milliseconds since 1970) and the next
//! [`Versionstamp`]; this crate says which bytes a key has, which keys a selector covers, what a
//! limit refuses and what a commit does.
//!
//! # Terms
//!
//! - A *part* is one element of a key: bytes, string, number, bigint or boolean.
//! - A *key* is a sequence of parts, held as its encoded bytes; byte order is key order.
//! - A *row* is what an engine keeps under a key: a value, the versionstamp of the commit that
//!   wrote it, and perhaps the time at which it stops to exist.
//! - A row is *live* before that time. A row that is not live is absent for every operation.
//!
//! # Promises
//!
//! - Decoding hostile bytes is an error, never a panic.
//! - Keys, cursors and limits are byte for byte and count for count those of Deno 2.9; where this
//!   crate differs, the item says so.
//! - [`apply`] is all or nothing for a caller that rolls its rows back when it returns an error.
//!
//! # Example
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::convert::Infallible;
//! use fencekv_kv::{
//!     Check, Commit, Encoding, KeyWriter, Mutation, Outcome, Row, Rows, Selector, StoredValue,
//!     Versionstamp, apply,
//! };
//!
//! #[derive(Default)]
//! struct Memory(BTreeMap<Vec<u8>, Row>);
//!
//! impl Rows for Memory {
//!     type Error = Infallible;
//!     fn get(&mut self, key: &[u8]) -> Result<Option<Row>, Infallible> {
//!         Ok(self.0.get(key).cloned())
//!     }
//!     fn put(&mut self, key: &[u8], row: &Row) -> Result<(), Infallible> {
//!         self.0.insert(key.to_vec(), row.clone());
//!         Ok(())
//!     }
//!     fn remove(&mut self, key: &[u8]) -> Result<(), Infallible> {
//!         self.0.remove(key);
//!         Ok(())
//!     }
//! }
//!
//! let mut key = KeyWriter::new();
//! key.push_str("jobs");
//! key.push_number(7.0);
//! let key = key.finish();
//!
//! let claim = Commit {
//!     now: 1_000,
//!     checks: vec![Check { key: key.clone(), versionstamp: None }],
//!     mutations: vec![Mutation::Set {
//!         key: key.clone(),
//!         value: StoredValue { encoding: Encoding::Bytes, bytes: b"me".to_vec() },
//!         expires_at: Some(1_050),
//!     }],
//! };
//! let mut store = Memory::default();
//! let first = apply(&mut store, &claim, Versionstamp(1))?;
//! assert_eq!(first, Outcome::Committed { versionstamp: Versionstamp(1) });
//! let second = apply(&mut store, &claim, Versionstamp(2))?;
//! assert_eq!(second, Outcome::CheckFailed { failed: vec![0] });
//!
//! let mut prefix = KeyWriter::new();
//! prefix.push_str("jobs");
//! let range = Selector::prefix(prefix.finish()).range()?;
//! assert!(range.contains(key.as_bytes()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod base64url;
mod key;
mod limits;
mod range;
mod row;
mod versionstamp;
mod write;

pub use key::{Key, KeyError, KeyErrorKind, KeyWriter, Part, Parts, parts};
pub use limits::{LimitExceeded, LimitKind, Limits};
pub use range::{CursorError, KeyRange, Selector, SelectorError, encode_cursor};
pub use row::{Encoding, ExpiryTooFar, MAX_TIME_MS, Row, StoredValue, expires_at};
pub use versionstamp::{Versionstamp, VersionstampError};
pub use write::{ApplyError, Arithmetic, Check, Commit, Mutation, Outcome, Rows, apply};
