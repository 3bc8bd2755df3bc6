use std::cmp::Ordering;

use fencekv_kv::KeyWriter;

/// A key: compared part by part, and a shorter one sorts before its extensions, as `Vec` has it.
pub type Key = Vec<Part>;

/// One part of a key, with the order of parts as it is documented, not as it is encoded.
#[derive(Debug, Clone)]
pub enum Part {
    /// Compared bytewise.
    Bytes(Vec<u8>),
    /// Compared bytewise in UTF-8.
    String(String),
    /// Compared numerically; -0 below 0; a NaN with its sign set below all, any other above.
    Number(f64),
    /// Compared numerically.
    BigInt {
        /// Whether it is below zero; zero itself is not.
        negative: bool,
        /// The absolute value, big-endian, without leading zeros.
        magnitude: Vec<u8>,
    },
    /// False below true.
    Bool(bool),
}

impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        match (self, other) {
            (Part::Bytes(a), Part::Bytes(b)) => a.cmp(b),
            (Part::String(a), Part::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Part::Number(a), Part::Number(b)) => compare_numbers(*a, *b),
            (
                Part::BigInt {
                    negative: a_negative,
                    magnitude: a,
                },
                Part::BigInt {
                    negative: b_negative,
                    magnitude: b,
                },
            ) => match (a_negative, b_negative) {
                (false, true) => Ordering::Greater,
                (true, false) => Ordering::Less,
                (false, false) => compare_magnitudes(a, b),
                (true, true) => compare_magnitudes(b, a),
            },
            (Part::Bool(a), Part::Bool(b)) => a.cmp(b),
            _ => self.kind().cmp(&other.kind()),
        }
    }
}

impl Part {
    fn kind(&self) -> u8 {
        match self {
            Part::Bytes(_) => 0,
            Part::String(_) => 1,
            Part::BigInt { .. } => 2,
            Part::Number(_) => 3,
            Part::Bool(_) => 4,
        }
    }
}

fn compare_magnitudes(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn compare_numbers(a: f64, b: f64) -> Ordering {
    let end = |number: f64| match (number.is_nan(), number.is_sign_negative()) {
        (true, true) => -1,
        (false, _) => 0,
        (true, false) => 1,
    };
    end(a).cmp(&end(b)).then_with(|| match a.partial_cmp(&b) {
        Some(Ordering::Equal) => b.is_sign_negative().cmp(&a.is_sign_negative()),
        Some(order) => order,
        // Two NaN of one sign.
        None => Ordering::Equal,
    })
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Part {}

/// Whether `key` has all parts of `prefix` and at least one more.
pub fn is_under(key: &Key, prefix: &Key) -> bool {
    key.len() > prefix.len() && key.starts_with(prefix)
}

/// The key as `fencekv-kv` writes it.
///
/// # Panics
///
/// If a bigint has more than 255 bytes.
pub fn encode(key: &Key) -> fencekv_kv::Key {
    let mut writer = KeyWriter::new();
    for part in key {
        match part {
            Part::Bytes(bytes) => writer.push_bytes(bytes),
            Part::String(text) => writer.push_str(text),
            Part::Number(number) => writer.push_number(*number),
            Part::BigInt {
                negative,
                magnitude,
            } => {
                writer
                    .push_bigint(*negative, magnitude)
                    .expect("at most 255 bytes");
            }
            Part::Bool(value) => writer.push_bool(*value),
        }
    }
    writer.finish()
}

/// The key as `fencekv-kv` reads it.
///
/// # Panics
///
/// If it does not.
pub fn decode(encoded: &[u8]) -> Key {
    let parts = fencekv_kv::parts(encoded).map(|part| match part.expect("an encoded key") {
        fencekv_kv::Part::Bytes(bytes) => Part::Bytes(bytes.into_owned()),
        fencekv_kv::Part::String(text) => Part::String(text.into_owned()),
        fencekv_kv::Part::Number(number) => Part::Number(number),
        fencekv_kv::Part::BigInt {
            negative,
            magnitude_be,
        } => Part::BigInt {
            negative,
            magnitude: magnitude_be,
        },
        fencekv_kv::Part::Bool(value) => Part::Bool(value),
    });
    parts.collect()
}
