//! Elapsed time, as a parameter. Expiry never uses it: the caller's `now` comes with each operation.

/// A clock that only moves forward, for wait budgets and the cadence of background work.
pub trait Clock: Send + Sync {
    /// Microseconds since an arbitrary but fixed instant, the same for all handles on a thread.
    fn monotonic_us(&self) -> u64;
}
