"use strict";

// One module, however it is loaded.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const required = require("../../index.js");
const { startWorker } = require("../support/programs.js");

const ROOT = path.join(__dirname, "../..");

test("import and require give the same classes", async () => {
  const imported = await import("../../index.mjs");
  for (const name of Object.keys(required)) assert.equal(imported[name], required[name], name);
  assert.deepEqual(Object.keys(imported).sort(), [...Object.keys(required), "default"].sort());
  assert.ok(new imported.Kv() instanceof required.Kv);
});

test("the package answers to its name, by require and by import", async () => {
  assert.equal(require("fencekv"), required);
  assert.equal((await import("fencekv")).Kv, required.Kv);
});

test("it exports what index.d.ts declares, and nothing else", () => {
  const types = fs.readFileSync(path.join(ROOT, "index.d.ts"), "utf8");
  const declared = types.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|function|const) (\w+)/gm,
  );
  assert.deepEqual(
    [...new Set(Array.from(declared, ([, name]) => name))].sort(),
    Object.keys(required).sort(),
  );
});

test("each class has the members that index.d.ts declares, and no others", () => {
  const types = fs.readFileSync(path.join(ROOT, "index.d.ts"), "utf8");
  for (const name of ["Kv", "AtomicOperation", "KvListIterator"]) {
    const [, body] = types.match(
      new RegExp(`^export class ${name}\\b[^{]*\\{([\\s\\S]*?)^\\}`, "m"),
    );
    const declared = Array.from(
      body.matchAll(/^ {2}(?:get )?([a-z]\w*|\[Symbol\.\w+\])(?=[<(])/gm),
      ([, member]) => member,
    ).filter((member) => member !== "constructor");
    const present = Reflect.ownKeys(required[name].prototype)
      .filter((member) => member !== "constructor" && member !== Symbol.toStringTag)
      .map(nameOf);
    const hidden = name === "AtomicOperation" ? ["then"] : [];
    assert.deepEqual(present.sort(), [...new Set([...declared, ...hidden])].sort(), name);
  }
});

test("a worker can import it and use a store in memory and on a file", async (t) => {
  const { temporaryFile } = require("../support/stores.js");
  const program = startWorker(t, path.join(__dirname, "programs/importer.mjs"), [temporaryFile(t)]);
  assert.deepEqual(await program.line(), ["memory", "file"]);
  await program.end();
});

test("what misuse throws has no trace of the native part in its message", async () => {
  const kv = new required.Kv();
  await assert.rejects(kv.set([], 1), (error) => {
    assert.equal(error.message.includes("\n"), false);
    assert.doesNotMatch(error.message, /napi|rust|sqlite/i);
    return true;
  });
  kv.close();
});

/** A member as index.d.ts spells it. */
function nameOf(member) {
  if (typeof member === "string") return member;
  const symbols = ["dispose", "asyncDispose", "asyncIterator"];
  return `[Symbol.${symbols.find((name) => Symbol[name] === member)}]`;
}
