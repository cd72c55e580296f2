//! Per-function space: profiles begun and ended round any part of a run, and their results.

use super::guard::{check_sized, give, give_name, text, with_heap, with_mutator};
use crate::base::size::MAX_GENERATIONS;
use crate::base::{Failure, Outcome, Status};
use crate::heap::{Info, Mutator};
use crate::host::Host;
use crate::profile::heap::tally::Count;
use crate::profile::space::kinds::COLUMNS;
use crate::profile::space::ledger::Wish;
use crate::profile::space::ledger::manner::{MANNER_ALL, MANNER_TIME};
use crate::profile::space::profiler::SpaceOptions;
use std::ffi::{c_char, c_void};

/// The wishes for a space profile. All zero but the size: allocation and copies of every function, up to 64 MiB.
#[repr(C)]
pub struct SpaceWish {
    /// In: `sizeof(barrow_space_options)`.
    pub size: u32,
    /// The figures to record of each function for which `manner_of` does not choose: bits
    /// BARROW_MANNER_SPACE, BARROW_MANNER_KINDS, BARROW_MANNER_CALLS and BARROW_MANNER_TIME; 0 for the
    /// first alone.
    pub manner: u32,
    /// The figures to record of one function, asked for when it comes up: by its word in the window, or when that is
    /// NULL, by the return address of an allocation. 0 leaves the function out. It is called in the middle of an
    /// allocation and must not use the heap. May be NULL.
    pub manner_of:
        Option<unsafe extern "C" fn(client: *mut c_void, function: *mut c_void, site: *mut c_void) -> u32>,
    /// The column of a kind of object; a number of no column leaves it to the library. Called in collections too.
    /// May be NULL. The outermost profile's function counts.
    pub column_of: Option<unsafe extern "C" fn(client: *mut c_void, info: *const Info) -> u32>,
    /// The name of a word in the window, asked for when the profile ends; NULL for none. May be NULL: the word is taken
    /// for an address of code then.
    pub name_of: Option<unsafe extern "C" fn(client: *mut c_void, function: *mut c_void) -> *const c_char>,
    /// Handed to the callbacks.
    pub client: *mut c_void,
    /// Not 0: live data is recorded by function, after collections.
    pub live: u32,
    pub reserved: u32,
    /// The most bytes that the profiler holds, besides side tables, results, and the clock's notes; new functions
    /// count together when more would be needed. 0 for 64 MiB. Fewer than it begins with are refused, with a
    /// sentence that says how many these are.
    pub limit_bytes: usize,
    /// Bytes of these for live data at points of time, which are thinned when they fill them. 0 for a
    /// quarter.
    pub points_bytes: usize,
    /// Microseconds of CPU time between ticks of the clock, for BARROW_MANNER_TIME; 0 for no clock. Of nested profiles,
    /// the first that asks has it.
    pub tick_us: u32,
    /// The depth to which callers of running functions are kept.
    pub depth: u32,
    /// After a tick, at the next allocation: writes the functions on the stack into `functions`, the running one
    /// first, at most `room`, and gives how many: with none, the time is that of "(unknown)". It must not use the
    /// heap. NULL: the word in the window is the function that runs, and nothing else is known.
    pub walk: Option<
        unsafe extern "C" fn(
            client: *mut c_void,
            mutator: *mut Mutator,
            functions: *mut *mut c_void,
            room: usize,
        ) -> usize,
    >,
    /// Not 0: `walk` gives return addresses, and not words of the client's.
    pub walk_tells_code: u32,
    pub reserved2: u32,
}

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

const DEFAULT_LIMIT: usize = 64 << 20;

/// # Safety
/// `options` is null, or points to options of the size that they tell.
unsafe fn read_options(options: *const SpaceWish) -> Outcome<SpaceOptions> {
    // SAFETY: the caller's promise.
    let Some(told) = (unsafe { options.as_ref() }) else {
        return Err(Failure::argument(format_args!("the options of a space profile are NULL")));
    };
    if (told.size as usize) < size_of::<SpaceWish>() {
        return Err(Failure::argument(format_args!(
            "the size of the options is {}, and not sizeof(barrow_space_options), {}",
            told.size,
            size_of::<SpaceWish>()
        )));
    }
    if told.manner & !MANNER_ALL != 0 {
        return Err(Failure::argument(format_args!("{:#x} is no manner of profiling", told.manner)));
    }
    let times = told.manner & MANNER_TIME != 0 || told.manner_of.is_some();
    if (told.manner & MANNER_TIME != 0 && told.tick_us == 0) || (told.tick_us != 0 && !times) {
        return Err(Failure::argument(format_args!("BARROW_MANNER_TIME and tick_us need one another")));
    }
    let limit_bytes = if told.limit_bytes == 0 { DEFAULT_LIMIT } else { told.limit_bytes };
    let points_bytes = if told.points_bytes == 0 { limit_bytes / 4 } else { told.points_bytes };
    if points_bytes > limit_bytes {
        return Err(Failure::argument(format_args!(
            "live data may take {points_bytes} bytes, which is more than the {limit_bytes} of the whole profiler"
        )));
    }
    let manner = if told.manner == 0 { 1 } else { told.manner };
    Ok(SpaceOptions {
        wish: Wish {
            manner,
            manner_of: told.manner_of,
            client: told.client,
            live: told.live != 0,
            limit_bytes,
            points_bytes,
            tick_ns: told.tick_us as u64 * 1000,
            walk: told.walk,
            walk_tells_code: told.walk_tells_code != 0,
            depth: told.depth as usize,
        },
        column_of: told.column_of,
        name_of: told.name_of,
    })
}

