import assert from "node:assert/strict";
import v8 from "node:v8";
import codec from "../../js/codec/index.js";
import { valueOf } from "../entries.mjs";
import { comparison } from "../measure.mjs";

// What is turned into bytes and back; `times` in one round, so that each takes some milliseconds.
const VALUES = [
  { name: "small objects", atLeast: 3, times: 10_000, value: valueOf(4711) },
  { name: "60 KB one-byte string", atLeast: 1, times: 500, value: "ab3é".repeat(15_000) },
  { name: "60 KB two-byte string", atLeast: 1, times: 500, value: "ab3Ω".repeat(7_500) },
  {
    name: "array of 2000 objects",
    atLeast: 1,
    times: 20,
    value: Array.from({ length: 2000 }, (_, i) => valueOf(i)),
  },
];

/** Value bytes: our codec against V8's own serializer, both ways. */
export async function open() {
  for (const { value } of VALUES) {
    assert.deepEqual(thereAndBack(codec.encodeOnSlab, codec.decode, value, 1), value);
  }
  const rows = VALUES.map(({ name, atLeast, times, value }) =>
    comparison({
      name: `codec, ${name}`,
      peer: "node:v8",
      atLeast,
      ops: times,
      // As the store does it: the bytes of small values share a slab until they are handed on.
      ours: () => thereAndBack(codec.encodeOnSlab, codec.decode, value, times),
      theirs: () => thereAndBack(v8.serialize, v8.deserialize, value, times),
    }),
  );
  return { rows, close() {} };
}

function thereAndBack(encode, decode, value, times) {
  let last;
  for (let i = 0; i < times; i += 1) last = decode(encode(value));
  return last;
}
