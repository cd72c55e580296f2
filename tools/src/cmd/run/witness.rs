//! A process of our group that no signal ends and that counts those which come: what it has got was sent to the whole group, as by
//! Ctrl-C or a shell's `kill %1`, and so to the program, too. Nothing that comes with a signal says whether others have it.

use libc::c_int;
use std::fs::File;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::null_mut;

pub struct Witness {
    process: libc::pid_t,
    answers: File,
}

/// Its name in lists of processes: whoever ends all that are called `barrow` means the command alone.
const NAME: &std::ffi::CStr = c"group-signals";

/// The question for what has come. Signals that wait are taken in the order of their numbers, and this is behind those of processes.
fn question() -> c_int {
    libc::SIGRTMIN()
}

impl Witness {
    pub fn start() -> io::Result<Witness> {
        let (reader, writer) = io::pipe()?;
        let writer = OwnedFd::from(writer);
        let mut every = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        // SAFETY: the command has one thread here, so that its child may do what it may. Both sets are ours, and written before
        // they are read. Blocked from before it begins, no signal ends the child.
        let (us, process) = unsafe {
            libc::sigfillset(every.as_mut_ptr());
            libc::sigprocmask(libc::SIG_SETMASK, every.as_ptr(), before.as_mut_ptr());
            (libc::getpid(), libc::fork())
        };
        if process == 0 {
            attend(us, &every, &writer);
        }
        let failed = io::Error::last_os_error();
        // SAFETY: the set that was written above.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, before.as_ptr(), null_mut()) };
        if process < 0 { Err(failed) } else { Ok(Witness { process, answers: OwnedFd::from(reader).into() }) }
    }

    /// A bit for each signal that has come to it since the last question; none when it has gone. The system sends to all of a group
    /// before another call of anybody, so that what a process has got of it, the witness has.
    pub fn seen(&mut self) -> u32 {
        let mut seen = [0; 4];
        // SAFETY: a call with two numbers; the process is a child that was not waited for.
        let asked = unsafe { libc::kill(self.process, question()) } == 0;
        if asked && self.answers.read_exact(&mut seen).is_ok() { u32::from_ne_bytes(seen) } else { 0 }
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        // SAFETY: a child that was not waited for.
        unsafe {
            libc::kill(self.process, libc::SIGKILL);
            libc::waitpid(self.process, null_mut(), 0);
        }
    }
}

/// The witness itself. It ends with the command, however that ends.
fn attend(us: libc::pid_t, every: &MaybeUninit<libc::sigset_t>, answers: &OwnedFd) -> ! {
    // SAFETY: calls with numbers and with a name that stays.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        if libc::getppid() != us {
            libc::_exit(0);
        }
    }
    forget_arguments();
    let mut seen = 0_u32;
    loop {
        // SAFETY: a set that was filled.
        let signal = unsafe { libc::sigwaitinfo(every.as_ptr(), null_mut()) };
        if signal == question() {
            // SAFETY: the bytes of a number of ours. Where nobody reads, nobody asks again.
            unsafe { libc::write(answers.as_raw_fd(), (&raw const seen).cast(), size_of_val(&seen)) };
            seen = 0;
        } else {
            seen |= u32::try_from(signal).ok().and_then(|signal| 1_u32.checked_shl(signal)).unwrap_or(0);
        }
    }
}

/// Makes the arguments empty that `ps` and `pkill -f` show.
fn forget_arguments() {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return };
    // Behind the name, which may have anything in it, is field 3; their place is in fields 48 and 49 (man 5 proc).
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().skip(45);
    let mut place = || fields.next().and_then(|field| field.parse::<usize>().ok()).unwrap_or(0);
    let (begin, end) = (place(), place());
    if begin != 0 && begin < end {
        // SAFETY: the system says that this process has its arguments there, in memory that it may write. Nobody here reads them
        // again: this process only waits from now on.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(begin).write_bytes(0, end - begin) };
    }
}
