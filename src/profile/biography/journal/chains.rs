//! Chains of holders: who held dead objects, census by census, in time that is linear in the journal.
//!
//! Each holder in the journal is a node; the holder before it is the node's parent. Waste that died with a
//! node is booked there. Waste older than the node waits, in a heap by its first era, until no more can come
//! to the node: then all of it goes to the parent at once. So each death is put into a heap once and taken
//! out once, however long the chain is. A number that is defined again is another node; the old one stays
//! while others come after it.

use crate::base::{Failure, List, Outcome, Status};
use crate::profile::biography::Holder;
use crate::profile::biography::cells::Waste;

/// Books bytes of an identity that were waste from one era to another, both included.
pub(super) type Book<'b> = &'b mut dyn FnMut(u32, Waste, (u32, u32), u64) -> Outcome<()>;

#[derive(Clone, Copy, Default)]
struct Node {
    identity: u32,
    since: u32,
    /// The node of the holder before; 0 for none. Of a free node, the next free one.
    parent: u32,
    children: u32,
    /// Whether a holder's number stands for the node.
    is_current: bool,
    /// The root of a heap of deaths that wait to go to the parent; `sums` are their bytes by kind of
    /// waste.
    waiting: u32,
    sums: [u128; 2],
}

/// An entry of a pairing heap, the latest first era on top.
#[derive(Clone, Copy)]
struct Death {
    first: u32,
    waste: Waste,
    bytes: u64,
    child: u32,
    /// The next sibling; of a free entry, the next free one.
    next: u32,
}

const NOBODY: Death = Death { first: 0, waste: Waste::Void, bytes: 0, child: 0, next: 0 };

pub(super) struct Chains {
    /// The nodes; node 0 is never used, and neither is death 0.
    nodes: List<Node>,
    free_node: u32,
    /// The node that each holder's number stands for.
    current: List<u32>,
    deaths: List<Death>,
    free_death: u32,
}

fn wrong(what: &str) -> Failure {
    Failure::new(Status::Io, format_args!("the biography journal is damaged: it speaks of {what}"))
}

impl Chains {
    pub(super) fn new() -> Outcome<Chains> {
        let (mut nodes, mut current, mut deaths) = (List::new(), List::new(), List::new());
        nodes.push(Node::default())?;
        current.push(0)?;
        deaths.push(NOBODY)?;
        Ok(Chains { nodes, free_node: 0, current, deaths, free_death: 0 })
    }

    fn node(&self, number: u32) -> Option<u32> {
        self.current.get(number as usize).copied().filter(|&node| node != 0)
    }

    pub(super) fn identity(&self, number: u32) -> Option<u32> {
        self.node(number).map(|node| self.nodes[node as usize].identity)
    }

    /// Makes a number stand for this holder from now on.
    pub(super) fn define(&mut self, number: u32, holder: Holder, book: Book<'_>) -> Outcome<()> {
        if number == 0 || number as usize > self.current.len() {
            return Err(wrong("a holder out of turn"));
        }
        let mut parent = 0;
        if holder.parent != 0 && holder.since != 0 {
            parent = self.node(holder.parent).ok_or_else(|| wrong("a holder that it has not told of"))?;
            if self.nodes[parent as usize].since >= holder.since {
                return Err(wrong("a holder that is older than the one that came before"));
            }
            self.nodes[parent as usize].children += 1;
        }
        let node = Node {
            identity: holder.identity,
            since: holder.since,
            parent,
            is_current: true,
            ..Node::default()
        };
        let at = self.free_node;
        let at = if at != 0 {
            self.free_node = self.nodes[at as usize].parent;
            self.nodes[at as usize] = node;
            at
        } else {
            self.nodes.push(node)?;
            self.nodes.len() as u32 - 1
        };
        if number as usize == self.current.len() {
            return self.current.push(at);
        }
        let old = std::mem::replace(&mut self.current[number as usize], at);
        self.release(old, book)
    }

