//! The class that a JS handle holds.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use fencekv_kv::{KeyRange, Limits, Selector, encode_cursor};
use fencekv_sqlite::{Durability, FileOptions, PageRequest, Read, Request, Started, Store};
use napi::bindgen_prelude::{FnArgs, Function, FunctionRef, ObjectFinalize, Status, Uint8Array};
use napi::{CleanupEnvHook, Env};
use napi_derive::napi;

use crate::clock::MonotonicClock;
use crate::failure::Failure;
use crate::js::{Js, Kind, Raw, Value};
use crate::mailbox::Mailbox;
use crate::reply::{Entries, Packer, lane_number};
use crate::{commit, key, limits, reply};

/// Makes an error of a failure.
type Fail<'a> = Function<'a, FnArgs<(Raw,)>, Raw>;

/// How a store on a file is used.
#[napi(object)]
pub struct NativeFileOptions {
    /// Absolute.
    pub path: String,
    /// Whether a commit is acknowledged only when it is on the disk.
    pub full_durability: bool,
    /// Milliseconds.
    pub busy_timeout_ms: f64,
}

/// A handle. Results that are not there yet come through `settle`, lane by lane in order.
#[napi(custom_finalize)]
pub struct NativeStore {
    store: Rc<RefCell<Store>>,
    limits: Limits,
    scratch: RefCell<Uint8Array>,
    fail: FunctionRef<FnArgs<(Raw,)>, Raw>,
    /// Of a store on a file.
    lanes: Option<Lanes>,
}

struct Lanes {
    mailbox: Arc<Mailbox>,
    /// Answers and ends that lanes owe.
    in_flight: Cell<i64>,
    teardown: Rc<Teardown>,
    hook: CleanupEnvHook<Rc<Teardown>>,
}

/// What is to be done when the environment goes. It outlives the handle, so it does not hold it.
struct Teardown {
    store: RefCell<Weak<RefCell<Store>>>,
    done: Cell<bool>,
}

#[napi]
impl NativeStore {
    /// `file` is undefined for a store in memory. `scratch` is where values of quick reads are
    /// left; `fail` makes an error of a failure; `settle` takes `(lane, [ok, value or failure,
    /// ...])`, or `(lane, undefined)` when the lane has ended.
    #[napi(constructor)]
    pub fn new(
        env: Env,
        file: Option<NativeFileOptions>,
        limits: HashMap<String, f64>,
        scratch: Uint8Array,
        fail: Fail<'_>,
        settle: Function<'_, FnArgs<(u32, Raw)>, Raw>,
    ) -> napi::Result<Self> {
        let (store, lanes) = match file {
            None => match Store::memory() {
                Ok(store) => (Rc::new(RefCell::new(store)), None),
                Err(error) => return Err(throw(Js::new(env), &fail, &error.into())?),
            },
            Some(options) => {
                let (store, lanes) = open_lanes(env, options, settle)?;
                (store, Some(lanes))
            }
        };
        Ok(Self {
            store,
            limits: limits::read(&limits),
            scratch: RefCell::new(scratch),
            fail: fail.create_ref()?,
            lanes,
        })
    }

