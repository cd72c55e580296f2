//! The reports of a heap at its end: the outcome of its profiles, and its figures.
//!
//! A file name that cannot be written is refused when the heap is made [report.early]. A later failure, such
//! as a full disk, ends its report with one message; the program goes on.

use crate::base::Outcome;
use crate::base::flag::{Destination, Flags};
use crate::base::size::*;
use crate::host::Host;
use crate::report::{self, GenerationTimes, Marked, Pauses, Spell, Stops, Summary};
use crate::runtime::Runtime;
use crate::runtime::reports::{Failures, Reports, now, since};
use std::io::Write;

impl Host {
    /// Writes the reports that the flags ask for at the end of the heap. `profiled` has the outcomes of
    /// the heap profile and of `--space`.
    pub fn tell_the_end(&mut self, profiled: [Outcome<()>; 2]) -> Outcome<()> {
        let mut failures = Failures::default();
        profiled.into_iter().for_each(|outcome| failures.tell(outcome));
        failures.tell(self.check_barriers());
        failures.tell(self.finish_costs());
        failures.tell(self.finish_ticky());
        failures.tell(self.finish_samples());
        if let Some(failure) = self.timeline.finish() {
            failures.count(failure);
        }
        self.tell_the_figures(&mut failures);
        failures.outcome()
    }

    fn tell_the_figures(&mut self, failures: &mut Failures) {
        let Flags { summary, each_collection, one_line, .. } = &self.flags;
        if ![summary, each_collection, one_line].iter().any(|destination| destination.is_wanted()) {
            return;
        }
        let summary = self.summary();
        let Runtime { flags, reports, .. } = &mut self.runtime;
        let write_summary = |mut out: &mut dyn Write| {
            if flags.machine_readable {
                report::machine::write(&mut out, &summary)
            } else {
                report::summary::write(&mut out, &summary)
            }
        };
        let last = summary.allocated_bytes - reports.allocated_before;
        // The figures are not written twice to the same screen.
        let twice = [&flags.summary, &flags.each_collection]
            .iter()
            .all(|destination| matches!(destination, Destination::StandardError));
        reports.stream(&mut |mut out| {
            report::collection::write_tail(&mut out, last)?;
            if twice { Ok(()) } else { write_summary(out) }
        });
        if let Some(failure) = reports.failure.take() {
            failures.count(failure);
        }
        let Reports { summary: end, one_line, .. } = reports;
        failures.tell(end.tell(flags, &mut |out| write_summary(out)));
        failures.tell(one_line.tell(flags, &mut |mut out| {
            if flags.machine_readable {
                report::machine::write(&mut out, &summary)
            } else {
                report::one_line::write(&mut out, &summary)
            }
        }));
    }

    fn summary(&mut self) -> Summary {
        let figures = self.figures();
        let ended = now(self.clock_here());
        let (born, began) = (self.born(), self.reports.began);
        let gc = Spell { cpu: figures.gc_cpu_ns, wall: figures.gc_wall_ns };
        let profile = Spell { cpu: self.stats.profile_cpu.0, wall: self.stats.profile_wall.0 };
        let retainers = Spell { cpu: self.stats.retainer_cpu.0, wall: self.stats.retainer_wall.0 };
        let mut generations = [GenerationTimes::default(); MAX_GENERATIONS];
        for (to, from) in generations.iter_mut().zip(&self.stats.by_generation) {
            let time = Spell { cpu: from.cpu.0, wall: from.wall.0 };
            *to = GenerationTimes {
                collections: from.collections,
                parallel: from.parallel,
                time,
                longest_ns: from.longest.0,
            };
        }
        let memory = self.memory_parts();
        let blocks = &self.store.blocks;
        Summary {
            allocated_bytes: figures.allocated_bytes,
            copied_bytes: figures.copied_bytes,
            max_live_bytes: figures.max_live_bytes,
            cumulative_live_bytes: self.stats.sum_live_words_at_majors * WORD_BYTES as u64,
            major_collections: figures.major_collections,
            max_slop_bytes: self.reports.max_slop_bytes,
            max_large_bytes: self.reports.max_large_bytes,
            compactions: figures.compactions,
            max_held_bytes: figures.peak_resident_bytes,
            fragmentation_bytes: (blocks.free_blocks() * BLOCK_BYTES) as u64,
            generation_count: self.store.generation_count,
            generations,
            init: since(born, began),
            mutator: since(since(since(ended, born), gc), profile),
            gc,
            retainers: (self.profilers.heap.started > 0).then_some(retainers),
            profile: (self.profilers.heap.started > 0).then_some(since(profile, retainers)),
            exit: since(now(self.clock_here()), ended),
            pauses: Pauses { buckets: self.stats.pauses, longest_ns: self.stats.longest_pause.0 },
            marked: Marked {
                collections: generations.iter().map(|generation| generation.parallel).sum(),
                threads: self.store.workers.most_called as u64,
            },
            stops: Stops {
                count: self.stats.stops,
                waited_ns: self.stats.stop_wall.0,
                longest_ns: self.stats.longest_stop.0,
            },
            memory,
        }
    }
}
