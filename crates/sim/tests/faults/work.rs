//! What the handle is asked before, under and after a fault.

use fencekv_kv::{Commit, Key, KeyWriter, Mutation};
use fencekv_sim::commits::{self, absent, commit, count};

/// Commits in the group that is struck.
pub(crate) const GROUP: usize = 20;

/// So many of them land when nothing goes wrong.
pub(crate) const LANDING: usize = 12;

pub(crate) fn key(name: &str) -> Key {
    let mut key = KeyWriter::new();
    key.push_str(name);
    key.finish()
}

/// The key that only the commit of this index in the group writes.
pub(crate) fn marker(index: usize) -> Key {
    key(&format!("commit-{index:02}"))
}

/// Fills the file.
pub(crate) fn before() -> Vec<Commit> {
    let mut mutations: Vec<_> = (0..GROUP)
        .map(|index| set(key(&format!("old-{index}")), 1000))
        .collect();
    mutations.push(set(key("text"), 10));
    vec![commit(vec![], mutations)]
}

/// Commits of one and of several mutations, with checks that hold and that do not, and some that
/// fail at their second mutation. Who applies one twice counts too far.
pub(crate) fn group() -> Vec<Commit> {
    (0..GROUP).map(one_of_group).collect()
}

fn one_of_group(index: usize) -> Commit {
    match index % 5 {
        0 => commit(vec![], vec![set(marker(index), 1500)]),
        1 => {
            let old = key(&format!("old-{index}"));
            let mutations = vec![
                set(marker(index), 1500),
                Mutation::Delete { key: old },
                set(key("shared"), 3000 + index),
                count(key("count")),
            ];
            commit(vec![], mutations)
        }
        2 => commit(
            vec![absent(marker(index))],
            vec![count(key("count")), set(marker(index), 10)],
        ),
        3 => commit(vec![], vec![set(marker(index), 1500), count(key("text"))]),
        _ => commit(vec![absent(key("text"))], vec![set(marker(index), 10)]),
    }
}

/// For when the fault is over.
pub(crate) fn after() -> Vec<Commit> {
    let names = ["after-1", "after-2", "after-3"];
    let one = |name| commit(vec![], vec![set(key(name), 1500), count(key("count"))]);
    names.map(one).to_vec()
}

/// What the value is does not matter, only how much is written.
fn set(key: Key, size: usize) -> Mutation {
    commits::set(key, b'x', size)
}
