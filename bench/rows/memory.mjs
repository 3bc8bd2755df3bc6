import { Kv } from "../../index.mjs";
import { getInTurn, setInTurn } from "../deno-api.mjs";
import { ENTRIES, load } from "../entries.mjs";
import { comparison } from "../measure.mjs";

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
  await setInTurn(theirs);
  const row = (name, work) =>
    comparison({
      name,
      peer: "Map",
      atLeast: 0.1,
      ops: ENTRIES,
      ours: () => work(ours),
      theirs: () => work(theirs),
    });
  return {
    rows: [row("in memory, get", getInTurn), row("in memory, set", setInTurn)],
    close: () => ours.close(),
  };
}
