//! Explanations for profiles that show nothing, since the run was shorter than the time to the first sample
//! or tick.

use crate::base::Sentence;
use crate::base::decimal::{Fixed, Short};
use crate::base::flag::Sampling;

/// A point of the program's own clocks (when a profile began), or the distance from one.
#[derive(Clone, Copy)]
pub struct Progress {
    pub mutator_ns: u64,
    pub wall_ns: u64,
    pub allocated_bytes: u64,
}

impl Progress {
    pub fn since(self, began: Progress) -> Progress {
        Progress {
            mutator_ns: self.mutator_ns.saturating_sub(began.mutator_ns),
            wall_ns: self.wall_ns.saturating_sub(began.wall_ns),
            allocated_bytes: self.allocated_bytes.saturating_sub(began.allocated_bytes),
        }
    }
}

/// The interval to suggest after a run of `seconds`, which was too short: a power of ten about a hundred
/// times shorter.
pub(crate) fn hundredth(seconds: f64) -> f64 {
    let steps = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001];
    steps.into_iter().find(|step| step * 100.0 <= seconds).unwrap_or(0.000001)
}

/// A tenth of the bytes, at least 1, in whole KiB from one KiB on.
pub(crate) fn tenth(bytes: u64) -> u64 {
    let tenth = (bytes / 10).max(1);
    if tenth < 1024 { tenth } else { tenth / 1024 * 1024 }
}

/// A sentence that says why a profile has no sample after this progress, and which flag to try.
pub(crate) fn why_no_sample(sampling: Sampling, progress: Progress) -> Sentence {
    let Progress { mutator_ns, wall_ns, allocated_bytes: bytes } = progress;
    let (ran, waited) = (mutator_ns as f64 / 1e9, wall_ns as f64 / 1e9);
    let (ran_text, waited_text) = (Fixed(ran, 6), Fixed(waited, 6));
    let due = Short(sampling.interval().unwrap_or(0.0));
    let none = "the heap profile has no sample";
    match sampling {
        Sampling::Seconds(0.0) | Sampling::Wall(0.0) => Sentence::new(format_args!(
            "{none}: with -i0 only barrow_census takes one, and it was not called; try -i0.01"
        )),
        Sampling::Wall(interval) if waited < interval => Sentence::new(format_args!(
            "{none}: the program ran for {waited_text} s, and the first was due after {due} s; \
             try -iw{}, or -ib{} for one every so many bytes",
            Short(hundredth(waited)),
            tenth(bytes)
        )),
        Sampling::Wall(_) => Sentence::new(format_args!(
            "{none}, though one was due every {due} s: it is taken where the program allocates, which was {bytes} bytes; \
             try -ib{}, or call barrow_safepoint more often",
            tenth(bytes)
        )),
        Sampling::Seconds(interval) if ran < interval => Sentence::new(format_args!(
            "{none}: the program ran for {ran_text} s of CPU time, and the first was due after {due} s; \
             try -i{}, or -ib{} for one every so many bytes",
            Short(hundredth(ran)),
            tenth(bytes)
        )),
        Sampling::Seconds(_) => Sentence::new(format_args!(
            "{none}, though one was due every {due} s: it is taken where the program allocates, which was {bytes} bytes; \
             try -ib{}, or call barrow_safepoint more often",
            tenth(bytes)
        )),
        Sampling::Bytes(every) => Sentence::new(format_args!(
            "{none}: the program allocated {bytes} bytes, and the first was due after {every}; try -ib{}",
            tenth(bytes)
        )),
        Sampling::Natural => Sentence::new(format_args!(
            "{none}: there was no major collection, at which -in takes one; try -ib{}",
            tenth(bytes)
        )),
    }
}
