//! Keys as bytes: the subset of FoundationDB's tuple layer that Deno writes.
//!
//! A key is its parts one after another, each a tag byte and a body. Comparing the bytes of two
//! keys compares the keys: the tags put bytes before strings before bigints before numbers before
//! booleans, and every body is written so that byte order is value order.
//!
//! | tag | part | body |
//! | --- | --- | --- |
//! | `01` | bytes | the bytes, `00` as `00 FF`, then `00` |
//! | `02` | string | its UTF-8, `00` as `00 FF`, then `00` |
//! | `0b` | bigint below -(2^64 - 1) | one's complement of the length byte and of the magnitude |
//! | `0c`..`13` | bigint of 8..1 bytes, negative | one's complement of the magnitude |
//! | `14` | bigint zero | none |
//! | `15`..`1c` | bigint of 1..8 bytes | the magnitude, big-endian, no leading zero |
//! | `1d` | bigint above 2^64 - 1 | a length byte and the magnitude |
//! | `21` | number | IEEE 754 big-endian; all bits flipped if negative, else the sign bit |
//! | `26`, `27` | false, true | none |

mod parts;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;

use crate::Versionstamp;

pub use parts::{Part, Parts, parts};
pub use writer::KeyWriter;

const BYTES: u8 = 0x01;
const STRING: u8 = 0x02;
/// Tag of a negative bigint longer than [`SHORT_BIGINT_BYTES`].
const BIGINT_LONG_NEGATIVE: u8 = 0x0b;
/// Tag of the bigint zero; a shorter bigint of n bytes has this tag plus or minus n.
const BIGINT_ZERO: u8 = 0x14;
/// Tag of a positive bigint longer than [`SHORT_BIGINT_BYTES`].
const BIGINT_LONG_POSITIVE: u8 = 0x1d;
const NUMBER: u8 = 0x21;
const FALSE: u8 = 0x26;
const TRUE: u8 = 0x27;

/// Ends the body of bytes and strings.
const END: u8 = 0x00;
/// Follows a zero byte that belongs to a body. No tag is as high, so a body that goes on with
/// a zero sorts after the end of a shorter one.
const ESCAPE: u8 = 0xff;

/// The longest magnitude, in bytes, that the tag alone gives the length of.
const SHORT_BIGINT_BYTES: usize = 8;
/// The longest magnitude, in bytes, that a key part can have: its length is one byte.
const MAX_BIGINT_BYTES: usize = 255;

/// The order-preserving bits of a number. Every NaN of one sign is the same key part, as in Deno.
fn number_to_bits(number: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    const QUIET_NAN: u64 = 0x7ff8_0000_0000_0000;
    let bits = if number.is_nan() {
        number.to_bits() & SIGN | QUIET_NAN
    } else {
        number.to_bits()
    };
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The inverse of [`number_to_bits`].
fn number_from_bits(bits: u64) -> f64 {
    const SIGN: u64 = 1 << 63;
    f64::from_bits(if bits & SIGN == 0 {
        !bits
    } else {
        bits & !SIGN
    })
}

/// Why bytes are no key, or parts make none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of the key: {kind}")]
pub struct KeyError {
    /// Offset, in bytes, of the tag of the part at fault.
    pub at: usize,
    /// What is wrong there.
    pub kind: KeyErrorKind,
}

/// The kinds of [`KeyError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyErrorKind {
    /// The tag belongs to no part.
    #[error("no part has the tag 0x{0:02x}")]
    UnknownTag(u8),
    /// The bytes end inside a part.
    #[error("the part is cut off")]
    Truncated,
    /// A string part is not UTF-8.
    #[error("the string is not UTF-8")]
    NotUtf8,
    /// The part reads as a value, but [`KeyWriter`] writes that value otherwise, so the bytes
    /// would never be found again.
    #[error("the part is not in its shortest form")]
    NotCanonical,
    /// A bigint's magnitude does not fit in 255 bytes.
    #[error("a bigint of {0} bytes; at most 255 fit in a key")]
    BigIntTooLong(usize),
}

/// An encoded key. Its byte order is the order of keys.
///
/// The empty key is the prefix of all; it names no entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key(Vec<u8>);

impl Key {
    /// Takes bytes that a store or a peer brought, if they are exactly what [`KeyWriter`] writes
    /// for some parts.
    ///
    /// # Errors
    ///
    /// [`KeyError`] names the first part that is not.
    pub fn from_encoded(bytes: Vec<u8>) -> Result<Key, KeyError> {
        parts(&bytes).try_for_each(|part| part.map(drop))?;
        Ok(Key(bytes))
    }

    /// The encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The encoded bytes, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The length in encoded bytes, which is what limits count.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the key has no part.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parts in order. Never yields an error.
    pub fn parts(&self) -> Parts<'_> {
        parts(&self.0)
    }

    /// Whether `self` has all parts of `prefix` and at least one more.
    ///
    /// This is about parts: the bytes of `["p\0b"]` begin with those of `["p"]`, and it is not
    /// under it.
    pub fn is_under(&self, prefix: &Key) -> bool {
        match self.0.strip_prefix(prefix.as_bytes()) {
            Some([next, ..]) => *next != ESCAPE,
            _ => false,
        }
    }

    /// This key with one part more: the versionstamp's 20 hex digits as a string.
    #[must_use]
    pub fn with_versionstamp(&self, versionstamp: Versionstamp) -> Key {
        let digits = versionstamp.to_hex();
        let mut bytes = Vec::with_capacity(self.0.len() + digits.len() + 2);
        bytes.extend_from_slice(&self.0);
        bytes.push(STRING);
        bytes.extend_from_slice(&digits);
        bytes.push(END);
        Key(bytes)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts().flatten()).finish()
    }
}
