"use strict";

// What Linux tells of a process and of its locks.

const fs = require("node:fs");

/** For the option `skip` of a test: why this system cannot be asked, or false. */
const procIsMissing = fs.existsSync("/proc/self/task")
  ? false
  : "the system does not tell of processes under /proc";

/**
 * The locks that a process holds on a file.
 * @returns {{ kind: "READ" | "WRITE", first: number, last: number }[]} `first` and `last`: bytes
 */
function locksOn(file, pid = process.pid) {
  const { ino } = fs.statSync(file);
  return fs
    .readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , , holder, where]) => Number(holder) === pid && where?.endsWith(`:${ino}`))
    .map(([, , , kind, , , first, last]) => ({ kind, first: Number(first), last: Number(last) }))
    .sort((a, b) => a.first - b.first);
}

/** Whether every thread of a process has been stopped by a signal. */
function isStopped(pid) {
  return fs.readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = fs.readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    // The name before the state may hold anything, parentheses too.
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  });
}

/** @returns {{ descriptors: number, threads: number }} what this process holds */
function held() {
  return {
    descriptors: fs.readdirSync("/proc/self/fd").length,
    threads: fs.readdirSync("/proc/self/task").length,
  };
}

module.exports = { procIsMissing, locksOn, isStopped, held };
