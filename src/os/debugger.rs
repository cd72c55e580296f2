//! What debuggers and checks want of the system: a stop, and whether an address can be read at all.

/// Sends the calling thread the signal of a breakpoint. Without a debugger, that ends the process.
pub fn stop() {
    // SAFETY: raising a signal is always allowed.
    unsafe { libc::raise(libc::SIGTRAP) };
}

/// Whether the word at an address can be read. A system call: for checks only.
#[cfg(target_os = "linux")]
pub fn is_readable(address: usize) -> bool {
    // The system reads the signal set before it looks at what is to be done with it, which is nothing known.
    const NOTHING_KNOWN: libc::c_long = -1;
    // SAFETY: nothing is changed, whatever the address is: the call fails in one way or the other.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, NOTHING_KNOWN, address, 0usize, 8usize);
        *libc::__errno_location() != libc::EFAULT
    }
}

#[cfg(not(target_os = "linux"))]
pub fn is_readable(_address: usize) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::is_readable;

    #[test]
    fn what_can_be_read_is_known() {
        let word = 7usize;
        assert!(is_readable(&raw const word as usize));
        assert!(!is_readable(8) && !is_readable(0x5b5b_5b5b_5b5b_5b58));
    }
}
