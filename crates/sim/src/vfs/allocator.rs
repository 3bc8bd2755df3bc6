//! SQLite's allocator, out of memory on request.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use rusqlite::ffi;

use super::fault::{Operation, strike};

type Malloc = unsafe extern "C" fn(c_int) -> *mut c_void;
type Realloc = unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void;

/// What SQLite allocates with by itself.
static REAL: OnceLock<(Malloc, Realloc)> = OnceLock::new();

pub(super) fn install() {
    let mut real = ffi::sqlite3_mem_methods {
        xMalloc: None,
        xFree: None,
        xRealloc: None,
        xSize: None,
        xRoundup: None,
        xInit: None,
        xShutdown: None,
        pAppData: null_mut(),
    };
    // SAFETY: this option takes one pointer to methods, which it fills.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut real) };
    assert_eq!(code, ffi::SQLITE_OK, "SQLite is in use already");
    let malloc_and_realloc = real.xMalloc.zip(real.xRealloc);
    REAL.get_or_init(|| malloc_and_realloc.expect("SQLite's own"));
    let mut methods = real;
    methods.xMalloc = Some(malloc);
    methods.xRealloc = Some(realloc);
    // SAFETY: this option takes one pointer to methods, which SQLite copies. All but two are its
    // own, and those two hand on their arguments as they are.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods) };
    assert_eq!(code, ffi::SQLITE_OK, "SQLite takes an allocator");
}

fn real() -> (Malloc, Realloc) {
    *REAL.get().expect("installed")
}

unsafe extern "C" fn malloc(size: c_int) -> *mut c_void {
    if strike(Operation::Allocation).is_some() {
        return null_mut();
    }
    let (malloc, _) = real();
    // SAFETY: the caller's argument for the function it was meant for.
    unsafe { malloc(size) }
}

unsafe extern "C" fn realloc(block: *mut c_void, size: c_int) -> *mut c_void {
    if strike(Operation::Allocation).is_some() {
        return null_mut();
    }
    let (_, realloc) = real();
    // SAFETY: the caller's arguments for the function they were meant for.
    unsafe { realloc(block, size) }
}
