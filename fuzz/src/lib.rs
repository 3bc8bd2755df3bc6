//! What is done with bytes that a stranger may have brought. For development only.
//!
//! A *target* is a function that takes any bytes and panics when a promise of `fencekv-kv` does not
//! hold for them. The programs in `fuzz_targets/` hand the targets to libFuzzer
//! (`npm run fuzz`); `tests/corpus.rs` runs them over `corpus/`, and over seeded mutations of it,
//! with nothing but stable Rust.
//!
//! | target | takes | promises |
//! | --- | --- | --- |
//! | [`key`] | the bytes of a key | parts or an error; the same bytes again; the order of the parts |
//! | [`selector`] | [a selector](Input), a key | the keys that the model selects, or its error |
//! | [`cursor`] | a direction, [a selector](Input), a cursor | a place inside the range or an error |
//! | [`versionstamp`] | a text | 20 hex digits or an error |
//! | [`row`] | the columns of a row | arithmetic or an error, and an expiry in range |
#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

mod cursor;
mod input;
mod key;
mod row;
mod selector;
mod versionstamp;

pub use cursor::cursor;
pub use input::Input;
pub use key::key;
pub use row::row;
pub use selector::selector;
pub use versionstamp::versionstamp;

/// A target and its name, which is that of its folder under `corpus/`.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 5] = [
    ("key", key),
    ("selector", selector),
    ("cursor", cursor),
    ("versionstamp", versionstamp),
    ("row", row),
];
