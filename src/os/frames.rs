//! The calls on this thread's stack by what the unwinder has taught. It takes some 2,500 instructions for a frame; a walk here takes
//! twenty: the unwinder tells once how far it is from where a call's address to return to lies to where its caller's does, and the
//! next walk steps as far. A walk that meets a call it does not know, or one whose frames differ in size, is left to the unwinder.
//!
//! Only where the address to return to lies directly below the caller's stack pointer, as on x86-64.

use super::trap::own_stack;
use super::unwind::{self, Call};
use crate::base::{List, Outcome};
use std::ops::Range;

/// The library's own calls above the client's, at most.
const OWN: usize = 32;
/// Calls that are told, at most.
pub(crate) const DEEPEST: usize = 64;
/// Calls that are known, at most: 64 KiB of them.
const MOST: usize = 1 << 11;
/// Ways from here to the client's call, at most.
const WAYS: usize = 8;

/// No walk where the sanitizer or memcheck would see it read what nobody wrote.
const IS_ON: bool =
    cfg!(all(target_arch = "x86_64", not(any(barrow_shadow = "address", barrow_shadow = "memcheck"))));

/// A call, by the address to which it returns; 0 in a free slot.
#[derive(Clone, Copy, Default)]
struct Known {
    returns_to: usize,
    step: Step,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Step {
    /// Bytes to where the caller's address lies.
    Bytes(u32),
    /// There is no caller.
    #[default]
    Ends,
    /// Frames differ in size.
    Differs,
}

pub(crate) struct Frames {
    /// In open addressing, half of it free.
    slots: List<Known>,
    known: usize,
    /// Bytes from this module's own frame to the client's address, for each way that calls come here; 0 where none is known.
    ways: [usize; WAYS],
    next_way: usize,
    /// The thread whose stack it is, and the addresses of that stack.
    thread: usize,
    stack: Range<usize>,
}

impl Frames {
    pub(crate) fn new() -> Outcome<Frames> {
        let mut slots = List::new();
        slots.fill(256, Known::default())?;
        Ok(Frames { slots, known: 0, ways: [0; WAYS], next_way: 0, thread: 0, stack: 0..0 })
    }

    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        self.slots.held_bytes()
    }

    /// The addresses to which calls return, from the one that returns to `site` on; all of them for 0. Returns their number, which is 0
    /// when no call returns there.
    #[inline(never)]
    pub(crate) fn calls(&mut self, site: usize, room: &mut [usize; DEEPEST]) -> Outcome<usize> {
        let mark = 0u8;
        let here = std::hint::black_box(&raw const mark) as usize;
        if IS_ON && site != 0 {
            self.look_at_thread();
            if self.stack.contains(&here) {
                for way in self.ways {
                    if way != 0
                        && let Some(found) = self.walk(here + way, site, room)
                    {
                        return Ok(found);
                    }
                }
            }
        }
        let mut all = [Call::default(); DEEPEST + OWN];
        let found = unwind::calls(&mut all);
        let whole = found < all.len();
        let from =
            if site == 0 { Some(0) } else { all[..found].iter().position(|call| call.returns_to == site) };
        let Some(from) = from else { return Ok(0) };
        let calls = &all[from..found];
        let calls = &calls[..calls.iter().position(|call| call.returns_to == 0).unwrap_or(calls.len())];
        if IS_ON && site != 0 && self.stack.contains(&here) {
            self.learn(here, calls, whole)?;
        }
        let told = calls.len().min(DEEPEST);
        for (place, call) in room.iter_mut().zip(calls) {
            *place = call.returns_to;
        }
        Ok(told)
    }

    fn look_at_thread(&mut self) {
        // SAFETY: a call without arguments.
        let thread = unsafe { libc::pthread_self() } as usize;
        if thread != self.thread {
            (self.thread, self.stack) = (thread, own_stack());
        }
    }

    /// The word there, if the stack goes so far.
    fn word(&self, at: usize) -> Option<usize> {
        let is_there = at.is_multiple_of(8) && self.stack.contains(&at) && self.stack.contains(&(at + 7));
        // SAFETY: words of the thread's own stack above the frame of `calls`, from which all addresses count upwards.
        is_there.then(|| unsafe { (at as *const usize).read_volatile() })
    }

    fn walk(&self, first: usize, site: usize, room: &mut [usize; DEEPEST]) -> Option<usize> {
        if self.word(first)? != site {
            return None;
        }
        let (mut at, mut length) = (first, 0);
        while length < DEEPEST {
            let returns_to = self.word(at)?;
            let known = self.slots[self.slot(returns_to)];
            if known.returns_to == 0 {
                return None;
            }
            room[length] = returns_to;
            length += 1;
            match known.step {
                Step::Bytes(bytes) => at += bytes as usize,
                Step::Ends => break,
                Step::Differs => return None,
            }
        }
        Some(length)
    }

