"use strict";

// Every code that an error can bear stands in docs/errors.md, and no other does.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

const ROOT = path.resolve(__dirname, "../..");

// How a code is given to an error, by language.
const SOURCES = [
  { folder: "js", name: /\.js$/, code: /\b(?:typeError|rangeError|KvError)\(\s*"([A-Z_]+)"/g },
  { folder: "crates", name: /\.rs$/, code: /(?:=>|\bcoded\()\s*"([A-Z_]+)"/g },
];
// A row of a table: the code opens it.
const DOCUMENTED = /^\| `([A-Z_]+)`/gm;

test("the codes in the sources are those in docs/errors.md", () => {
  const documented = codesIn(path.join(ROOT, "docs/errors.md"), DOCUMENTED);
  const used = SOURCES.flatMap(({ folder, name, code }) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true })
      .filter((file) => name.test(file))
      .flatMap((file) => codesIn(path.join(ROOT, folder, file), code)),
  );
  assert.deepEqual(sorted(used), sorted(documented));
});

function codesIn(file, pattern) {
  return [...fs.readFileSync(file, "utf8").matchAll(pattern)].map(([, code]) => code);
}

function sorted(codes) {
  return [...new Set(codes)].sort();
}
