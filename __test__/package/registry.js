"use strict";

const { createHash } = require("node:crypto");
const { once } = require("node:events");
const fs = require("node:fs");
const { createServer } = require("node:http");
const path = require("node:path");

/**
 * A registry on this machine that has one version of each package.
 *
 * @param {import("node:test").TestContext} t the registry ends with it
 * @param {string} folder what scripts/pack.js made: tarballs, and each package unpacked
 * @returns {Promise<string>} its address
 */
async function startRegistry(t, folder) {
  const server = createServer((request, response) => {
    const wanted = path.join(folder, path.basename(request.url));
    if (!fs.existsSync(wanted)) {
      response.writeHead(404).end();
    } else if (wanted.endsWith(".tgz")) {
      response.end(fs.readFileSync(wanted));
    } else {
      const origin = `http://${request.headers.host}`;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(packument(wanted, origin)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${server.address().port}/`;
}

/** What a registry says of a package. */
function packument(unpacked, origin) {
  const manifest = JSON.parse(fs.readFileSync(path.join(unpacked, "package.json"), "utf8"));
  const { name, version } = manifest;
  const file = `${name}-${version}.tgz`;
  const bytes = fs.readFileSync(path.join(path.dirname(unpacked), file));
  const dist = {
    tarball: `${origin}/${name}/-/${file}`,
    integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
  };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

module.exports = { startRegistry };
