"use strict";

const { randomInt } = require("node:crypto");
const fc = require("fast-check");

/** Of every random run of this process; FENCEKV_SEED replays it. */
const seed = Number(process.env.FENCEKV_SEED ?? randomInt(2 ** 31));

/** How many of `count` rounds this run takes: FENCEKV_ROUNDS is the share, all of them without it. */
function rounds(count) {
  return Math.max(1, Math.ceil(count * Number(process.env.FENCEKV_ROUNDS ?? 1)));
}

/** Prints the seed, and how many `what` it made. */
function tellSeed(t, count, what = "runs") {
  t.diagnostic(`FENCEKV_SEED=${seed} (${count} ${what})`);
}

/** @returns {number[]} integers from 0 to `most`, the same for the same seed */
function draws(count, most) {
  return fc.sample(fc.integer({ min: 0, max: most }), { seed, numRuns: count });
}

/**
 * Asserts a fast-check property, shrunk when it fails, and prints the seed in any case.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("fast-check").IAsyncProperty} property
 * @param {number} runs before FENCEKV_ROUNDS
 */
async function holds(t, property, runs) {
  const numRuns = rounds(runs);
  tellSeed(t, numRuns);
  await fc.assert(property, { seed, numRuns });
}

module.exports = { seed, rounds, tellSeed, draws, holds };
