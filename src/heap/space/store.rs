//! The store: everything of one heap that holds objects, without the policy that decides when to collect.

use crate::base::flag::Flags;
use crate::base::size::*;
use crate::base::{Addr, Failure, List, Outcome};
use crate::block::{Block, Blocks};
use crate::heap::aside::Aside;
use crate::heap::object::lazy::Tables;
use crate::heap::object::model::Model;
use crate::heap::object::statics::Statics;
use crate::heap::object::tags::Tags;
use crate::heap::object::weak::WeakTable;
use crate::heap::root::ids::NameTable;
use crate::heap::root::registered::RegisteredRoots;
use crate::heap::root::stable::StableTable;
use crate::heap::root::stack_map::StackMaps;
use crate::heap::space::changed::Changed;
use crate::heap::space::depot::Depot;
use crate::heap::space::gaps::Gaps;
use crate::heap::space::generation::{Generation, Place, Step};
use crate::heap::space::pinned::CLASS_COUNT;
use crate::megablock::{AnyCodes, Megablocks};
use crate::os::limits::Limits;
use crate::os::memory::Area;
use crate::os::workers::{Most, Workers};

/// Bytes that every heap holds for marking, and touches only when it compacts: 64 Ki objects.
const MARK_ROOM_BYTES: usize = 512 << 10;
/// Bytes that a collection has for what it knows of each place.
pub(crate) const PLACES_ROOM_BYTES: usize = 24 << 10;

pub struct Store {
    pub blocks: Blocks,
    pub codes: AnyCodes,
    pub model: Model,
    pub tables: Tables,
    /// Whether collections evaluate selectors.
    pub selects: bool,
    /// Selectors that collections have evaluated, and those that they could not.
    pub selected: u64,
    pub unselected: u64,
    /// Objects that were copied to a younger generation before an older object that is not mutable was found to refer
    /// to them.
    pub failed_promotions: u64,
    pub statics: Statics,
    pub generations: [Generation; MAX_GENERATIONS],
    pub generation_count: usize,
    /// The memory between mutators.
    pub(crate) depot: Depot,
    /// Gaps of the oldest generation that promoted objects fill first.
    pub gaps: Gaps,
    /// Some of the entries that the running collection has remembered.
    pub recent: crate::heap::space::repeated::Recent,
    /// Whether a mutator has put an empty chunk of a stack by since the last collection.
    pub has_spares: bool,
    /// Whether cards of some array are remembered. Each collection finds it out anew.
    pub has_cards: bool,
    pub stable: StableTable,
    /// The threads that take part in collections.
    pub(crate) workers: Workers,
    pub weaks: WeakTable,
    pub names: NameTable,
    /// The objects that were sampled and live.
    pub sampled: NameTable,
    pub registered: RegisteredRoots,
    pub stack_maps: StackMaps,
    /// Old objects that changed their kind or size since the last collection: slot entries in them mean nothing.
    pub changed: Changed,
    pub partly_pinned: [List<Block>; CLASS_COUNT],
    pub pinned_blocks: usize,
    pub nursery_chunk_blocks: usize,
    /// Room for the objects that a compaction has found and not marked yet. More is mapped for large heaps.
    pub mark_room: Area,
    /// Room for what a collection knows of each place.
    pub places_room: Area,
    pub poisons: bool,
    pub(crate) aside: Aside,
    /// Whether the nursery begins at another place each time, in checking mode under stress.
    pub nursery_wanders: bool,
    /// Whether an object that no collection has met may have a word in the biography.
    pub young_have_lives: bool,
    /// Whether words that a shrinking object leaves are made zero, so that memory can be walked.
    pub clears_slop: bool,
    /// Whether those of changes out of line are, since samples look for objects among new ones.
    pub clears_changed: bool,
    /// Whether the nursery stays closed, since there is no room for its objects and their copies.
    pub exhausted: bool,
    /// Blocks that `allocate` took since the last collection.
    pub allocated_blocks: usize,
    /// Words made by `allocate` in pools, and in large or pinned groups, since the heap was made.
    pub pool_words: u64,
    pub large_words_allocated: u64,
}

/// Blocks of a chunk of the nursery. Under stress with `--faults`, each collection sets the chunk aside that it empties, so
/// that small chunks stay aside for longer.
fn nursery_chunk_blocks(flags: &Flags) -> usize {
    let least = flags.faults && flags.stress_every != 0;
    if least { 0 } else { flags.nursery_chunk_bytes / BLOCK_BYTES }
}

impl Store {
    pub(crate) fn new(flags: &Flags, limits: &Limits, tags: Tags, alignment: usize) -> Outcome<Store> {
        let megablocks = Megablocks::new(flags, limits)?;
        let codes = megablocks.codes();
        let mut store = Store {
            blocks: Blocks::new(megablocks),
            codes,
            model: Model { tags, round: alignment / WORD_BYTES - 1 },
            tables: Tables::own(),
            selects: flags.selectors,
            selected: 0,
            unselected: 0,
            failed_promotions: 0,
            statics: Statics::new(),
            generations: [const { Generation::EMPTY }; MAX_GENERATIONS],
            generation_count: flags.generations,
            depot: Depot::EMPTY,
            gaps: Gaps::EMPTY,
            recent: crate::heap::space::repeated::Recent::EMPTY,
            has_spares: false,
            has_cards: false,
            stable: StableTable::new(),
            workers: Workers::new(Most { count: flags.workers.max(1), always: flags.workers_anyway }),
            weaks: WeakTable::new(),
            names: NameTable::new(),
            sampled: NameTable::new(),
            registered: RegisteredRoots::new(),
            stack_maps: StackMaps::new(),
            changed: Changed::NONE,
            partly_pinned: [const { List::new() }; CLASS_COUNT],
            pinned_blocks: 0,
            nursery_chunk_blocks: nursery_chunk_blocks(flags),
            mark_room: Area::map(MARK_ROOM_BYTES)
                .ok_or_else(|| Failure::no_memory(format_args!("no memory for the mark stack")))?,
            places_room: Area::map(PLACES_ROOM_BYTES)
                .ok_or_else(|| Failure::no_memory(format_args!("no memory for a heap's places")))?,
            poisons: flags.checks(),
            aside: Aside::new(flags.faults),
            nursery_wanders: flags.checks() && flags.stress_every != 0,
            young_have_lives: true,
            clears_slop: planted!(622, flags.sanity, flags.checks()),
            clears_changed: flags.sample_distance() != 0,
            exhausted: false,
            allocated_blocks: 0,
            pool_words: 0,
            large_words_allocated: 0,
        };
        let steps = flags.steps.unwrap_or(2);
        for number in 0..flags.generations {
            store.generations[number].step_count = if number + 1 < flags.generations { steps } else { 1 };
        }
        if flags.generations == 1 {
            // The nursery is step 0; survivors need a step to live in.
            store.generations[0].step_count = 2;
        }
        Ok(store)
    }

    pub fn oldest(&self) -> usize {
        self.generation_count - 1
    }

    #[inline]
    pub fn rounded(&self, words: usize) -> usize {
        ((words + self.model.round) & !self.model.round).max(MIN_OBJECT_WORDS)
    }

    /// Whether the address is in a block that holds objects of this heap.
    pub fn holds(&self, at: Addr) -> bool {
        self.codes.at(at.0) != 0
    }

    pub fn step(&self, place: Place) -> &Step {
        &self.generations[place.generation() as usize].steps[place.step() as usize]
    }

    pub fn all_generations(&self) -> &[Generation] {
        &self.generations[..self.generation_count]
    }
}
