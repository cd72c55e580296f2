//! One thread of client code: its window, and state that is not for compiled code.

use crate::base::size::WORD_BYTES;
use crate::base::still::{Asked, Gate, Presence};
use crate::base::{Addr, Failure, Outcome};
use crate::heap::mutator::area::{Nursery, SmallPool};
use crate::heap::mutator::booking::{Sites, TicksByBytes};
use crate::heap::mutator::counting::Counting;
use crate::heap::mutator::ticky::NOBODYS;
use crate::heap::mutator::window::{Cost, Window};
use crate::heap::root::frame::{Frame, LlvmFrame, Visitor};
use crate::heap::root::native::NativeStack;
use crate::heap::space::remember::Buffers;
use crate::os::clock::ThreadClock;
use crate::os::thread;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// No point, above all addresses.
const UNDRAWN: Addr = Addr(usize::MAX);

/// Reasons for a mutator to come to the slow path: bits of `poll`.
pub(crate) mod attention {
    /// A collection is due.
    pub(crate) const COLLECT: u32 = 1;
    /// A sample of a heap profile is due.
    pub(crate) const SAMPLE: u32 = 2;
    /// The client is to say which functions are on its stack.
    pub(crate) const WALK: u32 = 4;
    /// The heap is busy: nothing is allocated until it is no more. The slow path refuses, and leaves the bit.
    pub(crate) const CLOSED: u32 = 8;
    /// Another thread wants the mutator to stand. It takes the bit back by itself.
    pub(crate) const STOP: u32 = 16;
    /// Reasons that stay until whoever has given them takes them back.
    pub(crate) const LASTING: u32 = CLOSED | STOP;
}

/// Reasons for a safepoint to look closer though nobody asks for attention: bits of `unsettled`.
pub(crate) mod safepoint {
    /// The allocation area is open, and the safepoint is refused.
    pub(crate) const OPENED: u32 = 1;
    /// A sample falls due by time, so the clock is looked at.
    pub(crate) const TIMED: u32 = 2;
    /// Large objects have made a collection due.
    pub(crate) const FULL: u32 = 4;
}

/// The bit of `home` that hides a mutator while its heap is busy: words of threads are addresses of aligned records.
const OUT: usize = 1;
/// The bit that `home_beside_others` has beside the word of a thread, so that no other word of a mutator equals it.
const BESIDE: usize = 2;
/// The bit of `home_beside_others` while the client fills the area.
const OPENED: usize = 4;

/// A mutator. `window` is first: C sees a mutator as its window.
#[repr(C)]
pub struct Mutator {
    pub window: Window,
    pub signature: u64,
    /// The runtime that the mutator belongs to, which only the layer above looks into.
    pub owner: *mut std::ffi::c_void,
    pub thread: u64,
    /// The shelf from which the mutator takes chunks of the nursery first, in a heap that takes several.
    pub(crate) shelf: usize,
    /// The question after those who fill the nursery for which this mutator was counted last; 0 for none.
    pub(crate) counted_as_filler: u64,
    /// The clock of that thread's CPU time.
    pub(crate) clock: ThreadClock,
    /// The word of that thread (`os::thread::pointer`) while it is attached and has not ended; else 0. A call from that
    /// thread needs no closer look. While the heap is busy the lowest bit, `OUT`, is set beside, and no thread has such a word.
    pub home: usize,
    /// In a heap that takes several mutators, where the end of the thread detaches it, the word of that thread with `BESIDE`, with `OUT`
    /// while the thread is inside the gate, and with `OPENED`; 0 in other heaps.
    pub home_beside_others: usize,
    /// Reasons for a safepoint to look closer: bits of `safepoint`.
    pub unsettled: u32,
    pub nursery: Nursery,
    pub pool: SmallPool,
    pub buffers: Buffers,
    /// The end of the allocation area, whatever `hp_lim` says.
    pub limit: Addr,
    /// The address in the allocation area at which a sample is due, or null.
    pub stop: Addr,
    /// The next point at which allocation is sampled, at or above `hp`; `UNDRAWN` until it is drawn.
    pub(crate) sampled: Addr,
    /// The end of words in which a point lies whose object was not looked at yet: the next allocation behind it comes to the slow path.
    pub(crate) sampled_to: Addr,
    /// Address of the client's head of LLVM's chain of frames, or null.
    pub llvm_chain: *mut *mut LlvmFrame,
    /// The empty chunk that was put by last, until the next collection; it leads to the one before.
    pub spare_stack: Addr,
    /// How often the thread has left for foreign code without coming back; while it is not 0, collections may run without
    /// it.
    pub foreign: u32,
    /// Whether `hp_lim` stays zero, so that every allocation comes to the slow path: under stress, and while space or
    /// live data are told apart by the code that allocates.
    pub always_slow: bool,
    /// Whether the client fills the allocation area by itself, from `hp` on: neither inline code nor the slow path
    /// takes words of it.
    pub opened: bool,
    /// Whether the thread was in foreign code when all that it had made was handed over, and has not been back.
    pub(crate) rests: bool,
    /// Frames of compiled code that stack maps describe.
    pub native: NativeStack,
    /// Places in the code that allocate, while a profile notes them.
    pub sites: Option<Box<Sites>>,
    /// The short way of allocations, while space is counted by function.
    pub counting: Counting,
    /// The value of `hp` when it was booked last; while nobody watches, `hp_at_ccs` of the window has it.
    pub booked_to: Addr,
    /// Rows of costs, by the number of the stack, as long as there are any; before that, the row of everything.
    pub rows: *mut Cost,
    /// Ticks by bytes allocated, with `watch::TICKS`.
    pub ticks: TicksByBytes,
    /// The address at which the client goes on after the allocation in the slow path; 0 where it is not known.
    pub called_from: usize,
    /// Words that the running call needs: those of the client's object, or of the chunk that is to hold it. While the call lets
    /// others collect, their calls need words of their own.
    pub asked_words: usize,
    /// Words of the large object or chunk for which this mutator's collection is to leave room; 0 for none.
    pub large_words: usize,
    /// The gate of the heap, when it takes several mutators; else null.
    pub(crate) gate: *const Gate,
    /// Whether the thread may touch objects now, for those who wait for it.
    pub(crate) presence: Presence,
    /// The next of the mutators that are still while this one collects, or one before it in their list; else null.
    pub(crate) beside: *mut Mutator,
    /// The place of the reference to the blackhole that the thread waits for, in a frame of its own; null while it waits
    /// for none. Only looked at inside the heap.
    pub(crate) waits_for: *const usize,
    /// A frame in which a call keeps the object that it was asked about, and which is nobody's in profiles by retainers; else null.
    pub(crate) kept: *mut Frame,
    /// The window's `owner` while the mutator runs on no stack object.
    pub(crate) own_word: usize,
    /// The function that tells the roots of a collection which the thread has asked for, and the function's own word: while
    /// the thread waits for its turn, collections of others ask it.
    pub(crate) told: Option<(RootsOfOne, *mut std::ffi::c_void)>,
}

