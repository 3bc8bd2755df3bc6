//! The suite that judges every backend, here on the plain store; and on stores with a fault, which
//! it must catch.

use fencekv_kv::{Commit, Key, KeyRange, Mutation, Outcome};
use fencekv_sim::generate::scenario;
use fencekv_sim::judge::{Found, Mismatch, Store, run, suite};
use fencekv_sim::plain::PlainStore;
use fencekv_sim::property;

#[test]
fn the_plain_store_does_what_the_reference_does() {
    suite(1_000, PlainStore::default);
}

/// A store with one thing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    KeepsHalfOfAFailedCommit,
    ShowsEntriesOneMillisecondLonger,
    ChecksAtAnotherTime,
    ForgetsTheTimeToLive,
    SweepsOneMillisecondEarly,
    ReusesAVersion,
    SkipsTheFirstOfAPage,
    SkipsALastMutation,
}

#[derive(Debug)]
struct Faulty {
    store: PlainStore,
    fault: Fault,
}

impl Store for Faulty {
    fn get(&mut self, keys: &[Key], now: i64) -> Vec<Option<Found>> {
        let late = self.fault == Fault::ShowsEntriesOneMillisecondLonger;
        Store::get(&mut self.store, keys, now - i64::from(late))
    }

    fn list_page(&mut self, range: &KeyRange, reverse: bool, limit: usize, now: i64) -> Vec<Found> {
        let mut page = self.store.list_page(range, reverse, limit, now);
        if self.fault == Fault::SkipsTheFirstOfAPage && page.len() > 2 {
            page.remove(0);
        }
        page
    }

    fn commit(&mut self, commit: &Commit) -> Result<Outcome, Mismatch> {
        let mut changed = commit.clone();
        match self.fault {
            Fault::ChecksAtAnotherTime => changed.now -= 1,
            Fault::ForgetsTheTimeToLive => {
                for mutation in &mut changed.mutations {
                    if let Mutation::Set { expires_at, .. } = mutation {
                        *expires_at = None;
                    }
                }
            }
            Fault::SkipsALastMutation => {
                changed.mutations.truncate(3);
            }
            _ => {}
        }
        let before = self.store.clone();
        let result = self.store.commit(&changed);
        if let (Fault::KeepsHalfOfAFailedCommit, Err(mismatch)) = (self.fault, &result) {
            changed.mutations.truncate(mismatch.index);
            self.store.commit(&changed)?;
        }
        if self.fault == Fault::ReusesAVersion && commit.mutations.is_empty() {
            self.store = before;
        }
        result
    }

    fn sweep(&mut self, now: i64) -> usize {
        self.store
            .sweep(now + i64::from(self.fault == Fault::SweepsOneMillisecondEarly))
    }
}

/// Whether 300 scenarios of one fixed seed find a difference.
fn is_caught(fault: Fault) -> bool {
    let found = property::fault(300, 1, scenario(), |scenario| {
        let mut faulty = Faulty {
            store: PlainStore::default(),
            fault,
        };
        run(&scenario, &mut faulty).map(drop)
    });
    found.is_some()
}

#[test]
fn every_fault_is_caught() {
    assert!(!is_caught(Fault::None));
    for fault in [
        Fault::KeepsHalfOfAFailedCommit,
        Fault::ShowsEntriesOneMillisecondLonger,
        Fault::ChecksAtAnotherTime,
        Fault::ForgetsTheTimeToLive,
        Fault::SweepsOneMillisecondEarly,
        Fault::ReusesAVersion,
        Fault::SkipsTheFirstOfAPage,
        Fault::SkipsALastMutation,
    ] {
        assert!(is_caught(fault), "{fault:?}");
    }
}
