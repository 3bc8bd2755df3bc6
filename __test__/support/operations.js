"use strict";

const fc = require("fast-check");
const { COMMIT_STAMP } = require("./model.js");

// Operations on few keys, as data, so that they meet each other often. Duel runs them.

const KEYS = [["a"], ["b"], ["b", 1], ["b", 2], ["c", "x"]];

const key = fc.constantFrom(...KEYS);
const u64 = fc.constantFrom(0n, 1n, 5n, 2n ** 63n, 2n ** 64n - 1n);
const expireIn = fc.option(fc.constantFrom(0, 1, 10, 30), { nil: undefined });

const mutation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("set"), key, value: fc.nat(99), expireIn }),
  },
  fc.record({ type: fc.constant("set"), key, value: u64, expireIn }),
  fc.record({
    type: fc.constant("set"),
    key: fc.constantFrom(["log", COMMIT_STAMP], ["b", COMMIT_STAMP]),
    value: fc.nat(99),
    expireIn,
  }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete"), key }) },
  fc.record({ type: fc.constantFrom("sum", "min", "max"), key, value: u64 }),
);

/** `expects` is what the check asserts; "seen" is what was there when all had settled last. */
const check = fc.record({ key, expects: fc.constantFrom("absent", "seen", "seen", "other") });

const selector = fc.constantFrom(
  { prefix: [] },
  { prefix: ["b"] },
  { prefix: ["log"] },
  { prefix: ["b"], start: ["b", 2] },
  { prefix: ["b"], end: ["b", 2] },
  { start: ["a"], end: ["b", 1] },
  { start: ["b"], end: ["log", "8"] },
  { prefix: ["b"], start: ["b", 1], end: ["b", 2] },
);

const operations = {
  set: mutation.map((it) => ({ type: "commit", checks: [], mutations: [it] })),
  commit: fc.record({
    type: fc.constant("commit"),
    checks: fc.array(check, { maxLength: 2 }),
    mutations: fc.array(mutation, { maxLength: 4 }),
  }),
  get: fc.record({ type: fc.constant("get"), key }),
  getMany: fc.record({
    type: fc.constant("getMany"),
    keys: fc.array(key, { maxLength: 4 }),
  }),
  list: fc.record({
    type: fc.constant("list"),
    selector,
    options: fc.record({
      reverse: fc.boolean(),
      limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    }),
  }),
  advance: fc.record({ type: fc.constant("advance"), ms: fc.constantFrom(1, 9, 10, 30) }),
  sweep: fc.constant({ type: "sweep" }),
};

module.exports = { operations };
