"use strict";

/** Stands for the versionstamp of the commit that writes it, as the last part of a key to set. */
const COMMIT_VERSIONSTAMP = Symbol("KvCommitVersionstamp");

/** Whether `key` ends in {@link COMMIT_VERSIONSTAMP}. */
function endsInVersionstamp(key) {
  return Array.isArray(key) && key[key.length - 1] === COMMIT_VERSIONSTAMP;
}

/**
 * A copy as a read would give it back: later changes of the caller's array do not reach it. What
 * is no array is left to whoever encodes it.
 */
function copyKey(key) {
  if (!Array.isArray(key)) return key;
  const copy = [...key];
  for (let index = 0; index < copy.length; index += 1) {
    if (ArrayBuffer.isView(copy[index])) copy[index] = bytesOf(copy[index]);
  }
  return copy;
}

function bytesOf({ buffer, byteOffset, byteLength }) {
  // A detached view has no bytes, and its buffer takes no view any more.
  return byteLength === 0
    ? new Uint8Array()
    : new Uint8Array(buffer, byteOffset, byteLength).slice();
}

module.exports = { COMMIT_VERSIONSTAMP, endsInVersionstamp, copyKey };
