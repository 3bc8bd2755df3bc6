use fencekv_sim::reference::{Key, Selector, decode};

use crate::key::leading_key;

/// Takes a fuzzer's bytes apart, front to back. Where they end, zeros follow.
///
/// A selector is a byte of bits (1 it has a start, 2 it has an end, 4 it has no prefix) and the
/// three keys, each with a byte of length before it and read as far as it is a key.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Takes nothing yet.
    pub fn new(data: &'a [u8]) -> Input<'a> {
        Input(data)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or_default()
    }

    /// The next 8 bytes, little-endian.
    pub fn number(&mut self) -> u64 {
        let mut number = [0; 8];
        let bytes = self.take(number.len());
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    }

    /// The next selector.
    pub fn selector(&mut self) -> Selector {
        const START: u8 = 1;
        const END: u8 = 2;
        const NO_PREFIX: u8 = 4;
        let bits = self.byte();
        let [prefix, start, end] = [self.key(), self.key(), self.key()];
        if bits & NO_PREFIX != 0 {
            return Selector::Range { start, end };
        }
        Selector::Prefix {
            prefix,
            start: (bits & START != 0).then_some(start),
            end: (bits & END != 0).then_some(end),
        }
    }

    /// All that is left.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    fn key(&mut self) -> Key {
        let len = self.byte();
        decode(leading_key(self.take(usize::from(len))).as_bytes())
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        taken
    }
}
