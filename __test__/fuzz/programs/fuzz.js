"use strict";

// A target is the name of a file in ../targets.
//
// node fuzz.js TARGET FILE SECONDS: tries mutated inputs for so long. FILE holds the one being tried,
// so that whoever ends this program has it; each second a line says how far it is.
// node fuzz.js TARGET FILE: tries the one in FILE.

const fs = require("node:fs");
const { seed } = require("../../support/seed.js");

/** Most runs end in an error. A replay shows the stack, which takes half of their time. */
const FRAMES = 0;

async function main([target, file, seconds]) {
  const { createFuzzer } = require(`../targets/${target}.js`);
  const fuzzer = await createFuzzer(seed);
  if (seconds === undefined) await fuzzer.try(fs.readFileSync(file));
  else await tryFor(seconds * 1000, fuzzer, file);
  await fuzzer.end();
}

async function tryFor(ms, fuzzer, file) {
  console.log(`FENCEKV_SEED=${seed}`);
  Error.stackTraceLimit = FRAMES;
  const trying = fs.openSync(file, "w");
  const begun = performance.now();
  for (let told = begun, now = begun; now - begun < ms; now = performance.now()) {
    const input = fuzzer.next();
    fs.ftruncateSync(trying, input.length);
    fs.writeSync(trying, input, 0, input.length, 0);
    await fuzzer.try(input);
    if (now - told < 1000) continue;
    told = now;
    tell(fuzzer);
  }
  tell(fuzzer);
  fs.closeSync(trying);
  fs.unlinkSync(file);
}

function tell({ runs, newUnits, outcomes }) {
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ runs, newUnits, outcomes, peakMiB }));
}

main(process.argv.slice(2));
