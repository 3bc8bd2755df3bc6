"use strict";

// What fuzzing found, one test a fault.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { decode } = require("../../js/codec");

// Each Error of a value took the stack of the decoder, and let the program's own hook see it: a
// value of 64 KiB that held nothing but Errors kept the event loop for a second.
test("an Error in a value is made without a stack", () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  let frames = 0;
  Error.stackTraceLimit = 7;
  Error.prepareStackTrace = (_error, trace) => (frames += trace.length);
  try {
    const error = decode(Uint8Array.of(0xff, 15, ...Buffer.from("rT.")));
    assert.ok(error instanceof TypeError);
    assert.equal(error.stack, undefined);
    assert.equal(frames, 0);
    assert.equal(Error.stackTraceLimit, 7);
  } finally {
    Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  }
});
