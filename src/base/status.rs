//! THE status table: every code that a call can return, its number and what it means.
//! Numbers never move and are never used twice.

use std::ffi::CStr;

/// The outcome of a call. `barrow_last_error()` has the sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Status {
    /// The call has succeeded.
    Ok = 0,
    /// The system refused memory. The heap is as it was.
    NoMemory = 1,
    /// The heap would exceed its own limit (`-M`). The heap is as it was.
    Limit = 2,
    /// An argument is wrong: null, out of range, a bad flag, an info table with an impossible layout.
    Argument = 3,
    /// The call is not possible now: the heap is dead, the thread is the wrong one, a collection is
    /// running.
    State = 4,
    /// The client was compiled for another version of the library.
    Abi = 5,
    /// A file could not be read or written.
    Io = 6,
    /// The heap is damaged: `barrow_check` says where.
    Damaged = 7,
    /// A stack would exceed its limit (`-K`): the recursion is too deep. The stack is as it was, and the heap has room.
    Stack = 8,
    /// A blackhole would be waited for by the mutator that evaluates it, itself or through others that wait: a
    /// computation needs its own result. The heap is as it was.
    Loop = 9,
}

impl Status {
    const ALL: [Status; 10] = [
        Status::Ok,
        Status::NoMemory,
        Status::Limit,
        Status::Argument,
        Status::State,
        Status::Abi,
        Status::Io,
        Status::Damaged,
        Status::Stack,
        Status::Loop,
    ];

    pub(crate) fn of_number(number: u32) -> Option<Status> {
        Status::ALL.into_iter().find(|&status| status as u32 == number)
    }

    pub fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or_default()
    }

    pub(crate) const fn c_name(self) -> &'static CStr {
        match self {
            Status::Ok => c"BARROW_OK",
            Status::NoMemory => c"BARROW_E_NOMEM",
            Status::Limit => c"BARROW_E_LIMIT",
            Status::Argument => c"BARROW_E_ARG",
            Status::State => c"BARROW_E_STATE",
            Status::Abi => c"BARROW_E_ABI",
            Status::Io => c"BARROW_E_IO",
            Status::Damaged => c"BARROW_E_DAMAGED",
            Status::Stack => c"BARROW_E_STACK",
            Status::Loop => c"BARROW_E_LOOP",
        }
    }
}
