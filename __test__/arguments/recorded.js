"use strict";

const fs = require("node:fs");
const path = require("node:path");

/** What real Deno did with the misuse table, as record-deno.mjs wrote it: `{ name, ...outcome }`. */
const [{ deno }, ...outcomes] = fs
  .readFileSync(path.join(__dirname, "deno-2.9.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

module.exports = { deno, outcomes };
