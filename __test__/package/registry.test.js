"use strict";

// The packages as they are published, installed from a registry by each runtime's own package
// manager: npm takes the one package that fits; Deno and Bun know nothing of libc and take both
// kinds for Linux, of which the loader has to find the right one.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { fileName, packageName } = require("../../js/native.js");
const { thisMachine } = require("../../scripts/build.js");
const { pack, published } = require("../../scripts/pack.js");
const { RUNTIMES } = require("../support/runtimes.js");
const { Project, IMPORTED } = require("./project.js");
const { startRegistry } = require("./registry.js");

const ROOT = path.resolve(__dirname, "../..");
// How a user puts it in the place of @deno/kv.
const ALIAS = { [IMPORTED]: "npm:fencekv" };

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-registry-"));
const packed = path.join(scratch, "npm");

before(() => pack(packed, binaries()));

after(() => fs.rmSync(scratch, { recursive: true }));

test("npm takes fencekv and the one native part that fits", async (t) => {
  const project = await projectOf(t, ALIAS);
  const args = ["install", "--ignore-scripts", "--no-audit", "--silent", "--cache", "cache"];
  await project.install("npm", [...args, "--registry", await startRegistry(t, packed)]);
  assert.deepEqual(fs.readdirSync(project.path("node_modules")).filter(isVisible).sort(), [
    "@deno",
    packageName(thisMachine()),
  ]);
  assert.deepEqual(await project.run(t, runtime("Node 20"), "use.mjs"), { value: "hello" });
});

test("Bun installs it", async (t) => {
  const project = await projectOf(t, ALIAS);
  const bun = runtime("Bun");
  await project.install(bun.path, ["install", "--silent"], {
    NPM_CONFIG_REGISTRY: await startRegistry(t, packed),
    BUN_INSTALL_CACHE_DIR: project.path("cache"),
  });
  assert.deepEqual(await project.run(t, bun, "use.mjs"), { value: "hello" });
});

test("Deno installs it", async (t) => {
  const project = await projectOf(t, ALIAS);
  const deno = runtime("Deno");
  const env = {
    NPM_CONFIG_REGISTRY: await startRegistry(t, packed),
    DENO_DIR: project.path("cache"),
  };
  await project.install(deno.path, ["install", "--quiet"], env);
  assert.deepEqual(await project.run(t, deno, "use.mjs", env), { value: "hello" });
});

test("Deno imports it by npm:, with no package.json and nothing installed", async (t) => {
  const project = await projectOf(t, undefined, "npm:fencekv");
  const env = {
    NPM_CONFIG_REGISTRY: await startRegistry(t, packed),
    DENO_DIR: project.path("cache"),
  };
  assert.deepEqual(await project.run(t, runtime("Deno"), "use.mjs", env), { value: "hello" });
});

async function projectOf(t, dependencies, imported) {
  const project = new Project(dependencies, imported);
  t.after(() => project.remove());
  return project;
}

/** A folder with a binary for each platform, of which only this machine's is one. */
function binaries() {
  const folder = path.join(scratch, "binaries");
  fs.mkdirSync(folder);
  for (const file of published().map(fileName)) fs.writeFileSync(path.join(folder, file), "none");
  const ours = fileName(thisMachine());
  fs.copyFileSync(path.join(ROOT, ours), path.join(folder, ours));
  return folder;
}

function runtime(wanted) {
  return RUNTIMES.find(({ name }) => name === wanted);
}

function isVisible(name) {
  return !name.startsWith(".");
}
