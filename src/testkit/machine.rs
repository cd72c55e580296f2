//! Runs a program on a heap and on the model at once, and compares them after every collection.

use super::coverage::{Coverage, Phase};
use super::graph::{Graph, Word};
use super::kinds::{Role, moves, shapes, take_bad_move};
use super::program::{Op, Program};
use super::random::Random;
use super::roots::{HandleRoot, MOST_ROOTS, Range, Roots, StableRoot, get_extra_roots, get_roots};
use super::settings::Settings;
use crate::base::{Addr, Status, fault};
use crate::block::descriptor::flag;
use crate::block::{Block, Descriptor};
use crate::ffi::block::{barrow_alloc_group, barrow_audit, barrow_free_group};
use crate::ffi::collect::*;
use crate::ffi::heap::*;
use crate::ffi::root::*;
use crate::ffi::stable::*;
use crate::ffi::version::barrow_last_error;
use crate::heap::Mutator;
use crate::heap::space::Code;
use crate::runtime::Runtime;
use std::ffi::{CStr, CString, c_void};

pub type Step = Result<(), String>;

/// More nodes than this, and some roots are cleared.
const MANY_NODES: usize = 600;
/// More words than this in the graph, and some roots are cleared.
const MANY_WORDS: usize = 400_000;

pub struct Machine<'a> {
    pub heap: *mut Runtime,
    pub m: *mut Mutator,
    pub settings: Settings,
    pub graph: Graph,
    pub roots: Roots,
    pub coverage: &'a mut Coverage,
    /// Number of the comparison that runs or ran last.
    pub seen: u32,
    pub moves_seen: u64,
    pub waiting: Vec<u32>,
    pub addresses: Vec<usize>,
    pub found_roots: Vec<(usize, Word, Role)>,
    /// Words of the object that is being made.
    pub new_words: Vec<Word>,
    /// Memory outside the heap that fields point to.
    pub foreign: Box<[usize; 64]>,
    collections: u64,
    external: i64,
    group: *mut Descriptor,
    /// Requests inside the library that still succeed, when some are to fail, and how many were made before.
    failing: Option<(u64, u64)>,
    /// Something was refused.
    pub refused: bool,
}

/// What a call said, with its sentence.
pub fn done(status: Status, what: &str) -> Step {
    if status == Status::Ok { Ok(()) } else { Err(format!("{what}: {}: {}", status.name(), last_error())) }
}

pub fn last_error() -> String {
    // SAFETY: the library gives a string that ends with NUL and lives until its next failure.
    unsafe { CStr::from_ptr(barrow_last_error()) }.to_string_lossy().into_owned()
}

/// Runs a whole program on a heap of its own. The error says what is wrong and after which operation.
pub fn run(program: &Program, coverage: &mut Coverage) -> Step {
    let _ = take_bad_move();
    let settings = program.settings();
    let tight = settings.tight;
    let mut machine = match Machine::new(settings, coverage) {
        Ok(machine) => machine,
        // Many generations do not fit into the lowest limits at all.
        Err(wrong) if tight && is_refusal(&wrong) => return Ok(()),
        Err(wrong) => return Err(wrong),
    };
    let outcome = machine.play(program);
    // Roots of the model are read by the heap until it is gone.
    // SAFETY: the heap is live and nothing of it is used afterwards.
    let freed = unsafe { barrow_heap_free(machine.heap) };
    outcome.and_then(|()| done(freed, "heap_free"))
}

/// As `run`, with every request for memory inside the library refused from the `after`-th on, until the first call
/// fails for it: what failed must have changed nothing, and everything goes on afterwards. True when any was refused.
pub fn run_failing(program: &Program, coverage: &mut Coverage, after: u64) -> Result<bool, String> {
    let _ = take_bad_move();
    let before = fault::asked();
    fault::fail_after(after);
    let machine = Machine::new(program.settings(), coverage);
    let mut machine = match machine {
        Ok(machine) => machine,
        Err(wrong) => {
            fault::stop();
            return if is_refusal(&wrong) { Ok(true) } else { Err(wrong) };
        }
    };
    machine.failing = Some((after, before));
    let outcome = machine.play(program);
    fault::stop();
    let refused = machine.refused;
    // SAFETY: the heap is live and nothing of it is used afterwards.
    let freed = unsafe { barrow_heap_free(machine.heap) };
    outcome.and_then(|()| done(freed, "heap_free")).map(|()| refused)
}

