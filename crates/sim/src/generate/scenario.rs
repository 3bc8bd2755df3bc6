use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::key::keys;
use crate::reference::{Key, Selector, Value};

/// How many keys a scenario works on; steps name them by their index.
pub const POOL: usize = 8;

/// The time, in milliseconds, that a scenario begins at.
pub const START_MS: i64 = 1_000;

/// Keys, and what is done to them.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// [`POOL`] keys; some may be equal.
    pub keys: Vec<Key>,
    /// In order.
    pub steps: Vec<Step>,
}

/// Something done after some time.
#[derive(Debug, Clone)]
pub struct Step {
    /// How many milliseconds after the step before; clocks also go back.
    pub elapsed: i64,
    /// What.
    pub act: Act,
}

/// Something done.
#[derive(Debug, Clone)]
pub enum Act {
    /// Reads one key.
    Get(usize),
    /// Reads some keys.
    GetMany(Vec<usize>),
    /// Commits.
    Commit(Vec<CheckPlan>, Vec<MutationPlan>),
    /// Begins a list and reads its first page.
    List(ListPlan),
    /// Reads the next page of the list begun last.
    NextPage,
    /// Sweeps.
    Sweep,
}

/// A list that is read page by page.
#[derive(Debug, Clone)]
pub struct ListPlan {
    /// Which keys.
    pub selector: SelectorPlan,
    /// In which direction.
    pub reverse: bool,
    /// Entries in a page.
    pub limit: usize,
}

/// A selector whose bounds are keys of the pool. It may make no sense.
#[derive(Debug, Clone)]
pub enum SelectorPlan {
    /// The first `parts` parts of a key.
    Prefix {
        /// Which key.
        of: usize,
        /// How many of its parts, at most.
        parts: usize,
        /// The start key.
        start: Option<usize>,
        /// The end key.
        end: Option<usize>,
    },
    /// Keys or, for `None`, the empty key.
    Range {
        /// The start key.
        start: Option<usize>,
        /// The end key.
        end: Option<usize>,
    },
}

impl SelectorPlan {
    /// The selector over the keys of a pool.
    pub fn over(&self, keys: &[Key]) -> Selector {
        let key = |index: &Option<usize>| index.map(|index| keys[index].clone());
        match self {
            SelectorPlan::Prefix {
                of,
                parts,
                start,
                end,
            } => {
                let prefix = keys[*of].iter().take(*parts).cloned().collect();
                Selector::Prefix {
                    prefix,
                    start: key(start),
                    end: key(end),
                }
            }
            SelectorPlan::Range { start, end } => Selector::Range {
                start: key(start).unwrap_or_default(),
                end: key(end).unwrap_or_default(),
            },
        }
    }
}

/// A check of a key.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// Which key.
    pub key: usize,
    /// What it is said to be.
    pub expected: Expected,
}

/// What a check says about a key.
#[derive(Debug, Clone)]
pub enum Expected {
    /// It is absent.
    Absent,
    /// It is as the reference has it.
    Right,
    /// It is as the commit of so many commits ago wrote it.
    Of(usize),
    /// It is as no commit of this store wrote it.
    Foreign,
}

/// A mutation of a key of the pool; see `reference::Mutation`.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are those of `reference::Mutation`")]
pub enum MutationPlan {
    Set {
        key: usize,
        value: Value,
        expire_in: Option<u64>,
    },
    SetSuffixVersionstamp {
        prefix: usize,
        value: Value,
        expire_in: Option<u64>,
    },
    Delete {
        key: usize,
    },
    Sum {
        key: usize,
        operand: u64,
    },
    Min {
        key: usize,
        operand: u64,
    },
    Max {
        key: usize,
        operand: u64,
    },
}

/// A scenario of up to 60 steps.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    let elapsed = prop_oneof![4 => 0..20_i64, 1 => -20..0_i64, 1 => -2_000..2_000_i64];
    let step = (elapsed, act()).prop_map(|(elapsed, act)| Step { elapsed, act });
    (keys(POOL), vec(step, 1..60)).prop_map(|(keys, steps)| Scenario { keys, steps })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => (0..POOL).prop_map(Act::Get),
        1 => vec(0..POOL, 0..5).prop_map(Act::GetMany),
        8 => (vec(check(), 0..3), vec(mutation(), 0..5))
            .prop_map(|(checks, mutations)| Act::Commit(checks, mutations)),
        3 => (selector(), any::<bool>(), 1..4_usize)
            .prop_map(|(selector, reverse, limit)| Act::List(ListPlan { selector, reverse, limit })),
        3 => Just(Act::NextPage),
        1 => Just(Act::Sweep),
    ]
}

/// A selector.
pub fn selector() -> impl Strategy<Value = SelectorPlan> {
    let bound = || option::weighted(0.4, 0..POOL);
    prop_oneof![
        2 => (0..POOL, 0..4_usize, bound(), bound())
            .prop_map(|(of, parts, start, end)| SelectorPlan::Prefix { of, parts, start, end }),
        1 => (option::weighted(0.8, 0..POOL), option::weighted(0.95, 0..POOL))
            .prop_map(|(start, end)| SelectorPlan::Range { start, end }),
    ]
}

fn check() -> impl Strategy<Value = CheckPlan> {
    let expected = prop_oneof![
        2 => Just(Expected::Absent),
        6 => Just(Expected::Right),
        1 => (0..4_usize).prop_map(Expected::Of),
        1 => Just(Expected::Foreign),
    ];
    (0..POOL, expected).prop_map(|(key, expected)| CheckPlan { key, expected })
}

fn mutation() -> impl Strategy<Value = MutationPlan> {
    let expire_in = || option::of(0..60_u64);
    prop_oneof![
        4 => (0..POOL, value(), expire_in())
            .prop_map(|(key, value, expire_in)| MutationPlan::Set { key, value, expire_in }),
        1 => (0..POOL, value(), expire_in()).prop_map(|(prefix, value, expire_in)| {
            MutationPlan::SetSuffixVersionstamp { prefix, value, expire_in }
        }),
        2 => (0..POOL).prop_map(|key| MutationPlan::Delete { key }),
        1 => (0..POOL, operand()).prop_map(|(key, operand)| MutationPlan::Sum { key, operand }),
        1 => (0..POOL, operand()).prop_map(|(key, operand)| MutationPlan::Min { key, operand }),
        1 => (0..POOL, operand()).prop_map(|(key, operand)| MutationPlan::Max { key, operand }),
    ]
}

fn operand() -> impl Strategy<Value = u64> {
    prop_oneof![2 => 0..5_u64, 1 => select(&[u64::MAX, u64::MAX - 1, 1 << 63][..]), 1 => any::<u64>()]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => operand().prop_map(Value::U64),
        1 => vec(any::<u8>(), 0..10).prop_map(Value::Other),
    ]
}
