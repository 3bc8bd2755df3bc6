//! A group of requests in one transaction: one flush for many commits, and no commit that can harm
//! another.

use fencekv_kv::{Commit, Outcome, Versionstamp, apply};
use rusqlite::{Connection, ErrorCode};

use crate::connection::execute;
use crate::table::{self, Table};
use crate::{Answer, Reply, Request, StoreError, Swept, read, schema};

/// Why a group as a whole got no answers.
pub(crate) enum Failure {
    /// The transaction is gone and nothing of it landed; each request may be tried by itself.
    RolledBack(StoreError),
    /// The transaction was being made durable; nobody knows whether it landed.
    Unknown(StoreError),
}

/// Whether any of `requests` needs the lock for writing.
pub(crate) fn writes(requests: &[Request]) -> bool {
    requests
        .iter()
        .any(|request| matches!(request, Request::Commit(_) | Request::Sweep { .. }))
}

/// Begins the transaction for `requests`, with its lock or its snapshot. Fails with
/// [`StoreError::Busy`], and then may be tried again, when another connection stands in the way.
pub(crate) fn begin(connection: &Connection, requests: &[Request]) -> Result<(), StoreError> {
    let begun = if writes(requests) {
        execute(connection, "begin immediate")
    } else {
        execute(connection, "begin deferred").and_then(|()| take_snapshot(connection))
    };
    begun.map_err(|error| {
        roll_back(connection);
        error.into()
    })
}

/// A deferred transaction has none before its first read.
fn take_snapshot(connection: &Connection) -> rusqlite::Result<()> {
    connection
        .prepare_cached("select version from data_version")?
        .exists([])
        .map(drop)
}

/// Decides against a commit of unknown outcome that has not landed by now.
///
/// While any connection has the file open, such a commit can lie whole in the log, behind the end
/// that the connections know. It would land when the log is next recovered, although it had been
/// read as absent. A transaction overwrites it; this one does nothing but spend a version.
pub(crate) fn supersede(connection: &Connection) -> Result<(), StoreError> {
    let spend_a_version = || {
        execute(connection, "begin immediate")?;
        let mut versions = Versions::begin(connection, true);
        versions.give(versions.next()?);
        versions.record()?;
        Ok(execute(connection, "commit")?)
    };
    spend_a_version().inspect_err(|_| roll_back(connection))
}

/// Answers `requests` in order inside the transaction that [`begin`] opened, and commits it.
///
/// A commit that fails is undone alone, so it leaves nothing and its neighbours stand.
pub(crate) fn run(connection: &Connection, requests: &[Request]) -> Result<Vec<Answer>, Failure> {
    let answers = answer_all(connection, requests).map_err(|error| {
        roll_back(connection);
        Failure::RolledBack(error)
    })?;
    execute(connection, "commit").map_err(|error| {
        // As long as the transaction stands, nothing of it has landed.
        let landed_perhaps = connection.is_autocommit() && may_have_landed(&error);
        roll_back(connection);
        match landed_perhaps {
            true => Failure::Unknown(StoreError::UnknownOutcome(Some(error.into()))),
            false => Failure::RolledBack(error.into()),
        }
    })?;
    Ok(answers)
}

/// An error here means that the group's transaction does not stand any more, or must not.
fn answer_all(connection: &Connection, requests: &[Request]) -> Result<Vec<Answer>, StoreError> {
    let mut versions = Versions::begin(connection, writes(requests));
    let mut answers = Vec::with_capacity(requests.len());
    for request in requests {
        let mut work = || match request {
            Request::Open => Ok(Reply::Opened),
            Request::Read(read) => Ok(read::answer(connection, read)?),
            Request::Sweep { now } => versions.sweep(*now).map(Reply::Swept),
            Request::Commit(commit) => versions.apply(commit).map(Reply::Commit),
        };
        let answer = match requests {
            // What a single request did is undone with the whole transaction.
            [_] => Ok(work()?),
            _ if writes_once(request) => whole_or_nothing(work())?,
            _ => undone_on_error(connection, work)?,
        };
        // FULL, IOERR, NOMEM and INTERRUPT roll back the whole transaction, savepoints and all.
        if let (true, Err(error)) = (connection.is_autocommit(), &answer) {
            return Err(error.clone());
        }
        answers.push(answer);
    }
    versions.record()?;
    Ok(answers)
}

