// What is done to a store through the API of Deno.Kv, which fencekv shares with some of its peers.

import {
  AT_ONCE,
  AT_RANDOM,
  ENTRIES,
  PREFIX,
  each,
  expectListed,
  expectValue,
  keyOf,
  valueOf,
} from "./entries.mjs";

/** Gets every entry, each after the one before has come. */
export async function getInTurn(kv) {
  for (const i of AT_RANDOM) expectValue((await kv.get(keyOf(i))).value, i);
}

/** Gets every entry, AT_ONCE of them together. */
export async function getAtOnce(kv) {
  await each(AT_RANDOM, ENTRIES, AT_ONCE, async (i) => {
    expectValue((await kv.get(keyOf(i))).value, i);
  });
}

/** Sets every entry, each after the one before has landed. */
export async function setInTurn(kv) {
  for (const i of AT_RANDOM) await kv.set(keyOf(i), valueOf(i));
}

/**
 * Sets the first `count` entries of an order, AT_ONCE of them together.
 *
 * @param {number[]} order AT_RANDOM, or IN_KEY_ORDER
 */
export async function setAtOnce(kv, order, count) {
  await each(order, count, AT_ONCE, async (i) => {
    await kv.set(keyOf(i), valueOf(i));
  });
}

/** Lists all `count` entries of a store. */
export async function listAll(kv, count = ENTRIES) {
  let seen = 0;
  for await (const { value } of kv.list({ prefix: PREFIX })) {
    expectValue(value, seen);
    seen += 1;
  }
  expectListed(seen, count);
}
