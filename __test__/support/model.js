"use strict";

const { compareKeys, isUnder } = require("./key-order.js");

/** Stands for the versionstamp of the commit, as the last part of a key to set. */
const COMMIT_STAMP = Symbol("commit stamp");

/** How the model writes the versionstamp of its n-th commit. */
function stamp(n) {
  return `${n.toString(16).padStart(16, "0")}0000`;
}

/**
 * What a store means, as plainly as it can be said: a list of rows in order. A KvU64 is a bigint;
 * other values are no bigints. `now` is in milliseconds since 1970.
 */
class ModelKv {
  /** `{ key, value, versionstamp, expiresAt }` by key. */
  #rows = [];
  #commits = 0;

  get(key, now) {
    return live(find(this.#rows, key), now);
  }

  list({ prefix, start, end }, { reverse = false, limit = Infinity } = {}, now) {
    const inside = ({ key }) =>
      (prefix === undefined || isUnder(key, prefix)) &&
      (start === undefined || compareKeys(key, start) >= 0) &&
      (end === undefined || compareKeys(key, end) < 0);
    const rows = this.#rows.filter((row) => live(row, now) && inside(row));
    return (reverse ? rows.reverse() : rows).slice(0, limit);
  }

  /** @returns {{ versionstamp: string } | { failedChecks: number[] } | { error: "TYPE_MISMATCH" }} */
  commit(checks, mutations, now) {
    const holds = ({ key, versionstamp }) => versionstampOf(this.get(key, now)) === versionstamp;
    const failedChecks = [...checks.keys()].filter((index) => !holds(checks[index]));
    if (failedChecks.length > 0) return { failedChecks };

    const versionstamp = stamp(this.#commits + 1);
    let rows = this.#rows;
    for (const mutation of mutations) {
      const changed = change(rows, mutation, versionstamp, now);
      if (changed === undefined) return { error: "TYPE_MISMATCH" };
      rows = changed;
    }
    this.#rows = rows;
    this.#commits += 1;
    return { versionstamp };
  }

  /** @returns {number} how many rows had expired */
  sweep(now) {
    const left = this.#rows.filter((row) => live(row, now));
    const gone = this.#rows.length - left.length;
    this.#rows = left;
    return gone;
  }
}

/** The rows after a mutation, or undefined where it does not fit the stored value. */
function change(rows, { type, key, value, expireIn }, versionstamp, now) {
  if (type === "delete") return without(rows, key);
  if (type === "set") {
    const full = key.map((part) => (part === COMMIT_STAMP ? versionstamp : part));
    const expiresAt = expireIn === undefined ? Infinity : Math.max(now + expireIn, 0);
    return insert(rows, { key: full, value, versionstamp, expiresAt });
  }
  const old = live(find(rows, key), now);
  if (old === undefined) return insert(rows, { key, value, versionstamp, expiresAt: Infinity });
  if (typeof old.value !== "bigint") return undefined;
  const result = {
    sum: BigInt.asUintN(64, old.value + value),
    min: value < old.value ? value : old.value,
    max: value > old.value ? value : old.value,
  }[type];
  return insert(rows, { key, value: result, versionstamp, expiresAt: old.expiresAt });
}

function insert(rows, row) {
  return [...without(rows, row.key), row].sort((a, b) => compareKeys(a.key, b.key));
}

function without(rows, key) {
  return rows.filter((row) => compareKeys(row.key, key) !== 0);
}

function find(rows, key) {
  return rows.find((row) => compareKeys(row.key, key) === 0);
}

function live(row, now) {
  return row !== undefined && now < row.expiresAt ? row : undefined;
}

function versionstampOf(row) {
  return row === undefined ? null : row.versionstamp;
}

module.exports = { ModelKv, COMMIT_STAMP };
