"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { decode, encode } = require("../../js/codec");
const { MAX_DEPTH } = require("../../js/codec/depth.js");

const TOO_DEEP = { name: "RangeError", code: "NESTING_TOO_DEEP", max: MAX_DEPTH };

const WRAPS = {
  array: (inner) => [inner],
  "sparse array": (inner) => [, inner],
  object: (inner) => ({ inner }),
  "class instance": (inner) => Object.assign(new (class {})(), { inner }),
  map: (inner) => new Map([[1, inner]]),
  "key of a map": (inner) => new Map([[inner, 1]]),
  set: (inner) => new Set([inner]),
  cause: (inner) => Object.defineProperty(new Error("", { cause: inner }), "stack", { value: "" }),
  "name of an array": (inner) => Object.assign([], { inner }),
};

/** A value in which `depth` objects stand inside each other. */
function nested(wrap, depth) {
  let value = 7;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

/** The bytes of one, however deep, made from those of a single level. */
function nestedBytes(wrap, depth) {
  const one = Buffer.from(encode(wrap(7)));
  const core = Buffer.from(encode(7)).subarray(2);
  const at = one.lastIndexOf(core);
  const [before, after] = [one.subarray(2, at), one.subarray(at + core.length)];
  return Buffer.concat([
    ...[one.subarray(0, 2), ...Array(depth).fill(before)],
    ...[core, ...Array(depth).fill(after)],
  ]);
}

/** Calls `work` on top of `frames` calls of its own, none of them a tail call. */
function fromDepth(frames, work) {
  if (frames === 0) work();
  else fromDepth(frames - 1, work);
  return frames;
}

test("nesting", async (t) => {
  for (const [name, wrap] of Object.entries(WRAPS)) {
    await t.test(`${name}: the limit is exact, both ways`, () => {
      const bytes = encode(nested(wrap, MAX_DEPTH));
      assert.deepEqual(Buffer.from(bytes), nestedBytes(wrap, MAX_DEPTH));
      assert.deepEqual(encode(decode(bytes)), bytes);
      assert.throws(() => encode(nested(wrap, MAX_DEPTH + 1)), TOO_DEEP);
      assert.throws(() => decode(nestedBytes(wrap, MAX_DEPTH + 1)), TOO_DEEP);
    });

    await t.test(`${name}: twenty thousand levels`, () => {
      assert.throws(() => encode(nested(wrap, 20_000)), TOO_DEEP);
      assert.throws(() => decode(nestedBytes(wrap, 20_000)), TOO_DEEP);
    });
  }

  await t.test("leaves count, cycles and references do not", () => {
    const cycle = [];
    cycle.push(cycle, cycle);
    assert.equal(decode(encode(nested((inner) => [inner], MAX_DEPTH - 1)))[0].length, 1);
    assert.equal(decode(encode(cycle))[1][0].length, 2);
    const chain = Array.from({ length: 5000 }, () => ({}));
    chain.forEach((node, i) => (node.previous = chain[i - 1]));
    assert.equal(decode(encode(chain)).length, 5000);
  });

  await t.test("wide is not deep", () => {
    const wide = Array.from({ length: 5000 }, (_, i) => [{ i }, new Set([i]), new Date(i), /x/]);
    assert.equal(decode(encode(wide)).length, 5000);
  });
});

test("from the end of the stack: a code, and the next call is well", () => {
  const value = nested((inner) => ({ inner }), MAX_DEPTH);
  const bytes = encode(value);
  const outcomes = new Set();
  for (const work of [() => encode(value), () => decode(bytes)]) {
    for (let frames = 1000; ; frames += 200) {
      let reached = false;
      try {
        fromDepth(frames, () => {
          reached = true;
          work();
        });
        outcomes.add("value");
      } catch (error) {
        if (!reached) break;
        // The very last frames are not enough for a call of anything.
        if (error.code === undefined) assert.match(error.message, /Maximum call stack/);
        else assert.equal(error.code, "NESTING_TOO_DEEP");
        outcomes.add(error.code);
      }
      assert.deepEqual(decode(encode({ a: [1] })), { a: [1] });
    }
  }
  assert.ok(outcomes.has("value") && outcomes.has("NESTING_TOO_DEEP"), [...outcomes].join());
});
