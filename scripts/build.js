"use strict";

// npm run build [-- target]: the binding alone, for this machine, or as it is published for a target
// (a folder of npm/): then for Linux it needs cargo-zigbuild.

const fs = require("node:fs");
const path = require("node:path");
const { fileName, targets } = require("../js/native.js");
const { ROOT, run, say } = require("./child.js");

const CRATE = "fencekv-node";
// What the oldest Node that we support needs itself.
const OLDEST_GLIBC = "2.28";
// Rust's names of the processors.
const CPUS = { x64: "x86_64", arm64: "aarch64" };

/**
 * Builds the binding and puts it beside index.js, where js/native.js looks first.
 *
 * Cargo itself judges what is stale (sources, lock file, profile, toolchain), so nothing here can
 * disagree with it; when nothing is stale this takes a fraction of a second.
 *
 * @param {string} [target] such as "linux-arm64-musl"; whatever runs here when not given
 * @throws {Error} when the build fails
 */
async function buildBinding(target) {
  const library = fs.readFileSync(await cargoBuild(command(target)));
  const file = path.join(ROOT, fileName(target ?? thisMachine()));
  if (fs.existsSync(file) && fs.readFileSync(file).equals(library)) return;

  // Renamed into place, since a running process may have the old file mapped.
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, library);
  fs.renameSync(draft, file);
  say("set-up", `the binding is ${path.basename(file)}`);
}

/**
 * Cargo's command. Zig has the headers and stubs of every libc, so what it links runs on systems
 * older than ours.
 */
function command(target) {
  if (target === undefined) return ["build"];
  const [platform, arch, abi] = target.split("-");
  if (platform === "linux") {
    const libc = abi === "gnu" ? `gnu.${OLDEST_GLIBC}` : abi;
    return ["zigbuild", "--target", `${CPUS[arch]}-unknown-linux-${libc}`];
  }
  if (target === thisMachine()) return ["build"];
  throw new Error(`${target} can be built only on a machine of its kind`);
}

/** @returns {Promise<string>} where cargo left the library; it names the path, wherever its target folder is */
async function cargoBuild(build) {
  let json = "";
  const code = await run(
    "cargo",
    [...build, "--release", "-p", CRATE, "--locked", "--message-format=json-render-diagnostics"],
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

/** @returns {string} the target that a build makes here */
function thisMachine() {
  const [usual, musl] = targets();
  return process.platform === "linux" && isMusl() ? musl : usual;
}

function isMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

module.exports = { buildBinding, thisMachine };

if (require.main === module) {
  buildBinding(process.argv[2]).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
