"use strict";

const assert = require("node:assert/strict");
const { KvU64 } = require("../../index.js");
const { COMMIT_STAMP, ModelKv } = require("./model.js");
const { collect } = require("./stores.js");

/** A versionstamp that no commit of a test is given. */
const OTHER = "0fffffffffffffff0000";

/**
 * Runs operations (see operations.js) on a store and on the model, and compares all they answer.
 * The store is asked without waiting for what was asked before, so it has to keep the order itself.
 */
class Duel {
  #kv;
  #clock;
  #model = new ModelKv();
  /** Of the commits that have settled, both ways. */
  #toModel = new Map();
  #toStore = new Map();
  /** What the model held when all had settled last. */
  #seen = new Map();
  #started = [];

  /** @param {{ ms: number }} clock what the store takes for its time */
  constructor(kv, clock) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /** Goes on with another handle on the same store. */
  set kv(kv) {
    this.#kv = kv;
  }

  start(operation) {
    if (operation.type === "advance") {
      this.#clock.ms += operation.ms;
      return;
    }
    const [answer, expected] = this[operation.type](operation);
    // Looked at in `settle`, where all that was started is there.
    answer.catch(() => {});
    this.#started.push({ operation, answer, expected });
  }

  /** Waits for all that was started and compares it. */
  async settle() {
    const started = this.#started;
    this.#started = [];
    const answers = await Promise.allSettled(started.map(({ answer }) => answer));
    let last = [...this.#toModel.keys()].at(-1) ?? "";
    answers.forEach(({ value }, index) => {
      const { operation, expected } = started[index];
      if (operation.type !== "commit" || !value?.ok) return;
      assert.ok(value.versionstamp > last, `${value.versionstamp} does not rise above ${last}`);
      last = value.versionstamp;
      this.#toModel.set(last, expected.versionstamp);
      this.#toStore.set(expected.versionstamp, last);
    });
    answers.forEach(({ status, value, reason }, index) => {
      const { operation, expected } = started[index];
      // It goes on in chunks, so it may count what later operations leave that has expired by its time.
      if (operation.type === "sweep" && started.length > 1) return;
      const actual =
        status === "fulfilled" ? this.#translate(value) : { error: reason.code ?? reason };
      assert.deepEqual(actual, expected, `${index} of ${started.length}: ${show(operation)}`);
    });
    this.#seen = new Map(
      this.#model
        .list({ prefix: [] }, {}, -Infinity)
        .map((row) => [show(row.key), row.versionstamp]),
    );
  }

  commit({ checks, mutations }) {
    const checksOfModel = checks.map(({ key, expects }) => ({
      key,
      versionstamp:
        expects === "absent"
          ? null
          : expects === "other"
            ? OTHER
            : (this.#seen.get(show(key)) ?? null),
    }));
    const op = this.#kv.atomic();
    for (const { key, versionstamp } of checksOfModel) {
      op.check({ key, versionstamp: this.#toStore.get(versionstamp) ?? versionstamp });
    }
    for (const { type, key, value, expireIn } of mutations) {
      const full = key.map((part) =>
        part === COMMIT_STAMP ? this.#kv.commitVersionstamp() : part,
      );
      if (type === "delete") op.delete(full);
      else if (type !== "set") op[type](full, value);
      else op.set(full, typeof value === "bigint" ? new KvU64(value) : value, { expireIn });
    }
    return [op.commit(), this.#model.commit(checksOfModel, mutations, this.#clock.ms)];
  }

  get({ key }) {
    return [this.#kv.get(key), this.#point(key)];
  }

  getMany({ keys }) {
    return [this.#kv.getMany(keys), keys.map((key) => this.#point(key))];
  }

  list({ selector, options }) {
    return [
      collect(this.#kv.list(selector, options)),
      this.#model.list(selector, options, this.#clock.ms).map(entry),
    ];
  }

  sweep() {
    return [this.#kv.sweepExpired(), this.#model.sweep(this.#clock.ms)];
  }

  #point(key) {
    const row = this.#model.get(key, this.#clock.ms);
    return row === undefined ? { key, value: null, versionstamp: null } : entry(row);
  }

  /** What the store answered, in the model's terms. */
  #translate(answer) {
    if (Array.isArray(answer)) return answer.map((each) => this.#translate(each));
    if (typeof answer !== "object") return answer;
    if (answer.ok === false) return { failedChecks: answer.failedChecks };
    const stamp = (text) => this.#toModel.get(text) ?? text;
    if (answer.ok === true) return { versionstamp: stamp(answer.versionstamp) };
    return {
      key: answer.key.map(stamp),
      value: answer.value instanceof KvU64 ? answer.value.value : answer.value,
      versionstamp: stamp(answer.versionstamp),
    };
  }
}

function entry({ key, value, versionstamp }) {
  return { key, value, versionstamp };
}

function show(operation) {
  return JSON.stringify(operation, (_name, value) =>
    typeof value === "bigint" ? `${value}n` : typeof value === "symbol" ? String(value) : value,
  );
}

module.exports = { Duel };
