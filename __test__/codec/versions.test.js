"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { decode } = require("../../js/codec");
const { readGolden } = require("./golden.js");

const bytes = (...parts) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "number" ? [part] : [...Buffer.from(part)])),
  );

test("version 16, as Deno 2.9 wrote it", async (t) => {
  const { corpus } = await import("./corpus.mjs");
  const golden = readGolden();
  assert.ok(golden.length >= 35);
  for (const { name, bytes } of golden) {
    await t.test(name, () => {
      assert.equal(bytes[1], 16);
      if (name === "Float16Array") return readsFloat16(bytes);
      assert.deepEqual(decode(bytes), corpus[name]());
    });
  }
});

function readsFloat16(bytes) {
  if (typeof Float16Array === "undefined") {
    assert.throws(() => decode(bytes), { code: "CORRUPT_VALUE", message: /Float16Array/ });
  } else {
    assert.deepEqual(decode(bytes), Float16Array.of(1.5, -0));
  }
}

test("version 16 may need more than 32 bits for a length", () => {
  const long = [0x82, 0x80, 0x80, 0x80, 0x80, 0x00];
  assert.deepEqual(decode(bytes(0xff, 16, "B", ...long, 7, 8)), Uint8Array.of(7, 8).buffer);
  assert.throws(() => decode(bytes(0xff, 15, "B", ...long, 7, 8)), { code: "CORRUPT_VALUE" });
});

test("a view has no flags before version 14", () => {
  const view = Uint16Array.of(1, 2);
  const body = ["B", 4, 1, 0, 2, 0, "V", "W", 0, 4];
  assert.deepEqual(decode(bytes(0xff, 13, ...body)), view);
  assert.deepEqual(decode(bytes(0xff, 14, ...body, 0)), view);
  assert.deepEqual(decode(bytes(0xff, 13, "A", 2, ...body, "T$", 0, 2)), [view, true]);
  assert.throws(() => decode(bytes(0xff, 14, ...body)), { code: "CORRUPT_VALUE" });
});

test("versions 13 and 14 are otherwise like 15", () => {
  const object = [
    "o",
    '"',
    1,
    "a",
    "A",
    2,
    "I",
    2,
    "-",
    "$",
    0,
    2,
    '"',
    1,
    "m",
    ";",
    "0",
    "T",
    ":",
    2,
    "{",
    2,
  ];
  for (const version of [13, 14, 15, 16]) {
    assert.deepEqual(decode(bytes(0xff, version, ...object)), {
      a: [1, ,],
      m: new Map([[null, true]]),
    });
  }
});

test("forms that other writers use", async (t) => {
  await t.test("UTF-8 strings, unsigned numbers, padding", () => {
    const input = bytes(
      0xff,
      15,
      "A",
      4,
      "S",
      3,
      "é!",
      0,
      0,
      "U",
      0xff,
      0x01,
      "c",
      0,
      "S",
      0,
      "$",
      0,
      4,
    );
    assert.deepEqual(decode(input), ["é!", 255, "", ""]);
    assert.equal(decode(bytes(0xff, 15, "S", 3, 0xef, 0xbb, 0xbf)), "\ufeff");
  });

  await t.test("an error with its cause before its stack, as V8 11 writes it", () => {
    const error = decode(bytes(0xff, 15, "rT", 'm"', 1, "x", "co{", 0, 's"', 1, "S", "."));
    assert.ok(error instanceof TypeError);
    assert.deepEqual([error.message, error.cause, error.stack], ["x", {}, "S"]);
  });

  await t.test("keys that are doubles", () => {
    const half = [...new Uint8Array(Float64Array.of(1.5).buffer)];
    assert.deepEqual(decode(bytes(0xff, 15, "oN", ...half, "T{", 1)), { 1.5: true });
  });

  await t.test("Node's host objects: a view as its kind and its bytes", () => {
    const [view, same] = decode(bytes(0xff, 15, "A", 2, "\\", 3, 4, 1, 0, 2, 0, "^", 1, "$", 0, 2));
    assert.deepEqual(view, Int16Array.of(1, 2));
    assert.equal(same, view);
    const buffer = decode(bytes(0xff, 15, "\\", 10, 2, 7, 8));
    assert.equal(Object.getPrototypeOf(buffer), Uint8Array.prototype);
  });
});
