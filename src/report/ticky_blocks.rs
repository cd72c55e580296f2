//! The blocks of a ticky report that people read.

use super::ticky::{TickyReport, percent};
use crate::base::decimal::Fixed;
use crate::base::size::WORD_BYTES;
use crate::heap::mutator::ticky::Ticky;
use std::io::{Result, Write};

/// The objects of one kind.
struct Kind<'a> {
    name: &'static str,
    count: u64,
    /// Bytes of all; `admin` are the bytes of their headers.
    bytes: u64,
    admin: u64,
    slop: u64,
    sizes: &'a [u64],
}

/// A sum of counters, which are the client's words and may hold anything.
fn sum<const COUNT: usize>(counters: [u64; COUNT]) -> u64 {
    counters.into_iter().fold(0, u64::wrapping_add)
}

fn words(bytes: u64) -> u64 {
    bytes / WORD_BYTES as u64
}

fn kinds(c: &Ticky) -> [Kind<'_>; 8] {
    let kind =
        |name, count, [bytes, admin, slop]: [u64; 3], sizes| Kind { name, count, bytes, admin, slop, sizes };
    let thunks = sum([c.alloc_up_thk_ctr, c.alloc_se_thk_ctr]);
    let functions = [c.alloc_fun_gds, c.alloc_fun_adm, c.alloc_fun_slp];
    let blackholes = [c.alloc_bh_gds, c.alloc_bh_adm, c.alloc_bh_slp];
    let primitive = [c.alloc_prim_gds, c.alloc_prim_adm, c.alloc_prim_slp];
    let partial = [c.alloc_pap_gds, c.alloc_pap_adm, c.alloc_pap_slp];
    [
        kind("function values", c.alloc_fun_ctr, functions, &c.alloc_fun_hst),
        kind("thunks", thunks, [c.alloc_thk_gds, c.alloc_thk_adm, c.alloc_thk_slp], &c.alloc_thk_hst),
        kind(
            "data values",
            c.alloc_con_ctr,
            [c.alloc_con_gds, c.alloc_con_adm, c.alloc_con_slp],
            &c.alloc_con_hst,
        ),
        kind("big tuples", c.alloc_tup_ctr, [c.alloc_tup_gds, c.alloc_tup_adm, c.alloc_tup_slp], &[]),
        kind("black holes", c.alloc_bh_ctr, blackholes, &c.alloc_bh_hst),
        kind("prim things", c.alloc_prim_ctr, primitive, &c.alloc_prim_hst),
        kind("partial applications", c.alloc_pap_ctr, partial, &c.alloc_pap_hst),
        kind(
            "thread state objects",
            c.alloc_tso_ctr,
            [c.alloc_tso_gds, c.alloc_tso_adm, c.alloc_tso_slp],
            &c.alloc_tso_hst,
        ),
    ]
}

