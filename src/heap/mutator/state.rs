//! One thread of client code: its window, and what belongs to it and is not for compiled code.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::mutator::area::{Nursery, SmallPool};
use crate::heap::mutator::booking::{Sites, TicksByBytes};
use crate::heap::mutator::counting::Counting;
use crate::heap::mutator::ticky::NOBODYS;
use crate::heap::mutator::window::{Cost, Window};
use crate::heap::root::frame::LlvmFrame;
use crate::heap::root::native::NativeStack;
use crate::heap::space::remember::Buffers;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};

/// Why a mutator should come to the slow path: bits of `poll`.
pub(crate) mod attention {
    /// A collection is due.
    pub(crate) const COLLECT: u32 = 1;
    /// A sample of a heap profile is due.
    pub(crate) const SAMPLE: u32 = 2;
    /// The client is to say which functions are on its stack.
    pub(crate) const WALK: u32 = 4;
    /// The heap is busy: nothing is allocated until it is no more. The slow path refuses, and leaves the bit.
    pub(crate) const CLOSED: u32 = 8;
}

/// Why a safepoint has something to do though nobody asks for attention: bits of `unsettled`.
pub(crate) mod safepoint {
    /// The allocation area is open, and the safepoint is refused.
    pub(crate) const OPENED: u32 = 1;
    /// A sample falls due by time, so the clock is looked at.
    pub(crate) const TIMED: u32 = 2;
    /// Large objects have made a collection due.
    pub(crate) const FULL: u32 = 4;
}

/// `window` is first: C sees a mutator as its window.
#[repr(C)]
pub struct Mutator {
    pub window: Window,
    pub signature: u64,
    /// The runtime that it belongs to, which only the layer above looks into.
    pub owner: *mut std::ffi::c_void,
    pub thread: u64,
    /// The word of that thread (`os::thread::pointer`), from when it is attached until its thread ends or it is detached; else 0.
    /// Whoever comes from there needs no closer look.
    pub home: usize,
    /// Why a safepoint has to look closer: bits of `safepoint`.
    pub unsettled: u32,
    pub nursery: Nursery,
    pub pool: SmallPool,
    pub buffers: Buffers,
    /// The end of the allocation area, whatever `hp_lim` says.
    pub limit: Addr,
    /// Where in the allocation area a sample is due; null for nowhere.
    pub stop: Addr,
    /// Address of the client's head of LLVM's chain of frames, or null.
    pub llvm_chain: *mut *mut LlvmFrame,
    /// The empty chunk that a stack was left for last, until the next collection: one leads to the one before.
    pub spare_stack: Addr,
    /// In foreign code: collections may run without it.
    pub foreign: u32,
    /// Under stress, and while space or live data are taken apart by the code that allocates, `hp_lim` stays zero, so that every allocation comes to
    /// the slow path.
    pub always_slow: bool,
    /// The client fills the allocation area by itself, from where `hp` was: neither inline code nor the slow path takes words of it.
    pub opened: bool,
    /// Frames of compiled code that stack maps describe.
    pub native: NativeStack,
    /// While a profile notes places in the code.
    pub sites: Option<Box<Sites>>,
    /// While space is counted by function.
    pub counting: Counting,
    /// Where `hp` was when it was booked last; while nobody watches, `hp_at_ccs` of the window knows it.
    pub booked_to: Addr,
    /// Rows of costs, by the number of the stack, as long as there are any; before that, what everything is booked to.
    pub rows: *mut Cost,
    /// With `watch::TICKS`.
    pub ticks: TicksByBytes,
    /// Where the client goes on after the allocation that is in the slow path; 0 where that is not known.
    pub called_from: usize,
}

impl Mutator {
    pub fn new(signature: u64, owner: *mut std::ffi::c_void) -> Mutator {
        Mutator {
            window: Window::empty(),
            signature,
            owner,
            thread: 0,
            home: 0,
            unsettled: 0,
            nursery: Nursery::EMPTY,
            pool: SmallPool::EMPTY,
            buffers: Buffers::EMPTY,
            limit: Addr::NULL,
            stop: Addr::NULL,
            llvm_chain: std::ptr::null_mut(),
            spare_stack: Addr::NULL,
            foreign: 0,
            always_slow: false,
            opened: false,
            native: NativeStack::EMPTY,
            sites: None,
            counting: Counting::OFF,
            booked_to: Addr::NULL,
            rows: std::ptr::null_mut(),
            ticks: TicksByBytes::OFF,
            called_from: 0,
        }
    }

    /// Asks for attention: first the reason, then the limit, so that whoever sees the one sees the other.
    /// May be called from another thread.
    ///
    /// # Safety
    /// `this` points to a live mutator.
    pub unsafe fn ask(this: *mut Mutator, reason: u32) {
        // SAFETY: the caller's promise; both fields are only accessed atomically where it can matter.
        unsafe {
            AtomicU32::from_ptr(&raw mut (*this).window.poll).fetch_or(reason, Ordering::SeqCst);
            let limit = AtomicPtr::from_ptr(&raw mut (*this).window.hp_lim);
            planted!(117, (), limit.store(std::ptr::null_mut(), Ordering::SeqCst));
        }
    }

