"use strict";

// The disk has no space left, or refuses that the file grows: a commit says so by its code, leaves
// nothing, and the same handle works again when there is space.

const assert = require("node:assert/strict");
const { execFileSync, spawnSync } = require("node:child_process");
const path = require("node:path");
const { test } = require("node:test");
const { start, startNode } = require("../support/programs.js");
const { onFile, sqliteIsMissing } = require("../support/sqlite.js");
const { temporaryFile, temporaryFolder } = require("../support/stores.js");
const { countWhole } = require("./commits.js");

const FILLER = path.join(__dirname, "programs/filler.js");

/** Bytes: of a disk, of what can be removed from it, and to which a file may grow. */
const DISK = 2 << 20;
const BALLAST = 1 << 20;
const LARGEST = 1 << 20;

/** In a namespace of its own a process may mount a disk, which ends with the process. */
const NAMESPACE = [["--mount"], ["--mount", "--map-root-user"]].find((flags) => {
  return spawnSync("unshare", [...flags, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
});

/** For the option `skip` of a test: why no disk can be mounted, or false. */
const noDisk = NAMESPACE ? false : "this system lets the test mount no disk of its own (unshare)";
const noLimit =
  spawnSync("prlimit", ["--version"]).status === 0
    ? false
    : "prlimit, which bounds the size of a file, is not installed";

/** Runs commands of filler.js. */
function commander(program) {
  return (...command) => {
    program.tell(command);
    return program.line();
  };
}

/** A filler on a small disk of its own. */
async function onSmallDisk(t) {
  const folder = temporaryFolder(t);
  const mount = `mount -t tmpfs -o size=${DISK} tmpfs "$0" && exec "$@"`;
  const file = path.join(folder, "app.db");
  const program = start(t, "unshare", [
    ...[...NAMESPACE, "sh", "-c", mount, folder],
    ...[process.execPath, FILLER, file],
  ]);
  assert.equal(await program.line(), "open");
  return { program, run: commander(program) };
}

test("a disk that is full", { skip: noDisk }, async (t) => {
  const { program, run } = await onSmallDisk(t);
  await run("occupy", "ballast", BALLAST);
  const { code, count, last } = await run("fill");
  assert.equal(code, "DISK_FULL");
  assert.ok(count > 0);
  assert.equal(await run("occupy", "rest", DISK), "ENOSPC");

  // Again and again, alone and in a group: refused, and nothing is there by half.
  for (let again = 0; again < 3; again++) {
    assert.deepEqual(await run("commit", 0, count + 1), { code: "DISK_FULL" });
    assert.deepEqual(await run("together", [1, 2, 3, 4, 5]), new Array(5).fill("DISK_FULL"));
    assert.deepEqual(countWhole(await run("contents"), 6), [count, 0, 0, 0, 0, 0]);
  }
  const [name, codeOfOpen] = await run("openAnother", "another.db");
  assert.deepEqual([name, codeOfOpen], ["KvError", "DISK_FULL"]);

  await run("remove", "ballast");
  const { versionstamp } = await run("commit", 0, count + 1);
  assert.ok(versionstamp > last, `${versionstamp} does not rise above ${last}`);
  assert.deepEqual(await run("together", [1, 2]), [null, null]);
  assert.deepEqual(countWhole(await run("contents"), 3), [count + 1, 1, 1]);
  assert.equal((await program.end()).code, 0);
});

test("a file that may not grow", { skip: noLimit || sqliteIsMissing }, async (t) => {
  const file = temporaryFile(t);
  const program = startNode(t, FILLER, [file]);
  assert.equal(await program.line(), "open");
  const run = commander(program);
  /** Bytes to which any file of the program may grow. */
  const limit = (size) => execFileSync("prlimit", ["--pid", program.pid, `--fsize=${size}:`]);

  limit(LARGEST);
  const { code, count, last } = await run("fill");
  // Which of them depends on whether SQLite writes to its log before the COMMIT.
  assert.ok(["IO", "UNKNOWN_OUTCOME"].includes(code), code);
  const [there] = countWhole(await run("contents"), 1);
  assert.ok(there === count || (there === count + 1 && code === "UNKNOWN_OUTCOME"));

  limit("unlimited");
  const { versionstamp } = await run("commit", 0, there + 1);
  assert.ok(versionstamp > last, `${versionstamp} does not rise above ${last}`);
  assert.deepEqual(await run("together", [1, 2]), [null, null]);
  assert.deepEqual(countWhole(await run("contents"), 3), [there + 1, 1, 1]);
  assert.equal((await program.end()).code, 0);
  assert.deepEqual(await onFile(t, file, "pragma integrity_check"), [{ integrity_check: "ok" }]);
});
