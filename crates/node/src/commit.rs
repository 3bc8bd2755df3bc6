//! Commits from the flat arrays in which `js/atomic.js` keeps them.

use fencekv_kv::{
    Check, Commit, Encoding, Limits, Mutation, StoredValue, Versionstamp, expires_at,
};

use crate::failure::Failure;
use crate::js::{Js, Kind, Value};
use crate::key;

/// `checks` is `[key, versionstamp | null, ...]`. `mutations` is
/// `[kind, key, operand, encoding, expireIn | undefined, ...]`, where the operand is the value's
/// bytes (set), a bigint (sum, min, max) or undefined (delete). Keys are encoded, or arrays.
pub(crate) fn read(
    js: Js,
    checks: Value,
    mutations: Value,
    now: i64,
    limits: &Limits,
) -> Result<Commit, Failure> {
    let commit = Commit {
        now,
        checks: records(js, checks, |[key, versionstamp]| {
            Ok(Check {
                key: key::take_entry_key(js, key)?,
                versionstamp: read_versionstamp(js, versionstamp)?,
            })
        })?,
        mutations: records(js, mutations, |fields| mutation(js, fields, now))?,
    };
    limits.check_commit(&commit)?;
    Ok(commit)
}

fn records<T, const FIELDS: usize>(
    js: Js,
    array: Value,
    read: impl Fn([Value; FIELDS]) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let len = js.array_len(array)?.unwrap_or(0);
    let mut records = Vec::with_capacity(len as usize / FIELDS);
    for start in (0..len).step_by(FIELDS) {
        let mut fields = [std::ptr::null_mut(); FIELDS];
        for (index, field) in (start..).zip(&mut fields) {
            *field = js.element(array, index)?;
        }
        records.push(read(fields)?);
    }
    Ok(records)
}

fn mutation(
    js: Js,
    [kind, key, operand, encoding, expire_in]: [Value; 5],
    now: i64,
) -> Result<Mutation, Failure> {
    let key = key::take_entry_key(js, key)?;
    let value = || -> Result<StoredValue, Failure> {
        let bytes = js.view(operand)?.ok_or_else(|| {
            Failure::coded(
                "NOT_CLONEABLE",
                "a Uint8Array on shared memory cannot be stored",
            )
        })?;
        Ok(StoredValue {
            encoding: Encoding::from_number(js.number(encoding)? as i64),
            bytes,
        })
    };
    let expiry = || -> Result<Option<i64>, Failure> {
        match js.kind(expire_in)? {
            Kind::Undefined => Ok(None),
            // A float beyond u64 saturates, and is then too far.
            _ => Ok(Some(expires_at(now, js.number(expire_in)? as u64)?)),
        }
    };
    let number =
        || -> Result<u64, Failure> { Ok(js.bigint(operand)?.1.first().copied().unwrap_or(0)) };
    // The numbers that `js/atomic.js` gives the kinds.
    Ok(match js.number(kind)? as u8 {
        0 => Mutation::Set {
            key,
            value: value()?,
            expires_at: expiry()?,
        },
        1 => Mutation::SetSuffixVersionstamp {
            key_prefix: key,
            value: value()?,
            expires_at: expiry()?,
        },
        2 => Mutation::Delete { key },
        3 => Mutation::Sum {
            key,
            operand: number()?,
        },
        4 => Mutation::Min {
            key,
            operand: number()?,
        },
        5 => Mutation::Max {
            key,
            operand: number()?,
        },
        unknown => {
            return Err(Failure::coded(
                "INTERNAL",
                format!("no mutation is numbered {unknown}"),
            ));
        }
    })
}

fn read_versionstamp(js: Js, value: Value) -> Result<Option<Versionstamp>, Failure> {
    match js.kind(value)? {
        Kind::Null => Ok(None),
        Kind::String => Ok(Some(Versionstamp::parse(
            &js.text(value)?.unwrap_or_default(),
        )?)),
        _ => Err(fencekv_kv::VersionstampError.into()),
    }
}
