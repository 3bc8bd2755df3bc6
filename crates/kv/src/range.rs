//! Which keys a list covers, and where it goes on.

#[cfg(test)]
mod tests;

use crate::{Key, base64url};

/// What a caller asks to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// Keys that have all parts of `prefix` and at least one more.
    Prefix {
        /// The parts in common; may be empty, which selects every key.
        prefix: Key,
        /// The first key; must be under the prefix.
        start: Option<Key>,
        /// The first key past the last; must be under the prefix.
        end: Option<Key>,
    },
    /// Keys from `start` to below `end`.
    Range {
        /// The first key; may be empty.
        start: Key,
        /// The first key past the last; may be empty.
        end: Key,
    },
}

/// Why a selector selects nothing that makes sense. Each is a TypeError in Deno too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// `start` is not under the prefix.
    #[error("the start key is not under the prefix")]
    StartOutsidePrefix,
    /// `end` is not under the prefix.
    #[error("the end key is not under the prefix")]
    EndOutsidePrefix,
    /// `start` is greater than `end`.
    #[error("the start key is greater than the end key")]
    StartAfterEnd,
}

impl Selector {
    /// Every key under `prefix`.
    pub fn prefix(prefix: Key) -> Selector {
        Selector::Prefix {
            prefix,
            start: None,
            end: None,
        }
    }

    /// The range of key bytes that this selects.
    ///
    /// Two differences from Deno: a prefix with both `start` and `end` is accepted, and means what
    /// it says; "under the prefix" is about parts, where Deno compares bytes and so takes
    /// `["p\0b"]` to be under `["p"]`.
    ///
    /// # Errors
    ///
    /// [`SelectorError`].
    pub fn range(&self) -> Result<KeyRange, SelectorError> {
        let range = match self {
            Selector::Prefix { prefix, start, end } => {
                if start.as_ref().is_some_and(|start| !start.is_under(prefix)) {
                    return Err(SelectorError::StartOutsidePrefix);
                }
                if end.as_ref().is_some_and(|end| !end.is_under(prefix)) {
                    return Err(SelectorError::EndOutsidePrefix);
                }
                let bound = |key: &Option<Key>, tag: u8| match key {
                    Some(key) => key.as_bytes().to_vec(),
                    None => [prefix.as_bytes(), &[tag]].concat(),
                };
                // Every tag lies between these two.
                KeyRange {
                    start: bound(start, 0x00),
                    end: bound(end, 0xff),
                }
            }
            Selector::Range { start, end } => KeyRange {
                start: start.as_bytes().to_vec(),
                end: end.as_bytes().to_vec(),
            },
        };
        if range.start > range.end {
            return Err(SelectorError::StartAfterEnd);
        }
        Ok(range)
    }
}

/// Encoded keys from `start` to below `end`, in byte order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The lowest bytes inside.
    pub start: Vec<u8>,
    /// The lowest bytes past the end.
    pub end: Vec<u8>,
}

/// Why a text is no cursor of a range. Each is a TypeError in Deno too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// Not base64url with padding.
    #[error("the cursor is not base64url")]
    Malformed,
    /// It points before the start of the range, or past its end.
    #[error("the cursor lies outside the range")]
    OutOfRange,
}

impl KeyRange {
    /// Whether a key with these bytes is inside.
    pub fn contains(&self, key: &[u8]) -> bool {
        *self.start <= *key && *key < *self.end
    }

    /// Whether no key is inside.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    /// What is left of this range after the key that `cursor` names: the keys above it, or, when
    /// listing in `reverse`, those below. The empty cursor, which Deno gives before the first
    /// entry, leaves all. The key need not exist, so a cursor outlives its entry.
    ///
    /// `self` must be the range of the list's selector, the one that the cursor was made with.
    ///
    /// # Errors
    ///
    /// [`CursorError`]. A cursor beyond the far end leaves an empty range, as in Deno; one before
    /// the near end is out of range. (Deno lets a reverse cursor escape the end of a bare prefix.)
    pub fn after_cursor(&self, cursor: &str, reverse: bool) -> Result<KeyRange, CursorError> {
        if cursor.is_empty() {
            return Ok(self.clone());
        }
        let tail = base64url::decode(cursor).ok_or(CursorError::Malformed)?;
        let common = self.common_prefix();
        let tail = match tail.strip_prefix(&ESCAPE) {
            Some(escaped) if common == self.start && is_escaped(escaped) => escaped,
            _ => &tail,
        };
        let mut key = [common, tail].concat();
        if reverse {
            if key > self.end {
                return Err(CursorError::OutOfRange);
            }
            Ok(KeyRange {
                start: self.start.clone(),
                end: key,
            })
        } else {
            // The lowest bytes above the key.
            key.push(0);
            if key < self.start {
                return Err(CursorError::OutOfRange);
            }
            Ok(KeyRange {
                start: key,
                end: self.end.clone(),
            })
        }
    }

    /// The bytes that start and end have in common; every key inside begins with them.
    fn common_prefix(&self) -> &[u8] {
        let len = self
            .start
            .iter()
            .zip(&self.end)
            .take_while(|(a, b)| a == b)
            .count();
        &self.start[..len]
    }
}

/// Stands in a cursor before what would otherwise be no cursor: the start key of a range whose
/// every key begins with it, as from `["a"]` to `["a", 1]`, has no byte of its own. In such a range
/// no key goes on with a zero, so whatever begins with one is escaped.
const ESCAPE: [u8; 1] = [0];

/// Whether what is left of a key has [`ESCAPE`] before it, in a range that begins where all do.
fn is_escaped(tail: &[u8]) -> bool {
    matches!(tail, [] | [0, ..])
}

/// The cursor that names `key`, one inside `range`: base64url of its bytes without those that
/// every key of the range begins with, as Deno makes it. Never empty: where no byte is left Deno's
/// cursor is the empty one, and starts the list again; ours holds one zero byte, after which Deno
/// goes on as it should when listing forward.
///
/// `range` must be the range of the list's selector, not what [`KeyRange::after_cursor`] left.
/// `key` may be bytes that are no key, as a damaged file holds: a list goes on past them.
pub fn encode_cursor(range: &KeyRange, key: &[u8]) -> String {
    debug_assert!(range.contains(key), "a cursor names a key of its range");
    let common = range.common_prefix();
    let tail = key.get(common.len()..).unwrap_or_default();
    if common == range.start && is_escaped(tail) {
        return base64url::encode(&[&ESCAPE, tail].concat());
    }
    base64url::encode(tail)
}
