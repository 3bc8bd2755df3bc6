// Values of every kind that can be stored, by name. Functions, since most are to be made afresh.

const shared = { n: 1 };

const cyclic = () => {
  const value = { name: "cycle", list: [] };
  value.self = value;
  value.list.push(value, new Map([[value, new Set([value])]]));
  return value;
};

const withStack = (error) =>
  Object.defineProperty(error, "stack", { value: `${error}\n at somewhere` });

const named = (properties) => Object.assign(["first", "second"], properties);

export const corpus = {
  undefined: () => undefined,
  null: () => null,
  booleans: () => [true, false],
  "numbers of 32 bits": () => [0, 1, -1, 63, 64, -64, -65, 2 ** 31 - 1, -(2 ** 31)],
  "other numbers": () => [
    -0,
    NaN,
    Infinity,
    -Infinity,
    0.1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    5e-324,
  ],
  bigints: () => [0n, 1n, -1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n), 7n ** 300n],
  "short strings": () => [
    "",
    "a",
    "\0",
    "é\xff",
    "Ω",
    "a\ud83d\ude00",
    "x".repeat(32),
    "é".repeat(33),
  ],
  "long strings": () => ["a".repeat(5000), "é".repeat(130), "Ω".repeat(63), `${"a".repeat(5000)}Ω`],
  "a very long string": () => "abc".repeat(20_000),
  "a very long two-byte string": () => "abΩ".repeat(10_000),
  "strings that are not well formed": () => ["\ud800", "a\udc00b", "\udc00\ud800".repeat(40)],
  "two-byte strings at even and odd places": () => ["Ω", "", "Ω", "a", "Ω", { Ω: "Ω" }],
  date: () => new Date(1_788_000_000_123),
  "dates at the ends": () => [new Date(8.64e15), new Date(-8.64e15), new Date(0)],
  regexps: () => [/a\/[b]\n/gimsuy, /(?<x>a)/d, /[a--b]/v, new RegExp("")],
  map: () =>
    new Map([
      [1, "one"],
      ["k", { deep: new Map() }],
      [NaN, -0],
    ]),
  set: () => new Set([1, "a", null, new Set([{}])]),
  "an empty array and an empty object": () => [[], {}],
  "a dense array": () => [1, "two", [3], undefined, null],
  "an array with holes": () => [, 1, , undefined, ,],
  "an array of holes": () => new Array(7),
  "a long array of nearly nothing": () => Object.assign([], { [2 ** 32 - 2]: "last" }),
  "arrays with names": () => [named({ x: 1, "-1": 2, "01": 3 }), Object.assign([, 1], { x: [] })],
  "a plain object": () => ({
    holder: "serve:ab12",
    n: 7,
    at: 1_788_000_000_000,
    ok: true,
    none: null,
  }),
  "keys that are numbers": () => ({ b: 1, 2: 2, 1: 3, "01": 4, 1.5: 5, "-1": 6, [2 ** 31]: 7 }),
  "keys about the largest index": () => ({ [2 ** 32 - 2]: 1, [2 ** 32 - 1]: 2, [2 ** 32]: 3 }),
  "keys of all lengths": () => ({
    "": 0,
    k: 1,
    ["k".repeat(24)]: 2,
    ["k".repeat(25)]: 3,
    ["Ω".repeat(9)]: 4,
  }),
  "keys that Object.prototype has": () => ({ constructor: 1, toString: 2, valueOf: undefined }),
  "__proto__ as data": () => JSON.parse('{ "__proto__": { "a": 1 }, "b": { "__proto__": null } }'),
  "boxed primitives": () => [
    Object(-0),
    Object(NaN),
    Object("Ωa"),
    Object(true),
    Object(false),
    Object(9n),
  ],
  buffer: () => Uint8Array.of(1, 2, 3).buffer,
  "an empty buffer": () => new ArrayBuffer(0),
  "typed arrays": () => [
    Int8Array.of(-1, 2),
    Uint8Array.of(1, 255),
    Uint8ClampedArray.of(1, 255),
    Int16Array.of(-1, 2),
    Uint16Array.of(1, 65535),
    Int32Array.of(-1, 2),
    Uint32Array.of(1, 2 ** 32 - 1),
    Float32Array.of(-0, 0.5, NaN),
    Float64Array.of(0.1, Infinity),
    BigInt64Array.of(-1n, 2n ** 62n),
    BigUint64Array.of(2n ** 64n - 1n),
    new Uint16Array(0),
  ],
  "a view with an offset": () =>
    new Uint16Array(Uint8Array.of(9, 9, 1, 0, 2, 0, 9, 9).buffer, 2, 2),
  dataview: () => new DataView(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2),
  "views of one buffer": () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    return [
      new Uint8Array(buffer, 1, 2),
      buffer,
      new Float64Array(buffer),
      new DataView(buffer, 4),
    ];
  },
  errors: () =>
    [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Type) =>
      withStack(new Type(`a ${Type.name}`)),
    ),
  "an error with a cause": () => withStack(new TypeError("outer", { cause: { code: 7, by: [1] } })),
  "an error without a message": () => withStack(new Error()),
  "a cycle": cyclic,
  "shared references": () => [shared, shared, { again: shared }, new Map([[shared, shared]])],
};
