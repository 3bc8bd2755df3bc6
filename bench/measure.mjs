import { performance } from "node:perf_hooks";

// Odd, so that a median is one of the values seen.
const ROUNDS = 7;

/**
 * A row of the table: the same work by fencekv and by a peer.
 *
 * @typedef {object} Row
 * @property {string} name what is done
 * @property {string} peer what it is compared with
 * @property {number} atLeast the least ratio (peer's time / our time) that is good enough
 * @property {number} ops operations in one call of `ours` or `theirs`
 * @property {() => unknown} ours does the work; throws when a result is wrong; may return a promise
 * @property {() => unknown} theirs the same work by the peer
 */

/**
 * Times both sides in turn, round by round, so that a change of the machine's pace meets both.
 *
 * @param {Row} row
 * @returns {Promise<{ name: string, peer: string, atLeast: number, ours: number, theirs: number, ratio: number }>}
 *   medians over the rounds: `ours` and `theirs` in microseconds an operation, `ratio` of each round
 */
export async function measure({ name, peer, atLeast, ops, ours, theirs }) {
  const sides = { ours: [], theirs: [] };
  await ours();
  await theirs();
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = [
      [sides.ours, ours],
      [sides.theirs, theirs],
    ];
    for (const [times, work] of round % 2 === 0 ? turns : turns.reverse()) {
      const begun = performance.now();
      await work();
      times.push(((performance.now() - begun) * 1000) / ops);
    }
  }
  const ratios = sides.ours.map((time, round) => sides.theirs[round] / time);
  return {
    name,
    peer,
    atLeast,
    ours: median(sides.ours),
    theirs: median(sides.theirs),
    ratio: median(ratios),
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[(values.length - 1) / 2];
}
