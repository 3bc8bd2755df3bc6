"use strict";

const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { ROOT, run, say } = require("./child.js");

// Stands in node_modules and holds what was installed there, so that a second run costs one read.
const STAMP = ".fencekv-installed";

/**
 * Installs a package's dependencies exactly as its lock file has them, unless they stand already.
 *
 * Install scripts are never run, here or on any machine: what we depend on must work without them.
 *
 * @param {string} folder relative to the root; "." is the root itself
 * @throws {Error} when npm fails
 */
async function install(folder) {
  const cwd = path.join(ROOT, folder);
  const name = folder === "." ? "packages" : `packages of ${folder}`;
  const stamp = path.join(cwd, "node_modules", STAMP);
  const wanted = fingerprint(cwd);
  if (readIfThere(stamp) === wanted) return;

  say("set-up", `installing ${name} from the lock file`);
  const code = await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd });
  if (code !== 0) throw new Error(`npm ci failed in ${folder} (exit code ${code})`);
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(stamp, wanted);
}

/** The lock file, and the platform, which decides which optional packages npm takes. */
function fingerprint(cwd) {
  const hash = crypto.createHash("sha256");
  hash.update(`${process.platform} ${process.arch}\n`);
  for (const file of ["package.json", "package-lock.json"]) {
    hash.update(fs.readFileSync(path.join(cwd, file)));
  }
  return hash.digest("hex");
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

module.exports = { install };
