use fencekv_kv::{Key, Versionstamp};
use fencekv_sim::reference::{decode, encode, is_under};

/// Of a key of many parts so many tails are compared, each with each.
const TAILS: usize = 6;

/// Reads the bytes as those of a key.
///
/// # Panics
///
/// If a promise about keys does not hold for them.
pub fn key(data: &[u8]) {
    let key = leading_key(data);
    let parts = decode(key.as_bytes());
    assert_eq!(encode(&parts), key);

    let stamped = key.with_versionstamp(Versionstamp(u64::MAX));
    assert_eq!(leading_key(stamped.as_bytes()), stamped);
    assert!(stamped.is_under(&key));

    // The parts from any on are a key too: one input gives many that are alike.
    let tails: Vec<_> = (0..parts.len().min(TAILS))
        .map(|from| parts[from..].to_vec())
        .collect();
    for a in &tails {
        let encoded_a = encode(a);
        assert!(key.as_bytes().ends_with(encoded_a.as_bytes()));
        for b in &tails {
            let encoded_b = encode(b);
            assert_eq!(encoded_a.cmp(&encoded_b), a.cmp(b), "{a:?} and {b:?}");
            assert_eq!(encoded_a.is_under(&encoded_b), is_under(a, b));
        }
    }
}

/// The longest beginning of `bytes` that is a key.
///
/// # Panics
///
/// If the error does not say where that ends.
pub(crate) fn leading_key(bytes: &[u8]) -> Key {
    Key::from_encoded(bytes.to_vec()).unwrap_or_else(|error| {
        assert!(error.at < bytes.len());
        Key::from_encoded(bytes[..error.at].to_vec()).expect("all parts before the first at fault")
    })
}
