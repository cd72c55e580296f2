//! The states of weak pointers after a collection (alive, dead, waiting for finalizers), by the rule and slowly:
//! again and again over all of them until nothing changes.
//!
//! A minor collection may leave a weak pointer alive whose key nothing reaches; then its parts count as reached. A
//! major one may not. A weak pointer that has just died holds its parts for its finalizer, and keeps no other key
//! alive [gc.weak.at-once].

use super::graph::Word;
use super::kinds::Role;
use super::machine::{Machine, Step};
use crate::base::Addr;
use crate::ffi::info::barrow_object_words;
use crate::heap::object::weak::{State, WEAK_WORDS, Weak, WeakList};
use std::collections::HashMap;

/// Longer lists than this lead round in a ring.
const TOO_LONG: usize = 1 << 20;

/// The places where the heap lists weak pointers, by their data.
#[derive(Default)]
struct Listed {
    live: HashMap<usize, usize>,
    due: HashMap<usize, usize>,
}

impl Machine<'_> {
    fn listed_weaks(&self) -> Result<Listed, String> {
        let weaks = &self.runtime().store.weaks;
        let mut listed = Listed::default();
        let lists = weaks.lists.iter().map(|&list| (list, State::Live));
        let queue = [weaks.due, weaks.arrived].map(|first| (WeakList(first), State::Pending));
        for (list, expected) in lists.chain(queue) {
            for (index, weak) in list.iter().enumerate() {
                // SAFETY: what is listed is a weak pointer.
                let (header, data) = unsafe { (weak.0.load(), (*weak.object()).data as usize) };
                let state = Weak::state_of(header);
                if state.is_none() || index > TOO_LONG {
                    return Err(format!(
                        "the header of the weak pointer {} in a list is {header:#x}",
                        weak.0
                    ));
                }
                // A dead one leaves its list later.
                if state != Some(expected) || data == 0 {
                    continue;
                }
                let map = if expected == State::Live { &mut listed.live } else { &mut listed.due };
                if map.insert(data, weak.0.0).is_some() {
                    return Err(format!("the weak pointer with the data {data} is in the lists twice"));
                }
            }
        }
        Ok(listed)
    }

    fn id(&self, weak: u32) -> usize {
        self.graph.node(weak).weak.map_or(0, |facts| facts.id)
    }

    fn told_weak(&self, weak: u32) -> String {
        let words = &self.graph.node(weak).words;
        let parts: Vec<String> = (words.iter().take(3))
            .map(|&word| match word {
                Word::Ref { node, .. } => format!("{node} ({})", self.graph.node(node).shape().name),
                word => format!("{word:x?}"),
            })
            .collect();
        format!("weak pointer {weak} of {}", parts.join(", "))
    }

    fn is_met(&self, node: u32) -> bool {
        self.graph.node(node).seen == self.seen
    }

    fn has_key(&self, weak: u32) -> bool {
        match self.graph.node(weak).words[0] {
            Word::Ref { node, .. } => self.is_met(node),
            _ => true,
        }
    }

    /// Matches a weak pointer that is reached, with its parts when it waited before.
    pub(super) fn match_weak(
        &mut self,
        weak: u32,
        words: &[Word],
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        let (before, now) = (self.weak_state(weak), self.state_in_heap(weak)?);
        if before != State::Live && before != now {
            return Err(format!("it is {now:?}, and was {before:?}"));
        }
        let at = self.graph.node(weak).at;
        // SAFETY: the heap is live and a weak pointer lies there.
        let told = unsafe { barrow_object_words(self.heap, at as *const _) };
        if told != self.rounded(WEAK_WORDS) {
            return Err(format!("it has {told} words"));
        }
        self.check_stamp(weak)?;
        match before {
            State::Pending => self.match_parts(weak, words, waiting, addresses),
            _ => Ok(()),
        }
    }

    fn match_parts(
        &mut self,
        weak: u32,
        words: &[Word],
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        let at = Addr(self.graph.node(weak).at);
        for (index, &expected) in words.iter().enumerate().take(3) {
            // SAFETY: a weak pointer lies there.
            let word = unsafe { at.plus_words(1 + index).load() };
            self.match_word(word, expected, Role::Pointer, 0, waiting, addresses)
                .map_err(|wrong| format!("field {} of weak pointer {weak}: {wrong}", index + 1))?;
        }
        Ok(())
    }

    /// Matches the place and the parts of a weak pointer that is alive or waits.
    fn keep_weak(
        &mut self,
        weak: u32,
        at: usize,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        self.match_word(at, Word::Ref { node: weak, tag: 0 }, Role::Pointer, 0, waiting, addresses)?;
        let words = self.graph.node(weak).words.clone();
        self.match_parts(weak, &words, waiting, addresses)?;
        self.match_waiting(waiting, addresses)
    }

    /// Matches all weak pointers, once the roots were matched.
    pub(super) fn match_weaks(
        &mut self,
        exact: bool,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        if super::finalizers::take_stray_call() {
            return Err("a finalizer was called by nobody".to_string());
        }
        let listed = self.listed_weaks()?;
        let mut open = Vec::new();
        for weak in self.weaks() {
            match (self.weak_state(weak), self.graph.node(weak).weak) {
                (State::Live, _) => open.push(weak),
                // The weak pointer is in the queue with its parts, which are gone when it was ended by hand.
                (State::Pending, Some(facts)) => {
                    let lost = || format!("weak pointer {weak} waited for its finalizer, and does no more");
                    let at = *listed.due.get(&facts.id).ok_or_else(lost)?;
                    self.keep_weak(weak, at, waiting, addresses)?;
                }
                _ => {}
            }
        }
        self.keep_those_with_keys(&mut open, &listed, waiting, addresses)?;
        // A minor collection has not looked at all keys.
        loop {
            let stays = |&weak: &u32| {
                !exact
                    && listed.live.contains_key(&self.id(weak))
                    && (self.has_finalizer(weak) || self.is_met(weak))
            };
            let (left, rest): (Vec<u32>, Vec<u32>) = open.iter().partition(|weak| stays(weak));
            open = rest;
            if left.is_empty() {
                break;
            }
            for weak in left {
                self.keep_weak(weak, listed.live[&self.id(weak)], waiting, addresses)?;
            }
            self.keep_those_with_keys(&mut open, &listed, waiting, addresses)?;
        }
        self.match_the_dead(open, &listed, exact, waiting, addresses)?;
        let met: Vec<u32> = self.weaks().into_iter().filter(|&weak| self.is_met(weak)).collect();
        for weak in met {
            match (self.weak_state(weak), self.state_in_heap(weak)?) {
                (State::Live, State::Dead) => self.weak_emptied(weak, State::Dead),
                (_, state) => self.set_weak_state(weak, state),
            }
        }
        Ok(())
    }

    /// Weak pointers with reachable keys are alive when they are reachable or have a finalizer.
    fn keep_those_with_keys(
        &mut self,
        open: &mut Vec<u32>,
        listed: &Listed,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        loop {
            let mut any = false;
            for weak in std::mem::take(open) {
                if !self.has_key(weak) || !(self.has_finalizer(weak) || self.is_met(weak)) {
                    open.push(weak);
                    continue;
                }
                let Some(&at) = listed.live.get(&self.id(weak)) else {
                    return Err(format!("weak pointer {weak} is not alive, and its key is reachable"));
                };
                self.keep_weak(weak, at, waiting, addresses)?;
                any = true;
            }
            // A minor collection may leave an object that only weak arrays refer to, and keys with it.
            if !any && !self.match_weak_arrays(false, waiting, addresses)? {
                return Ok(());
            }
        }
    }

    /// The other weak pointers: their keys are dead, or nothing refers to them but perhaps a finalizer
    /// [gc.weak.found-late].
    fn match_the_dead(
        &mut self,
        open: Vec<u32>,
        listed: &Listed,
        exact: bool,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        let (mut dying, mut late) = (Vec::new(), Vec::new());
        for weak in open {
            let id = self.id(weak);
            if !self.has_finalizer(weak) {
                if listed.due.contains_key(&id) {
                    return Err(format!("weak pointer {weak} waits, and has no finalizer"));
                }
                late.push((weak, self.has_key(weak)));
            } else if let Some(&at) = listed.due.get(&id) {
                dying.push((weak, at));
            } else if listed.live.contains_key(&id) {
                return Err(format!("{} is alive, and its key is unreachable", self.told_weak(weak)));
            } else {
                return Err(format!("weak pointer {weak} died, and its finalizer does not wait"));
            }
        }
        self.coverage.weak_deaths += dying.len() as u64;
        for (weak, at) in dying {
            self.keep_weak(weak, at, waiting, addresses)?;
        }
        loop {
            let mut any = false;
            for (weak, had_key) in std::mem::take(&mut late) {
                if !self.is_met(weak) {
                    late.push((weak, had_key));
                    continue;
                }
                any = true;
                match self.state_in_heap(weak)? {
                    State::Live if exact && !had_key => {
                        return Err(format!("weak pointer {weak} is alive, and its key is unreachable"));
                    }
                    State::Live => {
                        let Some(&at) = listed.live.get(&self.id(weak)) else {
                            return Err(format!("weak pointer {weak} is alive, and in no list"));
                        };
                        self.coverage.event(super::events::Event::WeakFoundLate);
                        self.keep_weak(weak, at, waiting, addresses)?;
                    }
                    _ if had_key => {
                        return Err(format!(
                            "weak pointer {weak} is dead, was found by a finalizer, and its key was reachable"
                        ));
                    }
                    _ => self.coverage.weak_deaths += 1,
                }
            }
            // Arrays that only finalizers reach were looked at when these had kept the objects that they
            // reach.
            if !any && !self.match_weak_arrays(true, waiting, addresses)? {
                break;
            }
        }
        let dangling = late.iter().find(|(weak, _)| exact && listed.live.contains_key(&self.id(*weak)));
        match dangling {
            Some((weak, _)) => Err(format!("weak pointer {weak} is listed, and nothing reaches it")),
            None => Ok(()),
        }
    }
}
