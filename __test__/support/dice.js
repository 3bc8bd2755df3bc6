"use strict";

/**
 * Dice that roll the same again for the same seed (mulberry32).
 *
 * @param {number} seed
 * @returns {(below: number) => number} the next integer from 0 to below `below`
 */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

module.exports = { dice };
