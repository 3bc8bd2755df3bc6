//! What judges the store. For development only.
//!
//! - [`mod@reference`]: what the store means, written once more and as plainly as can be, over decoded
//!   keys and an order of parts of its own.
//! - [`generate`]: strategies for keys of every type and for sequences of operations.
//! - [`judge`]: runs a sequence on a [`judge::Store`] and on the reference side by side. One suite
//!   judges every backend; a backend joins it with a few lines of [`judge::Store`].
//! - [`plain`]: the simplest store over encoded keys, which puts `fencekv-kv` itself to the test.
//! - [`commits`]: the pieces of commits that a test writes by hand.
//! - [`property`]: how a property is run, with a seed that replays it.
//! - [`vfs`]: the disk and the memory under SQLite, which note what is done to them and fail on
//!   request; [`power`]: what a loss of power leaves of what was noted.
//! - [`mod@file`]: the rows of a file, by SQLite alone.
//! - [`stepped`]: a handle of the embedded engine that commits in the groups that a test chose.
//! - [`clock`]: time that stands still, for such a handle.
//!
//! ```
//! use fencekv_sim::{generate, judge, plain::PlainStore, property};
//!
//! property::check(16, generate::scenario(), |scenario| {
//!     judge::run(&scenario, &mut PlainStore::default()).map(drop)
//! });
//! ```
#![deny(unsafe_code)]

pub mod clock;
pub mod commits;
pub mod file;
pub mod generate;
pub mod judge;
pub mod plain;
pub mod power;
pub mod property;
pub mod reference;
pub mod stepped;
#[expect(
    unsafe_code,
    reason = "SQLite's VFS and allocator are tables of C functions"
)]
pub mod vfs;
