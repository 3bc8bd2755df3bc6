//! The embedded store by its public face: one area a module.

mod caller;
mod closing;
mod files;
mod groups;
mod reads;
mod sweeping;
mod waiting;
