//! What is done to the running stack before a collection, never in it: thunks under update frames are marked as under
//! evaluation, and, when asked for, update frames side by side become one.

use super::heap::Runtime;
use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::info::{Info, Kind};
use crate::heap::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::stack::{Stack, frame_words, running};
use crate::heap::{Mutator, lazy};

impl Runtime {
    /// The mutator stops running on its stack, or a collection is near.
    pub fn pause_stack(&mut self, mutator: *mut Mutator) {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(top) = running(m) else { return };
        if self.store.close_stack(m).is_err() {
            // The collection says so.
            return;
        }
        self.blackhole_lazily(top);
        if self.flags.squeeze {
            self.squeeze(mutator, top);
            m.window.sp = top.top().as_ptr();
        }
    }

    /// What a thunk under evaluation refers to is not needed by it any more. Clean chunks were done before.
    fn blackhole_lazily(&mut self, top: Stack) {
        let mut chunk = top;
        loop {
            for (frame, info) in chunk.frames() {
                if info.kind == Kind::UpdateFrame as u8
                    && let Some(thunk) = self.thunk_under_evaluation(frame)
                {
                    // It was looked at: it is a thunk, and nothing else can be wrong.
                    let _ = self.blackhole(thunk);
                }
            }
            let next = chunk.next_chunk();
            if next.is_null() || Stack(next).object().dirty == 0 {
                return;
            }
            chunk = Stack(next);
        }
    }

    fn updatee(frame: Addr) -> Addr {
        // SAFETY: an update frame's first word is the object to be updated.
        Addr(unsafe { frame.plus_words(1).load() } & !HEADER_BITS)
    }

    /// The object that an update frame will update, when it is a thunk that is not marked yet.
    fn thunk_under_evaluation(&self, frame: Addr) -> Option<Addr> {
        let kind = self.updatable_kind(Runtime::updatee(frame))?;
        let black = kind == Kind::Blackhole as u8 || kind == Kind::CafBlackhole as u8;
        (!black).then(|| Runtime::updatee(frame))
    }

    fn updatable_kind(&self, at: Addr) -> Option<u8> {
        if at.is_null() || !self.store.holds(at) {
            return None;
        }
        // SAFETY: a pointer into a block of objects is the address of one.
        let header = unsafe { at.load() };
        if header <= HEADER_BITS || header & HEADER_FORWARDED != 0 {
            return None;
        }
        let kind = info_of(header).kind;
        lazy::is_updatable(kind).then_some(kind)
    }

    /// Of update frames side by side the oldest stays: the objects of the others become indirections to the next one's.
    /// Frames that go say in their own words how long the gap is and where the one above it is, so that the rest slides
    /// down in one pass, without memory.
    fn squeeze(&mut self, mutator: *mut Mutator, stack: Stack) {
        let end = stack.end();
        let mut last_gap = Addr::NULL;
        let mut at = stack.top();
        while at < end {
            let kept = self.end_of_run(mutator, at, end);
            if kept != at {
                // SAFETY: a frame that goes has two words, which nobody reads any more.
                unsafe {
                    at.store(kept.words_since(at));
                    at.plus_words(1).store(last_gap.0);
                }
                last_gap = at;
            }
            at = kept.plus_words(frame_words(info_at(kept)));
        }
        if last_gap.is_null() {
            return;
        }
        let mut to = gap_end(last_gap);
        let mut gap = last_gap;
        while !gap.is_null() {
            // SAFETY: as above; the words between two gaps move towards the end, and may overlap themselves.
            unsafe {
                let above = Addr(gap.plus_words(1).load());
                let from = if above.is_null() { stack.top() } else { gap_end(above) };
                let count = gap.words_since(from);
                to = Addr(to.0 - count * WORD_BYTES);
                to.as_ptr::<usize>().copy_from(from.as_ptr::<usize>(), count);
                gap = above;
            }
        }
        stack.set_top(to);
    }

    /// The last of the update frames side by side that begin here; the frame itself when it is none, or alone. The
    /// objects of those before it were made indirections.
    fn end_of_run(&mut self, mutator: *mut Mutator, start: Addr, end: Addr) -> Addr {
        let mut kept = start;
        loop {
            let info = info_at(kept);
            let next = kept.plus_words(frame_words(info));
            if info.kind != Kind::UpdateFrame as u8 || next >= end {
                return kept;
            }
            if info_at(next).kind != Kind::UpdateFrame as u8 {
                return kept;
            }
            let (upper, lower) = (Runtime::updatee(kept), Runtime::updatee(next));
            let both = self.updatable_kind(upper).is_some() && self.updatable_kind(lower).is_some();
            if upper != lower && !(both && self.update(mutator, upper, lower.0, false).is_ok()) {
                return kept;
            }
            kept = next;
        }
    }
}

fn info_at(frame: Addr) -> &'static Info {
    // SAFETY: a frame begins with the address of its table, which lives for ever.
    unsafe { &*Addr(frame.load()).as_ptr::<Info>() }
}

fn gap_end(gap: Addr) -> Addr {
    // SAFETY: the first word of a gap is its length.
    gap.plus_words(unsafe { gap.load() })
}
