//! Signals while the program runs. The terminal's own go to both processes, and are for the program; others are handed on to it.
//! When it has ended, they mean to `barrow run` again what they meant before.

use libc::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

/// A bit for each signal that is to be handed on.
static ASKED: AtomicU32 = AtomicU32::new(0);

const HEARD: [c_int; 5] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP, libc::SIGCHLD];

/// How it was before, to which it returns.
pub struct Heard {
    before: Vec<(c_int, libc::sigaction)>,
}

/// The end of a program is only to end a pause.
extern "C" fn hear(signal: c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system gives what `SA_SIGINFO` asks for, for as long as the handler runs.
    let was_sent = unsafe { (*info).si_code } <= 0;
    if signal != libc::SIGCHLD && (was_sent || signal == libc::SIGTERM || signal == libc::SIGHUP) {
        ASKED.fetch_or(1 << signal, Ordering::Relaxed);
    }
}

impl Heard {
    /// A signal that is ignored, as `nohup` wants it, is so for the program, too.
    pub fn new() -> io::Result<Heard> {
        let mut heard = Heard { before: Vec::new() };
        for signal in HEARD {
            // SAFETY: zeroes are an empty set of signals, no flags and the usual action.
            let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
            action.sa_sigaction = hear as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
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

    /// Sends a program that was not waited for yet what has come for it.
    pub fn hand_on(&self, program: u32) {
        let asked = ASKED.swap(0, Ordering::Relaxed);
        for signal in HEARD.into_iter().filter(|signal| asked & 1 << signal != 0) {
            // SAFETY: a call with two numbers; the program was not waited for, so that its number is nobody else's.
            unsafe { libc::kill(program as libc::pid_t, signal) };
        }
    }

    /// Waits for so long, or until a signal comes.
    pub fn pause(&self, milliseconds: c_int) {
        // SAFETY: no descriptors.
        unsafe { libc::poll(null_mut(), 0, milliseconds) };
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: as it was.
            unsafe { libc::sigaction(*signal, before, null_mut()) };
        }
    }
}
