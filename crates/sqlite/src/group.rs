//! A group of requests in one transaction: one flush for many commits, and no commit that can harm
//! another.

use fencekv_kv::{Commit, Outcome, Versionstamp, apply};
use rusqlite::{Connection, ErrorCode};

use crate::table::{self, Table};
use crate::{Answer, Reply, Request, StoreError, read, schema};

/// Why a group as a whole got no answers.
pub(crate) enum Failure {
    /// The transaction is gone and nothing of it landed; each request may be tried by itself.
    RolledBack(StoreError),
    /// The transaction was being made durable; nobody knows whether it landed.
    Unknown(StoreError),
}

/// Begins the transaction for `requests`. Fails with [`StoreError::Busy`] when another writes.
pub(crate) fn begin(connection: &Connection, requests: &[Request]) -> Result<(), StoreError> {
    let writes = requests
        .iter()
        .any(|request| matches!(request, Request::Commit(_) | Request::Sweep { .. }));
    execute(
        connection,
        if writes {
            "begin immediate"
        } else {
            "begin deferred"
        },
    )?;
    Ok(())
}

/// Answers `requests` in order inside the transaction that [`begin`] opened, and commits it.
///
/// A commit that fails is undone to its savepoint, so it leaves nothing and its neighbours stand.
pub(crate) fn run(connection: &Connection, requests: &[Request]) -> Result<Vec<Answer>, Failure> {
    let answers = answer_all(connection, requests).map_err(|error| {
        roll_back(connection);
        Failure::RolledBack(error)
    })?;
    execute(connection, "commit").map_err(|error| {
        let reached_disk = may_have_reached_disk(&error);
        roll_back(connection);
        match reached_disk {
            true => Failure::Unknown(StoreError::UnknownOutcome(error.into())),
            false => Failure::RolledBack(error.into()),
        }
    })?;
    Ok(answers)
}

/// An error here means that the group's transaction does not stand any more.
fn answer_all(connection: &Connection, requests: &[Request]) -> Result<Vec<Answer>, StoreError> {
    let mut versions = Versions {
        connection,
        last: None,
        moved: false,
    };
    let mut answers = Vec::with_capacity(requests.len());
    for request in requests {
        let mut answer = || match request {
            Request::Open => Ok(Reply::Opened),
            Request::Read(read) => Ok(read::answer(connection, read)?),
            Request::Sweep { now } => {
                versions.last()?;
                Ok(Reply::Swept(table::sweep_chunk(connection, *now)?))
            }
            Request::Commit(commit) => versions.apply(commit).map(Reply::Commit),
        };
        let answer = match requests {
            // What a single request did is undone with the whole transaction.
            [_] => Ok(answer()?),
            _ if is_one_statement(request) => answer(),
            _ => undone_on_error(connection, answer)?,
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

/// Whether a request writes by one statement at most, which SQLite undoes by itself when it fails.
fn is_one_statement(request: &Request) -> bool {
    match request {
        Request::Open | Request::Read(_) | Request::Sweep { .. } => true,
        Request::Commit(commit) => commit.mutations.len() <= 1,
    }
}

/// The versions that a group gives out: read before its first write, recorded after its last.
struct Versions<'a> {
    connection: &'a Connection,
    last: Option<Versionstamp>,
    moved: bool,
}

impl Versions<'_> {
    /// The version of the last commit, once the file's format allows this build to write.
    fn last(&mut self) -> Result<Versionstamp, StoreError> {
        if let Some(last) = self.last {
            return Ok(last);
        }
        Ok(*self.last.insert(schema::last_version(self.connection)?))
    }

    fn apply(&mut self, commit: &Commit) -> Result<Outcome, StoreError> {
        let next = self
            .last()?
            .0
            .checked_add(1)
            .filter(|next| *next <= i64::MAX.cast_unsigned())
            .map(Versionstamp)
            .ok_or(StoreError::VersionsExhausted)?;
        let outcome = apply(
            &mut Table {
                connection: self.connection,
            },
            commit,
            next,
        )?;
        if matches!(outcome, Outcome::Committed { .. }) {
            self.last = Some(next);
            self.moved = true;
        }
        Ok(outcome)
    }

    fn record(&self) -> rusqlite::Result<()> {
        match self.last {
            Some(last) if self.moved => table::set_last_version(self.connection, last),
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

/// Whether a COMMIT that failed so may have written its last frame all the same.
fn may_have_reached_disk(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::SystemIoFailure | ErrorCode::DiskFull | ErrorCode::OutOfMemory)
    )
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        // The error that led here is the one to report; a connection that cannot roll back is
        // rolled back by SQLite when it closes.
        let _ = execute(connection, "rollback");
    }
}

fn execute(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}
