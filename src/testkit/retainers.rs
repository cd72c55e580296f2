//! Retainer sets against the equations that define them, solved the slow way: every object's set is the one
//! that its predecessors pass on, again and again until nothing changes.

use super::machine::{Machine, Step};
use crate::base::Addr;
use crate::heap::Model;
use crate::heap::object::info::{Info, ReferenceTable};
use crate::heap::object::lazy::CAF_VALUE;
use crate::heap::object::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::object::statics::{Statics, each_reference};
use crate::heap::object::weak_array::{WeakArray, each_element};
use crate::heap::root::each::each_root;
use crate::heap::root::frame::Visitor;
use crate::heap::space::side::{self, Table};
use crate::identity::names::names;
use crate::megablock::codes::AnyCodes;
use crate::profile::retainer::scheme::{CensusScheme, MOST_RETAINERS, RetainerScheme};
use crate::profile::retainer::set::Named;
use crate::profile::retainer::{Retainer, Scheme, SetId};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char};

/// The targets of a place, in the heap or among the statics.
struct Targets<'a> {
    model: Model,
    codes: AnyCodes,
    statics: &'a Statics,
    name: Retainer,
    found: Vec<(Retainer, usize)>,
}

impl Targets<'_> {
    fn note(&mut self, address: usize) {
        if address != 0 && (self.codes.at(address) != 0 || self.statics.has(Addr(address))) {
            self.found.push((self.name, address));
        }
    }
}

fn named(text: &[u8]) -> Retainer {
    Retainer::new(Named::Root(names().intern(text).expect("a name").0))
}

impl SlotSink for Targets<'_> {
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: roots, or fields of live objects.
        self.note(unsafe { slot.load() } & !HEADER_BITS);
    }
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        self.note(self.model.tags.address(unsafe { slot.load() }));
    }
    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        let before = self.found.len();
        each_element(WeakArray(array), info, self);
        let added = self.found.split_off(before);
        self.found.extend(added.into_iter().filter(|&(_, at)| self.codes.at(at) == 0));
        true
    }
    fn mentions(&mut self, table: *const ReferenceTable) {
        // SAFETY: tables of frames are constant.
        unsafe { each_reference(table, |to| self.note(to.0)) };
    }
    fn name(&mut self, name: *const c_char) {
        if name.is_null() {
            self.name = named(b"roots");
        } else {
            // SAFETY: names are constant strings.
            self.name = named(unsafe { CStr::from_ptr(name) }.to_bytes());
        }
    }
}

#[derive(Default)]
struct Object {
    set: BTreeSet<Retainer>,
    to: Vec<usize>,
    /// The object's identity, when it is a retainer.
    own: Option<Retainer>,
}

