//! The work on the running stack before a collection, never in it: thunks under update frames are marked as
//! under evaluation, and, when asked for, update frames side by side become one.

use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::Mutator;
use crate::heap::mutator::running::running;
use crate::heap::object::info::Kind;
use crate::heap::object::kind::Kinds;
use crate::heap::object::stack::{Stack, frame_words};
use crate::host::Host;
use crate::runtime::Runtime;
use crate::runtime::stack_pause::{gap_end, info_at};

impl Host {
    /// Prepares the running stack for a collection, or for the mutator's leaving it.
    pub(crate) fn pause_stack(&mut self, mutator: *mut Mutator) {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let Some(top) = running(m) else { return };
        if self.store.close_stack(m).is_err() {
            // The collection will report the damaged stack.
            return;
        }
        self.blackhole_lazily(top);
        if self.flags.squeeze {
            self.squeeze_all(mutator, top);
            m.window.sp = top.top().as_ptr();
        }
    }

    /// Squeezes the chunks; clean chunks were squeezed before.
    fn squeeze_all(&mut self, mutator: *mut Mutator, top: Stack) {
        self.squeeze(mutator, top, true);
        let mut chunk = top;
        loop {
            let next = chunk.next_chunk();
            if next.is_null() || Stack(next).dirty() == 0 {
                return;
            }
            chunk = Stack(next);
            self.squeeze(mutator, chunk, false);
        }
    }

    /// Blackholes the thunks under evaluation, which do not need their referents any more. Clean chunks were
    /// done before.
    fn blackhole_lazily(&mut self, top: Stack) {
        let mut chunk = top;
        loop {
            for (frame, info) in chunk.frames() {
                if info.is(Kind::UpdateFrame)
                    && let Some(thunk) = self.thunk_under_evaluation(frame)
                {
                    // The object was just found to be a thunk, and `blackhole` fails for no other reason.
                    let _ = self.blackhole(thunk);
                }
            }
            let next = chunk.next_chunk();
            if next.is_null() || planted!(50, true, Stack(next).dirty() == 0) {
                return;
            }
            chunk = Stack(next);
        }
    }

    /// The object that an update frame will update, if it is a thunk that is not marked yet.
    fn thunk_under_evaluation(&self, frame: Addr) -> Option<Addr> {
        let kind = self.updatable_kind(Runtime::updatee(frame))?;
        (!kind.is_in(Kinds::BLACK)).then(|| Runtime::updatee(frame))
    }

    /// Makes update frames side by side one: the oldest stays, and the objects of the others become
    /// indirections to the next one's. The words of a frame that goes hold the length of the gap and the
    /// address of the gap above, so that the rest slides down in one pass, without memory. `top`: whether the
    /// mutator is on this chunk.
    fn squeeze(&mut self, mutator: *mut Mutator, stack: Stack, top: bool) {
        let end = stack.end();
        let mut last_gap = Addr::NULL;
        let mut at = stack.top();
        while at < end {
            let kept = self.end_of_run(mutator, at, end, top);
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

    /// The last of the update frames side by side that begin here; the frame itself if it is no update frame,
    /// or alone. The objects of the frames before it were made indirections. Frames with the same object are
    /// joined in the top chunk alone: in other chunks, the outcome of a pause must not depend on events that
    /// happen while they are clean.
    fn end_of_run(&mut self, mutator: *mut Mutator, start: Addr, end: Addr, top: bool) -> Addr {
        let mut kept = start;
        loop {
            let info = info_at(kept);
            let next = kept.plus_words(frame_words(info));
            if !info.is(Kind::UpdateFrame) || next >= end {
                return kept;
            }
            if !info_at(next).is(Kind::UpdateFrame) {
                return kept;
            }
            let (upper, lower) = (Runtime::updatee(kept), Runtime::updatee(next));
            let both = self.updatable_kind(upper).is_some() && self.updatable_kind(lower).is_some();
            let one = if upper == lower {
                top
            } else {
                both && planted!(53, true, self.update(mutator, upper, lower.0, false).is_ok())
            };
            if !one {
                return kept;
            }
            self.tick_own(1, |c| &mut c.upd_squeezed_ctr);
            kept = next;
        }
    }
}
