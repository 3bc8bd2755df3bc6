use std::sync::OnceLock;
use std::time::Instant;

use fencekv_sqlite::Clock;

/// One beginning for all handles, which compare their times.
static BEGIN: OnceLock<Instant> = OnceLock::new();

/// The machine's monotonic clock.
pub(crate) struct MonotonicClock;

impl Clock for MonotonicClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binding is what hands in the real clock"
    )]
    fn monotonic_us(&self) -> u64 {
        let begin = BEGIN.get_or_init(Instant::now);
        u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
