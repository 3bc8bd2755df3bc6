//! What a loss of power leaves of the files of a database.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use proptest::prelude::{Rng, RngExt};

use crate::vfs::{Act, Event, Part};

/// A disk keeps or loses so many bytes as one.
const SECTOR: usize = 512;

/// The files as they are found when power is back.
#[derive(Debug, Clone, Default)]
pub struct Image {
    files: BTreeMap<Part, Vec<u8>>,
    /// Writes to a sector that were lost.
    pub lost: usize,
    /// Those among them that were to the database, which only a checkpoint writes to.
    pub lost_in_database: usize,
}

/// Which of the writes not synced are found again.
#[derive(Debug, Clone, Copy)]
enum Survival {
    None,
    /// Of those to each sector the first so many, by dice.
    Some,
    All,
}

impl Image {
    /// The files after `events` and a loss of power: all that was synced, and of the rest what the
    /// dice spare, sector by sector.
    pub fn after(events: &[Event], dice: &mut impl Rng) -> Image {
        let mut disk: BTreeMap<Part, File> = BTreeMap::new();
        for Event { part, act } in events {
            let file = disk.entry(*part).or_default();
            if *act != Act::Sync {
                file.pending.push(act);
                continue;
            }
            file.sync();
            // SQLite syncs the folder together with a new log or journal, so that what was deleted
            // before stays so.
            if *part != Part::Database {
                disk.values_mut().for_each(File::sync_deletion);
            }
        }
        let survival = match dice.random_range(0..8) {
            0 => Survival::None,
            1 => Survival::All,
            _ => Survival::Some,
        };
        let mut image = Image::default();
        for (part, file) in disk {
            let (bytes, lost) = file.after_power_loss(survival, dice);
            image.files.insert(part, bytes);
            image.lost += lost;
            if part == Part::Database {
                image.lost_in_database += lost;
            }
        }
        image
    }

    /// Puts the files under the name of a database. An empty one is as good as none.
    ///
    /// # Errors
    ///
    /// The file system's.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        for (part, bytes) in &self.files {
            let mut name = path.as_os_str().to_owned();
            name.push(part.suffix());
            fs::write(name, bytes)?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct File<'a> {
    synced: Vec<u8>,
    /// Done since, in order.
    pending: Vec<&'a Act>,
}

impl File<'_> {
    fn sync(&mut self) {
        for act in self.pending.drain(..) {
            apply(&mut self.synced, act);
        }
    }

    fn sync_deletion(&mut self) {
        let deleted = self.pending.iter().rposition(|act| **act == Act::Delete);
        if let Some(index) = deleted {
            self.synced.clear();
            self.pending.drain(..=index);
        }
    }

    /// What is found, and how many writes to a sector were lost.
    fn after_power_loss(self, survival: Survival, dice: &mut impl Rng) -> (Vec<u8>, usize) {
        let mut spares = |among: usize| match survival {
            Survival::None => 0,
            Survival::Some => dice.random_range(0..=among),
            Survival::All => among,
        };
        // A sector goes to the disk as a whole, with all that was written to it till then.
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for (offset, _) in self.pending.iter().flat_map(|act| sectors(act)) {
            *left.entry(offset / SECTOR).or_default() += 1;
        }
        left.values_mut().for_each(|count| *count = spares(*count));
        let mut bytes = self.synced;
        let mut lost = 0;
        for act in &self.pending {
            match act {
                Act::Truncate(_) if spares(1) == 0 => {}
                // What was made later under the same name is another file.
                Act::Delete if spares(1) == 0 => break,
                Act::Truncate(_) | Act::Delete => apply(&mut bytes, act),
                Act::Write { .. } => {
                    for (offset, sector) in sectors(act) {
                        match left.get_mut(&(offset / SECTOR)) {
                            Some(count) if *count > 0 => {
                                *count -= 1;
                                write(&mut bytes, offset, sector);
                            }
                            _ => {
                                lost += 1;
                                // The file may have grown for it all the same.
                                let end = offset + sector.len();
                                if bytes.len() < end && spares(1) == 1 {
                                    bytes.resize(end, 0);
                                }
                            }
                        }
                    }
                }
                Act::Sync => {}
            }
        }
        (bytes, lost)
    }
}

fn apply(bytes: &mut Vec<u8>, act: &Act) {
    match act {
        Act::Write { offset, bytes: new } => write(bytes, *offset, new),
        Act::Truncate(size) => bytes.resize(*size, 0),
        Act::Delete => bytes.clear(),
        Act::Sync => {}
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    let end = offset + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(new);
}

/// What a write brings to each sector, with its offset in the file.
fn sectors(act: &Act) -> Vec<(usize, &[u8])> {
    let Act::Write { offset, bytes } = act else {
        return Vec::new();
    };
    let (mut offset, mut rest) = (*offset, bytes.as_slice());
    let mut sectors = Vec::new();
    while !rest.is_empty() {
        let size = rest.len().min(SECTOR - offset % SECTOR);
        let (sector, after) = rest.split_at(size);
        sectors.push((offset, sector));
        offset += size;
        rest = after;
    }
    sectors
}
