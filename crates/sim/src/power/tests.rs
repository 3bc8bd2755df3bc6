use std::collections::BTreeSet;

use proptest::test_runner::{RngAlgorithm, TestRng};

use super::*;

fn write(part: Part, offset: usize, byte: u8, size: usize) -> Event {
    let bytes = vec![byte; size];
    let act = Act::Write { offset, bytes };
    Event { part, act }
}

fn done(part: Part, act: Act) -> Event {
    Event { part, act }
}

/// What a file may be after `events`, by 200 throws of the dice.
fn outcomes(part: Part, events: &[Event]) -> BTreeSet<Vec<u8>> {
    let mut dice = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut throw = || {
        let mut image = Image::after(events, &mut dice);
        image.files.remove(&part).unwrap_or_default()
    };
    (0..200).map(|_| throw()).collect()
}

#[test]
fn what_was_synced_stays() {
    let events = [
        write(Part::Log, 0, 1, 2000),
        done(Part::Log, Act::Truncate(1000)),
        done(Part::Log, Act::Sync),
    ];
    assert_eq!(outcomes(Part::Log, &events), [vec![1; 1000]].into());
}

#[test]
fn what_was_not_synced_is_lost_by_sectors() {
    let synced = [write(Part::Log, 0, 1, 1024), done(Part::Log, Act::Sync)];
    let events = [&synced[..], &[write(Part::Log, 0, 2, 1024)]].concat();
    let halves = [[1, 1], [1, 2], [2, 1], [2, 2]].map(|halves| halves.map(|half| [half; SECTOR]));
    let expected = halves.map(|halves| halves.concat());
    assert_eq!(outcomes(Part::Log, &events), expected.into());
}

/// A sector that went to the disk had everything in it that was written before.
#[test]
fn a_sector_is_never_ahead_of_itself() {
    let events = [
        write(Part::Log, 0, 1, 1),
        write(Part::Log, 1, 2, 1),
        write(Part::Log, 2, 3, 1),
    ];
    let found = outcomes(Part::Log, &events);
    // A file may have grown without the bytes that it grew for.
    let written: BTreeSet<_> = found
        .iter()
        .map(|bytes| {
            bytes
                .iter()
                .take_while(|byte| **byte != 0)
                .collect::<Vec<_>>()
        })
        .collect();
    let expected = [vec![], vec![&1], vec![&1, &2], vec![&1, &2, &3]];
    assert_eq!(written, expected.into());
    assert!(found.contains(&vec![1, 0, 0]));
}

#[test]
fn a_truncation_may_be_lost() {
    let events = [
        write(Part::Database, 0, 1, 1000),
        done(Part::Database, Act::Sync),
        done(Part::Database, Act::Truncate(10)),
    ];
    let expected = [vec![1; 1000], vec![1; 10]];
    assert_eq!(outcomes(Part::Database, &events), expected.into());
}

#[test]
fn a_deleted_log_may_come_back_until_the_next_is_synced() {
    let old = [write(Part::Log, 0, 1, 100), done(Part::Log, Act::Sync)];
    let new = [done(Part::Log, Act::Delete), write(Part::Log, 0, 2, 50)];
    let events = [&old[..], &new].concat();
    let found = outcomes(Part::Log, &events);
    assert!(found.contains(&vec![1; 100]) && found.contains(&vec![2; 50]));
    // Never is one mixed with the other.
    let bytes = |found: &Vec<u8>| found.contains(&1) && found.contains(&2);
    assert!(!found.iter().any(bytes), "{found:?}");

    let synced = [&events[..], &[done(Part::Log, Act::Sync)]].concat();
    assert_eq!(outcomes(Part::Log, &synced), [vec![2; 50]].into());
}
