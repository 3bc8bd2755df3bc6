"use strict";

// Every example of the README and of docs/ that is marked to be run (```js run, ```ts run) runs, as a
// user's own file would: in a folder of its own, where `fencekv` is an installed package.

const assert = require("node:assert/strict");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { promisify } = require("node:util");

const ROOT = path.resolve(__dirname, "../..");
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");
const TSC_OPTIONS =
  "--strict --target es2022 --module nodenext --lib es2022,esnext.disposable,dom --types".split(
    " ",
  );
// Of one example, in ms.
const TIMEOUT = 60_000;

const node = (args, cwd) => promisify(execFile)(process.execPath, args, { cwd, timeout: TIMEOUT });

let scratch;

before(() => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-examples-"));
  fs.mkdirSync(path.join(scratch, "node_modules"));
  fs.symlinkSync(ROOT, path.join(scratch, "node_modules/fencekv"), "junction");
});

after(() => fs.rmSync(scratch, { recursive: true }));

const examples = documents().flatMap(examplesOf);

test("the README has an example that is run", () => {
  assert.ok(examples.some(({ name }) => name.startsWith("README.md")));
});

for (const { name, language, code } of examples) {
  test(name, async () => {
    const folder = fs.mkdtempSync(path.join(scratch, "example-"));
    if (language === "js") {
      const file = /\brequire\(/.test(code) ? "example.cjs" : "example.mjs";
      fs.writeFileSync(path.join(folder, file), code);
      await node([file], folder);
    } else {
      fs.writeFileSync(path.join(folder, "example.mts"), code);
      await node([TSC, ...TSC_OPTIONS, "", "example.mts"], folder);
      await node(["example.mjs"], folder);
    }
  });
}

function documents() {
  const docs = fs.readdirSync(path.join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.map((name) => `docs/${name}`)];
}

function examplesOf(document) {
  const text = fs.readFileSync(path.join(ROOT, document), "utf8");
  return [...text.matchAll(/^```(js|ts) run\n(.*?)^```$/gms)].map((match) => ({
    name: `${document}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1],
    code: match[2],
  }));
}
