"use strict";

// npm run pack [-- --all]: makes the tarballs that are published, in target/npm.

const fs = require("node:fs");
const path = require("node:path");
const { parseArgs } = require("node:util");
const { fileName } = require("../js/native.js");
const { ROOT, run, say } = require("./child.js");

const OUT = path.join(ROOT, "target/npm");
// What npm takes into a package whether it is listed or not.
const ALWAYS = ["README.md", "LICENSE"];

/**
 * Packs fencekv, and the package of each platform whose binary is there: after a build that is this
 * machine's, in a release each of them.
 *
 * @param {string} [out] the folder that the tarballs and the packages, unpacked, go to
 * @param {string} [binaries] the folder that has the binaries: beside index.js, as a build leaves them
 * @returns {Promise<string[]>} the paths of the tarballs, fencekv's first
 * @throws {Error} when npm fails
 */
async function pack(out = OUT, binaries = ROOT) {
  fs.rmSync(out, { recursive: true, force: true });
  const root = readManifest(".");
  const platforms = published().map((target) => ({ target, ...readManifest(`npm/${target}`) }));
  stageMain(out, root, platforms);
  for (const platform of platforms) {
    const binary = path.join(binaries, fileName(platform.target));
    if (fs.existsSync(binary)) stagePlatform(out, root, platform, binary);
  }
  return npmPack(out);
}

/** The targets that are published: npm/ has a folder for each. */
function published() {
  return fs.readdirSync(path.join(ROOT, "npm")).sort();
}

/**
 * The platforms' packages become optional dependencies here and not in our own package.json: its
 * lock file cannot name a version that is not published yet, and `npm ci` would fail.
 */
function stageMain(out, { scripts, devDependencies, ...manifest }, platforms) {
  const { version } = manifest;
  const optionalDependencies = Object.fromEntries(platforms.map(({ name }) => [name, version]));
  const sources = [...manifest.files, ...ALWAYS].map((file) => path.join(ROOT, file));
  stage(out, { ...manifest, optionalDependencies }, sources);
}

/** What all our packages have in common is written once, in our own package.json. */
function stagePlatform(out, { version, license, engines, repository }, platform, binary) {
  const { target, ...manifest } = platform;
  const sources = [path.join(ROOT, "npm", target, "README.md"), path.join(ROOT, "LICENSE"), binary];
  stage(out, { ...manifest, version, license, engines, repository }, sources);
}

/** Makes a folder with the package as it is published. */
function stage(out, manifest, sources) {
  const folder = path.join(out, manifest.name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const source of sources) {
    fs.cpSync(source, path.join(folder, path.basename(source)), { recursive: true });
  }
}

/** Packs every folder of `out`; npm takes half a second to start, so once for all of them. */
async function npmPack(out) {
  let json = "";
  const folders = fs.readdirSync(out).sort();
  const args = ["pack", "--json", ...folders.map((name) => `./${name}`)];
  const code = await run("npm", args, { cwd: out, onStdout: (chunk) => (json += chunk) });
  if (code !== 0) throw new Error(`npm pack failed in ${out} (exit code ${code})`);
  return JSON.parse(json).map(({ filename }) => path.join(out, filename));
}

function readManifest(folder) {
  return JSON.parse(fs.readFileSync(path.join(ROOT, folder, "package.json"), "utf8"));
}

async function main() {
  const { values } = parseArgs({ options: { all: { type: "boolean" } } });
  const missing = published().filter((target) => !fs.existsSync(path.join(ROOT, fileName(target))));
  if (values.all && missing.length > 0) throw new Error(`no build for ${missing.join(", ")}`);
  for (const tarball of await pack()) say("pack", path.relative(ROOT, tarball));
}

module.exports = { pack, published };

if (require.main === module) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
