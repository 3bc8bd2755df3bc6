"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { PACKAGES, denoIsMissing, startDeno } = require("../support/deno.js");
const { startNode } = require("../support/programs.js");

const PEER = path.join(__dirname, "peer.mjs");

const denoKvIsMissing = fs.existsSync(path.join(PACKAGES, "@deno/kv"))
  ? false
  : "@deno/kv is not installed: npm ci in __test__/deno";

/**
 * Name -> how to start it, why it cannot be started here, and what of values.mjs it alters: in what
 * it writes, and in what it gives of what it reads.
 */
const PEERS = {
  Deno: { start: startDeno, skip: denoIsMissing, alters: { writing: [], reading: [] } },
  "@deno/kv on Node": {
    start: startNode,
    skip: denoKvIsMissing,
    alters: {
      // Its -0 is 0 in keys, and node:v8 writes a view without the buffer around it.
      writing: ["key [ -0 ]", "value view with an offset", "value DataView", "list of keys"],
      // Its bytes are a Buffer.
      reading: ["key [ -0 ]", "value top-level Uint8Array"],
    },
  },
};

/** Another implementation that has `file` open, in a process of its own; see peer.mjs. */
class Peer {
  #program;

  static async open(t, { start }, file) {
    const peer = new Peer();
    peer.#program = start(t, PEER, [file]);
    await peer.#program.line();
    return peer;
  }

  /** @returns {Promise<unknown>} the answer to a command */
  ask(...command) {
    this.#program.tell(command);
    return this.#program.line();
  }

  /** Closes the file. */
  async close() {
    await this.#program.end();
  }
}

module.exports = { PEERS, Peer };
