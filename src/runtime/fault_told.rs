//! The words of `--faults`, when the program, or the library, accesses an object that has gone.
//!
//! The handler runs between two instructions of anybody's, so everything here reads only, and allocates nothing
//! [runtime.trap].

use crate::base::Addr;
use crate::base::still::Gate;
use crate::block::Block;
use crate::heap::Mutator;
use crate::heap::aside::{Batch, Gone};
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::root::frame::{FRAME_TAGGED, Frame};
use crate::heap::space::poison::POISON;
use crate::os::thread;
use crate::os::thread::current_thread;
use crate::os::trap::{self, Fault};
use crate::runtime::Runtime;
use crate::runtime::faults::{HEAPS, Place};
use std::ffi::CStr;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The words about one fault. Words that do not fit are left out.
struct Text {
    length: usize,
    bytes: [u8; 1500],
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let part = text.len().min(self.bytes.len() - self.length);
        self.bytes[self.length..self.length + part].copy_from_slice(&text.as_bytes()[..part]);
        self.length += part;
        Ok(())
    }
}

impl Text {
    const EMPTY: Text = Text { length: 0, bytes: [0; 1500] };

    fn send(&mut self) {
        trap::write_from_handler(&self.bytes[..self.length]);
        self.length = 0;
    }
}

/// Says what is known of a fault, if it lies in memory that a heap has set aside.
pub(super) fn explain(fault: &Fault<'_>) {
    let (at, mut patience) = (Addr(fault.address), PATIENCE);
    let mut told = |place: &Place<Runtime>| {
        place.visit(|runtime| {
            if planted!(509, false, !runtime.store.aside.may_hold(at)) {
                return None;
            }
            let _visit = Visit::to(place, runtime, &mut patience)?;
            let (batch, gone) = runtime.store.aside.find(at)?;
            runtime.tell_fault(fault, batch, gone);
            Some(())
        })
    };
    if HEAPS.iter().any(|place| told(place).is_some()) {
        return;
    }
    // An address that was read out of freed memory is none of the processor's, which then names none.
    let poisoned = |word: &usize| word.wrapping_sub(POISON).wrapping_add(4096) < 8192;
    if fault.address == 0 && fault.registers.iter().any(poisoned) {
        let mut told = |place: &Place<Runtime>| {
            place.visit(|runtime| {
                let _visit = Visit::to(place, runtime, &mut patience)?;
                let mut text = Text::EMPTY;
                let _ = text.write_str("barrow: an address was read out of memory that a heap had freed");
                runtime.name_code(&mut text, fault.code, " by ");
                let _ = text.write_str(
                    ": an object that died or moved was read, through a reference that no root and no field held\n",
                );
                text.send();
                Some(())
            })
        };
        let _ = HEAPS.iter().any(|place| told(place).is_some());
    }
}

/// The handler's stay in a heap, whose notes no other thread changes meanwhile.
struct Visit<'a>(Option<&'a Gate>);

/// The longest time that the handler waits for heaps with several mutators, in milliseconds.
const PATIENCE: u32 = 2000;

impl Visit<'_> {
    /// Goes into a heap. In one with several mutators another thread may be inside, which collects or allocates: it comes out.
    /// When it does not, or the heap is about to go, nothing is told of this heap.
    fn to<'a>(place: &Place<Runtime>, runtime: &'a Runtime, patience: &mut u32) -> Option<Visit<'a>> {
        // SAFETY: the gate lives as long as the heap.
        let Some(gate) = (unsafe { runtime.gate.as_ref() }) else { return Some(Visit(None)) };
        let here = current_thread();
        if gate.has(here) {
            return Some(Visit(None));
        }
        while place.has(runtime) {
            if gate.try_enter(here) {
                return Some(Visit(Some(gate)));
            }
            *patience = patience.checked_sub(1)?;
            thread::rest(Duration::from_millis(1));
        }
        None
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if let Some(gate) = self.0 {
            gate.leave(current_thread());
        }
    }
}

