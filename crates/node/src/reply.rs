//! Entries and answers as JS values.
//!
//! Value bytes cross packed one after another: a byte with the number of the encoding (0 if it is
//! none that is known), four bytes of length (little-endian), the bytes. They lie in the scratch
//! buffer that JS handed in, or in a buffer of their own when that is too small.

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
    }
}

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
        let header = [
            &[u8::try_from(encoding).unwrap_or(0)][..],
            &len.to_le_bytes(),
        ]
        .concat();
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

/// `[buffer | undefined, versionstamp | null, ...]` for the keys asked for.
pub(crate) struct Points<'a> {
    js: Js,
    packer: Packer<'a>,
    fields: Vec<Value>,
}

impl<'a> Points<'a> {
    pub(crate) fn new(js: Js, packer: Packer<'a>) -> Self {
        Self {
            js,
            packer,
            fields: vec![std::ptr::null_mut()],
        }
    }

    pub(crate) fn push(&mut self, entry: Option<EntryRef<'_>>) -> napi::Result<()> {
        self.fields.push(match entry {
            Some(entry) => {
                self.packer.push(entry.encoding, entry.value);
                versionstamp(self.js, entry.versionstamp)?
            }
            None => self.js.make(napi::bindgen_prelude::Null)?,
        });
        Ok(())
    }

    pub(crate) fn finish(mut self) -> napi::Result<Value> {
        self.fields[0] = self.packer.buffer(self.js)?;
        self.js.array_of(&self.fields)
    }
}

/// `[buffer | undefined, key | undefined, encoded key, versionstamp, ...]` for the entries of a
/// page. A key whose bytes are none is undefined.
pub(crate) struct Page<'a> {
    js: Js,
    packer: Packer<'a>,
    fields: Vec<Value>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(js: Js, packer: Packer<'a>) -> Self {
        Self {
            js,
            packer,
            fields: vec![std::ptr::null_mut()],
        }
    }

    pub(crate) fn push(&mut self, entry: EntryRef<'_>) -> napi::Result<()> {
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

/// `[true, value]` or `[false, failure]` for each answer, one after another.
pub(crate) fn answers(js: Js, answers: Vec<Answer>) -> napi::Result<Value> {
    let mut fields = Vec::with_capacity(answers.len() * 2);
    for answer in answers {
        match answer {
            Ok(reply) => fields.extend([js.make(true)?, value(js, reply)?]),
            Err(error) => fields.extend([js.make(false)?, Failure::from(error).to_js(js)?]),
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
        Reply::Points(entries) => {
            let mut points = Points::new(js, Packer::new(no_scratch));
            for entry in &entries {
                points.push(entry.as_ref().map(Entry::as_ref))?;
            }
            points.finish()
        }
        Reply::Page(entries) => {
            let mut page = Page::new(js, Packer::new(no_scratch));
            for entry in &entries {
                page.push(entry.as_ref())?;
            }
            page.finish()
        }
    }
}
