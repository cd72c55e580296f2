//! A time and allocation profile in the order of its reports: the stacks and centres that are shown, and
//! the costs that are inherited.
//!
//! `cost_text.rs` and `cost_json.rs` write it.

use crate::base::flag::CostReport;
use crate::base::{List, Outcome, sort};

/// A cost centre with the costs of all its stacks.
pub struct CentreRow<'a> {
    pub id: u32,
    pub label: &'a str,
    pub module: &'a str,
    pub source: &'a str,
    pub is_caf: bool,
    /// Whether the centre is the library's, so that its costs are not the program's: shown with `-pa`
    /// only.
    pub hidden: bool,
    pub ticks: u64,
    pub bytes: u64,
}

/// A stack with its own costs.
#[derive(Clone, Copy)]
pub struct StackRow {
    pub number: u32,
    /// Position in the list of centres.
    pub centre: u32,
    /// Position of the parent, which is smaller than its own; the first stack, MAIN, is its own parent.
    pub parent: u32,
    pub entries: u64,
    pub ticks: u64,
    pub bytes: u64,
}

pub struct CostProfile<'a> {
    /// The name by which the program was started.
    pub program: &'a [u8],
    /// The program's arguments, each ending with NUL.
    pub arguments: &'a [u8],
    pub flags: &'a str,
    /// The date, as `Sat Nov 21 01:37 2026`.
    pub date: &'a str,
    /// Length of a tick in microseconds; 0 if there were none, or if they stand for bytes allocated.
    pub tick_us: u64,
    pub detail: CostReport,
    /// The centres, newest first, the library's own before all others.
    pub centres: &'a [CentreRow<'a>],
    /// The stacks, oldest first.
    pub stacks: &'a [StackRow],
}

/// A stack with its place in the tree.
pub struct Placed {
    pub stack: u32,
    pub level: u32,
    pub inherited_ticks: u64,
    pub inherited_bytes: u64,
    /// Whether the stack is not the program's: it counts for the widths of columns, and is not shown.
    pub hidden: bool,
}

pub struct Arranged {
    pub ticks: u64,
    pub bytes: u64,
    /// Positions of the centres in the rows of the first table.
    pub centres: List<u32>,
    /// The tree, each stack before its children.
    pub tree: List<Placed>,
}

impl CostProfile<'_> {
    /// The program's name without its folders.
    pub fn base_name(&self) -> &[u8] {
        self.program.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
    }

    fn shows_all(&self) -> bool {
        matches!(self.detail, CostReport::All | CostReport::Json)
    }

    fn is_hidden(&self, stack: &StackRow) -> bool {
        !self.shows_all() && self.centres[stack.centre as usize].hidden
    }

    /// The seconds of program time in so many ticks.
    pub fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 * self.tick_us as f64 / 1e6
    }

    pub fn arrange(&self) -> Outcome<Arranged> {
        let shown = |stack: &&StackRow| !self.is_hidden(stack);
        // The client tells as many ticks as it likes: a sum above all numbers is the greatest of them.
        let (ticks, bytes) = self.stacks.iter().filter(shown).fold((0u64, 0u64), |(ticks, bytes), stack| {
            (ticks.saturating_add(stack.ticks), bytes.wrapping_add(stack.bytes))
        });
        let mut centres = List::new();
        for (at, row) in self.centres.iter().enumerate() {
            if self.shows_all() || row.ticks > ticks / 100 || row.bytes / 8 > bytes / 8 / 100 {
                centres.push(at as u32)?;
            }
        }
        // Equal keys are told apart by position, so that the order is stable.
        sort::sort_by_key(&mut centres, |&at| (std::cmp::Reverse(self.centres[at as usize].ticks), at));
        Ok(Arranged { ticks, bytes, centres, tree: self.tree()? })
    }

    /// The ticks and bytes of each stack with all stacks below it in the tree, and whether any of them is
    /// shown.
    fn inherited(&self) -> Outcome<List<(u64, u64, bool)>> {
        let mut sums = List::new();
        for stack in self.stacks {
            let costs = stack.entries | stack.ticks | stack.bytes != 0;
            sums.push((stack.ticks, stack.bytes, costs || self.shows_all()))?;
        }
        for at in (1..self.stacks.len()).rev() {
            let stack = &self.stacks[at];
            let (ticks, bytes, wanted) = sums[at];
            let parent = &mut sums[stack.parent as usize];
            parent.2 |= wanted;
            if !self.is_hidden(stack) {
                parent.0 = parent.0.saturating_add(ticks);
                parent.1 = parent.1.wrapping_add(bytes);
            }
        }
        Ok(sums)
    }

    fn tree(&self) -> Outcome<List<Placed>> {
        let sums = self.inherited()?;
        // The wanted stacks, by parent, in reverse order: the last of a family is the first on the list to
        // visit.
        let mut order = List::new();
        for at in 1..self.stacks.len() {
            if sums[at].2 {
                order.push(at as u32)?;
            }
        }
        let key = |at: u32| {
            let stack = &self.stacks[at as usize];
            let label = self.centres[stack.centre as usize].label;
            (stack.parent, stack.entries, std::cmp::Reverse(label), at)
        };
        sort::sort_by_key(&mut order, |&at| key(at));
        let mut tree = List::new();
        let mut waiting = List::new();
        if sums.first().is_some_and(|main| main.2) {
            waiting.push((0u32, 0u32))?;
        }
        while let Some((at, level)) = waiting.pop() {
            let (inherited_ticks, inherited_bytes, _) = sums[at as usize];
            let hidden = self.is_hidden(&self.stacks[at as usize]);
            tree.push(Placed { stack: at, level, inherited_ticks, inherited_bytes, hidden })?;
            let first = order.partition_point(|&child| self.stacks[child as usize].parent < at);
            let family = order[first..].iter().take_while(|&&child| self.stacks[child as usize].parent == at);
            for &child in family {
                waiting.push((child, level + 1))?;
            }
        }
        Ok(tree)
    }
}
