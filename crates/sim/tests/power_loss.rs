//! The power goes at any moment of a workload: what was acknowledged is in the file.
//!
//! The VFS notes what a handle writes and syncs while it commits, checkpoints, closes and opens.
//! From the notes up to a moment, images are made: all that was synced till then, and of the other
//! 512-byte sectors a random part. Each image opens and holds a state between two commits, with
//! every commit that was acknowledged by then.

use std::cell::Cell;
use std::fmt;
use std::path::Path;

use fencekv_kv::{Commit, Key, KeyWriter, Mutation, Outcome, Versionstamp, apply};
use fencekv_sim::commits::{commit, count, set};
use fencekv_sim::file::rows;
use fencekv_sim::plain::PlainStore;
use fencekv_sim::power::Image;
use fencekv_sim::property::{check, fault};
use fencekv_sim::stepped::Stepped;
use fencekv_sim::vfs::{Event, Recording, install, pragma};
use fencekv_sqlite::{Answer, Reply, Request};
use proptest::collection::vec;
use proptest::prelude::{Just, RngExt, Strategy, prop_oneof};
use proptest::test_runner::{TestCaseError, TestRng};
use proptest::{prop_assert, prop_assert_eq};

/// Images made of each workload.
const IMAGES: usize = 50;

/// Keys that the commits share.
const KEYS: u8 = 12;

/// Pages in the log at which SQLite moves them to the database, instead of its 1000.
const CHECKPOINT: &str = "wal_autocheckpoint = 16";

/// What a handle does next.
#[derive(Debug, Clone)]
enum Step {
    Group(Vec<Commit>),
    Reopen,
}

fn key(index: u8) -> Key {
    let mut key = KeyWriter::new();
    key.push_bytes(&[index]);
    key.finish()
}

fn commits() -> impl Strategy<Value = Commit> {
    let mutation = prop_oneof![
        5 => (0..KEYS, 0..=u8::MAX, 1..3000usize)
            .prop_map(|(index, byte, size)| set(key(index), byte, size)),
        1 => (0..KEYS, 0..=u8::MAX, 3000..12_000usize)
            .prop_map(|(index, byte, size)| set(key(index), byte, size)),
        2 => (0..KEYS).prop_map(|index| Mutation::Delete { key: key(index) }),
    ];
    // Each commit counts, so that one which is there twice or by halves is seen.
    vec(mutation, 0..4).prop_map(|mut mutations| {
        mutations.push(count(key(KEYS)));
        commit(vec![], mutations)
    })
}

fn workload() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => vec(commits(), 1..6).prop_map(Step::Group),
        1 => Just(Step::Reopen),
    ];
    vec(step, 20..40)
}

/// A workload that was done.
struct Done {
    events: Vec<Event>,
    /// The rows after each commit, the first of them before any.
    states: Vec<(Versionstamp, PlainStore)>,
    /// How many events there were when a commit was acknowledged, in order.
    acknowledged: Vec<(usize, Versionstamp)>,
}

fn run(
    workload: &[Step],
    weaker: Option<&'static str>,
    path: &Path,
) -> Result<Done, TestCaseError> {
    install();
    let recording = Recording::of(path);
    let mut store = PlainStore::default();
    let mut states = vec![(Versionstamp(0), store.clone())];
    let mut acknowledged = Vec::new();
    let open = || {
        let handle = Stepped::open(path);
        handle.on_writer(move || {
            pragma(CHECKPOINT);
            weaker.into_iter().for_each(pragma);
        });
        handle
    };
    let mut handle = open();
    for step in workload {
        let Step::Group(commits) = step else {
            handle.close();
            handle = open();
            continue;
        };
        let requests = commits.iter().cloned().map(Request::Commit).collect();
        let answers = handle.group(requests);
        let written = recording.events().len();
        for (commit, answer) in commits.iter().zip(answers) {
            let stamp = committed(&answer)?;
            apply(&mut store, commit, stamp).expect("what the engine could do");
            states.push((stamp, store.clone()));
            acknowledged.push((written, stamp));
        }
    }
    handle.close();
    let events = std::mem::take(&mut *recording.events());
    Ok(Done {
        events,
        states,
        acknowledged,
    })
}

fn committed(answer: &Answer) -> Result<Versionstamp, TestCaseError> {
    match answer {
        Ok(Reply::Commit(Outcome::Committed { versionstamp })) => Ok(*versionstamp),
        other => Err(TestCaseError::fail(format!("{other:?} to a commit"))),
    }
}

