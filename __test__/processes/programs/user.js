"use strict";

// Opens the file of its second argument by the copy of the package at its first, and writes to it.
// The line is the code of the error, or "written".

const [copy, file, name] = process.argv.slice(2);
const { openKv } = require(copy);

async function main() {
  const kv = await openKv(file);
  await kv.set(["user", name], name);
  await kv[Symbol.asyncDispose]();
  return "written";
}

main()
  .catch(({ code }) => code)
  .then((outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`));