    /// The default of every limit, by name.
    #[napi]
    pub fn default_limits() -> HashMap<&'static str, f64> {
        limits::defaults()
    }

    /// Creates, opens and migrates the file. Queued on the writer's lane.
    #[napi]
    pub fn open(&self, env: Env) -> napi::Result<Raw> {
        self.call(env, |js| self.submit(env, js, Request::Open))
    }

    /// A point read: null, or a versionstamp with the value in the scratch buffer, or
    /// `[buffer, versionstamp]` of a value that has no room there, or the lane it was queued on.
    #[napi]
    pub fn get(&self, env: Env, key: Raw, now: f64) -> napi::Result<Raw> {
        self.call(env, |js| {
            let key = key::read_entry_key(js, key.0)?;
            self.limits.check_key_to_read(&key)?;
            let mut scratch = self.scratch.borrow_mut();
            let started = self
                .store
                .borrow_mut()
                .point(key, now as i64, |entry| match entry {
                    None => js.make(napi::bindgen_prelude::Null),
                    Some(entry) => Packer::new(bytes_of(&mut scratch)).pack_one(js, entry),
                })?;
            Ok(self.started(env, js, started, |value| value)?)
        })
    }

    /// Point reads of one snapshot: `[buffer | undefined, versionstamp | null, ...]`, or the lane.
    #[napi]
    pub fn get_many(&self, env: Env, keys: Raw, now: f64) -> napi::Result<Raw> {
        self.call(env, |js| {
            let len = js.array_len(keys.0)?.unwrap_or(0);
            self.limits.check_get_many(len as usize)?;
            let keys = (0..len)
                .map(|index| {
                    let key = key::read_entry_key(js, js.element(keys.0, index)?)?;
                    self.limits.check_key_to_read(&key)?;
                    Ok(key)
                })
                .collect::<Result<Vec<_>, Failure>>()?;
            let mut scratch = self.scratch.borrow_mut();
            let mut entries = Entries::new(js, Packer::new(bytes_of(&mut scratch)));
            let read = Read::Points {
                keys,
                now: now as i64,
            };
            let mut failed = Ok(());
            let started = self.store.borrow_mut().read(read, |entry| {
                if failed.is_ok() {
                    failed = entries.push_point(entry);
                }
            })?;
            Ok(self.started(env, js, started, |()| {
                failed.and_then(|()| entries.finish())
            })?)
        })
    }

    /// An encoded key, which JS holds without looking inside.
    #[napi]
    pub fn encode_key(&self, env: Env, key: Raw) -> napi::Result<Raw> {
        self.call(env, |js| {
            Ok(js.new_latin1(key::read(js, key.0)?.as_bytes())?)
        })
    }

    /// The range `[start, end]` of a selector, each of whose members may be undefined.
    #[napi]
    pub fn select(
        &self,
        env: Env,
        prefix: Raw,
        start: Raw,
        end: Raw,
        batch: f64,
    ) -> napi::Result<Raw> {
        self.call(env, |js| {
            let key = |member: &Raw| match js.kind(member.0)? {
                Kind::Undefined => Ok(None),
                _ => key::read(js, member.0).map(Some),
            };
            let range = match (key(&prefix)?, key(&start)?, key(&end)?) {
                (Some(prefix), start, end) => Selector::Prefix { prefix, start, end },
                (None, Some(start), Some(end)) => Selector::Range { start, end },
                _ => {
                    let message = "a selector needs a prefix, or both start and end";
                    return Err(Failure::coded("INVALID_SELECTOR", message));
                }
            }
            .range()?;
            self.limits.check_range(&range)?;
            self.limits.check_batch(batch as usize)?;
            Ok(js.array_of(&[js.new_latin1(&range.start)?, js.new_latin1(&range.end)?])?)
        })
    }

    /// A page of a range past `cursor` ("" is from its beginning), as `reply::Entries` lays it out,
    /// or the lane.
    #[napi]
    pub fn page(
        &self,
        env: Env,
        range: Raw,
        cursor: String,
        reverse: bool,
        limit: f64,
        now: f64,
    ) -> napi::Result<Raw> {
        self.call(env, |js| {
            let range = read_range(js, range.0)?.after_cursor(&cursor, reverse)?;
            let read = Read::Page(PageRequest {
                range,
                reverse,
                limit: limit as usize,
                now: now as i64,
            });
            let mut scratch = self.scratch.borrow_mut();
            let mut entries = Entries::new(js, Packer::new(bytes_of(&mut scratch)));
            let mut failed = Ok(());
            let started = self.store.borrow_mut().read(read, |entry| {
                if let (Ok(()), Some(entry)) = (&failed, entry) {
                    failed = entries.push_listed(entry);
                }
            })?;
            Ok(self.started(env, js, started, |()| {
                failed.and_then(|()| entries.finish())
            })?)
        })
    }

    /// The cursor past an entry of a range.
    #[napi]
    pub fn cursor(&self, env: Env, range: Raw, key: Raw) -> napi::Result<Raw> {
        self.call(env, |js| {
            let range = read_range(js, range.0)?;
            Ok(js.new_text(&encode_cursor(&range, &js.latin1(key.0)?))?)
        })
    }

    /// Commits; see `commit::read` for the arrays. In memory, what `reply::value` makes of the
    /// outcome; on a file undefined: the answer comes on the writer's lane.
    #[napi]
    pub fn commit(&self, env: Env, checks: Raw, mutations: Raw, now: f64) -> napi::Result<Raw> {
        self.call(env, |js| {
            let commit = commit::read(js, checks.0, mutations.0, now as i64, &self.limits)?;
            self.submit(env, js, Request::Commit(commit))
        })
    }

    /// Removes a chunk of expired entries; the answer, how many, comes as that of `commit`.
    #[napi]
    pub fn sweep(&self, env: Env, now: f64) -> napi::Result<Raw> {
        self.call(env, |js| {
            self.submit(env, js, Request::Sweep { now: now as i64 })
        })
    }

    /// Lets the lanes begin with what was queued in this turn.
    #[napi]
    pub fn flush(&self) {
        self.store.borrow().flush();
    }

    /// Says that so many answers of a lane have been taken.
    #[napi]
    pub fn settled(&self, env: Env, lane: u32, count: u32) -> napi::Result<Raw> {
        self.call(env, |js| {
            if let Some(lane) = reply::lane(lane) {
                self.store.borrow_mut().settled(lane, count as usize);
            }
            self.owe(env, -i64::from(count));
            Ok(js.make(())?)
        })
    }

    /// Takes no more calls; what is queued is still answered. How many lanes will end, each of
    /// which is to be told by `ended`. Safe to repeat, and then there are none.
    #[napi]
    pub fn close(&self, env: Env) -> napi::Result<Raw> {
        self.call(env, |js| {
            let ending = self.store.borrow_mut().close();
            self.owe(env, ending as i64);
            Ok(js.make(ending as u32)?)
        })
    }

    /// Says that a lane's end has been taken note of.
    #[napi]
    pub fn ended(&self, env: Env) {
        self.owe(env, -1);
    }

    /// Every call goes this way: a failure is thrown as what `fail` makes of it, and a panic, a
    /// defect, is one too.
    fn call(&self, env: Env, work: impl FnOnce(Js) -> Result<Value, Failure>) -> napi::Result<Raw> {
        let js = Js::new(env);
        let result = catch_unwind(AssertUnwindSafe(|| work(js)))
            .unwrap_or_else(|_| Err(Failure::coded("INTERNAL", "a panic in the binding")));
        match result {
            Ok(value) => Ok(Raw(value)),
            Err(Failure::Js(error)) => Err(error),
            Err(failure) => Err(throw(js, &self.fail.borrow_back(&env)?, &failure)?),
        }
    }

    fn submit(&self, env: Env, js: Js, request: Request) -> Result<Value, Failure> {
        match self.store.borrow_mut().submit(request)? {
            Started::Done(answer) => Ok(reply::value(js, answer?)?),
            Started::Queued(_) => {
                self.owe(env, 1);
                Ok(js.make(())?)
            }
        }
    }

    /// The value of what is done, or the lane whose answer has to be waited for.
    fn started<T>(
        &self,
        env: Env,
        js: Js,
        started: Started<T>,
        value: impl FnOnce(T) -> napi::Result<Value>,
    ) -> napi::Result<Value> {
        match started {
            Started::Done(done) => value(done),
            Started::Queued(lane) => {
                self.owe(env, 1);
                js.make(lane_number(lane))
            }
        }
    }

    /// Counts what the lanes owe. While there is anything, the process lives.
    fn owe(&self, env: Env, change: i64) {
        let Some(lanes) = &self.lanes else { return };
        let before = lanes.in_flight.get();
        let after = before + change;
        lanes.in_flight.set(after);
        match (before, after) {
            (0, 1..) => lanes.mailbox.hold(env, true),
            (1.., 0) => lanes.mailbox.hold(env, false),
            _ => {}
        }
    }
}

