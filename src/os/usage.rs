//! The system's counts for this process.

use crate::base::{Addr, fault};
use std::io::Read;

/// Page faults so far that had to wait for a disk.
pub(crate) fn page_faults() -> u64 {
    // SAFETY: `usage` is a valid place for the answer; all-zero is a valid value of it.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_SELF, &mut usage) == 0 { usage.ru_majflt as u64 } else { 0 }
    }
}

/// Bytes of a mapping that have memory behind them; all of them where the system does not say.
pub(crate) fn touched_bytes(start: Addr, bytes: usize) -> usize {
    // The answer has one byte for each page, and a call asks for 4 MiB of pages of 4 KiB.
    let mut pages = [0u8; 1024];
    let page = super::memory::page_bytes();
    let (mut at, end) = (start.align_down(page), start.plus_bytes(bytes));
    let mut touched = 0;
    while at < end {
        let part = (end.bytes_since(at)).min(pages.len() * page);
        let count = part.div_ceil(page);
        // SAFETY: a question about a range of addresses; the answer has room for its pages.
        if fault::allow() && unsafe { libc::mincore(at.as_ptr(), part, pages.as_mut_ptr().cast()) } == 0 {
            touched += pages[..count].iter().filter(|&&p| p & 1 != 0).count() * page;
        } else {
            touched += part;
        }
        at = at.plus_bytes(part);
    }
    touched
}

/// Copies the program's name and arguments, each ending with NUL, as far as they fit. Returns the number
/// of bytes.
pub(crate) fn command_line(buffer: &mut [u8]) -> usize {
    let Ok(mut file) = std::fs::File::open("/proc/self/cmdline") else { return 0 };
    let mut used = 0;
    while used < buffer.len() {
        match file.read(&mut buffer[used..]) {
            Ok(0) | Err(_) => break,
            Ok(more) => used += more,
        }
    }
    used
}
