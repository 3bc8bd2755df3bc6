"use strict";

/** The largest index; a key that is a greater number is a name like any other. */
const MAX_INDEX = 2 ** 32 - 2;

/** Whether a property key is an index: an object's indices come before its names, in order. */
function isIndex(key) {
  const first = key.charCodeAt(0);
  if (!(first >= 0x30 && first <= 0x39)) return false;
  const index = Number(key);
  return index <= MAX_INDEX && String(index) === key;
}

module.exports = { isIndex };
