//! The frames of compiled code on the machine's own stack, where stack maps say which words are references.
//!
//! The walk begins where compiled code left for the library, and ends where C called compiled code; both are noted
//! by the entries in `src/ffi/compiled.rs`. In between, each frame is found twice: by the chain of frame pointers, and by
//! the frame's size in its map. When the two differ and the function's code does not say why, or an address has no map,
//! the walk fails before anything has moved [heap.walk-twice]. So a broken chain is never followed.

use crate::base::{Addr, Failure, List, Outcome, Status};
use crate::heap::object::slots::SlotSink;
use crate::heap::root::stack_map::{From, Place, Registers, Site, StackMaps};
use crate::os::fake_stack::real_of_ours;

/// The registers of the frame of compiled code that has called. All zero while it runs.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Anchor {
    pub address: usize,
    pub stack_pointer: usize,
    pub frame_pointer: usize,
}

impl Anchor {
    pub const NONE: Anchor = Anchor { address: 0, stack_pointer: 0, frame_pointer: 0 };
}

/// One call from C into compiled code. It lies in the frame of the caller.
#[repr(C)]
#[derive(Debug)]
pub struct Part {
    /// Return address of compiled code and, in `end`, the stack pointer there; the entry writes both.
    pub address: usize,
    pub end: usize,
    pub up: *mut Part,
    /// The anchor at which the compiled code of `up` had left.
    pub left: Anchor,
    signature: usize,
}

const SIGNATURE: usize = 0x6261_7272_6f77_2d35;

impl Part {
    /// Makes the memory of a part that was left say so.
    fn end(&mut self) {
        self.signature = 0;
    }
}

#[derive(Debug)]
pub struct NativeStack {
    /// The newest call into compiled code, or null.
    pub part: *mut Part,
    /// The anchor at which its code has left.
    pub left: Anchor,
    found: List<Frame>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    site: u32,
    stack_pointer: usize,
    frame_pointer: usize,
}

/// The layout of a processor's frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    /// The return address ends the frame; below it lies the caller's frame pointer, where the frame pointer points.
    X86_64,
    /// The frame pointer points to the caller's and to the return address, somewhere in the frame.
    Aarch64,
}

impl Machine {
    pub(crate) const HERE: Machine =
        if cfg!(target_arch = "aarch64") { Machine::Aarch64 } else { Machine::X86_64 };

    pub(crate) fn registers(self) -> Registers {
        match self {
            Machine::X86_64 => Registers::X86_64,
            Machine::Aarch64 => Registers::AARCH64,
        }
    }

    /// The caller's stack pointer, when frame pointer and size agree.
    fn end_of_frame(
        self,
        anchor: &Anchor,
        site: &Site,
        keeps_frame_pointer: KeepsFramePointer,
    ) -> Option<usize> {
        let size_ends = anchor.stack_pointer.checked_add(site.frame_bytes)?;
        let links_end = anchor.frame_pointer.checked_add(16)?;
        if !anchor.frame_pointer.is_multiple_of(8) || anchor.frame_pointer < anchor.stack_pointer {
            return None;
        }
        match self {
            Machine::X86_64 => {
                let pushed = links_end.checked_sub(size_ends.checked_add(8)?)?;
                let agree = pushed == 0
                    || (pushed <= MOST_PUSHED_BYTES
                        && pushed.is_multiple_of(8)
                        && keeps_frame_pointer(site.function));
                planted!(123, true, agree).then_some(links_end)
            }
            Machine::Aarch64 => (links_end <= size_ends).then_some(size_ends),
        }
    }
}

/// The most bytes of arguments beyond registers, which are pushed for one call and in no map.
const MOST_PUSHED_BYTES: usize = 4096;

/// Whether the function whose code begins there sets its frame pointer first of all.
type KeepsFramePointer = fn(usize) -> bool;

