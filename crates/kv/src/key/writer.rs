use super::{
    BIGINT_LONG_NEGATIVE, BIGINT_LONG_POSITIVE, BIGINT_ZERO, BYTES, END, ESCAPE, FALSE, Key,
    KeyError, KeyErrorKind, MAX_BIGINT_BYTES, NUMBER, SHORT_BIGINT_BYTES, STRING, TRUE,
    number_to_bits,
};

/// Writes a key part by part into one buffer.
#[derive(Debug, Clone, Default)]
pub struct KeyWriter {
    bytes: Vec<u8>,
}

impl KeyWriter {
    /// A writer that holds no part yet.
    pub fn new() -> KeyWriter {
        KeyWriter::default()
    }

    /// A writer with room for `bytes` encoded bytes.
    pub fn with_capacity(bytes: usize) -> KeyWriter {
        KeyWriter {
            bytes: Vec::with_capacity(bytes),
        }
    }

    /// Appends a part of raw bytes, empty or not.
    pub fn push_bytes(&mut self, value: &[u8]) {
        self.bytes.push(BYTES);
        self.push_escaped(value);
    }

    /// Appends a string part.
    pub fn push_str(&mut self, value: &str) {
        self.bytes.push(STRING);
        self.push_escaped(value.as_bytes());
    }

    /// Appends a number part. -0 and 0 are different parts; all NaN of one sign are the same.
    pub fn push_number(&mut self, value: f64) {
        self.bytes.push(NUMBER);
        self.bytes
            .extend_from_slice(&number_to_bits(value).to_be_bytes());
    }

    /// Appends a bigint part, given as its sign and its magnitude, big-endian. Leading zero bytes
    /// do not count; a zero magnitude is zero whatever the sign.
    ///
    /// # Errors
    ///
    /// [`KeyErrorKind::BigIntTooLong`] if the magnitude takes more than 255 bytes, as in Deno. The
    /// writer is then unchanged.
    pub fn push_bigint(&mut self, negative: bool, magnitude_be: &[u8]) -> Result<(), KeyError> {
        let zeros = magnitude_be.iter().take_while(|byte| **byte == 0).count();
        let magnitude = &magnitude_be[zeros..];
        let len = magnitude.len();
        if len > MAX_BIGINT_BYTES {
            return Err(KeyError {
                at: self.bytes.len(),
                kind: KeyErrorKind::BigIntTooLong(len),
            });
        }
        // At most 255, so the cast keeps it.
        let len_byte = len as u8;
        match (len <= SHORT_BIGINT_BYTES, negative) {
            (true, false) => self.bytes.push(BIGINT_ZERO + len_byte),
            (true, true) => self.bytes.push(BIGINT_ZERO - len_byte),
            (false, false) => self
                .bytes
                .extend_from_slice(&[BIGINT_LONG_POSITIVE, len_byte]),
            (false, true) => self
                .bytes
                .extend_from_slice(&[BIGINT_LONG_NEGATIVE, !len_byte]),
        }
        if negative {
            self.bytes.extend(magnitude.iter().map(|byte| !byte));
        } else {
            self.bytes.extend_from_slice(magnitude);
        }
        Ok(())
    }

    /// Appends a boolean part.
    pub fn push_bool(&mut self, value: bool) {
        self.bytes.push(if value { TRUE } else { FALSE });
    }

    /// The key of the parts appended.
    pub fn finish(self) -> Key {
        Key(self.bytes)
    }

    fn push_escaped(&mut self, value: &[u8]) {
        self.bytes.reserve(value.len() + 1);
        let mut rest = value;
        while let Some(zero) = rest.iter().position(|byte| *byte == END) {
            self.bytes.extend_from_slice(&rest[..=zero]);
            self.bytes.push(ESCAPE);
            rest = &rest[zero + 1..];
        }
        self.bytes.extend_from_slice(rest);
        self.bytes.push(END);
    }
}
