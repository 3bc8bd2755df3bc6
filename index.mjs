import fencekv from "./index.js";

export const { openKv, Kv, AtomicOperation, KvListIterator, KvU64, KvError } = fencekv;
export default fencekv;
