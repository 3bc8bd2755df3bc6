//! The embedded store by its public face: one area a module.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod caller;
mod closing;
mod copies;
mod files;
mod groups;
mod moved;
mod reads;
mod sweeping;
mod turns;
mod waiting;
