// Keys and values of every type, made alike on every runtime. `null` prototypes and cycles compare
// by their shape, as deepEqual has it.

/** Name -> maker of a value; `api` is what gives KvU64. */
export const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  false: () => false,
  zero: () => 0,
  "minus zero": () => -0,
  "small integer": () => -1234,
  "31 bits": () => 2 ** 30,
  "large integer": () => 2 ** 53 - 1,
  fraction: () => 1.5e-300,
  NaN: () => NaN,
  infinities: () => [Infinity, -Infinity],
  "bigint 0": () => 0n,
  "bigint of one word": () => -(2n ** 63n),
  "bigint of many words": () => 3n ** 500n,
  "empty text": () => "",
  "one-byte text": () => "h\u00e9llo\0",
  "two-byte text": () => "\u4f60\u597d 😀",
  "lone surrogate": () => "a\ud800b",
  "long text": () => "x".repeat(10_000) + "é",
  Date: () => new Date(1_700_000_000_123),
  "invalid Date": () => new Date(NaN),
  RegExp: () => /a(b)?\/c/giu,
  "empty object": () => ({}),
  object: () => ({ a: 1, nested: { b: [true, null] }, "with space": "x", 5: "index" }),
  "own __proto__": () => JSON.parse('{"__proto__": 1}'),
  "dense array": () => [1, "two", [3], { four: 4 }, undefined],
  "sparse array": () => Object.assign([], { 0: 1, 5: "five", length: 9 }),
  "array with properties": () => Object.assign([1, 2], { extra: true }),
  Map: () =>
    new Map([
      ["a", 1],
      [{ key: 1 }, new Map()],
    ]),
  Set: () => new Set([1, "a", new Set([2])]),
  "boxed primitives": () => [Object(1), Object("x"), Object(true), Object(5n)],
  ArrayBuffer: () => Uint8Array.of(1, 2, 3).buffer,
  "empty ArrayBuffer": () => new ArrayBuffer(0),
  "nested Uint8Array": () => ({ bytes: Uint8Array.of(1, 2, 255) }),
  "typed arrays": () => [
    Int8Array.of(-1),
    Uint8ClampedArray.of(255),
    Int16Array.of(-300),
    Uint16Array.of(65_535),
    Int32Array.of(-70_000),
    Uint32Array.of(4_000_000_000),
    Float32Array.of(0.5),
    Float64Array.of(Math.PI),
    BigInt64Array.of(-5n),
    BigUint64Array.of(2n ** 64n - 1n),
  ],
  "view with an offset": () => [new Uint16Array(Uint8Array.of(1, 2, 3, 4, 5, 6).buffer, 2, 1)],
  DataView: () => new DataView(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2),
  Error: () => withoutStack(new Error("message")),
  RangeError: () => withoutStack(new RangeError("range")),
  "Error with cause": () => withoutStack(new TypeError("outer", { cause: { code: 5 } })),
  "shared reference": () => {
    const shared = { n: 1 };
    return [shared, shared];
  },
  cycle: () => {
    const cycle = { name: "cycle" };
    cycle.self = cycle;
    return cycle;
  },
  "top-level Uint8Array": () => Uint8Array.of(0, 1, 255),
  "empty Uint8Array": () => new Uint8Array(),
  "KvU64 of 0": (api) => new api.KvU64(0n),
  "largest KvU64": (api) => new api.KvU64(2n ** 64n - 1n),
};

/** A stack names the place where the error was made, which differs between the two who compare. */
function withoutStack(error) {
  return Object.defineProperty(error, "stack", { value: "stack" });
}

/** Keys of every type of part, and their edges, in order. */
export const KEYS = [
  [Uint8Array.of()],
  [Uint8Array.of(0)],
  [Uint8Array.of(0, 255)],
  [Uint8Array.of(255)],
  [""],
  ["\0"],
  ["\0\u00ff"],
  ["a"],
  ["a", Uint8Array.of(1)],
  ["a", "b", 1, 2n, false],
  ["a\0"],
  ["\uffff"],
  ["\u{10000}"],
  [-(2n ** 2040n) + 1n],
  [-(2n ** 64n)],
  [-256n],
  [-255n],
  [-1n],
  [0n],
  [1n],
  [255n],
  [256n],
  [2n ** 64n - 1n],
  [2n ** 64n],
  [2n ** 2040n - 1n],
  [-Infinity],
  [-1.5],
  [-0],
  [0],
  [5e-324],
  [1],
  [Infinity],
  [NaN],
  [false],
  [true],
];
