// Every kind of key a caller can get wrong, offered to every method that takes a key.

import { Buffer } from "node:buffer";

const shared = () => new SharedArrayBuffer(2);

/** Label -> maker of the argument that stands where a key belongs. */
const keys = {
  undefined: () => undefined,
  null: () => null,
  string: () => "a",
  "empty string": () => "",
  number: () => 1,
  boolean: () => true,
  bigint: () => 1n,
  symbol: () => Symbol("key"),
  function: () => () => {},
  "plain object": () => ({}),
  "array-like object": () => ({ 0: "a", length: 1 }),
  "empty array-like object": () => ({ length: 0 }),
  set: () => new Set(["a"]),
  iterator: () => ["a"].values(),
  "typed array": () => new Uint8Array([1]),
  "proxy of an array": () => new Proxy(["a"], {}),
  "subclass of Array": () => class Parts extends Array {}.of("a"),
  "frozen array": () => Object.freeze(["a"]),

  "[]": () => [],
  "[[]]": () => [[]],
  '[["a"]]': () => [["a"]],
  "[undefined]": () => [undefined],
  "[null]": () => [null],
  "[hole]": () => new Array(1),
  '["a", hole, "b"]': () => ["a", , "b"],
  "[{}]": () => [{}],
  "[{ value }]": () => [{ value: 1 }],
  "[symbol]": () => [Symbol("part")],
  "[function]": () => [() => {}],
  "[promise]": () => [Promise.resolve("a")],
  "[Date]": () => [new Date(0)],
  "[RegExp]": () => [/a/],
  "[Map]": () => [new Map()],
  "[new String]": () => [new String("a")],
  "[new Number]": () => [new Number(1)],
  "[new Boolean]": () => [new Boolean(true)],
  "[Object(1n)]": () => [Object(1n)],
  "[KvU64]": (api) => [new api.KvU64(1n)],
  "[throwing getter]": () =>
    Object.defineProperty(["a"], 0, {
      get() {
        throw new EvalError("from the getter");
      },
    }),

  "[Buffer]": () => [Buffer.from("a")],
  "[ArrayBuffer]": () => [new ArrayBuffer(1)],
  "[SharedArrayBuffer]": () => [shared()],
  "[DataView]": () => [new DataView(new ArrayBuffer(1))],
  "[Uint8ClampedArray]": () => [new Uint8ClampedArray([1])],
  "[Int8Array]": () => [new Int8Array([1])],
  "[Uint16Array]": () => [new Uint16Array([258])],
  "[Float64Array]": () => [new Float64Array([1])],
  "[Uint8Array with offset]": () => [new Uint8Array([9, 1, 2, 9]).subarray(1, 3)],
  "[Uint8Array on shared memory]": () => [new Uint8Array(shared())],
  "[Uint8Array, detached]": () => {
    const bytes = new Uint8Array([1, 2]);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return [bytes];
  },
  "[empty Uint8Array]": () => [new Uint8Array(0)],

  '["" ]': () => [""],
  "[NaN]": () => [NaN],
  "[-0]": () => [-0],
  "[Infinity]": () => [Infinity],
  "[lone high surrogate]": () => ["a\ud800b"],
  "[lone low surrogate]": () => ["a\udc00b"],
  "[surrogates in the wrong order]": () => ["\udc00\ud800"],
  "[surrogate pair]": () => ["\ud83d\ude00"],
  "[bigint of 255 bytes]": () => [2n ** 2040n - 1n],
  "[negative bigint of 255 bytes]": () => [-(2n ** 2040n - 1n)],
  "[bigint of 256 bytes]": () => [2n ** 2040n],
  "[negative bigint of 256 bytes]": () => [-(2n ** 2040n)],

  "[2046 characters], 2048 bytes": () => ["a".repeat(2046)],
  "[2047 characters], 2049 bytes": () => ["a".repeat(2047)],
  "[2048 characters], 2050 bytes": () => ["a".repeat(2048)],
  "[1023 zeros], 2048 bytes": () => ["\0".repeat(1023)],
  "[1024 zeros], 2050 bytes": () => ["\0".repeat(1024)],
  "[1 000 000 characters]": () => ["a".repeat(1_000_000)],
  "227 doubles, 2043 bytes": () => new Array(227).fill(1),
  "228 doubles, 2052 bytes": () => new Array(228).fill(1),
  "2048 booleans, 2048 bytes": () => new Array(2048).fill(true),
  "2049 booleans, 2049 bytes": () => new Array(2049).fill(true),

  "[commitVersionstamp]": (api, kv) => [kv.commitVersionstamp()],
  '["a", commitVersionstamp]': (api, kv) => ["a", kv.commitVersionstamp()],
  '["a", commitVersionstamp, "b"]': (api, kv) => ["a", kv.commitVersionstamp(), "b"],
  '["a", commitVersionstamp, commitVersionstamp]': (api, kv) => [
    "a",
    kv.commitVersionstamp(),
    kv.commitVersionstamp(),
  ],
};

/** Label -> the call that takes the key. `drain` walks a list to its end. */
const places = (drain) => ({
  get: (kv, api, key) => kv.get(key),
  getMany: (kv, api, key) => kv.getMany([["seed", 1], key]),
  set: (kv, api, key) => kv.set(key, "v"),
  delete: (kv, api, key) => kv.delete(key),
  "list prefix": (kv, api, key) => drain(kv.list({ prefix: key })),
  "list start": (kv, api, key) => drain(kv.list({ start: key, end: [true, true] })),
  "list end": (kv, api, key) => drain(kv.list({ start: [new Uint8Array(0)], end: key })),
  "atomic check": (kv, api, key) =>
    kv.atomic().check({ key, versionstamp: null }).set(["x"], 1).commit(),
  "atomic set": (kv, api, key) => kv.atomic().set(["x"], 1).set(key, "v").commit(),
  "atomic delete": (kv, api, key) => kv.atomic().set(["x"], 1).delete(key).commit(),
  "atomic sum": (kv, api, key) => kv.atomic().set(["x"], 1).sum(key, 1n).commit(),
  "atomic min": (kv, api, key) => kv.atomic().set(["x"], 1).min(key, 1n).commit(),
  "atomic max": (kv, api, key) => kv.atomic().set(["x"], 1).max(key, 1n).commit(),
  "mutate set": (kv, api, key) =>
    kv.atomic().set(["x"], 1).mutate({ type: "set", key, value: "v" }).commit(),
  "mutate delete": (kv, api, key) =>
    kv.atomic().set(["x"], 1).mutate({ type: "delete", key }).commit(),
  "mutate sum": (kv, api, key) =>
    kv
      .atomic()
      .set(["x"], 1)
      .mutate({ type: "sum", key, value: new api.KvU64(1n) })
      .commit(),
});

/** @param {(list: AsyncIterable<unknown>) => Promise<unknown[]>} drain */
export function keyCases(drain) {
  return Object.entries(places(drain)).flatMap(([place, call]) =>
    Object.entries(keys).map(([label, make]) => ({
      name: `${place}: key ${label}`,
      call: (kv, api) => call(kv, api, make(api, kv)),
    })),
  );
}
