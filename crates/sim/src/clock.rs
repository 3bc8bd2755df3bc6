//! Time for a handle under test.

use fencekv_sqlite::Clock;

/// Time that stands still: no background sweep is ever due.
pub struct Stopped;

impl Clock for Stopped {
    fn monotonic_us(&self) -> u64 {
        0
    }
}
