// The asserts of the conformance run, which count how often they were called.

import nodeAssert from "node:assert/strict";
import { KvError } from "../../index.mjs";

let calls = 0;

const counted =
  (assertion) =>
  (...args) => {
    calls += 1;
    return assertion(...args);
  };

export const assert = {
  equal: counted(nodeAssert.equal),
  deepEqual: counted(nodeAssert.deepEqual),
  ok: counted(nodeAssert.ok),
  match: counted(nodeAssert.match),
  rejects: counted(nodeAssert.rejects),
};

/** Asserts how a call ends that must not succeed, whether it throws or rejects. */
export async function refused(name, code, call) {
  await assert.rejects(
    async () => call(),
    (error) => {
      const ends = [error.name, error.code, error instanceof KvError];
      nodeAssert.deepEqual(ends, [name, code, name === "KvError"]);
      return true;
    },
  );
}

/** @returns {number} how many assertions were made so far */
export function assertions() {
  return calls;
}