/// What the images came across: a suite asserts that it was everything.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    images: usize,
    /// Sectors lost of the log.
    in_log: usize,
    /// Sectors lost of the database, in the middle of a checkpoint.
    in_database: usize,
    /// Images in which a commit was found that was not acknowledged yet.
    ahead: usize,
}

/// Judges [`IMAGES`] images of a workload.
fn judge(
    workload: &[Step],
    weaker: Option<&'static str>,
    dice: &mut TestRng,
) -> Result<Tally, TestCaseError> {
    let folder = tempfile::tempdir().expect("a folder");
    let done = run(workload, weaker, &folder.path().join("kv.db"))?;
    let mut tally = Tally::default();
    for index in 0..IMAGES {
        let moment = dice.random_range(0..=done.events.len());
        let image = Image::after(&done.events[..moment], dice);
        let path = folder.path().join(format!("image-{index}.db"));
        image.write(&path).expect("a file");
        let ahead = judge_image(&path, &done, moment)?;
        tally.images += 1;
        tally.in_log += image.lost - image.lost_in_database;
        tally.in_database += image.lost_in_database;
        tally.ahead += usize::from(ahead);
    }
    Ok(tally)
}

/// Judges a file as it was at `moment`; says whether it was ahead of what was acknowledged.
fn judge_image(path: &Path, done: &Done, moment: usize) -> Result<bool, TestCaseError> {
    let acknowledged = done
        .acknowledged
        .iter()
        .rfind(|(written, _)| *written <= moment)
        .map_or(Versionstamp(0), |(_, stamp)| *stamp);

    // What the next commit is given tells which was the last.
    let mut handle = Stepped::open(path);
    let probe = commit(vec![], vec![set(key(KEYS + 1), 0, 1)]);
    let next = committed(&handle.group(vec![Request::Commit(probe.clone())])[0])?;
    handle.close();
    let state = done.states.iter().rfind(|(stamp, _)| *stamp < next);
    let (latest, store) = state.expect("the first");
    prop_assert!(
        *latest >= acknowledged,
        "{latest} is all there is of {acknowledged}"
    );

    let mut expected = store.clone();
    apply(&mut expected, &probe, next).expect("a set");
    let found = rows(path).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let events = done.events.len();
    prop_assert_eq!(found, expected.rows(), "after {} of {}", moment, events);
    Ok(*latest > acknowledged)
}

/// Debug says little, since its seed says it all.
struct Case {
    workload: Vec<Step>,
    dice: TestRng,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a workload of {} steps", self.workload.len())
    }
}

fn cases() -> impl Strategy<Value = Case> {
    workload()
        .prop_perturb(|workload, dice| Case { workload, dice })
        .no_shrink()
}

#[test]
fn what_was_acknowledged_survives() {
    let tally = Cell::new(Tally::default());
    check(40, cases(), |mut case| {
        let found = judge(&case.workload, None, &mut case.dice)?;
        let sum = tally.get();
        tally.set(Tally {
            images: sum.images + found.images,
            in_log: sum.in_log + found.in_log,
            in_database: sum.in_database + found.in_database,
            ahead: sum.ahead + found.ahead,
        });
        Ok(())
    });
    let tally = tally.get();
    assert!(
        tally.in_log > 0 && tally.in_database > 0 && tally.ahead > 0,
        "the images came across too little: {tally:?}"
    );
}

/// What is wrong with the images of one workload, of a fixed seed, that was synced less.
fn fault_when(synchronous: &'static str, seed: u64) -> Option<String> {
    fault(1, seed, cases(), |mut case| {
        judge(&case.workload, Some(synchronous), &mut case.dice).map(drop)
    })
}

/// Else the suite above would prove nothing.
#[test]
fn without_syncs_every_workload_goes_wrong() {
    let faults = (0..5).map(|seed| fault_when("synchronous = off", seed));
    assert!(faults.into_iter().all(|fault| fault.is_some()));
}

/// Which is what [`fencekv_sqlite::Durability::Normal`] says of itself.
#[test]
fn synced_only_at_checkpoints_the_last_commits_are_lost_and_nothing_worse() {
    let faults = (0..5).map(|seed| fault_when("synchronous = normal", seed));
    let faults: Vec<_> = faults.flatten().collect();
    assert!(!faults.is_empty());
    for fault in faults {
        assert!(fault.contains("is all there is of"), "{fault}");
    }
}
