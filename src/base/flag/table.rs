//! THE table of flags. A flag that the references' runtime has is spelled as there.

use super::cost::{CostReport, LONGEST_TICK_SECONDS, SHORTEST_TICK_SECONDS};
use super::flags::{Destination, Flags, Source, WORKERS_BY_STOPS};
use super::profile::Sampling;
use super::row::Row;
use super::value::Argument::{self, *};
use crate::base::decimal::Short;
use crate::base::size::{BLOCK_BYTES, MAX_GENERATIONS, MAX_STEPS};
use crate::base::{Failure, Outcome, Text};
use std::fmt::{Display, Write};

type Get = fn(&Flags, &mut Text) -> Outcome<()>;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// The largest size of memory in any range, in bytes.
const MOST: u64 = 65536 * GIB;
/// The most mutators of a heap.
const MOST_MUTATORS: u64 = 1024;
/// The most threads of a collection.
const MOST_WORKERS: u64 = 64;
/// The default of `--workers`, as the help has it.
const EACH_STOPPED: &str = "as many as were stopped";
/// The largest count in any range.
const MANY: u64 = 1_000_000_000_000_000_000;

const fn heap(
    name: &'static str,
    argument: Argument,
    default: &'static str,
    doc: &'static str,
    get: Get,
) -> Row {
    Row { name, argument, default, doc, get, of_profile: false }
}

const fn profile(
    name: &'static str,
    argument: Argument,
    default: &'static str,
    doc: &'static str,
    get: Get,
) -> Row {
    Row { name, argument, default, doc, get, of_profile: true }
}

const fn size(least: u64, most: u64, set: fn(&mut Flags, u64)) -> Argument {
    Size { least, most, set }
}

const fn count(least: u64, most: u64, set: fn(&mut Flags, u64)) -> Argument {
    Count { least, most, set }
}

const fn percent(least: f64, most: f64, set: fn(&mut Flags, f64)) -> Argument {
    Percent { least, most, set }
}

fn put(out: &mut Text, value: impl Display) -> Outcome<()> {
    write!(out, "{value}").map_err(|_| Failure::no_memory(format_args!("no memory for the value of a flag")))
}

fn on(out: &mut Text, yes: bool) -> Outcome<()> {
    out.add(if yes { "on" } else { "off" })
}

fn or<T: Display>(out: &mut Text, value: Option<T>, none: &str) -> Outcome<()> {
    match value {
        Some(value) => put(out, value),
        Option::None => out.add(none),
    }
}

fn or_off(out: &mut Text, value: u64) -> Outcome<()> {
    or(out, (value != 0).then_some(value), "off")
}

fn place(out: &mut Text, destination: &Destination) -> Outcome<()> {
    match destination {
        Destination::Nowhere => out.add("off"),
        Destination::StandardError => out.add("on"),
        Destination::File(name) => out.add(name.as_str()),
    }
}