/// Whether an error says that there was no memory, in a sentence.
fn is_refusal(wrong: &str) -> bool {
    let told = ["BARROW_E_NOMEM: ", "BARROW_E_LIMIT: ", "heap overflow: ", "no memory"];
    told.iter().any(|text| wrong.contains(text) && !wrong.ends_with(text))
}

impl<'a> Machine<'a> {
    fn new(settings: Settings, coverage: &'a mut Coverage) -> Result<Machine<'a>, String> {
        let mut roots = Roots::new();
        let flags = CString::new(settings.flags.as_str()).map_err(|_| "flags with NUL".to_string())?;
        let rule = settings.rule;
        let config = Config {
            size: size_of::<Config>() as u32,
            abi_major: 0,
            geometry: OUR_GEOMETRY,
            flags: flags.as_ptr(),
            tagged_pointers: rule.pointers,
            object_alignment: rule.alignment as u16,
            reserved: 0,
            address_mask: rule.mask,
            address_offset: rule.offset,
            roots: Some(get_roots),
            overflow: None,
            finalizers_ready: None,
            fatal: None,
            event: None,
            client: roots.client(),
        };
        let (mut heap, mut m) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the configuration is whole, and the roots of its callback live as long as the machine.
        done(unsafe { barrow_heap_new(&config, &mut heap, &mut m) }, "heap_new")?;
        Ok(Machine {
            heap,
            m,
            settings,
            graph: Graph::default(),
            roots,
            coverage,
            seen: 0,
            moves_seen: moves(),
            waiting: Vec::new(),
            addresses: Vec::new(),
            found_roots: Vec::new(),
            new_words: Vec::new(),
            foreign: Box::new([0; 64]),
            collections: 0,
            external: 0,
            group: std::ptr::null_mut(),
            failing: None,
            refused: false,
        })
    }

    fn play(&mut self, program: &Program) -> Step {
        for (number, raw) in program.ops.iter().enumerate() {
            let op = Op::decode(raw);
            let outcome = self.step(op).or_else(|wrong| self.after_refusal(wrong));
            outcome.map_err(|wrong| format!("step {number} {op:?}: {wrong}"))?;
        }
        fault::stop();
        self.refused |= self.failing.is_some_and(|(after, before)| fault::asked() - before > after);
        self.finish().map_err(|wrong| format!("after the last step: {wrong}"))?;
        let stats = &self.runtime().stats;
        let (collections, majors) = (stats.collections, stats.major_collections);
        self.coverage.collections += collections;
        self.coverage.majors += majors;
        self.coverage.programs += 1;
        Ok(())
    }

    /// A call has failed. When that was for want of memory as asked for, everything must be as it was.
    fn after_refusal(&mut self, wrong: String) -> Step {
        if self.settings.tight && self.failing.is_none() && is_refusal(&wrong) {
            return self.at_the_limit();
        }
        match self.failing.take() {
            Some((after, before)) if fault::asked() - before > after && is_refusal(&wrong) => {}
            _ => return Err(wrong),
        }
        fault::stop();
        self.refused = true;
        let sane = |machine: &mut Machine| {
            if machine.m.is_null() {
                // SAFETY: the heap is live.
                done(unsafe { barrow_attach(machine.heap, &mut machine.m) }, "attach")?;
            }
            machine.settle()?;
            // SAFETY: as above.
            done(unsafe { barrow_audit(machine.heap) }, "audit")?;
            machine.check()
        };
        sane(self).map_err(|then| format!("after the refusal \"{wrong}\": {then}"))
    }

    /// The heap's own limit was met: nothing may have changed. Even a check may find no room.
    fn at_the_limit(&mut self) -> Step {
        if self.m.is_null() {
            self.clear_roots(1, &mut Random::new(0));
            // SAFETY: the heap is live.
            done(unsafe { barrow_attach(self.heap, &mut self.m) }, "attach")?;
        }
        self.compare()?;
        // SAFETY: the heap is live.
        done(unsafe { barrow_audit(self.heap) }, "audit")?;
        let told = self.check();
        self.clear_roots(3, &mut Random::new(self.seen as u64));
        told.or_else(|wrong| if is_refusal(&wrong) { Ok(()) } else { Err(wrong) })
    }

    /// A minor collection, a major one and a check; three collections at least in every program.
    fn finish(&mut self) -> Step {
        for major in [false, false, true] {
            self.collect(major).or_else(|wrong| self.after_refusal(wrong))?;
        }
        self.check().or_else(|wrong| self.after_refusal(wrong))?;
        // SAFETY: the heap is live.
        done(unsafe { barrow_audit(self.heap) }, "audit")
    }

    pub fn runtime(&self) -> &Runtime {
        // SAFETY: the heap lives as long as the machine, and no call into it is running.
        unsafe { &*self.heap }
    }

    pub fn rounded(&self, words: usize) -> usize {
        words.next_multiple_of(self.settings.rule.alignment / 8)
    }

    /// The word that refers to an address from a place of this role.
    pub fn encode(&self, at: usize, tag: u32, role: Role) -> usize {
        match role {
            Role::Tagged => self.settings.rule.word(at, tag),
            _ => at | (tag as usize & 7),
        }
    }

    /// The word that the heap should hold for one of the model, in an object at `owner`.
    pub fn word(&self, word: Word, role: Role, owner: usize) -> usize {
        match word {
            Word::Raw(bits) => bits,
            Word::Own => owner,
            Word::Ref { node, tag } => self.encode(self.graph.node(node).at, tag, role),
        }
    }

    /// Any word that a place of this role may hold.
    pub fn any_word(&self, random: &mut Random, role: Role) -> Word {
        let tag = random.next() as u32;
        let reference = |random: &mut Random| match self.graph.pick(random.below(1 << 20)) {
            Some(node) => Word::Ref { node, tag },
            None => Word::NULL,
        };
        let foreign = |random: &mut Random| &raw const self.foreign[random.below(64)] as usize;
        let bait = |random: &mut Random| match self.graph.pick(random.below(1 << 20)) {
            Some(node) => self.graph.node(node).at + random.below(16),
            None => random.next() as usize,
        };
        match (role, random.below(16)) {
            (Role::Pointer, 0) => Word::NULL,
            (Role::Pointer, 1) => Word::Raw(foreign(random) | (tag as usize & 7)),
            (Role::Pointer, 2) => Word::Raw(tag as usize & 7),
            (Role::Tagged, 0) => Word::NULL,
            (Role::Tagged, 1) => Word::Raw(self.settings.rule.word(foreign(random) & !15, tag)),
            (Role::Tagged, 2) => Word::Raw(self.settings.rule.plain(random.next() as usize)),
            // A word that would be a reference if its tag did not say otherwise.
            (Role::Tagged, 3) => Word::Raw(self.settings.rule.plain(bait(random))),
            (Role::Pointer | Role::Tagged, _) => reference(random),
            (_, 0..=3) => Word::Raw(bait(random)),
            _ => Word::Raw(random.next() as usize),
        }
    }

    /// Where in its life the object at an address is.
    pub fn phase(&self, at: usize) -> Phase {
        let code = Code(self.runtime().store.codes.at(at));
        let old = code.generation() > 0;
        let pinned = code.is_fixed() && Block::of(Addr(at)).head().has(flag::PINNED);
        match (code.is_fixed(), pinned, old) {
            (true, true, false) => Phase::YoungPinned,
            (true, true, true) => Phase::OldPinned,
            (true, false, false) => Phase::YoungLarge,
            (true, false, true) => Phase::OldLarge,
            (false, _, true) => Phase::Old,
            (false, _, false) if code.place().step() > 0 => Phase::Aged,
            _ => Phase::Young,
        }
    }

    /// Compares when a collection has run since the last time. To be called after everything that may collect.
    pub fn settle(&mut self) -> Step {
        let collections = self.runtime().stats.collections;
        if collections == self.collections {
            return Ok(());
        }
        self.collections = collections;
        self.compare()
    }

    fn step(&mut self, op: Op) -> Step {
        match op {
            Op::Make { kind, way, size, seed } => {
                let shape = kind as usize % shapes().len();
                self.make(shape, way, size, &mut Random::new(seed as u64)).map(|_| ())
            }
            Op::MakeList { count, seed } => self.make_list(count as usize, &mut Random::new(seed as u64)),
            Op::Garbage { words, seed } => self.garbage(words as usize, &mut Random::new(seed as u64)),
            Op::Store { object, how, seed } => self.store(object, how, &mut Random::new(seed as u64)),
            Op::StoreRecorded { object, seed } => self.store_recorded(object, &mut Random::new(seed as u64)),
            Op::Copy { object, seed } => self.copy(object, &mut Random::new(seed as u64)),
            Op::Fill { object, seed } => self.fill(object, &mut Random::new(seed as u64)),
            Op::Become { object, seed } => self.become_other(object, &mut Random::new(seed as u64)),
            Op::Shrink { object, seed } => self.shrink(object, &mut Random::new(seed as u64)),
            Op::Storm { seed } => self.storm(&mut Random::new(seed as u64)),
            Op::SetRoot { seed } => {
                let mut random = Random::new(seed as u64);
                let node = self.graph.pick(random.below(1 << 20));
                self.set_root(node, &mut random);
                Ok(())
            }
            Op::ClearRoots { share, seed } => {
                self.clear_roots(share as usize % 8 + 1, &mut Random::new(seed as u64));
                Ok(())
            }
            Op::Collect { major } => self.collect(major),
            Op::CollectWith { major, seed } => self.collect_with(major, &mut Random::new(seed as u64)),
            Op::Safepoint => {
                // SAFETY: the mutator is live and ours: so for every call below.
                let told = done(unsafe { barrow_safepoint(self.m) }, "safepoint");
                self.settle().and(told)
            }
            Op::Check => self.check(),
            Op::External { bytes } => self.external(bytes as i64),
            Op::Look => self.look(),
            Op::Detach => self.detach(),
            other => self.change_roots(other),
        }?;
        let words = || self.graph.known.iter().map(|&n| self.graph.node(n).words.len()).sum::<usize>();
        if self.graph.known.len() > MANY_NODES || words() > MANY_WORDS {
            self.clear_roots(2, &mut Random::new(self.seen as u64));
            self.collect(true)?;
        }
        Ok(())
    }

    fn change_roots(&mut self, op: Op) -> Step {
        match op {
            Op::PushFrame { count, tagged } => {
                let count = count as usize % (MOST_ROOTS + 1);
                // SAFETY: the frame lives until it is popped.
                unsafe {
                    let up = (*self.m).window.frames;
                    (*self.m).window.frames = self.roots.push_frame(up, count, tagged);
                    done(barrow_check_frames(self.m), "check_frames")
                }
            }
            Op::PopFrames { count } => {
                let top = self.roots.pop_frames(count as usize);
                // SAFETY: as above.
                unsafe { (*self.m).window.frames = top };
                Ok(())
            }
            Op::AddRange { count, tagged } => {
                if self.roots.ranges.len() > 4 {
                    return Ok(());
                }
                let mut range = Range::new([0; MOST_ROOTS], count as usize % MOST_ROOTS + 1, tagged);
                let (first, count) = ((&raw mut *range.memory).cast::<c_void>(), range.words.len());
                // SAFETY: the range stays where it is until it is removed.
                let status = unsafe { barrow_root_add(self.heap, c"range".as_ptr(), first, count, tagged) };
                done(status, "root_add")?;
                self.roots.ranges.push(range);
                Ok(())
            }
            Op::RemoveRange { which } => {
                if self.roots.ranges.is_empty() {
                    return Ok(());
                }
                let index = which as usize % self.roots.ranges.len();
                let mut range = self.roots.ranges.swap_remove(index);
                // SAFETY: the heap is live.
                let status = unsafe { barrow_root_remove(self.heap, (&raw mut *range.memory).cast()) };
                done(status, "root_remove")
            }
            Op::PushLlvm { count } if self.roots.llvm.len() < 8 => {
                self.roots.push_llvm(count as usize % (MOST_ROOTS + 1));
                Ok(())
            }
            Op::PopLlvm => {
                self.roots.pop_llvm();
                Ok(())
            }
            Op::AttachLlvm { on } => self.attach_llvm(on),
            other => self.change_handles(other),
        }
    }

    fn attach_llvm(&mut self, on: bool) -> Step {
        let chain = if on { (&raw mut *self.roots.llvm_head).cast() } else { std::ptr::null_mut() };
        if !self.roots.llvm_attached {
            // Unattached frames were not looked at by collections, so what they hold means nothing.
            for frame in &mut self.roots.llvm {
                frame.memory.values.fill(0);
                frame.words.fill(Word::NULL);
            }
        }
        self.roots.llvm_attached = on;
        // SAFETY: the chain lives as long as the machine.
        done(unsafe { barrow_attach_llvm_frames(self.m, chain) }, "attach_llvm_frames")
    }

    fn change_handles(&mut self, op: Op) -> Step {
        let object = |machine: &Machine, any: u16| match machine.graph.pick(any as usize) {
            Some(node) => {
                let word = Word::Ref { node, tag: any as u32 >> 13 };
                (word, machine.word(word, Role::Pointer, 0) as *mut c_void)
            }
            None => (Word::NULL, std::ptr::null_mut()),
        };
        match op {
            Op::NewHandle { object: any } if self.roots.handles.len() < 24 => {
                let (word, at) = object(self, any);
                let mut handle = std::ptr::null_mut();
                // SAFETY: the mutator is ours and the object alive: so for every call here.
                done(unsafe { barrow_handle_new(self.m, at, &mut handle) }, "handle_new")?;
                self.roots.handles.push(HandleRoot { handle, word });
            }
            Op::SetHandle { which, object: any } if !self.roots.handles.is_empty() => {
                let (word, at) = object(self, any);
                let index = which as usize % self.roots.handles.len();
                let root = &mut self.roots.handles[index];
                // SAFETY: as above.
                done(unsafe { barrow_handle_set(self.m, root.handle, at) }, "handle_set")?;
                root.word = word;
            }
            Op::FreeHandle { which } if !self.roots.handles.is_empty() => {
                let root = self.roots.handles.swap_remove(which as usize % self.roots.handles.len());
                // SAFETY: as above.
                done(unsafe { barrow_handle_free(self.m, root.handle) }, "handle_free")?;
            }
            Op::NewStable { object: any } if self.roots.stables.len() < 24 => {
                let (word, at) = object(self, any);
                // SAFETY: as above.
                let number = unsafe { barrow_stable_new(self.m, at) };
                if number == 0 {
                    return Err(format!("stable_new: {}", last_error()));
                }
                self.roots.stables.push(StableRoot { number, word });
            }
            Op::FreeStable { which } if !self.roots.stables.is_empty() => {
                let root = self.roots.stables.swap_remove(which as usize % self.roots.stables.len());
                // SAFETY: as above.
                done(unsafe { barrow_stable_free(self.m, root.number) }, "stable_free")?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets a root hold a node, or null.
    pub fn set_root(&mut self, node: Option<u32>, random: &mut Random) {
        let chosen = random.below(self.roots.slot_count());
        let tag = random.next() as u32;
        let word = node.map_or(Word::NULL, |node| Word::Ref { node, tag });
        let mut index = 0;
        let at = node.map_or(0, |node| self.graph.node(node).at);
        let rule = self.settings.rule;
        self.roots.each_slot(|slot, model, role| {
            if index == chosen {
                *model = word;
                let bits = match (node, role) {
                    (None, _) => 0,
                    (_, Role::Tagged) => rule.word(at, tag),
                    _ => at | (tag as usize & 7),
                };
                // SAFETY: roots of the model are writable.
                unsafe { slot.write(bits) };
            }
            index += 1;
        });
    }

    /// Clears one root in `share`.
    fn clear_roots(&mut self, share: usize, random: &mut Random) {
        self.roots.each_slot(|slot, model, _| {
            if random.one_in(share) {
                *model = Word::NULL;
                // SAFETY: as above.
                unsafe { slot.write(0) };
            }
        });
    }

    pub fn collect(&mut self, major: bool) -> Step {
        // SAFETY: the mutator is live and ours.
        let told = done(unsafe { barrow_collect(self.m, major) }, "collect");
        self.settle().and(told)
    }

    fn collect_with(&mut self, major: bool, random: &mut Random) -> Step {
        let mut extra = Range::new([0; MOST_ROOTS], MOST_ROOTS, false);
        for index in 0..MOST_ROOTS {
            let word = self.any_word(random, Role::Pointer);
            extra.words[index] = word;
            extra.memory[index] = self.word(word, Role::Pointer, 0);
        }
        let client = (&raw mut *extra.memory).cast();
        self.roots.extra = Some(extra);
        // SAFETY: the mutator is ours, and the roots stay where they are.
        let status = unsafe { barrow_collect_with(self.m, major, Some(get_extra_roots), client) };
        let outcome = self.settle();
        self.roots.extra = None;
        outcome.and(done(status, "collect_with"))
    }

    fn check(&mut self) -> Step {
        // SAFETY: the mutator is live and ours.
        let told = done(unsafe { barrow_check(self.m) }, "check");
        self.settle().and(told)
    }

    fn external(&mut self, bytes: i64) -> Step {
        let delta = if bytes % 3 == 0 { -self.external.min(bytes) } else { bytes };
        self.external += delta;
        // SAFETY: the mutator is live and ours.
        done(unsafe { barrow_external_bytes(self.m, delta) }, "external_bytes")
    }

    /// Calls that must change nothing, and blocks of the client's own.
    fn look(&mut self) -> Step {
        // SAFETY: the heap and the mutator are live and ours; the group is ours until it is freed.
        unsafe {
            let calls = self.roots.callback.calls;
            done(barrow_audit(self.heap), "audit")?;
            if calls != self.roots.callback.calls {
                return Err("audit asked for roots".to_string());
            }
            done(barrow_enter_foreign(self.m), "enter_foreign")?;
            done(barrow_leave_foreign(self.m), "leave_foreign")?;
            let mut state = std::mem::zeroed::<crate::ffi::state::HeapState>();
            state.size = size_of_val(&state) as u32;
            done(crate::ffi::state::barrow_heap_state(self.heap, &mut state), "heap_state")?;
            if self.group.is_null() {
                done(barrow_alloc_group(self.heap, 3, &mut self.group), "alloc_group")
            } else {
                let group = std::mem::replace(&mut self.group, std::ptr::null_mut());
                done(barrow_free_group(self.heap, group), "free_group")
            }
        }
    }

    /// The mutator goes, with its frames, and another one comes.
    fn detach(&mut self) -> Step {
        let top = self.roots.pop_frames(usize::MAX);
        self.attach_llvm(false)?;
        // SAFETY: the mutator is ours and not used again once it is gone.
        unsafe {
            (*self.m).window.frames = top;
            let told = done(barrow_detach(self.m), "detach");
            if told.is_err() {
                return self.settle().and(told);
            }
            self.m = std::ptr::null_mut();
            done(barrow_attach(self.heap, &mut self.m), "attach")?;
        }
        self.settle()
    }
}
