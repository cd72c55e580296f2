//! Stacks as objects: chunks of words that hold frames, each of which begins with the address of its info table.
//!
//! A stack grows downwards, from the end of its words. Its last frame is a stop frame, which leads to the chunk that it
//! continues, if any. While a mutator runs on a stack, the top is in its window.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::info::{FLAG_TAIL_TAGGED, Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::slots::SlotSink;
use crate::os::debugger::Readable;

/// The beginning of a stack; its words follow.
#[repr(C)]
#[allow(unreachable_pub)] // of the header
pub struct StackObject {
    pub header: usize,
    /// Words for frames.
    pub words: usize,
    /// Number of the first word of the newest frame. While a mutator runs on the stack, its window has the top.
    pub top: usize,
    /// Not 0 when the stack was changed since it was last scavenged, or has something younger. `SPARE` in an empty
    /// chunk that a mutator has put by.
    pub dirty: usize,
    /// The info table of its stop frame.
    pub stop: *const Info,
    /// Words of the chunks that this one continues, as they were when it was made.
    pub below: usize,
}

/// In `dirty`: the chunk was put by. It was remembered when it was run on, as far as it had to be.
pub(crate) const SPARE: usize = 2;

pub(crate) const STACK_HEADER_WORDS: usize = size_of::<StackObject>() / WORD_BYTES;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack(pub Addr);

impl Stack {
    /// Callers of the functions below know that a stack lies here, which one thread at a time uses. Fields are read and
    /// written by themselves, and no reference to the stack is made: its handles are copied freely.
    fn object(self) -> *mut StackObject {
        self.0.as_ptr()
    }

    /// The number of words for frames.
    pub(crate) fn words(self) -> usize {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).words }
    }

    pub(crate) fn dirty(self) -> usize {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).dirty }
    }

    pub(crate) fn set_dirty(self, dirty: usize) {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).dirty = dirty };
    }

    fn top_index(self) -> usize {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).top }
    }

    /// The info table of its stop frame.
    pub(crate) fn stop(self) -> *const Info {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).stop }
    }

    /// The words of this chunk and of those that it continues.
    pub(crate) fn whole_words(self) -> usize {
        // SAFETY: a stack lies here.
        self.words() + unsafe { (*self.object()).below }
    }

    pub fn area(self) -> Addr {
        self.0.plus_words(STACK_HEADER_WORDS)
    }

    pub fn end(self) -> Addr {
        self.area().plus_words(self.words())
    }

    pub fn top(self) -> Addr {
        self.area().plus_words(self.top_index())
    }

    pub fn set_top(self, top: Addr) {
        // SAFETY: a stack lies here.
        unsafe { (*self.object()).top = top.words_since(self.area()) };
    }

    pub fn object_words(self) -> usize {
        STACK_HEADER_WORDS + self.words()
    }

    pub fn stop_frame(self) -> Addr {
        // SAFETY: a stack has the table of its stop frame, which lives for ever.
        let words = frame_words(unsafe { &*self.stop() });
        Addr(self.end().0 - words * WORD_BYTES)
    }

    /// The chunk that this one continues, or null.
    pub fn next_chunk(self) -> Addr {
        // SAFETY: a stop frame's first field is a pointer.
        Addr(unsafe { self.stop_frame().plus_words(1).load() })
    }

    pub fn frames(self) -> Frames {
        self.frames_from(self.top())
    }

    /// While a mutator runs on the stack, its window has the top.
    pub fn frames_from(self, top: Addr) -> Frames {
        Frames { at: top, end: self.end() }
    }

    /// Writes an empty stack: nothing but its stop frame.
    ///
    /// # Safety
    /// `words` words, and those of a stack's fixed part, lie here, and are the caller's.
    pub unsafe fn init(self, info: Addr, words: usize, stop: &Info, next: Addr) {
        // SAFETY: the caller's promise.
        unsafe {
            self.0.as_ptr::<StackObject>().write(StackObject {
                header: info.0,
                words,
                top: words - frame_words(stop),
                dirty: 0,
                stop,
                below: 0,
            });
        }
        self.empty(next);
    }

    /// Leaves nothing but the stop frame, which leads to the chunk that this one continues from now on, or null.
    pub fn empty(self, next: Addr) {
        let frame = self.stop_frame();
        let below = if next.is_null() { 0 } else { Stack(next).whole_words() };
        // SAFETY: the frame lies in the stack, whose words are ours.
        unsafe {
            (*self.object()).below = below;
            for i in 0..self.end().words_since(frame) {
                frame.plus_words(i).store(0);
            }
            frame.store(self.stop() as usize);
            frame.plus_words(1).store(next.0);
        }
        self.set_top(frame);
    }

    /// Tells the problem of the first frame that cannot be. Tables that cannot be read are not read.
    pub fn check(self, readable: &mut Readable) -> Outcome<()> {
        let (top, words, stop) = (self.top_index(), self.words(), self.stop());
        let wrong = |what: std::fmt::Arguments<'_>| {
            Err(Failure::damaged(format_args!("the stack at {} ({words} words) {what}", self.0)))
        };
        if top > words {
            return wrong(format_args!("has its top at word {}, behind its end", top));
        }
        let mut at = self.top();
        loop {
            let index = at.words_since(self.area());
            if at == self.end() {
                return wrong(format_args!("ends without a stop frame"));
            }
            // SAFETY: the word lies in the stack.
            let header = unsafe { at.load() };
            if header != 0 && !readable.has(header, size_of::<Info>()) {
                return wrong(format_args!(
                    "has at word {index} a frame without a good info table: nothing can be read at {header:#x}"
                ));
            }
            // SAFETY: the first word of a frame is the address of its info table; if it is not, this is where it shows.
            let info = match unsafe { Info::check(Addr(header)) } {
                Ok(info) => info,
                Err(failure) => {
                    return wrong(format_args!(
                        "has at word {index} a frame without a good info table: {}",
                        failure.sentence
                    ));
                }
            };
            if !info.is_in(Kinds::FRAME) {
                return wrong(format_args!(
                    "has at word {index} the table of an object ({}, kind {}) and not of a frame",
                    info.name(),
                    info.kind
                ));
            }
            let words = frame_words(info);
            if words > self.end().words_since(at) {
                return wrong(format_args!(
                    "has at word {index} a frame ({}) of {words} words, which ends behind the stack's end",
                    info.name()
                ));
            }
            at = at.plus_words(words);
            if info.is(Kind::StopFrame) {
                break;
            }
        }
        if !readable.has(stop as usize, size_of::<Info>()) {
            return wrong(format_args!(
                "has lost the info table of its stop frame: nothing can be read at {:?}",
                stop
            ));
        }
        if at != self.end() {
            return wrong(format_args!(
                "has a stop frame that ends at word {}, and not at its end",
                at.words_since(self.area())
            ));
        }
        Ok(())
    }
}

