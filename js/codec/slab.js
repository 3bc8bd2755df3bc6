"use strict";

/** Values of up to a share of a slab lie on one; larger ones get a buffer of their own (bytes). */
const SLAB = 64 * 1024;
const SHARE = SLAB / 8;

let slab = new ArrayBuffer(SLAB);
let used = 0;

/**
 * A copy of the first `length` bytes of `scratch`, for those who only hand it on: buffers of their
 * own cost more than the bytes. A slab is freed when its last value is.
 *
 * @param {Uint8Array} scratch
 * @param {number} length bytes
 */
function onSlab(scratch, length) {
  if (length > SHARE) return scratch.slice(0, length);
  if (used + length > SLAB) {
    slab = new ArrayBuffer(SLAB);
    used = 0;
  }
  const copy = new Uint8Array(slab, used, length);
  copy.set(scratch.subarray(0, length));
  used += length;
  return copy;
}

module.exports = { onSlab };
