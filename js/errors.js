"use strict";

/**
 * A failure of the storage. `code` is stable and stands in docs/errors.md with what the caller
 * should do; further fields depend on the code. The cause, where there is one, is `cause`.
 */
class KvError extends Error {
  /**
   * @param {string} code stable, upper case
   * @param {string} message one line
   * @param {{ cause?: unknown } & Record<string, unknown>} [fields]
   */
  constructor(code, message, { cause, ...fields } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
    this.code = code;
  }
}
Object.defineProperty(KvError.prototype, "name", {
  value: "KvError",
  configurable: true,
  writable: true,
});

/** Codes of misuse that the binding finds, which Deno answers with a TypeError. */
const MISUSE = new Set([
  "INVALID_KEY",
  "INVALID_VERSIONSTAMP",
  "INVALID_SELECTOR",
  "INVALID_CURSOR",
  "INVALID_EXPIRY",
  "LIMIT_EXCEEDED",
  "NOT_CLONEABLE",
  "TYPE_MISMATCH",
]);

/** Misuse that Deno answers with a TypeError: the same class, with a stable `code`. */
function typeError(code, message, fields) {
  return Object.assign(new TypeError(message), fields, { code });
}

/** Misuse that Deno answers with a RangeError: the same class, with a stable `code`. */
function rangeError(code, message, fields) {
  return Object.assign(new RangeError(message), fields, { code });
}

/**
 * The error for a failure of the binding.
 * @param {{ code: string, message: string, cause?: string }} failure further members become fields
 */
function fromFailure({ code, message, cause, ...fields }) {
  if (MISUSE.has(code)) return typeError(code, message, fields);
  return new KvError(code, message, {
    ...fields,
    cause: cause === undefined ? undefined : new Error(cause),
  });
}

module.exports = { KvError, typeError, rangeError, fromFailure };
