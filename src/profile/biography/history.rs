//! Holders: what a cell belongs to, when what the profile groups by can change from census to census.
//!
//! A holder is (the holder before, an identity, the census from which on it is the one), hash-consed. An object whose
//! identity stays the same keeps its holder, so most have one that stands alone. When the object turns out to have
//! been waste, a walk to the holders before says whose it was at each census. A use ends the past: what was
//! before it can only have been lag or use, so the next holder stands alone again.
//!
//! Numbers of holders that no cell names any more are used again. Nobody else can name them: an object that a census
//! did not see is gone.

use crate::base::{List, Outcome};
use crate::profile::biography::cells::{CellKey, Phase};

/// 0 for none. Where identities do not change, holder n is identity n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holder {
    /// The holder up to the census before `since`; 0 for none.
    pub parent: u32,
    /// Counted from 1.
    pub identity: u32,
    /// The first census at which this was the identity; 0 when nobody will ask.
    pub since: u32,
}

#[derive(Clone, Copy)]
struct Node {
    holder: Holder,
    /// Free nodes have identity 0 and the next free one here; others their mark.
    link: u32,
}

pub struct Histories {
    /// Node 0 is nobody's.
    nodes: List<Node>,
    /// Open hash table of numbers of nodes.
    index: List<u32>,
    used: usize,
    free: u32,
    /// Made since the last census was booked.
    fresh: List<u32>,
    /// Sweep when so many are in use.
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

    /// The holder of an object at the census of `era`: `before` is the one that it had (0 for none), `key` the cell
    /// that it would be in if that did not matter.
    pub fn next(&mut self, before: u32, identity: u32, key: CellKey, era: u32) -> Outcome<u32> {
        let holder = match key.phase() {
            // Never waste, so nobody asks for the past.
            Phase::Before | Phase::Inherent => Holder { parent: 0, identity, since: 0 },
            Phase::Unused | Phase::Used if before == 0 || key.era() == era => {
                Holder { parent: 0, identity, since: era }
            }
            _ if self.get(before).identity == identity => return Ok(before),
            _ => Holder { parent: before, identity, since: era },
        };
        self.number(holder)
    }

    /// The number of a holder; made when there is none.
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

    /// Holders that were made since this was asked last.
    pub fn take_fresh(&mut self, mut show: impl FnMut(u32, Holder)) {
        for &number in self.fresh.iter() {
            show(number, self.get(number));
        }
        self.fresh.clear();
    }

    /// Whether it is time to mark what is in use and sweep.
    pub fn wants_sweep(&self) -> bool {
        self.used >= self.sweep_at
    }

    pub fn begin_mark(&mut self) {
        self.mark = self.mark.wrapping_add(1);
    }

    /// This holder is in use, and with it those before it.
    pub fn keep(&mut self, number: u32) {
        let mut number = number as usize;
        while number != 0 && number < self.nodes.len() && self.nodes[number].link != self.mark {
            self.nodes[number].link = self.mark;
            number = self.nodes[number].holder.parent as usize;
        }
    }

    /// Takes back what was not kept since `begin_mark`.
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
