//! The figures of a heap at one moment: the bytes that it holds, and their parts.

use crate::base::size::*;
use crate::os::clock;
use crate::runtime::Runtime;
use crate::runtime::stats::PAUSE_BUCKETS;

/// Figures of a heap since it was made, in bytes unless a name says otherwise. The client's, filled by the call.
///
/// The resident memory has these parts: `live_bytes` (everything in old steps, dead or alive, that no
/// collection has freed yet, `large_bytes` included), `nursery_bytes` (the memory in which objects are made:
/// the nursery and the pools of `barrow_allocate`), `fragmentation_bytes`, `overhead_bytes`,
/// `side_table_bytes`, `free_bytes`. They add up to `resident_bytes`, the memory that the heap holds; the
/// system has not given the pages yet that were never written.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct HeapStats {
    /// In: `sizeof(barrow_stats_t)`.
    pub size: u32,
    pub generations: u32,
    pub collections: u64,
    pub major_collections: u64,
    pub allocated_bytes: u64,
    pub copied_bytes: u64,
    pub max_live_bytes: u64,
    pub live_bytes: u64,
    pub nursery_bytes: u64,
    pub large_bytes: u64,
    pub fragmentation_bytes: u64,
    pub overhead_bytes: u64,
    pub side_table_bytes: u64,
    pub free_bytes: u64,
    pub resident_bytes: u64,
    pub peak_resident_bytes: u64,
    pub returned_bytes: u64,
    pub external_bytes: u64,
    pub gc_wall_ns: u64,
    pub gc_cpu_ns: u64,
    pub mutator_wall_ns: u64,
    pub mutator_cpu_ns: u64,
    pub max_pause_ns: u64,
    /// Number of pauses by their length: bucket i counts those below 2^i microseconds and not below half
    /// of that.
    pub pauses: [u64; PAUSE_BUCKETS],
    /// Number of major collections that compacted in place.
    pub compactions: u64,
    /// Bytes that the heap held when the last compaction began, and below at most while it ran, without the
    /// bitmap of live words.
    pub compaction_held_bytes: u64,
    pub compaction_peak_bytes: u64,
    pub compaction_bitmap_bytes: u64,
    /// Times that the other mutators of the heap were stopped; the time that these waited until all stood, and the longest.
    pub stops: u64,
    pub stop_ns: u64,
    pub max_stop_ns: u64,
    /// The number of the thread that was the last to stand in the longest stop, as `--slow-stop` tells it; 0 for none.
    pub max_stop_thread: u64,
    /// Number of stops by the time that they took until all stood, in buckets as those of `pauses`.
    pub stop_waits: [u64; PAUSE_BUCKETS],
}

impl Runtime {
    /// Blocks of the nursery, of all mutators and of chunks that none of them holds.
    pub(super) fn nursery_blocks(&self) -> usize {
        let held = self.mutators.iter().map(|mutator| mutator.nursery.blocks);
        held.sum::<usize>() + self.store.depot.chunk_blocks()
    }

    pub fn figures(&mut self) -> HeapStats {
        self.close_nurseries();
        self.mutators.iter_mut().for_each(|mutator| mutator.pool.close());
        let in_nursery = self.nursery_words_now();
        let store = &self.store;
        let depot = &store.depot;
        let buffers: usize =
            self.mutators.iter().map(|m| m.buffers.blocks()).sum::<usize>() + depot.entry_blocks();
        let blocks = &store.blocks;
        let steps = || store.all_generations().iter().flat_map(|g| g.live_steps());
        let live: usize = steps().map(|s| s.words()).sum::<usize>() * WORD_BYTES;
        let large: usize = steps().map(|s| s.large_words).sum::<usize>() * WORD_BYTES;
        let remembered: usize = store.all_generations().iter().map(|g| g.remembered.blocks()).sum();
        let taken = blocks.megablocks.taken() * MEGABLOCK_BYTES;
        let held = taken + blocks.megablocks.held_free() * MEGABLOCK_BYTES;
        let pool_blocks: usize =
            self.mutators.iter().map(|m| m.pool.blocks.blocks).sum::<usize>() + depot.pool_blocks();
        let nursery = (self.nursery_blocks() + pool_blocks) * BLOCK_BYTES;
        let free = blocks.free_blocks() * BLOCK_BYTES + blocks.megablocks.held_free() * MEGABLOCK_BYTES;
        let overhead = taken - (blocks.used() + blocks.free_blocks()) * BLOCK_BYTES
            + (remembered + buffers) * BLOCK_BYTES
            + blocks.megablocks.table_bytes()
            + store.stable.held_bytes()
            + store.weaks.held_bytes()
            + store.names.held_bytes()
            + store.sampled.held_bytes();
        let tables = blocks.megablocks.table_bytes()
            + store.stable.held_bytes()
            + store.weaks.held_bytes()
            + store.names.held_bytes()
            + store.sampled.held_bytes();
        let sides = store.side_table_bytes();
        let resident = held + tables + sides;
        let (wall, cpu) = (clock::wall(), self.cpu_clock());
        let stats = &self.stats;
        let words = stats.nursery_words + in_nursery + store.pool_words + store.large_words_allocated;
        HeapStats {
            size: size_of::<HeapStats>() as u32,
            generations: store.generation_count as u32,
            collections: stats.collections,
            major_collections: stats.major_collections,
            allocated_bytes: words * WORD_BYTES as u64,
            copied_bytes: stats.copied_words * WORD_BYTES as u64,
            max_live_bytes: stats.most_live_words * WORD_BYTES as u64,
            live_bytes: live as u64,
            nursery_bytes: nursery as u64,
            large_bytes: large as u64,
            // The rest of the blocks of steps, pools and pinned objects holds no object.
            fragmentation_bytes: resident.saturating_sub(live + nursery + free + overhead + sides) as u64,
            overhead_bytes: overhead as u64,
            side_table_bytes: sides as u64,
            free_bytes: planted!(139, 0, free as u64),
            resident_bytes: resident as u64,
            peak_resident_bytes: (blocks.megablocks.most_taken() * MEGABLOCK_BYTES + tables + sides) as u64,
            returned_bytes: blocks.megablocks.returned_bytes(),
            external_bytes: self.external.bytes,
            gc_wall_ns: stats.gc_wall.0,
            gc_cpu_ns: stats.gc_cpu.0,
            mutator_wall_ns: wall
                .since(stats.born_wall)
                .0
                .saturating_sub(stats.gc_wall.0 + stats.profile_wall.0),
            mutator_cpu_ns: cpu.since(stats.born_cpu).0.saturating_sub(stats.gc_cpu.0 + stats.profile_cpu.0),
            max_pause_ns: stats.longest_pause.0,
            pauses: stats.pauses,
            compactions: stats.compactions,
            compaction_held_bytes: stats.compaction.held as u64,
            compaction_peak_bytes: stats.compaction.most as u64,
            compaction_bitmap_bytes: stats.compaction.bitmap as u64,
            stops: stats.stops,
            stop_ns: stats.stop_wall.0,
            max_stop_ns: stats.longest_stop.0,
            max_stop_thread: stats.slowest_thread,
            stop_waits: stats.stop_waits,
        }
    }
}