pub(super) fn allocations(out: &mut impl Write, c: &Ticky) -> Result<()> {
    let kinds = kinds(c);
    let of_all = |of: fn(&Kind<'_>) -> u64| sum(kinds.each_ref().map(of));
    let count = of_all(|kind| kind.count);
    let (bytes, admin, slop) =
        (of_all(|kind| kind.bytes), of_all(|kind| kind.admin), of_all(|kind| kind.slop));
    let ticked = sum([bytes, slop]);
    writeln!(
        out,
        "ALLOCATIONS: {count} ({} words total: {} admin, {} goods, {} slop)",
        words(ticked),
        words(admin),
        words(bytes.saturating_sub(admin)),
        words(slop)
    )?;
    writeln!(out, "{:36}total words:        2     3     4     5    6+", "")?;
    for kind in &kinds {
        write!(out, "{:>11} ({:>5}%) {}", kind.count, Fixed(percent(kind.count, count), 1), kind.name)?;
        if !kind.sizes.is_empty() {
            write!(out, "{:width$}", "", width = 30 - kind.name.len())?;
        }
        for &size in kind.sizes {
            write!(out, " {:>5}", Fixed(percent(size, kind.count), 1))?;
        }
        writeln!(out)?;
    }
    let made = sum([c.alloc_heap_ctr, c.alloc_rts_ctr]);
    writeln!(out, "\nTotal storage-manager allocations: {made} ({} words)", words(c.alloc_all_tot))?;
    let claimed = sum([c.alloc_heap_tot, c.alloc_rts_tot]);
    let lost = words(claimed.saturating_sub(ticked));
    let unseen = words(c.alloc_all_tot.saturating_sub(claimed));
    writeln!(out, "\t[{lost} words lost to speculative heap-checks]")?;
    writeln!(out, "\t[{unseen} words by code without counters]\n")
}

/// Writes a count with its share of a whole.
fn line(out: &mut impl Write, count: u64, whole: u64, what: &str) -> Result<()> {
    writeln!(out, "{count:>11} ({:>5}%) {what}", Fixed(percent(count, whole), 1))
}

pub(super) fn stack_and_entries(out: &mut impl Write, report: &TickyReport<'_>) -> Result<()> {
    let c = report.counters;
    let thunks = sum([
        c.ent_static_thk_single_ctr,
        c.ent_static_thk_many_ctr,
        c.ent_dyn_thk_single_ctr,
        c.ent_dyn_thk_many_ctr,
    ]);
    let data = sum([c.ent_static_con_ctr, c.ent_dyn_con_ctr]);
    let functions = sum([c.ent_static_fun_direct_ctr, c.ent_dyn_fun_direct_ctr]);
    let indirections = sum([c.ent_static_ind_ctr, c.ent_dyn_ind_ctr]);
    let partial = if report.heap { c.ent_pap_ctr } else { 0 };
    let all = sum([thunks, data, functions, indirections, c.ent_perm_ind_ctr, partial]);
    let direct = all.saturating_sub(c.ent_via_node_ctr);
    writeln!(out, "STACK USAGE:\n")?;
    writeln!(
        out,
        "ENTERS: {all}  of which {direct} ({}%) direct to the entry code",
        Fixed(percent(direct, all), 1)
    )?;
    writeln!(out, "\t\t  [the rest indirected via Node's info ptr]")?;
    line(out, thunks, all, "thunks")?;
    line(out, data, all, "data values")?;
    if report.heap {
        line(out, functions, all, "function values")?;
        line(out, partial, all, "partial applications")?;
    }
    line(out, indirections, all, "normal indirections")?;
    line(out, c.ent_perm_ind_ctr, all, "permanent indirections")?;
    writeln!(out, "\nFUNCTION ENTRIES: {functions}\n")?;
    let known = sum([c.known_call_ctr, c.known_call_too_few_args_ctr, c.known_call_extra_args_ctr]);
    let calls = sum([c.unknown_call_ctr, known]);
    writeln!(
        out,
        "TAIL CALLS: {calls}, of which {known} ({}%) were to known functions\n",
        Fixed(percent(known, calls), 0)
    )?;
    let (slow, waiting) = (c.slow_call_ctr, c.slow_call_unevald_ctr);
    writeln!(out, "SLOW APPLICATIONS: {slow} evaluated, {waiting} unevaluated\n")?;
    writeln!(out, "         Too few args   Correct args   Too many args")?;
    for (name, [few, correct, many]) in [
        ("FUN", [c.slow_call_fun_too_few_ctr, c.slow_call_fun_correct_ctr, c.slow_call_fun_too_many_ctr]),
        ("PAP", [c.slow_call_pap_too_few_ctr, c.slow_call_pap_correct_ctr, c.slow_call_pap_too_many_ctr]),
    ] {
        writeln!(out, "   {name} {few:>12}    {correct:>11}     {many:>11}")?;
    }
    writeln!(out, "\n")
}

fn histogram(out: &mut impl Write, name: &str, count: u64, columns: &[u64]) -> Result<()> {
    write!(out, "{name:17}{count:>11}: ")?;
    for &column in columns {
        write!(out, "{:>5}%", Fixed(percent(column, count), 1))?;
    }
    writeln!(out)
}

pub(super) fn returns(out: &mut impl Write, report: &TickyReport<'_>) -> Result<()> {
    let c = report.counters;
    let all = sum([c.ret_new_ctr, c.ret_old_ctr, c.ret_unboxed_tup_ctr]);
    writeln!(out, "RETURNS: {all}")?;
    line(out, c.ret_new_ctr, all, "from entering a new constructor")?;
    writeln!(out, "\t\t  [the rest from entering an existing constructor]")?;
    if report.heap {
        line(out, c.ret_vec_return_ctr, all, "vectored [the rest unvectored]")?;
    }
    writeln!(out)?;
    histogram(out, "RET_NEW:", c.ret_new_ctr, &c.ret_new_hst)?;
    histogram(out, "RET_OLD:", c.ret_old_ctr, &c.ret_old_hst)?;
    histogram(out, "RET_UNBOXED_TUP:", c.ret_unboxed_tup_ctr, &c.ret_unboxed_tup_hst)?;
    if report.heap {
        writeln!(out)?;
        histogram(out, "RET_VEC_RETURN:", c.ret_vec_return_ctr, &c.ret_vec_return_hst)?;
    }
    writeln!(out)
}

pub(super) fn updates(out: &mut impl Write, report: &TickyReport<'_>) -> Result<()> {
    let c = report.counters;
    let data = sum([c.upd_con_in_new_ctr, c.upd_con_in_place_ctr]);
    let partial = sum([c.upd_pap_in_new_ctr, c.upd_pap_in_place_ctr]);
    let new = sum([c.upd_new_ind_ctr, c.upd_new_perm_ind_ctr]);
    let old = sum([c.upd_old_ind_ctr, c.upd_old_perm_ind_ctr]);
    let both = sum([new, old]);
    let mut all = sum([data, partial, c.upd_squeezed_ctr]);
    if report.heap {
        // Code may count updates by the kind of value or not at all; the library has counted them in any
        // case.
        all = all.max(both);
    }
    writeln!(out, "UPDATE FRAMES: {} ({} omitted from thunks)", c.updf_pushed_ctr, c.updf_omitted_ctr)?;
    if report.heap {
        writeln!(out, "SEQ FRAMES:    {}", c.seqf_pushed_ctr)?;
    }
    writeln!(out, "CATCH FRAMES:  {}", c.catchf_pushed_ctr)?;
    writeln!(out, "UPDATES: {all}")?;
    for (count, place, space, what) in [
        (data, c.upd_con_in_place_ctr, c.upd_con_in_new_ctr, "data values"),
        (partial, c.upd_pap_in_place_ctr, c.upd_pap_in_new_ctr, "partial applications"),
    ] {
        line(out, count, all, what)?;
        writeln!(out, "\t\t  [{place} in place, {space} allocated new space]")?;
    }
    if !report.heap {
        return line(out, c.upd_squeezed_ctr, all, "updates by squeezing");
    }
    let existing = all.saturating_sub(data).saturating_sub(partial);
    let text = "updates to existing heap objects";
    writeln!(
        out,
        "{existing:>11} ({:>5}%) {text} ({} by squeezing)",
        Fixed(percent(existing, all), 1),
        c.upd_squeezed_ctr
    )?;
    for (name, count, columns) in [
        ("UPD_CON_IN_NEW:", c.upd_con_in_new_ctr, &c.upd_con_in_new_hst),
        ("UPD_PAP_IN_NEW:", c.upd_pap_in_new_ctr, &c.upd_pap_in_new_hst),
    ] {
        write!(out, "{name:17}{count:>11}: ")?;
        for column in columns {
            write!(out, "{column:>7}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nNEW GEN UPDATES: {new} ({:>5}%)", Fixed(percent(new, both), 1))?;
    writeln!(out, "\nOLD GEN UPDATES: {old} ({:>5}%)", Fixed(percent(old, both), 1))?;
    writeln!(out, "\nTotal bytes copied during GC: {}", c.gc_words_copied_ctr.wrapping_mul(WORD_BYTES as u64))
}