fn keeps_frame_pointer(function: usize) -> bool {
    const PUSH_AND_SET: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
    const BRANCH_TARGET: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
    // SAFETY: a frame of the function is on the stack, so its code is there; a function with a call in it that keeps
    // references has more bytes than these.
    let at = |offset: usize| unsafe { *((function + offset) as *const [u8; 4]) };
    at(0) == PUSH_AND_SET || (at(0) == BRANCH_TARGET && at(4) == PUSH_AND_SET)
}

impl NativeStack {
    pub const EMPTY: NativeStack =
        NativeStack { part: std::ptr::null_mut(), left: Anchor::NONE, found: List::new() };

    /// Refuses a call into compiled code by C that compiled code has called directly.
    pub(crate) fn refuse_unknown_caller(&self) -> Outcome<()> {
        if !self.part.is_null() && self.left == Anchor::NONE {
            return Err(Failure::state(format_args!(
                "compiled code called C that calls compiled code, and not through barrow_gc_call: its frames could not be found"
            )));
        }
        Ok(())
    }

    /// The part of a call that begins.
    pub(crate) fn part_of_a_call(&self) -> Part {
        Part { address: 0, end: 0, up: self.part, left: self.left, signature: SIGNATURE }
    }

    /// Puts the part of a call on top.
    pub(crate) fn begin(&mut self, part: *mut Part) -> Outcome<()> {
        let place = |part: *mut Part| real_of_ours(Addr(part as usize));
        if !self.part.is_null() && place(self.part) <= place(part) {
            return Err(Failure::state(format_args!(
                "a call into compiled code that is over was left by a jump; barrow_stack_restore takes back what was saved before"
            )));
        }
        (self.part, self.left) = (part, Anchor::NONE);
        Ok(())
    }

    /// Takes the part of a call away, which has returned.
    pub(crate) fn end(&mut self, part: &mut Part) {
        (self.part, self.left) = (part.up, part.left);
        part.end();
    }

    /// Finds the frames of compiled code. Nothing is changed but the list of them.
    pub fn find(&mut self, maps: &StackMaps) -> Outcome<()> {
        self.find_as(maps, Machine::HERE, keeps_frame_pointer)
    }

    fn find_as(&mut self, maps: &StackMaps, machine: Machine, code: KeepsFramePointer) -> Outcome<()> {
        self.found.clear();
        let (mut part, mut anchor) = (self.part, self.left);
        while !part.is_null() {
            // SAFETY: parts lie in frames that have not returned; one that was jumped over is still memory of the
            // stack, and its signature, or the walk that does not arrive there, tells.
            let here = unsafe { &*part };
            if here.signature != SIGNATURE {
                return Err(damaged(format_args!(
                    "the call into compiled code at {part:?} is over; was barrow_stack_restore forgotten after a jump?"
                )));
            }
            if anchor == Anchor::NONE {
                return Err(damaged(format_args!(
                    "compiled code called something that collects, or left for foreign code, and not through one of the barrow_gc_ functions: its frames cannot be found"
                )));
            }
            self.find_part(maps, (machine, code), here, anchor)?;
            (part, anchor) = (here.up, here.left);
        }
        if anchor != Anchor::NONE {
            return Err(damaged(format_args!(
                "compiled code at {:#x} was not called with barrow_stack_call: where its stack begins is not known",
                anchor.address
            )));
        }
        Ok(())
    }