/// A function of the client's that tells roots to a visitor.
pub(crate) type RootsOfOne = unsafe extern "C-unwind" fn(*mut std::ffi::c_void, *mut Visitor);

impl Mutator {
    pub(crate) fn new(signature: u64, owner: *mut std::ffi::c_void) -> Mutator {
        Mutator {
            window: Window::empty(),
            signature,
            owner,
            thread: 0,
            shelf: 0,
            counted_as_filler: 0,
            clock: ThreadClock::mine(),
            home: 0,
            home_beside_others: 0,
            unsettled: 0,
            nursery: Nursery::EMPTY,
            pool: SmallPool::EMPTY,
            buffers: Buffers::EMPTY,
            limit: Addr::NULL,
            stop: Addr::NULL,
            sampled: UNDRAWN,
            sampled_to: Addr::NULL,
            llvm_chain: std::ptr::null_mut(),
            spare_stack: Addr::NULL,
            foreign: 0,
            always_slow: false,
            opened: false,
            rests: false,
            native: NativeStack::EMPTY,
            sites: None,
            counting: Counting::OFF,
            booked_to: Addr::NULL,
            rows: std::ptr::null_mut(),
            ticks: TicksByBytes::OFF,
            called_from: 0,
            asked_words: 0,
            large_words: 0,
            gate: std::ptr::null(),
            presence: Presence::new(),
            beside: std::ptr::null_mut(),
            waits_for: std::ptr::null(),
            kept: std::ptr::null_mut(),
            own_word: 0,
            told: None,
        }
    }

    /// The requests to the thread, in the window.
    ///
    /// # Safety
    /// `this` points to a live mutator.
    #[inline(always)]
    unsafe fn asked<'m>(this: *mut Mutator) -> Asked<'m> {
        // SAFETY: the caller's promise; both fields are only accessed atomically where it can matter, and a limit is a word.
        unsafe {
            Asked::new(
                AtomicU32::from_ptr(&raw mut (*this).window.poll),
                AtomicU64::from_ptr((&raw mut (*this).window.hp_lim).cast()),
            )
        }
    }

    /// Asks for attention. May be called from another thread.
    ///
    /// # Safety
    /// `this` points to a live mutator.
    pub unsafe fn ask(this: *mut Mutator, reason: u32) {
        // SAFETY: the caller's promise.
        unsafe { Mutator::asked(this) }.ask(reason);
    }

