"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const v8 = require("node:v8");
const { decode, encode } = require("../../js/codec");

const clone = (value) => decode(encode(value));

test("every kind of value", async (t) => {
  const { corpus } = await import("./corpus.mjs");
  for (const [name, make] of Object.entries(corpus)) {
    await t.test(name, () => {
      assert.deepEqual(clone(make()), make());
      assert.deepEqual(clone({ inside: [make()] }), { inside: [make()] });
      assert.deepEqual(v8.deserialize(encode(make())), make(), "as V8 reads our bytes");
      assert.deepEqual(decode(v8.serialize(make())), make(), "as we read V8's bytes");
    });
  }
});

test("an invalid date stays one", () => {
  assert.ok(Number.isNaN(clone(new Date(NaN)).getTime()));
});

test("bytes are fresh, exactly sized and in a buffer of their own", () => {
  const big = "x".repeat(5000);
  for (const value of [undefined, 1, { a: 1 }, [big], big, `${big}Ω`, new Uint8Array(300_000)]) {
    const bytes = encode(value);
    assert.equal(Object.getPrototypeOf(bytes), Uint8Array.prototype);
    assert.equal(bytes.byteOffset, 0);
    assert.equal(bytes.buffer.byteLength, bytes.length);
    const copy = bytes.slice();
    encode({ something: "else", that: big });
    assert.deepEqual(bytes, copy);
    assert.deepEqual(decode(bytes), value);
  }
});

test("what is decoded does not share memory with the bytes", () => {
  for (const own of [(bytes) => bytes, (bytes) => Buffer.from(bytes.buffer)]) {
    const bytes = own(encode([Uint8Array.of(1, 2), new ArrayBuffer(2)]));
    const value = decode(bytes);
    bytes.fill(0);
    assert.deepEqual(value, [Uint8Array.of(1, 2), new ArrayBuffer(2)]);
    assert.equal(value[0].buffer.byteLength, 2);
  }
});

test("bytes are read wherever they lie", () => {
  const value = { text: "long enough for a call into the runtime", wide: "Ω".repeat(40), n: 0.5 };
  const bytes = encode(value);
  const page = new Uint8Array(bytes.length + 20).fill(0xff);
  page.set(bytes, 7);
  assert.deepEqual(decode(page.subarray(7, 7 + bytes.length)), value);
});

test("what follows the value is left alone, as V8 leaves it", () => {
  const bytes = Uint8Array.of(...encode({ a: 1 }), 0xff, 1, 2);
  assert.deepEqual(decode(bytes), { a: 1 });
  assert.deepEqual(v8.deserialize(bytes), { a: 1 });
});

test("identity", async (t) => {
  await t.test("of objects, and cycles", () => {
    const shared = { n: 1 };
    const value = {
      shared,
      list: [shared],
      map: new Map([[shared, shared]]),
      set: new Set([shared]),
    };
    value.self = value;
    const back = clone(value);
    assert.equal(back.self, back);
    assert.equal(back.list[0], back.shared);
    assert.equal(back.map.get(back.shared), back.shared);
    assert.ok(back.set.has(back.shared));
  });

  await t.test("of leaves", () => {
    for (const leaf of [
      new Date(1),
      /x/g,
      Object(1),
      Object("s"),
      new Error("e"),
      new ArrayBuffer(1),
    ]) {
      const [first, second, third] = clone([leaf, {}, leaf]);
      assert.notEqual(first, second);
      assert.equal(first, third);
    }
  });

  await t.test("of a buffer under several views, and of a view", () => {
    const buffer = new ArrayBuffer(8);
    const view = new Uint16Array(buffer, 2, 2);
    const [first, again, bytes, under] = clone([view, view, new Uint8Array(buffer), buffer]);
    assert.equal(first, again);
    assert.equal(first.buffer, under);
    assert.equal(bytes.buffer, under);
    assert.deepEqual([first.byteOffset, first.length], [2, 2]);
  });

  await t.test("of an error in its own cause", () => {
    const error = new Error("x");
    error.cause = { errors: [error] };
    const back = clone(error);
    assert.equal(back.cause.errors[0], back);
    assert.ok(!Object.keys(back).includes("cause"));
  });
});

