use fencekv_kv::{
    ApplyError, Check, Commit, Encoding, KeyWriter, MAX_TIME_MS, Mutation, Outcome, Row, Rows,
    StoredValue, Versionstamp, apply, expires_at,
};
use fencekv_sim::plain::PlainStore;

use crate::Input;

/// The version of the commit, which is not told from a row's own.
const NEXT: Versionstamp = Versionstamp(7);

/// Reads the bytes as a row (encoding, version, whether it expires, when) and a commit that does
/// arithmetic on it (which kind, time, operand); the rest is the row's value.
///
/// # Panics
///
/// If a promise about rows does not hold for it.
pub fn row(data: &[u8]) {
    let mut input = Input::new(data);
    let encoding = input.number().cast_signed();
    let version = Versionstamp(input.number());
    let expires_at = (input.byte() & 1 == 1).then_some(input.number().cast_signed());
    let (kind, now, operand) = (input.byte(), input.number().cast_signed(), input.number());
    expiry_is_in_range_or_refused(now, operand);

    let row = Row {
        value: StoredValue {
            encoding: Encoding::from_number(encoding),
            bytes: input.rest().to_vec(),
        },
        version,
        expires_at,
    };
    assert_eq!(row.value.encoding.number(), encoding);
    let number = row.value.as_u64();
    let bytes = number.map(|number| number.to_le_bytes().to_vec());
    let is_u64 = encoding == 2 && row.value.bytes.len() == 8;
    assert_eq!(bytes, is_u64.then(|| row.value.bytes.clone()));

    let live = expires_at.is_none_or(|time| now < time);
    assert_eq!(row.is_live(now), live);
    arithmetic_is_done_or_nothing(&row, now, kind, operand);
}

fn expiry_is_in_range_or_refused(now: i64, expire_in: u64) {
    let exact = i128::from(now) + i128::from(expire_in);
    match expires_at(now, expire_in) {
        Ok(time) => assert_eq!(i128::from(time), exact.max(0)),
        Err(_) => assert!(exact > i128::from(MAX_TIME_MS)),
    }
}

fn arithmetic_is_done_or_nothing(row: &Row, now: i64, kind: u8, operand: u64) {
    let mut key = KeyWriter::new();
    key.push_bool(true);
    let key = key.finish();
    let (live, number) = (row.is_live(now), row.value.as_u64());
    let (mutation, result) = match kind % 3 {
        0 => (
            Mutation::Sum {
                key: key.clone(),
                operand,
            },
            number.map(|number| number.wrapping_add(operand)),
        ),
        1 => (
            Mutation::Min {
                key: key.clone(),
                operand,
            },
            number.map(|number| number.min(operand)),
        ),
        _ => (
            Mutation::Max {
                key: key.clone(),
                operand,
            },
            number.map(|number| number.max(operand)),
        ),
    };
    let commit = Commit {
        now,
        checks: vec![Check {
            key: key.clone(),
            versionstamp: live.then_some(row.version),
        }],
        mutations: vec![mutation],
    };
    let mut store = PlainStore::default();
    let Ok(()) = store.put(key.as_bytes(), row);
    let outcome = apply(&mut store, &commit, NEXT);
    let Ok(left) = Rows::get(&mut store, key.as_bytes());
    let left = left.expect("arithmetic removes no row");

    if live && number.is_none() {
        assert!(matches!(outcome, Err(ApplyError::TypeMismatch { .. })));
        assert_eq!(left, *row);
        return;
    }
    assert_eq!(outcome, Ok(Outcome::Committed { versionstamp: NEXT }));
    let expected = Row {
        value: StoredValue::from_u64(if live {
            result.unwrap_or_default()
        } else {
            operand
        }),
        version: NEXT,
        expires_at: row.expires_at.filter(|_| live),
    };
    assert_eq!(left, expected);
}
