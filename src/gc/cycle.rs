//! One collection: its phases in order.

use super::copies::{Crowd, hold_room};
use super::observer::Observer;
use super::tracer::Tracer;
use super::{compact, leave};
use crate::base::Outcome;
use crate::base::size::{BLOCK_BYTES, MEGABLOCK_BYTES};
use crate::block::Chain;
use crate::block::descriptor::flag;
use crate::heap::root::frame::{Visitor, check_frames};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::{Mutator, Store};
use crate::megablock::{AnyCodes, Codes, HEAP_BYTES_PER_LINE_BYTE};

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The oldest generation to be collected.
    pub oldest: usize,
    /// Whether survivors of a generation go to the next one at once, whatever their age.
    pub promote_at_once: bool,
    pub way: Way,
    pub most: Most,
}

/// The memory between objects that stay where they are. With more of it they slide after all: words for each thousand
/// words that live.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// In gaps that are too small to be filled.
    pub waste: usize,
    /// In all, those that live included.
    pub held: usize,
}

impl Most {
    /// No bound.
    pub(crate) fn any() -> Most {
        Most { waste: usize::MAX, held: usize::MAX }
    }
}

/// The way of a collection with the objects that live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Objects are copied to other blocks, or to the next generation.
    Copy,
    /// Everything is collected: younger objects are copied to the oldest generation, whose objects stay where they are.
    Leave,
    /// Everything is collected, and slid together in place, which needs no memory.
    Slide,
}

#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    pub oldest: usize,
    pub major: bool,
    pub way: Way,
    /// Whether indirections in old objects were kept: objects were marked to stay, though they may have slid then.
    pub as_it_was: bool,
    pub compaction: Compaction,
    /// Words of small objects copied, or moved by a compaction.
    pub copied_words: u64,
    /// Words that the nursery and the pool held before.
    pub nursery_words: usize,
}

/// The memory that a compaction held, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compaction {
    /// Blocks when it began; and the most while it ran of blocks, mark stack and new addresses.
    pub held: usize,
    pub most: usize,
    /// The bits of live words, which are not counted in `most`.
    pub bitmap: usize,
}

/// Collects. Fails before anything has moved, when memory for the worst case is not to be had or when a root
/// description makes no sense; the heap is then as it was.
pub(crate) fn collect<O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    plan: Plan,
    observer: &mut O,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> Outcome<Cycle> {
    match store.codes {
        AnyCodes::Range(codes) => run(store, mutator, plan, observer, codes, get_roots),
        AnyCodes::Chunks(codes) => run(store, mutator, plan, observer, codes, get_roots),
    }
}

fn run<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    plan: Plan,
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> Outcome<Cycle> {
    check_roots(store, mutator)?;
    mutator.try_each(|mutator| store.close_stack(mutator))?;
    store.close_nursery(mutator);
    mutator.pool.close();
    store.workers.begin();
    let major = plan.oldest == store.oldest();
    debug_assert!(major || plan.way == Way::Copy);
    let copied = if plan.way == Way::Leave { plan.oldest - 1 } else { plan.oldest };
    let words = collected_words(store, mutator, copied);
    if major {
        store.blocks.megablocks.spare(0);
    }
    let crowd = if plan.way == Way::Slide {
        Crowd::ALONE
    } else {
        hold_for_copies(store, mutator, words.total, major && plan.way == Way::Copy)?
    };

    mutator.each(|mutator| mutator.native.detach_derived(&store.stack_maps));
    // Everything in these generations is looked at now; `forgot` is set anew by entries that cannot be remembered.
    store.generations[..=plan.oldest].iter_mut().for_each(|generation| generation.forgot = false);
    let (copied_words, slid) = match plan.way {
        Way::Copy => (copy(store, mutator, plan, crowd, observer, codes, get_roots), None),
        Way::Leave => leave::leave(store, mutator, (plan.most, crowd), observer, codes, get_roots),
        Way::Slide => {
            let (words, compaction) = compact(store, mutator, plan, observer, codes, get_roots);
            (words, Some(compaction))
        }
    };
    mutator.each(|mutator| mutator.native.attach_derived(&store.stack_maps));

    store.blocks.end_keeping();
    if major && plan.way == Way::Copy {
        store.blocks.spare_for_copies(words.total - (copied_words as usize).min(words.total));
    }
    store.generations[..=plan.oldest].iter_mut().for_each(|generation| generation.collections += 1);
    Ok(Cycle {
        oldest: plan.oldest,
        major,
        way: if slid.is_some() { Way::Slide } else { plan.way },
        as_it_was: plan.way == Way::Leave,
        compaction: slid.unwrap_or_default(),
        copied_words,
        nursery_words: words.young,
    })
}

/// Copies live objects to other blocks, and frees the blocks that they lay in. Gives the words that were copied.
fn copy<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    plan: Plan,
    crowd: Crowd,
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> u64 {
    let major = plan.oldest == store.oldest();
    let from = take_from_space(store, plan.oldest);
    let mut tracer = Tracer::new(store, observer, codes, plan.oldest, plan.promote_at_once);
    tracer.crowd = crowd;
    tracer.keep_what_lives(mutator, major, get_roots);
    tracer.finish_statics();
    tracer.reopen_stack(mutator);
    tracer.update_names(major);
    tracer.bound_remembered();
    tracer.tidy(from, mutator);
    tracer.copied_words
}

