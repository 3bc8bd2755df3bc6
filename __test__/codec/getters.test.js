"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const v8 = require("node:v8");
const { decode, encode } = require("../../js/codec");

const clone = (value) => decode(encode(value));

test("a getter's value is stored, and what it throws passes through", () => {
  assert.deepEqual(
    clone({
      get a() {
        return [1];
      },
    }),
    { a: [1] },
  );
  const boom = new RangeError("boom");
  const value = {
    a: {},
    get b() {
      throw boom;
    },
  };
  assert.throws(
    () => encode(value),
    (error) => error === boom,
  );
  assert.deepEqual(clone({ a: value.a }), { a: {} });
});

test("a getter may encode and decode other values, however deep", () => {
  const nest = (depth) => ({
    before: `before ${depth}`,
    get inner() {
      return depth === 0
        ? "end"
        : { bytes: encode(nest(depth - 1)), big: decode(encode("x".repeat(9000))) };
    },
    after: ["after", depth],
  });
  let value = clone(nest(5));
  for (let depth = 5; depth > 0; depth--) {
    assert.deepEqual([value.before, value.after], [`before ${depth}`, ["after", depth]]);
    assert.equal(value.inner.big.length, 9000);
    value = decode(value.inner.bytes);
  }
  assert.deepEqual(value, { before: "before 0", inner: "end", after: ["after", 0] });
});

test("a getter that throws after encoding leaves the encoder whole", () => {
  const value = {
    get a() {
      encode({ b: 1 });
      throw new Error("boom");
    },
  };
  for (let i = 0; i < 3; i++) assert.throws(() => encode([value]), /boom/);
  assert.deepEqual(clone({ c: [1] }), { c: [1] });
});

// Each makes a value whose getter changes what is being walked. V8 says what becomes of it.
const CHANGES = {
  "an object loses a later key": () => ({
    get a() {
      delete this.b;
      return 1;
    },
    b: 2,
    c: 3,
  }),
  "an object gains a key": () => ({
    get a() {
      this.z = 1;
      return 1;
    },
    b: 2,
  }),
  "a later key changes": () => ({
    get a() {
      this.b = "new";
      return 1;
    },
    b: 2,
  }),
  "a lost key is also inherited": () => ({
    get a() {
      delete this.toString;
      return 1;
    },
    toString: 2,
  }),
  "an array is emptied": () => {
    const array = [
      {
        get a() {
          array.length = 0;
          return 1;
        },
      },
      2,
      3,
    ];
    return array;
  },
  "an array grows": () => {
    const array = [
      {
        get a() {
          array.push(4);
          return 1;
        },
      },
      2,
      3,
    ];
    return array;
  },
  "an array loses an element": () => {
    const array = [
      {
        get a() {
          delete array[1];
          return 1;
        },
      },
      2,
      3,
    ];
    return array;
  },
  "a sparse array is emptied": () => {
    const array = [
      {
        get a() {
          array.length = 0;
          return 1;
        },
      },
      ,
      3,
    ];
    return array;
  },
  "an array's name goes": () => {
    const array = Object.assign(
      [
        {
          get a() {
            delete array.x;
            return 1;
          },
        },
      ],
      { x: 1, y: 2 },
    );
    return array;
  },
  "a map is cleared": () => {
    const map = new Map([
      [
        {
          get a() {
            map.clear();
            return 1;
          },
        },
        1,
      ],
      [2, 2],
    ]);
    return map;
  },
  "a map grows": () => {
    const map = new Map([
      [
        1,
        {
          get a() {
            map.set(3, 3);
            return 1;
          },
        },
      ],
      [2, 2],
    ]);
    return map;
  },
  "a set grows": () => {
    const set = new Set([
      {
        get a() {
          set.add({});
          return 1;
        },
      },
      2,
    ]);
    return set;
  },
};

test("what a getter changes on the way is heeded as V8 heeds it", async (t) => {
  for (const [name, make] of Object.entries(CHANGES)) {
    await t.test(name, () => {
      const expected = v8.deserialize(v8.serialize(make()));
      const bytes = encode(make());
      assert.deepEqual(decode(bytes), expected);
      assert.deepEqual(v8.deserialize(bytes), expected);
    });
  }
});