    /// Takes the death of bytes that were waste from era `first` to era `last`. The last holder is given;
    /// holders before it had them earlier.
    pub(super) fn die(
        &mut self,
        number: u32,
        waste: Waste,
        eras: (u32, u32),
        bytes: u64,
        book: Book<'_>,
    ) -> Outcome<()> {
        let at = self.node(number).ok_or_else(|| wrong("a holder that it has not told of"))?;
        let (node, (first, last)) = (self.nodes[at as usize], eras);
        let from = first.max(node.since).max(1);
        if from <= last {
            book(node.identity, waste, (from, last), bytes)?;
        }
        if node.parent == 0 || first >= node.since || first > last {
            return Ok(());
        }
        if node.since > last {
            return Err(wrong("a holder that is older than the one that came before"));
        }
        let death = Death { first, waste, bytes, ..NOBODY };
        let place = self.free_death;
        let place = if place != 0 {
            self.free_death = self.deaths[place as usize].next;
            self.deaths[place as usize] = death;
            place
        } else {
            self.deaths.push(death)?;
            self.deaths.len() as u32 - 1
        };
        self.nodes[at as usize].waiting = self.merged(node.waiting, place);
        self.nodes[at as usize].sums[waste as usize] += u128::from(bytes);
        Ok(())
    }

    /// Ends the deaths: all waiting waste is booked.
    pub(super) fn end(&mut self, book: Book<'_>) -> Outcome<()> {
        for number in 1..self.current.len() {
            let node = std::mem::take(&mut self.current[number]);
            self.release(node, book)?;
        }
        Ok(())
    }

    /// Takes a node's number away. When no other node comes after it, the node hands its waiting waste on and
    /// goes, and so may those before it.
    fn release(&mut self, node: u32, book: Book<'_>) -> Outcome<()> {
        self.nodes[node as usize].is_current = false;
        let mut at = node;
        while at != 0 && !self.nodes[at as usize].is_current && self.nodes[at as usize].children == 0 {
            planted!(205, (), self.hand_on(at, book)?);
            let parent = self.nodes[at as usize].parent;
            self.nodes[at as usize] = Node { parent: self.free_node, ..Node::default() };
            self.free_node = at;
            if parent != 0 {
                self.nodes[parent as usize].children -= 1;
            }
            at = parent;
        }
        Ok(())
    }

    fn hand_on(&mut self, at: u32, book: Book<'_>) -> Outcome<()> {
        let node = self.nodes[at as usize];
        let (mut waiting, mut sums) = (node.waiting, node.sums);
        if waiting == 0 {
            return Ok(());
        }
        let (parent, last) = (self.nodes[node.parent as usize], node.since - 1);
        // Objects that became waste while the parent held them were not waste of any holder before it.
        while waiting != 0 && self.deaths[waiting as usize].first >= parent.since {
            let death = self.deaths[waiting as usize];
            let from = death.first.max(1);
            if from <= last {
                book(parent.identity, death.waste, (from, last), death.bytes)?;
            }
            sums[death.waste as usize] -= u128::from(death.bytes);
            waiting = self.without_top(waiting);
        }
        for waste in [Waste::Void, Waste::Drag] {
            let bytes = sums[waste as usize].min(i64::MAX as u128) as u64;
            if bytes > 0 {
                book(parent.identity, waste, (parent.since, last), bytes)?;
            }
        }
        if parent.parent == 0 {
            while waiting != 0 {
                waiting = self.without_top(waiting);
            }
            return Ok(());
        }
        let both = self.merged(parent.waiting, waiting);
        let parent = &mut self.nodes[node.parent as usize];
        parent.waiting = both;
        parent.sums = [parent.sums[0] + sums[0], parent.sums[1] + sums[1]];
        Ok(())
    }

