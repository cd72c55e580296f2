//! Memory set aside (`--faults`): blocks whose objects have gone stay out of use, without access, for many collections,
//! with a record of each object that was there and where it went.
//!
//! Blocks enter while a collection tidies up; the batch is closed, and its pages lose access, when the collection is over.
//! Later collections release the oldest batches.

use crate::base::size::*;
use crate::base::{Addr, List, Sentence};
use crate::block::{Block, Chain};
use crate::heap::mutator::area::Nursery;
use crate::heap::object::info::Info;
use crate::heap::space::generation::Code;
use crate::heap::{Mutator, Store};
use crate::os::trap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An object that lay in memory which is set aside.
#[derive(Clone, Copy)]
pub(crate) struct Gone {
    pub(crate) from: Addr,
    pub(crate) words: usize,
    pub(crate) info: &'static Info,
    /// The object's place after the collection; null when it died.
    pub(crate) to: Addr,
    /// The address to which its allocation returned; 0 when it is unknown.
    pub(crate) site: usize,
}

/// The blocks of one collection, and the objects that lay in them.
pub(crate) struct Batch {
    pub(crate) collection: u64,
    pub(crate) reason: &'static CStr,
    groups: List<Block>,
    /// Sorted by place.
    objects: List<Gone>,
    blocks: usize,
}

pub(crate) struct Aside {
    pub(crate) is_on: bool,
    /// Batches, the newest last.
    batches: List<Batch>,
    /// Groups that the running collection sets aside.
    open: List<Block>,
    blocks: usize,
    /// All that was ever aside lies from here to there. A handler of another thread may look.
    from: AtomicUsize,
    to: AtomicUsize,
}

/// The most blocks that stay aside when a collection begins, and the most groups: the system keeps at most 64 Ki mappings
/// apart, of which each group may make two.
const MOST_BLOCKS: usize = (64 << 20) / BLOCK_BYTES;
const MOST_GROUPS: usize = 8192;

impl Aside {
    pub(crate) const fn new(is_on: bool) -> Aside {
        Aside {
            is_on,
            batches: List::new(),
            open: List::new(),
            blocks: 0,
            from: AtomicUsize::new(usize::MAX),
            to: AtomicUsize::new(0),
        }
    }

    /// Sets a group aside, whose objects have gone; false when it has to be freed instead.
    pub(crate) fn take(&mut self, group: Block) -> bool {
        self.is_on && self.open.push(group).is_ok()
    }

    /// Ends the collection's batch: its pages lose access. Objects are sorted by place.
    pub(crate) fn close(&mut self, collection: u64, reason: &'static CStr, objects: List<Gone>) {
        let groups = std::mem::take(&mut self.open);
        if groups.is_empty() || self.batches.reserve(1).is_err() {
            self.open = groups;
            return;
        }
        let blocks = groups.iter().map(|group| group.blocks()).sum();
        for group in groups.iter() {
            // A thread faults when the pages have lost access, which comes later.
            self.from.fetch_min(group.start().0, Ordering::Relaxed);
            self.to.fetch_max(group.end().0, Ordering::Relaxed);
            // SAFETY: the group is used by nobody else until it is released. Pages that keep access are no loss but the
            // fault's.
            unsafe { trap::allow_access(group.start(), group.end(), false) };
        }
        self.blocks += blocks;
        let _ = self.batches.push_within(Batch { collection, reason, groups, objects, blocks });
    }

    fn is_full(&self) -> bool {
        let groups: usize = self.batches.iter().map(|batch| batch.groups.len()).sum();
        self.blocks > MOST_BLOCKS || groups > MOST_GROUPS
    }

    /// Whether an address may lie in memory that is aside. Any thread may ask.
    pub(crate) fn may_hold(&self, at: Addr) -> bool {
        (self.from.load(Ordering::Relaxed)..self.to.load(Ordering::Relaxed)).contains(&at.0)
    }

