"use strict";

const { Buffer } = require("node:buffer");
const { onSlab } = require("./slab");
const { TAG, WRITTEN_VERSION } = require("./wire");

const HEADER_LENGTH = 2;
const FIRST_CAPACITY = 1024;
/** A larger scratch is dropped after use, so one big value does not hold memory for good (bytes). */
const KEPT_CAPACITY = 256 * 1024;
/** Up to here a loop beats a call into the runtime (UTF-16 code units; the length fits one byte). */
const SHORT_STRING = 32;
const BEYOND_LATIN1 = /[^\x00-\xff]/;

/** Eight bytes seen three ways, in the byte order of the host: so V8 writes them. */
const float64 = new Float64Array(1);
const uint64 = new BigUint64Array(float64.buffer);
const eightBytes = new Uint8Array(float64.buffer);

/** How many bytes `varint(value)` takes. */
function varintLength(value) {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) length++;
  return length;
}

const NOTHING = new Uint8Array(0);

/** The bytes of one value while they are written, header first: a scratch that grows as it must. */
class Writer {
  #scratch = NOTHING;
  /** The same memory as a Buffer, whose `write` copies long strings at the speed of memory. */
  #text;
  #position = HEADER_LENGTH;

  /** Begins anew. */
  reset() {
    if (this.#scratch.length > KEPT_CAPACITY) this.#scratch = NOTHING;
    this.#position = HEADER_LENGTH;
  }

  /** What was written, as a part of a larger ArrayBuffer where that is cheaper. */
  finishOnSlab() {
    const isFull = this.#position === this.#scratch.length;
    return isFull ? this.finish() : onSlab(this.#scratch, this.#position);
  }

  /** What was written, in an ArrayBuffer of its own and of its size. */
  finish() {
    const scratch = this.#scratch;
    if (this.#position < scratch.length) return scratch.slice(0, this.#position);
    this.#scratch = NOTHING;
    this.#text = undefined;
    return scratch;
  }

  byte(value) {
    this.#reserve(1);
    this.#scratch[this.#position++] = value;
  }

  /** `value`: 0 .. 2^32 - 1. */
  varint(value) {
    this.#reserve(5);
    this.#varint(value);
  }

  double(value) {
    float64[0] = value;
    this.#eightBytes();
  }

  /** Sign and length in bytes, then the magnitude in digits of 64 bits, the lowest first. */
  bigint(value) {
    const isNegative = value < 0n;
    const magnitude = isNegative ? -value : value;
    const hex = magnitude === 0n ? "" : magnitude.toString(16);
    this.varint(Math.ceil(hex.length / 16) * 16 + (isNegative ? 1 : 0));
    for (let end = hex.length; end > 0; end -= 16) {
      uint64[0] = BigInt(`0x${hex.slice(Math.max(0, end - 16), end)}`);
      this.#eightBytes();
    }
  }

  /** A number with its tag: an integer of 32 bits in few bytes, all others (-0 too) as a double. */
  number(value) {
    if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
      this.#reserve(6);
      this.#scratch[this.#position++] = TAG.INT32;
      this.#varint(((value << 1) ^ (value >> 31)) >>> 0);
    } else {
      this.byte(TAG.DOUBLE);
      this.double(value);
    }
  }

  /** A string with its tag. */
  string(text) {
    const length = text.length;
    if (length > SHORT_STRING) {
      if (BEYOND_LATIN1.test(text)) this.#twoByteString(text);
      else this.#longOneByteString(text);
      return;
    }
    this.#reserve(2 + length);
    const scratch = this.#scratch;
    const start = this.#position + 2;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0xff) {
        this.#twoByteString(text);
        return;
      }
      scratch[start + i] = unit;
    }
    scratch[start - 2] = TAG.ONE_BYTE_STRING;
    scratch[start - 1] = length;
    this.#position = start + length;
  }

  /** @param {Uint8Array} source */
  bytes(source) {
    this.#reserve(source.length);
    this.#scratch.set(source, this.#position);
    this.#position += source.length;
  }

  #longOneByteString(text) {
    const length = text.length;
    this.#reserveString(1 + varintLength(length) + length);
    this.#scratch[this.#position++] = TAG.ONE_BYTE_STRING;
    this.#varint(length);
    this.#text.write(text, this.#position, "latin1");
    this.#position += length;
  }

  /** Readers may want the code units at an even offset: padding comes before the tag. */
  #twoByteString(text) {
    const length = text.length * 2;
    const head = 1 + varintLength(length);
    const padding = (this.#position + head) % 2;
    this.#reserveString(padding + head + length);
    if (padding === 1) this.#scratch[this.#position++] = TAG.PADDING;
    this.#scratch[this.#position++] = TAG.TWO_BYTE_STRING;
    this.#varint(length);
    this.#text.write(text, this.#position, "utf16le");
    this.#position += length;
  }

  /** A long string right behind the header is the whole value: it is written where it stays. */
  #reserveString(length) {
    const total = HEADER_LENGTH + length;
    if (this.#position === HEADER_LENGTH && total > FIRST_CAPACITY) this.#allocate(total);
    else this.#reserve(length);
  }

  #eightBytes() {
    this.#reserve(8);
    const scratch = this.#scratch;
    const start = this.#position;
    for (let i = 0; i < 8; i++) scratch[start + i] = eightBytes[i];
    this.#position = start + 8;
  }

  #varint(value) {
    const scratch = this.#scratch;
    let position = this.#position;
    let rest = value;
    while (rest > 0x7f) {
      scratch[position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    scratch[position++] = rest;
    this.#position = position;
  }

  #reserve(length) {
    const needed = this.#position + length;
    if (needed > this.#scratch.length) this.#grow(needed);
  }

  #grow(needed) {
    const written = this.#scratch;
    this.#allocate(Math.max(needed, written.length * 2, FIRST_CAPACITY));
    this.#scratch.set(written);
  }

  #allocate(capacity) {
    // Of its own, unlike `allocUnsafe`, and not zeroed, unlike `new Uint8Array`.
    this.#text = Buffer.allocUnsafeSlow(capacity);
    this.#scratch = new Uint8Array(this.#text.buffer);
    this.#scratch[0] = TAG.VERSION;
    this.#scratch[1] = WRITTEN_VERSION;
  }
}

module.exports = { Writer };
