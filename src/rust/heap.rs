//! A heap and its mutator, as values that a program owns and borrows.

use super::root::Root;
use super::shape::Shape;
use crate::base::flag::Flags;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator as Window;
use crate::host::Host;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::collect::Reason;
use crate::runtime::figures::HeapStats;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::slot::Slot;
use std::marker::PhantomData;

/// A heap with the flags of a line, as `config.flags` has them. It is freed when it goes out of scope; `end` does the same
/// and tells whether its reports could be written.
pub struct Heap {
    /// A live heap, until this is dropped. The pointer also keeps the value in its thread.
    host: *mut Host,
}

impl Heap {
    pub fn new(flags: &str) -> Outcome<Heap> {
        let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
        let flags = Flags::parse(flags)?;
        if flags.mutators > 1 {
            return Err(Failure::argument(format_args!(
                "--mutators: a heap of this kind stays in its thread, and has one mutator"
            )));
        }
        Ok(Heap { host: Host::new(flags, values, Hooks::default(), RetainerScheme::OURS)?.into_raw() })
    }

    /// Makes the mutator, through which objects are made and read. A heap has one at a time.
    pub fn attach(&self) -> Outcome<Mutator<'_>> {
        let window = self.with(|host| host.attach())?;
        Ok(Mutator { heap: self, window, borrows: PhantomData })
    }

    /// Figures since the heap was made, in bytes unless a name says otherwise.
    pub fn figures(&self) -> Outcome<HeapStats> {
        self.with(|host| Ok(host.figures()))
    }

    /// Words in all generations: live after a major collection, and with objects that have died since.
    pub fn live_words(&self) -> Outcome<usize> {
        self.with(|host| Ok(host.live_words()))
    }

    /// Starts a heap profile, as flags such as `-hd -i0` ask for.
    pub fn start_profile(&self, flags: &str) -> Outcome<()> {
        self.with(|host| host.start_profile_with(flags))
    }

    pub fn stop_profile(&self) -> Outcome<()> {
        self.with(|host| host.stop_profile())
    }

    /// Frees the heap and writes its reports. A report that cannot be written gives the sentence.
    pub fn end(self) -> Outcome<()> {
        let ended = self.free();
        std::mem::forget(self);
        ended
    }

    fn free(&self) -> Outcome<()> {
        // A collection that ended in a panic has left a heap that nobody may look at: it stays.
        self.with(|_| Ok(()))?;
        // SAFETY: the heap came from a slot, and the callers do not use it again.
        Host::end(unsafe { Slot::from_raw(self.host) })
    }

    pub(super) fn is(&self, other: &Heap) -> bool {
        self.host == other.host
    }

    /// Calls the host, unless a collection was left in the middle by a panic.
    pub(super) fn with<T>(&self, call: impl FnOnce(&mut Host) -> Outcome<T>) -> Outcome<T> {
        // SAFETY: the heap lives as long as this; it stays in its thread, and calls do not nest, since none of them
        // calls the program's code: so this is the only reference.
        let host = unsafe { &mut *self.host };
        host.refuse_while_busy()?;
        call(host)
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // A report that could not be written was told of on the standard error stream.
        let _ = self.free();
    }
}

/// A thread's way into a heap. It goes before the heap does, and is detached then.
pub struct Mutator<'h> {
    heap: &'h Heap,
    /// A live mutator of this heap, until this is dropped.
    window: *mut Window,
    borrows: PhantomData<&'h mut Window>,
}

impl<'h> Mutator<'h> {
    /// Makes an object of a shape from references and plain words, in the order of its fields. May collect.
    pub fn make(
        &self,
        shape: &'static Shape,
        references: &[Option<&Root<'_>>],
        words: &[usize],
    ) -> Outcome<Root<'_>> {
        let (pointers, plain) = shape.fields();
        if (references.len(), words.len()) != (pointers, plain) {
            return Err(Failure::argument(format_args!(
                "the shape has {pointers} references and {plain} words, and was given {} and {}",
                references.len(),
                words.len()
            )));
        }
        for root in references.iter().flatten() {
            self.refuse_foreign(root)?;
        }
        let made = self.heap.with(|host| {
            let at = host.allocate_in_nursery(self.window, 1 + pointers + plain, 0)?;
            let held = references.iter().map(|root| root.map_or(0, Root::address));
            // SAFETY: the words were just allocated, and the object is whole before anything else is called. References
            // are read after the collection that there may have been.
            unsafe {
                at.store(shape.address().0);
                for (field, word) in held.chain(words.iter().copied()).enumerate() {
                    at.plus_words(1 + field).store(word);
                }
            }
            host.store.stable.make(at.0)
        })?;
        // SAFETY: the entry was just made, and nobody else frees it.
        Ok(unsafe { Root::of(self, made) })
    }

    /// Collects as many generations as are due, or all of them.
    pub fn collect(&self, reason: Reason) -> Outcome<()> {
        self.heap.with(|host| host.collect_for(self.window, reason))
    }

    /// Collects when a collection was asked for or is due.
    pub fn safepoint(&self) -> Outcome<()> {
        self.heap.with(|host| host.safepoint(self.window))
    }

    /// Walks the whole heap, and tells what is wrong with it.
    pub fn check(&self) -> Outcome<()> {
        self.heap.with(|host| host.check_heap(self.window).map(|_| ()))
    }

    /// Writes the graph of live objects to a file.
    pub fn write_snapshot(&self, name: &str) -> Outcome<()> {
        self.heap.with(|host| host.write_snapshot(self.window, name.as_bytes()))
    }

    /// Ends the mutator. Its objects stay while roots of others hold them. A heap that has no room to collect gives the mutator back: with
    /// fewer roots it may be able to. The mutator of a failure without one has gone: a report of its could not be written.
    pub fn detach(self) -> std::result::Result<(), (Option<Self>, Failure)> {
        let mut stays = true;
        let detached = self.heap.with(|host| {
            let detached = host.detach(self.window);
            stays = host.mutators.iter().any(|one| std::ptr::eq(&raw const **one, self.window));
            detached
        });
        match detached {
            Err(failure) if stays => Err((Some(self), failure)),
            ended => {
                std::mem::forget(self);
                ended.map_err(|failure| (None, failure))
            }
        }
    }

    pub(super) fn heap(&self) -> &'h Heap {
        self.heap
    }

    pub(super) fn refuse_foreign(&self, root: &Root<'_>) -> Outcome<()> {
        if root.heap().is(self.heap) {
            return Ok(());
        }
        Err(Failure::argument(format_args!(
            "the object at {} lies in another heap: references lead to objects of their own heap",
            Addr(root.address())
        )))
    }

    /// Stores a reference into a field of an object, with the barrier.
    pub(super) fn write(&self, owner: Addr, field: Addr, to: usize) -> Outcome<()> {
        self.heap.with(|host| {
            // SAFETY: the root has found the field in its live object.
            unsafe { field.store(to) };
            host.wrote(self.window, owner, field, crate::heap::space::remember::Remembered::Slot);
            Ok(())
        })
    }
}

impl Drop for Mutator<'_> {
    fn drop(&mut self) {
        // A heap that has no room to collect keeps the mutator; it goes with the heap.
        let _ = self.heap.with(|host| host.detach(self.window));
    }
}
