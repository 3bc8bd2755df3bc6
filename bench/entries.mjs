// The data that every row works on: small objects under numbered keys, met in one random order.

/** How many entries a store holds. */
export const ENTRIES = 10_000;

export const PREFIX = ["bench"];

export const keyOf = (i) => [...PREFIX, i];

export const valueOf = (i) => ({ holder: `holder-${i % 16}`, n: i, at: 1_788_000_000_000 + i });

export const AT_RANDOM = shuffled(ENTRIES, 20_260_101);
export const IN_KEY_ORDER = Array.from({ length: ENTRIES }, (_, i) => i);

// Deno's limit is 1000 mutations a commit.
const LOAD_AT_ONCE = 500;

/**
 * Writes all entries.
 *
 * @returns {Promise<string[]>} the versionstamp of each entry
 */
export async function load(kv) {
  const stamps = [];
  for (let first = 0; first < ENTRIES; first += LOAD_AT_ONCE) {
    const commit = kv.atomic();
    for (let i = first; i < first + LOAD_AT_ONCE; i += 1) commit.set(keyOf(i), valueOf(i));
    const { versionstamp } = await commit.commit();
    for (let i = first; i < first + LOAD_AT_ONCE; i += 1) stamps.push(versionstamp);
  }
  return stamps;
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

/** 0 .. length - 1 shuffled (Fisher-Yates; mulberry32 from `seed`). */
function shuffled(length, seed) {
  const order = Array.from({ length }, (_, i) => i);
  let state = seed;
  for (let i = length - 1; i > 0; i -= 1) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    const j = (t >>> 0) % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
