//! The client's callbacks, each with the client's own pointer.

use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::runtime::collect::ExtraRoots;
use std::ffi::{c_char, c_void};

pub type RootsHook = unsafe extern "C-unwind" fn(client: *mut c_void, visitor: *mut Visitor);
pub type OverflowHook = unsafe extern "C-unwind" fn(
    client: *mut c_void,
    mutator: *mut crate::heap::Mutator,
    bytes: usize,
) -> bool;
pub type ReadyHook = unsafe extern "C" fn(client: *mut c_void);
pub type FatalHook = unsafe extern "C" fn(client: *mut c_void, sentence: *const c_char);
pub type EventHook = unsafe extern "C" fn(client: *mut c_void, event: *const Event);

#[derive(Clone, Copy, Default)]
pub struct Hooks {
    pub roots: Option<RootsHook>,
    pub overflow: Option<OverflowHook>,
    pub finalizers_ready: Option<ReadyHook>,
    pub fatal: Option<FatalHook>,
    pub event: Option<EventHook>,
    pub client: Client,
}

impl Hooks {
    /// Lets the client tell its roots, if it has a callback for them.
    pub(crate) fn visit_roots(&self, visitor: &mut Visitor) {
        if let Some(roots) = self.roots {
            // SAFETY: the client's callback takes its own pointer and a visitor, which lives during the call.
            unsafe { roots(self.client.0, &raw mut *visitor) };
        }
    }

    /// All roots that clients tell at a stop: the heap's, those that one collection has besides, and those of collections for which
    /// mutators wait that are still beside this one.
    pub(crate) fn roots_of_stop<'a, 'b>(
        self,
        mutator: &Mutator,
        extra: &'a mut ExtraRoots<'b>,
    ) -> impl FnMut(&mut Visitor) + use<'a, 'b> {
        let beside = mutator.beside;
        move |visitor| {
            self.visit_roots(visitor);
            if let Some(extra) = extra {
                extra(visitor);
            }
            // SAFETY: mutators are in this list as long as they are kept still, and the stop does not end before its roots are told.
            unsafe { Mutator::visit_told(beside, visitor) };
        }
    }
}

/// The client's pointer, handed back in every callback.
#[derive(Clone, Copy)]
pub struct Client(pub *mut c_void);

impl Default for Client {
    fn default() -> Client {
        Client(std::ptr::null_mut())
    }
}

/// An event, for the event hook, which must not call into the heap.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// `sizeof(barrow_event)` of the library.
    pub size: u32,
    /// A `barrow_event_kind`.
    pub kind: EventKind,
    /// Number of collections so far, this one included.
    pub collection: u64,
    /// The oldest generation that is collected.
    pub generation: u32,
    /// 1 when all generations are collected.
    pub major: u32,
    /// At the end of a collection: bytes copied, and live bytes in all generations afterwards.
    pub copied_bytes: u64,
    pub live_bytes: u64,
    /// At the end of a collection: time for which the mutator was stopped, in nanoseconds.
    pub pause_ns: u64,
    /// The time for which this collection waited until the other mutators stood, in nanoseconds; 0 with one mutator.
    pub stop_ns: u64,
    /// Mutators that are attached, this one included.
    pub mutators: u64,
    /// The number of the thread that collects, as `--slow-stop` tells it. It calls the hook.
    pub thread: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum EventKind {
    CollectionBegins = 1,
    CollectionEnds = 2,
}
