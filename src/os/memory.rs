//! Address space and memory: reserve, commit, return, release.
//!
//! A `Reservation` is one mapping without access rights, of which a growing prefix is committed; an `Area` is a
//! mapping that can be used at once and costs memory only where it is touched.

use super::shadow;
use crate::base::{Addr, fault};
use std::ops::Range;

/// A mapping of zeroed, writable memory, unmapped when dropped.
pub struct Area {
    start: Addr,
    bytes: usize,
}

/// Bytes of an area up to which `mlockall` may lock it. A larger area is mostly never touched, but a process
/// that locks all future mappings would get memory for the whole of it at once, so it is unlocked.
const MOST_LOCKED_BYTES: usize = 4 << 20;

impl Area {
    /// Maps `bytes`, or nothing. Memory is taken where it is first touched.
    pub fn map(bytes: usize) -> Option<Area> {
        if !fault::allow() {
            return None;
        }
        let is_sparse = bytes > MOST_LOCKED_BYTES;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let at = map_somewhere(bytes.max(1), if is_sparse { libc::PROT_NONE } else { rights })?;
        let area = Area { start: at, bytes: bytes.max(1) };
        if is_sparse {
            // SAFETY: the range was mapped just now, and no other code knows it. Unlocking memory that is not
            // locked changes nothing.
            unsafe { libc::munlock(at.as_ptr(), bytes) };
            if !allow_access(at, bytes) {
                return None;
            }
        }
        Some(area)
    }

    pub fn start(&self) -> Addr {
        self.start
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn advise_huge_pages(&self) {
        self.advise_huge_pages_in(0..self.bytes());
    }

    pub fn advise_huge_pages_in(&self, part: Range<usize>) {
        // A kernel without huge pages refuses, which is no loss.
        self.advise(libc::MADV_HUGEPAGE, part);
    }

    /// Leaves the area out of core dumps: a dump looks at each page, and there may be billions.
    pub fn advise_no_dump(&self) {
        // A kernel that does not know this advice refuses, which costs a dump's time.
        self.advise(libc::MADV_DONTDUMP, 0..self.bytes);
    }

    /// Gives advice that changes no contents, for the pages of a part. True when it was taken.
    fn advise(&self, advice: libc::c_int, part: Range<usize>) -> bool {
        assert!(part.start <= part.end && part.end <= self.bytes);
        let from = part.start / page_bytes() * page_bytes();
        advise(self.start.plus_bytes(from), part.end - from, advice)
    }

    /// Returns the memory of a part to the system; it reads as zero afterwards.
    ///
    /// # Safety
    /// Nothing in the pages that the part lies in is needed any more, and no reference to it is held.
    pub unsafe fn discard(&self, offset: usize, bytes: usize) {
        assert!(offset + bytes <= self.bytes);
        // SAFETY: the caller's promise; the part lies in this mapping.
        unsafe { give_back(self.start.plus_bytes(offset), bytes) };
    }

    /// Touches a part in one call; pages refused now get their memory later. False when this system has no
    /// such call.
    pub fn populate(&self, part: Range<usize>) -> bool {
        self.advise(POPULATE_WRITE, part) || !is_unknown_advice()
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        trim(self.start, self.start.plus_bytes(self.bytes));
    }
}

/// Gives the system advice that changes no contents. True when it was taken.
fn advise(at: Addr, bytes: usize, advice: libc::c_int) -> bool {
    if !fault::allow() {
        refuse_as_the_system();
        return false;
    }
    // SAFETY: no contents change at any address.
    unsafe { libc::madvise(at.as_ptr(), bytes, advice) == 0 }
}

/// Whether advice was refused just now because this system does not know it, or the part is none.
fn is_unknown_advice() -> bool {
    std::io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}

/// Sets the error of a system without memory, for a refusal that a test asked for.
fn refuse_as_the_system() {
    // SAFETY: the thread's own word.
    unsafe { *libc::__errno_location() = libc::ENOMEM };
}

/// Makes pages of the caller's readable and writable. False when the system refuses.
fn allow_access(at: Addr, bytes: usize) -> bool {
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the callers own the pages, and nobody relies on their being without access.
    fault::allow() && unsafe { libc::mprotect(at.as_ptr(), bytes, rights) == 0 }
}

fn map_somewhere(bytes: usize, rights: libc::c_int) -> Option<Addr> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new private mapping at an address of the system's choice touches nothing that exists.
    let got = unsafe { libc::mmap(std::ptr::null_mut(), bytes, rights, flags, -1, 0) };
    (got != libc::MAP_FAILED).then_some(Addr(got as usize))
}

