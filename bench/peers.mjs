import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { run, say } from "../scripts/child.js";

const require = createRequire(import.meta.url);

const SQLITE = "better-sqlite3";
const SQLITE_ADDON = `${SQLITE}/build/Release/better_sqlite3.node`;

/** A peer that cannot be had on this machine. Its rows are left out, the others are measured. */
export class PeerMissing extends Error {}

/**
 * @param {string} name of a package
 * @returns {Promise<object>} the module
 * @throws {PeerMissing}
 */
export async function loadPeer(name) {
  try {
    // It loads its native part late, at the first database.
    if (name === SQLITE) require(SQLITE_ADDON);
    return await import(name);
  } catch (cause) {
    throw new PeerMissing(
      `not measured: ${name} cannot be loaded (${cause.code ?? cause.message})`,
      { cause },
    );
  }
}

/**
 * Builds what npm does not bring: the native part of better-sqlite3, from the sources in its
 * package. It needs a C++ compiler, make and Python, and takes some minutes, once for a version of
 * Node. Its install script would ask GitHub for a binary first; no install script is run here.
 */
export async function buildPeers() {
  if (isLoadable(SQLITE_ADDON)) return;
  say("set-up", `building ${SQLITE} from its sources, which takes some minutes`);
  const cwd = path.dirname(require.resolve(`${SQLITE}/package.json`));
  const args = ["run", "--silent", "build-release", "--", "--silent", ...headersOfThisNode()];
  const code = await run("npm", args, { cwd, onStdout: () => {} });
  if (code !== 0) say("set-up", `${SQLITE} could not be built: its rows are left out`);
}

function isLoadable(addon) {
  try {
    require(addon);
    return true;
  } catch {
    return false;
  }
}

/** Node brings its headers along nearly everywhere; without them node-gyp fetches them. */
function headersOfThisNode() {
  const prefix = path.dirname(path.dirname(process.execPath));
  const here = fs.existsSync(path.join(prefix, "include/node/node.h"));
  return here ? [`--nodedir=${prefix}`] : [];
}
