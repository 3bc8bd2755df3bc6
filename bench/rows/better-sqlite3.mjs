import path from "node:path";
import v8 from "node:v8";
import { openKv } from "../../index.mjs";
import { getInTurn, listAll } from "../deno-api.mjs";
import { AT_RANDOM, ENTRIES, expectListed, expectValue, load, valueOf } from "../entries.mjs";
import { comparison, spaced } from "../measure.mjs";
import { loadPeer } from "../peers.mjs";

/**
 * The embedded file against what one would write by hand on `better-sqlite3`: its calls return at
 * once where ours are awaited, its values are V8's own serialization.
 *
 * @param {string} folder scratch
 */
export async function open(folder) {
  const { default: Database } = await loadPeer("better-sqlite3");
  const kv = await openKv(path.join(folder, "fencekv.db"));
  await load(kv);
  const table = new Table(new Database(path.join(folder, "better-sqlite3.db")));
  const row = (name, ours, theirs) =>
    comparison({ name, peer: "better-sqlite3", atLeast: 1, ops: ENTRIES, ours, theirs });
  return {
    rows: [
      row(
        "get, one after another",
        () => getInTurn(kv),
        () => table.getInTurn(),
      ),
      row(
        `list of ${spaced(ENTRIES)}`,
        () => listAll(kv),
        () => table.listAll(),
      ),
    ],
    async close() {
      await kv[Symbol.asyncDispose]();
      table.close();
    },
  };
}

/** A table of keys and values. */
class Table {
  #database;
  #get;
  #list;

  constructor(database) {
    this.#database = database;
    // As ours: the defaults of better-sqlite3 are a rollback journal and, in WAL, no flush a commit.
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.exec("create table kv (k text primary key, v blob not null) without rowid");
    const insert = database.prepare("insert into kv (k, v) values (?, ?)");
    database.transaction(() => {
      for (let i = 0; i < ENTRIES; i += 1) insert.run(textKeyOf(i), v8.serialize(valueOf(i)));
    })();
    this.#get = database.prepare("select v from kv where k = ?");
    this.#list = database.prepare("select k, v from kv where k >= ? and k < ? order by k");
  }

  getInTurn() {
    for (const i of AT_RANDOM) expectValue(v8.deserialize(this.#get.get(textKeyOf(i)).v), i);
  }

  listAll() {
    let seen = 0;
    for (const { v } of this.#list.iterate("bench/", "bench0")) {
      expectValue(v8.deserialize(v), seen);
      seen += 1;
    }
    expectListed(seen);
  }

  close() {
    this.#database.close();
  }
}

/** Text whose order is that of the numbers. */
function textKeyOf(i) {
  return `bench/${String(i).padStart(8, "0")}`;
}
