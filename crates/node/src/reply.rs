//! Entries and answers as JS values.
//!
//! Value bytes cross packed one after another: a byte with the number of the encoding (0 if it is
//! none that is known), four bytes of length (little-endian), the bytes. They lie in the scratch
//! buffer that JS handed in, or in a buffer of their own when that is too small.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fencekv_kv::{Outcome, Versionstamp};
use fencekv_sqlite::{Answer, Entry, EntryRef, LaneId, Reply, Swept};

use crate::failure::Failure;
use crate::js::{Js, Value};
use crate::key;

/// The number by which JS knows a lane.
pub(crate) fn lane_number(lane: LaneId) -> u32 {
    match lane {
        LaneId::Writer => 0,
        LaneId::Reader => 1,
        LaneId::Turn => 2,
    }
}

/// The lane that JS knows by this number.
pub(crate) fn lane(number: u32) -> Option<LaneId> {
    [LaneId::Writer, LaneId::Reader, LaneId::Turn]
        .into_iter()
        .find(|lane| lane_number(*lane) == number)
}

/// Bytes in front of each packed value.
const HEADER: usize = 5;

/// Packs values into the scratch buffer while there is room.
pub(crate) struct Packer<'a> {
    scratch: &'a mut [u8],
    used: usize,
    spilled: Option<Vec<u8>>,
}

impl<'a> Packer<'a> {
    pub(crate) fn new(scratch: &'a mut [u8]) -> Self {
        Self {
            scratch,
            used: 0,
            spilled: None,
        }
    }

    fn push(&mut self, encoding: i64, value: &[u8]) {
        let len = u32::try_from(value.len()).expect("SQLite holds no value of 4 GiB");
        let mut header = [0; HEADER];
        header[0] = u8::try_from(encoding).unwrap_or(0);
        header[1..].copy_from_slice(&len.to_le_bytes());
        let end = self.used + header.len() + value.len();
        match &mut self.spilled {
            None if end <= self.scratch.len() => {
                let (head, tail) = self.scratch[self.used..end].split_at_mut(header.len());
                head.copy_from_slice(&header);
                tail.copy_from_slice(value);
                self.used = end;
            }
            spilled => {
                let spilled = spilled.get_or_insert_with(|| self.scratch[..self.used].to_vec());
                spilled.extend_from_slice(&header);
                spilled.extend_from_slice(value);
            }
        }
    }

    /// The reply to a point read that found `entry`.
    pub(crate) fn pack_one(mut self, js: Js, entry: EntryRef<'_>) -> napi::Result<Value> {
        self.push(entry.encoding, entry.value);
        let versionstamp = versionstamp(js, entry.versionstamp)?;
        match &self.spilled {
            Some(bytes) => js.array_of(&[js.new_bytes(bytes)?, versionstamp]),
            None => Ok(versionstamp),
        }
    }

    /// The buffer, if it is not the scratch buffer.
    fn buffer(&self, js: Js) -> napi::Result<Value> {
        match &self.spilled {
            Some(bytes) => js.new_bytes(bytes),
            None => js.make(()),
        }
    }
}

/// The reply to a read, as an array whose first element is the buffer of the values, or undefined
/// if they are in the scratch buffer.
///
/// For points a versionstamp or null follows for each key; for a page `key, encoded key,
/// versionstamp` for each entry, where a key whose bytes are none is undefined.
pub(crate) struct Entries<'a> {
    js: Js,
    packer: Packer<'a>,
    fields: Vec<Value>,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(js: Js, packer: Packer<'a>) -> Self {
        let buffer = std::ptr::null_mut();
        Self {
            js,
            packer,
            fields: vec![buffer],
        }
    }

    pub(crate) fn push_point(&mut self, entry: Option<EntryRef<'_>>) -> napi::Result<()> {
        self.fields.push(match entry {
            Some(entry) => {
                self.packer.push(entry.encoding, entry.value);
                versionstamp(self.js, entry.versionstamp)?
            }
            None => self.js.make(napi::bindgen_prelude::Null)?,
        });
        Ok(())
    }

    pub(crate) fn push_listed(&mut self, entry: EntryRef<'_>) -> napi::Result<()> {
        self.packer.push(entry.encoding, entry.value);
        let parts = match key::make(self.js, entry.key)? {
            Ok(parts) => parts,
            Err(_) => self.js.make(())?,
        };
        let encoded = self.js.new_latin1(entry.key)?;
        self.fields
            .extend([parts, encoded, versionstamp(self.js, entry.versionstamp)?]);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> napi::Result<Value> {
        self.fields[0] = self.packer.buffer(self.js)?;
        self.js.array_of(&self.fields)
    }
}

pub(crate) fn versionstamp(js: Js, versionstamp: Versionstamp) -> napi::Result<Value> {
    js.new_latin1(&versionstamp.to_hex())
}

/// `[true, value]` or `[false, failure]` for each answer, one after another. An answer that cannot
/// be made a value is a failure, so that no other goes lost with it.
pub(crate) fn answers(js: Js, answers: Vec<Answer>) -> napi::Result<Value> {
    let mut fields = Vec::with_capacity(answers.len() * 2);
    for answer in answers {
        let made = catch_unwind(AssertUnwindSafe(|| Ok(value(js, answer?)?)))
            .unwrap_or_else(|_| Err(Failure::coded("INTERNAL", "a panic in the binding")));
        match made {
            Ok(value) => fields.extend([js.make(true)?, value]),
            Err(failure) => fields.extend([js.make(false)?, failure.to_js(js)?]),
        }
    }
    js.array_of(&fields)
}

/// A commit is its versionstamp, or an array of the checks that failed; a sweep is `[count, more]`.
pub(crate) fn value(js: Js, reply: Reply) -> napi::Result<Value> {
    let no_scratch = &mut [][..];
    match reply {
        Reply::Opened => js.make(()),
        Reply::Commit(Outcome::Committed {
            versionstamp: stamp,
        }) => versionstamp(js, stamp),
        Reply::Commit(Outcome::CheckFailed { failed }) => js.make(
            failed
                .into_iter()
                .map(|index| index as u32)
                .collect::<Vec<_>>(),
        ),
        Reply::Swept(Swept { count, more }) => {
            js.array_of(&[js.make(count as f64)?, js.make(more)?])
        }
        Reply::Points(points) => {
            let mut entries = Entries::new(js, Packer::new(no_scratch));
            for point in &points {
                entries.push_point(point.as_ref().map(Entry::as_ref))?;
            }
            entries.finish()
        }
        Reply::Page(page) => {
            let mut entries = Entries::new(js, Packer::new(no_scratch));
            for entry in &page {
                entries.push_listed(entry.as_ref())?;
            }
            entries.finish()
        }
    }
}
