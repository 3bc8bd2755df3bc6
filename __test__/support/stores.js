"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { describe } = require("node:test");
const { setTimeout } = require("node:timers/promises");
const { Kv, openKv } = require("../../index.js");

/** Milliseconds in which a handle that was closed lets go of its file. */
const BOUND = 10_000;

/** @returns {string} an empty folder that lives as long as the test */
function temporaryFolder(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** @returns {string} where a file may be made that lives as long as the test */
function temporaryFile(t) {
  return path.join(temporaryFolder(t), "app.db");
}

/** A handle on `file` that is closed, with nothing pending, before the test's folders go. */
async function openFile(t, file, options) {
  const kv = await openKv(file, options);
  t.after(() => kv[Symbol.asyncDispose]());
  return kv;
}

const KINDS = {
  "in memory": async (t, options) => {
    const kv = new Kv(":memory:", options);
    t.after(() => kv.close());
    return kv;
  },
  "on a file": (t, options) => openFile(t, temporaryFile(t), options),
};

/**
 * Defines the same tests for both kinds of store.
 *
 * @param {(open: (t: import("node:test").TestContext, options?: object) => Promise<Kv>,
 *   kind: string) => void} define `open` gives an empty store that lives as long as the test
 */
function onEachStore(define) {
  for (const [kind, open] of Object.entries(KINDS)) describe(kind, () => define(open, kind));
}

/** Waits until the last connection has closed, by which the write-ahead log goes into the file. */
async function wholeFile(file) {
  const end = performance.now() + BOUND;
  while (fs.existsSync(`${file}-wal`)) {
    if (performance.now() > end) throw new Error(`${file} is still open after ${BOUND} ms`);
    await setTimeout(5);
  }
}

/**
 * Stands for the context of a test where something ends before it: `after` as there, and `end` does
 * all that was asked for, last one first.
 */
function endings() {
  const asked = [];
  return {
    after: (ending) => asked.push(ending),
    async end() {
      for (const ending of asked.reverse()) await ending();
    },
  };
}

/** Runs `body` on a store of its own, which ends with it: for the runs of a property. */
async function withStore(open, body) {
  const context = endings();
  try {
    return await body(await open(context));
  } finally {
    await context.end();
  }
}

/** @returns {Promise<object[]>} all that a list gives */
async function collect(list) {
  const entries = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}

/** @returns {Promise<object[]>} the whole store */
function contents(kv) {
  return collect(kv.list({ prefix: [] }, { batchSize: 1000 }));
}

module.exports = {
  temporaryFolder,
  temporaryFile,
  openFile,
  wholeFile,
  onEachStore,
  endings,
  withStore,
  collect,
  contents,
};
