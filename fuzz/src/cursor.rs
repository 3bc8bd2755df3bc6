use fencekv_kv::{KeyRange, encode_cursor};

use crate::Input;

/// Reads the bytes as a direction (the lowest bit of a byte: whether it is reverse), a selector and
/// what is taken for a cursor, and also for a key in the selector's range.
///
/// # Panics
///
/// If a promise about cursors does not hold for them.
pub fn cursor(data: &[u8]) {
    let mut input = Input::new(data);
    let reverse = input.byte() & 1 == 1;
    let Ok(range) = input.selector().encode().range() else {
        return;
    };
    let rest = input.rest();
    if let Ok(text) = str::from_utf8(rest) {
        text_is_refused_or_a_place(&range, text, reverse);
    }
    // Of a damaged file, any bytes may be the key of an entry.
    for key in [rest.to_vec(), [&range.start, rest].concat()] {
        if range.contains(&key) {
            let cursor = encode_cursor(&range, &key);
            assert_eq!(place(&range, &cursor, reverse).as_ref(), Some(&key));
        }
    }
}

fn text_is_refused_or_a_place(range: &KeyRange, text: &str, reverse: bool) {
    let Some(key) = place(range, text, reverse) else {
        return;
    };
    // Bytes that go on with a zero are no key: a cursor that names them may be a forged one, where
    // that of a list has an escape.
    let is_forged = key
        .strip_prefix(&range.start[..])
        .is_some_and(|tail| tail.first() == Some(&0));
    if !text.is_empty() && range.contains(&key) && !is_forged {
        assert_eq!(encode_cursor(range, &key), text);
    }
}

/// The key that a cursor names; `None` if it is refused.
fn place(range: &KeyRange, cursor: &str, reverse: bool) -> Option<Vec<u8>> {
    let rest = range.after_cursor(cursor, reverse).ok()?;
    if cursor.is_empty() {
        assert_eq!(rest, *range);
        return Some(range.start.clone());
    }
    assert!(rest.is_empty() || (range.start <= rest.start && rest.end <= range.end));
    if reverse {
        assert_eq!(rest.start, range.start);
        return Some(rest.end);
    }
    assert_eq!(rest.end, range.end);
    rest.start.strip_suffix(&[0]).map(<[u8]>::to_vec)
}
