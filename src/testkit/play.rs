//! Plays a program: one operation after the other, and the consequences when one is refused for want of
//! memory.

use super::coverage::{Coverage, Event};
use super::kinds::{play_here, take_bad_move};
use super::machine::{Machine, Step, done};
use super::neighbour::Neighbour;
use super::program::{Op, Program};
use super::random::Random;
use crate::base::fault;
use crate::ffi::block::barrow_audit;
use crate::ffi::collect::barrow_safepoint;
use crate::ffi::heap::{barrow_attach, barrow_heap_free};

/// Nodes above which some roots are cleared.
const MANY_NODES: usize = 600;
/// Words in the graph above which some roots are cleared.
const MANY_WORDS: usize = 400_000;

/// Runs a whole program on a heap of its own. The error says what is wrong and after which operation.
pub fn run(program: &Program, coverage: &mut Coverage) -> Step {
    let _ = take_bad_move();
    play_here();
    let settings = program.settings();
    let tight = settings.tight;
    settings.bound();
    let mut machine = match Machine::new(settings, coverage) {
        Ok(machine) => machine,
        // Many generations do not fit into the lowest limits at all.
        Err(wrong) if tight && is_refusal(&wrong) => return Ok(()),
        Err(wrong) => return Err(wrong),
    };
    let outcome = machine.play(program);
    machine.drop_lives();
    // Roots of the model are read by the heap until it is gone.
    // SAFETY: the heap is live and nothing of it is used afterwards.
    let freed = unsafe { barrow_heap_free(machine.heap) };
    let statics = machine.settings.statics;
    let gone = machine.neighbour.take().map_or(Ok(()), Neighbour::end);
    outcome
        .and(gone)
        .and_then(|()| done(freed, "heap_free"))
        .and_then(|()| if statics { super::statics::left_as_they_were() } else { Ok(()) })
}

/// As `run`, with every request for memory inside the library, and every call to the system for it, refused from the
/// `after`-th on, until the first call fails for it, or with this one alone refused: a call that failed must have
/// changed nothing, and everything goes on afterwards. True when any was refused.
pub fn run_failing(
    program: &Program,
    coverage: &mut Coverage,
    after: u64,
    once: bool,
) -> Result<bool, String> {
    let _ = take_bad_move();
    play_here();
    let before = fault::asked();
    if once {
        fault::fail_once_after(after);
    } else {
        fault::fail_after(after);
    }
    let settings = program.settings();
    settings.bound();
    let machine = Machine::new(settings, coverage);
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
    machine.drop_lives();
    let refused = machine.refused;
    // SAFETY: the heap is live and nothing of it is used afterwards.
    let freed = unsafe { barrow_heap_free(machine.heap) };
    outcome.and_then(|()| done(freed, "heap_free")).map(|()| refused)
}

/// Whether an error says that there was no memory, in a sentence.
fn is_refusal(wrong: &str) -> bool {
    let told = ["BARROW_E_NOMEM: ", "BARROW_E_LIMIT: ", "heap overflow: ", "no memory", "no address space"];
    told.iter().any(|text| wrong.contains(text) && !wrong.ends_with(text))
}

