//! The figures of a profile as data, for a client that shows them itself.

use super::cost_report::is_hidden;
use super::heap::Runtime;
use crate::base::Outcome;
use crate::base::list::List;
use crate::identity::ccs;
use std::ffi::c_char;

/// The costs are not the program's: collections, profiling and the like. Reports hide them without `-pa`.
pub const COST_HIDDEN: u32 = 1;
/// The innermost centre is a CAF's.
pub const COST_CAF: u32 = 2;

/// A cost-centre stack and what it costs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CostRow {
    /// In: `sizeof(barrow_cost_row)`, in the first row.
    pub size: u32,
    pub number: u32,
    /// Its parent; MAIN's is itself.
    pub parent: u32,
    /// Its newest child, and the next older child of its parent; 0: there is none.
    pub first_child: u32,
    pub next_sibling: u32,
    /// Centres in it, MAIN left out.
    pub depth: u32,
    /// The number of its innermost centre.
    pub centre: u32,
    /// `BARROW_COST_HIDDEN` and `BARROW_COST_CAF`.
    pub flags: u32,
    pub entries: u64,
    pub ticks: u64,
    pub bytes: u64,
    /// With what its children inherit, hidden ones left out.
    pub inherited_ticks: u64,
    pub inherited_bytes: u64,
    /// Of the innermost centre; they live as long as the process.
    pub label: *const c_char,
    pub module: *const c_char,
    pub source: *const c_char,
}

impl Runtime {
    /// All stacks by number, whatever they cost.
    pub fn cost_rows(&mut self) -> Outcome<List<CostRow>> {
        self.book_everything();
        let mut rows: List<CostRow> = List::new();
        let stacks = self.stack_rows()?;
        rows.reserve(stacks.len())?;
        for from in stacks.iter() {
            let Some(stack) = ccs::stack(from.number) else { break };
            let names = stack.innermost();
            let mut next_sibling = 0;
            if from.number > 0 {
                next_sibling = rows[from.parent as usize].first_child;
                rows[from.parent as usize].first_child = from.number;
            }
            let hidden = if is_hidden(stack.centre) { COST_HIDDEN } else { 0 };
            rows.push(CostRow {
                size: size_of::<CostRow>() as u32,
                number: from.number,
                parent: from.parent,
                first_child: 0,
                next_sibling,
                depth: stack.depth,
                centre: stack.centre,
                flags: hidden | if names.is_caf { COST_CAF } else { 0 },
                entries: from.entries,
                ticks: from.ticks,
                bytes: from.bytes,
                inherited_ticks: from.ticks,
                inherited_bytes: from.bytes,
                label: names.label.as_ptr(),
                module: names.module.as_ptr(),
                source: names.source.as_ptr(),
            })?;
        }
        // A stack is newer than its parent.
        for at in (1..rows.len()).rev() {
            let CostRow { parent, flags, inherited_ticks, inherited_bytes, .. } = rows[at];
            if flags & COST_HIDDEN == 0 {
                rows[parent as usize].inherited_ticks += inherited_ticks;
                rows[parent as usize].inherited_bytes += inherited_bytes;
            }
        }
        Ok(rows)
    }
}
