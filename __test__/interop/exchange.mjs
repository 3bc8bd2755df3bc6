// What the two sides of an exchange do, the same on every runtime: write all keys and values, and
// compare what the other side wrote.

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { KEYS, VALUES } from "./values.mjs";

/** Writes every key and every value under `side`. */
export async function writeAll(kv, api, side) {
  for (const [i, key] of KEYS.entries()) await kv.set([side, "key", ...key], i);
  for (const [name, make] of Object.entries(VALUES)) await kv.set([side, "value", name], make(api));
}

/**
 * Compares all that `side` wrote, point by point and as a list.
 * @returns {Promise<{ name: string, message: string }[]>} what is wrong
 */
export async function compareAll(kv, api, side) {
  const wrong = [];
  const attempt = async (name, body) => {
    try {
      await body();
    } catch (error) {
      wrong.push({ name, message: error.message });
    }
  };
  for (const [i, key] of KEYS.entries()) {
    await attempt(`key ${inspect(key)}`, async () => {
      const entry = await kv.get([side, "key", ...key]);
      assert.equal(entry.value, i);
      assert.deepEqual(entry.key, [side, "key", ...key]);
    });
  }
  for (const [name, make] of Object.entries(VALUES)) {
    await attempt(`value ${name}`, async () => {
      const { value } = await kv.get([side, "value", name]);
      assertSame(value, make(api));
    });
  }
  await attempt("list of keys", async () => {
    const keys = [];
    for await (const { key } of kv.list({ prefix: [side, "key"] })) keys.push(key.slice(2));
    assert.deepEqual(keys, KEYS);
  });
  await attempt("list of values", async () => {
    const names = [];
    for await (const { key } of kv.list({ prefix: [side, "value"] }, { reverse: true }))
      names.push(key[2]);
    assert.deepEqual(names, Object.keys(VALUES).sort().reverse());
  });
  return wrong;
}

/** Deep-equal, and what deepEqual does not look at: holes, offsets of views, and references. */
function assertSame(actual, expected) {
  assert.deepEqual(plain(actual), plain(expected));
  if (Array.isArray(expected)) assert.deepEqual(Object.keys(actual), Object.keys(expected));
  if (expected?.self !== undefined) assert.equal(actual.self, actual);
  if (Array.isArray(expected) && expected[0] === expected[1]) assert.equal(actual[0], actual[1]);
  const views = [expected].flat().map((view, i) => [view, [actual].flat()[i]]);
  for (const [view, other] of views) {
    if (ArrayBuffer.isView(view)) assert.equal(other.byteOffset, view.byteOffset);
    if (ArrayBuffer.isView(view)) assert.equal(other.buffer.byteLength, view.buffer.byteLength);
  }
}

/** A KvU64 by its value, since each side has a class of its own; an error without its trace. */
function plain(value) {
  if (Object.prototype.toString.call(value) === "[object Error]" || value instanceof Error) {
    const { name, message, cause } = value;
    return { class: Object.getPrototypeOf(value).constructor.name, name, message, cause };
  }
  // Two dates that are invalid are not deep-equal everywhere.
  if (value instanceof Date) return { Date: value.getTime() };
  if (value?.constructor?.name === "KvU64") return { KvU64: value.value };
  return value;
}
