//! The calling thread: a word that tells it from others at the cost of one instruction, and a call when it
//! ends. And threads of the library's own.

use super::code;
use crate::base::{Failure, Outcome, fault};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Whether threads have such a word on this system.
pub(crate) const HAS_POINTER: bool =
    cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"));

/// A word that no other living thread has; 0 where the processor has none at hand. A later thread may have
/// the word of one that has ended.
#[inline(always)]
pub(crate) fn pointer() -> usize {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        let word: usize;
        // SAFETY: the ABI of threads keeps the address of a thread's block in its first word, which is only read.
        unsafe {
            std::arch::asm!("mov {}, fs:0", out(reg) word, options(nostack, readonly, preserves_flags, pure));
        }
        word
    }
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    {
        let word: usize;
        // SAFETY: any program may read the register.
        unsafe {
            std::arch::asm!("mrs {}, tpidr_el0", out(reg) word, options(nostack, nomem, preserves_flags, pure));
        }
        word
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
    {
        0
    }
}

/// Lets other threads run: for so long at least, or for a moment when it is 0. It is no place where `pthread_cancel` ends the thread,
/// which could not unwind frames of the library: C's own `nanosleep` is one, and the system's is not.
pub(crate) fn rest(pause: Duration) {
    if pause.is_zero() {
        return std::thread::yield_now();
    }
    #[cfg(target_os = "linux")]
    {
        // A pause has whole seconds that are few.
        let mut left =
            libc::timespec { tv_sec: pause.as_secs() as _, tv_nsec: pause.subsec_nanos() as libc::c_long };
        let at = &raw mut left;
        // SAFETY: the system reads and writes the one place. After a signal it has what is left.
        while unsafe { libc::syscall(libc::SYS_nanosleep, at, at) } != 0
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
    }
    #[cfg(not(target_os = "linux"))]
    std::thread::sleep(pause);
}

/// The number of this process, which the child of a fork does not have.
pub(crate) fn process() -> i32 {
    // SAFETY: a pure question.
    unsafe { libc::getpid() }
}

/// A number of the calling thread, which no other thread gets, not even after this one has ended.
pub(crate) fn current_thread() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    thread_local!(static HERE: Cell<u64> = const { Cell::new(0) });
    HERE.with(|here| {
        if here.get() == 0 {
            here.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
        }
        here.get()
    })
}

/// The calling thread's name in the system, and its length; of length 0 where it has none.
pub(crate) fn name_here() -> ([u8; 16], usize) {
    let mut name = [0u8; 16];
    #[cfg(target_os = "linux")]
    // SAFETY: the system writes 16 bytes at most, the last of them 0.
    unsafe {
        libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr());
    }
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(0);
    (name, length)
}

/// Bytes of a stack that the variables of each thread's own may take, in whole pages. The first question waits for a lock, and libraries
/// that are loaded later have theirs elsewhere.
pub(crate) fn own_bytes() -> usize {
    static BYTES: AtomicUsize = AtomicUsize::new(0);
    if BYTES.load(Ordering::Relaxed) == 0 {
        BYTES.store(code::thread_local_bytes().max(1).next_multiple_of(4096), Ordering::Relaxed);
    }
    BYTES.load(Ordering::Relaxed)
}

/// Starts a thread with all signals blocked: they are for the client's threads. Its stack has so many bytes besides its own variables.
///
/// # Safety
/// `run` may be called with `context` in another thread.
pub(crate) unsafe fn start(
    stack_bytes: usize,
    run: extern "C" fn(*mut c_void) -> *mut c_void,
    context: *mut c_void,
) -> Outcome<libc::pthread_t> {
    let refused = || Failure::no_memory(format_args!("the system gives no thread"));
    if !fault::allow() {
        return Err(refused());
    }
    // SAFETY: the sets and the attributes are filled before they are read, and `run` takes what it is given.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        // In glibc a stack begins with the thread's own variables, which the program may have many of.
        let stack_bytes = stack_bytes + planted!(545, 0, own_bytes());
        libc::pthread_attr_setstacksize(&mut attributes, stack_bytes.max(libc::PTHREAD_STACK_MIN));
        let mut thread = std::mem::zeroed();
        let made = libc::pthread_create(&mut thread, &attributes, run, context);
        libc::pthread_attr_destroy(&mut attributes);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        if made == 0 { Ok(thread) } else { Err(refused()) }
    }
}

struct AtEnd(Cell<Option<fn()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(call) = self.0.get() {
            call();
        }
    }
}

thread_local!(static AT_END: AtEnd = const { AtEnd(Cell::new(None)) });

/// Lets `call` be called when the calling thread ends. A thread has one such call, which must not panic.
/// False when the thread is ending.
pub(crate) fn when_it_ends(call: fn()) -> bool {
    AT_END.try_with(|at_end| at_end.0.set(Some(call))).is_ok()
}

/// Has `ends` called when the main thread ends by `pthread_exit`, if that is the calling one: glibc drops no variables of the thread
/// then, and calls the functions of keys. There is one such function.
pub(crate) fn when_main_ends(ends: unsafe extern "C" fn(*mut c_void)) {
    /// The key and 1. Only the main thread comes here.
    static KEY: AtomicUsize = AtomicUsize::new(0);
    #[cfg(target_os = "linux")]
    // SAFETY: a pure question.
    if unsafe { libc::gettid() } != process() {
        return;
    }
    let mut key = 0;
    // SAFETY: the place is writable, and this library is never unloaded.
    if KEY.load(Ordering::Relaxed) == 0 && unsafe { libc::pthread_key_create(&mut key, Some(ends)) } == 0 {
        KEY.store(key as usize + 1, Ordering::Relaxed);
    }
    if let Some(key) = KEY.load(Ordering::Relaxed).checked_sub(1) {
        // SAFETY: the key is there. Its value only has to be one.
        unsafe { libc::pthread_setspecific(key as libc::pthread_key_t, (&raw const KEY).cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ENDED: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn each_thread_has_its_word_and_its_end() {
        let here = pointer();
        assert_eq!(here, pointer());
        let there = std::thread::spawn(|| {
            assert!(when_it_ends(|| {
                ENDED.fetch_add(1, Ordering::Relaxed);
            }));
            assert!(when_it_ends(|| {
                ENDED.fetch_add(1, Ordering::Relaxed);
            }));
            pointer()
        });
        assert!(here == 0 || there.join().unwrap() != here);
        assert_eq!(ENDED.load(Ordering::Relaxed), 1);
    }
}
