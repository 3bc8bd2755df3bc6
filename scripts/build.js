"use strict";

// npm run build: the binding alone.

const fs = require("node:fs");
const path = require("node:path");
const { ROOT, run, say } = require("./child.js");

const CRATE = "fencekv-node";

/**
 * Builds the binding and puts it beside index.js, where js/native.js looks first.
 *
 * Cargo itself judges what is stale (sources, lock file, profile, toolchain), so nothing here can
 * disagree with it; when nothing is stale this takes a fraction of a second.
 *
 * @throws {Error} when the build fails
 */
async function buildBinding() {
  const library = fs.readFileSync(await cargoBuild());
  const target = path.join(ROOT, bindingName());
  if (fs.existsSync(target) && fs.readFileSync(target).equals(library)) return;

  // Renamed into place, since a running process may have the old file mapped.
  const draft = `${target}.${process.pid}.tmp`;
  fs.writeFileSync(draft, library);
  fs.renameSync(draft, target);
  say("set-up", `the binding is ${path.basename(target)}`);
}

/** @returns {Promise<string>} where cargo left the library; it names the path, wherever its target folder is */
async function cargoBuild() {
  let json = "";
  const code = await run(
    "cargo",
    ["build", "--release", "-p", CRATE, "--locked", "--message-format=json-render-diagnostics"],
    { onStdout: (chunk) => (json += chunk) },
  );
  if (code !== 0) throw new Error(`cargo build failed (exit code ${code})`);
  const artifact = json
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .find((message) => message.target?.kind.includes("cdylib"));
  return artifact.filenames.find((name) => /\.(so|dylib|dll)$/.test(name));
}

/** The file name that js/native.js loads on this platform. */
function bindingName() {
  const libc = process.platform === "linux" ? (isMusl() ? "-musl" : "-gnu") : "";
  return `fencekv.${process.platform}-${process.arch}${libc}.node`;
}

function isMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

module.exports = { buildBinding };

if (require.main === module) {
  buildBinding().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
