//! Base64 in the URL-safe alphabet with padding (RFC 4648, section 5): the text of a cursor.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const PAD: char = '=';

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = char::from(ALPHABET[(bits >> (18 - 6 * place) & 0x3f) as usize]);
            text.push(if place <= group.len() { letter } else { PAD });
        }
    }
    text
}

/// The bytes that [`encode`] makes `text` of; `None` if it makes it of none.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // The lowest `pending` of these bits belong to the next byte; those above went before.
    let mut bits = 0u32;
    let mut pending = 0;
    for letter in text.trim_end_matches(PAD).bytes() {
        bits = bits << 6 | value_of(letter)?;
        pending += 6;
        if pending >= 8 {
            pending -= 8;
            bytes.push((bits >> pending) as u8);
        }
    }
    // Refuses padding that is missing or too much, and bits left over that are not zero.
    (encode(&bytes) == text).then_some(bytes)
}

fn value_of(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_at_every_length() {
        let bytes: Vec<u8> = (0..=255).rev().collect();
        for len in 0..=bytes.len() {
            let text = encode(&bytes[..len]);
            assert_eq!(text.len() % 4, 0);
            assert_eq!(decode(&text).as_deref(), Some(&bytes[..len]));
        }
        assert_eq!(encode(&[0xff]), "_w==");
        assert_eq!(encode(&[0xfb, 0xef, 0xbe]), "----");
    }

    #[test]
    fn text_that_encode_does_not_make_is_refused() {
        for text in [
            "A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA=A", "+w==", "é==", " ",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
