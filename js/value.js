"use strict";

const codec = require("./codec/index.js");
const { KvError, typeError } = require("./errors.js");
const { KvU64 } = require("./u64.js");

/** The encodings of a stored value, as Deno numbers them. */
const V8 = 1;
const U64 = 2;
const BYTES = 3;

/** Bytes in front of each packed value: its encoding, and its length (little-endian). */
const HEADER = 5;

/** Turns values into what is stored and back. */
class ValueFormat {
  #encodeV8;
  #decodeV8;

  /** @param {{ encodeV8?: (value: unknown) => Uint8Array, decodeV8?: (bytes: Uint8Array) => unknown }} options */
  constructor({ encodeV8 = codec.encode, decodeV8 } = {}) {
    this.#encodeV8 = encodeV8;
    // A stranger's function gets bytes of its own, ours reads them where they lie.
    this.#decodeV8 = decodeV8 === undefined ? codec.decode : (bytes) => decodeV8(bytes.slice());
  }

  /**
   * @returns {{ encoding: number, bytes: Uint8Array }} taken now: later changes of `value` change nothing
   * @throws {TypeError} NOT_CLONEABLE
   */
  encode(value) {
    if (typeof value === "object" && value !== null) {
      if (isUint8Array(value)) return { encoding: BYTES, bytes: ownBytes(value) };
      if (KvU64.is(value)) {
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigUint64(0, value.value, true);
        return { encoding: U64, bytes };
      }
    }
    return { encoding: V8, bytes: this.#encodeV8(value) };
  }

  /**
   * Reads the packed value at `at`.
   * @throws {KvError} CORRUPT_VALUE
   */
  decode(packed, at) {
    const start = at + HEADER;
    const end = start + packedLength(packed, at);
    switch (packed[at]) {
      case V8:
        return this.#decodeV8(packed.subarray(start, end));
      case U64:
        if (end - start !== 8) throw corrupt("a 64-bit integer of another size");
        return new KvU64(new DataView(packed.buffer, packed.byteOffset + start).getBigUint64(0, true));
      case BYTES:
        return packed.slice(start, end);
      default:
        throw corrupt("an unknown encoding");
    }
  }
}

/** Where the packed value after the one at `at` begins. */
function nextPacked(packed, at) {
  return at + HEADER + packedLength(packed, at);
}

function packedLength(packed, at) {
  return (
    (packed[at + 1] | (packed[at + 2] << 8) | (packed[at + 3] << 16) | (packed[at + 4] << 24)) >>> 0
  );
}

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;

/** By its internal slot, so of any realm; a Buffer is one. */
function isUint8Array(value) {
  return typedArrayTag.call(value) === "Uint8Array";
}

function ownBytes(view) {
  if (typeof SharedArrayBuffer === "function" && view.buffer instanceof SharedArrayBuffer) {
    throw typeError("NOT_CLONEABLE", "a Uint8Array on shared memory cannot be stored");
  }
  return new Uint8Array(view);
}

function corrupt(what) {
  return new KvError("CORRUPT_VALUE", `the stored value does not decode: ${what}`);
}

module.exports = { ValueFormat, nextPacked };
