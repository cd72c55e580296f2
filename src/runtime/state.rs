//! The state of allocator and collector as debuggers and clients read it.

use crate::base::{Failure, Outcome};
use crate::block::Descriptor;
use crate::runtime::Runtime;

/// A step: objects that have survived the same number of collections.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StepState {
    /// The number of the step: its age within its generation.
    pub no: u32,
    pub reserved: u32,
    /// Groups that hold small objects, linked by `link`.
    pub blocks: *mut Descriptor,
    pub n_blocks: usize,
    /// Groups of one large object each, and blocks of pinned ones, linked by `link`.
    pub large_objects: *mut Descriptor,
    pub n_large_blocks: usize,
    pub live_words: usize,
    pub large_words: usize,
}

/// A generation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GenerationState {
    pub no: u32,
    pub n_steps: u32,
    /// The generation is collected next time when step 0 has more blocks than this.
    pub max_blocks: usize,
    /// Entries that remember pointers from here to younger generations, and the blocks that hold them.
    pub n_remembered: usize,
    pub n_remembered_blocks: usize,
    pub collections: u64,
}

/// The state of a heap as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HeapState {
    /// In: `sizeof(barrow_heap_state_t)`.
    pub size: u32,
    pub n_generations: u32,
    /// The nursery (`g0s0->blocks`): its first chunk, the one in use, in the first mutator's part; its blocks, in all.
    pub nursery: *mut Descriptor,
    pub current_nursery: *mut Descriptor,
    pub nursery_blocks: usize,
    /// The small object pool (`small_alloc_list`) and its free part.
    pub small_alloc_list: *mut Descriptor,
    pub alloc_hp: *mut usize,
    pub alloc_hp_lim: *mut usize,
    /// Blocks that `barrow_allocate` took since the last collection, and how many make one due.
    pub alloc_blocks: usize,
    pub alloc_blocks_lim: usize,
    pub mblocks_allocated: usize,
    pub most_mblocks_allocated: usize,
    pub free_blocks: usize,
    pub used_blocks: usize,
    /// Not 0: memory comes in chunks instead of one range.
    pub in_chunks: u32,
    pub reservations_halved: u32,
    pub reserved_bytes: usize,
}

impl Runtime {
    pub(crate) fn state(&mut self) -> HeapState {
        self.close_nurseries();
        let store = &self.store;
        let notes = store.blocks.megablocks.notes();
        let mut state = HeapState {
            size: size_of::<HeapState>() as u32,
            n_generations: store.generation_count as u32,
            nursery: std::ptr::null_mut(),
            current_nursery: std::ptr::null_mut(),
            nursery_blocks: planted!(
                641,
                self.mutators.iter().take(1).map(|m| m.nursery.blocks).sum(),
                self.nursery_blocks()
            ),
            small_alloc_list: std::ptr::null_mut(),
            alloc_hp: std::ptr::null_mut(),
            alloc_hp_lim: std::ptr::null_mut(),
            alloc_blocks: store.allocated_blocks,
            alloc_blocks_lim: self.allocated_blocks_limit(),
            mblocks_allocated: store.blocks.megablocks.taken(),
            most_mblocks_allocated: store.blocks.megablocks.most_taken(),
            free_blocks: store.blocks.free_blocks(),
            used_blocks: store.blocks.used(),
            in_chunks: notes.in_chunks as u32,
            reservations_halved: notes.halved,
            reserved_bytes: notes.reserved_bytes,
        };
        if let Some(mutator) = self.mutators.first_mut() {
            mutator.pool.close();
            state.nursery = mutator.nursery.first.0;
            state.current_nursery = mutator.nursery.current.0;
            state.small_alloc_list = mutator.pool.blocks.first.0;
            state.alloc_hp = mutator.pool.next.as_ptr();
            state.alloc_hp_lim = mutator.pool.limit.as_ptr();
        }
        state
    }

    pub(crate) fn generation_state(&mut self, number: usize) -> Outcome<GenerationState> {
        self.known_generation(number)?;
        let generation = &mut self.store.generations[number];
        Ok(GenerationState {
            no: number as u32,
            n_steps: generation.step_count as u32,
            max_blocks: generation.max_blocks,
            n_remembered: generation.remembered.len(),
            n_remembered_blocks: generation.remembered.blocks(),
            collections: generation.collections,
        })
    }

    pub(crate) fn step_state(&mut self, number: usize, step: usize) -> Outcome<StepState> {
        self.known_generation(number)?;
        let generation = &self.store.generations[number];
        let Some(state) = generation.live_steps().get(step) else {
            return Err(Failure::argument(format_args!(
                "generation {number} has {} steps; there is no step {step}",
                generation.step_count
            )));
        };
        Ok(StepState {
            no: step as u32,
            reserved: 0,
            blocks: state.blocks.first.0,
            n_blocks: state.blocks.blocks,
            large_objects: state.large.first.0,
            n_large_blocks: state.large.blocks,
            live_words: state.live_words,
            large_words: state.large_words,
        })
    }

    fn known_generation(&self, number: usize) -> Outcome<()> {
        if number < self.store.generation_count {
            return Ok(());
        }
        Err(Failure::argument(format_args!(
            "this heap has {} generations; there is no generation {number}",
            self.store.generation_count
        )))
    }
}
