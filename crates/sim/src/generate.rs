//! Strategies. What they make is meant to collide: few keys, short times, shared prefixes.

mod key;
mod scenario;

pub use key::{key, keys, part};
pub use scenario::{
    Act, CheckPlan, Expected, ListPlan, MutationPlan, POOL, START_MS, Scenario, SelectorPlan, Step,
    scenario, selector,
};
