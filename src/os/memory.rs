//! Address space and memory: reserve, commit, return, release.
//!
//! A `Reservation` is one mapping without access rights, of which a growing prefix is committed; an `Area` is a
//! mapping that can be used at once and costs memory only where it is touched.

use crate::base::{Addr, fault};
use memmap2::{Advice, MmapMut, MmapOptions, UncheckedAdvice};
use std::ops::Range;

/// A mapping of zeroed, writable memory, unmapped when dropped.
pub struct Area(MmapMut);

impl Area {
    /// Maps `bytes`, or nothing. Memory is taken where it is first touched.
    pub fn map(bytes: usize) -> Option<Area> {
        if !fault::allow() {
            return None;
        }
        MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok().map(Area)
    }

    pub fn start(&self) -> Addr {
        Addr(self.0.as_ptr() as usize)
    }

    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    pub fn advise_huge_pages(&self) {
        self.advise_huge_pages_in(0..self.bytes());
    }

    pub fn advise_huge_pages_in(&self, part: Range<usize>) {
        // Refused where the kernel has none, which is no loss.
        let _ = self.0.advise_range(Advice::HugePage, part.start, part.len());
    }

    /// A picture of a process that died leaves it out: writing one looks at each page, and there may be billions.
    pub fn advise_no_dump(&self) {
        // Refused where the kernel does not know it, which costs a dump's time.
        let _ = self.0.advise(Advice::DontDump);
    }

    /// Gives the memory of a part back; it reads as zero afterwards.
    ///
    /// # Safety
    /// Nothing in the part is needed any more, and no reference to it is held.
    pub unsafe fn discard(&self, offset: usize, bytes: usize) {
        // SAFETY: the caller gives the contents up; the part lies in this mapping.
        let _ = unsafe { self.0.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, bytes) };
    }

    /// Touches a part in one call; what is refused is touched later. False when this system has no such call.
    pub fn populate(&self, part: Range<usize>) -> bool {
        let done = self.0.advise_range(Advice::PopulateWrite, part.start, part.len());
        !done.is_err_and(|error| error.raw_os_error() == Some(libc::EINVAL))
    }
}

/// Address space without memory. `commit` makes a prefix usable.
pub struct Reservation {
    start: Addr,
    bytes: usize,
    committed: usize,
}

// Raising the rights of a range costs a system call; this much at a time makes it rare.
const COMMIT_BYTES: usize = 32 << 20;

impl Reservation {
    /// Reserves `bytes` at a multiple of `alignment`, or nothing.
    pub fn reserve(bytes: usize, alignment: usize) -> Option<Reservation> {
        if !fault::allow() {
            return None;
        }
        let asked = bytes.checked_add(alignment)?;
        // SAFETY: a new private mapping at an address of the system's choice touches nothing that exists.
        let got = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                asked,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if got == libc::MAP_FAILED {
            return None;
        }
        let got = Addr(got as usize);
        let start = got.align_up(alignment);
        trim(got, start);
        trim(start.plus_bytes(bytes), got.plus_bytes(asked));
        Some(Reservation { start, bytes, committed: 0 })
    }

    pub fn start(&self) -> Addr {
        self.start
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn advise_huge_pages(&self) {
        // SAFETY: the range is ours; the advice changes no contents.
        unsafe { libc::madvise(self.start.as_ptr(), self.bytes, libc::MADV_HUGEPAGE) };
    }

    /// Makes the first `bytes` usable. False when the system refuses; what was usable stays so.
    pub fn commit(&mut self, bytes: usize) -> bool {
        if bytes <= self.committed {
            return true;
        }
        if bytes > self.bytes || !fault::allow() {
            return false;
        }
        let wanted = bytes.next_multiple_of(COMMIT_BYTES).min(self.bytes);
        for upto in [wanted, bytes] {
            // SAFETY: the range lies in this reservation, which nobody else knows.
            let refused = unsafe {
                libc::mprotect(
                    self.start.plus_bytes(self.committed).as_ptr(),
                    upto - self.committed,
                    libc::PROT_READ | libc::PROT_WRITE,
                )
            } != 0;
            if !refused {
                self.committed = upto;
                return true;
            }
        }
        false
    }

    /// Gives the memory of a part back; it reads as zero afterwards.
    ///
    /// # Safety
    /// Nothing in the part is needed any more, and no reference to it is held.
    pub unsafe fn discard(&self, at: Addr, bytes: usize) {
        debug_assert!(at >= self.start && at.0 + bytes <= self.start.0 + self.committed);
        // SAFETY: the caller gives the contents up; the part lies in this mapping.
        unsafe { libc::madvise(at.as_ptr(), bytes, libc::MADV_DONTNEED) };
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        trim(self.start, self.start.plus_bytes(self.bytes));
    }
}

/// A whole mapping of usable memory at a multiple of its alignment, unmapped when dropped.
pub struct Chunk {
    start: Addr,
    bytes: usize,
}

impl Chunk {
    pub fn map(bytes: usize, alignment: usize) -> Option<Chunk> {
        let mut reservation = Reservation::reserve(bytes, alignment)?;
        if !reservation.commit(bytes) {
            return None;
        }
        let chunk = Chunk { start: reservation.start, bytes };
        std::mem::forget(reservation);
        Some(chunk)
    }

