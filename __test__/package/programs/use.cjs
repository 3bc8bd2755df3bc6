"use strict";

// use.mjs, by require.

const { openKv } = require("@deno/kv");

async function main() {
  const kv = await openKv("./x.db");
  await kv.set(["greeting"], "hello");
  const { value } = await kv.get(["greeting"]);
  kv.close();
  return { value };
}

main()
  .catch(({ name, code, message, tried }) => ({ name, code, message, tried }))
  .then((outcome) => console.log(JSON.stringify(outcome)));