/// Returns the memory of a part's pages to the system. They read as zero afterwards in any case: locked
/// memory is refused by the system, and its pages are mapped anew, or filled with zeros.
///
/// # Safety
/// The pages are the caller's, mapped for writing, and their contents are needed no more.
unsafe fn give_back(at: Addr, bytes: usize) {
    if bytes == 0 {
        return;
    }
    let page = page_bytes();
    let from = Addr(at.0 / page * page);
    let bytes = at.plus_bytes(bytes).bytes_since(from).next_multiple_of(page);
    // SAFETY: the caller gives the contents up.
    let given = fault::allow() && unsafe { libc::madvise(from.as_ptr(), bytes, libc::MADV_DONTNEED) } == 0;
    if planted!(236, true, given) {
        return;
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the pages are the caller's, so no other mapping is in the way; a refused mapping leaves them.
    if fault::allow() && unsafe { libc::mmap(from.as_ptr(), bytes, rights, flags, -1, 0) } != libc::MAP_FAILED
    {
        return;
    }
    shadow::hand_out(from, from.plus_bytes(bytes));
    // SAFETY: the pages are mapped for writing.
    unsafe { from.as_ptr::<u8>().write_bytes(0, bytes) };
}

/// Address space without memory. `commit` makes a prefix of it usable.
pub(crate) struct Reservation {
    start: Addr,
    bytes: usize,
    committed: usize,
}

// Bytes that are committed at a time: raising the rights of a range costs a system call, and so it is
// rare.
const COMMIT_BYTES: usize = 32 << 20;

impl Reservation {
    /// Reserves `bytes` at a multiple of `alignment`, or nothing.
    pub(crate) fn reserve(bytes: usize, alignment: usize) -> Option<Reservation> {
        if !fault::allow() {
            return None;
        }
        let asked = bytes.checked_add(alignment)?;
        let got = map_somewhere(asked, libc::PROT_NONE)?;
        let start = got.align_up(alignment);
        trim(got, start);
        trim(start.plus_bytes(bytes), got.plus_bytes(asked));
        Some(Reservation { start, bytes, committed: 0 })
    }

    pub(crate) fn start(&self) -> Addr {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn advise_huge_pages(&self) {
        // A kernel without huge pages refuses, which is no loss.
        advise(self.start, self.bytes, libc::MADV_HUGEPAGE);
    }

    /// Makes the first `bytes` usable. False when the system refuses; usable bytes stay usable.
    pub(crate) fn commit(&mut self, bytes: usize) -> bool {
        if bytes <= self.committed {
            return true;
        }
        if bytes > self.bytes {
            return false;
        }
        let wanted = bytes.next_multiple_of(COMMIT_BYTES).min(self.bytes);
        for upto in [wanted, bytes] {
            // The range lies in this reservation, which no other code knows.
            if allow_access(self.start.plus_bytes(self.committed), upto - self.committed) {
                self.committed = upto;
                return true;
            }
        }
        false
    }

    /// Returns the memory of a part to the system; it reads as zero afterwards.
    ///
    /// # Safety
    /// Nothing in the part is needed any more, and no reference to it is held.
    pub(crate) unsafe fn discard(&self, at: Addr, bytes: usize) {
        debug_assert!(at >= self.start && at.0 + bytes <= self.start.0 + self.committed);
        // SAFETY: the caller gives the contents up; the part lies in this mapping.
        unsafe { give_back(at, bytes) };
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // Other mappings may get these addresses.
        shadow::hand_out(self.start, self.start.plus_bytes(self.committed));
        trim(self.start, self.start.plus_bytes(self.bytes));
    }
}

/// A whole mapping of usable memory at a multiple of its alignment, unmapped when dropped.
pub(crate) struct Chunk {
    start: Addr,
    bytes: usize,
}

impl Chunk {
    pub(crate) fn map(bytes: usize, alignment: usize) -> Option<Chunk> {
        let mut reservation = Reservation::reserve(bytes, alignment)?;
        if !reservation.commit(bytes) {
            return None;
        }
        let chunk = Chunk { start: reservation.start, bytes };
        std::mem::forget(reservation);
        Some(chunk)
    }

    pub(crate) fn start(&self) -> Addr {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn advise_huge_pages(&self) {
        // A kernel without huge pages refuses, which is no loss.
        advise(self.start, self.bytes, libc::MADV_HUGEPAGE);
    }

    /// # Safety
    /// Nothing in the part is needed any more, and no reference to it is held.
    pub(crate) unsafe fn discard(&self, at: Addr, bytes: usize) {
        // SAFETY: the caller gives the contents up; the part lies in this mapping.
        unsafe { give_back(at, bytes) };
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        shadow::hand_out(self.start, self.start.plus_bytes(self.bytes));
        trim(self.start, self.start.plus_bytes(self.bytes));
    }
}

/// Unmaps a part. The system may refuse, since unmapping the middle makes one more mapping; then the part
/// stays reserved and is forgotten.
fn trim(from: Addr, to: Addr) {
    if to > from && fault::allow() {
        // SAFETY: the callers own this part of a mapping and give it up.
        unsafe { libc::munmap(from.as_ptr(), to.bytes_since(from)) };
    }
}

/// Touches a part of a mapping in one call, which costs about half as much as a fault for each page. False
/// when this system has no such call; memory refused now is given at the first touch, as without the call.
///
/// # Safety
/// The part is a writable mapping of the caller's.
pub(crate) unsafe fn populate(at: Addr, bytes: usize) -> bool {
    advise(at, bytes, POPULATE_WRITE) || !is_unknown_advice()
}

/// Number of the advice, which Linux has since 5.14; other systems refuse the number.
const POPULATE_WRITE: libc::c_int = 23;

pub(crate) fn page_bytes() -> usize {
    // SAFETY: a pure question.
    let answer = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    if answer > 0 { answer as usize } else { 4096 }
}

/// Number of pages of a mapping that hold memory.
#[cfg(test)]
pub(crate) fn resident_pages(at: Addr, bytes: usize) -> usize {
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
    fn memory_that_is_given_back_reads_as_zero_whatever_is_refused() {
        let area = Area::map(1 << 20).unwrap();
        // Three cases: no call is refused; the advice is; the new mapping is too.
        for refused_from in [2, 1, 0] {
            // SAFETY: the area is ours, and as long.
            unsafe { area.start().as_ptr::<u8>().write_bytes(7, area.bytes()) };
            fault::fail_after(refused_from);
            // SAFETY: nothing in it is needed.
            unsafe { area.discard(64 << 10, 256 << 10) };
            fault::stop();
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts(area.start().as_ptr::<u8>(), area.bytes()) };
            let (before, rest) = bytes.split_at(64 << 10);
            let (given, after) = rest.split_at(256 << 10);
            assert!(given.iter().all(|&byte| byte == 0) && before.iter().chain(after).all(|&byte| byte == 7));
        }
    }

    #[test]
    fn populated_memory_is_there_and_unknown_advice_is_told() {
        let area = Area::map(1 << 20).unwrap();
        assert_eq!(resident_pages(area.start(), area.bytes()), 0);
        // SAFETY: the first half of the area.
        if unsafe { populate(area.start(), 512 << 10) } {
            assert_eq!(resident_pages(area.start(), area.bytes()), (512 << 10) / page_bytes());
        }
        // The address begins no page, which the kernel refuses as it does unknown advice.
        // SAFETY: in the area.
        assert!(!unsafe { populate(area.start().plus_bytes(8), 4096) });
    }
}
