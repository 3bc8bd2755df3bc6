"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run } = require("../../scripts/child.js");
const { start, succeed } = require("../support/programs.js");

const PROGRAMS = path.join(__dirname, "programs");
// As the programs import it.
const IMPORTED = "@deno/kv";

/** A user's folder, in which packages are installed and programs run. */
class Project {
  /**
   * @param {Record<string, string>} [dependencies] of its package.json; without them it has none
   * @param {string} [imported] what the programs import the package as
   */
  constructor(dependencies, imported = IMPORTED) {
    // Without symbolic links, since paths are compared.
    this.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-package-")));
    if (dependencies !== undefined) {
      fs.writeFileSync(this.path("package.json"), JSON.stringify({ dependencies }));
    }
    for (const name of fs.readdirSync(PROGRAMS)) {
      const text = fs.readFileSync(path.join(PROGRAMS, name), "utf8");
      fs.writeFileSync(this.path(name), text.replaceAll(`"${IMPORTED}"`, `"${imported}"`));
    }
  }

  path(...parts) {
    return path.join(this.folder, ...parts);
  }

  /**
   * Installs the dependencies.
   * @throws {Error} when the command fails
   */
  async install(command, args, env) {
    let output = "";
    const onStdout = (chunk) => (output += chunk);
    const code = await run(command, args, { cwd: this.folder, env, onStdout });
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed (${code})\n${output}`);
  }

  /**
   * Runs a program of programs/ on a runtime, on a store that is not there yet.
   * @returns {Promise<object>} its one line
   */
  async run(t, { path: binary, args }, name, env) {
    for (const file of fs.readdirSync(this.folder)) {
      if (file.startsWith("x.db")) fs.rmSync(this.path(file));
    }
    const options = { cwd: this.folder, env: { ...process.env, NO_COLOR: "1", ...env } };
    const lines = await succeed(start(t, binary, [...args, this.path(name)], options));
    return lines[0];
  }

  remove() {
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

module.exports = { Project, IMPORTED };
