"use strict";

// The layout of CONTRIBUTING.md, held by a test: which way imports point, how long a file may grow.

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { describe, test } = require("node:test");

const ROOT = path.resolve(__dirname, "../..");

// What a crate may import of ours. A new crate says here where it stands.
const MAY_IMPORT = {
  "fencekv-kv": [],
  "fencekv-sqlite": ["fencekv-kv"],
  "fencekv-node": ["fencekv-kv", "fencekv-sqlite"],
  "fencekv-sim": ["fencekv-kv", "fencekv-sqlite"],
};

// Lines of code: neither blank nor only a comment. The rule is about 400; this is where it ends.
const MOST_LINES = 450;
const SOURCE = /\.(rs|[cm]?js|ts)$/;
const FOLDERS = [
  "crates",
  "fuzz/src",
  "fuzz/tests",
  "js",
  "scripts",
  "bench",
  "examples",
  "index.js",
  "index.mjs",
];
const NO_NAME = /^(utils?|common|helpers?|misc)(\.|$)/;

describe("crates", () => {
  const { packages } = JSON.parse(
    execFileSync("cargo", ["metadata", "--no-deps", "--format-version", "1"], { cwd: ROOT }),
  );

  for (const { name, dependencies } of packages) {
    test(`${name} imports only what stands before it`, () => {
      assert.ok(name in MAY_IMPORT, "a new crate: say in MAY_IMPORT where it stands");
      const ours = dependencies.map((it) => it.name).filter((it) => it.startsWith("fencekv-"));
      assert.deepEqual(
        ours.filter((it) => !MAY_IMPORT[name].includes(it)),
        [],
      );
    });
  }

  test("only the binding knows napi", () => {
    assert.deepEqual(importersOf(packages, /^napi/), ["fencekv-node"]);
  });

  test("rusqlite stands in the engine, and in the simulator, which breaks it on purpose", () => {
    assert.deepEqual(importersOf(packages, /^rusqlite$/).sort(), ["fencekv-sim", "fencekv-sqlite"]);
  });
});

describe("JavaScript", () => {
  test("nothing is needed at run time", () => {
    const manifest = require(path.join(ROOT, "package.json"));
    assert.equal(manifest.dependencies, undefined);
  });

  test("the codec imports nothing of js/ but errors", () => {
    for (const file of filesUnder("js/codec")) {
      const text = fs.readFileSync(path.join(ROOT, file), "utf8");
      for (const [, target] of text.matchAll(/require\("(\.[^"]*)"\)/g)) {
        const imported = path.join(path.dirname(file), target).replaceAll(path.sep, "/");
        assert.match(imported, /^js\/(codec(\/|$)|errors(\.js)?$)/, `${file} imports ${imported}`);
      }
    }
  });

  test("what is shipped imports only what is shipped", () => {
    for (const file of [...filesUnder("js"), "index.js", "index.mjs"]) {
      const text = fs.readFileSync(path.join(ROOT, file), "utf8");
      for (const [, target] of text.matchAll(/(?:require\(|from )"(\.[^"]*)"/g)) {
        const imported = path.join(path.dirname(file), target).replaceAll(path.sep, "/");
        assert.match(imported, /^(js\/|index\.|package\.json$)/, `${file} imports ${imported}`);
      }
    }
  });
});

describe("files", () => {
  const files = FOLDERS.flatMap(filesUnder);

  test(`no source file is longer than ${MOST_LINES} lines of code`, () => {
    assert.deepEqual(
      files.filter((file) => linesOfCode(path.join(ROOT, file)) > MOST_LINES),
      [],
    );
  });

  test("every file and folder has a name that says what is in it", () => {
    assert.deepEqual(
      files.filter((file) => file.split(path.sep).some((part) => NO_NAME.test(part))),
      [],
    );
  });
});

function importersOf(packages, pattern) {
  return packages
    .filter(({ dependencies }) => dependencies.some(({ name }) => pattern.test(name)))
    .map(({ name }) => name)
    .sort();
}

/** Source files, relative to the root; `entry` may be one itself. */
function filesUnder(entry) {
  if (!fs.statSync(path.join(ROOT, entry)).isDirectory()) return [entry];
  return fs
    .readdirSync(path.join(ROOT, entry), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "target")
    .map(({ name }) => path.join(entry, name))
    .flatMap((it) => (SOURCE.test(it) || !path.extname(it) ? filesUnder(it) : []));
}

/** Unit tests at the end of a Rust file are apart. */
function linesOfCode(file) {
  const [code] = fs.readFileSync(file, "utf8").split(/^#\[cfg\(test\)\]\nmod \w+ \{$/m);
  return code.split("\n").filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;
}