/// Begins to count the allocation of each function and its copies, in any program, as it was compiled. A function is
/// told by `function` in the window, or else by the code that the allocation returns to. Profiles nest:
/// `out_profile` is the number by which this one ends.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root. `options` is as described; its
/// callbacks and `client` stay until the profile ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_begin(
    mutator: *mut Mutator,
    options: *const SpaceWish,
    out_profile: *mut u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let options = read_options(options)?;
            give(out_profile, 0, "out_profile")?;
            give(out_profile, runtime.begin_space(mutator, options)?, "out_profile")
        })
    }
}

/// Ends the profile that began last and has not ended. Its results are there until another one begins in a heap
/// without any, or ends, or `barrow_space_forget`.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_end(mutator: *mut Mutator, profile: u32) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.end_space(mutator, profile)) }
}

/// Suspends all space profiles of the heap, until they are resumed as often: nothing is counted meanwhile.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_suspend(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.suspend_space(mutator)) }
}

/// Goes on after `barrow_space_suspend`.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_resume(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.resume_space()) }
}

/// Collects everything, and records the live objects of each function as a point of time of the profiles that run.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_point(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.take_space_point(mutator)) }
}

/// Frees the results of the last profile.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_forget(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            runtime.profilers.space.forget_results();
            Ok(())
        })
    }
}

/// The sums of the profile that ended last.
///
/// # Safety
/// `heap` is live; `out` points to totals with their `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_totals(heap: *mut Host, out: *mut SpaceTotals) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_totals_t")?;
            let results = runtime.profilers.space.last_results()?;
            out.write(SpaceTotals {
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
                ticks_collecting: results.ticks_apart[0],
                ticks_profiling: results.ticks_apart[1],
                ticks_lost: results.ticks_apart[2],
                callers: results.callers.nodes.len() as u64,
            });
            Ok(())
        })
    }
}

/// Function number `index` of the profile that ended last, and as much of its name as `name`, of `room` bytes, can
/// hold with a NUL. Functions that allocate most come first. `name` may be NULL when `room` is 0.
///
/// # Safety
/// `heap` is live; `out` points to a function with its `size` set; `name` has `room` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_function(
    heap: *mut Host,
    index: usize,
    out: *mut SpaceFunction,
    name: *mut c_char,
    room: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_function_t")?;
            let results = runtime.profilers.space.last_results()?;
            let Some(function) = results.functions.get(index) else { return Err(no_function(index)) };
            let text = results.text(function.name);
            give_name(name, room, text)?;
            let from = |of: fn(&Count) -> u64| {
                let mut all = [0; MAX_GENERATIONS];
                for (to, count) in all.iter_mut().zip(results.copied_of(index)) {
                    *to = of(count);
                }
                all
            };
            out.write(SpaceFunction {
                size: size_of::<SpaceFunction>() as u32,
                name_length: text.len() as u32,
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
            });
            Ok(())
        })
    }
}

/// The objects that function number `index` has made of the kinds in `column` (line 0), or the share of these that
/// was copied out of generation `line - 1`.
///
/// # Safety
/// `heap` is live; `out` points to a kind with its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_kind(
    heap: *mut Host,
    index: usize,
    line: usize,
    column: usize,
    out: *mut SpaceKind,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_kind_t")?;
            let results = runtime.profilers.space.last_results()?;
            if index >= results.functions.len() {
                return Err(no_function(index));
            }
            if line >= results.lines() || column >= COLUMNS {
                return Err(Failure::argument(format_args!(
                    "there is no line {line} or no column {column}: lines go up to {}, columns to {}",
                    results.lines() - 1,
                    COLUMNS - 1
                )));
            }
            let cell = results.cells_of(index)[line * COLUMNS + column];
            let (objects, bytes, overhead) = (cell.objects, cell.bytes, cell.overhead);
            out.write(SpaceKind {
                size: size_of::<SpaceKind>() as u32,
                reserved: 0,
                objects,
                bytes,
                overhead,
            });
            Ok(())
        })
    }
}

/// Node number `index` in the tree of callers: how many ticks found function number `*out_function` as the caller of node
/// `*out_parent - 1`, or running, when that is 0. A parent comes before its children.
///
/// # Safety
/// `heap` is live; the out-pointers are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_caller(
    heap: *mut Host,
    index: usize,
    out_parent: *mut usize,
    out_function: *mut usize,
    out_ticks: *mut u64,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let results = runtime.profilers.space.last_results()?;
            let Some(node) = results.callers.nodes.get(index) else {
                return Err(Failure::argument(format_args!("the space profile has no caller {index}")));
            };
            give(out_parent, node.parent as usize, "out_parent")?;
            give(out_function, node.who as usize, "out_function")?;
            give(out_ticks, node.ticks, "out_ticks")
        })
    }
}

/// Writes the results of the last profile into a file: 's' simple, 'c' with copies by generation, 'f' full, with
/// kinds, 'j' everything as JSON, 'h' live data at points of time as a heap profile (.hp).
///
/// # Safety
/// `heap` is live; `path` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_report(heap: *mut Host, path: *const c_char, format: c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let path = text(path, "the name of the report")?;
            runtime.write_space_report(path, format as u8 as char)
        })
    }
}

fn no_function(index: usize) -> Failure {
    Failure::argument(format_args!("the space profile has no function {index}"))
}
