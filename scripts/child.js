"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

/** The root of the repository; every command of these scripts runs there unless it says otherwise. */
const ROOT = path.resolve(__dirname, "..");

/**
 * Runs a command to its end. It has no standard input; what it prints goes to our own output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, onStdout?: (chunk: Buffer) => void }} [options]
 *   `env` is added to our own environment; with `onStdout` the caller is handed standard output
 * @returns {Promise<number>} the exit code; 1 when a signal ended it
 * @throws {Error} when the command cannot be started, named with what to install
 */
function run(command, args, { cwd = ROOT, env, onStdout } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", onStdout ? "pipe" : "inherit", "inherit"],
      // npm is a batch file on Windows, which only a shell can start.
      shell: process.platform === "win32" && command === "npm",
    });
    child.stdout?.on("data", onStdout);
    child.on("error", (cause) => {
      const hint = cause.code === "ENOENT" ? `is ${command} installed and on the PATH?` : "";
      reject(new Error(`cannot run ${command}: ${hint || cause.message}`, { cause }));
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Prints one short line about what is being done. */
function say(topic, what) {
  console.log(`${topic}: ${what}`);
}

module.exports = { ROOT, run, say };
