//! The limits by their names in JS.

use std::collections::HashMap;

use fencekv_kv::{LimitKind, Limits};

/// The default of every limit.
pub(crate) fn defaults() -> HashMap<&'static str, f64> {
    let mut limits = Limits::default();
    named(&mut limits)
        .map(|(kind, limit)| (kind.name(), *limit as f64))
        .into()
}

/// The limits that JS gives; one given as Infinity is lifted.
pub(crate) fn read(given: &HashMap<String, f64>) -> Limits {
    let mut limits = Limits::default();
    for (kind, limit) in named(&mut limits) {
        if let Some(number) = given.get(kind.name()) {
            *limit = *number as usize;
        }
    }
    limits
}

fn named(limits: &mut Limits) -> [(LimitKind, &mut usize); 9] {
    [
        (LimitKind::KeyWriteBytes, &mut limits.key_write_bytes),
        (LimitKind::KeyReadBytes, &mut limits.key_read_bytes),
        (LimitKind::ValueBytes, &mut limits.value_bytes),
        (LimitKind::Checks, &mut limits.checks),
        (LimitKind::Mutations, &mut limits.mutations),
        (LimitKind::GetManyKeys, &mut limits.get_many_keys),
        (LimitKind::BatchEntries, &mut limits.batch_entries),
        (LimitKind::CommitBytes, &mut limits.commit_bytes),
        (LimitKind::CommitKeyBytes, &mut limits.commit_key_bytes),
    ]
}
