"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { DENO, QUIET } = require("./deno.js");
const { start } = require("./programs.js");

const PACKAGES = path.join(__dirname, "../runtimes/node_modules");
const EXE = process.platform === "win32" ? ".exe" : "";

/**
 * A runtime that npm brings, the binary itself and no script around it: what ends is the program.
 *
 * @typedef {object} Runtime
 * @property {string} name
 * @property {string} version what its version begins with
 * @property {string} path of the binary
 * @property {string[]} args before the path of a script
 */

/** @type {Runtime[]} the six on which the product is tested; requiring this throws where one is missing */
const RUNTIMES = [...[20, 22, 24, 26].map(node), deno(), bun()];

function node(major) {
  const file = `node${major}-${process.platform}-${process.arch}/bin/node${EXE}`;
  return runtime(`Node ${major}`, `${major}.`, path.join(PACKAGES, file), []);
}

function deno() {
  return runtime("Deno", "2.9.", DENO, ["run", "--allow-all", "--no-lock"]);
}

function bun() {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
  const file = `@oven/bun-${os}-${cpu}/bin/bun${EXE}`;
  return runtime("Bun", "1.4.", path.join(PACKAGES, file), []);
}

function runtime(name, version, binary, args) {
  if (fs.existsSync(binary)) return { name, version, path: binary, args };
  throw new Error(`${name} is not at ${binary}: npm test installs it`);
}

/**
 * Starts a script on a runtime.
 * @returns {import("./programs.js").Program}
 */
function startOn(t, { path: binary, args }, script, more = []) {
  const env = { ...process.env, ...QUIET };
  return start(t, binary, [...args, script, ...more.map(String)], { env });
}

module.exports = { RUNTIMES, startOn };
