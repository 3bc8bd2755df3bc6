"use strict";

// What runs with the right to publish is what its readers saw.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const prettier = require("prettier");

const WORKFLOWS = path.resolve(__dirname, "../../.github/workflows");

for (const name of fs.readdirSync(WORKFLOWS)) {
  const text = fs.readFileSync(path.join(WORKFLOWS, name), "utf8");

  test(`${name} is YAML`, async () => {
    await prettier.format(text, { parser: "yaml" });
  });

  test(`${name} takes GitHub's own actions only, each at a commit and not at a tag`, () => {
    const actions = Array.from(text.matchAll(/\buses: *(.*)/g), ([, action]) => action);
    assert.notEqual(actions.length, 0);
    for (const action of actions) {
      assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test(`${name} may write nothing, and only publishing may speak for the repository`, () => {
    assert.match(text, /^permissions:\n {2}contents: read\n\n/m);
    const rights = Array.from(text.matchAll(/^ *[\w-]+: write$/gm), ([right]) => right.trim());
    assert.deepEqual(rights, name === "release.yml" ? ["id-token: write"] : []);
  });
}
