"use strict";

const fs = require("node:fs");
const path = require("node:path");
const v8 = require("node:v8");
const { readGolden } = require("../codec/golden.js");
const { encode } = require("../../js/codec");

/** Longer seeds make fewer runs and no other paths (bytes). */
const LONGEST = 400;

/**
 * The bytes of values of every kind: as we write them, as Node does, as Deno did.
 *
 * @returns {Promise<Buffer[]>}
 */
async function valueSeeds() {
  const { corpus } = await import("../codec/corpus.mjs");
  return Object.values(corpus)
    .flatMap((make) => [encode(make()), v8.serialize(make())])
    .concat(readGolden().map(({ bytes }) => bytes))
    .filter((bytes) => bytes.length < LONGEST)
    .map((bytes) => Buffer.from(bytes));
}

/** @returns {Buffer[]} the bytes of keys of every kind: the seeds of the Rust target */
function keySeeds() {
  const folder = path.join(__dirname, "../../fuzz/corpus/key");
  return fs.readdirSync(folder).map((file) => fs.readFileSync(path.join(folder, file)));
}

module.exports = { valueSeeds, keySeeds };
