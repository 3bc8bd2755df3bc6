//! A group of 20 commits with a fault at every position: full disk, failing writes, reads and
//! flushes, no memory, interrupts.
//!
//! Whatever happens, what was acknowledged is in the file, what was rejected is not, and what is
//! unknown is there as a whole or not at all, and stays as it was read. The connection under test
//! keeps one page in memory, so that it writes and reads in the middle of the group too.
//!
//! `FENCEKV_ROUNDS` below 1 tries a share of the positions, evenly spread, and all of the last ones,
//! where the group is committed.

mod model;
mod work;

use fencekv_kv::{Commit, Key, Outcome};
use fencekv_sim::file::rows;
use fencekv_sim::judge::Found;
use fencekv_sim::property::rounds;
use fencekv_sim::stepped::Stepped;
use fencekv_sim::vfs::{Damage, Fault, Part, Plan, arm, disarm, install, pragma};
use fencekv_sqlite::{Answer, Read, Reply, Request, StoreError};
use tempfile::TempDir;

use crate::model::Model;
use crate::work::{GROUP, LANDING, after, before, group, key, marker};

/// How many operations are struck by a fault that lasts, and by one that does not go away.
const A_WHILE: usize = 8;
const FOR_GOOD: usize = usize::MAX;

/// At the end of a group, so many positions are tried in any case.
const LAST: usize = 10;

/// What came of a plan.
struct Trial {
    damage: Damage,
    answers: Vec<Answer>,
}

impl Trial {
    fn landed(&self) -> usize {
        self.answers.iter().filter(|answer| landed(answer)).count()
    }

    fn unknown(&self) -> usize {
        self.answers
            .iter()
            .filter(|answer| is_unknown(answer))
            .count()
    }

    /// Commits rejected by the fault.
    fn rejected(&self, fault: Fault) -> usize {
        let code = match fault {
            Fault::Full => "DISK_FULL",
            Fault::Write | Fault::Read | Fault::Sync => "IO",
            Fault::NoMemory | Fault::Interrupt => "INTERNAL",
        };
        let errors = self
            .answers
            .iter()
            .filter_map(|answer| answer.as_ref().err());
        errors
            .filter(|error| match error.code() {
                "TYPE_MISMATCH" | "UNKNOWN_OUTCOME" => false,
                other => {
                    assert_eq!(other, code, "{error:?}");
                    true
                }
            })
            .count()
    }

    /// Whether the first strike fell while SQLite did such a statement.
    fn struck(&self, statement: &str) -> bool {
        let first = self.damage.statements.first();
        first.is_some_and(|running| running.starts_with(statement))
    }
}

fn landed(answer: &Answer) -> bool {
    matches!(answer, Ok(Reply::Commit(Outcome::Committed { .. })))
}

fn is_unknown(answer: &Answer) -> bool {
    matches!(answer, Err(StoreError::UnknownOutcome(_)))
}

/// A file with a handle on it.
struct File {
    folder: TempDir,
    handle: Stepped,
    asked: Vec<Asked>,
    /// Has the file open too, so that the end of the handle's connections is not that of the log.
    other: Stepped,
}

/// Commits asked at once, and their answers.
type Asked = (Vec<Commit>, Vec<Answer>);

impl File {
    fn create() -> File {
        install();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kv.db");
        let handle = Stepped::open(&path);
        let other = Stepped::open(&path);
        let mut file = File {
            folder,
            handle,
            asked: Vec::new(),
            other,
        };
        file.ask(before());
        assert!(file.handle.get(&key("text")).is_some());
        file
    }

    fn ask(&mut self, commits: Vec<Commit>) -> Vec<Answer> {
        let answers = self
            .handle
            .group(commits.iter().cloned().map(Request::Commit).collect());
        self.asked.push((commits, answers.clone()));
        answers
    }

