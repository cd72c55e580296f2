//! Holders: the owners of cells, where the groups of a profile can change from census to census.
//!
//! A holder is (the holder before, an identity, the first census at which it held), hash-consed. An object
//! whose identity stays the same keeps its holder, so most holders stand alone. When an object turns out to
//! have been waste, a walk to the holders before says whose it was at each census. A use ends the past:
//! before it there was only lag or use, so the next holder stands alone again.
//!
//! Numbers of holders that no cell names any more are used again. No object can name them: an object that a
//! census did not see is gone.

use crate::base::{List, Outcome};
use crate::profile::biography::cells::{CellKey, Phase};

/// A holder of objects. Where identities do not change, holder n is identity n, and holder 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holder {
    /// The holder up to the census before `since`; 0 for none.
    pub parent: u32,
    /// The identity's number, counted from 1; 0 for no holder.
    pub identity: u32,
    /// The first census at which this was the identity; 0 when it will not be asked for.
    pub since: u32,
}

#[derive(Clone, Copy)]
struct Node {
    holder: Holder,
    /// The mark of the last sweep that kept the node; of a free node, which has identity 0, the next free
    /// one.
    link: u32,
}

pub struct Histories {
    /// The nodes, by number; node 0 is never used.
    nodes: List<Node>,
    /// Numbers of nodes: an open hash table.
    index: List<u32>,
    used: usize,
    free: u32,
    /// Numbers of the holders made since the last census was booked.
    fresh: List<u32>,
    /// Number of nodes in use at which the next sweep is due.
    sweep_at: usize,
    mark: u32,
}

const LEAST_SWEEP: usize = 4096;

impl Histories {
    pub fn new() -> Histories {
        Histories {
            nodes: List::new(),
            index: List::new(),
            used: 0,
            free: 0,
            fresh: List::new(),
            sweep_at: LEAST_SWEEP,
            mark: 0,
        }
    }

    pub fn get(&self, number: u32) -> Holder {
        self.nodes.get(number as usize).map_or(Holder::default(), |node| node.holder)
    }

    pub fn len(&self) -> usize {
        self.used
    }

    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    pub fn held_bytes(&self) -> usize {
        self.nodes.held_bytes() + self.index.held_bytes() + self.fresh.held_bytes()
    }

    /// The holder of an object at the census of `era`. `before` is its holder so far (0 for none), `key` its
    /// cell if holders did not change.
    pub fn next(&mut self, before: u32, identity: u32, key: CellKey, era: u32) -> Outcome<u32> {
        let holder = match key.phase() {
            // Such objects are never waste, so their past is not asked for.
            Phase::Before | Phase::Inherent => Holder { parent: 0, identity, since: 0 },
            Phase::Unused | Phase::Used if before == 0 || key.era() == era => {
                Holder { parent: 0, identity, since: era }
            }
            _ if self.get(before).identity == identity => return Ok(before),
            _ => Holder { parent: before, identity, since: era },
        };
        self.number(holder)
    }

    /// The number of a holder; a new holder gets one.
    pub fn number(&mut self, holder: Holder) -> Outcome<u32> {
        self.make_room()?;
        let mask = self.index.len() - 1;
        let mut at = hash(holder) & mask;
        while self.index[at] != 0 {
            if self.nodes[self.index[at] as usize].holder == holder {
                return Ok(self.index[at]);
            }
            at = (at + 1) & mask;
        }
        self.fresh.reserve(1)?;
        let node = Node { holder, link: self.mark };
        let number = if self.free != 0 {
            let number = self.free;
            self.free = self.nodes[number as usize].link;
            self.nodes[number as usize] = node;
            number
        } else {
            self.nodes.push(node)?;
            self.nodes.len() as u32 - 1
        };
        self.index[at] = number;
        self.used += 1;
        self.fresh.push(number)?;
        Ok(number)
    }

    fn make_room(&mut self) -> Outcome<()> {
        if self.nodes.is_empty() {
            self.nodes.push(Node { holder: Holder::default(), link: 0 })?;
        }
        if (self.used + 1) * 2 > self.index.len() {
            self.rebuild_index((self.used + 1) * 4)?;
        }
        Ok(())
    }

    fn rebuild_index(&mut self, wanted: usize) -> Outcome<()> {
        let places = wanted.max(64).next_power_of_two();
        let mut index = List::new();
        index.fill(places, 0)?;
        self.index = index;
        self.fill_index();
        Ok(())
    }

    fn fill_index(&mut self) {
        self.index.iter_mut().for_each(|place| *place = 0);
        let mask = self.index.len().wrapping_sub(1);
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.holder.identity != 0) {
            let mut at = hash(node.holder) & mask;
            while self.index[at] != 0 {
                at = (at + 1) & mask;
            }
            self.index[at] = number as u32;
        }
    }

    /// Shows the holders that were made since the last call.
    pub fn take_fresh(&mut self, mut show: impl FnMut(u32, Holder)) {
        for &number in self.fresh.iter() {
            show(number, self.get(number));
        }
        self.fresh.clear();
    }

    /// Whether it is time to mark the holders in use and sweep.
    pub fn wants_sweep(&self) -> bool {
        self.used >= self.sweep_at
    }

    pub fn begin_mark(&mut self) {
        self.mark = self.mark.wrapping_add(1);
    }

    /// Marks a holder as in use, and with it all holders before it.
    pub fn keep(&mut self, number: u32) {
        let mut number = number as usize;
        while number != 0 && number < self.nodes.len() && self.nodes[number].link != self.mark {
            self.nodes[number].link = self.mark;
            number = self.nodes[number].holder.parent as usize;
        }
    }

    /// Takes back the holders that were not kept since `begin_mark`.
    pub fn sweep(&mut self) {
        self.used = 0;
        self.free = 0;
        for number in 1..self.nodes.len() {
            let node = &mut self.nodes[number];
            if node.holder.identity != 0 && node.link == self.mark {
                self.used += 1;
            } else {
                *node = Node { holder: Holder::default(), link: self.free };
                self.free = number as u32;
            }
        }
        self.fill_index();
        self.sweep_at = (self.used * 2).max(LEAST_SWEEP);
    }
}

fn hash(holder: Holder) -> usize {
    let low = (holder.parent as u64) << 32 | holder.identity as u64;
    let mixed =
        low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (holder.since as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 29) as usize
}