    /// Learns from the unwinder's calls, innermost first; `whole` when it found them all.
    fn learn(&mut self, here: usize, calls: &[Call], whole: bool) -> Outcome<()> {
        let place = |call: &Call| call.stack.wrapping_sub(8);
        for (number, call) in calls.iter().enumerate() {
            if place(call) < here || self.word(place(call)) != Some(call.returns_to) {
                return Ok(());
            }
            let step = match calls.get(number + 1) {
                Some(caller) => {
                    let bytes = place(caller).wrapping_sub(place(call));
                    match u32::try_from(bytes) {
                        Ok(bytes) if self.word(place(caller)) == Some(caller.returns_to) => {
                            Step::Bytes(bytes)
                        }
                        _ => return Ok(()),
                    }
                }
                None if whole => Step::Ends,
                None => return Ok(()),
            };
            if number == 0 && !self.ways.contains(&(place(call) - here)) {
                self.ways[self.next_way] = place(call) - here;
                self.next_way = (self.next_way + 1) % WAYS;
            }
            self.note(call.returns_to, step)?;
        }
        Ok(())
    }

    fn note(&mut self, returns_to: usize, step: Step) -> Outcome<()> {
        let mut at = self.slot(returns_to);
        if self.slots[at].returns_to != 0 {
            if self.slots[at].step != step {
                self.slots[at].step = Step::Differs;
            }
            return Ok(());
        }
        if self.known >= MOST {
            return Ok(());
        }
        if (self.known + 1) * 2 > self.slots.len() {
            let mut slots = List::new();
            slots.fill(self.slots.len() * 2, Known::default())?;
            let old = std::mem::replace(&mut self.slots, slots);
            for &known in old.iter().filter(|known| known.returns_to != 0) {
                let at = self.slot(known.returns_to);
                self.slots[at] = known;
            }
            at = self.slot(returns_to);
        }
        self.slots[at] = Known { returns_to, step };
        self.known += 1;
        Ok(())
    }

    /// The slot of a call, or the free one where it belongs.
    fn slot(&self, returns_to: usize) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = ((returns_to as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & mask;
        while self.slots[at].returns_to != 0 && self.slots[at].returns_to != returns_to {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// The unwinder's answer, from the call that returns to `site` on.
    fn told(site: usize) -> Vec<usize> {
        let mut all = [Call::default(); 200];
        let found = unwind::calls(&mut all);
        let calls = all[..found].iter().map(|call| call.returns_to).skip_while(|&to| to != site);
        calls.take_while(|&to| to != 0).take(DEEPEST).collect()
    }

    struct Try {
        frames: Frames,
        walks: usize,
        state: u64,
    }

    /// As a slow path: another function behind it than the client's own.
    #[inline(never)]
    fn enter(all: &mut Try) {
        let mut calls = [Call::default(); 2];
        unwind::calls(&mut calls);
        look(all);
        black_box(&all.walks);
    }

    #[inline(never)]
    fn look(all: &mut Try) {
        // The client is whoever called `enter`.
        let mut calls = [Call::default(); 16];
        let found = unwind::calls(&mut calls);
        let entered = enter as *const () as usize;
        let own = calls[..found].iter().position(|call| unwind::function_of(call.returns_to) == entered);
        let site = calls[own.expect("enter called") + 1].returns_to;
        let mut room = [0; DEEPEST];
        let known = all.frames.known;
        let length = all.frames.calls(site, &mut room).unwrap();
        assert_eq!(room[..length], told(site));
        all.walks += usize::from(all.frames.known == known);
        // A second time, nothing is new; and nothing is known of what nobody calls.
        let known = all.frames.known;
        assert_eq!(all.frames.calls(site, &mut room).unwrap(), length);
        assert_eq!(all.frames.known, known);
        assert_eq!(all.frames.calls(7, &mut room).unwrap(), 0);
    }

    macro_rules! level {
        ($name:ident, $bytes:expr) => {
            #[inline(never)]
            fn $name(all: &mut Try, left: u32) {
                let bytes = black_box([left as u8; $bytes]);
                go_on(all, left);
                black_box(bytes[0]);
            }
        };
    }
    level!(small, 8);
    level!(middle, 200);
    level!(large, 3000);

    #[inline(never)]
    fn go_on(all: &mut Try, left: u32) {
        all.state = all.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        match (left, all.state >> 33 & 3) {
            (0, _) => enter(all),
            (_, 0) => small(all, left - 1),
            (_, 1) => middle(all, left - 1),
            (_, 2) => large(all, left - 1),
            _ => {
                small(all, left / 2);
                black_box(all.walks);
            }
        }
        black_box(&all.walks);
    }

    #[test]
    fn walks_tell_the_unwinders_calls() {
        let mut all = Try { frames: Frames::new().unwrap(), walks: 0, state: 3 };
        for round in 0..400 {
            go_on(&mut all, round % 90);
        }
        assert!(!IS_ON || all.walks > 300, "{}", all.walks);
        assert!(all.frames.held_bytes() <= 4 * MOST * 16);
        // Another thread has another stack.
        std::thread::spawn(move || go_on(&mut all, 20)).join().unwrap();
    }

    #[test]
    fn frames_that_differ_are_left_to_the_unwinder() {
        let mut frames = Frames::new().unwrap();
        frames.note(11, Step::Bytes(32)).unwrap();
        frames.note(11, Step::Bytes(48)).unwrap();
        assert!(frames.slots[frames.slot(11)].step == Step::Differs);
        for call in 1..10_000 {
            frames.note(call, Step::Ends).unwrap();
        }
        assert_eq!(frames.known, MOST);
    }
}
