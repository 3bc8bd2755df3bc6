//! SQLite's default VFS, with a witness and a saboteur in its way.
//!
//! [`install`] makes it the process's default, so that the engine under test knows nothing of it.
//! The files are the real ones; what is done to a database, its log and its rollback journal is
//! also written down where a [`Recording`] was asked for, and fails where a [`Plan`] says so.
//!
//! A plan is a thread's: it strikes the connection that this thread opened last, which must stay
//! on the thread, as a writer's does. All else in the process goes on undisturbed.
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod allocator;
mod connection;
mod fault;
mod file;
mod recording;

use std::sync::Once;

pub use connection::pragma;
pub use fault::{Damage, Fault, Plan, arm, disarm};
pub use recording::{Act, Event, Part, Recording};

/// The name of SQLite's own VFS, for a look at a file that is neither recorded nor disturbed.
pub const UNDISTURBED: &str = "unix";

/// Makes this VFS the default of the process. Safe to repeat; only the first call does anything.
///
/// # Panics
///
/// If the process has used SQLite before: its allocator cannot be changed any more.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        allocator::install();
        file::install();
    });
}
