use std::borrow::Cow;
use std::iter::FusedIterator;

use super::{
    BIGINT_LONG_NEGATIVE, BIGINT_LONG_POSITIVE, BIGINT_ZERO, BYTES, END, ESCAPE, FALSE, KeyError,
    KeyErrorKind, NUMBER, SHORT_BIGINT_BYTES, STRING, TRUE, number_from_bits, number_to_bits,
};

/// One part of a key, as decoded. Bytes and strings borrow unless they hold a zero byte.
#[derive(Debug, Clone, PartialEq)]
pub enum Part<'a> {
    /// Raw bytes.
    Bytes(Cow<'a, [u8]>),
    /// A string.
    String(Cow<'a, str>),
    /// A number; NaN has its sign and no payload.
    Number(f64),
    /// An integer of any size.
    BigInt {
        /// Whether it is below zero.
        negative: bool,
        /// Its absolute value, big-endian, without leading zeros: zero is empty. At most 255 bytes.
        magnitude_be: Vec<u8>,
    },
    /// A boolean.
    Bool(bool),
}

/// The parts of an encoded key, in order; made by [`parts`]. Ends after the first error.
#[derive(Debug, Clone)]
pub struct Parts<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Decodes a key that anybody may have written.
///
/// Yields a [`KeyError`] at the first part that [`KeyWriter`](super::KeyWriter) would not have
/// written just so, then ends.
pub fn parts(encoded: &[u8]) -> Parts<'_> {
    Parts {
        bytes: encoded,
        at: 0,
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Result<Part<'a>, KeyError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let (tag, body) = self.bytes.get(at..)?.split_first()?;
        match decode(*tag, body) {
            Ok((part, used)) => {
                self.at = at + 1 + used;
                Some(Ok(part))
            }
            Err(kind) => {
                self.at = self.bytes.len();
                Some(Err(KeyError { at, kind }))
            }
        }
    }
}

impl FusedIterator for Parts<'_> {}

/// The part that `tag` and the start of `body` make, and how many bytes of `body` it takes.
fn decode(tag: u8, body: &[u8]) -> Result<(Part<'_>, usize), KeyErrorKind> {
    const SHORT: u8 = SHORT_BIGINT_BYTES as u8;
    const SHORTEST_NEGATIVE: u8 = BIGINT_ZERO - SHORT;
    const SHORTEST_POSITIVE: u8 = BIGINT_ZERO + SHORT;
    match tag {
        BYTES => unescape(body).map(|(bytes, used)| (Part::Bytes(bytes), used)),
        STRING => {
            let (bytes, used) = unescape(body)?;
            Ok((Part::String(utf8(bytes)?), used))
        }
        SHORTEST_NEGATIVE..BIGINT_ZERO => bigint(true, usize::from(BIGINT_ZERO - tag), body),
        BIGINT_ZERO..=SHORTEST_POSITIVE => bigint(false, usize::from(tag - BIGINT_ZERO), body),
        BIGINT_LONG_NEGATIVE => long_bigint(true, body),
        BIGINT_LONG_POSITIVE => long_bigint(false, body),
        NUMBER => {
            let bits = body.first_chunk().ok_or(KeyErrorKind::Truncated)?;
            let bits = u64::from_be_bytes(*bits);
            let number = number_from_bits(bits);
            if number_to_bits(number) != bits {
                return Err(KeyErrorKind::NotCanonical);
            }
            Ok((Part::Number(number), size_of::<u64>()))
        }
        FALSE => Ok((Part::Bool(false), 0)),
        TRUE => Ok((Part::Bool(true), 0)),
        _ => Err(KeyErrorKind::UnknownTag(tag)),
    }
}

fn unescape(body: &[u8]) -> Result<(Cow<'_, [u8]>, usize), KeyErrorKind> {
    let mut unescaped: Vec<u8> = Vec::new();
    let mut from = 0;
    loop {
        let zero = body[from..].iter().position(|byte| *byte == END);
        let zero = from + zero.ok_or(KeyErrorKind::Truncated)?;
        if body.get(zero + 1) == Some(&ESCAPE) {
            unescaped.extend_from_slice(&body[from..=zero]);
            from = zero + 2;
        } else if from == 0 {
            return Ok((Cow::Borrowed(&body[..zero]), zero + 1));
        } else {
            unescaped.extend_from_slice(&body[from..zero]);
            return Ok((Cow::Owned(unescaped), zero + 1));
        }
    }
}

fn utf8(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, KeyErrorKind> {
    match bytes {
        Cow::Borrowed(bytes) => str::from_utf8(bytes).map(Cow::Borrowed).ok(),
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).ok(),
    }
    .ok_or(KeyErrorKind::NotUtf8)
}

fn long_bigint(negative: bool, body: &[u8]) -> Result<(Part<'_>, usize), KeyErrorKind> {
    let (len, magnitude) = body.split_first().ok_or(KeyErrorKind::Truncated)?;
    let len = usize::from(if negative { !len } else { *len });
    if len <= SHORT_BIGINT_BYTES {
        return Err(KeyErrorKind::NotCanonical);
    }
    let (part, used) = bigint(negative, len, magnitude)?;
    Ok((part, used + 1))
}

fn bigint(negative: bool, len: usize, body: &[u8]) -> Result<(Part<'_>, usize), KeyErrorKind> {
    let magnitude = body.get(..len).ok_or(KeyErrorKind::Truncated)?;
    let magnitude_be: Vec<u8> = if negative {
        magnitude.iter().map(|byte| !byte).collect()
    } else {
        magnitude.to_vec()
    };
    if magnitude_be.first() == Some(&0) {
        return Err(KeyErrorKind::NotCanonical);
    }
    Ok((
        Part::BigInt {
            negative,
            magnitude_be,
        },
        len,
    ))
}