/// Longer names come before their prefixes, since the first match wins.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    heap("-?", None(|f| f.help = true), "off",
        "list these flags on the standard error stream, and make no heap",
        |f, out| on(out, f.help)),
    heap("--machine-readable", None(|f| f.machine_readable = true), "off",
        "with -t, -s or -S: the figures as (name, value) pairs",
        |f, out| on(out, f.machine_readable)),
    heap("--mutators", count(1, MOST_MUTATORS, |f, n| f.mutators = n as usize), "1",
        "mutators that may be attached at a time, each in a thread of its own; with more than one, calls take the heap's lock",
        |f, out| put(out, f.mutators)),
    heap("--workers", CountAnyway { least: 1, most: MOST_WORKERS, set: |f, n, anyway| (f.workers, f.workers_anyway) = (n as usize, anyway) }, EACH_STOPPED,
        "threads in a large collection, at most, and never more than processors that the process may use; with ! in each, however small",
        |f, out| match f.workers {
            WORKERS_BY_STOPS => put(out, EACH_STOPPED),
            n => put(out, format_args!("{n}{}", if f.workers_anyway { "!" } else { "" })),
        }),
    heap("--slow-stop", count(1, MANY, |f, n| f.slow_stop = n), "off",
        "milliseconds after which a thread that a collection waits for is named on the standard error stream",
        |f, out| or_off(out, f.slow_stop)),
    heap("--stress", count(1, 1_000_000_000, |f, n| f.stress_every = n), "off",
        "collect at every n-th trip to the slow path, minor and major mixed; 1: at every allocation, so take a small input",
        |f, out| or_off(out, f.stress_every)),
    heap("--seed", count(0, MANY, |f, n| f.seed = n), "1",
        "the number from which --stress mixes its collections",
        |f, out| put(out, f.seed)),
    heap("--stop-at", count(0, MANY, |f, n| f.stop_at = n), "off",
        "stop before this collection as at a breakpoint (SIGTRAP), for a debugger",
        |f, out| or_off(out, f.stop_at)),
    heap("--faults", None(|f| f.faults = true), "off",
        "take access from memory that objects have left: a fault there is told with the object and who refers to it",
        |f, out| on(out, f.faults)),
    heap("--sample-every", size(0, MANY, |f, n| f.sample_every = Some(n)), "off",
        "bytes allocated between two samples on average, for a heap profile that is always on; 0: none; with --samples, 512k without this flag",
        |f, out| or_off(out, f.sample_distance())),
    heap("--samples", File(|f, name| { f.samples = Some(Text::of(name)?); Ok(()) }), "off",
        "the samples as pprof's heap profile, when the heap is freed; with no file, in <name>.pprof",
        |f, out| match &f.samples { Some(name) if !name.is_empty() => out.add(name.as_str()), samples => on(out, samples.is_some()) }),
    heap("--space", File(|f, name| { f.space = Some(Text::of(name)?); Ok(()) }), "off",
        "space by function, written when there is no mutator any more: as JSON if the file's name ends with .json; with no file, in <name>.space",
        |f, out| match &f.space { Some(name) if !name.is_empty() => out.add(name.as_str()), space => on(out, space.is_some()) }),
    heap("--stops", File(|f, name| { f.stops = Some(Text::of(name)?); Ok(()) }), "off",
        "a line for each collection, and each time that threads stood for one, as the program runs: `barrow view` shows them; with no file, in <name>.stops",
        |f, out| match &f.stops { Some(name) if !name.is_empty() => out.add(name.as_str()), stops => on(out, stops.is_some()) }),
    heap("--source", Word(&[("auto", |f| f.source = Source::Auto), ("range", |f| f.source = Source::Range), ("chunks", |f| f.source = Source::Chunks)]), "auto",
        "one reserved address range, or chunks wherever the system puts them",
        |f, out| out.add(match f.source { Source::Auto => "auto", Source::Range => "range", Source::Chunks => "chunks" })),
    heap("--squeeze", None(|f| f.squeeze = true), "off",
        "before a collection, update frames side by side on the running stack become one",
        |f, out| on(out, f.squeeze)),
    heap("-Z", None(|f| f.squeeze = false), "on",
        "the opposite of --squeeze: update frames stay, and every ticky counter holds",
        |f, out| on(out, !f.squeeze)),
    heap("-K", size(KIB, MOST, |f, n| f.stack_limit_bytes = Some(n as usize)), "unlimited",
        "a stack object never exceeds this, with all its chunks; a recursion that is too deep is an error that the program can catch",
        |f, out| or(out, f.stack_limit_bytes, "unlimited")),
    heap("-kc", size(KIB, 16 * MIB, |f, n| f.stack_chunk_bytes = n as usize), "32k",
        "the size up to which the chunks that a stack object grows by double",
        |f, out| put(out, f.stack_chunk_bytes)),
    heap("--huge-pages", Word(&[("auto", |f| f.huge_pages = Option::None), ("on", |f| f.huge_pages = Some(true)), ("off", |f| f.huge_pages = Some(false))]), "auto",
        "advise huge pages where the kernel offers them; auto: not in a virtual machine",
        |f, out| match f.huge_pages { Some(yes) => on(out, yes), Option::None => out.add("auto") }),
    heap("--marks", Word(&[("on", |f| f.marks = true), ("off", |f| f.marks = false)]), "on",
        "mark uses for -hb, in 8 TiB of address space; off: note them in biographies, by calls",
        |f, out| on(out, f.marks)),
    heap("--selectors", Word(&[("on", |f| f.selectors = true), ("off", |f| f.selectors = false)]), "on",
        "collections evaluate selector thunks; off: to measure their effect",
        |f, out| on(out, f.selectors)),
    // The value read back is the chosen size; with chunks it is `off`.
    heap("-xr", size(16 * MIB, MOST, |f, n| f.reserve_bytes = n as usize), "4 x -M or memory, 1t at most",
        "address space to reserve, which the heap then cannot outgrow; not with --source=chunks, nor under ulimit -v without --source=range",
        |f, out| or_off(out, f.reserve_bytes as u64)),
    heap("--tick-bytes", size(1, MANY, |f, n| f.cost.tick_bytes = n), "off",
        "ticks fall due by bytes allocated, not by time: a run can be repeated",
        |f, out| or_off(out, f.cost.tick_bytes)),
    heap("-xc", None(|f| f.cost.errors = true), "off",
        "barrow_exception writes the stack of cost centres to standard error",
        |f, out| on(out, f.cost.errors)),
    heap("-DS", None(|f| f.sanity = true), "off",
        "check the whole heap before and after each collection; freed memory is filled as by -DZ",
        |f, out| on(out, f.sanity)),
    heap("-DB", None(|f| f.barriers = true), "off",
        "before each collection, look for references that were stored without the write barrier, and fill freed memory as by -DZ",
        |f, out| on(out, f.barriers)),
    heap("-DL", None(|f| f.plain_words = true), "off",
        "after each collection, look for old addresses of moved objects in words that no table calls references, and fill freed memory as by -DZ",
        |f, out| on(out, f.plain_words)),
    heap("-DZ", None(|f| f.poison = true), "off",
        "fill freed memory with a pattern that is no address",
        |f, out| on(out, f.poison)),
    heap("-Fd", percent(0.0, 1000.0, |f, n| f.keep_percent = n), "200%",
        "free memory kept, in percent of the live heap, before the rest is returned",
        |f, out| put(out, Short(f.keep_percent))),
    heap("-A", size(64 * KIB, 64 * GIB, |f, n| f.nursery_bytes = Some(n as usize)), "adaptive",
        "size of the nursery; without it, it follows caches and survival",
        |f, out| or(out, f.nursery_bytes, "adaptive")),
    heap("-n", size(32 * KIB, MIB, |f, n| f.nursery_chunk_bytes = n as usize), "1m",
        "size of the chunks that the nursery is divided into",
        |f, out| put(out, f.nursery_chunk_bytes)),
    heap("-F", Factor { least: 1.05, most: 100.0, set: |f, n| f.old_factor = n }, "2",
        "the oldest generation may grow to this times its live data",
        |f, out| put(out, Short(f.old_factor))),
    heap("-O", size(BLOCK_BYTES as u64, MOST, |f, n| f.old_minimum_bytes = n as usize), "1m",
        "an old generation is not collected before it has this size",
        |f, out| put(out, f.old_minimum_bytes)),
    heap("--square-root-above", size(MIB, MOST, |f, n| f.square_root_above = Some(n as usize)), "off",
        "with more live data than this, the oldest generation grows by its square root instead of -F",
        |f, out| or(out, f.square_root_above, "off")),
    heap("-c", PercentOrNone { least: 0.0, most: 100.0, set: compact }, "30%",
        "compact in place in major collections: always, or when more than this share of -M is live",
        |f, out| if f.compact_always { out.add("always") } else { put(out, Short(f.compact_percent)) }),
    heap("--old", Word(&[("leave", |f| f.old_stays = true), ("copy", |f| f.old_stays = false)]), "leave",
        "what major collections do with old objects: leave them in place (not with -G1 or --faults), or copy them; -c slides them",
        |f, out| out.add(if f.old_stays { "leave" } else { "copy" })),
    heap("-H", SizeOrNone { least: 0, most: MOST, set: hint }, "0",
        "use at least this much memory, or as much as the most so far: the nursery fills it",
        |f, out| if f.heap_hint_follows_peak { on(out, true) } else { put(out, f.heap_hint_bytes) }),
    heap("-M", size(2 * MIB, MOST, |f, n| f.heap_limit_bytes = Some(n as usize)), "unlimited",
        "the heap never exceeds this; without it, where a container limits memory, 3/4 of that",
        |f, out| or(out, f.heap_limit_bytes, "unlimited")),
    heap("-m", percent(0.0, 90.0, |f, n| f.free_percent = n), "3%",
        "with -M: this share of the limit must be free after a major collection",
        |f, out| put(out, Short(f.free_percent))),
    heap("-G", count(1, MAX_GENERATIONS as u64, |f, n| f.generations = n as usize), "2",
        "number of generations",
        |f, out| put(out, f.generations)),
    heap("-T", count(1, MAX_STEPS as u64, |f, n| f.steps = Some(n as usize)), "adaptive",
        "collections to survive before promotion to the next generation",
        |f, out| or(out, f.steps, "adaptive")),
    heap("-po", Name(|f, name| { f.cost.stem = Text::of(name)?; Ok(()) }), "the program",
        "the first part of the names of profiles",
        |f, out| out.add(f.cost.stem.as_str())),
    heap("-pa", None(|f| f.cost.report = CostReport::All), "off",
        "as -P, with every cost centre and stack",
        |f, out| on(out, f.cost.report == CostReport::All)),
    heap("-Pa", None(|f| f.cost.report = CostReport::All), "off",
        "as -pa",
        |f, out| on(out, f.cost.report == CostReport::All)),
    heap("-pj", None(|f| f.cost.report = CostReport::Json), "off",
        "as -pa, in JSON",
        |f, out| on(out, f.cost.report == CostReport::Json)),
    heap("-p", None(|f| f.cost.report = CostReport::Standard), "off",
        "time and allocation by cost centres, in <name>.prof, when the heap is freed",
        |f, out| on(out, f.cost.report == CostReport::Standard)),
    heap("-P", None(|f| f.cost.report = CostReport::Detailed), "off",
        "as -p, with ticks and bytes",
        |f, out| on(out, f.cost.report == CostReport::Detailed)),
    heap("-V", Seconds { least: SHORTEST_TICK_SECONDS, most: LONGEST_TICK_SECONDS, set: |f, n| f.cost.tick_seconds = n }, "0.02",
        "seconds of CPU time for a tick of the time profile, 0.0001 at least; 0: no ticks",
        |f, out| put(out, Short(f.cost.tick_seconds))),
    heap("-S", File(|f, name| { f.each_collection = Destination::named(name)?; Ok(()) }), "off",
        "a line for each collection, and the summary",
        |f, out| place(out, &f.each_collection)),
    heap("-s", File(|f, name| { f.summary = Destination::named(name)?; Ok(()) }), "off",
        "a summary when the heap is freed",
        |f, out| place(out, &f.summary)),
    profile("-h", Letter(|f, text| f.profile.add(text)), "off",
        "a heap profile, in <name>.hp: -hT by kind, -hy type, -hd description, -hm module, -hi info table, -hc cost-centre stack that made it, -ha place in the code that allocated it, -hr set of retainers, -hb biography, -h by cost-centre stack where there are any, else by kind (capitals mean the same, but for T, I and A); with names behind y, d, m, c, C (anywhere in the stack) or r: only those, `_` for a blank; -hblag,drag,void,use: only these phases",
        |f, out| if f.profile.break_downs().next().is_some() { f.profile.spell(out) } else { on(out, false) }),
    profile("-ib", size(1, MANY, |f, n| f.profile.sampling = Sampling::Bytes(n)), "off",
        "bytes allocated between samples, in place of seconds: a run can be repeated",
        |f, out| match f.profile.sampling { Sampling::Bytes(bytes) => put(out, bytes), _ => on(out, false) }),
    profile("-in", None(|f| f.profile.sampling = Sampling::Natural), "off",
        "samples at the major collections that happen anyway",
        |f, out| on(out, f.profile.sampling == Sampling::Natural)),
    profile("-iw", Seconds { least: 0.000001, most: 1e9, set: |f, n| f.profile.sampling = Sampling::Wall(n) }, "off",
        "seconds of wall time between samples, in place of CPU time: for programs that wait or mostly collect; 0: only by barrow_census",
        |f, out| match f.profile.sampling { Sampling::Wall(seconds) => put(out, Short(seconds)), _ => on(out, false) }),
    profile("-ix", percent(1.0, 100_000.0, |f, n| f.profile.share = n), "40%",
        "samples of -i and -iw come less often when they would cost more than this share of the rest",
        |f, out| put(out, Short(f.profile.share))),
    profile("-i", Seconds { least: 0.000001, most: 1e9, set: |f, n| f.profile.sampling = Sampling::Seconds(n) }, "0.1",
        "seconds of CPU time between samples, 0.000001 at least; 0: only by barrow_census",
        |f, out| match f.profile.sampling { Sampling::Seconds(seconds) => put(out, Short(seconds)), _ => on(out, false) }),
    profile("-xt", None(|f| f.profile.threads = true), "off",
        "heap profiles show threads and their stacks too",
        |f, out| on(out, f.profile.threads)),
    profile("-L", count(1, 4900, |f, n| f.profile.name_length = n as usize), "4900",
        "bytes of the name of a cost-centre stack or retainer set in a heap profile",
        |f, out| put(out, f.profile.name_length)),
    profile("-R", count(0, 1000, |f, n| f.profile.most_retainers = n as usize), "8",
        "retainer sets with more members are shown as MANY; 0: none are",
        |f, out| put(out, f.profile.most_retainers)),
    heap("-r", File(|f, name| { f.ticky = Some(Text::of(name)?); Ok(()) }), "off",
        "ticky counters, when the heap is freed; with no file, in <name>.ticky",
        |f, out| match &f.ticky { Some(name) if !name.is_empty() => out.add(name.as_str()), ticky => on(out, ticky.is_some()) }),
    heap("-t", File(|f, name| { f.one_line = Destination::named(name)?; Ok(()) }), "off",
        "one line of figures when the heap is freed",
        |f, out| place(out, &f.one_line)),
];

fn compact(flags: &mut Flags, percent: Option<f64>) {
    flags.compact_always = percent.is_none();
    flags.compact_percent = percent.unwrap_or(flags.compact_percent);
}

fn hint(flags: &mut Flags, bytes: Option<u64>) {
    flags.heap_hint_bytes = bytes.unwrap_or(0) as usize;
    flags.heap_hint_follows_peak = flags.heap_hint_bytes == 0;
}
