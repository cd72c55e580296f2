//! Clocks: wall and CPU time, as nanoseconds.

use crate::base::Sentence;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Wall time, which only moves forward.
pub(crate) fn wall() -> Nanos {
    read(libc::CLOCK_MONOTONIC)
}

/// Wall time since the beginning of 1970.
pub(crate) fn since_1970() -> Nanos {
    read(libc::CLOCK_REALTIME)
}

/// CPU time, in nanoseconds, that the forking thread had used when this process was copied. It begins at 2^60
/// so that the difference of two threads' readings, one of them younger, is never negative.
static BEFORE: AtomicU64 = AtomicU64::new(1 << 60);

/// CPU time of the calling thread, including that of the thread that its process was copied from. Only
/// differences mean something: the time of the program's other threads is not a heap's.
pub(crate) fn cpu() -> Nanos {
    Nanos(read(libc::CLOCK_THREAD_CPUTIME_ID).0 + BEFORE.load(Ordering::Relaxed))
}

/// CPU time, in nanoseconds, that a process had used when this one was copied from it.
static BEFORE_OF_ALL: AtomicU64 = AtomicU64::new(0);

/// CPU time of all threads of the process, including that of the process that it was copied from.
pub(crate) fn cpu_of_all() -> Nanos {
    Nanos(read(libc::CLOCK_PROCESS_CPUTIME_ID).0 + BEFORE_OF_ALL.load(Ordering::Relaxed))
}

/// Continues, after a fork, the CPU times of the child's only thread and of the child from here.
pub(crate) fn go_on_from(thread: Nanos, all: Nanos) {
    BEFORE.store(thread.0, Ordering::Relaxed);
    BEFORE_OF_ALL.store(all.0, Ordering::Relaxed);
}

/// The clock of a thread's CPU time, which other threads may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadClock(pub libc::clockid_t);

impl ThreadClock {
    /// The clock of the calling thread.
    pub(crate) fn mine() -> ThreadClock {
        let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
        // SAFETY: the calling thread is alive, and `clock` is a place for the answer.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        ThreadClock(clock)
    }

    /// The CPU time of the thread; 0 when it has ended.
    pub(crate) fn now(self) -> Nanos {
        read(self.0)
    }
}

/// The lock held while the system is asked for the local time, so that a fork can wait for the end: glibc takes a lock of its own then,
/// which it does not make new in a child.
static DATING: Mutex<()> = Mutex::new(());

/// Takes the lock on local times, which is held over a fork too. No other lock is taken while it is held.
pub(crate) fn hold() -> MutexGuard<'static, ()> {
    DATING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The local date and time, as `Sat Nov 21 01:37 2026`, the day padded with a space.
pub(crate) fn date() -> Sentence {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // SAFETY: all-zero is a valid date, and both places are filled or left so.
    let date = unsafe {
        let mut date: libc::tm = std::mem::zeroed();
        let mut now = 0;
        libc::time(&mut now);
        let _dating = hold();
        libc::localtime_r(&now, &mut date);
        date
    };
    Sentence::new(format_args!(
        "{} {} {:2} {:02}:{:02} {}",
        DAYS[date.tm_wday as usize % 7],
        MONTHS[date.tm_mon as usize % 12],
        date.tm_mday,
        date.tm_hour,
        date.tm_min,
        date.tm_year + 1900
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_like_the_systems() {
        let ours = super::date();
        let Ok(theirs) =
            std::process::Command::new("date").arg("+%a %b %e %H:%M %Y").env("LC_ALL", "C").output()
        else {
            return;
        };
        let theirs = String::from_utf8_lossy(&theirs.stdout).trim_end().to_string();
        assert!(ours.as_str() == theirs || super::date().as_str() == theirs, "{ours}, {theirs}");
    }
}
