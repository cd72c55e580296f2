//! Biographies of the objects of random programs: taken by the library, and in the references' way beside it.
//!
//! After each operation some objects are used. The references' algorithm keeps its data of an object in the model's
//! node, which dies with the object.

use super::biography::{Naive, PHASES, PROFILES, Shown, shown};
use super::graph::Node;
use super::kinds::shapes;
use super::machine::{Machine, Step};
use super::random::Random;
use super::twin;
use crate::base::{Failure, List, Text};
use crate::identity::info;
use crate::identity::names::names;
use crate::os::file::Name;
use crate::profile::biography::{Column, Heading, Running};
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::restrict::Restrictions;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) struct Lives {
    naive: Naive,
    /// The path of the journal, or the beginning of the names of a profile's files.
    path: PathBuf,
    /// The era of the library when the model was last told of a census.
    era: u32,
}

/// Makes the names of journals of one process differ.
static SERIAL: AtomicUsize = AtomicUsize::new(0);

fn told(failure: Failure) -> String {
    format!("{failure:?}")
}

impl Machine<'_> {
    /// Begins a biography. Objects that are there already have an unknown past.
    pub(super) fn begin_lives(&mut self) -> Step {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("barrow-lives-{}-{serial}", std::process::id()));
        let outcome = match self.settings.lives_in_profile {
            true => self.profile_lives(&path.to_string_lossy()),
            false => self.open_lives(&path.to_string_lossy()),
        };
        self.settle()?;
        if self.runtime().profilers.lives.running.is_none() {
            self.stop_profile(&path);
            return outcome.and(Err("no biography began, and nobody said why".into()));
        }
        self.lives = Some(Lives { naive: Naive::new(), path, era: 1 });
        for number in self.graph.known.clone() {
            self.live(number, true);
        }
        outcome
    }

    /// Begins one by the flags of a heap profile, which notes producers too. Censuses come when the program
    /// asks for them.
    fn profile_lives(&mut self, stem: &str) -> Step {
        // SAFETY: the heap and the mutator are live, and no call into the heap is running.
        let runtime = unsafe { &mut *self.heap };
        runtime.flags.cost.stem = Text::of(stem).map_err(told)?;
        runtime.start_profile_with("-hb -hc -i0 -xt").map_err(told)
    }

    /// Ends the profile, if there is one, and removes its files and the journal. Gives the sums of phases
    /// that the profile has shown.
    fn stop_profile(&mut self, stem: &Path) -> Option<Vec<[u64; 6]>> {
        // SAFETY: the heap is live, and no call into it is running.
        let runtime = unsafe { &mut *self.heap };
        // A profile whose files fail shows nothing.
        let is_whole = runtime.profilers.heap.profile.is_some() && runtime.stop_profile().is_ok();
        for ending in ["", ".hb.hp", ".hc.hp", ".biography"] {
            let _ = std::fs::remove_file(format!("{}{ending}", stem.display()));
        }
        let shown =
            runtime.profilers.shown_lives(&mut runtime.runtime, 'b', true).ok().filter(|_| is_whole)?;
        let names = names();
        let sums = shown.samples.iter().map(|sample| {
            let bands = shown.bands_of(sample);
            let find = |phase: &str| bands.iter().find(|band| names.text(band.0) == phase.as_bytes());
            PHASES.map(|phase| find(phase).map_or(0, |band| band.1))
        });
        Some(sums.collect())
    }

    fn open_lives(&mut self, path: &str) -> Step {
        let mut columns = List::new();
        for phases in PROFILES {
            let column = Column::new(b"p.hp", b"p", phases, Some(BreakDown::Info));
            columns.push(column.map_err(told)?).map_err(told)?;
        }
        let heading = Heading { date: b"now", sample_unit: b"seconds", value_unit: b"bytes" };
        let name = Name::new(path.as_bytes()).map_err(told)?;
        // SAFETY: the heap and the mutator are live, and no call into the heap is running.
        let heap = unsafe { &mut *self.heap };
        let mark = heap.busy.mark();
        let running =
            Running::open(name, &heading, columns, Restrictions::default(), true, mark).map_err(told)?;
        heap.begin_biography(self.m, running).map_err(told)
    }

    /// Begins the biography of an object.
    pub(super) fn live(&mut self, number: u32, before: bool) {
        let Some(lives) = &mut self.lives else { return };
        let alignment = self.settings.rule.alignment / 8;
        let node = self.graph.node_mut(number);
        // Weak pointers are the library's own, and have no phases.
        if node.static_number.is_some() || node.shape().is_weak() {
            return;
        }
        let words = node.shape().object_words(node.length()).next_multiple_of(alignment);
        let life = lives.naive.create(words as u64 * 8, node.shape().info.is_inherently_used(), before);
        if let Some(old) = node.life.replace(life) {
            lives.naive.dead(&old);
        }
    }

    pub(super) fn died(&mut self, node: Node) {
        if let (Some(lives), Some(life)) = (&mut self.lives, node.life) {
            lives.naive.dead(&life);
        }
    }

    /// Uses some objects, some of them twice.
    pub(super) fn use_some(&mut self, seed: u64) {
        if !self.lives_are_kept() || self.m.is_null() {
            return;
        }
        let mut random = Random::new(seed);
        let count = if random.one_in(3) { 1 + random.below(6) } else { 0 };
        for _ in 0..count {
            let Some(number) = self.graph.pick(random.below(1 << 20)) else { return };
            let node = self.graph.node_mut(number);
            for _ in 0..1 + random.below(2) {
                // SAFETY: the mutator is live and ours, and the object lives.
                unsafe { twin::use_object(self.m, node.at as *const c_void) };
            }
            let inherent = node.shape().info.is_inherently_used();
            if let (Some(lives), Some(life)) = (&mut self.lives, &mut node.life)
                && !inherent
            {
                lives.naive.used(life);
            }
        }
        // SAFETY: as above. Statics, null and what is elsewhere are left alone.
        unsafe {
            twin::use_object(self.m, (&raw const SERIAL).cast());
            twin::use_object(self.m, std::ptr::null());
        }
    }

    /// Whether the biography goes on: it has ended when memory for it was refused.
    pub(super) fn lives_are_kept(&mut self) -> bool {
        if self.lives.is_some() && self.runtime().profilers.lives.running.is_none() {
            self.drop_lives();
        }
        self.lives.is_some()
    }

    pub(super) fn drop_lives(&mut self) {
        if let Some(lives) = self.lives.take() {
            // SAFETY: the heap is live, and no call into it is running.
            let heap = unsafe { &mut *self.heap };
            let _ = heap.profilers.lives.finish(&mut heap.runtime, 0.0);
            self.stop_profile(&lives.path);
        }
    }

    /// Counts living objects in the references' way, if a census was taken.
    pub(super) fn count_lives(&mut self) {
        if !self.lives_are_kept() {
            return;
        }
        let era = self.runtime().profilers.lives.running.as_ref().map_or(0, |running| running.era());
        let Some(lives) = &mut self.lives else { return };
        if era == lives.era {
            return;
        }
        lives.era = era;
        let graph = &mut self.graph;
        for number in graph.known.clone() {
            let node = graph.node_mut(number);
            let shape = node.shape as u32;
            if let Some(life) = &mut node.life {
                lives.naive.count(life, shape);
            }
        }
        lives.naive.next_era();
        self.coverage.censuses_of_lives += 1;
    }

    /// Ends the biography, and compares every phase of every kind of object at every census.
    pub(super) fn end_lives(&mut self) -> Step {
        if !self.lives_are_kept() {
            return Ok(());
        }
        if self.settings.lives_in_profile {
            let Some(lives) = self.lives.take() else { return Ok(()) };
            let found = self.stop_profile(&lives.path);
            let expected = self.expected_lives(&lives.naive);
            return found.map_or(Ok(()), |sums| same_sums(&sums, &expected, false));
        }
        // SAFETY: the heap is live, and no call into it is running.
        let heap = unsafe { &mut *self.heap };
        let ended = heap.profilers.lives.finish(&mut heap.runtime, 1e6);
        let Some(running) = ended else {
            self.drop_lives();
            return Ok(());
        };
        let journal = running.read().map_err(told)?;
        running.remove();
        let Some(lives) = self.lives.take() else { return Ok(()) };
        if lives.path.exists() {
            return Err("the journal was not removed".into());
        }
        let (found, sums, finished) = shown(&journal)?;
        if !finished.ended {
            return Err("the journal has no end".into());
        }
        same(&found, &sums, &self.expected_lives(&lives.naive), false)
    }

    fn expected_lives(&self, naive: &Naive) -> Shown {
        let lived = self.graph.known.iter().filter_map(|&number| self.graph.node(number).life.as_ref());
        naive.shown(lived, |shape| {
            let info = info::get(shapes()[shape as usize].info.number());
            String::from_utf8_lossy(names().text(info.whole)).into_owned()
        })
    }
}

