import assert from "node:assert/strict";
import { Kv } from "../../index.mjs";
import { AT_RANDOM, ENTRIES, each, keyOf, load, valueOf } from "../entries.mjs";

/** What a test suite would write by hand: no order, no clone, no expiry. */
class MapKv {
  #entries = new Map();
  #version = 0;

  async get(key) {
    const entry = this.#entries.get(JSON.stringify(key));
    return { key, value: entry?.value ?? null, versionstamp: entry?.versionstamp ?? null };
  }

  async set(key, value) {
    const versionstamp = String((this.#version += 1)).padStart(20, "0");
    this.#entries.set(JSON.stringify(key), { value, versionstamp });
    return { ok: true, versionstamp };
  }
}

/** In memory: `new Kv()` against a Map under the same asynchronous methods. */
export async function open() {
  const ours = new Kv();
  const theirs = new MapKv();
  await load(ours);
  await setEach(theirs);
  const row = (name, work) => ({
    name,
    peer: "Map",
    atLeast: 0.1,
    ops: ENTRIES,
    ours: () => work(ours),
    theirs: () => work(theirs),
  });
  return {
    rows: [row("in memory, get", getEach), row("in memory, set", setEach)],
    close: () => ours.close(),
  };
}

async function getEach(kv) {
  await each(AT_RANDOM, ENTRIES, 1, async (i) => {
    const { value } = await kv.get(keyOf(i));
    assert.equal(value.n, i);
  });
}

async function setEach(kv) {
  await each(AT_RANDOM, ENTRIES, 1, async (i) => {
    await kv.set(keyOf(i), valueOf(i));
  });
}