test("objects", async (t) => {
  await t.test("keys come back in order, as data", () => {
    const value = { b: 1, 10: 2, a: 3, 9: 4 };
    assert.deepEqual(Object.keys(clone(value)), ["9", "10", "b", "a"]);
    const proto = clone(JSON.parse('{"__proto__":{"x":1}}'));
    assert.deepEqual(Object.keys(proto), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(proto), Object.prototype);
    assert.equal(proto.x, undefined);
  });

  await t.test("only own, enumerable, string keys", () => {
    const value = Object.create({ inherited: 1 }, { hidden: { value: 1 } });
    value.own = 1;
    value[Symbol("s")] = 1;
    assert.deepEqual(clone(value), { own: 1 });
  });

  await t.test("instances become plain objects", () => {
    class Point {
      x = 1;
      #secret = 2;
      get y() {
        return this.#secret;
      }
    }
    const back = clone(new Point());
    assert.deepEqual(back, { x: 1 });
    assert.equal(Object.getPrototypeOf(back), Object.prototype);
    assert.equal(Object.getPrototypeOf(clone(Object.create(null))), Object.prototype);
  });

  await t.test("subclasses of built-ins become the built-in", () => {
    class Names extends Map {}
    const names = new Names([["a", 1]]);
    names.extra = "lost";
    const back = clone(names);
    assert.equal(Object.getPrototypeOf(back), Map.prototype);
    assert.deepEqual(back, new Map([["a", 1]]));
    assert.deepEqual(clone(new (class extends Array {})(3)), new Array(3));
  });
});

test("errors", async (t) => {
  await t.test("message, stack and cause, hidden as in a real error", () => {
    const error = new RangeError("m", { cause: undefined });
    const back = clone(error);
    assert.ok(back instanceof RangeError);
    assert.equal(back.message, "m");
    assert.equal(back.stack, error.stack);
    assert.ok(Object.hasOwn(back, "cause"));
    assert.deepEqual(Object.keys(back), []);
  });

  await t.test("of a subclass: by name, else Error", () => {
    class Mine extends RangeError {}
    class Renamed extends Error {
      name = "TypeError";
    }
    assert.equal(Object.getPrototypeOf(clone(new Mine("m"))), RangeError.prototype);
    assert.equal(Object.getPrototypeOf(clone(new Renamed("m"))), TypeError.prototype);
    assert.equal(Object.getPrototypeOf(clone(new AggregateError([1], "m"))), Error.prototype);
  });

  await t.test("without what is missing, and never with a stack of the codec's", () => {
    const bare = new Error();
    bare.stack = undefined;
    const back = clone(bare);
    assert.equal(back.stack, undefined);
    assert.ok(!Object.hasOwn(back, "message"));
    assert.ok(!Object.hasOwn(back, "cause"));
  });

  await t.test("a message that is a getter is not called", () => {
    const error = Object.defineProperty(new Error(), "message", {
      get() {
        throw new Error("called");
      },
    });
    error.stack = "";
    assert.equal(clone(error).message, "");
  });
});

test("buffers", async (t) => {
  await t.test("a Node Buffer is written as a Uint8Array of its own bytes", () => {
    const buffer = Buffer.from("hello");
    assert.ok(buffer.buffer.byteLength > 1000, "it is part of a pool");
    const bytes = encode({ buffer, again: buffer });
    assert.ok(bytes.length < 60);
    const back = decode(bytes);
    assert.equal(Object.getPrototypeOf(back.buffer), Uint8Array.prototype);
    assert.deepEqual(back.buffer, Uint8Array.from(buffer));
    assert.equal(back.buffer.buffer.byteLength, 5);
    assert.equal(back.again, back.buffer);
    assert.deepEqual(v8.deserialize(bytes), { buffer: back.buffer, again: back.buffer });
  });

  await t.test("other objects after a Buffer keep their references", () => {
    const shared = [1];
    const [, first, second] = clone([Buffer.from("a"), shared, shared]);
    assert.equal(first, second);
  });

  await t.test("a resizable buffer stays one, and so do its views", () => {
    const buffer = new ArrayBuffer(4, { maxByteLength: 16 });
    const tracking = [new Uint8Array(buffer), new Uint16Array(buffer, 2), new DataView(buffer, 1)];
    const fixed = [new Uint8Array(buffer, 0, 4), new DataView(buffer, 1, 3)];
    new Uint8Array(buffer).set([1, 2, 3, 4]);
    const value = [buffer, ...tracking, ...fixed];
    for (const read of [decode, v8.deserialize]) {
      const back = read(encode(value));
      assert.deepEqual(back, value);
      assert.equal(back[0].maxByteLength, 16);
      back[0].resize(8);
      assert.deepEqual(
        back.slice(1).map((view) => view.byteLength),
        [8, 6, 7, 4, 3],
      );
    }
    assert.equal(buffer.byteLength, 4, "the caller's buffer is as it was");
  });

  await t.test("a resizable buffer at its largest", () => {
    const buffer = new ArrayBuffer(4, { maxByteLength: 4 });
    const value = [new Uint8Array(buffer), new DataView(buffer)];
    assert.deepEqual(clone(value), value);
    assert.deepEqual(v8.deserialize(encode(value)), value);
  });
});
