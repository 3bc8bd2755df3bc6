"use strict";

const { dirname } = require("node:path");
const { KvError } = require("./errors.js");

let binding;

/**
 * The native part, loaded when something is first opened, so that importing the package works
 * without it.
 * @throws {KvError} NO_BINDING with `tried`: each path and why it failed
 */
function native() {
  binding ??= load();
  return binding;
}

function load() {
  const tried = [];
  for (const target of targets()) {
    for (const path of [`../fencekv.${target}.node`, `@fencekv/${target}`]) {
      try {
        return require(path);
      } catch (error) {
        tried.push(`${path}: ${String(error.message).split("\n", 1)[0]}`);
      }
    }
  }
  throw new KvError(
    "NO_BINDING",
    `fencekv has no native part for ${process.platform}-${process.arch}: run "npm run build" in ` +
      `${dirname(__dirname)}, or install the package @fencekv/${targets()[0]}`,
    { tried },
  );
}

/** By likelihood: a Linux without glibc's loader fails on the first and takes the second. */
function targets() {
  const target = `${process.platform}-${process.arch}`;
  return process.platform === "linux" ? [`${target}-gnu`, `${target}-musl`] : [target];
}

module.exports = { native };