    fn ask_under(&mut self, plan: Plan) -> Trial {
        self.handle.on_writer(move || {
            pragma("cache_size = 1");
            arm(plan);
        });
        let answers = self.ask(group());
        let damage = self.handle.on_writer(disarm);
        Trial { damage, answers }
    }

    /// Has the handle read a commit of unknown outcome, if there is one, and judges what the next
    /// process finds if all that have the file open are killed then. Says whether it is there.
    fn read_unknown(&mut self, trial: &Trial) -> Option<bool> {
        let unknown = trial.answers.iter().position(is_unknown).map(marker);
        let read = unknown.as_ref().map(|key| self.handle.get(key).is_some());
        let copy = self.folder.path().join("copy.db");
        for suffix in [Part::Database, Part::Log].map(Part::suffix) {
            let [from, to] =
                ["kv.db", "copy.db"].map(|name| self.folder.path().join(format!("{name}{suffix}")));
            std::fs::copy(from, to).expect("a copy");
        }
        let found = rows(&copy).expect("a file");
        judge(&self.asked, &found);
        let is_found = |key: Key| found.iter().any(|row| row.key == key.as_bytes());
        assert_eq!(
            read,
            unknown.map(is_found),
            "it does not stay as it was read"
        );
        read
    }

    fn close(self) {
        self.handle.close();
        self.other.close();
        let rows = rows(&self.folder.path().join("kv.db")).expect("a file");
        judge(&self.asked, &rows);
    }
}

/// Judges the rows of a file by what was answered.
fn judge(asked: &[Asked], rows: &[Found]) {
    let mut model = Model::new();
    for (commits, answers) in asked {
        model.take(commits, answers, rows);
    }
    assert_eq!(rows, model.rows());
}

/// Strikes a group, uses the handle again, and judges the file.
fn try_plan(plan: Plan) -> Trial {
    let mut file = File::create();
    let trial = file.ask_under(plan);
    file.read_unknown(&trial);
    let answers = file.ask(after());
    assert!(answers.iter().all(landed), "the fault is over: {answers:?}");
    file.close();
    trial
}

/// Trials of one fault, which began in so many different ways and had such ends.
#[derive(Debug, Default)]
struct Tally {
    in_the_middle: usize,
    at_commit: usize,
    unknown: usize,
    rejected: usize,
    /// Some commits of the group landed and others were rejected.
    divided: usize,
}

impl Tally {
    fn add(&mut self, plan: Plan, trial: &Trial) {
        let (landed, unknown) = (trial.landed(), trial.unknown());
        let rejected = trial.rejected(plan.fault);
        let story = || format!("{plan:?}: {:?}", trial.answers);
        assert!(
            !trial.damage.statements.is_empty(),
            "never struck: {plan:?}"
        );
        let of_the_disk = matches!(plan.fault, Fault::Write | Fault::Read | Fault::Sync);
        if trial.struck("commit") && of_the_disk {
            assert_eq!(unknown, GROUP, "{}", story());
        }
        // What struck once is over when the commits run again; but BEGIN is not repeated.
        if plan.times == 1 && unknown == 0 && rejected < GROUP {
            assert!(landed + 1 >= LANDING, "{}", story());
        }
        self.in_the_middle += usize::from(trial.struck("insert"));
        self.at_commit += usize::from(trial.struck("commit"));
        self.unknown += usize::from(unknown > 0);
        self.rejected += usize::from(rejected > 0);
        self.divided += usize::from(landed > 0 && rejected > 0);
    }
}

/// Tries `fault` at the positions of a group: at each once, at some also for a while or for good.
fn survey(fault: Fault) -> Tally {
    let plan = |after, times| Plan {
        fault,
        after,
        times,
    };
    let positions = try_plan(plan(0, 0)).damage.operations;
    let stride = (1.0 / rounds()).max(1.0) as usize;
    let mut tally = Tally::default();
    let durations = [vec![1, FOR_GOOD], vec![1], vec![1, A_WHILE], vec![1]];
    let mut durations = durations.iter().cycle();
    for position in 0..positions {
        if position % stride != 0 && position + LAST < positions {
            continue;
        }
        for times in durations.next().into_iter().flatten() {
            let plan = plan(position, *times);
            tally.add(plan, &try_plan(plan));
        }
    }
    tally
}

