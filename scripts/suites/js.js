"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { run } = require("node:test");
const { spec } = require("node:test/reporters");
const { ROOT } = require("../child.js");
const { Tally } = require("./tally.js");

const TESTS = path.join(ROOT, "__test__");
// Of a whole file, in ms. Nothing should come near it: it ends a file that hangs.
const FILE_TIMEOUT = 30 * 60_000;
// Several suites start processes of their own and wait for events with a bound.
const FILES_AT_ONCE = 2;

/**
 * Runs test files under Node's own runner, each in a process of its own.
 *
 * @param {string[]} files absolute paths
 * @returns {Promise<Tally>}
 */
async function jsSuite(files) {
  const tally = new Tally();
  const events = run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_TIMEOUT });
  const groups = [];
  events.on("test:start", ({ nesting, name }) => {
    groups.length = nesting;
    groups.push(name);
  });
  events.on("test:pass", (event) => countPass(tally, event, title(event, groups)));
  events.on("test:fail", (event) => countFail(tally, event, title(event, groups)));
  for await (const text of events.compose(spec)) process.stdout.write(text);
  return tally;
}

function countPass(tally, event, name) {
  const excuse = event.skip ?? event.todo;
  if (excuse !== undefined && excuse !== false) {
    const reason = typeof excuse === "string" ? excuse : event.skip ? "skipped" : "to do";
    tally.skipped.push({ name, reason });
  } else if (isWholeFile(event)) {
    tally.failed.push(`${name}: the file holds no test`);
  } else if (event.details.type !== "suite") {
    tally.passed += 1;
  }
}

function countFail(tally, event, name) {
  // The subtests that made this one fail have been counted.
  if (event.details.error?.failureType === "subtestsFailed") return;
  tally.failed.push(name);
}

/** A file that registers no test is reported by the runner as one test that bears the file's name. */
function isWholeFile({ name, file, nesting }) {
  return nesting === 0 && file !== undefined && path.resolve(ROOT, name) === file;
}

/** The file, the groups that the test stands in, outermost first, and its own name. */
function title(event, groups) {
  const file = event.file === undefined ? [] : [path.relative(ROOT, event.file)];
  if (isWholeFile(event)) return file[0];
  return [...file, ...groups.slice(0, event.nesting), event.name].join(": ");
}

/** Every `*.test.js` under `__test__`, but for the packages of the runtimes and folders installed. */
function findTests(folder = TESTS) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : findTests(full);
      return entry.name.endsWith(".test.js") ? [full] : [];
    })
    .sort();
}

module.exports = { jsSuite, findTests };
