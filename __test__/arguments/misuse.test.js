"use strict";

// Every case of the misuse table, in memory and on a file, ends as it does on real Deno: thrown,
// rejected or resolved, the class of the error or the value, and what the store holds afterwards.
// What differs on purpose stands in differences.mjs. Every error has a code that docs/errors.md
// explains, and leaves the store as it was.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const fencekv = require("../../index.js");
const { outcomes } = require("./recorded.js");

const DOCS = path.resolve(__dirname, "../../docs");
const recorded = Object.fromEntries(
  outcomes.map(({ name, code: _, ...outcome }) => [name, outcome]), // Deno's codes are other codes
);
const codes = new Set(
  fs.readFileSync(path.join(DOCS, "errors.md"), "utf8").match(/(?<=^\| `)[A-Z_]+(?=`)/gm),
);

const table = Promise.all([
  import("./cases.mjs"),
  import("./differences.mjs"),
  import("./outcome.mjs"),
]).then((modules) => Object.assign({}, ...modules));

test("the misuse table is the one that was recorded on Deno", async () => {
  const { cases } = await table;
  const names = cases.map(({ name }) => name);
  assert.deepEqual(names, Object.keys(recorded));
});

test("each difference has its row in docs/parity.md, and a case", async () => {
  const { cases, differences } = await table;
  const rows = fs.readFileSync(path.join(DOCS, "parity.md"), "utf8").match(/(?<=^\| ).*?(?= \|)/gm);
  for (const { row, fits } of differences) {
    assert.ok(rows.includes(row), `docs/parity.md has no row ${row}`);
    assert.ok(
      cases.some(({ name }) => fits(name, recorded[name])),
      `no case is left for: ${row}`,
    );
  }
  for (const { name } of cases) {
    const fitting = differences.filter(({ fits }) => fits(name, recorded[name]));
    assert.ok(fitting.length < 2, `${name}: ${fitting.map(({ row }) => row).join(" and ")}`);
  }
});

test("misuse of a store in memory", (t) => judgeAll(t, () => new fencekv.Kv()));

test("misuse of a store on a file", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-misuse-"));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  await judgeAll(t, () => fencekv.openKv(path.join(folder, "app.db")), { outlives: true });
});

/**
 * Runs all cases, those of one method as one subtest.
 *
 * @param {{ outlives?: boolean }} store `outlives`: what it holds outlives its handle
 */
async function judgeAll(t, open, { outlives = false } = {}) {
  const { cases, contents, empty, observe, seed } = await table;
  let kv;
  let untouched;
  t.after(() => kv.close());

  /** Makes the store hold the seed and nothing else. */
  const reset = async () => {
    await empty(kv);
    await seed(kv, fencekv);
  };
  const reopen = async () => {
    kv = await open();
    if (!outlives) await seed(kv, fencekv);
  };
  kv = await open();
  await reset();
  untouched = await contents(kv);

  for (const [method, group] of byMethod(cases)) {
    await t.test(method, async () => {
      const wrong = [];
      for (const entry of group) {
        const actual = await observe(entry, kv, fencekv);
        if (entry.closes) await reopen();
        const left = await contents(kv);
        if (left.join() !== untouched.join()) {
          actual.left = left;
          await reset();
        }
        const right = await expectations(entry);
        if (!right.some((expected) => fits(expected, actual, entry, outlives))) {
          wrong.push(
            `${entry.name}\n  is    ${show(actual)}\n  not   ${right.map(show).join(" or ")}`,
          );
        }
      }
      assert.ok(
        wrong.length === 0,
        `${wrong.length} of ${group.length} cases\n${wrong.join("\n")}`,
      );
    });
  }
}

const methodOf = ({ name }) => name.split(": ", 1)[0];

function byMethod(cases) {
  const groups = new Map();
  for (const entry of cases) {
    const method = methodOf(entry);
    groups.set(method, [...(groups.get(method) ?? []), entry]);
  }
  return groups;
}

/** How a case may end: as on Deno, or as its difference says. */
async function expectations(entry) {
  const { differences } = await table;
  const deno = recorded[entry.name];
  const difference = differences.find(({ fits }) => fits(entry.name, deno));
  if (difference !== undefined) return [difference.expected(deno, entry.name)].flat();
  if (deno.error === undefined) return [deno];
  // On Deno a commit that fails may leave a part of it behind.
  return [{ ...deno, left: entry.writesFirst ? deno.left : undefined }];
}

function fits(expected, actual, entry, outlives) {
  if (expected.manner !== actual.manner) return false;
  // What a store in memory held is not known once its handle is closed.
  const seen = outlives || !entry.closes;
  if (seen && expected.left?.join() !== actual.left?.join()) return false;
  if (expected.error === undefined) return expected.value === actual.value;
  if (expected.error !== actual.error) return false;
  // Thrown by a getter of the case itself.
  if (entry.engine || actual.error === "EvalError") return true;
  return expected.code === undefined ? codes.has(actual.code) : expected.code === actual.code;
}

const show = ({ manner, error, code, message, value, left }) =>
  [manner, error, code, message, value, left && `left ${left.join("; ")}`]
    .filter(Boolean)
    .join(" ");