    /// Takes the reasons that were asked for, and puts the limit back, unless the heap is busy.
    pub fn take_attention(&mut self) -> u32 {
        // SAFETY: the fields are ours; other threads access them atomically.
        unsafe {
            let limit = AtomicPtr::from_ptr(&raw mut self.window.hp_lim);
            let poll = AtomicU32::from_ptr(&raw mut self.window.poll);
            if poll.load(Ordering::Relaxed) & attention::CLOSED == 0 {
                limit.store(self.limit_shown(), Ordering::SeqCst);
            }
            fence(Ordering::SeqCst);
            poll.fetch_and(attention::CLOSED, Ordering::SeqCst) & !attention::CLOSED
        }
    }

    /// The heap is busy no more. The limit is put back unless somebody has asked for attention meanwhile.
    ///
    /// # Safety
    /// `this` points to a live mutator, and this is its thread.
    pub unsafe fn reopen(this: *mut Mutator) {
        // SAFETY: the caller's promise; other threads access the fields atomically.
        unsafe {
            AtomicU32::from_ptr(&raw mut (*this).window.poll).fetch_and(!attention::CLOSED, Ordering::SeqCst);
            (*this).put_limit_back();
        }
    }

    /// What was asked for has happened by another way. `set_area` or `take_attention` puts the limit back.
    pub fn satisfy(&mut self, reason: u32) {
        // SAFETY: the field is ours; other threads access it atomically.
        unsafe { AtomicU32::from_ptr(&raw mut self.window.poll).fetch_and(!reason, Ordering::SeqCst) };
    }

    /// Gives safepoints a reason to look closer, or takes it back.
    pub fn unsettle(&mut self, reason: u32, holds: bool) {
        self.unsettled = if holds { self.unsettled | reason } else { self.unsettled & !reason };
    }

    /// Sets the allocation area. A limit that was zeroed meanwhile stays zero until somebody looks at `poll`.
    pub fn set_area(&mut self, hp: Addr, limit: Addr) {
        self.book();
        self.window.hp = hp.as_ptr();
        self.set_booked_to(hp);
        self.limit = limit;
        self.stop = Addr::NULL;
        self.show_limit();
    }

    /// Sends compiled code to the slow path when it has taken so many words more, if not before.
    pub fn stop_after(&mut self, words: usize) {
        let room = self.limit.0.saturating_sub(self.hp().0) / 8;
        self.stop = if words < room { self.hp().plus_words(words) } else { Addr::NULL };
        self.show_limit();
    }

    /// Shows compiled code the limit that is in force.
    pub fn show_limit(&mut self) {
        self.counting.stop();
        self.put_limit_back();
    }

    fn put_limit_back(&mut self) {
        // SAFETY: the fields are ours; other threads access them atomically.
        unsafe {
            AtomicPtr::from_ptr(&raw mut self.window.hp_lim).store(self.limit_shown(), Ordering::SeqCst);
            fence(Ordering::SeqCst);
            if AtomicU32::from_ptr(&raw mut self.window.poll).load(Ordering::SeqCst) != 0 {
                AtomicPtr::from_ptr(&raw mut self.window.hp_lim)
                    .store(std::ptr::null_mut(), Ordering::SeqCst);
            }
        }
    }

    /// How far the allocation area may be filled before somebody has something to do; null while the client fills it by itself.
    pub fn edge(&self) -> Addr {
        if self.opened {
            return Addr::NULL;
        }
        if self.stop.is_null() { self.limit } else { self.stop }
    }

    /// What `hp_lim` is while nobody wants attention.
    fn limit_shown(&self) -> *mut usize {
        if self.always_slow { std::ptr::null_mut() } else { self.edge().as_ptr() }
    }

    /// The client begins to fill the allocation area by itself, or has ended.
    pub fn set_opened(&mut self, opened: bool) {
        self.opened = opened;
        self.unsettle(safepoint::OPENED, opened);
        self.show_limit();
    }

    /// The area that the client fills holds objects that nobody else knows of yet.
    pub fn refuse_while_open(&self) -> Outcome<()> {
        if self.opened {
            return Err(Failure::state(format_args!(
                "the allocation area is open: until barrow_close_nursery nothing else may allocate in it, open it or collect"
            )));
        }
        Ok(())
    }

    /// Nothing is done with this mutator any more. Its window stays readable, and sends everything out of line, where it is
    /// refused. Frames of the shadow stack that are still left may be taken off.
    pub fn retire(&mut self, signature: u64) {
        self.signature = signature;
        self.home = 0;
        self.counting = Counting::OFF;
        let Window { frames, client, .. } = self.window;
        self.window = Window { frames, client, ticky: NOBODYS.get(), ..Window::empty() };
    }

    pub fn hp(&self) -> Addr {
        Addr(self.window.hp as usize)
    }
}
