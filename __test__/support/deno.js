"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { start, succeed } = require("./programs.js");

const PACKAGES = path.join(__dirname, "../deno/node_modules");
/** The binary itself, not the script that npm links: what is killed is the program. */
const DENO = path.join(
  PACKAGES,
  `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`,
  process.platform === "win32" ? "deno.exe" : "deno",
);

/** Environment in which a runtime prints nothing but what its script does. */
const QUIET = { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };

/** For the option `skip` of a test: why Deno cannot run here, or false. */
const denoIsMissing = fs.existsSync(DENO)
  ? false
  : "deno is not installed: npm ci in __test__/deno";

/** Starts a script of Deno. */
function startDeno(t, script, args = []) {
  const flags = ["run", "--allow-all", "--unstable-kv", "--no-config", "--no-lock"];
  return start(t, DENO, [...flags, script, ...args], { env: { ...process.env, ...QUIET } });
}

/**
 * Runs a script of Deno that must succeed.
 * @returns {Promise<unknown[]>} its lines
 */
function runDeno(t, script, args) {
  return succeed(startDeno(t, script, args));
}

module.exports = { DENO, PACKAGES, QUIET, denoIsMissing, startDeno, runDeno };
