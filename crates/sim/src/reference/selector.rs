use fencekv_kv::SelectorError;

use super::key::{Key, encode, is_under};

/// Which keys to list.
#[derive(Debug, Clone)]
#[allow(
    missing_docs,
    reason = "the fields are named as the selectors of `fencekv-kv` name them"
)]
pub enum Selector {
    Prefix {
        prefix: Key,
        start: Option<Key>,
        end: Option<Key>,
    },
    Range {
        start: Key,
        end: Key,
    },
}

impl Selector {
    /// Whether it makes sense.
    ///
    /// # Errors
    ///
    /// Why not.
    pub fn check(&self) -> Result<(), SelectorError> {
        match self {
            Selector::Prefix {
                prefix,
                start: Some(start),
                ..
            } if !is_under(start, prefix) => Err(SelectorError::StartOutsidePrefix),
            Selector::Prefix {
                prefix,
                end: Some(end),
                ..
            } if !is_under(end, prefix) => Err(SelectorError::EndOutsidePrefix),
            Selector::Prefix {
                start: Some(start),
                end: Some(end),
                ..
            }
            | Selector::Range { start, end }
                if start > end =>
            {
                Err(SelectorError::StartAfterEnd)
            }
            _ => Ok(()),
        }
    }

    /// Whether it selects `key`, if it makes sense.
    pub fn selects(&self, key: &Key) -> bool {
        match self {
            Selector::Prefix { prefix, start, end } => {
                is_under(key, prefix)
                    && start.as_ref().is_none_or(|start| start <= key)
                    && end.as_ref().is_none_or(|end| key < end)
            }
            Selector::Range { start, end } => start <= key && key < end,
        }
    }

    /// The selector as `fencekv-kv` takes it.
    pub fn encode(&self) -> fencekv_kv::Selector {
        match self {
            Selector::Prefix { prefix, start, end } => fencekv_kv::Selector::Prefix {
                prefix: encode(prefix),
                start: start.as_ref().map(encode),
                end: end.as_ref().map(encode),
            },
            Selector::Range { start, end } => fencekv_kv::Selector::Range {
                start: encode(start),
                end: encode(end),
            },
        }
    }
}
