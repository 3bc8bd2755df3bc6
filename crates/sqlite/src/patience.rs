//! How long a handle waits for what others hold.

use std::time::Duration;

use crate::StoreError;
use crate::clock::Clock;
use crate::lane::Stop;

/// The longest wait, in milliseconds, for what is a courtesy among processes, and what another may
/// hold for ever since it was stopped.
pub(crate) const COURTESY_MS: u64 = 250;

/// Each lock attempt is followed by a pause that doubles from the first to the second of these.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(4);

/// Waits for locks, within a budget.
pub(crate) struct Patience<'a, J> {
    clock: &'a dyn Clock,
    stop: &'a Stop<J>,
    /// By the clock, microseconds.
    begin_us: u64,
    /// Milliseconds.
    budget_ms: u64,
}

impl<'a, J> Patience<'a, J> {
    /// The budget counts from now.
    pub(crate) fn new(clock: &'a dyn Clock, stop: &'a Stop<J>, budget_ms: u64) -> Self {
        Self {
            clock,
            stop,
            begin_us: clock.monotonic_us(),
            budget_ms,
        }
    }

    fn waited_ms(&self) -> u64 {
        (self.clock.monotonic_us() - self.begin_us) / 1000
    }

    /// Whether there is no more waiting: the budget is spent, or the lane is aborted.
    pub(crate) fn is_over(&self) -> bool {
        self.waited_ms() >= self.budget_ms || self.stop.aborted_within(Duration::ZERO)
    }

    /// The same, but with no more than `budget_ms` from now.
    pub(crate) fn at_most(&self, budget_ms: u64) -> Self {
        let left_ms = self.budget_ms.saturating_sub(self.waited_ms());
        Self::new(self.clock, self.stop, budget_ms.min(left_ms))
    }

    /// Repeats `attempt` while another connection holds the lock that it needs.
    pub(crate) fn wait<T>(
        &self,
        mut attempt: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut pause = FIRST_PAUSE;
        loop {
            match attempt() {
                Err(StoreError::Busy { .. }) => {
                    let waited_ms = self.waited_ms();
                    if waited_ms >= self.budget_ms {
                        return Err(StoreError::Busy { waited_ms });
                    }
                    if self.stop.aborted_within(pause) {
                        return Err(StoreError::Closed);
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                result => return result,
            }
        }
    }
}
