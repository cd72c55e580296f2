//! The calls on this thread's stack, as the unwinder finds them by the tables that compilers write for
//! exceptions and debuggers. The walk ends at a function without such tables.

use std::ffi::{c_int, c_void};

/// A function that has called another one and waits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Call {
    /// The address at which it goes on.
    pub returns_to: usize,
    /// The stack pointer there: its frame lies between this address and its caller's stack pointer.
    pub stack: usize,
}

unsafe extern "C-unwind" {
    fn _Unwind_Backtrace(
        visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
    fn _Unwind_FindEnclosingFunction(address: *mut c_void) -> *mut c_void;
}

/// The unwinder's codes for "no reason" to stop, and for one of its reasons.
const GO_ON: c_int = 0;
const STOP: c_int = 5;

struct Visit<'a> {
    room: &'a mut [Call],
    count: usize,
}

unsafe extern "C" fn visit(context: *mut c_void, data: *mut c_void) -> c_int {
    // SAFETY: `calls` hands in its own `Visit`, and the unwinder a context that is good during this call.
    unsafe {
        let visit = &mut *data.cast::<Visit<'_>>();
        let Some(call) = visit.room.get_mut(visit.count) else { return STOP };
        *call = Call { returns_to: _Unwind_GetIP(context), stack: _Unwind_GetCFA(context) };
        visit.count += 1;
    }
    GO_ON
}

/// Fills `room` with the newest calls, this function's own among the first. Returns their number.
pub(crate) fn calls(room: &mut [Call]) -> usize {
    let mut found = Visit { room, count: 0 };
    // SAFETY: the callback uses only its arguments.
    unsafe { _Unwind_Backtrace(visit, (&raw mut found).cast()) };
    found.count
}

/// Address of the beginning of the function that a call lies in; 0 when there is no table for it.
pub(crate) fn function_of(returns_to: usize) -> usize {
    // SAFETY: the unwinder looks the address up; it may be anything.
    unsafe { _Unwind_FindEnclosingFunction(returns_to.wrapping_sub(1) as *mut c_void) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The black box is used after the call: a call at the very end may become a jump, which leaves no frame.
    #[inline(never)]
    fn deeper(levels: usize, room: &mut [Call]) -> usize {
        std::hint::black_box(if levels == 0 { calls(room) } else { deeper(levels - 1, room) })
    }

    #[test]
    fn every_level_is_found_once_and_in_order() {
        let mut room = [Call::default(); 200];
        let found = deeper(20, &mut room);
        assert!(found > 21);
        let ours = deeper as *const () as usize;
        let levels = room[..found].iter().filter(|call| function_of(call.returns_to) == ours);
        assert_eq!(levels.count(), 21);
        assert!(room[..found].windows(2).all(|two| two[0].stack < two[1].stack));
        assert_eq!(deeper(20, &mut room[..7]), 7);
    }
}
