use fencekv_sim::reference::{decode, encode};

use crate::Input;
use crate::key::leading_key;

/// Reads the bytes as a selector and a key.
///
/// # Panics
///
/// If the selector's range and the model differ on whether the key, or one that it extends, is
/// selected.
pub fn selector(data: &[u8]) {
    let mut input = Input::new(data);
    let selector = input.selector();
    let key = decode(leading_key(input.rest()).as_bytes());

    let range = selector.encode().range();
    assert_eq!(range.as_ref().err(), selector.check().as_ref().err());
    let Ok(range) = range else { return };
    for len in 0..=key.len().min(4) {
        let head = key[..len].to_vec();
        let contained = range.contains(encode(&head).as_bytes());
        assert_eq!(contained, selector.selects(&head), "{selector:?}, {head:?}");
    }
}
