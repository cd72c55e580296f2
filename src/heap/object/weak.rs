//! Weak pointers as they lie in the heap, and the lists that they are in.
//!
//! A weak pointer is listed with the youngest generation that it or one of its fields is in: a collection that stops
//! below has nothing to do with it, however many there are [heap.weak.youngest]. Lists go through the objects, so a
//! collection needs no memory for them.

use crate::base::size::MAX_GENERATIONS;
use crate::base::still::ended;
use crate::base::{Addr, List, Outcome};
use crate::heap::mutator::state::Mutator;
use crate::heap::object::header::HEADER_BITS;
use crate::heap::object::own;
use std::ffi::c_void;
use std::sync::atomic::AtomicU64;

/// The function that is called when a key has died, outside the collection. `mutator` is NULL while the heap is being
/// freed.
pub(crate) type FinalizerFunction = unsafe extern "C-unwind" fn(
    mutator: *mut Mutator,
    data: *mut c_void,
    key: *mut c_void,
    value: *mut c_void,
);

/// A weak pointer in the heap. Its fields are read by `barrow_weak_deref` (barrow/inline.h), and written by nobody.
#[repr(C)]
pub struct WeakObject {
    pub header: usize,
    /// The key, not kept alive by this.
    pub key: *mut c_void,
    /// The value, kept alive as long as the key is.
    pub value: *mut c_void,
    /// An object that the client runs when the key has died, or NULL.
    pub finalizer: *mut c_void,
    pub link: *mut c_void,
    /// The function that is called with `data` when the key has died, or NULL.
    pub function: Option<
        unsafe extern "C-unwind" fn(
            mutator: *mut Mutator,
            data: *mut c_void,
            key: *mut c_void,
            value: *mut c_void,
        ),
    >,
    pub data: *mut c_void,
}

pub(crate) const WEAK_WORDS: usize = size_of::<WeakObject>() / 8;

/// The finalizer of a weak pointer: a function or an object, or both, with its words.
#[derive(Clone, Copy, Debug)]
pub struct Finalizer {
    pub function: Option<FinalizerFunction>,
    pub data: *mut c_void,
    pub key: *mut c_void,
    pub value: *mut c_void,
    pub object: *mut c_void,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Live,
    Pending,
    Dead,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weak(pub Addr);

impl Weak {
    pub fn object(self) -> *mut WeakObject {
        self.0.as_ptr()
    }

    /// The state that a header says, when it is that of a weak pointer.
    pub fn state_of(header: usize) -> Option<State> {
        let info = header & !HEADER_BITS;
        let table = [(&own::WEAK, State::Live), (&own::PENDING, State::Pending), (&own::DEAD, State::Dead)];
        table.iter().find(|(own, _)| own.address().0 == info).map(|&(_, state)| state)
    }

    /// The header of this state; the collector's bits stay.
    fn header_of(self, state: State) -> usize {
        let info = match state {
            State::Live => &own::WEAK,
            State::Pending => &own::PENDING,
            State::Dead => &own::DEAD,
        };
        // SAFETY: a weak pointer lies here.
        info.address().0 | (unsafe { self.0.load() } & HEADER_BITS)
    }

    pub fn become_state(self, state: State) {
        // SAFETY: as above.
        unsafe { self.0.store(self.header_of(state)) };
    }

    pub fn key_slot(self) -> Addr {
        self.0.plus_words(1)
    }

    /// Key, value and finalizer.
    pub fn slots(self) -> [Addr; 3] {
        [1, 2, 3].map(|i| self.0.plus_words(i))
    }

    fn link_slot(self) -> Addr {
        self.0.plus_words(4)
    }

    pub fn next(self) -> Addr {
        // SAFETY: a weak pointer lies here, or did before it was copied, and the word is still there.
        Addr(unsafe { self.link_slot().load() })
    }

    pub fn set_next(self, next: Addr) {
        // SAFETY: as above.
        unsafe { self.link_slot().store(next.0) };
    }

    /// The address in the key, without tag bits.
    pub fn key(self) -> Addr {
        // SAFETY: as above.
        Addr(unsafe { self.key_slot().load() } & !HEADER_BITS)
    }

    pub fn finalizer(self) -> Finalizer {
        // SAFETY: as above.
        let weak = unsafe { &*self.object() };
        Finalizer {
            function: weak.function,
            data: weak.data,
            key: weak.key,
            value: weak.value,
            object: weak.finalizer,
        }
    }

    pub fn has_finalizer(self) -> bool {
        let finalizer = self.finalizer();
        finalizer.function.is_some() || !finalizer.object.is_null()
    }

    /// Makes it dead, with nothing but the place in its list. Other threads may be reading it [gc.weak.by-hand].
    pub fn end(self) {
        let dead = self.header_of(State::Dead);
        // SAFETY: as above; while mutators run, its header, key and value are written to in this way alone.
        unsafe {
            let word = |index| AtomicU64::from_ptr(self.0.plus_words(index).as_ptr());
            ended::end(word(0), planted!(474, self.0.load(), dead) as u64, [word(1), word(2)]);
        }
        self.clear_finalizer();
    }