/// The most places that are named.
const MOST_PLACES: usize = 4;

/// Places that still have an address, as they are found.
struct Places {
    text: Text,
    stale: usize,
    found: usize,
}

impl Places {
    fn found(&mut self, what: std::fmt::Arguments<'_>) {
        self.found += 1;
        if self.found <= MOST_PLACES {
            let _ = write!(self.text, "{}{what}", if self.found == 1 { "; " } else { ", " });
        }
    }
}

impl Runtime {
    fn tell_fault(&self, fault: &Fault<'_>, batch: &Batch, gone: Option<Gone>) {
        let mut text = Text::EMPTY;
        let Some(gone) = gone else {
            let _ = write!(
                text,
                "barrow: at {:#x} there is no object: collection {} ({}) freed this memory, and no object that is known lay there",
                fault.address,
                batch.collection,
                batch.reason.to_str().unwrap_or("")
            );
            self.name_code(&mut text, fault.code, "; it was accessed by ");
            let _ = text.write_str("\n");
            text.send();
            return;
        };
        let _ = write!(
            text,
            "barrow: {} is no object any more: collection {} ({}) ",
            gone.from,
            batch.collection,
            batch.reason.to_str().unwrap_or("")
        );
        let now = self.store.aside.follow(gone);
        let _ = match gone.to {
            Addr::NULL => {
                write!(text, "freed it, {}, since nothing that is known referred to it", Made(self, gone))
            }
            to if now == to => write!(text, "moved it to {to}, {}", Made(self, gone)),
            to if now == Addr::NULL => {
                write!(text, "moved it to {to}, {}, which has died since", Made(self, gone))
            }
            to => write!(text, "moved it to {to}, {}, which is at {now} now", Made(self, gone)),
        };
        self.name_code(&mut text, fault.code, "; it was accessed by ");
        text.send();
        let mut places = Places { text, stale: gone.from.0, found: 0 };
        if self.checking.faults.is_settled.load(Ordering::Acquire) {
            self.look_in_roots(&mut places);
            self.look_in_heap(&mut places);
        }
        self.look_in_code(&mut places, fault);
        let mut text = places.text;
        let _ = match places.found {
            0 => text.write_str(", and no place that is known has its old address\n"),
            1 => text
                .write_str(" still has its old address: was it in no root, or not read from there again?\n"),
            n if n > MOST_PLACES => {
                writeln!(
                    text,
                    " and {} more places still have its old address: was it in no root, or not read from there again?",
                    n - MOST_PLACES
                )
            }
            _ => text
                .write_str(" still have its old address: was it in no root, or not read from there again?\n"),
        };
        text.send();
    }

    fn name_code(&self, text: &mut Text, code: usize, before: &str) {
        match self.checking.faults.symbols.known(code, 0) {
            Some(name) => {
                let _ = write!(text, "{before}{}", Name(name));
            }
            None if code != 0 => {
                let _ = write!(text, "{before}code at {code:#x}");
            }
            None => {}
        }
    }

    /// Whether a word, as a pointer or by the tag rule, has the stale address.
    fn is_stale(&self, word: usize, stale: usize) -> bool {
        word & !HEADER_BITS == stale || self.store.model.tags.address(word) == stale
    }

    /// The mutator whose code was interrupted; where the heap takes one, that one. Frames of others change as one looks.
    fn interrupted(&self) -> Option<&Mutator> {
        let here = current_thread();
        let own = self.mutators.iter().find(|mutator| self.gate.is_null() || mutator.thread == here);
        own.map(|mutator| &**mutator)
    }