/// Whether a request writes one row at most, so that it needs no savepoint: either it fails before
/// its write, or SQLite fails in the middle of it, and then the group does.
fn writes_once(request: &Request) -> bool {
    match request {
        Request::Open | Request::Read(_) => true,
        Request::Sweep { .. } => false,
        Request::Commit(commit) => commit.mutations.len() <= 1,
    }
}

/// An answer to a request that [`writes_once`], as long as nothing of a failed one can be left.
fn whole_or_nothing(answer: Answer) -> Result<Answer, StoreError> {
    match answer {
        Ok(_)
        | Err(
            StoreError::TypeMismatch { .. }
            | StoreError::VersionsExhausted
            | StoreError::UnsupportedFormat(_),
        ) => Ok(answer),
        Err(error) => Err(error),
    }
}

/// The versions that a group gives out: read before its first write, recorded after its last.
struct Versions<'a> {
    connection: &'a Connection,
    /// The last version given, or why none may be.
    last: Result<Versionstamp, StoreError>,
    given: bool,
}

impl<'a> Versions<'a> {
    /// Outside any savepoint, so that a mark it makes stays whatever becomes of single commits.
    fn begin(connection: &'a Connection, writes: bool) -> Self {
        let last = match writes {
            true => schema::last_version(connection),
            false => Err(StoreError::internal("a group that does not write")),
        };
        Self {
            connection,
            last,
            given: false,
        }
    }

    fn next(&self) -> Result<Versionstamp, StoreError> {
        self.last
            .clone()?
            .0
            .checked_add(1)
            .filter(|next| *next <= i64::MAX.cast_unsigned())
            .map(Versionstamp)
            .ok_or(StoreError::VersionsExhausted)
    }

    fn apply(&mut self, commit: &Commit) -> Result<Outcome, StoreError> {
        let next = self.next()?;
        let mut table = Table {
            connection: self.connection,
        };
        let outcome = apply(&mut table, commit, next)?;
        if matches!(outcome, Outcome::Committed { .. }) {
            self.give(next);
        }
        Ok(outcome)
    }

    fn give(&mut self, version: Versionstamp) {
        self.last = Ok(version);
        self.given = true;
    }

    fn sweep(&self, now: i64) -> Result<Swept, StoreError> {
        self.last.clone()?;
        Ok(table::sweep_chunk(self.connection, now)?)
    }

    fn record(&self) -> rusqlite::Result<()> {
        match &self.last {
            Ok(last) if self.given => table::set_last_version(self.connection, *last),
            _ => Ok(()),
        }
    }
}

/// Runs `work` in a savepoint, which an error undoes. The outer error means that it could not be.
fn undone_on_error<T>(
    connection: &Connection,
    work: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, StoreError> {
    execute(connection, "savepoint one")?;
    let result = work();
    if let Err(error) = &result {
        if connection.is_autocommit() {
            return Err(error.clone());
        }
        execute(connection, "rollback to one")?;
    }
    execute(connection, "release one")?;
    Ok(result)
}

/// Whether a COMMIT that ended the transaction and failed so may have landed all the same. When the
/// disk is full (in a write; in a flush it is an I/O error) it has not: the frame that commits is
/// the last to be completed. An interrupt may be noticed when all is done.
fn may_have_landed(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::OperationInterrupted)
    )
}

pub(crate) fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        // The error that led here is the one to report. A connection that cannot roll back is not
        // used again, and SQLite rolls it back when it closes.
        let _ = execute(connection, "rollback");
    }
}
