//! The figures of a profile as data, for a client that shows them itself.

use crate::base::Outcome;
use crate::base::list::List;
use crate::host::Host;
use crate::identity::ccs;
use crate::profile::cost::files::is_hidden;
use crate::profile::cost::row::{COST_CAF, COST_HIDDEN, CostRow};

impl Host {
    /// All stacks, by number, whether they cost something or not.
    pub fn cost_rows(&mut self) -> Outcome<List<CostRow>> {
        self.book_everything();
        self.profilers.costs.settle();
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
        // A stack is newer than its parent, so its sum is complete when the parent's turn comes.
        for at in (1..rows.len()).rev() {
            let CostRow { parent, flags, inherited_ticks, inherited_bytes, .. } = rows[at];
            if flags & COST_HIDDEN == 0 {
                let row = &mut rows[parent as usize];
                row.inherited_ticks = row.inherited_ticks.saturating_add(inherited_ticks);
                row.inherited_bytes = row.inherited_bytes.wrapping_add(inherited_bytes);
            }
        }
        Ok(rows)
    }
}
