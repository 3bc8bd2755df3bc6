// What a user's module does, and in one line what came of it: the value, or why nothing opened.

import { openKv } from "@deno/kv";

try {
  const kv = await openKv("./x.db");
  await kv.set(["greeting"], "hello");
  const { value } = await kv.get(["greeting"]);
  kv.close();
  console.log(JSON.stringify({ value }));
} catch ({ name, code, message, tried }) {
  console.log(JSON.stringify({ name, code, message, tried }));
}