    fn look_in_roots(&self, places: &mut Places) {
        let Some(mutator) = self.interrupted() else { return };
        let mut frame = mutator.window.frames;
        for depth in 0..1 << 16 {
            if frame.is_null() || !Addr(frame as usize).is_aligned(8) {
                break;
            }
            // SAFETY: the chain is one that a collection has walked, with newer frames before it.
            let (first, count, up) = unsafe {
                let Frame { up, count } = *frame;
                (Addr(frame.add(1) as usize), count & !FRAME_TAGGED, up)
            };
            for slot in 0..count.min(1 << 20) {
                // SAFETY: the frame's values follow it.
                if self.is_stale(unsafe { first.plus_words(slot).load() }, places.stale) {
                    places.found(format_args!(
                        "frame {depth} of the shadow stack (0 is the newest), slot {slot}"
                    ));
                }
            }
            frame = up;
        }
        for root in self.store.registered.iter() {
            let name = (!root.name.is_null()).then(|| {
                // SAFETY: names of roots are strings that live as long as the heap.
                unsafe { CStr::from_ptr(root.name) }.to_bytes()
            });
            for slot in 0..root.count {
                // SAFETY: the client keeps its roots where they can be read.
                if self.is_stale(unsafe { root.first.plus_words(slot).load() }, places.stale) {
                    match name {
                        Some(name) => places.found(format_args!("word {slot} of the root {}", Name(name))),
                        None => places.found(format_args!("word {slot} of the root at {}", root.first)),
                    }
                }
            }
        }
    }

    fn look_in_heap(&self, places: &mut Places) {
        let own = self.interrupted();
        let look = |places: &mut Places, group: Block| {
            self.look_in_group(places, group.start(), group.fields().free)
        };
        for mutator in self.mutators.iter() {
            for chunk in mutator.nursery.chunks() {
                if chunk != mutator.nursery.current {
                    look(places, chunk);
                    continue;
                }
                // Another thread is filling its own.
                if own.is_some_and(|own| std::ptr::eq(own, &raw const **mutator)) {
                    self.look_in_group(places, chunk.start(), mutator.hp());
                }
                break;
            }
            mutator.pool.blocks.iter().for_each(|group| look(places, group));
        }
        self.store.depot.groups().for_each(|group| look(places, group));
        for step in self.store.all_generations().iter().flat_map(|generation| generation.live_steps()) {
            step.blocks.iter().for_each(|group| look(places, group));
            step.large.iter().for_each(|group| look(places, group));
        }
    }

    /// Looks at all words from `from` to `to`, and only then for the object that one of them is in.
    fn look_in_group(&self, places: &mut Places, from: Addr, to: Addr) {
        if to < from {
            return;
        }
        for index in 0..to.words_since(from) {
            let slot = from.plus_words(index);
            // SAFETY: blocks of the heap can be read up to where they are filled.
            if !self.is_stale(unsafe { slot.load() }, places.stale) {
                continue;
            }
            match self.object_around(from, slot) {
                Some((object, name)) => places.found(format_args!(
                    "field {} of the object at {object} ({})",
                    slot.words_since(object),
                    Name(name)
                )),
                None => places.found(format_args!("the word at {slot} in the heap")),
            }
        }
    }

    /// The object in a group that a word belongs to. Sizes that only the client knows end the search.
    fn object_around(&self, from: Addr, slot: Addr) -> Option<(Addr, &[u8])> {
        let mut at = from;
        while at <= slot {
            // SAFETY: words of the group; a header is the address of an info table.
            unsafe {
                let header = at.load();
                if header == 0 {
                    at = at.plus_words(1);
                    continue;
                }
                if header == POISON || header & !HEADER_BITS == 0 {
                    return None;
                }
                let info = info_of(header);
                if !info.custom.is_null() {
                    return None;
                }
                let end = at.plus_words(self.store.model.size(at, info));
                if slot < end {
                    return Some((at, info.own_name()));
                }
                at = end;
            }
        }
        None
    }

