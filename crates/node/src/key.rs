//! Keys between JS arrays and their bytes.
//!
//! Where JS has to hold an encoded key it holds a string of its bytes ([`Js::new_latin1`]).

use fencekv_kv::{Key, KeyError, KeyWriter, Part, parts};

use crate::failure::Failure;
use crate::js::{Js, Kind, Value};

/// Encodes an array of parts. May run getters of the caller's.
pub(crate) fn read(js: Js, value: Value) -> Result<Key, Failure> {
    let len = js
        .array_len(value)?
        .ok_or_else(|| Failure::invalid_key("a key must be an array"))?;
    let mut key = KeyWriter::with_capacity(64);
    for index in 0..len {
        push_part(js, &mut key, js.element(value, index)?, index)?;
    }
    Ok(key.finish())
}

/// Like [`read`], for a key that names an entry: it has at least one part.
pub(crate) fn read_entry_key(js: Js, value: Value) -> Result<Key, Failure> {
    non_empty(read(js, value)?)
}

/// Like [`read_entry_key`], for a key that JS may hold encoded.
pub(crate) fn take_entry_key(js: Js, value: Value) -> Result<Key, Failure> {
    match js.kind(value)? {
        Kind::String => non_empty(Key::from_encoded(js.latin1(value)?)?),
        _ => read_entry_key(js, value),
    }
}

fn non_empty(key: Key) -> Result<Key, Failure> {
    match key.is_empty() {
        true => Err(Failure::invalid_key("key cannot be empty")),
        false => Ok(key),
    }
}

fn push_part(js: Js, key: &mut KeyWriter, part: Value, index: u32) -> Result<(), Failure> {
    match js.kind(part)? {
        Kind::String => key.push_str(&js.text(part)?.ok_or_else(|| {
            Failure::invalid_key(format!("part {index} of the key has a lone surrogate"))
        })?),
        Kind::Number => key.push_number(js.number(part)?),
        Kind::Boolean => key.push_bool(js.boolean(part)?),
        Kind::BigInt => {
            let (negative, words) = js.bigint(part)?;
            let magnitude: Vec<u8> = words
                .iter()
                .rev()
                .flat_map(|word| word.to_be_bytes())
                .collect();
            key.push_bigint(negative, &magnitude)?;
        }
        Kind::Object => match js.view(part)? {
            Some(bytes) => key.push_bytes(&bytes),
            None => return Err(wrong_part(index)),
        },
        Kind::Undefined | Kind::Null | Kind::Other => return Err(wrong_part(index)),
    }
    Ok(())
}

fn wrong_part(index: u32) -> Failure {
    Failure::invalid_key(format!(
        "part {index} of the key must be a string, number, bigint, boolean or Uint8Array"
    ))
}

/// The array of parts of an encoded key.
pub(crate) fn make(js: Js, encoded: &[u8]) -> Result<Result<Value, KeyError>, napi::Error> {
    let array = js.new_array(0)?;
    for (index, part) in parts(encoded).enumerate() {
        let part = match part {
            Ok(part) => part,
            Err(error) => return Ok(Err(error)),
        };
        let value = match part {
            Part::Bytes(bytes) => js.new_bytes(&bytes)?,
            Part::String(text) => js.new_text(&text)?,
            Part::Number(number) => js.make(number)?,
            Part::BigInt {
                negative,
                magnitude_be,
            } => {
                let words: Vec<u64> = magnitude_be.rchunks(8).map(word).collect();
                js.new_bigint(negative, &words)?
            }
            Part::Bool(boolean) => js.make(boolean)?,
        };
        js.set_element(array, index, value)?;
    }
    Ok(Ok(array))
}

/// Up to eight bytes, most significant first.
fn word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}
