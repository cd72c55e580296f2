//! One thread of client code: its window, and what belongs to it and is not for compiled code.

use super::booking::{Sites, TicksByBytes};
use super::counting::Counting;
use super::native::NativeStack;
use super::nursery::Nursery;
use super::pool::SmallPool;
use super::remember::Buffers;
use super::root::LlvmFrame;
use super::window::{Cost, Window};
use crate::base::Addr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};

/// Why a mutator should come to the slow path: bits of `poll`.
pub mod attention {
    /// A collection is due.
    pub const COLLECT: u32 = 1;
    /// A sample of a heap profile is due.
    pub const SAMPLE: u32 = 2;
    /// The client is to say which functions are on its stack.
    pub const WALK: u32 = 4;
}

/// `window` is first: C sees a mutator as its window.
#[repr(C)]
pub struct Mutator {
    pub window: Window,
    pub signature: u64,
    /// The runtime that it belongs to, which only the layer above looks into.
    pub owner: *mut std::ffi::c_void,
    pub thread: u64,
    pub nursery: Nursery,
    pub pool: SmallPool,
    pub buffers: Buffers,
    /// The end of the allocation area, whatever `hp_lim` says.
    pub limit: Addr,
    /// Where in the allocation area a sample is due; null for nowhere.
    pub stop: Addr,
    /// Address of the client's head of LLVM's chain of frames, or null.
    pub llvm_chain: *mut *mut LlvmFrame,
    /// An empty chunk that the mutator's stack has just left, until the next collection.
    pub spare_stack: Addr,
    /// In foreign code: collections may run without it.
    pub foreign: u32,
    /// Under stress, and while space or live data are taken apart by the code that allocates, `hp_lim` stays zero, so that every allocation comes to
    /// the slow path.
    pub always_slow: bool,
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
            nursery: Nursery::EMPTY,
            pool: SmallPool::EMPTY,
            buffers: Buffers::EMPTY,
            limit: Addr::NULL,
            stop: Addr::NULL,
            llvm_chain: std::ptr::null_mut(),
            spare_stack: Addr::NULL,
            foreign: 0,
            always_slow: false,
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
            AtomicPtr::from_ptr(&raw mut (*this).window.hp_lim).store(std::ptr::null_mut(), Ordering::SeqCst);
        }
    }

    /// Takes the reasons that were asked for, and puts the limit back.
    pub fn take_attention(&mut self) -> u32 {
        // SAFETY: the fields are ours; other threads access them atomically.
        unsafe {
            let limit = AtomicPtr::from_ptr(&raw mut self.window.hp_lim);
            limit.store(self.limit_shown(), Ordering::SeqCst);
            fence(Ordering::SeqCst);
            AtomicU32::from_ptr(&raw mut self.window.poll).swap(0, Ordering::SeqCst)
        }
    }

    /// What was asked for has happened by another way. `set_area` or `take_attention` puts the limit back.
    pub fn satisfy(&mut self, reason: u32) {
        // SAFETY: the field is ours; other threads access it atomically.
        unsafe { AtomicU32::from_ptr(&raw mut self.window.poll).fetch_and(!reason, Ordering::SeqCst) };
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
        // SAFETY: as above.
        unsafe {
            AtomicPtr::from_ptr(&raw mut self.window.hp_lim).store(self.limit_shown(), Ordering::SeqCst);
            fence(Ordering::SeqCst);
            if AtomicU32::from_ptr(&raw mut self.window.poll).load(Ordering::SeqCst) != 0 {
                AtomicPtr::from_ptr(&raw mut self.window.hp_lim)
                    .store(std::ptr::null_mut(), Ordering::SeqCst);
            }
        }
    }

    /// How far the allocation area may be filled before somebody has something to do.
    pub fn edge(&self) -> Addr {
        if self.stop.is_null() { self.limit } else { self.stop }
    }

    /// What `hp_lim` is while nobody wants attention.
    fn limit_shown(&self) -> *mut usize {
        if self.always_slow { std::ptr::null_mut() } else { self.edge().as_ptr() }
    }

    pub fn hp(&self) -> Addr {
        Addr(self.window.hp as usize)
    }
}
