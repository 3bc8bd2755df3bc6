use fencekv_kv::Versionstamp;

/// Reads the bytes as the text of a versionstamp.
///
/// # Panics
///
/// If anything but 20 hex digits is one, or the text is not what the stamp is written as.
pub fn versionstamp(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let is_stamp = text.len() == 20 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let parsed = Versionstamp::parse(text);
    assert_eq!(parsed.is_ok(), is_stamp);
    let Ok(stamp) = parsed else { return };

    let written = stamp.to_string();
    assert_eq!(written.as_bytes(), stamp.to_hex());
    assert_eq!(Versionstamp::parse(&written), Ok(stamp));
    if text.ends_with("0000") {
        assert_eq!(written, text.to_ascii_lowercase());
    } else {
        assert_eq!(stamp, Versionstamp::FOREIGN);
    }
}
