//! Signals while the program runs. Those that came to the command alone are handed on to the program; those of a whole group, as of
//! Ctrl-C, have reached it. When it has ended, they mean to `barrow run` again what they meant before.

use super::witness::Witness;
use libc::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

/// A bit for each signal that has come.
static CAME: AtomicU32 = AtomicU32::new(0);

const HEARD: [c_int; 7] =
    [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP, libc::SIGUSR1, libc::SIGUSR2, libc::SIGCHLD];

pub struct Heard {
    /// None where the system had no process for it: all signals are handed on then.
    witness: Option<Witness>,
    /// Signals that the witness has got and the command has not yet; a bit for each.
    of_group: u32,
    /// How it was before, to which it returns.
    before: Vec<(c_int, libc::sigaction)>,
}

/// The end of a program is only to end a pause.
extern "C" fn hear(signal: c_int) {
    if signal != libc::SIGCHLD {
        CAME.fetch_or(1 << signal, Ordering::Relaxed);
    }
}

impl Heard {
    /// A signal that is ignored, as `nohup` wants it, is so for the program, too.
    pub fn new() -> io::Result<Heard> {
        let mut heard = Heard { witness: Witness::start().ok(), of_group: 0, before: Vec::new() };
        for signal in HEARD {
            // SAFETY: zeroes are an empty set of signals, no flags and the usual action.
            let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
            action.sa_sigaction = hear as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            let mut before = action;
            // SAFETY: both are ours; the handler does nothing but what a handler may do.
            if unsafe { libc::sigaction(signal, &action, &mut before) } != 0 {
                return Err(io::Error::last_os_error());
            }
            if before.sa_sigaction == libc::SIG_IGN && signal != libc::SIGCHLD {
                // SAFETY: as it was.
                unsafe { libc::sigaction(signal, &before, null_mut()) };
            } else {
                heard.before.push((signal, before));
            }
        }
        Ok(heard)
    }

    /// Sends a program that was not waited for yet what has come to the command and not to it.
    pub fn hand_on(&mut self, program: u32) {
        for signal in of(self.alone()) {
            // SAFETY: a call with two numbers; the program was not waited for, so that its number is nobody else's.
            unsafe { libc::kill(program as libc::pid_t, signal) };
        }
    }

    /// The program has ended. A signal of the group may have ended it; another came too late for it, and is for the command.
    pub fn ended(mut self) {
        let late = self.alone();
        CAME.fetch_or(late, Ordering::Relaxed);
    }

    /// Signals that have come to the command and not to the program, a bit for each.
    fn alone(&mut self) -> u32 {
        let came = CAME.swap(0, Ordering::Relaxed);
        if came != 0
            && let Some(witness) = &mut self.witness
        {
            self.of_group |= witness.seen();
        }
        let alone = came & !self.of_group;
        self.of_group &= !came;
        alone
    }

    /// Waits for so long, or until a signal comes.
    pub fn pause(&self, milliseconds: c_int) {
        // SAFETY: no descriptors.
        unsafe { libc::poll(null_mut(), 0, milliseconds) };
    }
}

fn of(bits: u32) -> impl Iterator<Item = c_int> {
    HEARD.into_iter().filter(move |signal| bits & 1 << signal != 0)
}

/// From here on, signals are for the command, which they may end; so are those that wait.
impl Drop for Heard {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: as it was.
            unsafe { libc::sigaction(*signal, before, null_mut()) };
        }
        for signal in of(CAME.swap(0, Ordering::Relaxed)) {
            // SAFETY: a call with a number.
            unsafe { libc::raise(signal) };
        }
    }
}
