// Values that cannot be stored, values at the limit, and the options that come with a value.

import { Buffer } from "node:buffer";

class Account {
  constructor() {
    this.balance = 1;
  }
}

const nested = (depth) => {
  let value = 0;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** Label -> maker of the value. */
const values = {
  undefined: () => undefined,
  null: () => null,
  function: () => () => {},
  "class constructor": () => Account,
  symbol: () => Symbol("value"),
  promise: () => Promise.resolve(1),
  WeakMap: () => new WeakMap(),
  WeakSet: () => new WeakSet(),
  WeakRef: () => new WeakRef({}),
  "generator object": () => (function* () {})(),
  "array iterator": () => [1].values(),
  "proxy of an object": () => new Proxy({ a: 1 }, {}),
  "proxy of an array": () => new Proxy([1], {}),
  "revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  SharedArrayBuffer: () => new SharedArrayBuffer(8),
  "Uint8Array on shared memory": () => new Uint8Array(new SharedArrayBuffer(8)),
  "Uint16Array on shared memory": () => new Uint16Array(new SharedArrayBuffer(8)),
  "detached ArrayBuffer": () => {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  },
  "detached Uint8Array": () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  URL: () => new URL("https://example.com/"),
  URLSearchParams: () => new URLSearchParams("a=1"),
  Headers: () => new Headers({ a: "1" }),
  Response: () => new Response("a"),
  Request: () => new Request("https://example.com/"),
  Blob: () => new Blob(["a"]),
  FormData: () => new FormData(),
  AbortSignal: () => new AbortController().signal,
  EventTarget: () => new EventTarget(),
  ReadableStream: () => new ReadableStream(),
  TextEncoder: () => new TextEncoder(),
  "Intl.Collator": () => new Intl.Collator("en"),
  "function in an object": () => ({ a: 1, f() {} }),
  "symbol in an array": () => [Symbol("value")],
  "promise in a Map": () => new Map([["a", Promise.resolve(1)]]),
  "URL in an object": () => ({ url: new URL("https://example.com/") }),
  "throwing getter": () => ({
    get a() {
      throw new EvalError("from the getter");
    },
  }),
  "class instance": () => new Account(),
  "object without prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "arguments object": () =>
    (function () {
      return arguments;
    })(1, 2),
  "symbol keys only": () => ({ [Symbol("s")]: 1 }),
  Buffer: () => Buffer.from("ab"),
  "Buffer in an object": () => ({ b: Buffer.from("ab") }),
  "subclass of Uint8Array": () => class Bytes extends Uint8Array {}.of(1, 2),
  "Uint8Array with offset": () => new Uint8Array([9, 1, 2, 9]).subarray(1, 3),
  KvU64: (api) => new api.KvU64(2n ** 64n - 1n),
  "KvU64 in an object": (api) => ({ n: new api.KvU64(1n) }),
  "object like a KvU64": () => ({ value: 1n }),
  "object with KvU64's prototype": (api) => Object.create(api.KvU64.prototype),
  "nested 500 deep": () => nested(500),
  "nested 100 000 deep": () => nested(100_000),
  // The stored bytes of a one-byte string are two of header, one of tag, its length (three), itself.
  "string of 65 530 characters": () => "a".repeat(65_530),
  "string of 65 531 characters": () => "a".repeat(65_531),
  "string of 1 000 000 characters": () => "a".repeat(1_000_000),
  "Uint8Array of 65 536": () => new Uint8Array(65_536),
  "Uint8Array of 65 537": () => new Uint8Array(65_537),
};

/** Label -> maker of the options of `set`. */
const setOptions = {
  null: () => null,
  number: () => 5,
  string: () => "expireIn",
  function: () => () => {},
  "unknown option": () => ({ expiresIn: 5, ttl: 5 }),
  "expireIn undefined": () => ({ expireIn: undefined }),
  "expireIn null": () => ({ expireIn: null }),
  "expireIn 0": () => ({ expireIn: 0 }),
  "expireIn -0": () => ({ expireIn: -0 }),
  "expireIn -1": () => ({ expireIn: -1 }),
  "expireIn -1e300": () => ({ expireIn: -1e300 }),
  "expireIn 1.5": () => ({ expireIn: 60_000.5 }),
  "expireIn NaN": () => ({ expireIn: NaN }),
  "expireIn Infinity": () => ({ expireIn: Infinity }),
  "expireIn -Infinity": () => ({ expireIn: -Infinity }),
  "expireIn 2^31": () => ({ expireIn: 2 ** 31 }),
  "expireIn 2^53 - 1": () => ({ expireIn: Number.MAX_SAFE_INTEGER }),
  "expireIn 1e300": () => ({ expireIn: 1e300 }),
  "expireIn numeric string": () => ({ expireIn: "60000" }),
  "expireIn string": () => ({ expireIn: "soon" }),
  "expireIn bigint": () => ({ expireIn: 60_000n }),
  "expireIn boolean": () => ({ expireIn: true }),
  "expireIn symbol": () => ({ expireIn: Symbol("ms") }),
  "expireIn Date": () => ({ expireIn: new Date(0) }),
  "expireIn array": () => ({ expireIn: [60_000] }),
  "expireIn object": () => ({ expireIn: {} }),
};

const valuePlaces = {
  set: (kv, value) => kv.set(["k"], value),
  "atomic set": (kv, value) => kv.atomic().set(["x"], 1).set(["k"], value).commit(),
  "mutate set": (kv, value) =>
    kv
      .atomic()
      .set(["x"], 1)
      .mutate({ type: "set", key: ["k"], value })
      .commit(),
};

const optionPlaces = {
  set: (kv, options) => kv.set(["k"], "v", options),
  "atomic set": (kv, options) => kv.atomic().set(["x"], 1).set(["k"], "v", options).commit(),
  "mutate set": (kv, options) =>
    kv
      .atomic()
      .set(["x"], 1)
      .mutate({ type: "set", key: ["k"], value: "v", ...Object(options) })
      .commit(),
};

const product = (places, what, table) =>
  Object.entries(places).flatMap(([place, call]) =>
    Object.entries(table).map(([label, make]) => ({
      name: `${place}: ${what} ${label}`,
      call: (kv, api) => call(kv, make(api)),
    })),
  );

export function valueCases() {
  return [
    ...product(valuePlaces, "value", values),
    ...product(optionPlaces, "options", setOptions),
    { name: "set: no arguments", call: (kv) => kv.set() },
    { name: "set: no value", call: (kv) => kv.set(["k"]) },
    { name: "atomic set: no arguments", call: (kv) => kv.atomic().set().commit() },
    { name: "atomic set: no value", call: (kv) => kv.atomic().set(["k"]).commit() },
    ...kvU64Cases,
  ];
}

/** What `new KvU64` refuses, and what it shows of itself. */
const kvU64Cases = [
  ["undefined", undefined],
  ["null", null],
  ["number", 1],
  ["string", "1"],
  ["boolean", true],
  ["Object(1n)", Object(1n)],
  ["-1n", -1n],
  ["0n", 0n],
  ["2^64 - 1", 2n ** 64n - 1n],
  ["2^64", 2n ** 64n],
].map(([label, value]) => ({
  name: `new KvU64: ${label}`,
  call: (kv, api) => new api.KvU64(value),
}));
kvU64Cases.push(
  { name: "new KvU64: KvU64", call: (kv, api) => new api.KvU64(new api.KvU64(1n)) },
  { name: "KvU64 without new", engine: true, call: (kv, api) => api.KvU64(1n) },
  {
    name: "KvU64 as a string",
    call: (kv, api) => [String(new api.KvU64(7n)), `${new api.KvU64(7n)}`],
  },
  { name: "KvU64 as a number", call: (kv, api) => new api.KvU64(7n) + 1n },
  {
    name: "KvU64 toStringTag",
    call: (kv, api) => Object.prototype.toString.call(new api.KvU64(7n)),
  },
  { name: "KvU64 is frozen", call: (kv, api) => Object.isFrozen(new api.KvU64(7n)) },
  {
    name: "KvU64 is read-only",
    engine: true,
    call: (kv, api) => {
      new api.KvU64(7n).value = 8n;
    },
  },
  {
    name: "KvU64 as JSON",
    engine: true,
    call: (kv, api) => JSON.stringify(new api.KvU64(7n)),
  },
);
