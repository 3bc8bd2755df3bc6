//! Faults, and when they strike.

use std::cell::RefCell;
use std::ffi::c_int;

use rusqlite::ffi;

use super::connection;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A write finds the disk full, after half of its bytes.
    Full,
    /// A write fails, after half of its bytes.
    Write,
    /// A read fails.
    Read,
    /// A flush fails. What was to be flushed is in the file all the same.
    Sync,
    /// There is no memory.
    NoMemory,
    /// A statement is told to stop, at its end or at a jump on its way there.
    Interrupt,
}

/// What SQLite does on a thread, as far as a fault may strike it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Write,
    Read,
    Sync,
    Allocation,
    Step,
}

impl Fault {
    fn operation(self) -> Operation {
        match self {
            Fault::Full | Fault::Write => Operation::Write,
            Fault::Read => Operation::Read,
            Fault::Sync => Operation::Sync,
            Fault::NoMemory => Operation::Allocation,
            Fault::Interrupt => Operation::Step,
        }
    }

    fn code(self) -> c_int {
        match self {
            Fault::Full => ffi::SQLITE_FULL,
            Fault::Write => ffi::SQLITE_IOERR_WRITE,
            Fault::Read => ffi::SQLITE_IOERR_READ,
            Fault::Sync => ffi::SQLITE_IOERR_FSYNC,
            Fault::NoMemory => ffi::SQLITE_NOMEM,
            Fault::Interrupt => ffi::SQLITE_INTERRUPT,
        }
    }
}

/// A fault and its hour.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// What goes wrong.
    pub fault: Fault,
    /// So many operations that it might strike go well first.
    pub after: usize,
    /// So many operations it then strikes, one after another.
    pub times: usize,
}

/// What became of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Damage {
    /// Operations that it might have struck.
    pub operations: usize,
    /// For each that it did strike, the text of the statement that SQLite was at, empty if none.
    pub statements: Vec<String>,
}

struct Armed {
    plan: Plan,
    damage: Damage,
}

thread_local! {
    static ARMED: RefCell<Option<Armed>> = const { RefCell::new(None) };
}

/// Lets `plan` strike what SQLite does on this thread from now on.
pub fn arm(plan: Plan) {
    if plan.fault == Fault::Interrupt {
        connection::tell_of_steps();
    }
    ARMED.set(Some(Armed {
        plan,
        damage: Damage::default(),
    }));
}

/// Ends the plan of this thread; says what it has done.
pub fn disarm() -> Damage {
    connection::tell_of_steps_no_more();
    ARMED
        .take()
        .map_or_else(Damage::default, |armed| armed.damage)
}

/// Takes note of an operation; says with which of SQLite's codes it is to fail, if it is.
pub(super) fn strike(operation: Operation) -> Option<c_int> {
    // A thread that is ending may free and allocate after its plan is gone.
    ARMED
        .try_with(|armed| {
            let mut armed = armed.borrow_mut();
            let Armed { plan, damage } = armed.as_mut()?;
            if plan.fault.operation() != operation {
                return None;
            }
            let before = damage.operations;
            damage.operations += 1;
            if before < plan.after || before - plan.after >= plan.times {
                return None;
            }
            damage.statements.push(connection::running_statement());
            Some(plan.fault.code())
        })
        .ok()
        .flatten()
}
