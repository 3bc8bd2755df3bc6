"use strict";

// Commits of which a half would show. Lanes commit side by side, each one commit after another: the
// n-th of a lane adds the entry ["log", lane, n] and writes n to every ["part", lane, 0..PARTS].

const assert = require("node:assert/strict");

const PARTS = 10;

/** The value of a part: large enough for a lane to fill pages, and the log, quickly. */
function partOf(n) {
  return { n, padding: "x".repeat(2000) };
}

/**
 * Asserts that no commit is there by half, and none without the ones before it.
 *
 * @param {object[]} entries the whole store
 * @param {number} lanes
 * @returns {number[]} how many commits of each lane are there
 */
function countWhole(entries, lanes) {
  return Array.from({ length: lanes }, (_, lane) => {
    const of = (kind) => entries.filter(({ key }) => key[0] === kind && key[1] === lane);
    const log = of("log").map(({ value }) => value);
    assert.deepEqual(
      log,
      log.map((_, i) => i + 1),
    );
    const parts = of("part").map(({ value }) => value.n);
    assert.deepEqual(parts, new Array(log.length > 0 ? PARTS : 0).fill(log.length));
    return log.length;
  });
}

module.exports = { PARTS, partOf, countWhole };