pub(crate) fn frame_words(info: &Info) -> usize {
    1 + info.ptrs as usize + info.words as usize
}

/// The info tables of the frames on a stack whose top is `sp`, and on the chunks that it continues, without their stop
/// frames. The client writes `sp`: a top outside the stack is an error of the next collection, and has no frames here.
pub(crate) fn frames_of_chunks(stack: Addr, sp: Addr) -> impl Iterator<Item = *const Info> {
    let is_top_of = |stack: Stack| sp >= stack.area() && sp <= stack.end() && sp.is_aligned(WORD_BYTES);
    let chunk_at = |at: Addr| (!at.is_null()).then_some(Stack(at));
    let first = chunk_at(stack).filter(|&stack| is_top_of(stack));
    let chunks = std::iter::successors(first, move |chunk| chunk_at(chunk.next_chunk()));
    chunks.enumerate().flat_map(move |(number, chunk)| {
        let frames = chunk.frames_from(if number == 0 { sp } else { chunk.top() });
        let stop = chunk.stop();
        frames.map(|(_, info)| &raw const *info).filter(move |&info| info != stop)
    })
}

/// The frames of a stack, newest first.
pub struct Frames {
    at: Addr,
    end: Addr,
}

impl Iterator for Frames {
    type Item = (Addr, &'static Info);
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let frame = self.at;
        // SAFETY: frames fill a stack from its top to its end, and tables live for ever.
        let info = unsafe { &*Addr(frame.load()).as_ptr::<Info>() };
        self.at = frame.plus_words(frame_words(info));
        (self.at <= self.end).then_some((frame, info))
    }
}

/// Hands every word of a stack's frames that may hold a pointer to `sink`: each once.
pub(crate) fn each_slot<S: SlotSink>(stack: Stack, sink: &mut S) {
    for (frame, info) in stack.frames() {
        sink.mentions(info.srt);
        let first = frame.plus_words(1);
        let tagged = info.flags & FLAG_TAIL_TAGGED != 0;
        if !info.is(Kind::ReturnFrame) {
            for i in 0..info.ptrs as usize {
                visit(first.plus_words(i), tagged && i > 0, sink);
            }
            continue;
        }
        if info.large.is_null() {
            by_bitmap(first, info.bitmap, tagged, sink);
            continue;
        }
        for i in 0..planted!(109, 1, (info.ptrs as usize + info.words as usize).div_ceil(64)) {
            // SAFETY: a large bitmap has the bits of all words.
            let bits = unsafe { *(*info.large).bits.add(i) };
            by_bitmap(first.plus_words(i * 64), bits, tagged, sink);
        }
    }
}

fn by_bitmap<S: SlotSink>(first: Addr, mut bits: usize, tagged: bool, sink: &mut S) {
    while bits != 0 {
        visit(first.plus_words(bits.trailing_zeros() as usize), tagged, sink);
        bits &= bits - 1;
    }
}

fn visit<S: SlotSink>(slot: Addr, tagged: bool, sink: &mut S) {
    if tagged { sink.tagged(slot) } else { sink.pointer(slot) }
}
