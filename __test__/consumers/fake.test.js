"use strict";

const assert = require("node:assert/strict");
const { describe, it } = require("node:test");
const { FakeDenoKv } = require("../support/fake-kv.js");

describe("consumer modules on the in-memory fake", async () => {
  const { consumerSuite } = await import("./suite.mjs");
  consumerSuite({
    describe,
    it,
    assert,
    abilities: { injectedClock: true, rivalHandles: true },
    openStore: async ({ now }) => {
      const kv = new FakeDenoKv({ now });
      return { kv, another: async () => kv, close: () => kv.close() };
    },
  });
});