    /// Looks at the registers and at the stack of the code that was interrupted.
    fn look_in_code(&self, places: &mut Places, fault: &Fault<'_>) {
        let faults = &self.checking.faults;
        if fault.registers.iter().any(|&word| self.is_stale(word, places.stale)) {
            match faults.symbols.known(fault.code, 0) {
                Some(name) => places.found(format_args!("a variable of {} in a register", Name(name))),
                None => places.found(format_args!("a register")),
            }
        }
        let here = current_thread();
        let own = faults
            .stacks
            .iter()
            .find(|(thread, stack)| (self.gate.is_null() || *thread == here) && stack.contains(&fault.stack));
        let Some((_, stack)) = own else { return };
        let mut within = faults.symbols.known(fault.code, 0);
        let mut told: Option<&[u8]> = None;
        for at in (fault.stack & !7..stack.end & !7).step_by(8) {
            // SAFETY: the stack of the interrupted thread lies from its stack pointer to its end.
            let word = unsafe { Addr(at).load() };
            if let Some(name) = faults.symbols.known(word, LONGEST_CALL).filter(|_| follows_a_call(word)) {
                within = Some(name);
            } else if self.is_stale(word, places.stale) && (told.is_none() || told != within) {
                // A frame of the shadow stack lies on this stack as well, and was told of as such.
                if self.is_in_a_frame(Addr(at)) {
                    continue;
                }
                told = within;
                match within {
                    Some(name) => places.found(format_args!("a variable of {} at {at:#x}", Name(name))),
                    None => places.found(format_args!("the word of the stack at {at:#x}")),
                }
            }
        }
    }

    fn is_in_a_frame(&self, at: Addr) -> bool {
        let mut frame = self.interrupted().map_or(std::ptr::null_mut(), |mutator| mutator.window.frames);
        for _ in 0..1 << 16 {
            if frame.is_null() {
                break;
            }
            // SAFETY: as in `look_in_roots`.
            let (first, count, up) =
                unsafe { (Addr(frame.add(1) as usize), (*frame).count & !FRAME_TAGGED, (*frame).up) };
            if at >= first && at < first.plus_words(count.min(1 << 20)) {
                return true;
            }
            frame = up;
        }
        false
    }
}

/// Bytes of the longest instruction that calls.
const LONGEST_CALL: usize = 7;

/// Whether the instruction before an address of code is a call, so that the address may be where a function returns to.
fn follows_a_call(code: usize) -> bool {
    if cfg!(not(target_arch = "x86_64")) {
        return true;
    }
    // SAFETY: the address lies in a known function, behind its beginning by as much as is read; code can be read.
    let byte = |before: usize| unsafe { (code as *const u8).sub(before).read() };
    let is_indirect = |modrm: u8| modrm >> 3 & 7 == 2;
    byte(5) == 0xe8
        || byte(2) == 0xff && is_indirect(byte(1))
        || byte(3) == 0xff && is_indirect(byte(2))
        || byte(4) == 0xff && is_indirect(byte(3))
        || byte(6) == 0xff && is_indirect(byte(5))
        || byte(7) == 0xff && is_indirect(byte(6))
}

/// The kind of thing that an object was, by its table, and the code that made it.
struct Made<'a>(&'a Runtime, Gone);

impl std::fmt::Display for Made<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Made(runtime, gone) = self;
        let name = gone.info.own_name();
        let vowel = name.first().is_some_and(|first| b"AEIOUaeiou".contains(first));
        write!(out, "{} {}", if vowel { "an" } else { "a" }, Name(name))?;
        // The call itself lies before the address to which it returns.
        let Some(at) = runtime.checking.faults.symbols.known_place(gone.site.wrapping_sub(1)) else {
            return Ok(());
        };
        write!(out, " made by {} ({}+{:#x})", Name(at.function), Name(at.module), at.offset)
    }
}

/// The bytes of a name, as far as they are plain.
struct Name<'a>(&'a [u8]);

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().take(80).try_for_each(|&byte| {
            out.write_char(if (b' '..0x7f).contains(&byte) { byte as char } else { '?' })
        })
    }
}
