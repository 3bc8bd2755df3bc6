"use strict";

const { dirname, join } = require("node:path");
const { KvError } = require("./errors.js");

const ROOT = dirname(__dirname);

/**
 * What a platform's binaries may be linked with, by likelihood; elsewhere there is one kind. All are
 * tried: telling them apart takes a file or a report that may be missing.
 */
const ABIS = { linux: ["gnu", "musl"], win32: ["msvc"] };

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
  const manifest = require("../package.json");
  const tried = [];
  for (const target of targets()) {
    for (const attempt of [builtHere, installed]) {
      const { place, open } = attempt(target, manifest);
      try {
        return checked(open());
      } catch (error) {
        tried.push(`${place}: ${reason(error)}`);
      }
    }
  }
  throw new KvError("NO_BINDING", complaint(manifest, tried), { tried });
}

function checked(found) {
  if (typeof found.NativeStore === "function") return found;
  throw new Error("it is another program's");
}

/** Where `npm run build` puts it. */
function builtHere(target) {
  const path = join(ROOT, fileName(target));
  return { place: path, open: () => require(path) };
}

/** The platform's package: optional, so that a package manager takes only the one that fits. */
function installed(target, { version }) {
  const name = packageName(target);
  const open = () => {
    // Only one and the same build of JS and Rust speaks the same language.
    const found = require(`${name}/package.json`).version;
    if (found !== version) throw new Error(`it is version ${found}, and fencekv is ${version}`);
    return require(name);
  };
  return { place: `${name} (from ${ROOT})`, open };
}

function complaint({ version, optionalDependencies = {} }, tried) {
  const commands = targets()
    .map(packageName)
    .filter((name) => Object.hasOwn(optionalDependencies, name))
    .map((name) => `"npm install ${name}@${version}"`);
  const ways = [...commands, `"npm run build" in its sources, which puts it in ${ROOT}`];
  return (
    `the native part of fencekv for ${process.platform}-${process.arch} cannot be loaded; ` +
    `it comes with ${ways.join(", or ")}. Tried were: ${tried.join("; ")}`
  );
}

/** One line: the loaders of some runtimes add where the call came from. */
function reason({ code, message }) {
  return code === "MODULE_NOT_FOUND" ? "not there" : message.split("\n", 1)[0];
}

/**
 * The builds that may run on a machine, by likelihood; npm/ has a package for each.
 * @param {string} [platform] as `process.platform` has it
 * @param {string} [arch] as `process.arch` has it
 * @returns {string[]} for example `["linux-x64-gnu", "linux-x64-musl"]`
 */
function targets(platform = process.platform, arch = process.arch) {
  const machine = `${platform}-${arch}`;
  return ABIS[platform]?.map((abi) => `${machine}-${abi}`) ?? [machine];
}

/** The file that holds the native part for a target. */
function fileName(target) {
  return `fencekv.${target}.node`;
}

/** The npm package that holds the native part for a target. */
function packageName(target) {
  return `fencekv-${target}`;
}

module.exports = { native, targets, fileName, packageName };
