"use strict";

// npm test [-- [--no-skips] file...]: sets up, then runs every suite, or only the JS test files
// named. The last line gives the totals; --no-skips makes a skipped test a failure of the run.

const path = require("node:path");
const { say } = require("./child.js");
const { setUp } = require("./setup.js");
const { findTests, jsSuite } = require("./suites/js.js");
const { rustSuite } = require("./suites/rust.js");
const { Tally } = require("./suites/tally.js");

// Packages of their own, which only tests need.
const TEST_PACKAGES = ["__test__/deno", "__test__/runtimes", "__test__/types"];
// The share of the long process tests' rounds that an everyday run takes; CI takes all of them.
const EVERYDAY_ROUNDS = "0.1";

async function main(args) {
  const files = args.filter((arg) => arg !== "--no-skips").map((file) => path.resolve(file));
  process.env.FENCEKV_ROUNDS ??= EVERYDAY_ROUNDS;

  const tally = new Tally();
  try {
    await setUp(TEST_PACKAGES);
    await runSuites(files, tally);
  } catch (error) {
    tally.failed.push(error.message);
  }
  const refused = args.includes("--no-skips") && tally.skipped.length > 0;
  if (refused) say("test", "this run refuses skipped tests (--no-skips)");
  tally.print();
  return tally.isEmpty || tally.failed.length > 0 || refused ? 1 : 0;
}

async function runSuites(files, tally) {
  if (files.length === 0) {
    say("test", "Rust, cargo test");
    tally.add(await rustSuite());
  }
  say("test", `JavaScript, node:test (rounds of long tests: ${process.env.FENCEKV_ROUNDS})`);
  tally.add(await jsSuite(files.length > 0 ? files : findTests()));
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
