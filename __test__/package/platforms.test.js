"use strict";

// The platforms are named in npm/, in the loader, in the release workflow and, once packed, in the
// package's optional dependencies: all name the same, and there is one version.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { fileName, packageName, targets } = require("../../js/native.js");
const { published } = require("../../scripts/pack.js");

const ROOT = path.resolve(__dirname, "../..");
const ABIS = { gnu: "glibc", musl: "musl" };

for (const target of published()) {
  test(`npm/${target} is for what its name says`, () => {
    const [os, cpu, abi] = target.split("-");
    const { description, ...manifest } = JSON.parse(read(`npm/${target}/package.json`));
    assert.deepEqual(manifest, {
      name: packageName(target),
      main: `./${fileName(target)}`,
      os: [os],
      cpu: [cpu],
      ...(os === "linux" && { libc: [ABIS[abi]] }),
    });
    assert.equal(
      read(`npm/${target}/README.md`),
      `# ${manifest.name}\n\n` +
        description.replace("fencekv", "[fencekv](https://www.npmjs.com/package/fencekv)") +
        ": it comes with `npm install fencekv`.\n",
    );
  });

  test(`the loader looks for ${target} where it can run`, () => {
    const [os, cpu] = target.split("-");
    assert.ok(targets(os, cpu).includes(target));
  });
}

test("the loader looks for nothing that is not published, where anything is", () => {
  const machines = new Set(published().map((target) => target.split("-").slice(0, 2).join("-")));
  const sought = [...machines].flatMap((machine) => targets(...machine.split("-")));
  assert.deepEqual(sought.sort(), published());
});

test("the release builds each, once", () => {
  const rows = read(".github/workflows/release.yml").matchAll(/^ +- \{ target: ([\w-]+),/gm);
  assert.deepEqual(Array.from(rows, ([, target]) => target).sort(), published());
});

test("the crates have the package's version", () => {
  const { version } = JSON.parse(read("package.json"));
  assert.equal(/^\[workspace\.package\]\nversion = "(.*)"$/m.exec(read("Cargo.toml"))[1], version);
  assert.equal(JSON.parse(read("package-lock.json")).version, version);
});

function read(file) {
  return fs.readFileSync(path.join(ROOT, file), "utf8");
}
