use super::*;

fn key(write: impl FnOnce(&mut KeyWriter)) -> Key {
    let mut writer = KeyWriter::new();
    write(&mut writer);
    writer.finish()
}

fn text(parts: &[&str]) -> Key {
    key(|writer| parts.iter().for_each(|part| writer.push_str(part)))
}

#[test]
fn a_key_is_its_parts_one_after_another() {
    let key = key(|writer| {
        writer.push_bytes(&[7, 0, 8]);
        writer.push_str("a\0é");
        writer.push_number(1.5);
        writer.push_bigint(true, &[1, 0]).unwrap();
        writer.push_bool(true);
    });
    let parts: Result<Vec<_>, _> = key.parts().collect();
    let expected = vec![
        Part::Bytes(vec![7, 0, 8].into()),
        Part::String("a\0é".into()),
        Part::Number(1.5),
        Part::BigInt {
            negative: true,
            magnitude_be: vec![1, 0],
        },
        Part::Bool(true),
    ];
    assert_eq!(parts, Ok(expected));
    assert_eq!(key.len(), 6 + 7 + 9 + 3 + 1);
}

#[test]
fn parts_without_a_zero_borrow() {
    use std::borrow::Cow::{Borrowed, Owned};
    let key = key(|writer| {
        writer.push_str("plain");
        writer.push_bytes(b"plain");
        writer.push_str("with\0zero");
    });
    let parts: Vec<_> = key.parts().flatten().collect();
    assert!(matches!(parts[0], Part::String(Borrowed(_))));
    assert!(matches!(parts[1], Part::Bytes(Borrowed(_))));
    assert!(matches!(parts[2], Part::String(Owned(_))));
}

#[test]
fn a_bigint_has_one_form_whatever_zeros_it_is_given_with() {
    let bigint =
        |negative, magnitude: &[u8]| key(|writer| writer.push_bigint(negative, magnitude).unwrap());
    assert_eq!(bigint(false, &[0, 0, 5]), bigint(false, &[5]));
    assert_eq!(bigint(true, &[0; 300]), bigint(false, &[]));
    assert_eq!(bigint(false, &[]).as_bytes(), [0x14]);
    assert_eq!(bigint(true, &[0, 5]).as_bytes(), [0x13, !5]);
}

#[test]
fn a_bigint_longer_than_its_length_byte_can_say_is_refused_and_leaves_the_writer_as_it_was() {
    let mut writer = KeyWriter::new();
    writer.push_bool(false);
    for negative in [false, true] {
        let refused = writer.push_bigint(negative, &[1; 256]);
        assert_eq!(
            refused,
            Err(KeyError {
                at: 1,
                kind: KeyErrorKind::BigIntTooLong(256)
            })
        );
    }
    assert_eq!(writer.finish(), key(|writer| writer.push_bool(false)));
}

#[test]
fn nan_is_one_part_for_each_sign_and_lies_at_the_ends() {
    let number = |value| key(|writer| writer.push_number(value));
    let quiet = f64::from_bits(0x7ff8_0000_0000_0000);
    let odd = f64::from_bits(0x7ff0_dead_beef_0001);
    assert_eq!(number(quiet), number(odd));
    assert_eq!(number(-quiet), number(-odd));
    assert!(number(-odd) < number(f64::NEG_INFINITY));
    assert!(number(odd) > number(f64::INFINITY));
    assert!(number(-0.0) < number(0.0));
}

