//! Every target over its corpus, and over seeded mutations of it: the short run of the fuzz
//! targets, without libFuzzer. A fault that fuzzing finds leaves its input in the corpus.

use std::fs;
use std::path::Path;

use fencekv_fuzz::TARGETS;
use fencekv_sim::property::check;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Bytes that mean something to a reader of keys: tags, an escape, an end.
const TELLING: [u8; 12] = [
    0x00, 0x01, 0x02, 0x0b, 0x13, 0x14, 0x15, 0x1d, 0x21, 0x26, 0x27, 0xff,
];

/// The files of `corpus/`, by target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder for every target")
        .map(|file| file.expect("a readable folder").path())
        .collect();
    files.sort();
    let read = |file| fs::read(file).expect("a readable file");
    files.into_iter().map(read).collect()
}

/// The corpus with bytes cut out and others put in their place, up to three times.
fn mutated(corpus: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![select(&TELLING[..]), any::<u8>()];
    let splice = (any::<Index>(), 0..4_usize, vec(byte, 0..4));
    (select(corpus), vec(splice, 1..4)).prop_map(|(mut bytes, splices)| {
        for (at, cut, put) in splices {
            let from = at.index(bytes.len() + 1);
            let to = bytes.len().min(from + cut);
            bytes.splice(from..to, put);
        }
        bytes
    })
}

#[test]
fn every_target_holds_for_its_corpus() {
    for (name, target) in TARGETS {
        for input in corpus(name) {
            target(&input);
        }
    }
}

#[test]
fn every_target_holds_for_mutations_of_its_corpus() {
    for (name, target) in TARGETS {
        check(20_000, mutated(corpus(name)), |input| {
            target(&input);
            Ok(())
        });
    }
}

#[test]
fn every_target_has_a_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    for (name, _) in TARGETS {
        assert!(folder.join(name).with_extension("rs").exists(), "{name}");
    }
    let programs = fs::read_dir(folder).expect("the programs").count();
    assert_eq!(programs, TARGETS.len());
}
