//! Runs a property on generated values.
//!
//! `FENCEKV_SEED=<number>` replays a run; `FENCEKV_ROUNDS=<factor>` scales how many values are
//! tried, as it scales the long tests of the JS suites. No failing values are kept in files: the
//! seed is in the message, and a fault that was found gets a test of its own.

use std::env;

use proptest::prelude::{Rng, Strategy};
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

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
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(&strategy, holds) {
        panic!("{failure}\nFENCEKV_SEED={seed} replays it");
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