    /// Takes the reasons that were asked for, and puts the limit back, unless the heap is busy.
    pub fn take_attention(&mut self) -> u32 {
        let shown = self.limit_shown();
        // SAFETY: the mutator is ours.
        unsafe { Mutator::asked(self) }.take(shown, attention::LASTING)
    }

    /// Calls for this mutator, and for those that are still beside it. A failure says whose it is, in a heap that takes several.
    pub(crate) fn try_each(&mut self, mut call: impl FnMut(&mut Mutator) -> Outcome<()>) -> Outcome<()> {
        call(self).map_err(|failure| self.names_itself_in(failure))?;
        let mut next = self.beside;
        while !next.is_null() {
            // SAFETY: the list has live mutators, each once, whose threads touch nothing meanwhile [base.still].
            let mutator = unsafe { &mut *next };
            next = mutator.beside;
            call(mutator).map_err(|failure| mutator.names_itself_in(failure))?;
        }
        Ok(())
    }

    /// The failure, which another thread may be told, with the mutator and its thread.
    #[cold]
    fn names_itself_in(&self, failure: Failure) -> Failure {
        if planted!(519, true, self.gate.is_null()) {
            return failure;
        }
        let (this, thread) = (&raw const *self, self.thread);
        Failure::new(
            failure.status,
            format_args!("the mutator {this:?} of thread {thread}: {}", failure.sentence),
        )
    }

    /// As `try_each`, for a call that cannot fail.
    pub(crate) fn each(&mut self, mut call: impl FnMut(&mut Mutator)) {
        let _ = self.try_each(|mutator| {
            call(mutator);
            Ok(())
        });
    }

    /// Lets the mutators of a list that begins here tell the roots of collections that they wait for.
    ///
    /// # Safety
    /// `first` was the mutator's `beside`, and these mutators are still.
    pub(crate) unsafe fn visit_told(first: *mut Mutator, visitor: &mut Visitor) {
        let mut next = first;
        while !next.is_null() {
            // SAFETY: the caller's promise. The client's function takes its own word and a visitor, which lives during the call.
            unsafe {
                if let Some((tell, client)) = planted!(315, None, (*next).told) {
                    tell(client, &raw mut *visitor);
                }
                next = (*next).beside;
            }
        }
    }

    /// Sends calls the longer way while the heap is busy: they find nobody at home.
    ///
    /// # Safety
    /// `this` points to a live mutator, and this is its thread.
    pub(crate) unsafe fn be_out(this: *mut Mutator) {
        // SAFETY: the caller's promise; no other thread writes the field, or compares it with its own word.
        unsafe { (&raw mut (*this).home).write((*this).home | planted!(303, 0, OUT)) };
    }

    /// Ends `be_out`.
    ///
    /// # Safety
    /// As of `be_out`.
    pub(crate) unsafe fn be_back(this: *mut Mutator) {
        // SAFETY: as in `be_out`.
        unsafe { (&raw mut (*this).home).write((*this).home & !OUT) };
    }

    /// The word that `home_beside_others` has while the calling thread, whose mutator it is, may leave for foreign code at once.
    #[inline(always)]
    pub(crate) fn word_beside_others() -> usize {
        thread::pointer() | BESIDE
    }

    /// Sends calls the longer way while this thread is inside the gate, from which none may leave for foreign code.
    ///
    /// # Safety
    /// `this` points to a live mutator, and this is its thread.
    pub(crate) unsafe fn goes_in(this: *mut Mutator) {
        // SAFETY: the caller's promise, also below.
        let home = unsafe { Mutator::home_beside_others(this) };
        home.store(home.load(Ordering::Relaxed) | planted!(437, 0, OUT), Ordering::Relaxed);
    }

    /// Ends `goes_in`. The mutator may have ended meanwhile, and its place may have become another thread's, whose word is not
    /// this one's.
    ///
    /// # Safety
    /// `this` points to the place of a mutator.
    pub(crate) unsafe fn goes_out(this: *mut Mutator) {
        // SAFETY: the caller's promise.
        let home = unsafe { Mutator::home_beside_others(this) };
        let word = home.load(Ordering::Relaxed);
        if word & !OPENED == Mutator::word_beside_others() | OUT {
            home.store(word & !OUT, Ordering::Relaxed);
        }
    }

    /// Whether a late mutator's thread is inside the gate of another heap, with its mutator there. Where threads have no word nobody knows.
    ///
    /// # Safety
    /// `this` points to the place of a mutator, and `late` to a live one of a heap that takes several.
    pub(crate) unsafe fn is_inside_with(this: *mut Mutator, late: *mut Mutator) -> bool {
        // SAFETY: the caller's promise.
        let [word, of_thread] = [this, late]
            .map(|one| unsafe { Mutator::home_beside_others(one) }.load(Ordering::Relaxed) & !OPENED);
        thread::HAS_POINTER && word == of_thread | OUT
    }

