//! When the caller's event loop has to turn.
//!
//! A loop of awaited reads that are done at once never leaves the caller's microtasks, and its
//! timers and sockets wait. So after some time the answers of all reads on the thread, of whatever
//! handle, go round by a lane.

use std::cell::Cell;

/// A read goes round after so many microseconds of reads. Two may do so before the loop has turned:
/// the one that is under way, and the one that it leads to.
const LOOP_TURN_US: u64 = 2500;

thread_local! {
    static READS: Cell<Reads> = const { Cell::new(Reads { since_us: 0, last_us: 0 }) };
}

/// The reads on one thread, by the clock, microseconds.
#[derive(Clone, Copy)]
struct Reads {
    /// Since when the loop may not have turned.
    since_us: u64,
    /// When the last read ended.
    last_us: u64,
}

/// Whether a read that begins now is to let the loop turn. What the caller does between two reads
/// counts: it decodes values. A pause that is longer than a turn may be was none of reads.
pub(crate) fn is_due(now_us: u64) -> bool {
    let mut reads = READS.get();
    if now_us.saturating_sub(reads.last_us) > LOOP_TURN_US {
        reads.since_us = now_us;
        READS.set(reads);
    }
    now_us.saturating_sub(reads.since_us) >= LOOP_TURN_US
}

/// A read on the thread has ended.
pub(crate) fn read_ended(now_us: u64) {
    let reads = READS.get();
    READS.set(Reads {
        last_us: now_us,
        ..reads
    });
}

/// An answer that was to let the loop turn, asked for at `asked_us`, has come. What others asked
/// for before the first of them came is of the same turn.
pub(crate) fn turned(asked_us: u64, now_us: u64) {
    if asked_us >= READS.get().since_us {
        READS.set(Reads {
            since_us: now_us,
            last_us: now_us,
        });
    }
}
