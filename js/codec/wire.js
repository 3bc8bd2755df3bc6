"use strict";

// The vocabulary of V8's structured-clone wire format. docs/design.md draws it byte by byte.

/** What `encode` writes: the newest version that every runtime's own reader takes. */
const WRITTEN_VERSION = 15;

/**
 * What `decode` reads. 14 added the flags of a view; 15 a tag for shared objects, which a store never
 * holds; 16 lengths and offsets of buffers past 32 bits.
 */
const OLDEST_VERSION = 13;
const VIEW_FLAGS_SINCE = 14;
const LONG_SIZES_SINCE = 16;
const NEWEST_VERSION = 16;

/**
 * Address space that the resizable buffers of one value may reserve (bytes). It is no memory until
 * it is used, yet a process has only so much of it.
 */
const MAX_RESERVED = 2 ** 32 - 1;

const code = (character) => character.charCodeAt(0);

const TAG = Object.freeze({
  VERSION: 0xff,
  PADDING: 0x00,
  UNDEFINED: code("_"),
  NULL: code("0"),
  TRUE: code("T"),
  FALSE: code("F"),
  INT32: code("I"),
  UINT32: code("U"),
  DOUBLE: code("N"),
  BIGINT: code("Z"),
  ONE_BYTE_STRING: code('"'),
  TWO_BYTE_STRING: code("c"),
  UTF8_STRING: code("S"),
  REFERENCE: code("^"),
  OBJECT: code("o"),
  END_OBJECT: code("{"),
  DENSE_ARRAY: code("A"),
  END_DENSE_ARRAY: code("$"),
  HOLE: code("-"),
  SPARSE_ARRAY: code("a"),
  END_SPARSE_ARRAY: code("@"),
  MAP: code(";"),
  END_MAP: code(":"),
  SET: code("'"),
  END_SET: code(","),
  DATE: code("D"),
  REGEXP: code("R"),
  TRUE_OBJECT: code("y"),
  FALSE_OBJECT: code("x"),
  NUMBER_OBJECT: code("n"),
  BIGINT_OBJECT: code("z"),
  STRING_OBJECT: code("s"),
  BUFFER: code("B"),
  RESIZABLE_BUFFER: code("~"),
  VIEW: code("V"),
  ERROR: code("r"),
  HOST_OBJECT: code("\\"),
});

/** What may follow TAG.ERROR: at most one name, then these, up to END. */
const ERROR_PART = Object.freeze({
  MESSAGE: code("m"),
  STACK: code("s"),
  CAUSE: code("c"),
  END: code("."),
});

/** Error names with a tag of their own; every other error is written, and comes back, as `Error`. */
const ERROR_NAME_TAGS = new Map([
  ["EvalError", code("E")],
  ["RangeError", code("R")],
  ["ReferenceError", code("F")],
  ["SyntaxError", code("S")],
  ["TypeError", code("T")],
  ["URIError", code("U")],
]);

/** The kinds of view. */
const VIEW_TAGS = new Map([
  ["Int8Array", code("b")],
  ["Uint8Array", code("B")],
  ["Uint8ClampedArray", code("C")],
  ["Int16Array", code("w")],
  ["Uint16Array", code("W")],
  ["Int32Array", code("d")],
  ["Uint32Array", code("D")],
  ["Float16Array", code("h")],
  ["Float32Array", code("f")],
  ["Float64Array", code("F")],
  ["BigInt64Array", code("q")],
  ["BigUint64Array", code("Q")],
  ["DataView", code("?")],
]);

/** The kinds that Node writes as host objects, by their numbers; 10 is its Buffer. */
const NODE_VIEW_KINDS = Object.freeze([
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "DataView",
  "Uint8Array",
  "BigInt64Array",
  "BigUint64Array",
  "Float16Array",
]);

/** Bits of a view's flags. Every view of a resizable buffer bears the second. */
const VIEW_FLAG = Object.freeze({ LENGTH_TRACKING: 1, RESIZABLE: 2 });

/** The bit of each RegExp flag; 64 is an experiment of V8's that no RegExp literal can ask for. */
const REGEXP_FLAGS = Object.freeze([
  { name: "global", letter: "g", bit: 1 },
  { name: "ignoreCase", letter: "i", bit: 2 },
  { name: "multiline", letter: "m", bit: 4 },
  { name: "sticky", letter: "y", bit: 8 },
  { name: "unicode", letter: "u", bit: 16 },
  { name: "dotAll", letter: "s", bit: 32 },
  { name: "hasIndices", letter: "d", bit: 128 },
  { name: "unicodeSets", letter: "v", bit: 256 },
]);

module.exports = {
  WRITTEN_VERSION,
  OLDEST_VERSION,
  VIEW_FLAGS_SINCE,
  LONG_SIZES_SINCE,
  NEWEST_VERSION,
  MAX_RESERVED,
  TAG,
  ERROR_PART,
  ERROR_NAME_TAGS,
  VIEW_TAGS,
  NODE_VIEW_KINDS,
  VIEW_FLAG,
  REGEXP_FLAGS,
};
