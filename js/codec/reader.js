"use strict";

const { Buffer } = require("node:buffer");
const { KvError } = require("../errors");
const { TAG } = require("./wire");

/** Up to here loops beat a call into the runtime (bytes). */
const SHORT_STRING = 16;
/** Keys up to this length are remembered, in a table of this many places. */
const SHORT_KEY = 24;
const KEY_PLACES = 512;

/** Eight bytes seen as a double of the host's byte order: so V8 writes them. */
const float64 = new Float64Array(1);
const eightBytes = new Uint8Array(float64.buffer);

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const { fromCharCode } = String;

/** Objects that are stored together share their keys; to find a key again is cheaper than to make it. */
const keys = new Array(KEY_PLACES).fill("");

/** The error for bytes that no writer of the format leaves. */
function corrupt(what, fields) {
  return new KvError("CORRUPT_VALUE", `the stored value does not decode: ${what}`, fields);
}

/** Takes a value's bytes apart, front to back. Every length is checked before anything is made for it. */
class Reader {
  #bytes;
  #position;
  #end;
  /** The same memory as a Buffer, made when a long string needs it. */
  #text = null;

  /**
   * @param {Uint8Array} bytes
   * @param {number} start where the value begins in them
   * @param {number} end what lies from here on is not its own
   */
  constructor(bytes, start, end) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = end;
  }

  get remaining() {
    return this.#end - this.#position;
  }

  byte() {
    const position = this.#position;
    if (position >= this.#end) throw corrupt("it ends too early");
    this.#position = position + 1;
    return this.#bytes[position];
  }

  /** The next tag; padding may precede it. */
  tag() {
    let tag = this.byte();
    while (tag === TAG.PADDING) tag = this.byte();
    return tag;
  }

  /** Takes the next tag if it is the one given. */
  takeTag(tag) {
    const bytes = this.#bytes;
    let position = this.#position;
    while (position < this.#end && bytes[position] === TAG.PADDING) position++;
    if (position === this.#end || bytes[position] !== tag) return false;
    this.#position = position + 1;
    return true;
  }

  /** 0 .. 2^32 - 1. */
  varint() {
    const byte = this.byte();
    return byte < 0x80 ? byte : this.#longVarint(byte, 2 ** 32);
  }

  /** A length or offset of version 16: 0 .. 2^53 - 1. */
  size() {
    const byte = this.byte();
    return byte < 0x80 ? byte : this.#longVarint(byte, 2 ** 53);
  }

  int32() {
    const zigzag = this.varint();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  double() {
    const start = this.#take(8);
    for (let i = 0; i < 8; i++) eightBytes[i] = this.#bytes[start + i];
    return float64[0];
  }

  bigint() {
    const bitfield = this.varint();
    const length = bitfield >>> 1;
    const isNegative = (bitfield & 1) === 1;
    if (length === 0) {
      if (isNegative) throw corrupt("there is no negative zero bigint");
      return 0n;
    }
    const start = this.#take(length);
    let hex = "0x";
    for (let i = start + length - 1; i >= start; i--) hex += HEX[this.#bytes[i]];
    return isNegative ? -BigInt(hex) : BigInt(hex);
  }

  /** A copy of the next bytes, in a buffer of its own. */
  copy(length) {
    const start = this.#take(length);
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(start, start + length));
    return copy;
  }

  oneByteString() {
    const length = this.varint();
    const start = this.#take(length);
    return length > SHORT_STRING
      ? this.#decode("latin1", start, length)
      : this.#shortOneByteString(start, length);
  }

  twoByteString() {
    const length = this.varint();
    if (length % 2 === 1) throw corrupt("a string has half a code unit");
    const start = this.#take(length);
    if (length > SHORT_STRING) return this.#decode("utf16le", start, length);
    let text = "";
    for (let i = start; i < start + length; i += 2) {
      text += fromCharCode(this.#bytes[i] | (this.#bytes[i + 1] << 8));
    }
    return text;
  }

  utf8String() {
    const length = this.varint();
    return this.#decode("utf8", this.#take(length), length);
  }

  /** A one-byte string that is a property key. */
  oneByteKey() {
    const length = this.varint();
    const start = this.#take(length);
    if (length === 0) return "";
    if (length > SHORT_KEY) return this.#decode("latin1", start, length);
    const bytes = this.#bytes;
    const hash =
      (bytes[start] * 31 + bytes[start + length - 1]) * 31 + bytes[start + (length >> 1)] + length;
    const place = hash % KEY_PLACES;
    const known = keys[place];
    if (this.#isText(known, start, length)) return known;
    return (keys[place] = this.#shortOneByteString(start, length));
  }

  #isText(text, start, length) {
    if (text.length !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
    return true;
  }

  #shortOneByteString(start, length) {
    const bytes = this.#bytes;
    const end = start + length;
    let text = "";
    let i = start;
    for (; i + 4 <= end; i += 4) {
      text += fromCharCode(bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]);
    }
    for (; i < end; i++) text += fromCharCode(bytes[i]);
    return text;
  }

  #decode(encoding, start, length) {
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#text ??= Buffer.from(buffer, byteOffset, byteLength);
    return this.#text.toString(encoding, start, start + length);
  }

  /** Where the next `length` bytes begin; passes over them. */
  #take(length) {
    const start = this.#position;
    if (length > this.#end - start) throw corrupt("a length goes beyond its end");
    this.#position = start + length;
    return start;
  }

  #longVarint(first, limit) {
    let value = first & 0x7f;
    for (let factor = 0x80; factor < limit; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80 && value < limit) return value;
    }
    throw corrupt("a number is too large");
  }
}

module.exports = { Reader, corrupt };
