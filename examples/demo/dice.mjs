/**
 * Dice that roll the same again for the same seed (mulberry32).
 *
 * @param {number} seed
 */
export function seededDice(seed) {
  let state = seed >>> 0;
  function roll() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** An integer from 0 to below `end`. */
  const upTo = (end) => Math.floor(roll() * end);
  /** An integer from `first` to below `end`. */
  const between = (first, end) => first + upTo(end - first);
  return { upTo, between };
}
