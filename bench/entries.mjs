// The data that every row works on: small objects under numbered keys, met in one random order.

import { dice } from "../__test__/support/dice.js";

/** How many entries a store holds. */
export const ENTRIES = 10_000;

/** How many operations are under way together in a row that says "at once". */
export const AT_ONCE = 64;

export const PREFIX = ["bench"];

export const keyOf = (i) => [...PREFIX, i];

export const valueOf = (i) => ({ holder: `holder-${i % 16}`, n: i, at: 1_788_000_000_000 + i });

export const AT_RANDOM = shuffled(ENTRIES, 20_260_101);
export const IN_KEY_ORDER = Array.from({ length: ENTRIES }, (_, i) => i);

// Deno's limit is 1000 mutations a commit.
const COMMIT = 1000;
const COMMITS_AT_ONCE = 16;

/** Writes the entries `from` .. `to - 1`; both are multiples of 1000. */
export async function load(kv, from = 0, to = ENTRIES) {
  await loadUnder(kv, keyOf, from, to);
}

/**
 * Writes entries under other keys, or such that expire.
 *
 * @param {(i: number) => unknown[]} key
 * @param {{ expireIn?: number }} [options] milliseconds
 */
export async function loadUnder(kv, key, from, to, options) {
  const commit = (first) => {
    const operation = kv.atomic();
    for (let i = first; i < first + COMMIT; i += 1) operation.set(key(i), valueOf(i), options);
    return operation.commit();
  };
  for (let first = from; first < to; first += COMMIT * COMMITS_AT_ONCE) {
    const commits = [];
    const end = Math.min(to, first + COMMIT * COMMITS_AT_ONCE);
    for (let begin = first; begin < end; begin += COMMIT) commits.push(commit(begin));
    await Promise.all(commits);
  }
}

/**
 * Throws unless `value` is that of entry `i`. It costs next to nothing, since whatever both sides of
 * a row do beside their work draws the ratio towards 1.
 */
export function expectValue(value, i) {
  if (value?.n !== i) throw new Error(`entry ${i} came back as ${JSON.stringify(value)}`);
}

/** Throws unless a list came by as many entries as the store holds. */
export function expectListed(seen, count = ENTRIES) {
  if (seen !== count) throw new Error(`${seen} of ${count} entries were listed`);
}

/**
 * Hands `count` different entries to `work`, in an order that is the same for every store.
 *
 * @param {number[]} order AT_RANDOM, or IN_KEY_ORDER
 * @param {number} count at most ENTRIES
 * @param {number} atOnce how many are under way together; the next begin when all of them are done
 * @param {(i: number) => Promise<void>} work
 */
export async function each(order, count, atOnce, work) {
  for (let first = 0; first < count; first += atOnce) {
    if (atOnce === 1) await work(order[first]);
    else await Promise.all(order.slice(first, Math.min(first + atOnce, count)).map(work));
  }
}

/** 0 .. length - 1 shuffled (Fisher-Yates). */
function shuffled(length, seed) {
  const order = Array.from({ length }, (_, i) => i);
  const below = dice(seed);
  for (let i = length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