/// A store on a file, and what hands its answers to `settle`.
fn open_lanes(
    env: Env,
    options: NativeFileOptions,
    settle: Function<'_, FnArgs<(u32, Raw)>, Raw>,
) -> napi::Result<(Rc<RefCell<Store>>, Lanes)> {
    let mailbox = Mailbox::new(&settle)?;
    let file = FileOptions {
        durability: match options.full_durability {
            true => Durability::Full,
            false => Durability::Normal,
        },
        busy_timeout_ms: options.busy_timeout_ms as u64,
    };
    let path = PathBuf::from(options.path);
    let store = Store::file(path, file, Arc::new(MonotonicClock), mailbox.sinks());
    let store = Rc::new(RefCell::new(store));
    let teardown = Rc::new(Teardown {
        store: RefCell::new(Rc::downgrade(&store)),
        done: Cell::new(false),
    });
    let hook = env.add_env_cleanup_hook(Rc::clone(&teardown), |teardown| {
        teardown.done.set(true);
        if let Some(store) = teardown.store.borrow().upgrade() {
            store.borrow_mut().abort();
        }
    })?;
    let lanes = Lanes {
        mailbox,
        in_flight: Cell::new(0),
        teardown,
        hook,
    };
    Ok((store, lanes))
}

/// Throws what `fail` makes of a failure; gives what the binding function has to return then.
fn throw(js: Js, fail: &Fail<'_>, failure: &Failure) -> napi::Result<napi::Error> {
    let error = fail.call((Raw(failure.to_js(js)?),).into())?;
    js.throw(error.0)?;
    Ok(napi::Error::from_status(Status::PendingException))
}

impl ObjectFinalize for NativeStore {
    fn finalize(self, env: Env) -> napi::Result<()> {
        let Some(lanes) = self.lanes else {
            return Ok(());
        };
        // napi never frees the hook itself: let it hold nothing.
        lanes.teardown.store.take();
        match lanes.teardown.done.get() {
            true => Ok(()),
            false => env.remove_env_cleanup_hook(lanes.hook),
        }
    }
}

/// A range as `select` made it.
fn read_range(js: Js, range: Value) -> napi::Result<KeyRange> {
    Ok(KeyRange {
        start: js.latin1(js.element(range, 0)?)?,
        end: js.latin1(js.element(range, 1)?)?,
    })
}

fn bytes_of(scratch: &mut Uint8Array) -> &mut [u8] {
    // SAFETY: JS hands the scratch buffer over for this use, reads it only between two calls, and
    // never detaches it.
    unsafe { scratch.as_mut() }
}
