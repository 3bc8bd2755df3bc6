import fs from "node:fs";
import os from "node:os";
import path from "node:path";

// Of Linux, <linux/magic.h>.
const TMPFS = 0x0102_1994;

/**
 * @returns {string} a new folder for temporary files, which goes when this process ends, by itself
 *   or by a signal that can be caught
 */
export function scratchFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-bench-"));
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  return folder;
}

/** Whether temporary files never reach a disk, so that what a flush costs cannot be seen. */
export function isInMemory() {
  return process.platform === "linux" && fs.statfsSync(os.tmpdir()).type === TMPFS;
}
