//! Memory without access, and the first word on a fault there: a handler that tells and then hands on.
//!
//! The handler is the process's, so its state is too: the handler that was there before, and the listener. It calls only
//! functions that a handler may call: `sigaction`, `pthread_sigmask`, `raise`, `write`, `poll` and `clock_gettime`.

use super::output;
use crate::base::{Addr, Failure, Outcome};
use libc::{c_int, c_void, siginfo_t};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A fault, as the system tells it.
pub(crate) struct Fault<'a> {
    /// The address that was accessed; 0 where the processor does not say.
    pub(crate) address: usize,
    /// The processor's registers, as words: on x86-64 and aarch64 alone.
    pub(crate) registers: &'a [usize],
    /// The addresses of the instruction and of the end of the stack; 0 when they are unknown.
    pub(crate) code: usize,
    pub(crate) stack: usize,
}

type Listener = fn(&Fault<'_>);

/// The listener, as a pointer; null while the handler is not wanted.
static LISTENER: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// The action that was there before the handler's own, written while the handler is not installed.
struct Before(UnsafeCell<MaybeUninit<libc::sigaction>>);

// SAFETY: written under `INSTALLING` before the handler that reads it is installed.
unsafe impl Sync for Before {}

static BEFORE: Before = Before(UnsafeCell::new(MaybeUninit::uninit()));

/// The heaps that want the handler, and whether it stays below another one.
pub(crate) struct Installed {
    wanted: usize,
    /// Whether the last heap that wanted the handler could not take it away: another handler was over it, and may
    /// hand on to it at any time, so `BEFORE` must stay as it is.
    stays: bool,
}

static INSTALLING: Mutex<Installed> = Mutex::new(Installed { wanted: 0, stays: false });

/// Takes the lock on the handler, which is held over a fork too. No other lock is taken while it is held.
pub(crate) fn hold() -> MutexGuard<'static, Installed> {
    INSTALLING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handler for the first that wants it. The listener is the same for all.
pub(crate) fn listen(listener: Listener) -> Outcome<()> {
    let mut installed = hold();
    // SAFETY: plain words; the calls take valid actions, and `BEFORE` is read by the handler alone, which is not installed
    // where it is written.
    unsafe {
        let (mut before, mut failed) = (std::mem::zeroed::<libc::sigaction>(), false);
        if installed.wanted == 0 {
            failed = libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut before) != 0;
            // Over the system's own action nothing hands on to a handler below.
            let stays = installed.stays && is_function(&before);
            if !failed && !planted!(529, before.sa_sigaction == own_handler(), stays) {
                (*BEFORE.0.get()).write(before);
                failed = install(&before);
                installed.stays = false;
            }
        }
        if failed {
            return Err(Failure::state(format_args!("--faults: the system refuses a handler of SIGSEGV")));
        }
    }
    LISTENER.store(listener as *mut c_void, Ordering::Release);
    installed.wanted += 1;
    Ok(())
}

/// Puts the handler over the action that is there. True when the system refuses.
fn install(before: &libc::sigaction) -> bool {
    // SAFETY: plain words.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = own_handler();
    action.sa_mask = before.sa_mask;
    // A handler that keeps its own stack free of others' runs as it would have; the system's own action needs no stack, so
    // that the words about an overflow of the stack may have the other one.
    let kept = if is_function(before) {
        before.sa_flags & (libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART)
    } else {
        libc::SA_ONSTACK
    };
    action.sa_flags = libc::SA_SIGINFO | kept;
    // SAFETY: the action is valid.
    unsafe { libc::sigaction(libc::SIGSEGV, &action, std::ptr::null_mut()) != 0 }
}

/// Takes the handler away with the last that wants it, unless the client has put another one over it.
pub(crate) fn stop_listening() {
    let mut installed = hold();
    installed.wanted = installed.wanted.saturating_sub(1);
    if installed.wanted > 0 {
        return;
    }
    LISTENER.store(std::ptr::null_mut(), Ordering::Release);
    // SAFETY: `BEFORE` was written when the handler was installed; the calls take valid actions.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        installed.stays = libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut now) != 0
            || now.sa_sigaction != own_handler()
            || libc::sigaction(libc::SIGSEGV, (*BEFORE.0.get()).as_ptr(), std::ptr::null_mut()) != 0;
    }
}

