"use strict";

// The order of keys, decided on their parts. The product decides it on encoded bytes; the two share
// nothing.

/** Deno's documentation has numbers before bigints; its files, and so ours, have them after. */
const KINDS = ["bytes", "string", "bigint", "number", "boolean"];

/** -1, 0 or 1. Part by part; a key sorts before its extensions. */
function compareKeys(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i], b[i]);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareParts(a, b) {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return Math.sign(KINDS.indexOf(kind) - KINDS.indexOf(kindOf(b)));
  if (kind === "bytes") return Buffer.compare(a, b);
  // As UTF-8, which differs from JavaScript's order of UTF-16 units above U+D7FF.
  if (kind === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (kind === "number") return compareNumbers(a, b);
  return Number(a > b) - Number(a < b);
}

/** Numerically, but -0 is below 0 and NaN above all others. */
function compareNumbers(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  if (a === 0 && b === 0) return Number(Object.is(b, -0)) - Number(Object.is(a, -0));
  return Number(a > b) - Number(a < b);
}

function kindOf(part) {
  return part instanceof Uint8Array ? "bytes" : typeof part;
}

/** Whether `key` extends `prefix`; the prefix itself does not. */
function isUnder(key, prefix) {
  return key.length > prefix.length && compareKeys(key.slice(0, prefix.length), prefix) === 0;
}

module.exports = { compareKeys, isUnder };
