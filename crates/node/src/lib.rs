//! The binding: it converts and calls, nothing else.
//!
//! - `js`: reading and making JS values, the one place with unsafe calls to Node-API
//! - `key`, `commit`: arguments into the terms of `fencekv_kv`
//! - `reply`: answers and entries into JS values
//! - `failure`: every error into what `js/errors.js` makes an error of
//! - `store`: the class that JavaScript holds
//! - `mailbox`: how answers get back to it
//! - `limits`: the limits by name
//! - `clock`: the real clock, handed to the engine

mod clock;
mod commit;
mod failure;
mod js;
mod key;
mod limits;
mod mailbox;
mod reply;
mod store;
