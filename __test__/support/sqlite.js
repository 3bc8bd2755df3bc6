"use strict";

const path = require("node:path");
const { denoIsMissing, startDeno } = require("./deno.js");

/** A connection to an SQLite file that has nothing to do with the product; see sqlite.mjs. */
class Sqlite {
  #program;

  /** @param {import("node:test").TestContext} t the connection does not outlive it */
  constructor(t, file) {
    this.#program = startDeno(t, path.join(__dirname, "sqlite.mjs"), [file]);
  }

  /** @returns {Promise<object[]>} the rows that a statement gives; blobs as hex */
  run(statement) {
    this.#program.tell(statement);
    return this.#program.line();
  }

  /** Closes the connection. */
  async close() {
    await this.#program.end();
  }
}

/**
 * Runs statements on a file that nobody else has open, and closes it.
 * @returns {Promise<object[]>} the rows of the last
 */
async function onFile(t, file, ...statements) {
  const sqlite = new Sqlite(t, file);
  let rows;
  for (const statement of statements) rows = await sqlite.run(statement);
  await sqlite.close();
  return rows;
}

module.exports = { Sqlite, onFile, sqliteIsMissing: denoIsMissing };
