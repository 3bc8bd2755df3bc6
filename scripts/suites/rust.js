"use strict";

const { run } = require("../child.js");
const { Tally } = require("./tally.js");

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed;/;
const FAILED = /^test (.+) \.\.\. FAILED$/;
const IGNORED = /^test (.+) \.\.\. ignored(?:, (.*))?$/;

// The fuzz targets are a workspace of their own; without libFuzzer they run over their corpus.
const WORKSPACES = [
  ["--workspace"],
  ["--manifest-path", "fuzz/Cargo.toml", "--no-default-features"],
];

/** Runs `cargo test` over all that is written in Rust. */
async function rustSuite() {
  const tally = new Tally();
  for (const workspace of WORKSPACES) tally.add(await cargoTest(workspace));
  return tally;
}

async function cargoTest(workspace) {
  let output = "";
  const code = await run("cargo", ["test", ...workspace, "--locked", "--no-fail-fast"], {
    onStdout: (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
    },
  });
  return readCargoTest(output, code);
}

/**
 * @param {string} output what `cargo test` printed on standard output
 * @param {number} code its exit code
 * @returns {Tally}
 */
function readCargoTest(output, code) {
  const tally = new Tally();
  let failures = 0;
  for (const line of output.split(/\r?\n/)) {
    const result = RESULT.exec(line);
    if (result) {
      tally.passed += Number(result[1]);
      failures += Number(result[2]);
    }
    const failed = FAILED.exec(line);
    if (failed) tally.failed.push(`rust: ${failed[1]}`);
    const ignored = IGNORED.exec(line);
    if (ignored)
      tally.skipped.push({ name: `rust: ${ignored[1]}`, reason: ignored[2] ?? "ignored" });
  }
  // A build that fails and a test program that dies print no closing line of their own; and a test
  // may print into the line that says it failed.
  if (tally.failed.length < failures || (code !== 0 && failures === 0)) {
    tally.failed.push(`rust: cargo test, see above (exit code ${code})`);
  }
  return tally;
}

module.exports = { rustSuite, readCargoTest };
