"use strict";

// index.d.ts under two compilers: what must compile does, what must not does not, it fits Deno's own
// declarations, and it is found through package.json.

const assert = require("node:assert/strict");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, describe, it } = require("node:test");

const ROOT = path.resolve(__dirname, "../..");
// Of one compiler run, in ms; a run takes a few seconds.
const TIMEOUT = 120_000;

const compilers = [ROOT, __dirname].map((folder) => path.join(folder, "node_modules/typescript"));

for (const compiler of compilers) {
  const { version } = require(path.join(compiler, "package.json"));

  describe(`TypeScript ${version}`, { timeout: 4 * TIMEOUT }, () => {
    it("takes what a caller may write and refuses what not", () => checks(compiler, __dirname));

    it("finds that the store fits Deno's declarations", () =>
      checks(compiler, path.join(__dirname, "deno")));

    it("finds the declarations through package.json, from either kind of module", () =>
      checks(compiler, installed()));
  });
}

/** Runs the compiler on a project and expects it to have nothing to say. */
async function checks(compiler, project) {
  const tsc = path.join(compiler, "bin/tsc");
  const output = await new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, "--project", project, "--pretty", "false"],
      { timeout: TIMEOUT },
      (error, stdout, stderr) => resolve(error === null ? stdout : `${stdout}${stderr}${error}`),
    );
  });
  assert.equal(output, "");
}

/** A copy of resolution/ in which the package is installed. */
function installed() {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-types-"));
  after(() => fs.rmSync(project, { recursive: true }));
  fs.cpSync(path.join(__dirname, "resolution"), project, { recursive: true });
  fs.mkdirSync(path.join(project, "node_modules"));
  fs.symlinkSync(ROOT, path.join(project, "node_modules/fencekv"), "dir");
  return project;
}
