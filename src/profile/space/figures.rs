//! The figures of a space profile, as the client reads them.

use crate::base::size::MAX_GENERATIONS;
use crate::base::{Failure, Outcome};
use crate::profile::heap::tally::Count;
use crate::profile::space::kinds::COLUMNS;
use crate::profile::space::result::Results;
use crate::profile::space::rows::Cell;

/// The sums of a space profile. Sizes are bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SpaceTotals {
    /// In: `sizeof(barrow_space_totals_t)`.
    pub size: u32,
    /// Generations that objects were copied out of.
    pub generations: u32,
    pub functions: u64,
    pub collections: u64,
    pub allocated_bytes: u64,
    pub allocated_objects: u64,
    pub copied_bytes: u64,
    pub copied_objects: u64,
    pub unprofiled_bytes: u64,
    pub unprofiled_objects: u64,
    /// The most bytes that the profiler held, and those of its side table.
    pub used_bytes: u64,
    pub side_table_bytes: u64,
    /// CPU time of the profiler's own work before and after collections.
    pub profiler_ns: u64,
    /// Moments with live data: points of time, and local maxima of the heap.
    pub points: u64,
    pub maxima: u64,
    /// 0 when memory was short: some functions count together, or some copies were not counted.
    pub complete: u32,
    /// Microseconds of a tick; 0 when time was not sampled.
    pub tick_us: u32,
    /// Ticks of functions, of collections, of the profiler, and those for which memory was short.
    pub ticks: u64,
    pub ticks_collecting: u64,
    pub ticks_profiling: u64,
    pub ticks_lost: u64,
    /// Nodes in the tree of callers.
    pub callers: u64,
}

/// The figures of one function in a space profile. Sizes are bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SpaceFunction {
    /// In: `sizeof(barrow_space_function_t)`.
    pub size: u32,
    /// Bytes of the whole name, without the NUL, however much of it was asked for.
    pub name_length: u32,
    /// The client's word, or 0.
    pub word: usize,
    /// The offset in the file of its module of the first place that allocates; 0 when that is not known.
    pub offset: usize,
    /// Places in the function that allocate.
    pub sites: u32,
    /// Not 0 when the function was recorded by kind.
    pub has_kinds: u32,
    pub allocated_bytes: u64,
    pub allocated_objects: u64,
    pub copied_bytes: u64,
    pub copied_objects: u64,
    /// Out of each generation.
    pub copied_bytes_from: [u64; 8],
    pub copied_objects_from: [u64; 8],
    /// Bytes of its objects that were in the heap after the last collection of each generation.
    pub live_bytes: u64,
    /// Ticks of the clock that found it running, and elsewhere on the stack, once each.
    pub ticks_top: u64,
    pub ticks_elsewhere: u64,
    /// Calls, with BARROW_MANNER_CALLS, where compiled code counts them.
    pub calls: u64,
}

/// The figures of one function and one kind of object.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SpaceKind {
    /// In: `sizeof(barrow_space_kind_t)`.
    pub size: u32,
    pub reserved: u32,
    pub objects: u64,
    pub bytes: u64,
    /// Bytes of these that are headers, lengths, words kept for results, cards, padding.
    pub overhead: u64,
}

const _: () = assert!(MAX_GENERATIONS == 8);

impl SpaceTotals {
    pub(crate) fn of(results: &Results) -> SpaceTotals {
        let [ticks_collecting, ticks_profiling, ticks_lost] = results.ticks_apart;
        SpaceTotals {
            size: size_of::<SpaceTotals>() as u32,
            generations: results.generations as u32,
            functions: results.functions.len() as u64,
            collections: results.collections,
            allocated_bytes: results.total.allocated.bytes(),
            allocated_objects: results.total.allocated.objects,
            copied_bytes: results.total.copied.bytes(),
            copied_objects: results.total.copied.objects,
            unprofiled_bytes: results.unprofiled.bytes(),
            unprofiled_objects: results.unprofiled.objects,
            used_bytes: results.used_bytes,
            side_table_bytes: results.side_bytes,
            profiler_ns: results.own_ns,
            points: results.points.len() as u64,
            maxima: results.maxima.len() as u64,
            complete: (!results.short_of_memory && !results.lost_tables) as u32,
            tick_us: (results.tick_ns / 1000) as u32,
            ticks: results.total.top,
            ticks_collecting,
            ticks_profiling,
            ticks_lost,
            callers: results.callers.nodes.len() as u64,
        }
    }
}

impl SpaceFunction {
    /// The figures of a function, and its whole name.
    pub(crate) fn of(results: &Results, index: usize) -> Outcome<(SpaceFunction, &[u8])> {
        let function = results.function(index)?;
        let name = results.text(function.name);
        let from = |of: fn(&Count) -> u64| {
            let mut all = [0; MAX_GENERATIONS];
            for (to, count) in all.iter_mut().zip(results.copied_of(index)) {
                *to = of(count);
            }
            all
        };
        let figures = SpaceFunction {
            size: size_of::<SpaceFunction>() as u32,
            name_length: name.len() as u32,
            word: function.word,
            offset: function.offset,
            sites: function.sites,
            has_kinds: function.has_kinds as u32,
            allocated_bytes: function.allocated.bytes(),
            allocated_objects: function.allocated.objects,
            copied_bytes: function.copied.bytes(),
            copied_objects: function.copied.objects,
            copied_bytes_from: from(|count| count.bytes()),
            copied_objects_from: from(|count| count.objects),
            live_bytes: function.living_bytes,
            ticks_top: function.top,
            ticks_elsewhere: function.elsewhere,
            calls: function.calls,
        };
        Ok((figures, name))
    }
}

impl SpaceKind {
    /// The figures of a function in one line and column of its table.
    pub(crate) fn of(results: &Results, index: usize, (line, column): (usize, usize)) -> Outcome<SpaceKind> {
        results.function(index)?;
        if line >= results.lines() || column >= COLUMNS {
            return Err(Failure::argument(format_args!(
                "there is no line {line} or no column {column}: lines go up to {}, columns to {}",
                results.lines() - 1,
                COLUMNS - 1
            )));
        }
        let Cell { objects, bytes, overhead } = results.cells_of(index)[line * COLUMNS + column];
        Ok(SpaceKind { size: size_of::<SpaceKind>() as u32, reserved: 0, objects, bytes, overhead })
    }
}
