use super::*;
use crate::KeyWriter;

fn key(parts: &[&str]) -> Key {
    let mut writer = KeyWriter::new();
    parts.iter().for_each(|part| writer.push_str(part));
    writer.finish()
}

fn under(prefix: &[&str], start: Option<&[&str]>, end: Option<&[&str]>) -> Selector {
    Selector::Prefix {
        prefix: key(prefix),
        start: start.map(key),
        end: end.map(key),
    }
}

#[test]
fn a_prefix_covers_what_has_more_parts() {
    let range = Selector::prefix(key(&["p"])).range().unwrap();
    assert!(!range.contains(key(&["p"]).as_bytes()));
    assert!(range.contains(key(&["p", ""]).as_bytes()));
    assert!(range.contains(key(&["p", "\u{10ffff}"]).as_bytes()));
    assert!(!range.contains(key(&["p\0"]).as_bytes()));
    assert!(!range.contains(key(&["q"]).as_bytes()));
}

#[test]
fn a_prefix_with_start_and_end_covers_what_is_in_all_three() {
    let range = under(&["p"], Some(&["p", "b"]), Some(&["p", "d"]))
        .range()
        .unwrap();
    for (part, inside) in [("a", false), ("b", true), ("c", true), ("d", false)] {
        assert_eq!(
            range.contains(key(&["p", part]).as_bytes()),
            inside,
            "{part}"
        );
    }
    let backwards = under(&["p"], Some(&["p", "d"]), Some(&["p", "b"])).range();
    assert_eq!(backwards, Err(SelectorError::StartAfterEnd));
    let nothing = under(&["p"], Some(&["p", "b"]), Some(&["p", "b"]))
        .range()
        .unwrap();
    assert!(nothing.is_empty());
}

/// Deno compares bytes here: it lists `["p\0a"]` for the prefix `["p"]` with the end `["p\0b"]`.
#[test]
fn a_bound_whose_bytes_begin_with_those_of_the_prefix_may_still_be_outside() {
    let start = under(&["p"], Some(&["p\0b"]), None).range();
    assert_eq!(start, Err(SelectorError::StartOutsidePrefix));
    let end = under(&["p"], None, Some(&["p\0b"])).range();
    assert_eq!(end, Err(SelectorError::EndOutsidePrefix));
}

/// Deno takes this cursor and lists on from `["p\0.."]`, outside the prefix.
#[test]
fn a_forged_reverse_cursor_does_not_leave_the_prefix() {
    let range = Selector::prefix(key(&["p"])).range().unwrap();
    let forged = base64url::encode(&[0xff, 0xff]);
    assert_eq!(
        range.after_cursor(&forged, true),
        Err(CursorError::OutOfRange)
    );
    assert!(range.after_cursor(&forged, false).unwrap().is_empty());
}

#[test]
fn a_cursor_leaves_the_keys_on_its_far_side() {
    let range = Selector::prefix(key(&["p"])).range().unwrap();
    let (a, b, c) = (key(&["p", "a"]), key(&["p", "b"]), key(&["p", "c"]));
    let cursor = encode_cursor(&range, b.as_bytes());
    let up = range.after_cursor(&cursor, false).unwrap();
    let down = range.after_cursor(&cursor, true).unwrap();
    let inside = |range: &KeyRange| [&a, &b, &c].map(|key| range.contains(key.as_bytes()));
    assert_eq!(inside(&up), [false, false, true]);
    assert_eq!(inside(&down), [true, false, false]);
    assert_eq!(range.after_cursor("", false), Ok(range.clone()));
    assert_eq!(range.after_cursor("", true), Ok(range));
}

/// Deno's cursor is empty here, which starts the list again, for ever.
#[test]
fn the_cursor_of_a_start_key_that_the_end_key_extends_does_not_start_again() {
    let (start, next, end) = (key(&["a"]), key(&["a", ""]), key(&["a", "b"]));
    let range = Selector::Range {
        start: start.clone(),
        end,
    }
    .range()
    .unwrap();
    let cursor = encode_cursor(&range, start.as_bytes());
    assert_eq!(cursor, "AA==");
    let rest = range.after_cursor(&cursor, false).unwrap();
    assert!(!rest.contains(start.as_bytes()));
    assert!(rest.contains(next.as_bytes()));
    assert!(range.after_cursor(&cursor, true).unwrap().is_empty());
}

/// The key `[""]` between `[""]` and `["\u{1}"]` also leaves one zero byte, its own.
#[test]
fn a_zero_byte_of_the_key_itself_is_kept() {
    let (start, end) = (key(&[""]), key(&["\u{1}"]));
    let range = Selector::Range {
        start: start.clone(),
        end,
    }
    .range()
    .unwrap();
    let cursor = encode_cursor(&range, start.as_bytes());
    assert_eq!(cursor, "AA==");
    assert!(
        !range
            .after_cursor(&cursor, false)
            .unwrap()
            .contains(start.as_bytes())
    );
    assert!(range.after_cursor(&cursor, true).unwrap().is_empty());
}

/// A stored key of one zero byte, which is none, once had the cursor of "no byte is left": listing
/// on from it gave the same entry for ever.
#[test]
fn a_list_goes_on_past_bytes_that_are_no_key() {
    let range = KeyRange {
        start: Vec::new(),
        end: vec![0xff],
    };
    let stored: [&[u8]; 5] = [&[], &[0], &[0, 0], &[0, 0, 0], &[2, 0x61, 0]];
    for (place, key) in stored.iter().enumerate() {
        let cursor = encode_cursor(&range, key);
        let left = |reverse| {
            let left = range.after_cursor(&cursor, reverse).unwrap();
            stored.iter().filter(|key| left.contains(key)).count()
        };
        assert_eq!(left(false), stored.len() - place - 1, "after {key:?}");
        assert_eq!(left(true), place, "before {key:?}");
    }
}

/// A forged cursor of a zero byte and others, in a range whose cursors may be escaped, was taken for
/// that of the key without the zero. Deno lists on from the key that it names.
#[test]
fn a_zero_byte_that_escapes_nothing_is_part_of_the_key() {
    let range = KeyRange {
        start: Vec::new(),
        end: vec![0xff],
    };
    let forged = base64url::encode(&[0x00, 0x0f]);
    let rest = range.after_cursor(&forged, false).unwrap();
    assert_eq!(rest.start, [0x00, 0x0f, 0x00]);
    let before = range.after_cursor(&forged, true).unwrap();
    assert_eq!(before.end, [0x00, 0x0f]);
}