/// Whether samples are those that the references' algorithm gives. `all_told`: there are no objects but those of the
/// model; the library's own are inherently used.
pub(super) fn same(found: &Shown, sums: &[[u64; 6]], expected: &Shown, all_told: bool) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} censuses, not {}", found.len(), expected.len()));
    }
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let census = at + 1;
        for kind in found.keys().chain(expected.keys()) {
            let found = found.get(kind).copied().unwrap_or_default();
            let expected = expected.get(kind).copied().unwrap_or_default();
            // The profiles of one phase know nothing of the last two.
            if found[..4] != expected[..4] {
                return Err(format!(
                    "census {census}, {kind}: lag, use, drag, void are {:?}, not {:?}",
                    &found[..4],
                    &expected[..4]
                ));
            }
        }
    }
    same_sums(sums, expected, all_told)
}

/// Compares the sums of all kinds, which `-hb` shows, in the same way.
fn same_sums(sums: &[[u64; 6]], expected: &Shown, all_told: bool) -> Result<(), String> {
    if sums.len() != expected.len() {
        return Err(format!("{} censuses, not {}", sums.len(), expected.len()));
    }
    for (at, expected) in expected.iter().enumerate() {
        let census = at + 1;
        let mut wanted = [0; 6];
        for phases in expected.values() {
            (0..6).for_each(|phase| wanted[phase] += phases[phase]);
        }
        if !all_told {
            wanted[4] = wanted[4].max(sums[at][4]);
        }
        if sums[at] != wanted {
            return Err(format!("census {census}: -hb shows {:?}, not {wanted:?}", sums[at]));
        }
    }
    Ok(())
}
