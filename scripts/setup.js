"use strict";

// node scripts/setup.js [folder...]: makes a fresh clone ready to run. Installs the packages of the
// root and of the folders named, and builds the binding; does only what is not done already.

const { buildBinding } = require("./build.js");
const { install } = require("./install.js");

/**
 * @param {string[]} folders packages beside the root whose dependencies are needed, relative to it
 * @throws {Error} when a step fails
 */
async function setUp(folders = []) {
  for (const folder of [".", ...folders]) await install(folder);
  await buildBinding();
}

module.exports = { setUp };

if (require.main === module) {
  setUp(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
