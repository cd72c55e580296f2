//! The words of the system about another thread of this process.

use super::clock::ThreadClock;
use super::groups::read_small;
use crate::base::Sentence;

/// The name of the thread of a clock, and whether it runs or waits in a call, in brackets behind a space, and whether it waits. Empty where
/// the system tells nothing.
pub(crate) fn of(clock: ThreadClock) -> (Sentence, bool) {
    // Linux makes the number of such a clock from that of its thread.
    let thread = !(clock.0 >> 3);
    let look = |what: &str, text: &mut [u8]| {
        let name = Sentence::new(format_args!("/proc/self/task/{thread}/{what}"));
        let line = read_small(name.as_str(), text)?.trim_end();
        // A call has its arguments behind it.
        let words = if what == "comm" { line } else { line.split(' ').next()? };
        Some(Sentence::new(format_args!("{words}")))
    };
    let Some(name) = look("comm", &mut [0; 64]) else { return (Sentence::EMPTY, false) };
    match look("syscall", &mut [0; 256]) {
        None => (Sentence::new(format_args!(" ({name})")), false),
        Some(state) if state.as_str() == "running" => {
            (Sentence::new(format_args!(" ({name}, running)")), false)
        }
        // Outside of a call: a debugger's stop, or a page that the system fetches.
        Some(state) if state.as_str().starts_with('-') => {
            (Sentence::new(format_args!(" ({name}, stopped)")), false)
        }
        Some(call) => (Sentence::new(format_args!(" ({name}, in system call {call})")), true),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A thread of this name, whose clock it sends before it goes on.
    fn started(
        name: &str,
        goes_on: impl FnOnce() + Send + 'static,
    ) -> (ThreadClock, std::thread::JoinHandle<()>) {
        let (clocks, ends) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
            clocks.send(ThreadClock::mine()).unwrap();
            goes_on();
        });
        (ends.recv().unwrap(), thread.unwrap())
    }

    #[test]
    fn a_thread_that_waits_is_told_from_one_that_runs() {
        // Some systems tell only the name.
        if !std::path::Path::new("/proc/self/syscall").exists() {
            return;
        }
        static IS_OVER: AtomicBool = AtomicBool::new(false);
        let (sleeping, sleeper) = started("a sleeper", std::thread::park);
        let (running, runner) = started("a runner", || {
            while !IS_OVER.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        // The threads are on their way.
        while !of(sleeping).0.as_str().starts_with(" (a sleeper, in system call ")
            || of(running).0.as_str() != " (a runner, running)"
        {
            std::thread::yield_now();
        }
        IS_OVER.store(true, Ordering::Relaxed);
        sleeper.thread().unpark();
        [sleeper, runner].into_iter().for_each(|thread| thread.join().unwrap());
    }
}
