"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * What Deno 2.9 stored for the values of the corpus.
 *
 * @returns {{ name: string, bytes: Uint8Array }[]}
 */
function readGolden() {
  const lines = fs.readFileSync(path.join(__dirname, "deno-2.9.jsonl"), "utf8").trim().split("\n");
  return lines.slice(1).map((line) => {
    const { name, hex } = JSON.parse(line);
    return { name, bytes: Uint8Array.from(Buffer.from(hex, "hex")) };
  });
}

module.exports = { readGolden };
