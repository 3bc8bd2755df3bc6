/**
 * What real Deno does in the demo, in a process of its own:
 *
 *     deno run -A --unstable-kv deno.mjs list <file>     prints how many rows it finds by first key part
 *     deno run -A --unstable-kv deno.mjs write <file>    writes the samples
 */
import { SAMPLES } from "./samples.mjs";

const [command, file] = Deno.args;
const kv = await Deno.openKv(file);
if (command === "list") {
  const counts = {};
  for await (const { key } of kv.list({ prefix: [] })) {
    counts[key[0]] = (counts[key[0]] ?? 0) + 1;
  }
  console.log(JSON.stringify(counts));
} else {
  for (const [key, value] of SAMPLES) await kv.set(key, value);
}
kv.close();