    /// The batch whose memory an address lies in, and the object that lay there, if one did.
    pub(crate) fn find(&self, at: Addr) -> Option<(&Batch, Option<Gone>)> {
        let holds = |batch: &&Batch| batch.groups.iter().any(|group| at >= group.start() && at < group.end());
        let batch = self.batches.iter().rev().find(holds)?;
        Some((batch, batch.object(at)))
    }

    /// The object that lay at an address, and the collection after which it was there no more.
    pub(crate) fn gone_from(&self, at: Addr) -> Option<(&Batch, Gone)> {
        let (batch, gone) = self.find(at)?;
        Some((batch, gone.filter(|gone| gone.from == at)?))
    }

    /// The words about an object that is no more, for a message about its address; none when nothing is known.
    pub(crate) fn told_of(&self, at: Addr) -> Sentence {
        match self.gone_from(at) {
            None => Sentence::EMPTY,
            Some((batch, gone)) if gone.to.is_null() => Sentence::new(format_args!(
                " any more: collection {} freed it ({}), since nothing that is known referred to it; the argument of this call still has its address",
                batch.collection,
                gone.info.name()
            )),
            Some((batch, gone)) => Sentence::new(format_args!(
                " any more: collection {} moved it ({}) to {}; the argument of this call still has its old address: was it in no root, or not read from there again?",
                batch.collection,
                gone.info.name(),
                gone.to
            )),
        }
    }

    /// The place of an object now: it may have moved again since.
    pub(crate) fn follow(&self, gone: Gone) -> Addr {
        let mut to = gone.to;
        for _ in 0..self.batches.len() {
            match self.gone_from(to) {
                Some((_, next)) => to = next.to,
                None => break,
            }
        }
        to
    }

    /// Forgets all objects: their tables may go with the module that they are in.
    pub(crate) fn forget_objects(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.objects = List::new());
    }
}

impl Batch {
    fn object(&self, at: Addr) -> Option<Gone> {
        let after = self.objects.partition_point(|gone| gone.from <= at);
        let gone = *self.objects.get(after.checked_sub(1)?)?;
        (at < gone.from.plus_words(gone.words)).then_some(gone)
    }
}

impl Store {
    /// Frees a group whose objects have gone, at once or when it has been aside.
    pub(crate) fn free_or_set_aside(&mut self, group: Block) {
        if !self.aside.take(group) {
            self.blocks.free_group(group);
        }
    }

    /// Sets the chunks of an emptied nursery aside that held objects; it gets its size again after the collection.
    pub(crate) fn set_chunks_aside(&mut self, mutator: &mut Mutator) {
        let nursery = &mut mutator.nursery;
        if !self.aside.is_on || nursery.current.is_null() {
            return;
        }
        let mut chunks = Chain { first: nursery.first, blocks: nursery.blocks };
        let last = nursery.current;
        while let Some(chunk) = chunks.pop() {
            self.codes.set(chunk.start(), chunk.blocks(), Code::NONE.0);
            self.free_or_set_aside(chunk);
            if chunk == last {
                break;
            }
        }
        let used = nursery.used;
        *nursery = Nursery { first: chunks.first, blocks: chunks.blocks, used, ..Nursery::EMPTY };
    }

    /// Frees memory that was set aside: all of it, or the oldest, so that not too much stays aside. False when there was
    /// none to free.
    pub(crate) fn release_aside(&mut self, all: bool) -> bool {
        let before = self.aside.batches.len();
        while !self.aside.batches.is_empty() && (all || self.aside.is_full()) {
            let batch = self.aside.batches.remove(0);
            self.aside.blocks -= batch.blocks;
            for &group in batch.groups.iter() {
                // SAFETY: the group is this heap's, and was mapped for writing. A system that refuses would leave memory
                // without access: then the group stays aside for good.
                if unsafe { trap::allow_access(group.start(), group.end(), true) } {
                    self.blocks.free_group(group);
                }
            }
        }
        self.aside.batches.len() < before
    }
}