fn own_handler() -> usize {
    handle as unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize
}

fn is_function(action: &libc::sigaction) -> bool {
    action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN
}

/// The system sends no word on the address of a fault that the processor did not name.
const SI_KERNEL: c_int = 0x80;

unsafe extern "C" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system calls the handler with its own records; `errno` is the thread's own word.
    unsafe {
        let errno = *libc::__errno_location();
        let listener = LISTENER.load(Ordering::Acquire);
        let by_processor = (*info).si_code > 0;
        if !listener.is_null() && by_processor {
            let address = if (*info).si_code == SI_KERNEL { 0 } else { (*info).si_addr() as usize };
            // The pointer was made from such a function.
            let listener = std::mem::transmute::<*mut c_void, Listener>(listener);
            with_context(address, context, listener);
        }
        *libc::__errno_location() = errno;
        hand_on(signal, info, context);
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe fn with_context(address: usize, context: *mut c_void, listener: Listener) {
    // SAFETY: the third argument of such a handler is the interrupted context.
    let registers = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let words = registers.map(|register| register as usize);
    listener(&Fault {
        address,
        // The registers for general use come first; flags and segments hold no address.
        registers: &words[..16],
        code: words[libc::REG_RIP as usize],
        stack: words[libc::REG_RSP as usize],
    });
}

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
unsafe fn with_context(address: usize, context: *mut c_void, listener: Listener) {
    // SAFETY: the third argument of such a handler is the interrupted context.
    let machine = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    let words = machine.regs.map(|register| register as usize);
    listener(&Fault { address, registers: &words, code: machine.pc as usize, stack: machine.sp as usize });
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
unsafe fn with_context(address: usize, _context: *mut c_void, listener: Listener) {
    listener(&Fault { address, registers: &[], code: 0, stack: 0 });
}

/// Does with the signal whatever would have been done without this handler.
///
/// # Safety
/// Called by the handler, with the system's arguments.
unsafe fn hand_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: `BEFORE` was written before the handler was installed; the earlier handler is called as the system would
    // have called it.
    unsafe {
        let before = (*BEFORE.0.get()).assume_init();
        if is_function(&before) {
            if before.sa_flags & libc::SA_RESETHAND != 0 {
                default_action(signal);
            }
            if before.sa_flags & libc::SA_SIGINFO != 0 {
                let call: unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                    std::mem::transmute(before.sa_sigaction);
                call(signal, info, context);
            } else {
                let call: unsafe extern "C" fn(c_int) = std::mem::transmute(before.sa_sigaction);
                call(signal);
            }
            return;
        }
        let by_processor = (*info).si_code > 0;
        if before.sa_sigaction == libc::SIG_IGN && !by_processor {
            return;
        }
        // The instruction faults again when the handler returns; a signal that was sent is sent once more.
        default_action(signal);
        if !by_processor {
            libc::raise(signal);
        }
    }
}

/// # Safety
/// Nobody relies on another action for the signal.
unsafe fn default_action(signal: c_int) {
    // SAFETY: the action is the system's own.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

/// Forbids or allows access to whole pages of a heap's. False when the system refuses, and access is as before.
///
/// # Safety
/// The pages are the caller's, mapped for writing, and nobody else accesses them while access is forbidden.
pub(crate) unsafe fn allow_access(from: Addr, to: Addr, allowed: bool) -> bool {
    let rights = if allowed { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    // SAFETY: the caller's promise.
    unsafe { libc::mprotect(from.as_ptr(), to.bytes_since(from), rights) == 0 }
}

/// Writes to the standard error stream from a handler.
pub(crate) fn write_from_handler(mut text: &[u8]) {
    while let Ok(written @ 1..) = output::write_some(text) {
        text = &text[written..];
    }
}

/// The addresses of the calling thread's stack, from its lowest to its end; none when the system does not say.
pub(crate) fn own_stack() -> std::ops::Range<usize> {
    // SAFETY: the attributes are written by the call that asks for them, and given back.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return 0..0;
        }
        let (mut lowest, mut bytes) = (std::ptr::null_mut(), 0);
        let failed = libc::pthread_attr_getstack(&attributes, &mut lowest, &mut bytes) != 0;
        libc::pthread_attr_destroy(&mut attributes);
        if failed { 0..0 } else { lowest as usize..lowest as usize + bytes }
    }
}