    /// # Safety
    /// `this` points to the place of a mutator.
    unsafe fn home_beside_others<'m>(this: *mut Mutator) -> &'m AtomicUsize {
        // SAFETY: the caller's promise; places stay mapped.
        unsafe { AtomicUsize::from_ptr(&raw mut (*this).home_beside_others) }
    }

    /// Opens the area when the heap is busy no more. The limit is put back unless somebody has asked for attention
    /// meanwhile.
    ///
    /// # Safety
    /// `this` points to a live mutator, and this is its thread.
    pub unsafe fn reopen(this: *mut Mutator) {
        // SAFETY: the caller's promise.
        unsafe {
            (*this).satisfy(attention::CLOSED);
            (*this).put_limit_back();
        }
    }

    /// Takes back a reason whose work was done in another way. `set_area` or `take_attention` puts the limit back.
    pub fn satisfy(&mut self, reason: u32) {
        // SAFETY: the mutator is ours.
        unsafe { Mutator::asked(self) }.satisfy(reason);
    }

    /// Takes the words of the allocation area up to `end`: whatever of the library takes words from it does so here.
    #[inline(always)]
    pub fn take_to(&mut self, end: Addr) {
        self.window.hp = end.as_ptr();
    }

    /// Gives safepoints a reason to look closer, or takes it back.
    pub fn unsettle(&mut self, reason: u32, holds: bool) {
        self.unsettled = if holds { self.unsettled | reason } else { self.unsettled & !reason };
    }

    /// Words before the next point; none where it was passed, in words that the client took by itself, or is not drawn.
    #[inline]
    pub(crate) fn words_to_point(&self) -> Option<usize> {
        let bytes = self.sampled.0.wrapping_sub(self.hp().0);
        (bytes <= isize::MAX as usize).then_some(bytes / WORD_BYTES)
    }

    /// Sets the allocation area. A limit that was zeroed meanwhile stays zero until somebody looks at `poll`.
    pub fn set_area(&mut self, hp: Addr, limit: Addr) {
        self.book();
        // A point that is the very next word is kept as well, though it is null while there is no area.
        let left = planted!(473, self.words_to_point().filter(|left| *left > 0), self.words_to_point());
        planted!(306, (), self.sampled = left.map_or(UNDRAWN, |left| hp.plus_words(left)));
        self.take_to(hp);
        self.set_booked_to(hp);
        self.limit = limit;
        self.stop = Addr::NULL;
        self.show_limit();
    }

    /// Sends compiled code to the slow path after `words` more words, if not before.
    pub fn stop_after(&mut self, words: usize) {
        let room = self.limit.0.saturating_sub(self.hp().0) / 8;
        self.stop = if words < room { self.hp().plus_words(words) } else { Addr::NULL };
        self.show_limit();
    }

    pub fn show_limit(&mut self) {
        self.counting.stop();
        self.put_limit_back();
    }

    fn put_limit_back(&mut self) {
        let shown = self.limit_shown();
        // SAFETY: the mutator is ours.
        unsafe { Mutator::asked(self) }.put_limit_back(shown);
    }

    /// The end of the words that may be taken before something is due; null while the client fills the area by itself.
    pub fn edge(&self) -> Addr {
        if self.opened {
            return Addr::NULL;
        }
        if self.stop.is_null() { self.limit } else { self.stop }
    }

    /// The value of `hp_lim` while nobody wants attention.
    fn limit_shown(&self) -> u64 {
        if self.always_slow { 0 } else { self.edge().0 as u64 }
    }

    /// Notes that the client begins to fill the allocation area by itself, or has ended.
    pub fn set_opened(&mut self, opened: bool) {
        self.opened = opened;
        if self.home_beside_others != 0 {
            self.home_beside_others = self.home_beside_others & !OPENED | if opened { OPENED } else { 0 };
        }
        self.unsettle(safepoint::OPENED, opened);
        self.show_limit();
    }

    /// Refuses calls while the client fills the area, whose objects nobody else knows of yet.
    pub fn refuse_while_open(&self) -> Outcome<()> {
        if self.opened {
            return Err(Failure::state(format_args!(
                "the allocation area is open: until barrow_close_nursery nothing else may allocate in it, open it or collect"
            )));
        }
        Ok(())
    }

    /// Ends the use of this mutator. Its window stays readable, and sends everything out of line, where it is refused.
    /// Frames of the shadow stack that are still left may be taken off.
    pub fn retire(&mut self, signature: u64) {
        self.signature = signature;
        (self.home, self.home_beside_others) = (0, 0);
        self.counting = Counting::OFF;
        let Window { frames, client, .. } = self.window;
        self.window = Window { frames, client, ticky: NOBODYS.get(), ..Window::empty() };
    }

    pub fn hp(&self) -> Addr {
        Addr(self.window.hp as usize)
    }
}
