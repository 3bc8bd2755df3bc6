use std::time::Instant;

use fencekv_sqlite::Clock;

/// The machine's monotonic clock.
pub(crate) struct MonotonicClock {
    begin: Instant,
}

impl MonotonicClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binding is what hands in the real clock"
    )]
    pub(crate) fn new() -> Self {
        Self {
            begin: Instant::now(),
        }
    }
}

impl Clock for MonotonicClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binding is what hands in the real clock"
    )]
    fn monotonic_us(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
