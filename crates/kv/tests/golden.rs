//! What real Deno 2.9.6 does, as `golden/generate.ts` wrote it down: key bytes, cursors, selectors.

use std::collections::BTreeSet;

use fencekv_kv::{
    CursorError, Key, KeyRange, KeyWriter, Part, Selector, SelectorError, encode_cursor, parts,
};

const KEYS: &str = include_str!("golden/keys.txt");
const CURSORS: &str = include_str!("golden/cursors.txt");
const SELECTORS: &str = include_str!("golden/selectors.txt");

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .map(|digit| digit.to_digit(16).expect("a hex digit") as u8)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key that the notation of `generate.ts` stands for.
fn key(notation: &str) -> Key {
    let parts = notation
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let parts = parts.expect("a key in brackets");
    let mut writer = KeyWriter::new();
    for part in parts.split(',').filter(|part| !part.is_empty()) {
        let (kind, rest) = part.split_at(1);
        match kind {
            "b" => writer.push_bytes(&bytes(rest)),
            "s" => writer.push_str(str::from_utf8(&bytes(rest)).expect("UTF-8")),
            "n" => {
                let bits = u64::from_str_radix(rest, 16).expect("the bits of a double");
                writer.push_number(f64::from_bits(bits));
            }
            "i" => {
                let (sign, magnitude) = rest.split_at(1);
                writer
                    .push_bigint(sign == "-", &bytes(magnitude))
                    .expect("at most 255 bytes");
            }
            _ => writer.push_bool(kind == "t"),
        }
    }
    writer.finish()
}

/// The inverse of [`key`].
fn notation(key: &[u8]) -> String {
    let parts = parts(key).map(|part| match part.expect("a key of Deno's decodes") {
        Part::Bytes(bytes) => format!("b{}", hex(&bytes)),
        Part::String(text) => format!("s{}", hex(text.as_bytes())),
        Part::Number(number) => format!("n{:016x}", number.to_bits()),
        Part::BigInt {
            negative,
            magnitude_be,
        } => {
            format!(
                "i{}{}",
                if negative { '-' } else { '+' },
                hex(&magnitude_be)
            )
        }
        Part::Bool(value) => String::from(if value { "t" } else { "f" }),
    });
    format!("[{}]", parts.collect::<Vec<_>>().join(","))
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().map(|line| line.split('\t').collect())
}

/// Every key that was there for Deno to list: those without a negative NaN.
fn stored() -> BTreeSet<Vec<u8>> {
    let keys = rows(KEYS).filter(|row| !row[1].ends_with("210007ffffffffffff"));
    keys.map(|row| bytes(row[1])).collect()
}

fn selector(prefix: &str, start: &str, end: &str) -> Selector {
    let optional = |notation: &str| (notation != "-").then(|| key(notation));
    match optional(prefix) {
        Some(prefix) => Selector::Prefix {
            prefix,
            start: optional(start),
            end: optional(end),
        },
        None => Selector::Range {
            start: key(start),
            end: key(end),
        },
    }
}

/// The keys of `stored` in `range`, in the order of a list.
fn list(stored: &BTreeSet<Vec<u8>>, range: &KeyRange, reverse: bool) -> Vec<String> {
    let mut found: Vec<_> = stored
        .iter()
        .filter(|key| range.contains(key))
        .map(|key| notation(key))
        .collect();
    if reverse {
        found.reverse();
    }
    found
}

#[test]
fn keys_have_denos_bytes() {
    let mut count = 0;
    for row in rows(KEYS) {
        let [written, expected] = row[..] else {
            panic!("two columns: {row:?}")
        };
        let key = key(written);
        assert_eq!(hex(key.as_bytes()), expected, "{written}");
        assert_eq!(self::key(&notation(&bytes(expected))), key, "{written}");
        assert_eq!(Key::from_encoded(bytes(expected)), Ok(key), "{written}");
        count += 1;
    }
    assert_eq!(count, 282);
}

#[test]
fn cursors_are_denos() {
    let stored = stored();
    let mut count = 0;
    for row in rows(CURSORS) {
        let [prefix, start, end, direction, at, cursor, next] = row[..] else {
            panic!("seven columns: {row:?}")
        };
        let range = selector(prefix, start, end)
            .range()
            .expect("Deno listed it");
        // Where Deno's cursor is the empty one we differ: see `encode_cursor`.
        let cursor = if cursor.is_empty() { "AA==" } else { cursor };
        assert_eq!(encode_cursor(&range, key(at).as_bytes()), cursor, "{row:?}");
        let reverse = direction == "reverse";
        let rest = range
            .after_cursor(cursor, reverse)
            .expect("a cursor of Deno's");
        let found = list(&stored, &rest, reverse);
        assert_eq!(found.first().map_or("-", String::as_str), next, "{row:?}");
        count += 1;
    }
    assert_eq!(count, 374);
}

#[test]
fn selectors_and_forged_cursors_do_what_they_do_in_deno() {
    let stored = stored();
    let mut count = 0;
    for row in rows(SELECTORS) {
        let [prefix, start, end, direction, cursor, ref expected @ ..] = row[..] else {
            panic!("five columns and a result: {row:?}")
        };
        let reverse = direction == "reverse";
        let cursor = String::from_utf8(bytes(cursor)).expect("UTF-8");
        let range = selector(prefix, start, end).range();
        let result = match range.map(|range| range.after_cursor(&cursor, reverse)) {
            Err(SelectorError::StartOutsidePrefix) => vec!["start-outside-prefix".into()],
            Err(SelectorError::EndOutsidePrefix) => vec!["end-outside-prefix".into()],
            Err(SelectorError::StartAfterEnd) => vec!["start-after-end".into()],
            Ok(Err(CursorError::Malformed)) => vec!["malformed-cursor".into()],
            Ok(Err(CursorError::OutOfRange)) => vec!["cursor-out-of-range".into()],
            Ok(Ok(range)) => {
                let found = list(&stored, &range, reverse);
                let end = |key: Option<&String>| key.cloned().unwrap_or("-".into());
                vec![
                    found.len().to_string(),
                    end(found.first()),
                    end(found.last()),
                ]
            }
        };
        assert_eq!(result, expected, "{row:?}");
        count += 1;
    }
    assert_eq!(count, 252);
}
