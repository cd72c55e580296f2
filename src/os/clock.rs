//! Clocks: wall and CPU time, as nanoseconds.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nanos(pub u64);

impl Nanos {
    pub fn since(self, earlier: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(earlier.0))
    }

    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl std::ops::AddAssign for Nanos {
    fn add_assign(&mut self, more: Nanos) {
        self.0 += more.0;
    }
}

fn read(clock: libc::clockid_t) -> Nanos {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer; on failure it stays zero.
    unsafe { libc::clock_gettime(clock, &mut time) };
    Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// Time that only moves forward.
pub fn wall() -> Nanos {
    read(libc::CLOCK_MONOTONIC)
}

/// CPU time of the whole process.
pub fn cpu() -> Nanos {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}
