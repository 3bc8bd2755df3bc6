"use strict";

// The tarballs as users get them, installed by npm into an empty folder, under their own name and in
// the place of @deno/kv, and imported by either kind of module on every runtime.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, describe, test } = require("node:test");
const { fileName, packageName, targets } = require("../../js/native.js");
const { pack } = require("../../scripts/pack.js");
const { thisMachine } = require("../../scripts/build.js");
const { RUNTIMES } = require("../support/runtimes.js");
const { Project, IMPORTED } = require("./project.js");

const { version } = require("../../package.json");

const PROGRAMS = ["use.mjs", "use.cjs"];
const NATIVE = packageName(thisMachine());

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-tarballs-"));
let tarballs;

before(async () => {
  tarballs = await pack(scratch);
});

after(() => fs.rmSync(scratch, { recursive: true }));

for (const name of ["fencekv", IMPORTED]) {
  describe(`installed as ${name}`, () => {
    let project;

    before(async () => {
      project = await installed(name);
    });

    after(() => project.remove());

    for (const runtime of RUNTIMES) {
      for (const program of PROGRAMS) {
        test(`${program} on ${runtime.name}`, async (t) => {
          assert.deepEqual(await project.run(t, runtime, program), { value: "hello" });
        });
      }
    }
  });
}

describe("what the tarballs hold", () => {
  let project;

  before(async () => {
    project = await installed("fencekv");
  });

  after(() => project.remove());

  test("fencekv: what a user needs, and nothing else", () => {
    const files = filesUnder(project.path("node_modules/fencekv"));
    assert.deepEqual(
      files.filter((file) => !/^(js|docs)\//.test(file)),
      ["LICENSE", "README.md", "index.d.ts", "index.js", "index.mjs", "package.json"],
    );
    assert.deepEqual(
      files.filter((file) => !/^js\/.*\.js$|^docs\/.*\.(md|svg|png)$|^[^/]*$/.test(file)),
      [],
    );
    for (const file of ["js/native.js", "docs/errors.md", "docs/parity.md", "docs/design.md"]) {
      assert.ok(files.includes(file), file);
    }
  });

  test("the platform's package: the binary and who may have it", () => {
    const files = filesUnder(project.path("node_modules", NATIVE));
    const binary = fileName(thisMachine());
    assert.deepEqual(files, ["LICENSE", "README.md", binary, "package.json"].sort());
  });

  test("nothing runs at install, and nothing but the platforms' packages is needed", () => {
    const manifest = readManifest(project.path("node_modules/fencekv"));
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.dependencies, undefined);
    assert.ok(Object.keys(manifest.optionalDependencies).includes(NATIVE));
  });
});

describe("without the native part", () => {
  let project;

  before(async () => {
    project = await installed(IMPORTED);
    fs.renameSync(project.path("node_modules", NATIVE), project.path("taken-away"));
  });

  after(() => project.remove());

  for (const runtime of RUNTIMES) {
    for (const program of PROGRAMS) {
      test(`${program} on ${runtime.name}: the import works, and opening says what is missing`, async (t) => {
        const { name, code, message, tried } = await project.run(t, runtime, program);
        assert.deepEqual([name, code], ["KvError", "NO_BINDING"]);
        const root = project.path("node_modules", IMPORTED);
        const expected = targets().flatMap((target) => [
          `${path.join(root, fileName(target))}: not there`,
          `${packageName(target)} (from ${root}): not there`,
        ]);
        assert.deepEqual(tried, expected);
        for (const line of expected) assert.ok(message.includes(line), message);
        assert.ok(message.includes(`"npm install ${NATIVE}@${version}"`), message);
        assert.ok(!message.includes("\n"));
      });
    }
  }
});

describe("with a native part that does not fit", () => {
  let project;

  before(async () => {
    project = await installed(IMPORTED);
  });

  after(() => project.remove());

  test("one of another version is refused by name", async (t) => {
    const file = project.path("node_modules", NATIVE, "package.json");
    const manifest = fs.readFileSync(file, "utf8");
    t.after(() => fs.writeFileSync(file, manifest));
    fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(manifest), version: "0.0.1" }));
    for (const runtime of RUNTIMES) {
      const { code, message } = await project.run(t, runtime, "use.mjs");
      assert.equal(code, "NO_BINDING", runtime.name);
      assert.ok(message.includes(`it is version 0.0.1, and fencekv is ${version}`), message);
    }
  });

  test("one that the system does not load is named with the system's reason", async (t) => {
    const file = project.path("node_modules", NATIVE, fileName(thisMachine()));
    fs.renameSync(file, `${file}.whole`);
    t.after(() => fs.renameSync(`${file}.whole`, file));
    fs.writeFileSync(file, "cut short");
    for (const runtime of RUNTIMES) {
      const { code, tried } = await project.run(t, runtime, "use.mjs");
      assert.equal(code, "NO_BINDING", runtime.name);
      const line = tried.find((line) => line.startsWith(`${NATIVE} (`));
      assert.doesNotMatch(line, /: (not there)?$/, runtime.name);
      t.diagnostic(`${runtime.name}: ${line}`);
    }
  });

  test("one of another program is refused", async (t) => {
    const file = project.path("node_modules", NATIVE, fileName(thisMachine()));
    fs.renameSync(file, `${file}.whole`);
    t.after(() => fs.renameSync(`${file}.whole`, file));
    fs.copyFileSync(anotherBinding(), file);
    for (const runtime of RUNTIMES) {
      const { code, tried } = await project.run(t, runtime, "use.mjs");
      assert.equal(code, "NO_BINDING", runtime.name);
      assert.ok(
        tried.some((line) => line.endsWith("it is another program's")),
        `${runtime.name}: ${tried.join("; ")}`,
      );
    }
  });

  test("Deno without the right to load it says which right", async (t) => {
    const deno = RUNTIMES.find(({ name }) => name === "Deno");
    const args = [
      "run",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      "--no-prompt",
      "--no-lock",
    ];
    const { code, message } = await project.run(t, { ...deno, args }, "use.mjs");
    assert.equal(code, "NO_BINDING");
    assert.match(message, /--allow-ffi/);
  });
});

/** An empty folder in which npm has installed the two tarballs, with no registry in reach. */
async function installed(name) {
  const [main, native] = tarballs.map((file) => `file:${file}`);
  const project = new Project({ [name]: main, [NATIVE]: native }, name);
  await project.install("npm", "install --offline --ignore-scripts --silent".split(" "));
  return project;
}

/** That of `@deno/kv`, which the packages of the tests bring. */
function anotherBinding() {
  const packages = path.join(__dirname, "../deno/node_modules/@deno");
  const file = filesUnder(packages).find((file) => file.endsWith(".node"));
  return path.join(packages, file);
}

function filesUnder(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => fs.statSync(path.join(folder, file)).isFile())
    .map((file) => file.replaceAll(path.sep, "/"))
    .sort();
}

function readManifest(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
}