/// Bytes that are no key, the offset of the part at fault, and the fault.
const HOSTILE: &[(&[u8], usize, KeyErrorKind)] = &[
    (&[0x00], 0, KeyErrorKind::UnknownTag(0x00)),
    (&[0x03], 0, KeyErrorKind::UnknownTag(0x03)),
    (&[0x0a], 0, KeyErrorKind::UnknownTag(0x0a)),
    (&[0x1e], 0, KeyErrorKind::UnknownTag(0x1e)),
    (&[0x20], 0, KeyErrorKind::UnknownTag(0x20)),
    (&[0x25], 0, KeyErrorKind::UnknownTag(0x25)),
    (&[0x28], 0, KeyErrorKind::UnknownTag(0x28)),
    (&[0xff], 0, KeyErrorKind::UnknownTag(0xff)),
    (&[0x27, 0x26, 0xff], 2, KeyErrorKind::UnknownTag(0xff)),
    (&[0x02, b'a', 0x00, 0x00], 3, KeyErrorKind::UnknownTag(0x00)),
    (&[0x01], 0, KeyErrorKind::Truncated),
    (&[0x01, 0x00, 0xff], 0, KeyErrorKind::Truncated),
    (&[0x27, 0x02, b'a'], 1, KeyErrorKind::Truncated),
    (&[0x15], 0, KeyErrorKind::Truncated),
    (&[0x1c, 1, 2, 3, 4, 5, 6, 7], 0, KeyErrorKind::Truncated),
    (&[0x0c, 1, 2, 3, 4, 5, 6, 7], 0, KeyErrorKind::Truncated),
    (&[0x1d], 0, KeyErrorKind::Truncated),
    (
        &[0x1d, 9, 1, 2, 3, 4, 5, 6, 7, 8],
        0,
        KeyErrorKind::Truncated,
    ),
    (
        &[0x0b, !9, 1, 2, 3, 4, 5, 6, 7, 8],
        0,
        KeyErrorKind::Truncated,
    ),
    (&[0x0b, 0, 1], 0, KeyErrorKind::Truncated),
    (&[0x21, 0x80, 0, 0, 0, 0, 0, 0], 0, KeyErrorKind::Truncated),
    (&[0x02, 0xff, 0x00], 0, KeyErrorKind::NotUtf8),
    (&[0x02, 0xed, 0xa0, 0x80, 0x00], 0, KeyErrorKind::NotUtf8),
    (
        &[0x02, 0xc3, 0x00, 0xff, 0xa9, 0x00],
        0,
        KeyErrorKind::NotUtf8,
    ),
    (&[0x15, 0], 0, KeyErrorKind::NotCanonical),
    (&[0x13, 0xff], 0, KeyErrorKind::NotCanonical),
    (&[0x1d, 0], 0, KeyErrorKind::NotCanonical),
    (
        &[0x1d, 8, 1, 2, 3, 4, 5, 6, 7, 8],
        0,
        KeyErrorKind::NotCanonical,
    ),
    (
        &[0x1d, 9, 0, 2, 3, 4, 5, 6, 7, 8, 9],
        0,
        KeyErrorKind::NotCanonical,
    ),
    (&[0x0b, 0xff], 0, KeyErrorKind::NotCanonical),
    (
        &[0x0b, !9, 0xff, 2, 3, 4, 5, 6, 7, 8, 9],
        0,
        KeyErrorKind::NotCanonical,
    ),
    // A NaN with a payload: its number is written otherwise.
    (
        &[0x21, 0xff, 0xf8, 0, 0, 0, 0, 0, 1],
        0,
        KeyErrorKind::NotCanonical,
    ),
    (
        &[0x21, 0x00, 0x00, 0, 0, 0, 0, 0, 0],
        0,
        KeyErrorKind::NotCanonical,
    ),
];

#[test]
fn bytes_that_are_no_key_are_refused_with_the_place_and_the_fault() {
    for (bytes, at, kind) in HOSTILE {
        let expected = KeyError {
            at: *at,
            kind: *kind,
        };
        assert_eq!(
            Key::from_encoded(bytes.to_vec()),
            Err(expected),
            "{bytes:02x?}"
        );
        let mut decoded = parts(bytes).skip_while(Result::is_ok);
        assert_eq!(decoded.next(), Some(Err(expected)), "{bytes:02x?}");
        assert_eq!(decoded.next(), None, "{bytes:02x?}");
    }
    assert_eq!(Key::from_encoded(Vec::new()), Ok(Key::default()));
}

#[test]
fn under_is_about_parts() {
    assert!(text(&["p", "a"]).is_under(&text(&["p"])));
    assert!(text(&["p", ""]).is_under(&text(&["p"])));
    assert!(text(&["p"]).is_under(&Key::default()));
    assert!(!text(&["p"]).is_under(&text(&["p"])));
    assert!(!text(&["p\0b"]).is_under(&text(&["p"])));
    assert!(!text(&["pp"]).is_under(&text(&["p"])));
    assert!(!text(&["p"]).is_under(&text(&["p", "a"])));
    assert!(!Key::default().is_under(&Key::default()));
}

#[test]
fn a_key_with_a_versionstamp_ends_in_its_text() {
    let key = text(&["log"]).with_versionstamp(Versionstamp(0x1f));
    assert_eq!(key, text(&["log", "000000000000001f0000"]));
}

#[test]
fn debug_shows_the_parts() {
    let key = key(|writer| {
        writer.push_str("a");
        writer.push_bool(true);
    });
    assert_eq!(format!("{key:?}"), r#"[String("a"), Bool(true)]"#);
}
