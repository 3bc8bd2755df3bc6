"use strict";

const { rangeError } = require("../errors");

/**
 * How many objects may stand inside each other, the outermost counted. Both ways recurse: this deep
 * they use about half of Node's default stack (984 KB) before the engine has optimized them, and
 * less after, so a caller may itself stand deep.
 */
const MAX_DEPTH = 1000;

/** The error for a value nested deeper, or too deep for what is left of the stack (the cause). */
function nestingTooDeep(cause) {
  return rangeError("NESTING_TOO_DEEP", `objects are nested deeper than ${MAX_DEPTH}`, {
    max: MAX_DEPTH,
    ...(cause && { cause }),
  });
}

/** Whether an error says, in V8's or JavaScriptCore's words, that the stack is used up. */
function isStackExhausted(error) {
  return (
    error instanceof RangeError && error.message.startsWith("Maximum call stack size exceeded")
  );
}

module.exports = { MAX_DEPTH, nestingTooDeep, isStackExhausted };
