//! Runs a program on a heap and on the model at once, and compares them after every collection.

use super::coverage::{Coverage, Phase};
use super::graph::{Graph, Word};
use super::kinds::{Role, moves};
use super::lives::Lives;
use super::neighbour::Neighbour;
use super::random::Random;
use super::roots::{MOST_ROOTS, Range, Roots, get_extra_roots, get_roots};
use super::settings::Settings;
use crate::base::Addr;
use crate::block::descriptor::flag;
use crate::block::{Block, Descriptor};
use crate::ffi::block::{barrow_alloc_group, barrow_audit, barrow_free_group};
use crate::ffi::collect::*;
use crate::ffi::config::*;
use crate::ffi::debug::barrow_check;
use crate::ffi::heap::*;
use crate::heap::Mutator;
use crate::heap::space::generation::Code;
use crate::host::Host;
use std::ffi::CString;

pub(super) use super::outcome::{Step, done, last_error};

pub(super) struct Machine<'a> {
    pub heap: *mut Host,
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
    /// The parts given to finalizers that run now: slots of frames, and their words in the model.
    pub parts: Vec<(*const usize, Word)>,
    /// The last identity that a weak pointer was given.
    pub last_id: usize,
    pub(super) running_finalizers: super::finalizers::Runs,
    /// Nodes of weak arrays that were matched but for their elements.
    pub weak_arrays: Vec<u32>,
    /// Results of selectors in the heap, by address; for one comparison.
    pub heap_ends: super::memo::Memo<usize>,
    /// Whether a full collection has just run.
    pub exact: bool,
    /// Whether that collection also left no old object as it was: then everything is replaced that collections replace.
    pub cleared: bool,
    pub found_roots: Vec<(usize, Word, Role)>,
    /// Words of the object that is being made.
    pub new_words: Vec<Word>,
    /// Memory outside the heap that fields point to.
    pub foreign: Box<[usize; 64]>,
    /// Another heap, whose addresses are in plain words.
    pub(super) neighbour: Option<Neighbour>,
    collections: u64,
    majors: u64,
    left: u64,
    external: i64,
    group: *mut Descriptor,
    /// Requests inside the library that still succeed, when some are to fail, and how many were made before.
    pub failing: Option<(u64, u64)>,
    /// Whether side tables are on.
    pub sides: bool,
    /// The last number that was put into a side table.
    pub stamps: u32,
    /// The biography, while one is taken.
    pub lives: Option<Lives>,
    /// Whether any call was refused.
    pub refused: bool,
    /// The node of the stack that the mutator runs on.
    pub running: Option<u32>,
    /// Nodes of empty chunks that may be used again before the next collection.
    pub spares: Vec<u32>,
    /// The number of collections that had begun when `settle` looked last.
    begun: u64,
    /// Nodes that were changed before a collection, and not marked anew beside the heap.
    pub paused: Vec<u32>,
    /// Nodes of statics that something reaches.
    pub statics: [Option<u32>; super::drafts::STATIC_COUNT],
    /// Whether each CAF was entered, as far as is known.
    pub entered_cafs: [bool; super::drafts::STATIC_COUNT],
}

