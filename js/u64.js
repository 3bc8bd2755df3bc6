"use strict";

const { rangeError, typeError } = require("./errors.js");

const MAX = 2n ** 64n - 1n;

/** Whether a value has the mark of {@link KvU64}, of this class alone. */
let isOurs;

/** A 64-bit unsigned integer, which `sum`, `min` and `max` work on. */
class KvU64 {
  #isU64 = true;

  /**
   * @param {bigint} value 0 to 2^64 - 1
   * @throws {TypeError | RangeError} INVALID_ARGUMENT
   */
  constructor(value) {
    this.value = checkU64(value);
    Object.freeze(this);
  }

  valueOf() {
    return this.value;
  }

  toString() {
    return this.value.toString();
  }

  get [Symbol.toStringTag]() {
    return "KvU64";
  }

  static {
    isOurs = (value) => #isU64 in value;
  }
}

const DenoKvU64 = globalThis.Deno?.KvU64;

/** Whether `value` is a KvU64, of ours or of Deno's own. */
function isU64(value) {
  if (typeof value !== "object" || value === null) return false;
  return isOurs(value) || (DenoKvU64 !== undefined && value instanceof DenoKvU64);
}

/** @returns {bigint} `value`, if it is a bigint of 0 to 2^64 - 1 */
function checkU64(value) {
  if (typeof value !== "bigint") {
    throw typeError("INVALID_ARGUMENT", `Value must be a bigint: received ${typeof value}`);
  }
  if (value < 0n) {
    throw rangeError("INVALID_ARGUMENT", `Value must be a positive bigint: received ${value}`);
  }
  if (value > MAX) {
    throw rangeError("INVALID_ARGUMENT", "Value must fit in a 64-bit unsigned integer");
  }
  return value;
}

module.exports = { KvU64, isU64, checkU64 };