/// Marks live objects in place, and moves them together in the same blocks. Gives the words that were moved.
fn compact<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    plan: Plan,
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> (u64, Compaction) {
    let groups = compact::take_groups(store, mutator);
    let before = Held::before(store, groups);
    let rest = take_from_space(store, plan.oldest);
    debug_assert!(rest.first.is_null(), "the groups are taken already");
    let mut tracer = Tracer::new(store, observer, codes, plan.oldest, plan.promote_at_once);
    tracer.begin_compaction(groups);
    tracer.keep_what_lives(mutator, true, get_roots);
    let emptied = tracer.compact(groups, mutator, get_roots);
    let compaction = before.after(tracer.store, tracer.marks.stack_bytes());
    tracer.finish_statics();
    tracer.reopen_stack(mutator);
    tracer.bound_remembered();
    tracer.tidy(emptied, mutator);
    let moved_words = tracer.copied_words;
    store.blocks.megablocks.discard_lines();
    (moved_words, compaction)
}

/// The memory that the heap held when a compaction began, in bytes.
pub(super) struct Held {
    held: usize,
    bitmap: usize,
}

impl Held {
    /// Begins to watch the memory for a compaction of these groups.
    pub(super) fn before(store: &mut Store, groups: Chain) -> Held {
        store.blocks.megablocks.watch_most();
        Held {
            held: store.blocks.megablocks.taken() * MEGABLOCK_BYTES,
            bitmap: groups.blocks * BLOCK_BYTES / HEAP_BYTES_PER_LINE_BYTE / 2,
        }
    }

    pub(super) fn after(self, store: &Store, stack_bytes: usize) -> Compaction {
        let blocks = store.blocks.megablocks.most_watched() * MEGABLOCK_BYTES;
        Compaction { held: self.held, most: blocks + stack_bytes + self.bitmap, bitmap: self.bitmap }
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Keeps everything that remembered entries and roots lead to, and the objects that weak pointers decide on.
    pub(super) fn keep_what_lives(
        &mut self,
        mutator: &mut Mutator,
        major: bool,
        get_roots: &mut dyn FnMut(&mut Visitor),
    ) {
        self.scavenge_remembered_lists(mutator);
        self.evacuate_own_roots(mutator, major);
        self.evacuate_kept_cafs();
        (self.owner, self.desired) = (0, 0);
        get_roots(&mut Visitor::new(self));
        self.scavenge_everything();
        self.settle_weaks();
        self.end_copies();
        planted!(85, (), self.observer.all_kept());
    }
}

/// Refuses roots of the client that make no sense, as long as nothing has moved.
fn check_roots(store: &Store, mutator: &mut Mutator) -> Outcome<()> {
    mutator.try_each(|mutator| {
        // SAFETY: `frames` is null or the newest frame, as the ABI asks of the client.
        unsafe { planted!(119, Ok(0), check_frames(mutator.window.frames))? };
        check_llvm_chain(mutator)?;
        mutator.native.find(&store.stack_maps)
    })
}

/// Holds memory for as many copies as there may be, before anything moves, and for the workers that may make them.
fn hold_for_copies(store: &mut Store, mutator: &mut Mutator, words: usize, major: bool) -> Outcome<Crowd> {
    let open = open_groups(store);
    let crowd = hold_room(store, words, open)?;
    if major {
        store.give_back_idle_chunks(mutator);
    }
    Ok(crowd)
}

fn check_llvm_chain(mutator: &Mutator) -> Outcome<()> {
    struct Nothing;
    impl crate::heap::SlotSink for Nothing {
        fn pointer(&mut self, _slot: crate::base::Addr) {}
        fn tagged(&mut self, _slot: crate::base::Addr) {}
    }
    if mutator.llvm_chain.is_null() {
        return Ok(());
    }
    // SAFETY: the client gave the address of its head of LLVM's chain.
    unsafe { crate::heap::root::frame::visit_llvm_frames(*mutator.llvm_chain, &mut Nothing) }
}

struct Collected {
    total: usize,
    young: usize,
}

/// Words of small objects that might all survive.
fn collected_words(store: &Store, mutator: &Mutator, oldest: usize) -> Collected {
    let pool: usize = mutator.pool.blocks.iter().map(|group| group.words_free_to()).sum();
    let young = mutator.nursery.allocated_words() + pool;
    let old: usize = store.generations[..=oldest]
        .iter()
        .flat_map(|generation| generation.live_steps())
        .map(|step| step.live_words)
        .sum();
    // An odd size that inline allocation took is rounded up when it is copied: three words may become four.
    let grown = if store.model.round == 0 { young } else { young + young / 3 };
    Collected { total: planted!(175, 0, grown + old), young }
}

/// Groups that a collection may leave half filled: two of each step.
pub(crate) fn open_groups(store: &Store) -> usize {
    store.all_generations().iter().map(|generation| 2 * generation.step_count).sum()
}

/// Takes the collected generations' groups out of their steps. Fixed objects stay in their lists until they are
/// reached; objects left there afterwards are dead.
pub(super) fn take_from_space(store: &mut Store, oldest: usize) -> Chain {
    let mut small = Chain::EMPTY;
    if oldest == store.oldest() {
        planted!(211, (), store.gaps.clear());
    }
    for generation in &mut store.generations[..=oldest] {
        for step in &mut generation.steps {
            small.prepend(step.take_blocks());
            step.live_words = 0;
            for group in step.large.iter() {
                if group.has(flag::PINNED) {
                    group.fields().flags |= flag::SWEEP;
                    PinnedBlock(group).start_collection();
                }
            }
        }
    }
    small
}