impl Machine<'_> {
    /// Directly after a census.
    pub(super) fn check_retainers(&mut self) -> Step {
        // SAFETY: the heap and the mutator are live, and no call into the heap is running.
        let (runtime, mutator) = unsafe { (&mut *self.heap, &mut *self.m) };
        let hooks = runtime.hooks;
        let mut get_roots = |visitor: &mut Visitor| hooks.visit_roots(visitor);
        let failed = |failure: crate::base::Failure| failure.sentence.as_str().to_string();
        if let Err(failure) = runtime.store.turn_side_table_on(Table::Cell) {
            return if self.failing.is_some() { Ok(()) } else { Err(failed(failure)) };
        }
        let walked = runtime.find_retainers(mutator, &mut get_roots, None, true);

        let ours = RetainerScheme::OURS;
        let by_producer = runtime.names_retainers_by_producer();
        let scheme = CensusScheme {
            scheme: &ours,
            mark: runtime.busy.mark(),
            by_producer,
            codes: runtime.store.codes,
            filter: None,
            with_threads: true,
        };
        let store = &runtime.store;
        let mut targets = Targets {
            model: store.model,
            codes: store.codes,
            statics: &store.statics,
            name: named(b"roots"),
            found: Vec::new(),
        };
        each_root(store, mutator, &mut targets).map_err(failed)?;
        targets.name(std::ptr::null());
        get_roots(&mut Visitor::new(&mut targets));
        targets.name = named(b"CAFs");
        for caf in store.statics.cafs.iter().filter(|caf| caf.keep) {
            targets.pointer(caf.at.plus_words(CAF_VALUE));
        }
        for list in store.weaks.lists {
            for weak in list.iter() {
                // SAFETY: a listed weak pointer is alive.
                let info = info_of(unsafe { weak.0.load() });
                targets.found.push((scheme.identity(weak.0, info), weak.0.0));
            }
        }
        let mut objects: BTreeMap<usize, Object> = BTreeMap::new();
        let mut waiting: Vec<usize> = targets.found.iter().map(|&(_, at)| at).collect();
        let roots = std::mem::take(&mut targets.found);
        while let Some(at) = waiting.pop() {
            if objects.contains_key(&at) {
                continue;
            }
            // SAFETY: reachable objects are well-formed after a major collection.
            let info = unsafe {
                let info = info_of(Addr(at).load());
                store.model.each_slot(Addr(at), info, &mut targets);
                if !info.srt.is_null() {
                    each_reference(info.srt, |to| targets.note(to.0));
                }
                info
            };
            let to: Vec<usize> = targets.found.drain(..).map(|(_, to)| to).collect();
            waiting.extend(&to);
            let own = scheme.is_retainer(Addr(at), info).then(|| scheme.identity(Addr(at), info));
            objects.insert(at, Object { set: BTreeSet::new(), to, own });
        }
        for (name, at) in roots {
            objects.get_mut(&at).expect("roots were visited").set.insert(name);
        }
        let all: Vec<usize> = objects.keys().copied().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for at in &all {
                let object = &objects[at];
                let passed = object.own.map_or_else(|| object.set.clone(), |own| BTreeSet::from([own]));
                for to in object.to.clone() {
                    let set = &mut objects.get_mut(&to).expect("successors were visited").set;
                    let before = set.len();
                    set.extend(passed.iter().copied());
                    changed |= set.len() != before;
                }
            }
        }

        let outcome = match walked {
            Err(_) if self.failing.is_some() => Ok(()),
            Err(failure) => Err(failed(failure)),
            Ok(pasts) => {
                let sets = runtime.profilers.retainers.sets.as_ref().expect("the walk made them");
                let mut wrong = Ok(());
                let in_heap = |at: usize| runtime.store.codes.at(at) != 0;
                for (&at, object) in objects.iter().filter(|&(&at, _)| in_heap(at)) {
                    // SAFETY: an object of the heap.
                    let (past, set) = pasts.of_cell(unsafe { side::number(Table::Cell, Addr(at)) });
                    let wanted: Vec<Retainer> = object.set.iter().copied().collect();
                    let right = if wanted.len() > MOST_RETAINERS {
                        set == SetId::MANY
                    } else {
                        sets.members(set) == wanted
                    };
                    if past != 0 || !right {
                        wrong = Err(format!(
                            "{at:#x} has the retainers {:?} ({set:?}) and should have {wanted:?}",
                            sets.members(set)
                        ));
                        break;
                    }
                }
                let figures = runtime.profilers.retainers.figures;
                let all = objects.keys().filter(|&&at| in_heap(at)).count();
                if wrong.is_ok() && figures.objects != all as u64 {
                    wrong = Err(format!("{} objects were visited, of {all}", figures.objects));
                }
                if wrong.is_ok()
                    && runtime.profilers.retainers.cost > runtime.profilers.heap.census.total.bytes()
                {
                    wrong = Err("the sets cost more than what lives".into());
                }
                wrong
            }
        };
        runtime.store.turn_side_table_off(Table::Cell);
        outcome
    }
}
