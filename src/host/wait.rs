//! Waiting for a thunk that another mutator evaluates.
//!
//! A blackhole that was claimed has its owner in word 1. A thread that waits goes out of the heap, and looks again after a
//! while: an update is a store in line, which wakes nobody. Each time it follows the owners, of whom each may wait for a
//! blackhole itself; when that leads back to it, none of them would ever go on [host.ring]. The owner of a claim that was made on a
//! stack object is known until its mutator leaves that stack, with which another one may go on, or captures the frame that is to update
//! the thunk.

use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::object::info::Kind;
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy::promise;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::object::stack::Stack;
use crate::heap::root::frame::Frame;
use crate::host::Host;
use crate::runtime::Runtime;
use crate::runtime::lazy::{NOBODY, ON_A_STACK, OWNER};
use std::time::Duration;

/// A frame of the library's own on the shadow stack, so that collections keep the object, and tell where it went.
#[repr(C)]
struct Waiting {
    frame: Frame,
    object: usize,
}

/// The times that a thread only lets others run before it looks again; then it sleeps, each time for twice as long.
const YIELDS: u32 = 8;
const FIRST_SLEEP: Duration = Duration::from_micros(20);
const LONGEST_SLEEP: Duration = Duration::from_millis(1);

fn pause_before(look: u32) -> Duration {
    match look.checked_sub(YIELDS) {
        None => Duration::ZERO,
        Some(sleeps) => FIRST_SLEEP.saturating_mul(1 << sleeps.min(16)).min(LONGEST_SLEEP),
    }
}

impl Host {
    /// Waits until the object is no blackhole any more. Others may collect meanwhile.
    pub(crate) fn wait_for(&mut self, mutator: *mut Mutator, object: usize) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        let mut waiting = Waiting { frame: Frame { up: std::ptr::null_mut(), count: 1 }, object };
        let place = &raw mut waiting;
        // SAFETY: as above. The frame lives until it is taken off below; collections of other threads write to it, while
        // this one is outside, so it is used by its address alone.
        unsafe {
            (*place).frame.up = (*mutator).window.frames;
            planted!(620, (), (*mutator).window.frames = place.cast());
            (*mutator).waits_for = &raw const (*place).object;
            let outcome = self.wait_at(mutator, &raw const (*place).object);
            (*mutator).waits_for = std::ptr::null();
            (*mutator).window.frames = (*place).frame.up;
            outcome
        }
    }

    /// # Safety
    /// The mutator is live and the calling thread's; `place` is the word of its frame in which the object stands.
    unsafe fn wait_at(&mut self, mutator: *mut Mutator, place: *const usize) -> Outcome<()> {
        let mut looks = 0;
        // A thread whose waits are over at once may call this in a loop, and be waited for.
        planted!(567, false, self.stand_aside(mutator));
        // SAFETY: the caller's promise; collections write to the place only while this thread is outside.
        while let Some(owner) = self.owner_of_blackhole(unsafe { place.read_volatile() }) {
            // SAFETY: as above.
            unsafe { self.refuse_a_ring(mutator, owner)? };
            self.rest(mutator, pause_before(looks));
            looks += 1;
        }
        Ok(())
    }

    /// The word of the mutator that has claimed a blackhole, or `NOBODY` when that is not known. `None` for another object.
    fn owner_of_blackhole(&self, object: usize) -> Option<usize> {
        let at = Addr(object & !HEADER_BITS);
        self.object_code(at).ok()?;
        // SAFETY: a block of objects lies there, and the client says that it is one.
        let promise = unsafe { promise(at) };
        let header = promise.header() as usize;
        if header <= HEADER_BITS || !info_of(header).is_in(Kinds::BLACK) {
            return None;
        }
        let owner = promise.result() as usize;
        Some(if owner & OWNER == 0 { NOBODY } else { owner })
    }

    /// Leaves the claims of thunks that frames of a captured part will update to nobody who is known: any mutator may reinstate the part,
    /// and go on with them [host.ring].
    pub(crate) fn leave_claims(&self, mutator: &Mutator, part: Stack) {
        for (frame, info) in part.frames() {
            if !info.is(Kind::UpdateFrame) {
                continue;
            }
            let thunk = Runtime::updatee(frame);
            let owner = self.owner_of_blackhole(thunk.0).unwrap_or(NOBODY);
            if owner == mutator.window.owner || owner == mutator.own_word {
                // SAFETY: a blackhole of the heap lies there.
                unsafe { promise(thunk) }.pass_on(owner as u64, (OWNER | ON_A_STACK) as u64);
            }
        }
    }

    /// Refuses to wait for an owner that waits for this mutator, or that is not there any more.
    ///
    /// # Safety
    /// The mutator is live and the calling thread's.
    unsafe fn refuse_a_ring(&self, mutator: *mut Mutator, first: usize) -> Outcome<()> {
        let mut owner = first;
        for passed in 0..=self.mutators.len() {
            let found = self.mutators.iter().find(|one| one.window.owner == owner || one.own_word == owner);
            let Some(other) = found.filter(|_| owner != NOBODY) else {
                return match owner == NOBODY || owner & ON_A_STACK != 0 {
                    true if self.mutators.len() == 1 => Err(ring(passed)),
                    false if passed == 0 => Err(left()),
                    _ => Ok(()),
                };
            };
            if other.as_raw() == mutator {
                return Err(ring(passed));
            }
            if planted!(307, true, other.waits_for.is_null()) {
                return Ok(());
            }
            // SAFETY: a thread that waits is outside, in this call, and its frame is there until it comes in again.
            match self.owner_of_blackhole(unsafe { other.waits_for.read_volatile() }) {
                Some(next) => owner = next,
                None => return Ok(()),
            }
        }
        // A ring that this mutator is not in: one of those in it is told.
        Ok(())
    }
}

fn ring(others: usize) -> Failure {
    let what = match others {
        0 => "this mutator evaluates the thunk already",
        _ => "the thunk waits for others, in turn, and the last of them for this mutator",
    };
    Failure::new(
        Status::Loop,
        format_args!("{what}: a computation that needs its own result has none (mutators passed: {others})"),
    )
}

fn left() -> Failure {
    Failure::state(format_args!(
        "the mutator that claimed the thunk was detached before it gave it a value: nobody evaluates it any more"
    ))
}