    /// Clears everything but the place in the list of a weak pointer that is not alive.
    pub fn clear(self) {
        // SAFETY: as above, and the words are the library's alone.
        unsafe {
            (*self.object()).key = std::ptr::null_mut();
            (*self.object()).value = std::ptr::null_mut();
        }
        self.clear_finalizer();
    }

    /// These fields are read by one thread at a time.
    fn clear_finalizer(self) {
        let weak = self.object();
        // SAFETY: as above.
        unsafe {
            (*weak).finalizer = std::ptr::null_mut();
            (*weak).function = None;
            (*weak).data = std::ptr::null_mut();
        }
    }
}

/// A list through the link words of weak pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeakList(pub Addr);

impl WeakList {
    pub const EMPTY: WeakList = WeakList(Addr::NULL);

    pub fn push(&mut self, weak: Weak) {
        weak.set_next(planted!(113, Addr::NULL, self.0));
        self.0 = weak.0;
    }

    pub fn pop(&mut self) -> Option<Weak> {
        if self.0.is_null() {
            return None;
        }
        let weak = Weak(self.0);
        self.0 = weak.next();
        Some(weak)
    }

    pub fn take(&mut self) -> WeakList {
        std::mem::replace(self, WeakList::EMPTY)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_null()
    }

    pub fn iter(self) -> impl Iterator<Item = Weak> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let weak = (!rest.is_null()).then_some(Weak(rest))?;
            rest = weak.next();
            Some(weak)
        })
    }
}

pub struct WeakTable {
    /// Lists by the youngest generation that the weak pointer or one of its fields is in.
    pub lists: [WeakList; MAX_GENERATIONS],
    /// Number of weak pointers in all lists.
    pub count: usize,
    /// Weak pointers whose finalizers wait: a queue that is taken from its front, and those that came since. Links are
    /// fields here, which the collector follows; these two are roots.
    pub due: Addr,
    pub arrived: Addr,
    /// Number that came since the client was told.
    pub fresh: usize,
    /// Weak pointers that collections have taken from the lists to look at, in all.
    pub looked_at: u64,
    /// Elements of weak arrays that collections have looked at, in all.
    pub elements_looked_at: u64,
    /// Lists by the address that is waited for, during a collection. There is always room for all.
    pub buckets: List<WeakList>,
    /// Weak pointers whose awaited object was reached, during a collection.
    pub ready: WeakList,
}

/// Weak pointers to a bucket, at most.
const PER_BUCKET: usize = 2;

impl WeakTable {
    pub const fn new() -> WeakTable {
        WeakTable {
            lists: [WeakList::EMPTY; MAX_GENERATIONS],
            count: 0,
            due: Addr::NULL,
            arrived: Addr::NULL,
            fresh: 0,
            looked_at: 0,
            elements_looked_at: 0,
            buckets: List::new(),
            ready: WeakList::EMPTY,
        }
    }

    /// Whether there is room for one more weak pointer.
    #[inline]
    pub fn is_prepared(&self) -> bool {
        self.count < self.buckets.len() * PER_BUCKET
    }

    /// Makes room for one more weak pointer, so that no collection has to.
    pub fn prepare(&mut self) -> Outcome<()> {
        if !self.is_prepared() {
            let wanted = (self.buckets.len() * 2).max(64);
            self.buckets.fill(wanted, WeakList::EMPTY)?;
        }
        Ok(())
    }

    /// Lists a new weak pointer. Room was made.
    pub fn add(&mut self, weak: Weak) {
        self.lists[0].push(weak);
        self.count += 1;
    }

    pub fn bucket_of(&self, key: Addr) -> usize {
        // The number of buckets is a power of two, and the high bits of the product depend on all of the address.
        let shift = 64 - self.buckets.len().trailing_zeros();
        key.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift
    }

    pub fn bucket(&mut self, key: Addr) -> &mut WeakList {
        let index = self.bucket_of(key);
        &mut self.buckets[index]
    }

    /// The roots: the queue's two ends.
    pub fn queue_slots(&mut self) -> [Addr; 2] {
        [Addr(&raw mut self.due as usize), Addr(&raw mut self.arrived as usize)]
    }

    pub fn held_bytes(&self) -> usize {
        self.buckets.held_bytes()
    }

    /// The next weak pointer whose finalizer waits, without taking it.
    pub fn first_due(&mut self) -> Option<Weak> {
        loop {
            if self.due.is_null() {
                self.due = std::mem::take(&mut self.arrived);
            }
            let weak = (!self.due.is_null()).then_some(Weak(self.due))?;
            if weak.has_finalizer() {
                return Some(weak);
            }
            // The weak pointer was finalized by hand meanwhile.
            self.end_first(weak);
        }
    }

    /// The first weak pointer's finalizer; the weak pointer is dead from now on.
    pub fn take_due(&mut self) -> Option<Finalizer> {
        let weak = self.first_due()?;
        let finalizer = weak.finalizer();
        self.end_first(weak);
        Some(finalizer)
    }

    fn end_first(&mut self, weak: Weak) {
        self.due = weak.next();
        weak.end();
        weak.set_next(Addr::NULL);
    }
}