impl<'a> Machine<'a> {
    pub(super) fn new(settings: Settings, coverage: &'a mut Coverage) -> Result<Machine<'a>, String> {
        let mut roots = Roots::new();
        let flags = CString::new(settings.flags.as_str()).map_err(|_| "flags with NUL".to_string())?;
        let rule = settings.rule;
        let config = Config {
            size: size_of::<Config>() as u32,
            abi_major: 0,
            geometry: Geometry::OURS,
            flags: flags.as_ptr(),
            tagged_pointers: rule.pointers,
            object_alignment: rule.alignment as u16,
            environment: 0,
            address_mask: rule.mask,
            address_offset: rule.offset,
            roots: Some(get_roots),
            overflow: None,
            finalizers_ready: None,
            fatal: None,
            event: None,
            client: roots.client(),
            retainers: std::ptr::null(),
        };
        let (mut heap, mut m) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the configuration is whole, and the roots of its callback live as long as the machine.
        done(unsafe { barrow_heap_new(&config, &mut heap, &mut m) }, "heap_new")?;
        let mut machine = Machine {
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
            parts: Vec::new(),
            last_id: 0,
            running_finalizers: super::finalizers::Runs::default(),
            weak_arrays: Vec::new(),
            heap_ends: super::memo::Memo::default(),
            exact: false,
            cleared: false,
            found_roots: Vec::new(),
            new_words: Vec::new(),
            foreign: Box::new([0; 64]),
            neighbour: None,
            collections: 0,
            majors: 0,
            left: 0,
            external: 0,
            group: std::ptr::null_mut(),
            failing: None,
            sides: false,
            stamps: 0,
            lives: None,
            refused: false,
            running: None,
            spares: Vec::new(),
            begun: 0,
            paused: Vec::new(),
            statics: [None; super::drafts::STATIC_COUNT],
            entered_cafs: [false; super::drafts::STATIC_COUNT],
        };
        if machine.settings.statics
            && let Err(wrong) = machine.add_statics()
        {
            // The statics would stay this heap's.
            crate::base::fault::stop();
            // SAFETY: the heap is live, and nobody else knows it.
            done(unsafe { barrow_heap_free(heap) }, "heap_free")?;
            return Err(wrong);
        }
        if machine.settings.sides {
            machine.turn_sides_on();
        }
        machine.let_callback_misbehave();
        Ok(machine)
    }

    pub(super) fn runtime(&self) -> &Host {
        // SAFETY: the heap lives as long as the machine, and no call into it is running.
        unsafe { &*self.heap }
    }

    pub(super) fn rounded(&self, words: usize) -> usize {
        words.next_multiple_of(self.settings.rule.alignment / 8)
    }

    /// The word that refers to an address from a place of this role.
    pub(super) fn encode(&self, at: usize, tag: u32, role: Role) -> usize {
        match role {
            Role::Tagged | Role::WeakTagged => self.settings.rule.word(at, tag),
            _ => at | (tag as usize & 7),
        }
    }

    /// The word that the heap should hold for one of the model, in an object at `owner`.
    pub(super) fn word(&self, word: Word, role: Role, owner: usize) -> usize {
        match word {
            Word::Raw(bits) => bits,
            Word::Own => owner,
            Word::Ref { node, tag } => self.encode(self.graph.node(node).at, tag, role),
        }
    }

    /// Any word that a place of this role may hold.
    pub(super) fn any_word(&self, random: &mut Random, role: Role) -> Word {
        let tag = random.bits() as u32;
        let reference = |random: &mut Random| match self.graph.pick(random.below(1 << 20)) {
            Some(node) => Word::Ref { node, tag },
            None => Word::NULL,
        };
        let foreign = |random: &mut Random| &raw const self.foreign[random.below(64)] as usize;
        let bait = |random: &mut Random| match self.graph.pick(random.below(1 << 20)) {
            Some(_) if self.neighbour.is_some() && random.one_in(4) => {
                self.neighbour.as_ref().map_or(0, |other| other.any(random))
            }
            Some(node) => self.graph.node(node).at + random.below(16),
            None => random.bits() as usize,
        };
        match (role, random.below(16)) {
            (Role::Weak, _) => self.unless_kept(self.any_word(random, Role::Pointer)),
            (Role::WeakTagged, _) => self.unless_kept(self.any_word(random, Role::Tagged)),
            (Role::Link, _) => Word::NULL,
            (Role::Lazy, _) => self.any_lazy(random),
            (Role::Function, _) => self.any_function(random),
            (Role::WideFunction, _) => self.any_wide_function(random),
            (Role::Stack, _) => self.any_stack(random),
            (Role::Pointer, 0) => Word::NULL,
            (Role::Pointer, 1) => Word::Raw(foreign(random) | (tag as usize & 7)),
            (Role::Pointer, 2) => Word::Raw(tag as usize & 7),
            (Role::Tagged, 0) => Word::NULL,
            (Role::Tagged, 1) => Word::Raw(self.settings.rule.word(foreign(random) & !15, tag)),
            (Role::Tagged, 2) => Word::Raw(self.settings.rule.plain(random.bits() as usize)),
            // A word that would be a reference if its tag did not say otherwise.
            (Role::Tagged, 3) => Word::Raw(self.settings.rule.plain(bait(random))),
            (Role::Pointer | Role::Tagged, _) => reference(random),
            (_, 0..=3) => Word::Raw(bait(random)),
            _ => Word::Raw(random.bits() as usize),
        }
    }

    /// The phase of life of the object at an address.
    pub(super) fn phase(&self, at: usize) -> Phase {
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

    /// Tells the callback whom to call, when it is to.
    fn let_callback_misbehave(&mut self) {
        if self.settings.misbehaves {
            (self.roots.callback.heap, self.roots.callback.mutator) = (self.heap, self.m);
        }
    }

    /// Compares when a collection has run since the last time. Everything that may collect is followed by this call.
    pub(super) fn settle(&mut self) -> Step {
        if self.roots.callback.accepted != 0 {
            return Err(format!("a callback's call {} was not refused", self.roots.callback.accepted - 1));
        }
        let (collections, begun) = (self.runtime().stats.collections, self.runtime().stats.begun);
        if begun == self.begun {
            return Ok(());
        }
        self.begun = begun;
        if collections == self.collections {
            // The collection had no memory, but the stack was made ready.
            self.pause_stack();
            self.stamp_paused();
            return Ok(());
        }
        let majors = self.runtime().stats.major_collections;
        let exact = collections == self.collections + 1 && majors > self.majors;
        let left = self.runtime().stats.left;
        self.cleared = exact && left == self.left;
        (self.collections, self.majors, self.left) = (collections, majors, left);
        self.spares.clear();
        self.pause_stack();
        self.compare_after(exact)
    }

    pub(super) fn collect(&mut self, major: bool) -> Step {
        // SAFETY: the mutator is live and ours.
        let told = done(unsafe { barrow_collect(self.m, major) }, "collect");
        self.settle().and(told)
    }

    pub(super) fn collect_with(&mut self, major: bool, random: &mut Random) -> Step {
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

    pub(super) fn check(&mut self) -> Step {
        // SAFETY: the mutator is live and ours.
        let told = done(unsafe { barrow_check(self.m) }, "check");
        self.settle().and(told)
    }

    pub(super) fn external(&mut self, bytes: i64) -> Step {
        let delta = if bytes % 3 == 0 { -self.external.min(bytes) } else { bytes };
        self.external += delta;
        // SAFETY: the mutator is live and ours.
        done(unsafe { barrow_external_bytes(self.m, delta) }, "external_bytes")
    }

    /// Makes calls that must change nothing, and takes blocks for the client or gives them back.
    pub(super) fn look(&mut self) -> Step {
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
    pub(super) fn detach(&mut self) -> Step {
        self.enter(None)?;
        self.return_from_compiled(usize::MAX);
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
        self.let_callback_misbehave();
        self.settle()
    }
}
