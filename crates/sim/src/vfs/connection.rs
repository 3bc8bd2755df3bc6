//! The connection that a thread opened last.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Weak};

use rusqlite::ffi;

use super::fault::{Operation, strike};

/// Of an open database file: where SQLite keeps the connection that it belongs to.
#[derive(Default)]
pub(super) struct Owner(AtomicPtr<*mut ffi::sqlite3>);

thread_local! {
    /// Gone when its file is closed.
    static LATEST: RefCell<Weak<Owner>> = const { RefCell::new(Weak::new()) };
}

impl Owner {
    /// Called when SQLite tells the file of its connection, on the thread that opens it.
    pub(super) fn set(self: &Arc<Self>, place: *mut *mut ffi::sqlite3) {
        self.0.store(place, Ordering::Release);
        LATEST.set(Arc::downgrade(self));
    }
}

fn latest() -> Option<*mut ffi::sqlite3> {
    let owner = LATEST.try_with(|latest| latest.borrow().upgrade()).ok()??;
    let place = owner.0.load(Ordering::Acquire);
    // SAFETY: SQLite gave the place, which outlives the open file; and that is not closed
    // meanwhile, since a connection stays on the thread that asks here for its own.
    unsafe { place.as_ref() }.copied()
}

/// Runs a pragma, say `cache_size = 1`, on the connection that this thread opened last.
///
/// # Panics
///
/// If there is none or it fails.
pub fn pragma(pragma: &str) {
    let connection = latest().expect("a connection of this thread");
    let statement = CString::new(format!("pragma {pragma}")).expect("no zero byte");
    // SAFETY: the connection is open, and the text is read during the call only.
    let code =
        unsafe { ffi::sqlite3_exec(connection, statement.as_ptr(), None, null_mut(), null_mut()) };
    assert_eq!(code, ffi::SQLITE_OK, "{pragma}");
}

/// The text of the statement that runs on the connection of this thread, empty if none does.
pub(super) fn running_statement() -> String {
    let Some(connection) = latest() else {
        return String::new();
    };
    let mut statement = null_mut();
    loop {
        // SAFETY: the connection is open, and the statement null or one of its own. Nothing is
        // changed, and SQLite is nowhere in the middle of a change of this list when it calls us.
        statement = unsafe { ffi::sqlite3_next_stmt(connection, statement) };
        if statement.is_null() {
            return String::new();
        }
        // SAFETY: it was found right now.
        if unsafe { ffi::sqlite3_stmt_busy(statement) } != 0 {
            // SAFETY: it was found right now; its text lives as long as it does.
            let text = unsafe { CStr::from_ptr(ffi::sqlite3_sql(statement)) };
            return text.to_string_lossy().into_owned();
        }
    }
}

/// Has the connection of this thread tell of the steps of its statements. Its own handler, if it
/// has one, is told no more.
pub(super) fn tell_of_steps() {
    set_progress_handler(Some(on_step));
}

/// Ends [`tell_of_steps`].
pub(super) fn tell_of_steps_no_more() {
    set_progress_handler(None);
}

fn set_progress_handler(handler: Option<unsafe extern "C" fn(*mut c_void) -> c_int>) {
    if let Some(connection) = latest() {
        // SAFETY: the connection is open; the handler uses no argument.
        unsafe { ffi::sqlite3_progress_handler(connection, 1, handler, null_mut()) };
    }
}

unsafe extern "C" fn on_step(_: *mut c_void) -> c_int {
    c_int::from(strike(Operation::Step).is_some())
}
