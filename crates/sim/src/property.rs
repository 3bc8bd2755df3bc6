//! Runs a property on generated values.
//!
//! `FENCEKV_SEED=<number>` replays a run; `FENCEKV_ROUNDS=<factor>` scales how many values are
//! tried, as it scales the long tests of the JS suites. No failing values are kept in files: the
//! seed is in the message, and a fault that was found gets a test of its own.

use std::env;

use proptest::prelude::{Rng, Strategy};
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestError, TestRunner};

/// Tries `holds` on `cases` values of `strategy`.
///
/// # Panics
///
/// If it fails, with the smallest failing value and the seed; or if a variable is no number.
pub fn check<S: Strategy>(cases: u32, strategy: S, holds: impl Fn(S::Value) -> TestCaseResult) {
    let seed = env::var("FENCEKV_SEED").map_or_else(
        |_| TestRunner::new(Config::default()).rng().next_u64(),
        |seed| seed.parse().expect("FENCEKV_SEED is a number"),
    );
    let config = Config {
        cases: (f64::from(cases) * rounds()).ceil() as u32,
        max_shrink_iters: 20_000,
        ..config(seed)
    };
    if let Err(failure) = TestRunner::new(config).run(&strategy, holds) {
        panic!("{failure}\nFENCEKV_SEED={seed} replays it");
    }
}

/// What is wrong with the first of just `cases` values of a fixed seed for which `holds` fails: for
/// a test that wants a fault found, which no variable may make it miss.
///
/// # Panics
///
/// If too many values are rejected.
pub fn fault<S: Strategy>(
    cases: u32,
    seed: u64,
    strategy: S,
    holds: impl Fn(S::Value) -> TestCaseResult,
) -> Option<String> {
    let config = Config {
        cases,
        max_shrink_iters: 0,
        ..config(seed)
    };
    match TestRunner::new(config).run(&strategy, holds) {
        Ok(()) => None,
        Err(TestError::Fail(reason, _)) => Some(reason.message().to_owned()),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn config(seed: u64) -> Config {
    Config {
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The share of its rounds that a long test does, by `FENCEKV_ROUNDS`.
///
/// # Panics
///
/// If that is no number.
#[must_use]
pub fn rounds() -> f64 {
    env::var("FENCEKV_ROUNDS").map_or(1.0, |rounds| {
        rounds.parse().expect("FENCEKV_ROUNDS is a number")
    })
}