impl Machine<'_> {
    fn play(&mut self, program: &Program) -> Step {
        // Refusals are for the first heap.
        if self.settings.neighbour && self.failing.is_none() {
            self.neighbour = Some(Neighbour::new(&self.settings)?);
        }
        for (number, raw) in program.ops.iter().enumerate() {
            let op = Op::decode(raw);
            if self.settings.lives_from == Some(number) {
                let begun = self.begin_lives().or_else(|wrong| self.after_refusal(wrong));
                begun.map_err(|wrong| format!("beginning of a biography at step {number}: {wrong}"))?;
            }
            self.use_some(number as u64);
            if self.lives.is_some() && number % 23 == 22 && !self.m.is_null() {
                self.census()
                    .or_else(|wrong| self.after_refusal(wrong))
                    .map_err(|wrong| format!("census at {number}: {wrong}"))?;
            }
            if number % 11 == 10 {
                self.let_neighbour_work(number as u64)
                    .map_err(|wrong| format!("the other heap at {number}: {wrong}"))?;
            }
            let ran = self.run_compiled(number).or_else(|wrong| self.after_refusal(wrong));
            ran.map_err(|wrong| format!("compiled code before step {number}: {wrong}"))?;
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

    fn let_neighbour_work(&mut self, seed: u64) -> Step {
        let Some(neighbour) = &mut self.neighbour else { return Ok(()) };
        self.coverage.event(Event::NeighbourCollected);
        neighbour.turn(seed)?;
        neighbour.is_apart_from(self.heap)
    }

    /// A call has failed. When that was for want of memory as asked for, everything must be as it was.
    fn after_refusal(&mut self, wrong: String) -> Step {
        if !is_refusal(&wrong) {
            return Err(wrong);
        }
        let hit = |(after, before): (u64, u64)| fault::asked() - before > after;
        if !self.failing.is_some_and(hit) {
            return if self.settings.tight { self.at_the_limit() } else { Err(wrong) };
        }
        self.failing = None;
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
            machine.check().or_else(|wrong| machine.unless_tight(wrong))
        };
        sane(self).map_err(|then| format!("after the refusal \"{wrong}\": {then}"))
    }

    /// A heap at its limit may have no room for the major collection that a check begins with.
    fn unless_tight(&self, wrong: String) -> Step {
        if self.settings.tight && is_refusal(&wrong) { Ok(()) } else { Err(wrong) }
    }

    /// The heap's own limit was met: nothing may have changed. Even a check may find no room.
    fn at_the_limit(&mut self) -> Step {
        if self.m.is_null() {
            self.clear_roots(1, &mut Random::new(0));
            // SAFETY: the heap is live.
            done(unsafe { barrow_attach(self.heap, &mut self.m) }, "attach")?;
        }
        self.settle()?;
        self.compare()?;
        // SAFETY: the heap is live.
        done(unsafe { barrow_audit(self.heap) }, "audit")?;
        let told = self.check();
        self.clear_roots(3, &mut Random::new(self.seen as u64));
        told.or_else(|wrong| self.unless_tight(wrong))
    }

    /// A minor collection, a major one and a check; three collections at least in every program.
    fn finish(&mut self) -> Step {
        for major in [false, false, true] {
            self.collect(major).or_else(|wrong| self.after_refusal(wrong))?;
        }
        self.census().or_else(|wrong| self.after_refusal(wrong))?;
        // The last census does not know of these yet.
        (0..4).for_each(|seed| self.use_some(seed));
        self.end_lives().map_err(|wrong| format!("biography: {wrong}"))?;
        self.check().or_else(|wrong| self.after_refusal(wrong))?;
        // SAFETY: the heap is live.
        done(unsafe { barrow_audit(self.heap) }, "audit")
    }

    fn step(&mut self, op: Op) -> Step {
        match op {
            Op::Make { kind, way, size, seed } => {
                let shape = kind as usize % super::kinds::MADE;
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
            Op::Evaluate { object, how, seed } => self.evaluate(object, how, &mut Random::new(seed as u64)),
            Op::Check => self.check(),
            Op::Census => self.census(),
            Op::External { bytes } => self.external(bytes as i64),
            Op::Look => self.look(),
            Op::Number { object } => self.number_some(object as usize),
            Op::Stack { how, seed } => self.change_stack(how, &mut Random::new(seed as u64)),
            Op::Static { which, seed } => self.change_statics(which, &mut Random::new(seed as u64)),
            Op::Name { object } => self.name_one(object as usize),
            Op::Detach => self.detach(),
            Op::NewWeak { .. } | Op::DropWeak { .. } | Op::FinalizeWeak { .. } | Op::RunFinalizers { .. } => {
                self.change_weaks(op)
            }
            other => self.change_roots(other),
        }?;
        let words = || self.graph.known.iter().map(|&n| self.graph.node(n).words.len()).sum::<usize>();
        if self.graph.known.len() > MANY_NODES || words() > MANY_WORDS {
            self.clear_roots(2, &mut Random::new(self.seen as u64));
            self.collect(true)?;
        }
        Ok(())
    }
}