    fn find_part(
        &mut self,
        maps: &StackMaps,
        (machine, code): (Machine, KeepsFramePointer),
        part: &Part,
        mut anchor: Anchor,
    ) -> Outcome<()> {
        loop {
            if anchor.address == part.address && anchor.stack_pointer == part.end {
                return Ok(());
            }
            let Some((number, site)) = maps.find(anchor.address) else {
                return Err(damaged(format_args!(
                    "there is no stack map for the return address {:#x}, {} frames above the end of the compiled stack",
                    anchor.address,
                    self.found.len()
                )));
            };
            let end = machine.end_of_frame(&anchor, site, code);
            let Some(end) = end.filter(|&end| end <= part.end) else {
                return Err(damaged(format_args!(
                    "the frame of the compiled function at {:#x} has no frame pointer that agrees with its size of {} bytes; compile with \"frame-pointer\"=\"all\"",
                    site.function, site.frame_bytes
                )));
            };
            refuse_outside(maps, site, &anchor, part)?;
            let Anchor { stack_pointer, frame_pointer, .. } = anchor;
            self.found.push(Frame { site: number, stack_pointer, frame_pointer })?;
            let link = Addr(frame_pointer);
            // SAFETY: the two words lie between the stack pointer of the newest frame and the part that C has on the
            // same stack, as was just compared.
            unsafe {
                anchor = Anchor {
                    address: link.plus_words(1).load(),
                    stack_pointer: end,
                    frame_pointer: link.load(),
                };
            }
        }
    }

    /// Hands every reference in the frames that were found to `sink`.
    pub fn visit<S: SlotSink>(&self, maps: &StackMaps, sink: &mut S) {
        for frame in self.found.iter() {
            let site = maps.site(frame.site);
            for place in maps.bases(site) {
                if site.tagged { sink.tagged(frame.word(place)) } else { sink.pointer(frame.word(place)) }
            }
        }
    }

    /// Turns addresses inside objects into distances from their bases, until the objects have moved.
    pub fn detach_derived(&self, maps: &StackMaps) {
        self.each_derived(maps, |base, derived| derived.wrapping_sub(base));
    }

    pub fn attach_derived(&self, maps: &StackMaps) {
        self.each_derived(maps, |base, distance| distance.wrapping_add(planted!(118, 0, base)));
    }

    fn each_derived(&self, maps: &StackMaps, becomes: impl Fn(usize, usize) -> usize) {
        for frame in self.found.iter() {
            for pair in maps.derived(maps.site(frame.site)) {
                let (base, derived) = (frame.word(&pair.base), frame.word(&pair.place));
                // SAFETY: `find` has found the frame, and compared its words with the stack's bounds; its code waits.
                unsafe { derived.store(becomes(base.load(), derived.load())) };
            }
        }
    }

    /// Refuses when a frame that was found returns to such an address.
    pub fn refuse_returns_into(&self, maps: &StackMaps, gone: impl Fn(usize) -> bool) -> Outcome<()> {
        let mut addresses = self.found.iter().map(|frame| maps.site(frame.site).address);
        match addresses.find(|&address| gone(address)) {
            None => Ok(()),
            Some(address) => Err(Failure::state(format_args!(
                "a frame of compiled code on the stack returns to {address:#x}, which is to go"
            ))),
        }
    }

    pub fn depth(&self) -> usize {
        self.found.len()
    }
}

impl Frame {
    fn word(&self, place: &Place) -> Addr {
        let from = match place.from {
            From::StackPointer => self.stack_pointer,
            From::FramePointer => self.frame_pointer,
        };
        Addr(from.wrapping_add_signed(place.offset as isize))
    }
}

/// References lie in the frame itself, or above it where its caller has put arguments.
fn refuse_outside(maps: &StackMaps, site: &Site, anchor: &Anchor, part: &Part) -> Outcome<()> {
    let frame = Frame { site: 0, stack_pointer: anchor.stack_pointer, frame_pointer: anchor.frame_pointer };
    let inside = |place: &Place| {
        let at = frame.word(place).0;
        at >= anchor.stack_pointer && at < part.end && at.is_multiple_of(8)
    };
    let derived = maps.derived(site).iter().map(|pair| &pair.place);
    if maps.bases(site).iter().chain(derived).all(inside) {
        return Ok(());
    }
    Err(damaged(format_args!(
        "the stack map of the return address {:#x} names words outside of the stack",
        anchor.address
    )))
}

fn damaged(what: std::fmt::Arguments<'_>) -> Failure {
    Failure::new(Status::Damaged, what)
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
