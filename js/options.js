"use strict";

const { typeError } = require("./errors.js");
const { native } = require("./native.js");

/** Each option of `openKv` and `new Kv`, with the rule that its value keeps. */
const OPTIONS = {
  now: isFunction,
  durability: (value) => value === "full" || value === "normal",
  busyTimeoutMs: isWholeNumber,
  limits: isObject,
  encodeV8: isFunction,
  decodeV8: isFunction,
  debug: (value) => typeof value === "boolean",
};

/**
 * The options that were given, checked. An option given as undefined counts as not given.
 * @throws {TypeError} UNKNOWN_OPTION, INVALID_ARGUMENT, UNSUPPORTED
 */
function readOptions(options = {}) {
  if (!isObject(options)) throw typeError("INVALID_ARGUMENT", "options must be an object");
  const given = definedMembers(options);
  if (given.accessToken !== undefined) {
    throw typeError("UNSUPPORTED", "fencekv has no remote store yet: accessToken has no use");
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(OPTIONS, name)) throw unknown("option", name, OPTIONS);
    if (!OPTIONS[name](value))
      throw typeError("INVALID_ARGUMENT", `option ${name} has a wrong value`);
  }
  if ((given.encodeV8 === undefined) !== (given.decodeV8 === undefined)) {
    throw typeError("INVALID_ARGUMENT", "encodeV8 and decodeV8 must be given together");
  }
  return { ...given, limits: readLimits(given.limits) };
}

function readLimits(limits = {}) {
  const given = definedMembers(limits);
  if (Object.keys(given).length === 0) return given;
  const known = native().NativeStore.defaultLimits();
  for (const [name, limit] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) throw unknown("limit", name, known);
    if (!isWholeNumber(limit) && limit !== Infinity) {
      throw typeError(
        "INVALID_ARGUMENT",
        `limit ${name} must be a non-negative integer or Infinity`,
      );
    }
  }
  return given;
}

/**
 * @param {unknown} path
 * @returns {string} a file path, or ":memory:"
 * @throws {TypeError} INVALID_ARGUMENT, UNSUPPORTED
 */
function readPath(path = ":memory:") {
  if (typeof path !== "string" || path === "") {
    throw typeError("INVALID_ARGUMENT", "Filename cannot be empty, and must be a string");
  }
  if (/^https?:/i.test(path)) {
    throw typeError("UNSUPPORTED", "fencekv has no remote store yet: open a file path instead");
  }
  if (path !== ":memory:" && path.startsWith(":")) {
    throw typeError("INVALID_ARGUMENT", "Filename cannot start with ':' unless prefixed with './'");
  }
  if (path.includes("\0")) {
    throw typeError("INVALID_ARGUMENT", "Filename cannot contain a NUL character");
  }
  return path;
}

/** @throws {TypeError} INVALID_ARGUMENT */
function checkConsistency(consistency) {
  if (consistency == null || consistency === "strong" || consistency === "eventual") return;
  throw typeError("INVALID_ARGUMENT", 'consistency must be "strong" or "eventual"');
}

/** @throws {TypeError} INVALID_EXPIRY */
function checkExpireIn(expireIn) {
  if (expireIn === undefined) return;
  if (typeof expireIn !== "number" || !Number.isInteger(expireIn) || expireIn < 0) {
    throw typeError(
      "INVALID_EXPIRY",
      `expireIn must be a non-negative integer: received ${inWords(expireIn)}`,
    );
  }
}

function unknown(what, name, known) {
  const names = Object.keys(known).join(", ");
  return typeError("UNKNOWN_OPTION", `unknown ${what}: ${name} (known are ${names})`);
}

/** A value of a wrong kind, for a message: what is no primitive may not want to be a string. */
function inWords(value) {
  return typeof value === "object" || typeof value === "function" ? typeof value : String(value);
}

/**
 * @returns {number} `now` in whole milliseconds
 * @throws {TypeError} INVALID_ARGUMENT
 */
function checkNow(now) {
  if (Number.isFinite(now)) return Math.floor(now);
  throw typeError(
    "INVALID_ARGUMENT",
    `now must be a finite number of milliseconds: received ${inWords(now)}`,
  );
}

function definedMembers(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFunction(value) {
  return typeof value === "function";
}

function isWholeNumber(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

module.exports = { readOptions, readPath, checkConsistency, checkExpireIn, checkNow, inWords };
