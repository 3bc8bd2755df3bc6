"use strict";

const { types } = require("node:util");
const codec = require("./codec/index.js");
const { viewedPart } = require("./codec/slots.js");
const { KvError, typeError } = require("./errors.js");
const { KvU64, isU64 } = require("./u64.js");

/** The encodings of a stored value, as Deno numbers them. */
const V8 = 1;
const U64 = 2;
const BYTES = 3;

/** Bytes in front of each packed value: its encoding, and its length (little-endian). */
const HEADER = 5;

/** Turns values into what is stored and back. */
class ValueFormat {
  /** The caller's own encoder and decoder, if given. */
  #encodeV8;
  #decodeV8;

  /** @param {{ encodeV8?: (value: unknown) => Uint8Array, decodeV8?: (bytes: Uint8Array) => unknown }} options */
  constructor({ encodeV8, decodeV8 } = {}) {
    this.#encodeV8 = encodeV8;
    this.#decodeV8 = decodeV8;
  }

  /** Bytes that stay as they are while values are decoded: a caller's decoder may read the store. */
  stable(packed) {
    return this.#decodeV8 === undefined ? packed : packed.slice();
  }

  /**
   * @returns {{ encoding: number, bytes: Uint8Array }} taken now: later changes of `value` change nothing
   * @throws {TypeError} NOT_CLONEABLE
   */
  encode(value) {
    if (typeof value === "object" && value !== null) {
      if (types.isUint8Array(value)) return { encoding: BYTES, bytes: ownBytes(value) };
      if (isU64(value)) {
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigUint64(0, value.value, true);
        return { encoding: U64, bytes };
      }
    }
    const bytes =
      this.#encodeV8 === undefined ? codec.encodeOnSlab(value) : this.#encodeForeign(value);
    return { encoding: V8, bytes };
  }

  #encodeForeign(value) {
    const bytes = this.#encodeV8(value);
    if (types.isUint8Array(bytes)) return ownBytes(bytes);
    throw typeError("INVALID_ARGUMENT", "encodeV8 must give a Uint8Array");
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
        return this.#decodeV8 === undefined
          ? codec.decode(packed, start, end)
          : this.#decodeForeign(packed.slice(start, end));
      case U64:
        if (end - start !== 8) throw corrupt("a 64-bit integer of another size");
        return new KvU64(
          new DataView(packed.buffer, packed.byteOffset + start).getBigUint64(0, true),
        );
      case BYTES:
        return packed.slice(start, end);
      default:
        throw corrupt("an unknown encoding");
    }
  }

  #decodeForeign(bytes) {
    try {
      return this.#decodeV8(bytes);
    } catch (cause) {
      throw corrupt("decodeV8 threw", cause);
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

function ownBytes(view) {
  const part = viewedPart(view);
  if (part === null) throw typeError("NOT_CLONEABLE", "a detached Uint8Array cannot be stored");
  if (types.isSharedArrayBuffer(part.buffer)) {
    throw typeError("NOT_CLONEABLE", "a Uint8Array on shared memory cannot be stored");
  }
  return new Uint8Array(view);
}

function corrupt(what, cause) {
  return new KvError("CORRUPT_VALUE", `the stored value does not decode: ${what}`, { cause });
}

module.exports = { ValueFormat, nextPacked };
