"use strict";

const assert = require("node:assert/strict");
const { mkdtemp, rm } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { describe, it } = require("node:test");
const { Kv, openKv } = require("../../index.js");

const abilities = { injectedClock: true, rivalHandles: true };

describe("consumer modules on new Kv()", async () => {
  const { consumerSuite } = await import("./suite.mjs");
  consumerSuite({
    describe,
    it,
    assert,
    abilities,
    openStore: async ({ now }) => {
      const kv = new Kv(":memory:", { now });
      return { kv, another: async () => kv, close: () => kv.close() };
    },
  });
});

describe("consumer modules on openKv(file)", async () => {
  const { consumerSuite } = await import("./suite.mjs");
  consumerSuite({
    describe,
    it,
    assert,
    abilities,
    openStore: async ({ now }) => {
      const folder = await mkdtemp(path.join(tmpdir(), "fencekv-consumers-"));
      const handles = [];
      const open = async () => {
        handles.push(await openKv(path.join(folder, "suite.db"), { now }));
        return handles.at(-1);
      };
      const close = async () => {
        for (const handle of handles) await handle.close();
        await rm(folder, { recursive: true });
      };
      return { kv: await open(), another: open, close };
    },
  });
});
