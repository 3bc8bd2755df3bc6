//! Key bytes against the model of keys.

use fencekv_kv::{Key, parts};
use fencekv_sim::generate::{key, keys};
use fencekv_sim::property::check;
use fencekv_sim::reference::{decode, encode, is_under};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_order_of_bytes_is_the_order_of_keys() {
    check(4_000, keys(4), |keys| {
        for a in &keys {
            for b in &keys {
                let (encoded_a, encoded_b) = (encode(a), encode(b));
                prop_assert_eq!(encoded_a.cmp(&encoded_b), a.cmp(b), "{:?} and {:?}", a, b);
            }
        }
        Ok(())
    });
}

#[test]
fn a_key_comes_back_from_its_bytes() {
    check(10_000, key(), |key| {
        let encoded = encode(&key);
        prop_assert_eq!(decode(encoded.as_bytes()), key);
        prop_assert_eq!(Key::from_encoded(encoded.as_bytes().to_vec()), Ok(encoded));
        Ok(())
    });
}

#[test]
fn one_key_is_under_another_in_bytes_when_it_is_in_parts() {
    check(4_000, keys(4), |keys| {
        for key in &keys {
            for other in &keys {
                let under = encode(key).is_under(&encode(other));
                prop_assert_eq!(under, is_under(key, other), "{:?} and {:?}", key, other);
            }
        }
        Ok(())
    });
}

/// Bytes that nearly make a key: a key with some bytes cut out and others put in their place.
fn nearly_a_key() -> impl Strategy<Value = Vec<u8>> {
    (
        key(),
        any::<prop::sample::Index>(),
        0..4_usize,
        vec(any::<u8>(), 0..4),
    )
        .prop_map(|(key, at, cut, put)| {
            let mut bytes = encode(&key).into_bytes();
            let from = at.index(bytes.len());
            let to = bytes.len().min(from + cut);
            bytes.splice(from..to, put);
            bytes
        })
}

#[test]
fn any_bytes_are_a_key_that_is_written_just_so_or_an_error() {
    check(
        20_000,
        prop_oneof![vec(any::<u8>(), 0..40), nearly_a_key()],
        |bytes| {
            match Key::from_encoded(bytes.clone()) {
                Ok(key) => prop_assert_eq!(encode(&decode(key.as_bytes())), key),
                Err(error) => {
                    prop_assert!(error.at < bytes.len());
                    let good = parts(&bytes[..error.at]).all(|part| part.is_ok());
                    prop_assert!(good, "the part at {} is not the first at fault", error.at);
                }
            }
            Ok(())
        },
    );
}