    /// Merges two heaps; either may be empty (0).
    fn merged(&mut self, one: u32, other: u32) -> u32 {
        if one == 0 || other == 0 {
            return one | other;
        }
        let is_later = self.deaths[one as usize].first >= self.deaths[other as usize].first;
        let (top, below) = if is_later { (one, other) } else { (other, one) };
        self.deaths[below as usize].next = self.deaths[top as usize].child;
        self.deaths[top as usize].child = below;
        top
    }

    /// Takes the top away, and gives the rest: its children, paired and then merged.
    fn without_top(&mut self, top: u32) -> u32 {
        let mut rest = self.deaths[top as usize].child;
        self.deaths[top as usize] = Death { next: self.free_death, ..NOBODY };
        self.free_death = top;
        let mut pairs = 0;
        while rest != 0 {
            let one = rest;
            let other = std::mem::take(&mut self.deaths[one as usize].next);
            rest = if other == 0 { 0 } else { std::mem::take(&mut self.deaths[other as usize].next) };
            let pair = self.merged(one, other);
            self.deaths[pair as usize].next = pairs;
            pairs = pair;
        }
        let mut whole = 0;
        while pairs != 0 {
            let next = std::mem::take(&mut self.deaths[pairs as usize].next);
            whole = self.merged(whole, pairs);
            pairs = next;
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Bytes by identity, kind of waste and era.
    type Sums = BTreeMap<(u32, bool, u32), u64>;

    fn booked(sums: &mut Sums, identity: u32, waste: Waste, eras: (u32, u32), bytes: u64) {
        for era in eras.0..=eras.1 {
            *sums.entry((identity, waste == Waste::Drag, era)).or_default() += bytes;
        }
    }

    /// Compares the chains with walks from each death to the holders before.
    #[test]
    fn sums_are_those_of_walks() {
        let mut state = 7u64;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        };
        for round in 0..200 {
            let (mut chains, mut sums, mut wanted) = (Chains::new().unwrap(), Sums::new(), Sums::new());
            let mut holders = vec![Holder::default()];
            for era in 1..=12u32 {
                for _ in 0..random(4) {
                    // A number may be defined again when no holder comes after it.
                    let all = holders.len() as u32;
                    let unused = (1..all).find(|&number| {
                        random(3) == 0 && holders.iter().all(|holder| holder.parent != number)
                    });
                    let number = unused.filter(|_| round % 2 == 0).unwrap_or(all);
                    let parent = random(all);
                    let since = era + 1;
                    let parent =
                        if holders[parent as usize].since < since && parent != number { parent } else { 0 };
                    let holder = Holder { parent, identity: 1 + random(5), since };
                    chains
                        .define(number, holder, &mut |i, w, e, b| {
                            booked(&mut sums, i, w, e, b);
                            Ok(())
                        })
                        .unwrap();
                    if number == all { holders.push(holder) } else { holders[number as usize] = holder }
                }
                for _ in 0..random(6) {
                    let number = random(holders.len() as u32);
                    let holder = holders[number as usize];
                    if number == 0 || holder.since > era {
                        continue;
                    }
                    let waste = if random(2) == 0 { Waste::Void } else { Waste::Drag };
                    let (first, bytes) = (random(era + 2), 1 + u64::from(random(100)));
                    chains
                        .die(number, waste, (first, era), bytes, &mut |i, w, e, b| {
                            booked(&mut sums, i, w, e, b);
                            Ok(())
                        })
                        .unwrap();
                    let (mut at, mut last) = (number, era);
                    while at != 0 && first <= last && last > 0 {
                        let holder = holders[at as usize];
                        booked(
                            &mut wanted,
                            holder.identity,
                            waste,
                            (first.max(holder.since).max(1), last),
                            bytes,
                        );
                        (at, last) = (holder.parent, holder.since - 1);
                    }
                }
            }
            chains
                .end(&mut |i, w, e, b| {
                    booked(&mut sums, i, w, e, b);
                    Ok(())
                })
                .unwrap();
            assert_eq!(sums, wanted, "round {round}");
        }
    }
}
