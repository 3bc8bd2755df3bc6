"use strict";

// npm run lint: everything that judges the sources without running them. All steps run, so that one
// pass shows all there is to mend.

const { run, say } = require("./child.js");
const { install } = require("./install.js");

const CLIPPY = "--all-targets --locked -- -D warnings".split(" ");
const FUZZ = ["--manifest-path", "fuzz/Cargo.toml"];

const STEPS = [
  ["rustfmt", "cargo", ["fmt", "--all", "--check"]],
  ["rustfmt, fuzz", "cargo", ["fmt", ...FUZZ, "--check"]],
  ["clippy", "cargo", ["clippy", "--workspace", ...CLIPPY]],
  ["clippy, fuzz", "cargo", ["clippy", ...FUZZ, "--no-default-features", ...CLIPPY]],
  [
    "rustdoc",
    "cargo",
    "doc --workspace --no-deps --locked".split(" "),
    { RUSTDOCFLAGS: "-D warnings" },
  ],
  ["prettier", process.execPath, ["node_modules/prettier/bin/prettier.cjs", "--check", "."]],
];

async function main() {
  await install(".");
  const failed = [];
  for (const [name, command, args, env] of STEPS) {
    say("lint", name);
    if ((await run(command, args, { env })) !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new Error(`lint: failed: ${failed.join(", ")}`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
