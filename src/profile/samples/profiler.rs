//! The profiler of samples: it listens at the slow path, and before collections, when what was met is whole.

use super::sampler::Sampler;
use crate::base::flag::Flags;
use crate::base::list::try_box;
use crate::base::{Addr, Failure, List, Outcome, Sentence, Status};
use crate::gc::Plan;
use crate::heap::Mutator;
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::os::output::say;
use crate::profile::cost::files::file_of_program;
use crate::profile::profiler::{Collected, Profiler};
use crate::runtime::Runtime;

pub struct Samples {
    pub running: Option<Box<Sampler>>,
    /// The file of `--samples`.
    pub target: Option<Target>,
    /// The status of the failure that has ended the samples.
    ended: Option<Status>,
}

/// The file of `--samples`, which is refused here when it cannot be written [report.early].
fn target(flags: &Flags, files: &Holder) -> Outcome<Option<Target>> {
    let name: List<u8> = match flags.samples.as_ref().map(|name| name.as_str()) {
        None => return Ok(None),
        Some("") => file_of_program(&flags.cost, files, ".pprof")?,
        Some(name) => files.own_file(name.as_bytes())?,
    };
    Ok(Some(Target::tried(&name)?))
}

impl Samples {
    pub fn new(flags: &Flags, files: &Holder) -> Outcome<Samples> {
        let running = match flags.sample_distance() {
            0 if planted!(592, false, flags.samples.is_some()) => {
                return Err(Failure::argument(format_args!(
                    "--samples asks for a file of samples, and --sample-every=0 for none of them"
                )));
            }
            0 => None,
            every => Some(try_box(Sampler::new(every, flags.seed)?)?),
        };
        Ok(Samples { running, target: target(flags, files)?, ended: None })
    }

    /// Ends the samples when there is no memory for another one; the program goes on.
    #[inline]
    fn end_if_failed(&mut self, outcome: Outcome<()>) {
        if let Err(failure) = outcome {
            self.end(&failure);
        }
    }

    #[cold]
    pub(crate) fn end(&mut self, failure: &Failure) {
        self.running = None;
        self.ended = Some(failure.status);
        say(&Sentence::new(format_args!("no more samples are taken: {}", failure.sentence)));
    }

    /// The reason why no samples are taken.
    pub(crate) fn why_none(&self) -> Failure {
        match planted!(599, None, self.ended) {
            Some(status) => Failure::new(status, format_args!("samples were taken, until one was refused")),
            None => Failure::state(format_args!(
                "no samples are taken: the flag --sample-every=512k, or --samples, asks for them"
            )),
        }
    }

    /// Words of the area are about to be taken.
    #[inline]
    pub(crate) fn meets_area(&mut self, mutator: *mut Mutator, words: usize, is_one: bool, site: usize) {
        if let Some(sampler) = &mut self.running {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let outcome = sampler.meet_area(unsafe { &mut *mutator }, words, is_one, site);
            self.end_if_failed(outcome);
        }
    }

    /// A call has made an object of so many words; `before` words were made by calls before it.
    #[inline]
    pub(crate) fn meets_call(
        &mut self,
        rt: &Runtime,
        mutator: *mut Mutator,
        (made, words): (&Outcome<Addr>, usize),
        before: u64,
        site: usize,
    ) {
        if let (Some(sampler), Ok(object)) = (&mut self.running, made) {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            let object = (*object, rt.store.rounded(words));
            let outcome = sampler.meet_call(mutator, object, before..rt.words_made_by_calls(), site);
            self.end_if_failed(outcome);
        }
    }

    /// Counts the objects that were met; all of them are whole.
    pub fn take(&mut self, rt: &mut Runtime, mutator: Option<&mut Mutator>) {
        self.take_of(rt, mutator, true);
    }

    /// Counts the objects that this mutator has met, which is at a safepoint.
    #[inline]
    pub(crate) fn take_own(&mut self, rt: &mut Runtime, mutator: &mut Mutator) {
        if self.running.as_ref().is_some_and(|sampler| sampler.waits()) {
            self.take_of(rt, Some(mutator), false);
        }
    }

    #[inline(never)]
    fn take_of(&mut self, rt: &mut Runtime, mutator: Option<&mut Mutator>, with_others: bool) {
        if let Some(sampler) = &mut self.running {
            let outcome = sampler.take(&mut rt.store, rt.busy.mark(), mutator, with_others);
            self.end_if_failed(outcome);
        }
    }
}

impl Profiler for Samples {
    fn before(&mut self, rt: &mut Runtime, mutator: &mut Mutator, _plan: &Plan) {
        self.take(rt, Some(mutator));
    }

    fn after(&mut self, rt: &mut Runtime, _collected: &Collected) {
        if let Some(sampler) = &mut self.running {
            sampler.tidy(&rt.store);
        }
    }

    fn child(&mut self, _rt: &mut Runtime) {
        self.target = None;
    }
}
