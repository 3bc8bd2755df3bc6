"use strict";

const fc = require("fast-check");

/** Long enough to span pages of the file; a key may have 2048 bytes. */
const LONG = 300;

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 5 }),
  fc.array(fc.constantFrom(0, 1, 254, 255), { maxLength: 6 }).map((it) => Uint8Array.from(it)),
);

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom("\0", "\x01", "a", "\xff"), maxLength: 5 }),
  },
  // On both sides of the surrogates, where UTF-8 and UTF-16 order differently.
  fc.string({
    unit: fc.constantFrom("\0", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"),
    maxLength: 4,
  }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: fc.constantFrom("\0", "z", "😀"), minLength: LONG / 4, maxLength: LONG / 4 }),
);

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(NaN, -0, 0, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE),
);

/** Both signs, magnitudes of 1 to 255 bytes, and often the edges of a length. */
const bigint = fc
  .record({
    length: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 255 })),
    offset: fc.oneof(fc.constantFrom(0n, 1n), fc.bigInt({ min: 0n, max: 2n ** 2040n })),
    negative: fc.boolean(),
  })
  .map(({ length, offset, negative }) => {
    const largest = 2n ** BigInt(8 * length) - 1n;
    const magnitude = largest - (offset % (largest + 1n));
    return negative ? -magnitude : magnitude;
  });

/** A key part of any type, often next to another in order. */
const part = fc.oneof(bytes, text, number, bigint, fc.boolean());

/** @returns an arbitrary key of all types of parts */
function anyKey({ minLength = 1, maxLength = 3 } = {}) {
  return fc.array(part, { minLength, maxLength });
}

module.exports = { anyKey, anyPart: part };
