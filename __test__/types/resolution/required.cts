// The package as a CommonJS module sees it, through its own manifest.

import fencekv = require("fencekv");

export const kv: fencekv.DenoKvLike = new fencekv.Kv();
export const opened: Promise<fencekv.Kv> = fencekv.openKv();