    pub fn start(&self) -> Addr {
        self.start
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn advise_huge_pages(&self) {
        // SAFETY: the range is ours; the advice changes no contents.
        unsafe { libc::madvise(self.start.as_ptr(), self.bytes, libc::MADV_HUGEPAGE) };
    }

    /// # Safety
    /// Nothing in the part is needed any more, and no reference to it is held.
    pub unsafe fn discard(&self, at: Addr, bytes: usize) {
        // SAFETY: the caller gives the contents up; the part lies in this mapping.
        unsafe { libc::madvise(at.as_ptr(), bytes, libc::MADV_DONTNEED) };
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        trim(self.start, self.start.plus_bytes(self.bytes));
    }
}

fn trim(from: Addr, to: Addr) {
    if to > from {
        // SAFETY: the callers own this part of a mapping and give it up.
        unsafe { libc::munmap(from.as_ptr(), to.bytes_since(from)) };
    }
}

/// Touches a part of a mapping in one call, which costs about half of what it costs to run into each page. False when
/// this system has no such call; memory that is refused is touched later, as it would have been anyway.
///
/// # Safety
/// The part is a writable mapping of the caller's.
pub unsafe fn populate(at: Addr, bytes: usize) -> bool {
    // SAFETY: the caller's promise; contents stay as they are.
    let refused = unsafe { libc::madvise(at.as_ptr(), bytes, POPULATE_WRITE) } != 0;
    !refused || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINVAL)
}

/// Linux 5.14 has it; others take the number for a mistake.
const POPULATE_WRITE: libc::c_int = 23;

/// Resident memory of this process in bytes, or 0 where the system does not say.
pub fn resident_bytes() -> usize {
    // /proc/self/statm: total, resident, ... in pages. Read without allocation, since it is asked in odd moments.
    let Ok(file) = std::fs::File::open("/proc/self/statm") else { return 0 };
    let mut buffer = [0u8; 128];
    let Ok(length) = std::io::Read::read(&mut &file, &mut buffer) else { return 0 };
    let text = std::str::from_utf8(&buffer[..length]).unwrap_or("");
    let pages: usize = text.split_ascii_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * page_bytes()
}

pub fn page_bytes() -> usize {
    // SAFETY: a pure question.
    let answer = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    if answer > 0 { answer as usize } else { 4096 }
}

/// Pages of a mapping that hold memory.
#[cfg(test)]
pub fn resident_pages(at: Addr, bytes: usize) -> usize {
    let mut pages = vec![0u8; bytes.div_ceil(page_bytes())];
    // SAFETY: the callers hand in a part of a mapping that begins at a page, and there is a byte for each page of it.
    let failed = unsafe { libc::mincore(at.as_ptr(), bytes, pages.as_mut_ptr().cast()) } != 0;
    assert!(!failed, "{}", std::io::Error::last_os_error());
    pages.iter().filter(|&page| page & 1 != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn populated_memory_is_there_and_unknown_advice_is_told() {
        let area = Area::map(1 << 20).unwrap();
        assert_eq!(resident_pages(area.start(), area.bytes()), 0);
        // SAFETY: the first half of the area.
        if unsafe { populate(area.start(), 512 << 10) } {
            assert_eq!(resident_pages(area.start(), area.bytes()), (512 << 10) / page_bytes());
        }
        // Not a page's beginning, which the kernel refuses in the same way.
        // SAFETY: in the area.
        assert!(!unsafe { populate(area.start().plus_bytes(8), 4096) });
    }
}
