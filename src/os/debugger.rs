//! The system's part in debugging and checks: a stop, and whether an address can be read or written at
//! all.

/// Sends the calling thread the signal of a breakpoint. Without a debugger, that ends the process.
pub(crate) fn stop() {
    // SAFETY: raising a signal is always allowed.
    unsafe { libc::raise(libc::SIGTRAP) };
}

/// Whether the word at an address can be read. A system call: for checks only.
#[cfg(target_os = "linux")]
pub(crate) fn is_readable(address: usize) -> bool {
    // The operation of the call: an unknown one, since the system reads the signal set before it looks at the
    // operation.
    const NOTHING_KNOWN: libc::c_long = -1;
    // SAFETY: the call changes nothing at any address, since it fails in either case.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, NOTHING_KNOWN, address, 0usize, 8usize);
        *libc::__errno_location() != libc::EFAULT
    }
}

#[cfg(not(target_os = "linux"))]
pub fn is_readable(_address: usize) -> bool {
    true
}

/// Readable memory, for walks that ask often: pages found readable are remembered. No page may be unmapped
/// while one is used.
pub struct Readable {
    pages: [usize; PLACES],
}

const PLACES: usize = 64;
/// Bytes of the smallest page of any system.
const LEAST_PAGE_BYTES: usize = 4096;

impl Readable {
    pub fn new() -> Readable {
        Readable { pages: [0; PLACES] }
    }

    /// Whether all of these bytes can be read.
    pub fn has(&mut self, at: usize, bytes: usize) -> bool {
        let Some(last) = at.checked_add(bytes.max(1) - 1) else { return false };
        (at / LEAST_PAGE_BYTES..=last / LEAST_PAGE_BYTES).all(|page| self.has_page(page))
    }

    fn has_page(&mut self, page: usize) -> bool {
        let known = &mut self.pages[page % PLACES];
        if *known != page || page == 0 {
            // For address 0 the call would have no set to read, and not fail.
            if page == 0 || !is_readable(page * LEAST_PAGE_BYTES) {
                return false;
            }
            *known = page;
        }
        true
    }
}

impl Default for Readable {
    fn default() -> Readable {
        Readable::new()
    }
}

/// Whether the aligned word of 32 bits at a readable address can be written. A system call; the word keeps
/// its value, even if another thread writes to it.
#[cfg(target_os = "linux")]
pub(crate) fn is_writable(address: usize) -> bool {
    // An operation on two words. It wakes waiters on a word of ours, of which there are none, and replaces
    // the word at the address by its `or` with 0, atomically; waiters there would be woken only if that were
    // negative, which no number is.
    const OR_NOTHING: libc::c_int = libc::FUTEX_OP_OR << 28 | libc::FUTEX_OP_CMP_LT << 24;
    const WAKE_OR: libc::c_int = libc::FUTEX_WAKE_OP | libc::FUTEX_PRIVATE_FLAG;
    let nobody = 0u32;
    // SAFETY: the first word is ours, and the value of the second does not change.
    let failed = unsafe {
        libc::syscall(libc::SYS_futex, &raw const nobody, WAKE_OR, 0usize, 0usize, address, OR_NOTHING)
    } < 0;
    !failed || std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT)
}

#[cfg(not(target_os = "linux"))]
pub fn is_writable(_address: usize) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Readable, is_readable, is_writable};
    use crate::os::memory::Area;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn what_can_be_read_is_known() {
        let word = 7usize;
        assert!(is_readable(&raw const word as usize));
        assert!(!is_readable(8) && !is_readable(0x5b5b_5b5b_5b5b_5b58));
    }

    #[test]
    fn a_part_can_be_read_when_all_of_its_pages_can() {
        let bytes = 1 << 20;
        let area = Area::map(bytes).unwrap();
        let mut readable = Readable::new();
        for _ in 0..2 {
            assert!(readable.has(area.start().0 + 8, bytes - 8));
            assert!(
                !readable.has(8, 8) && !readable.has(usize::MAX - 7, 8) && !readable.has(usize::MAX - 7, 16)
            );
        }
    }

    #[test]
    fn what_can_be_written_is_known_and_stays() {
        static CONSTANT: [u32; 2] = [7, 8];
        let word = AtomicU32::new(0x8765_4321);
        assert!(is_writable(word.as_ptr() as usize));
        assert_eq!(word.load(Ordering::Relaxed), 0x8765_4321);
        assert!(!is_writable(&raw const CONSTANT as usize) && !is_writable(8));
    }
}