#[test]
fn full_disk() {
    let tally = survey(Fault::Full);
    assert!(tally.in_the_middle > 0 && tally.at_commit > 0, "{tally:?}");
    assert!(tally.rejected > 0 && tally.divided > 0, "{tally:?}");
    assert_eq!(tally.unknown, 0);
}

#[test]
fn failing_writes() {
    let tally = survey(Fault::Write);
    assert!(tally.in_the_middle > 0 && tally.at_commit > 0, "{tally:?}");
    assert!(
        tally.rejected > 0 && tally.unknown >= tally.at_commit,
        "{tally:?}"
    );
}

#[test]
fn failing_reads() {
    let tally = survey(Fault::Read);
    assert!(tally.in_the_middle > 0 && tally.at_commit > 0, "{tally:?}");
    assert!(
        tally.rejected > 0 && tally.unknown >= tally.at_commit,
        "{tally:?}"
    );
}

#[test]
fn failing_flushes() {
    let tally = survey(Fault::Sync);
    assert!(
        tally.at_commit > 0 && tally.unknown == tally.at_commit,
        "{tally:?}"
    );
}

#[test]
fn no_memory() {
    let tally = survey(Fault::NoMemory);
    assert!(tally.in_the_middle > 0 && tally.at_commit > 0, "{tally:?}");
    assert!(tally.rejected > 0 && tally.unknown > 0, "{tally:?}");
}

#[test]
fn interrupts() {
    let tally = survey(Fault::Interrupt);
    assert!(tally.in_the_middle > 0 && tally.at_commit > 0, "{tally:?}");
    assert!(tally.rejected > 0 && tally.unknown > 0, "{tally:?}");
}

/// An interrupt that is noticed when COMMIT has done its work was once taken for a transaction that
/// is gone: the group ran again, and each of its sums counted twice.
#[test]
fn a_commit_interrupted_at_its_very_end_is_not_repeated() {
    let interrupt = |after, times| Plan {
        fault: Fault::Interrupt,
        after,
        times,
    };
    let steps = try_plan(interrupt(0, 0)).damage.operations;
    let mut file = File::create();
    let trial = file.ask_under(interrupt(steps - 1, 1));
    assert_eq!(trial.unknown(), GROUP);
    assert_eq!(file.read_unknown(&trial), Some(true));
    file.close();
}

/// A commit whose flush failed lay whole in the log, behind the end that the open connections knew.
/// The handle read it as absent; but had all processes been killed then, it would have come to life.
#[test]
fn a_commit_whose_flush_failed_stays_as_it_was_read() {
    let mut file = File::create();
    let trial = file.ask_under(Plan {
        fault: Fault::Sync,
        after: 0,
        times: 1,
    });
    assert_eq!(trial.unknown(), GROUP);
    assert_eq!(file.read_unknown(&trial), Some(false));
    file.close();
}

#[test]
fn a_read_is_answered_though_the_commits_around_it_are_unknown() {
    let mut file = File::create();
    file.handle.on_writer(|| {
        arm(Plan {
            fault: Fault::Sync,
            after: 0,
            times: 1,
        });
    });
    let commit = Request::Commit(group().swap_remove(0));
    let read = Request::Read(Read::point(marker(0), 0));
    let answers = file.handle.group(vec![commit, read]);
    let [unknown, Ok(Reply::Points(read))] = &answers[..] else {
        panic!("{answers:?}");
    };
    assert!(is_unknown(unknown));
    // By then it is decided.
    assert_eq!(read[..], [None]);
    assert_eq!(file.handle.get(&marker(0)), None);
    file.close();
}
