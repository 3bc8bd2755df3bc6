"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const vm = require("node:vm");
const { decode, encode } = require("../../js/codec");

const detached = () => {
  const buffer = new ArrayBuffer(4);
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
};

const detachedView = () => {
  const view = new Uint8Array(4);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
};

const outOfBounds = (View) => {
  const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
  const view = new View(buffer, 4, 1);
  buffer.resize(2);
  return view;
};

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const REFUSED = {
  function: () => () => {},
  class: () => class {},
  "a callable Proxy": () => new Proxy(() => {}, {}),
  symbol: () => Symbol("s"),
  "a boxed symbol": () => Object(Symbol("s")),
  Promise: () => Promise.resolve(),
  WeakMap: () => new WeakMap(),
  WeakSet: () => new WeakSet(),
  WeakRef: () => new WeakRef({}),
  FinalizationRegistry: () => new FinalizationRegistry(() => {}),
  SharedArrayBuffer: () => new SharedArrayBuffer(1),
  "a view of shared memory": () => new Uint8Array(new SharedArrayBuffer(1)),
  "a Buffer of shared memory": () => Buffer.from(new SharedArrayBuffer(1)),
  "a detached ArrayBuffer": detached,
  "a view of one": detachedView,
  "a typed array out of bounds": () => outOfBounds(Uint16Array),
  "a DataView out of bounds": () => outOfBounds(DataView),
  "a Proxy": () => new Proxy({ a: 1 }, {}),
  "a Proxy of an array": () => new Proxy([1], {}),
  "a Proxy of a Map": () => new Proxy(new Map(), {}),
  "a revoked Proxy": revoked,
  "an arguments object": () =>
    (function () {
      return arguments;
    })(1),
  "an empty arguments object": () =>
    (function () {
      return arguments;
    })(),
  generator: () => (function* () {})(),
  "async generator": () => (async function* () {})(),
  "array iterator": () => [1].values(),
  "map iterator": () => new Map().keys(),
  "set iterator": () => new Set().values(),
  "string iterator": () => "a"[Symbol.iterator](),
  "regexp iterator": () => "a".matchAll(/a/g),
  URL: () => new URL("http://localhost/"),
  "a class made from URL": () => new (class Address extends URL {})("http://localhost/"),
  URLSearchParams: () => new URLSearchParams("a=1"),
  "an iterator of URLSearchParams": () => new URLSearchParams("a=1").keys(),
  Headers: () => new Headers({ a: "1" }),
  Request: () => new Request("http://localhost/"),
  Response: () => new Response("body"),
  FormData: () => new FormData(),
  Blob: () => new Blob(["a"]),
  AbortController: () => new AbortController(),
  AbortSignal: () => new AbortController().signal,
  EventTarget: () => new EventTarget(),
  "a class made from EventTarget": () =>
    new (class Bus extends EventTarget {
      x = 1;
    })(),
  Event: () => new Event("e"),
  DOMException: () => new DOMException("m", "AbortError"),
  ReadableStream: () => new ReadableStream(),
  WritableStream: () => new WritableStream(),
  MessageChannel: () => new MessageChannel(),
  TextEncoder: () => new TextEncoder(),
  crypto: () => crypto,
  performance: () => performance,
  "Intl.NumberFormat": () => new Intl.NumberFormat("en"),
  "WebAssembly.Module": () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
};

test("what cannot be stored is refused, wherever it stands", async (t) => {
  for (const [name, make] of Object.entries(REFUSED)) {
    await t.test(name, () => {
      const value = make();
      const places = [value, [value], { value }, new Map([[1, value]]), new Set([value])];
      for (const place of [...places, new Error("e", { cause: value })]) {
        assert.throws(() => encode(place), { name: "TypeError", code: "NOT_CLONEABLE" });
      }
    });
  }
});

test("a refusal leaves nothing behind for the next value", () => {
  const half = { a: "x".repeat(2000), b: {}, c: () => {} };
  for (let i = 0; i < 3; i++) {
    assert.throws(() => encode(half), { code: "NOT_CLONEABLE" });
    assert.deepEqual(decode(encode({ b: half.b, a: half.a })), { b: {}, a: half.a });
  }
});

test("a Proxy is refused without a trap being sprung", () => {
  const traps = new Proxy({}, { get: (_, trap) => assert.fail(`${String(trap)} was called`) });
  for (const target of [{}, [], new Map(), new Date()]) {
    assert.throws(() => encode(new Proxy(target, traps)), { code: "NOT_CLONEABLE" });
  }
});

test("resizable buffers that reserve too much", () => {
  const reserving = (maxByteLength) => new ArrayBuffer(8, { maxByteLength });
  const half = 2 ** 31 - 1;
  assert.equal(decode(encode([reserving(half), reserving(half)]))[1].maxByteLength, half);
  // The greatest length that the format can hold; one more once wrapped to none.
  assert.equal(decode(encode(reserving(2 ** 32 - 1))).maxByteLength, 2 ** 32 - 1);
  for (const huge of [reserving(2 ** 32), [reserving(2 ** 31), reserving(2 ** 31)]]) {
    assert.throws(() => encode(huge), { code: "NOT_CLONEABLE" });
  }
});

