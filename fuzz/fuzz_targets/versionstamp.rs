#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fencekv_fuzz::versionstamp(data));
