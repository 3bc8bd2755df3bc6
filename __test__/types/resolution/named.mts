// The package as an ES module sees it, through its own manifest.

import { Kv, openKv, type DenoKvLike } from "fencekv";

export const kv: DenoKvLike = new Kv();
export const opened: Promise<Kv> = openKv();
