"use strict";

// Commits of which a half would show. Lanes commit side by side, each one commit after another.

const assert = require("node:assert/strict");

const PARTS = 10;

/** Makes each part large enough for a lane to fill pages, and the log, quickly. */
const PADDING = "x".repeat(2000);

/**
 * Makes the n-th commit of a lane, from 1: one more entry in its log, and n in every part.
 * @returns {Promise<object>} what the commit came to
 */
function commit(kv, lane, n) {
  const op = kv.atomic().set(["log", lane, n], n);
  for (let part = 0; part < PARTS; part++) op.set(["part", lane, part], { n, padding: PADDING });
  return op.commit();
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

module.exports = { commit, countWhole };
