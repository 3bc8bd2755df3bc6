//! What must be in a file after the answers that its commits were given.

use std::collections::BTreeSet;
use std::convert::Infallible;

use fencekv_kv::{ApplyError, Commit, Outcome, Versionstamp, apply};
use fencekv_sim::judge::Found;
use fencekv_sim::plain::PlainStore;
use fencekv_sqlite::{Answer, Reply, StoreError};

use crate::work::marker;

/// The commits that landed, and no others, done to an empty store.
#[derive(Clone)]
pub(crate) struct Model {
    store: PlainStore,
    latest: Versionstamp,
}

impl Model {
    pub(crate) fn new() -> Self {
        Self {
            store: PlainStore::default(),
            latest: Versionstamp(0),
        }
    }

    /// Takes in what was answered to `commits`, which were asked at once. One of unknown outcome
    /// landed if its marker is among `rows`.
    pub(crate) fn take(&mut self, commits: &[Commit], answers: &[Answer], rows: &[Found]) {
        assert_eq!(commits.len(), answers.len());
        let mut landed = BTreeSet::new();
        for (index, (commit, answer)) in commits.iter().zip(answers).enumerate() {
            match answer {
                Ok(Reply::Commit(outcome)) => {
                    let version = match outcome {
                        Outcome::Committed { versionstamp } => *versionstamp,
                        Outcome::CheckFailed { .. } => Versionstamp(self.latest.0 + 1),
                    };
                    assert_eq!(
                        self.commit(commit, version).as_ref(),
                        Ok(outcome),
                        "{index}"
                    );
                }
                Ok(other) => panic!("{other:?} is no answer to a commit"),
                Err(StoreError::TypeMismatch { .. }) => assert!(!self.would_land(commit)),
                Err(StoreError::UnknownOutcome(_)) if self.would_land(commit) => {
                    let key = marker(index);
                    let row = rows.iter().find(|row| row.key == key.as_bytes());
                    landed.insert(row.is_some());
                    if let Some(row) = row {
                        self.commit(commit, row.versionstamp).expect("it would");
                    }
                }
                // It left nothing.
                Err(_) => {}
            }
        }
        assert!(landed.len() < 2, "the half of a group landed: {answers:?}");
    }

    pub(crate) fn rows(&self) -> Vec<Found> {
        self.store.rows()
    }

    fn would_land(&self, commit: &Commit) -> bool {
        let version = Versionstamp(self.latest.0 + 1);
        matches!(
            self.clone().commit(commit, version),
            Ok(Outcome::Committed { .. })
        )
    }

    fn commit(
        &mut self,
        commit: &Commit,
        version: Versionstamp,
    ) -> Result<Outcome, ApplyError<Infallible>> {
        let mut store = self.store.clone();
        let outcome = apply(&mut store, commit, version)?;
        if let Outcome::Committed { versionstamp } = outcome {
            assert!(
                versionstamp > self.latest,
                "{versionstamp} was given before"
            );
            self.latest = versionstamp;
            self.store = store;
        }
        Ok(outcome)
    }
}
