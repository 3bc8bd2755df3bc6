"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { decode, encode } = require("../../js/codec");

const CORRUPT = { name: "KvError", code: "CORRUPT_VALUE" };

/** Bytes: numbers as they are, strings by their Latin-1 codes. */
function bytes(...parts) {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === "number" ? [part] : [...Buffer.from(part, "latin1")])),
  );
}

const value = (...parts) => bytes(0xff, 15, ...parts);
const varint = (n) => {
  const out = [];
  for (; n > 0x7f; n = Math.floor(n / 128)) out.push((n % 128) | 0x80);
  return [...out, n];
};
const HUGE = varint(2 ** 32 - 1);

const REFUSED = {
  nothing: bytes(),
  "no version": bytes("I", 2),
  "only a version": bytes(0xff, 15),
  "a version before 13": bytes(0xff, 12, "0"),
  "a version after 16": bytes(0xff, 17, "0"),
  "an endless version": bytes(0xff, ...Array(20).fill(0xff)),
  "only padding": value(...Array(50).fill(0)),
  "an unknown tag": value("!"),
  "a hole outside an array": value("-"),
  "a shared object": value("p", 0),
  "a transferred buffer": value("t", 0),
  "a shared buffer": value("u", 0),
  "a WebAssembly module": value("w", 0),
  "a number too large for 32 bits": value("U", 0xff, 0xff, 0xff, 0xff, 0x10),
  "a number without end": value("I", 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  "half a double": value("N", 1, 2, 3),
  "a string longer than the rest": value('"', 5, "abc"),
  "a string of 4 GiB": value('"', ...HUGE),
  "half a code unit": value("c", 3, "abc"),
  "a bigint longer than the rest": value("Z", 16 * 2, 1),
  "a bigint of 2 GiB": value("Z", ...HUGE),
  "a negative zero bigint": value("Z", 1),
  "a reference to nothing": value("^", 0),
  "a reference to what comes later": value("A", 2, "^", 1, "o{", 0, "$", 0, 2),
  "a reference far away": value("A", 1, "^", ...HUGE, "$", 0, 1),
  "a boxed reference": value("A", 1, "s", "^", 0, "$", 0, 1),
  "an object without end": value('o"', 1, "a", "0"),
  "an object with a wrong count": value('o"', 1, "a", "0{", 2),
  "an object with a key and no value": value('o"', 1, "a", "{", 1),
  "an object with an object for a key": value("oo{", 0, "0{", 1),
  "an object with null for a key": value("o00{", 1),
  "a key twice": value('o"', 1, "a", '0"', 1, "a", "0{", 2),
  "an index twice": value("oI", 2, "0I", 2, "0{", 2),
  "a dense array of 2^32 - 1": value("A", ...HUGE),
  "a dense array longer than the rest": value("A", 100, "0"),
  "a dense array with a wrong length": value("A", 1, "0$", 0, 2),
  "a dense array with a wrong count": value("A", 1, "0$", 1, 1),
  "a sparse array with another length at its end": value("a", ...HUGE, "@", 0, 1),
  "an array with a length of its own": value("a", 1, '"', 6, "length", "I", 4, "@", 1, 1),
  "a map with half an entry": value(";", "0:", 1),
  "a map with a wrong count": value(";", "00:", 1),
  "a set with a wrong count": value("'", "0,", 2),
  "a regexp that is none": value('R"', 1, "(", 0),
  "a regexp with an unknown flag": value('R"', 1, "a", ...varint(512)),
  "a regexp with V8's experimental flag": value('R"', 1, "a", 64),
  "a regexp with flags that exclude each other": value('R"', 1, "a", ...varint(16 + 256)),
  "a regexp of a number": value("RI", 2, 0),
  "an error with an unknown part": value("rx"),
  "an error with two names": value("rET."),
  "an error whose message is no string": value("rmI", 2, "."),
  "an error without end": value("r"),
  "a buffer of 4 GiB": value("B", ...HUGE),
  "a buffer longer than it may become": value("~", 2, 1, 0, 0),
  "a buffer that may become more than the engine allows": bytes(
    ...[0xff, 16, "~", 0],
    ...[...varint(2 ** 53 - 1), "V", "B"],
  ),
  "buffers that reserve too much": value(
    "A",
    2,
    ...["~", 0, ...HUGE],
    ...["~", 0, ...HUGE],
    "$",
    0,
    2,
  ),
  "a view of nothing": value("V", "B", 0, 0, 0),
  "a view of an unknown kind": value("B", 1, 0, "V!", 0, 1, 0),
  "a view beyond its buffer": value("B", 2, 0, 0, "VB", 1, 2, 0),
  "a view far beyond its buffer": value("B", 2, 0, 0, "VB", ...HUGE, ...HUGE, 0),
  "a view of half an element": value("B", 3, 0, 0, 0, "VW", 0, 3, 0),
  "a view at half an element": value("B", 4, 0, 0, 0, 0, "VW", 1, 2, 0),
  "a tracking view of a fixed buffer": value("B", 1, 0, "VB", 0, 0, 1),
  "a fixed buffer said to be resizable": value("B", 1, 0, "VB", 0, 1, 2),
  "a resizable buffer said to be fixed": value("~", 1, 1, 0, "VB", 0, 1, 0),
  "a tracking view from half an element": value("~", 3, 8, 0, 0, 0, "VW", 1, 0, 3),
  "a host object of Deno's": value("\\", ...HUGE, "o{", 0),
  "a host object of no known kind": value("\\", 99, 0),
  "a host object longer than the rest": value("\\", 1, ...HUGE),
  "a host object with half an element": value("\\", 3, 3, 0, 0, 0),
};

test("bytes that no writer leaves are refused by a code", async (t) => {
  for (const [name, input] of Object.entries(REFUSED)) {
    await t.test(name, () => {
      assert.throws(() => decode(input), CORRUPT);
    });
  }
});

test("every beginning of every value is refused by a code", async () => {
  const { corpus } = await import("./corpus.mjs");
  for (const make of Object.values(corpus)) {
    const whole = encode([make()]);
    const step = Math.ceil(whole.length / 500);
    for (let length = 0; length < whole.length; length += step) {
      assert.throws(() => decode(whole.subarray(0, length)), CORRUPT);
    }
  }
});

test("the cause is attached", () => {
  assert.throws(
    () => decode(REFUSED["a regexp that is none"]),
    (error) => error.cause instanceof SyntaxError,
  );
});

test("lengths are not believed: memory follows the bytes", () => {
  const sparse = decode(value("a", ...HUGE, "I", 2, "0@", 1, ...HUGE));
  assert.equal(sparse.length, 2 ** 32 - 1);
  assert.deepEqual(Object.keys(sparse), ["1"]);
  const before = process.memoryUsage();
  assert.equal(decode(value("~", 0, ...HUGE)).byteLength, 0);
  for (let i = 0; i < 1000; i++) {
    decode(value("a", ...varint(30_000_000), "@", 0, ...varint(30_000_000)));
    for (const input of Object.values(REFUSED)) assert.throws(() => decode(input));
  }
  const after = process.memoryUsage();
  assert.ok(after.rss - before.rss < 200 * 2 ** 20, `grew by ${after.rss - before.rss} bytes`);
});

test("prototypes and what lies on them are left alone", () => {
  let calls = 0;
  const trap = { set: () => calls++, get: () => calls++, configurable: true };
  const names = ["trapped", "0", "cause", "stack"];
  for (const name of names) Object.defineProperty(Object.prototype, name, trap);
  let object, array, sparse, map;
  try {
    object = decode(
      value(
        'o"',
        9,
        "__proto__",
        "o",
        '"',
        1,
        "x",
        "0{",
        1,
        '"',
        7,
        "trapped",
        "I",
        2,
        "I",
        0,
        "T{",
        3,
      ),
    );
    array = decode(value("A", 1, "T", '"', 7, "trapped", "F$", 1, 1));
    sparse = decode(value("a", 1, "I", 0, "T@", 1, 1));
    map = decode(value(";", '"', 9, "__proto__", "0:", 2));
    decode(value('rs"', 1, "s", 'c"', 1, "c", "."));
  } finally {
    for (const name of names) delete Object.prototype[name];
  }
  assert.equal(calls, 0);
  assert.deepEqual(Object.keys(object), ["0", "__proto__", "trapped"]);
  assert.deepEqual(
    [object.trapped, object[0], Object.getPrototypeOf(object)],
    [1, true, Object.prototype],
  );
  assert.deepEqual([array[0], array.trapped, sparse[0]], [true, false, true]);
  assert.equal(map.get("__proto__"), null);
  assert.equal({}.x, undefined);
});

test("a setter on Object.prototype that an encoder passes by", () => {
  Object.defineProperty(Object.prototype, "inherited", {
    value: 1,
    enumerable: true,
    configurable: true,
  });
  try {
    assert.deepEqual(Object.keys(decode(encode({ own: 1 }))), ["own"]);
  } finally {
    delete Object.prototype.inherited;
  }
});