test("brands are told by internal slots", async (t) => {
  await t.test("not by the prototype", () => {
    const as = (object, prototype) => decode(encode(Object.setPrototypeOf(object, prototype)));
    assert.deepEqual(as({ a: 1 }, Map.prototype), { a: 1 });
    assert.deepEqual(as({ a: 1 }, Date.prototype), { a: 1 });
    assert.deepEqual(as({}, Error.prototype), {});
    assert.deepEqual(as({}, Uint8Array.prototype), {});
    assert.deepEqual(as({}, Array.prototype), {});
    assert.deepEqual(as(Uint16Array.of(1, 2), Buffer.prototype), Uint16Array.of(1, 2));
    for (const prototype of [Object.prototype, null, Date.prototype, Array.prototype]) {
      assert.deepEqual(as(new Map([[1, 2]]), prototype), new Map([[1, 2]]));
      assert.deepEqual(as(new Set([1]), prototype), new Set([1]));
      assert.deepEqual(as(/x/g, prototype), /x/g);
      assert.deepEqual(as(Object(1), prototype), Object(1));
      assert.deepEqual(as(Object("s"), prototype), Object("s"));
      assert.deepEqual(as([1], prototype), [1]);
      assert.deepEqual(as(Uint8Array.of(1), prototype), Uint8Array.of(1));
      assert.deepEqual(as(new DataView(new ArrayBuffer(1)), prototype).byteLength, 1);
      assert.equal(as(new Date(5), prototype).getTime(), 5);
      assert.equal(Object.getPrototypeOf(as(new Error(), prototype)), Error.prototype);
    }
  });

  await t.test("not by Symbol.toStringTag, constructor or instanceof", () => {
    class Liar {
      static [Symbol.hasInstance]() {
        return true;
      }
      a = 1;
      get [Symbol.toStringTag]() {
        return "Map";
      }
    }
    assert.deepEqual(decode(encode(new Liar())), { a: 1 });
    assert.deepEqual(decode(encode({ a: 1, constructor: "Map", [Symbol.toStringTag]: "Date" })), {
      a: 1,
      constructor: "Map",
    });
  });

  await t.test("not by properties of the same name", () => {
    const shadow = (object, names) => {
      for (const name of names) Object.defineProperty(object, name, { value: "shadow" });
      return decode(encode(object));
    };
    assert.deepEqual(shadow(new Map([[1, 2]]), ["size", "forEach", "entries"]), new Map([[1, 2]]));
    assert.deepEqual(shadow(/x/gi, ["source", "flags", "global"]), /x/gi);
    assert.deepEqual(shadow(new Date(5), ["getTime", "valueOf"]), new Date(5));
    assert.deepEqual(
      shadow(Uint8Array.of(1, 2), ["buffer", "byteLength", "byteOffset"]),
      Uint8Array.of(1, 2),
    );
  });

  await t.test("a user's class may bear the name of a platform's", () => {
    const classes = vm.runInNewContext("[class Response {}, class URL {}, class Event {}]");
    for (const Type of [...classes, class Headers {}]) {
      assert.deepEqual(decode(encode(Object.assign(new Type(), { a: 1 }))), { a: 1 });
    }
  });
});

test("values of another realm", async (t) => {
  const foreign = (source) => vm.runInNewContext(`(${source})`);

  await t.test("come back as values of this one", () => {
    for (const source of [
      "{ a: { b: [1, , 2] } }",
      "new Map([[1, new Set([2])]])",
      "new Date(5)",
      "/x/gi",
      "[Object(1), Object('s'), Object(true), Object(1n)]",
      "new Uint16Array([1, 2])",
      "new DataView(new ArrayBuffer(4), 1)",
      "Object.create(null, { a: { value: 1, enumerable: true } })",
      "new (class Point { x = 1 })",
    ]) {
      const here = vm.runInThisContext(`(${source})`);
      const expected = Object.getPrototypeOf(here) === null ? { ...here } : here;
      const back = decode(encode(foreign(source)));
      assert.deepEqual(back, source.includes("class") ? { x: 1 } : expected);
    }
    const error = decode(encode(foreign("new RangeError('m')")));
    assert.equal(Object.getPrototypeOf(error), RangeError.prototype);
  });

  await t.test("are refused alike", () => {
    for (const source of [
      "() => {}",
      "Promise.resolve()",
      "new WeakMap()",
      "new WeakRef({})",
      "new Proxy({ a: 1 }, {})",
      "(function* () {})()",
      "(function () { return arguments })(1)",
      "new SharedArrayBuffer(1)",
      "new Intl.NumberFormat('en')",
    ]) {
      assert.throws(() => encode({ a: foreign(source) }), { code: "NOT_CLONEABLE" }, source);
    }
  });
});
