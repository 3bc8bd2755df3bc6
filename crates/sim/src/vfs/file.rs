//! Files of SQLite's own VFS with some of their methods replaced.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use rusqlite::ffi::{self, sqlite3_file, sqlite3_io_methods, sqlite3_vfs};

use super::connection::Owner;
use super::fault::{Operation, strike};
use super::recording::{Act, Part, Recording};

/// SQLite's own default VFS.
static REAL: AtomicPtr<sqlite3_vfs> = AtomicPtr::new(null_mut());

pub(super) fn install() {
    // SAFETY: null asks for the default, which is there as long as the process.
    let real = unsafe { ffi::sqlite3_vfs_find(std::ptr::null()) };
    REAL.store(real, Ordering::Release);
    // SAFETY: it is not null, and nobody changes it. The copy works with SQLite's functions, since
    // they find their data by a field that is copied too.
    let mut disturbed = unsafe { *real };
    disturbed.zName = c"disturbed".as_ptr();
    disturbed.pNext = null_mut();
    disturbed.xOpen = Some(open);
    disturbed.xDelete = Some(delete);
    // SAFETY: it lives as long as the process.
    let code = unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(disturbed)), 1) };
    assert_eq!(code, ffi::SQLITE_OK, "SQLite takes a VFS");
}

/// What stands in the place of an open file's methods. SQLite sees only the first field.
#[repr(C)]
struct Disturbed {
    methods: sqlite3_io_methods,
    /// Those that SQLite gave the file.
    real: &'static sqlite3_io_methods,
    recording: Option<(Arc<Recording>, Part)>,
    owner: Arc<Owner>,
}

impl Disturbed {
    /// # Safety
    ///
    /// `file` was opened by [`open`] with a name, and is not closed.
    unsafe fn of<'a>(file: *mut sqlite3_file) -> &'a Disturbed {
        // SAFETY: such a file's methods are the first field of one of these.
        unsafe { &*(*file).pMethods.cast::<Disturbed>() }
    }

    fn record(&self, code: c_int, act: impl FnOnce() -> Act) -> c_int {
        if let (ffi::SQLITE_OK, Some((recording, part))) = (code, &self.recording) {
            recording.add(*part, act());
        }
        code
    }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let vfs = REAL.load(Ordering::Acquire);
    // SAFETY: SQLite's own VFS, and the caller's arguments for the function they were meant for.
    let code = unsafe { ((*vfs).xOpen.expect("SQLite's own"))(vfs, name, file, flags, out_flags) };
    // What has no name is a temporary file: nothing is durable there, nor needs to be.
    if code != ffi::SQLITE_OK || name.is_null() {
        return code;
    }
    // SAFETY: the file is open, and SQLite's tables of methods are constants.
    let real: &'static sqlite3_io_methods = unsafe { &*(*file).pMethods };
    // SAFETY: SQLite's names end in a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let mut methods = *real;
    methods.xClose = Some(close);
    methods.xRead = Some(read);
    methods.xWrite = Some(write);
    methods.xTruncate = Some(truncate);
    methods.xSync = Some(sync);
    methods.xFileControl = Some(file_control);
    let disturbed = Box::new(Disturbed {
        methods,
        real,
        recording: Recording::find(&name),
        owner: Arc::default(),
    });
    // SAFETY: the file is open. What stands here now is freed when it is closed.
    unsafe { (*file).pMethods = Box::into_raw(disturbed).cast() };
    code
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    let vfs = REAL.load(Ordering::Acquire);
    // SAFETY: SQLite's own VFS, and the caller's arguments for the function they were meant for.
    let code = unsafe { ((*vfs).xDelete.expect("SQLite's own"))(vfs, name, sync_folder) };
    // SAFETY: SQLite's names end in a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    if let (ffi::SQLITE_OK, Some((recording, part))) = (code, Recording::find(&name)) {
        recording.add(part, Act::Delete);
    }
    code
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: `open` made it a box, and nothing refers to it after the file is closed.
    let disturbed = unsafe { Box::from_raw((*file).pMethods.cast::<Disturbed>().cast_mut()) };
    // SAFETY: the file has its own methods again when they are called.
    unsafe {
        (*file).pMethods = disturbed.real;
        (disturbed.real.xClose.expect("SQLite's own"))(file)
    }
}

unsafe extern "C" fn read(file: *mut sqlite3_file, to: *mut c_void, size: c_int, at: i64) -> c_int {
    if let Some(code) = strike(Operation::Read) {
        return code;
    }
    // SAFETY: SQLite calls the methods of open files only.
    let real = unsafe { Disturbed::of(file) }.real;
    // SAFETY: the caller's arguments for the function they were meant for.
    unsafe { (real.xRead.expect("SQLite's own"))(file, to, size, at) }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    size: c_int,
    at: i64,
) -> c_int {
    // A write that fails may have done a part of its work, a frame's header say.
    let struck = strike(Operation::Write);
    let size = if struck.is_some() { size / 2 } else { size };
    // SAFETY: SQLite calls the methods of open files only.
    let disturbed = unsafe { Disturbed::of(file) };
    // SAFETY: the caller's arguments, or fewer bytes, for the function they were meant for.
    let code = unsafe { (disturbed.real.xWrite.expect("SQLite's own"))(file, from, size, at) };
    disturbed.record(code, || {
        // SAFETY: the caller lends so many bytes there for this call.
        let bytes = unsafe { slice::from_raw_parts(from.cast::<u8>(), length(size.into())) };
        Act::Write {
            offset: length(at),
            bytes: bytes.to_vec(),
        }
    });
    struck.unwrap_or(code)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: i64) -> c_int {
    // SAFETY: SQLite calls the methods of open files only.
    let disturbed = unsafe { Disturbed::of(file) };
    // SAFETY: the caller's arguments for the function they were meant for.
    let code = unsafe { (disturbed.real.xTruncate.expect("SQLite's own"))(file, size) };
    disturbed.record(code, || Act::Truncate(length(size)))
}

/// Is noted, not done: no test cuts the power of the machine, and a real flush takes milliseconds.
unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    if let Some(code) = strike(Operation::Sync) {
        return code;
    }
    // SAFETY: SQLite calls the methods of open files only.
    unsafe { Disturbed::of(file) }.record(ffi::SQLITE_OK, || Act::Sync)
}

unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: SQLite calls the methods of open files only.
    let disturbed = unsafe { Disturbed::of(file) };
    if operation == ffi::SQLITE_FCNTL_PDB {
        disturbed.owner.set(argument.cast());
    }
    // SAFETY: the caller's arguments for the function they were meant for.
    unsafe { (disturbed.real.xFileControl.expect("SQLite's own"))(file, operation, argument) }
}

fn length(size: i64) -> usize {
    usize::try_from(size).expect("no file is longer than memory, nor negative")
}
