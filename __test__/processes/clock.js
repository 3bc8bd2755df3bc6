"use strict";

/** Milliseconds of the machine's monotonic clock, which all its processes share. */
function monotonicMs() {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

module.exports = { monotonicMs };
