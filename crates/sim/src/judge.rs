//! Runs a scenario on a store and on the reference, and compares all that can be seen.

mod translate;

use std::cell::Cell;
use std::ops::AddAssign;

use fencekv_kv::{Key, KeyRange, Outcome, StoredValue, Versionstamp, encode_cursor};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};

use crate::generate::{Act, ListPlan, START_MS, Scenario, scenario};
use crate::property::check;
use crate::reference::{self, Entry, List, Reference, encode};

/// A backend on trial. It panics where the store fails in a way that no scenario asks for.
pub trait Store {
    /// The live entries of `keys` at `now` (milliseconds), in the order of the keys.
    fn get(&mut self, keys: &[Key], now: i64) -> Vec<Option<Found>>;

    /// The first `limit` live entries of `range`, or the last, last first.
    fn list_page(&mut self, range: &KeyRange, reverse: bool, limit: usize, now: i64) -> Vec<Found>;

    /// Commits. Gives the commit a versionstamp greater than any it gave before.
    ///
    /// # Errors
    ///
    /// [`Mismatch`], and then nothing of the commit is done.
    fn commit(&mut self, commit: &fencekv_kv::Commit) -> Result<Outcome, Mismatch>;

    /// Removes what has expired; returns how many entries.
    fn sweep(&mut self, now: i64) -> usize;
}

/// A live entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Encoded key.
    pub key: Vec<u8>,
    /// The value.
    pub value: StoredValue,
    /// The commit that wrote it.
    pub versionstamp: Versionstamp,
}

/// A sum, min or max on a value that is no `KvU64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Index of the mutation.
    pub index: usize,
    /// Its key.
    pub key: Key,
}

/// What a run came across: [`suite`] asserts that its runs came across everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Commits that landed.
    pub committed: usize,
    /// Commits refused by a check.
    pub check_failed: usize,
    /// Commits that failed at a mutation after the first, so that there was something to undo.
    pub failed_midway: usize,
    /// Entries found by a get or in a page.
    pub found: usize,
    /// Pages after the first of a list that had entries.
    pub next_pages: usize,
    /// Selectors refused.
    pub selectors_refused: usize,
    /// Entries swept.
    pub swept: usize,
}

impl Tally {
    /// Whether each of these was come across.
    pub fn is_complete(&self) -> bool {
        let Tally {
            committed,
            check_failed,
            failed_midway,
            found,
            next_pages,
            selectors_refused,
            swept,
        } = *self;
        ![
            committed,
            check_failed,
            failed_midway,
            found,
            next_pages,
            selectors_refused,
            swept,
        ]
        .contains(&0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.committed += other.committed;
        self.check_failed += other.check_failed;
        self.failed_midway += other.failed_midway;
        self.found += other.found;
        self.next_pages += other.next_pages;
        self.selectors_refused += other.selectors_refused;
        self.swept += other.swept;
    }
}

/// Runs `cases` scenarios, each on an empty store.
///
/// # Panics
///
/// If one differs from the reference, or if together they did not come across everything.
pub fn suite<S: Store>(cases: u32, open: impl Fn() -> S) {
    let tally = Cell::new(Tally::default());
    check(cases, scenario(), |scenario| {
        let mut sum = tally.get();
        sum += run(&scenario, &mut open())?;
        tally.set(sum);
        Ok(())
    });
    let tally = tally.get();
    assert!(
        tally.is_complete(),
        "the scenarios came across too little: {tally:?}"
    );
}

/// Runs `scenario` on an empty `store`. At its end everything is listed both ways.
///
/// # Errors
///
/// The first difference from the reference.
pub fn run<S: Store>(scenario: &Scenario, store: &mut S) -> Result<Tally, TestCaseError> {
    let mut trial = Trial {
        keys: &scenario.keys,
        store,
        reference: Reference::default(),
        versions: Vec::new(),
        listing: None,
        tally: Tally::default(),
    };
    let mut now = START_MS;
    for step in &scenario.steps {
        now += step.elapsed;
        trial.act(&step.act, now)?;
    }
    for reverse in [false, true] {
        let all = reference::Selector::Prefix {
            prefix: vec![],
            start: None,
            end: None,
        };
        trial.list(
            List {
                selector: all,
                reverse,
                after: None,
                limit: 3,
            },
            now,
        )?;
        while trial.listing.is_some() {
            trial.next_page(now)?;
        }
    }
    Ok(trial.tally)
}

struct Trial<'a, S> {
    keys: &'a [reference::Key],
    store: &'a mut S,
    reference: Reference,
    /// Of the commits that landed, in order.
    versions: Vec<u64>,
    /// The list begun last, if it may have entries left: what is left of it.
    listing: Option<List>,
    tally: Tally,
}

