//! Pages and cursors against one full scan.

use std::collections::BTreeMap;

use fencekv_kv::{Encoding, KeyRange, Row, Rows, StoredValue, Versionstamp, encode_cursor};
use fencekv_sim::generate::{POOL, SelectorPlan, keys, selector};
use fencekv_sim::judge::Store;
use fencekv_sim::plain::PlainStore;
use fencekv_sim::property::check;
use fencekv_sim::reference::{Key, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::string::string_regex;

const NOW: i64 = 0;

/// A store with a row for every key.
fn store(keys: &[Key]) -> PlainStore {
    let mut store = PlainStore::default();
    for key in keys {
        let value = StoredValue {
            encoding: Encoding::Bytes,
            bytes: vec![],
        };
        let row = Row {
            value,
            version: Versionstamp(1),
            expires_at: None,
        };
        let Ok(()) = store.put(encode(key).as_bytes(), &row);
    }
    store
}

/// The range that a plan selects, if it makes sense.
fn range(plan: &SelectorPlan, keys: &[Key]) -> Option<KeyRange> {
    plan.over(keys).encode().range().ok()
}

fn page(store: &mut PlainStore, range: &KeyRange, reverse: bool, limit: usize) -> Vec<Vec<u8>> {
    let page = store.list_page(range, reverse, limit, NOW);
    page.into_iter().map(|entry| entry.key).collect()
}

#[test]
fn pages_put_together_are_one_full_scan() {
    let case = (
        keys(POOL),
        selector(),
        any::<bool>(),
        1..5_usize,
        any::<bool>(),
    );
    check(4_000, case, |(keys, plan, reverse, limit, delete)| {
        let Some(range) = range(&plan, &keys) else {
            return Ok(());
        };
        let mut store = store(&keys);
        let scan = page(&mut store, &range, reverse, usize::MAX);
        let mut pages = Vec::new();
        let mut cursor = String::new();
        loop {
            let rest = range
                .after_cursor(&cursor, reverse)
                .expect("a cursor of this range");
            let next = page(&mut store, &rest, reverse, limit);
            let Some(last) = next.last() else { break };
            cursor = encode_cursor(&range, last);
            if delete {
                // A cursor outlives its key.
                let Ok(()) = store.remove(last);
            }
            pages.extend(next);
            prop_assert!(pages.len() <= scan.len(), "{} again", cursor);
        }
        prop_assert_eq!(pages, scan);
        Ok(())
    });
}

#[test]
fn a_scan_is_what_the_selector_says_of_decoded_keys() {
    check(4_000, (keys(POOL), selector()), |(keys, plan)| {
        let selected = plan.over(&keys);
        let Some(range) = range(&plan, &keys) else {
            return Ok(());
        };
        let mut expected = BTreeMap::new();
        for key in keys.iter().filter(|key| selected.selects(key)) {
            expected.insert(key.clone(), encode(key).into_bytes());
        }
        let scan = page(&mut store(&keys), &range, false, usize::MAX);
        prop_assert_eq!(scan, expected.into_values().collect::<Vec<_>>());
        Ok(())
    });
}

#[test]
fn any_text_is_a_cursor_into_the_range_or_an_error() {
    let base64url = string_regex("[A-Za-z0-9_-]{0,24}={0,2}").expect("a regex");
    let text = prop_oneof![base64url, any::<String>()];
    let case = (keys(POOL), selector(), text, any::<bool>());
    check(8_000, case, |(keys, plan, cursor, reverse)| {
        let Some(range) = range(&plan, &keys) else {
            return Ok(());
        };
        let Ok(rest) = range.after_cursor(&cursor, reverse) else {
            return Ok(());
        };
        prop_assert!(rest.is_empty() || (range.start <= rest.start && rest.end <= range.end));
        Ok(())
    });
}

#[test]
fn a_cursor_leaves_just_the_keys_beyond() {
    // No key is another with a zero after it, and a cursor relies on that.
    let tail = (1..=u8::MAX, vec(any::<u8>(), 0..12));
    let tail = tail.prop_map(|(first, rest)| [&[first], &rest[..]].concat());
    let case = (keys(POOL), selector(), tail, any::<bool>());
    check(4_000, case, |(keys, plan, tail, reverse)| {
        let Some(range) = range(&plan, &keys) else {
            return Ok(());
        };
        let key = [&range.start[..], &tail].concat();
        if !range.contains(&key) {
            return Ok(());
        }
        let rest = range
            .after_cursor(&encode_cursor(&range, &key), reverse)
            .expect("inside");
        let expected = if reverse {
            KeyRange {
                start: range.start,
                end: key,
            }
        } else {
            KeyRange {
                start: [&key[..], &[0]].concat(),
                end: range.end,
            }
        };
        prop_assert_eq!(rest, expected);
        Ok(())
    });
}
