/**
 * Real Deno on the same files, in processes of its own.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { openKv } from "fencekv";
import { readRows } from "./records.mjs";
import { SAMPLES } from "./samples.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const DENO = path.join(HERE, "../../__test__/deno/node_modules/.bin/deno");

/** Whether the deno binary is there. */
export const denoIsInstalled = () => existsSync(DENO);

/** Runs a command of deno.mjs and returns what it printed. */
async function deno(command, file, signal) {
  const flags = ["run", "--allow-all", "--unstable-kv", "--no-config", "--no-lock"];
  const program = path.join(HERE, "deno.mjs");
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: "1" };
  const options = { env, signal, killSignal: "SIGKILL" };
  const { stdout } = await promisify(execFile)(DENO, [...flags, program, command, file], options);
  return stdout;
}

/**
 * Deno opens a file of ours and lists it.
 *
 * @returns {Promise<{ seen: Record<string, number>, faults: string[] }>} rows by first key part
 */
export async function denoReads(file, rows, signal) {
  const seen = JSON.parse(await deno("list", file, signal));
  const ours = Object.fromEntries([...rows].map(([kind, entries]) => [kind, entries.length]));
  const faults = Object.keys({ ...ours, ...seen })
    .filter((kind) => ours[kind] !== seen[kind])
    .map((kind) => `Deno lists ${seen[kind]} rows of "${kind}", fencekv ${ours[kind]}`);
  return { seen, faults };
}

/**
 * Deno writes a file, and we list it.
 *
 * @returns {Promise<{ count: number, faults: string[] }>}
 */
export async function denoWrites(file, signal) {
  await deno("write", file, signal);
  const kv = await openKv(file);
  const entries = [...(await readRows(kv)).values()].flat();
  await kv.close();
  const faults = SAMPLES.flatMap(([key, value], i) => {
    const entry = entries[i];
    const equal = isDeepStrictEqual([entry?.key, entry?.value], [key, value]);
    return equal ? [] : [`Deno wrote ${key}, and entry ${i} here is ${entry?.key}`];
  });
  if (entries.length !== SAMPLES.length) faults.push(`${entries.length} entries in Deno's file`);
  return { count: entries.length, faults };
}