impl<S: Store> Trial<'_, S> {
    fn act(&mut self, act: &Act, now: i64) -> Result<(), TestCaseError> {
        match act {
            Act::Get(index) => self.get(&[*index], now),
            Act::GetMany(indexes) => self.get(indexes, now),
            Act::Commit(checks, mutations) => {
                let commit =
                    translate::plan(self.keys, checks, mutations, now, |key, ago| match ago {
                        None => self.reference.get(key, now).map(|entry| entry.version),
                        Some(ago) => self.versions.iter().rev().nth(ago).copied(),
                    });
                self.commit(&commit)
            }
            Act::List(ListPlan {
                selector,
                reverse,
                limit,
            }) => {
                let selector = selector.over(self.keys);
                self.list(
                    List {
                        selector,
                        reverse: *reverse,
                        after: None,
                        limit: *limit,
                    },
                    now,
                )
            }
            Act::NextPage => self.next_page(now),
            Act::Sweep => {
                let swept = self.store.sweep(now);
                prop_assert_eq!(swept, self.reference.sweep(now), "swept at {}", now);
                self.tally.swept += swept;
                Ok(())
            }
        }
    }

    fn get(&mut self, indexes: &[usize], now: i64) -> Result<(), TestCaseError> {
        let keys: Vec<_> = indexes
            .iter()
            .map(|index| encode(&self.keys[*index]))
            .collect();
        let expected = indexes
            .iter()
            .map(|index| self.reference.get(&self.keys[*index], now));
        let expected: Vec<_> = expected
            .map(|entry| entry.as_ref().map(translate::found))
            .collect();
        let found = self.store.get(&keys, now);
        prop_assert_eq!(&found, &expected, "got at {}", now);
        self.tally.found += found.iter().flatten().count();
        Ok(())
    }

    fn commit(&mut self, commit: &reference::Commit) -> Result<(), TestCaseError> {
        let result = self.store.commit(&translate::commit(commit));
        let latest = self.versions.last().copied().unwrap_or(0);
        let version = match result {
            Ok(Outcome::Committed {
                versionstamp: Versionstamp(version),
            }) => {
                prop_assert!(version > latest, "version {} after {}", version, latest);
                version
            }
            _ => latest + 1,
        };
        let expected = self.reference.commit(commit, version);
        prop_assert_eq!(
            result,
            translate::outcome(commit, &expected, version),
            "{:?}",
            commit
        );
        match expected {
            reference::Outcome::Committed => {
                self.versions.push(version);
                self.tally.committed += 1;
            }
            reference::Outcome::CheckFailed(_) => self.tally.check_failed += 1,
            reference::Outcome::TypeMismatch(index) => {
                self.tally.failed_midway += usize::from(index > 0);
            }
        }
        Ok(())
    }

    /// Begins a list.
    fn list(&mut self, list: List, now: i64) -> Result<(), TestCaseError> {
        self.listing = Some(list);
        self.page(now)?;
        Ok(())
    }

    /// Goes on with the list begun last, if it may have entries left.
    fn next_page(&mut self, now: i64) -> Result<(), TestCaseError> {
        let found = self.page(now)?;
        self.tally.next_pages += usize::from(found > 0);
        Ok(())
    }

    /// Reads a page of the list begun last; returns how many entries it had.
    fn page(&mut self, now: i64) -> Result<usize, TestCaseError> {
        let Some(mut list) = self.listing.take() else {
            return Ok(0);
        };
        let expected = self.reference.list(&list, now);
        let range = match (list.selector.encode().range(), &expected) {
            (Ok(range), Ok(_)) => range,
            (refused, _) => {
                prop_assert_eq!(refused.err(), expected.err(), "{:?}", list);
                self.tally.selectors_refused += 1;
                return Ok(0);
            }
        };
        let cursor = list
            .after
            .as_ref()
            .map(|key| encode_cursor(&range, encode(key).as_bytes()));
        let rest = range.after_cursor(&cursor.unwrap_or_default(), list.reverse);
        let rest = rest.expect("a cursor of this range");
        let found = self.store.list_page(&rest, list.reverse, list.limit, now);
        let entries: Vec<Entry> = expected.unwrap_or_default();
        let expected: Vec<Found> = entries.iter().map(translate::found).collect();
        prop_assert_eq!(&found, &expected, "{:?} at {}", list, now);
        if let Some(last) = entries.into_iter().last() {
            list.after = Some(last.key);
            self.listing = Some(list);
        }
        self.tally.found += found.len();
        Ok(found.len())
    }
}
