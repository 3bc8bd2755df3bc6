import { performance } from "node:perf_hooks";

// Odd, so that a median is one of the values seen.
const ROUNDS = 7;
const BOUND_ROUNDS = 3;

/**
 * A row of the table: what it is called, and how to come by its result.
 *
 * @typedef {{ name: string, measure: () => Promise<Compared | Bounded> }} Row
 */

/**
 * The medians over the rounds: `ours` and `theirs` in microseconds an operation, `ratio` of each
 * round's `theirs / ours`; `rounds` has all of them.
 *
 * @typedef {{ name: string, peer: string, atLeast: number, ours: number, theirs: number,
 *   ratio: number, rounds: { ours: number[], theirs: number[] } }} Compared
 */

/**
 * The median over the rounds of a figure that is to stay at or below `atMost`, both in `unit`.
 *
 * @typedef {{ name: string, unit: string, atMost: number, figure: number, rounds: number[] }} Bounded
 */

/**
 * A row of the same work by fencekv and by a peer. The two are timed in turn, round by round, so
 * that a change of the machine's pace meets both.
 *
 * @param {object} row
 * @param {string} row.name what is done
 * @param {string} row.peer what it is compared with
 * @param {number} row.atLeast the least ratio (peer's time / our time) that is good enough
 * @param {number} row.ops operations in one call of `ours` or `theirs`
 * @param {() => unknown} row.ours does the work; throws when a result is wrong; may return a promise
 * @param {() => unknown} row.theirs the same work by the peer
 * @returns {Row}
 */
export function comparison({ name, peer, atLeast, ops, ours, theirs }) {
  const measure = async () => {
    const rounds = { ours: [], theirs: [] };
    await ours();
    await theirs();
    for (let round = 0; round < ROUNDS; round += 1) {
      const turns = [
        [rounds.ours, ours],
        [rounds.theirs, theirs],
      ];
      for (const [times, work] of round % 2 === 0 ? turns : turns.reverse()) {
        times.push((await timed(work)) / ops);
      }
    }
    const ratio = median(rounds.ours.map((time, round) => rounds.theirs[round] / time));
    const [oursMedian, theirsMedian] = [median(rounds.ours), median(rounds.theirs)];
    return { name, peer, atLeast, ours: oursMedian, theirs: theirsMedian, ratio, rounds };
  };
  return { name, measure };
}

/**
 * A row of one figure of fencekv alone.
 *
 * @param {object} row
 * @param {string} row.name what the figure is
 * @param {string} row.unit
 * @param {number} row.atMost
 * @param {number} [row.rounds] odd
 * @param {() => Promise<void>} [row.prepare] what only this row needs
 * @param {() => Promise<number>} row.figure brings it about and measures it
 * @returns {Row}
 */
export function bound({ name, unit, atMost, rounds: count = BOUND_ROUNDS, prepare, figure }) {
  const measure = async () => {
    await prepare?.();
    const rounds = [];
    while (rounds.length < count) rounds.push(await figure());
    return { name, unit, atMost, figure: median(rounds), rounds };
  };
  return { name, measure };
}

/** A figure as the name of a row has it: 10 000. */
export function spaced(figure) {
  return figure.toLocaleString("en").replaceAll(",", " ");
}

/** @returns {Promise<number>} how long `work` takes, in microseconds */
export async function timed(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) * 1000;
}

/** @param {number[]} values an odd number of them */
export function median(values) {
  return values.toSorted((a, b) => a - b)[(values.length - 1) / 2];
}
