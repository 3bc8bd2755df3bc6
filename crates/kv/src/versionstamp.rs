use std::fmt;
use std::str::FromStr;

/// The number of the commit that wrote a row: greater for every later commit of a store.
///
/// Its text form is 20 lower-case hex digits: the number as 8 bytes, big-endian, and two zero
/// bytes. Text order is number order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Versionstamp(pub u64);

/// The text is not 20 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a versionstamp is 20 hex digits")]
pub struct VersionstampError;

/// Hex digits of a versionstamp, and how many of them are the number.
const DIGITS: usize = 20;
const NUMBER_DIGITS: usize = 16;

impl Versionstamp {
    /// What a well-formed stamp of another kind of store (last two bytes not zero) reads as.
    /// No commit is ever given it, so a check for it fails, as it does in Deno.
    pub const FOREIGN: Versionstamp = Versionstamp(u64::MAX);

    /// The text form in ASCII.
    pub fn to_hex(self) -> [u8; DIGITS] {
        let mut digits = [b'0'; DIGITS];
        for (place, digit) in digits[..NUMBER_DIGITS].iter_mut().enumerate() {
            let nibble = self.0 >> (4 * (NUMBER_DIGITS - 1 - place)) & 0xf;
            *digit = b"0123456789abcdef"[nibble as usize];
        }
        digits
    }

    /// Reads a stamp as a check may bring it, as Deno does: exactly 20 hex digits of either case.
    ///
    /// # Errors
    ///
    /// [`VersionstampError`] for any other text.
    pub fn parse(text: &str) -> Result<Versionstamp, VersionstampError> {
        let (number, tail) = text
            .as_bytes()
            .split_at_checked(NUMBER_DIGITS)
            .ok_or(VersionstampError)?;
        if text.len() != DIGITS {
            return Err(VersionstampError);
        }
        match (hex(number)?, hex(tail)?) {
            (number, 0) => Ok(Versionstamp(number)),
            _ => Ok(Versionstamp::FOREIGN),
        }
    }
}

fn hex(digits: &[u8]) -> Result<u64, VersionstampError> {
    digits.iter().try_fold(0, |number, digit| {
        let nibble = char::from(*digit).to_digit(16).ok_or(VersionstampError)?;
        Ok(number << 4 | u64::from(nibble))
    })
}

impl FromStr for Versionstamp {
    type Err = VersionstampError;

    fn from_str(text: &str) -> Result<Versionstamp, VersionstampError> {
        Versionstamp::parse(text)
    }
}

impl fmt::Display for Versionstamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}0000", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_20_digits_in_the_order_of_the_numbers() {
        let numbers = [0, 1, 0x9f, 0xff, 0x100, 1 << 40, i64::MAX as u64, u64::MAX];
        let texts = numbers.map(|number| Versionstamp(number).to_string());
        assert!(texts.is_sorted());
        assert_eq!(texts[2], "000000000000009f0000");
        for (number, text) in numbers.iter().zip(&texts) {
            assert_eq!(Versionstamp(*number).to_hex(), text.as_bytes());
            assert_eq!(Versionstamp::parse(text), Ok(Versionstamp(*number)));
        }
    }

    #[test]
    fn reading_takes_what_deno_takes() {
        let upper = "000000000000ABCD0000".parse();
        assert_eq!(upper, Ok(Versionstamp(0xabcd)));
        for foreign in [
            "00000000000000010001",
            "aaaaaaaaaaaaaaaaaaaa",
            "0000000000000001000A",
        ] {
            assert_eq!(
                Versionstamp::parse(foreign),
                Ok(Versionstamp::FOREIGN),
                "{foreign}"
            );
        }
        let refused = [
            "",
            "0000000000000000000",
            "000000000000000000000",
            "g0000000000000000000",
            "0000000000000000000g",
            "+0000000000000010000",
            "0x000000000000000100",
            " 000000000000000100 ",
            "é000000000000000000",
            "000000000000000é000",
        ];
        for text in refused {
            assert_eq!(Versionstamp::parse(text), Err(VersionstampError), "{text}");
        }
    }
}
