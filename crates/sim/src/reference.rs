//! The store as a model: a sorted map of decoded keys.

mod key;
mod selector;
mod store;

pub use key::{Key, Part, decode, encode, is_under};
pub use selector::Selector;
pub use store::{Check, Commit, Entry, List, Mutation, Outcome, Reference, Value};
