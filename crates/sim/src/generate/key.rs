use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::reference::{Key, Part};

/// Numbers at which an order or an encoding could go wrong.
const NUMBERS: [f64; 19] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    2.0,
    10.0,
    255.0,
    256.0,
    -256.0,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    9_007_199_254_740_991.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Characters at which an escape or an order could go wrong: some of each length in UTF-8.
const CHARS: [char; 12] = [
    '\0',
    '\u{1}',
    'a',
    'b',
    '\u{7f}',
    '\u{80}',
    'ÿ',
    '\u{7ff}',
    '\u{ffff}',
    '\u{10000}',
    '😀',
    '\u{10ffff}',
];

/// A part of any type.
pub fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        2 => bytes().prop_map(Part::Bytes),
        4 => string().prop_map(Part::String),
        4 => number().prop_map(Part::Number),
        3 => bigint(),
        1 => any::<bool>().prop_map(Part::Bool),
    ]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![3 => select(&[0x00, 0x01, 0x02, 0xfe, 0xff][..]), 1 => any::<u8>()];
    vec(byte, 0..5)
}

fn string() -> impl Strategy<Value = String> {
    let text = |len| vec(select(&CHARS[..]), len).prop_map(String::from_iter);
    prop_oneof![6 => text(0..4), 1 => text(80..120), 1 => vec(any::<char>(), 0..8).prop_map(String::from_iter)]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => select(&NUMBERS[..]),
        2 => (-3_i8..4).prop_map(f64::from),
        // Every NaN included, of both signs and with any payload.
        1 => any::<u64>().prop_map(f64::from_bits),
        1 => (0x7ff0_0000_0000_0001_u64..=u64::MAX >> 1, any::<bool>())
            .prop_map(|(bits, negative)| f64::from_bits(bits | u64::from(negative) << 63)),
    ]
}

fn bigint() -> impl Strategy<Value = Part> {
    let small = vec(any::<u8>(), 0..3);
    let near_a_boundary = (
        1..=255_usize,
        select(&[0x01, 0x7f, 0x80, 0xff][..]),
        any::<u8>(),
    )
        .prop_map(|(len, first, last)| {
            let mut magnitude = vec![first; len];
            magnitude[len - 1] = last;
            magnitude
        });
    let around_8_bytes = vec(select(&[0x00, 0x01, 0xff][..]), 7..10);
    (
        any::<bool>(),
        prop_oneof![3 => small, 1 => near_a_boundary, 1 => around_8_bytes],
    )
        .prop_map(|(negative, digits)| {
            let magnitude: Vec<u8> = digits.into_iter().skip_while(|byte| *byte == 0).collect();
            Part::BigInt {
                negative: negative && !magnitude.is_empty(),
                magnitude,
            }
        })
}

/// A key of one to three parts.
pub fn key() -> impl Strategy<Value = Key> {
    vec(part(), 1..4)
}

/// `count` keys of at least one part, of which many extend another.
pub fn keys(count: usize) -> impl Strategy<Value = Vec<Key>> {
    let grown = (option::of(0..count), vec(part(), 1..3));
    vec(grown, count).prop_map(|grown| {
        let mut keys: Vec<Key> = Vec::new();
        for (parent, tail) in grown {
            let mut key = parent
                .and_then(|parent| keys.get(parent).cloned())
                .unwrap_or_default();
            // Keeps keys well below what a store takes.
            key.truncate(3);
            key.extend(tail);
            keys.push(key);
        }
        keys
    })
}
