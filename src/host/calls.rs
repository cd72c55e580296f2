//! The calls on a thread's own stack, for the space profiler's clock: those of the client, without the library's.

use crate::heap::Mutator;
use crate::heap::root::frame::{Frame, LlvmFrame};
use crate::host::given::is_mutator;
use crate::os::unwind::{self, Call};

/// The most frames that are looked at; the library's come first, and are left out.
const MOST_CALLS: usize = 320;

pub(crate) struct Calls {
    all: [Call; MOST_CALLS],
    /// The index of the client's first call, and the end.
    from: usize,
    to: usize,
}

impl Calls {
    /// The calls on this stack, but those newer than `here`, which lies in the walker's own frame. The library's own
    /// calls end with the one that returns to the client's allocation, or else with the function of the header that the
    /// client called: `is_exported` tells by the address where a function begins.
    pub(crate) fn of_client(
        mutator: *mut Mutator,
        here: usize,
        is_exported: impl Fn(usize) -> bool,
    ) -> Calls {
        let mut all = [Call::default(); MOST_CALLS];
        let to = unwind::calls(&mut all);
        // SAFETY: it is a mutator, of the calling thread.
        let site = if is_mutator(mutator) { unsafe { (*mutator).called_from } } else { 0 };
        let own = all[..to].iter().take_while(|call| call.stack <= here).count();
        let entered = |call: &Call| is_exported(unwind::function_of(call.returns_to));
        let older = &all[own..to];
        let begin = older.iter().position(|call| site != 0 && call.returns_to == site);
        // One such function may have called another one.
        let behind = |at: usize| at + older[at..].iter().take_while(|call| entered(call)).count();
        let begin = begin.or_else(|| older.iter().position(entered).map(behind)).unwrap_or(0);
        Calls { all, from: own + begin, to }
    }

    /// The return addresses of calls, each with where its frame begins and ends. The last call of a stack returns nowhere.
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, (usize, usize))> {
        let calls = &self.all[self.from..self.to];
        let ends = calls.iter().skip(1).map(|next| next.stack).chain([usize::MAX]);
        let each = calls.iter().zip(ends).map(|(call, end)| (call.returns_to, (call.stack, end)));
        each.take_while(|&(returns_to, _)| returns_to != 0)
    }
}

/// The frames of both shadow stacks that were not passed yet, newest first.
pub(crate) struct ShadowFrames {
    ours: *mut Frame,
    llvm: *mut LlvmFrame,
}

impl ShadowFrames {
    /// # Safety
    /// The mutator is live and the calling thread's; its frames are chained, newest first, on the machine's stack.
    pub(crate) unsafe fn of(mutator: *mut Mutator) -> ShadowFrames {
        // SAFETY: the caller's promise.
        unsafe {
            let chain = (*mutator).llvm_chain;
            let llvm = if chain.is_null() { std::ptr::null_mut() } else { *chain };
            ShadowFrames { ours: (*mutator).window.frames, llvm }
        }
    }

    /// Passes the frames that lie before `to`, and tells whether one of them lies in `from..to`.
    ///
    /// # Safety
    /// As for `of`; functions are asked for newest first, and still run.
    pub(crate) unsafe fn has_one_in(&mut self, (from, to): (usize, usize)) -> bool {
        let mut found = false;
        // SAFETY: the caller's promise.
        unsafe {
            while !self.ours.is_null() && (self.ours as usize) < to {
                found |= self.ours as usize >= from;
                self.ours = (*self.ours).up;
            }
            while !self.llvm.is_null() && (self.llvm as usize) < to {
                found |= self.llvm as usize >= from;
                self.llvm = (*self.llvm).next;
            }
        }
        found
    }
}
