//! What a store keeps under a key, and until when.

use crate::Versionstamp;

/// How the bytes of a value are to be read: the number stored beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// 1: V8's structured-clone format.
    V8,
    /// 2: an unsigned 64-bit integer, 8 bytes, little-endian.
    U64,
    /// 3: the bytes of a `Uint8Array` themselves.
    Bytes,
    /// A number that nobody writes today. Kept as it is; whoever reads the value reports it.
    Unknown(i64),
}

impl Encoding {
    /// The number that is stored.
    pub fn number(self) -> i64 {
        match self {
            Encoding::V8 => 1,
            Encoding::U64 => 2,
            Encoding::Bytes => 3,
            Encoding::Unknown(number) => number,
        }
    }

    /// The encoding of a stored number.
    pub fn from_number(number: i64) -> Encoding {
        match number {
            1 => Encoding::V8,
            2 => Encoding::U64,
            3 => Encoding::Bytes,
            _ => Encoding::Unknown(number),
        }
    }
}

/// A value as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValue {
    /// How to read the bytes.
    pub encoding: Encoding,
    /// The bytes; their number is what limits count.
    pub bytes: Vec<u8>,
}

impl StoredValue {
    /// The value of a `KvU64`.
    pub fn from_u64(number: u64) -> StoredValue {
        StoredValue {
            encoding: Encoding::U64,
            bytes: number.to_le_bytes().to_vec(),
        }
    }

    /// The number, if this is a well-formed `KvU64`.
    pub fn as_u64(&self) -> Option<u64> {
        match self.encoding {
            Encoding::U64 => Some(u64::from_le_bytes(self.bytes.as_slice().try_into().ok()?)),
            _ => None,
        }
    }
}

/// What a store keeps under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The value.
    pub value: StoredValue,
    /// The commit that wrote it.
    pub version: Versionstamp,
    /// From when on it is absent, in milliseconds since 1970; never if `None`.
    pub expires_at: Option<i64>,
}

impl Row {
    /// Whether it is there at `now`, in milliseconds since 1970.
    pub fn is_live(&self, now: i64) -> bool {
        self.expires_at.is_none_or(|expires_at| now < expires_at)
    }
}

/// The latest time, in milliseconds since 1970, that a row can expire at: 2^53 - 1, the greatest
/// integer that every JavaScript number below it can count to.
pub const MAX_TIME_MS: i64 = (1 << 53) - 1;

/// An entry would expire after [`MAX_TIME_MS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{now} ms and {expire_in} ms more is past 2^53 - 1 ms")]
pub struct ExpiryTooFar {
    /// The time of the call, in milliseconds since 1970.
    pub now: i64,
    /// The time to live that was asked for, in milliseconds.
    pub expire_in: u64,
}

/// When an entry that was given `expire_in` milliseconds at `now` is absent. Never below 0,
/// whatever the clock says, because files store -1 for "never".
///
/// # Errors
///
/// [`ExpiryTooFar`].
pub fn expires_at(now: i64, expire_in: u64) -> Result<i64, ExpiryTooFar> {
    now.checked_add_unsigned(expire_in)
        .filter(|time| *time <= MAX_TIME_MS)
        .map(|time| time.max(0))
        .ok_or(ExpiryTooFar { now, expire_in })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_keeps_its_number() {
        for number in [i64::MIN, -1, 0, 1, 2, 3, 4, i64::MAX] {
            assert_eq!(Encoding::from_number(number).number(), number);
        }
        assert_eq!(Encoding::from_number(4), Encoding::Unknown(4));
    }

    #[test]
    fn expiry_is_never_below_zero_and_never_past_the_greatest_safe_integer() {
        assert_eq!(expires_at(1_000, 0), Ok(1_000));
        assert_eq!(expires_at(1_000, 50), Ok(1_050));
        assert_eq!(expires_at(-1_000, 50), Ok(0));
        assert_eq!(expires_at(i64::MIN, 0), Ok(0));
        assert_eq!(expires_at(0, MAX_TIME_MS as u64), Ok(MAX_TIME_MS));
        for (now, expire_in) in [(1, MAX_TIME_MS as u64), (i64::MAX, 0), (0, u64::MAX)] {
            assert_eq!(
                expires_at(now, expire_in),
                Err(ExpiryTooFar { now, expire_in })
            );
        }
    }
}
