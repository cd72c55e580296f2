//! Memory for large arrays: in large pages of the system, where it has them on request, and used again by the next array. Graphs are
//! walked in no order, and with small pages a third of such a walk waits for the tables of pages; memory that the system takes back
//! and gives again is filled with zeros each time, which is a fifth of the time that a large graph takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Arrays from this size on are mapped by themselves.
const LEAST: usize = 16 << 20;
/// A large page: mappings are whole ones.
const PAGE: usize = 2 << 20;
/// Stretches and bytes of freed memory that are kept at most.
const STRETCHES: usize = 32;
const MOST_KEPT: usize = 2 << 30;

pub struct LargePages;

#[cfg(not(test))] // tests count what is allocated, src/fuzz/memory.rs, and ask this allocator by itself
#[global_allocator]
static LARGE_PAGES: LargePages = LargePages;

/// Memory of arrays that were freed, which may have anything in it.
static KEPT: Mutex<Kept> = Mutex::new(Kept { stretches: [(0, 0); STRETCHES], count: 0, bytes: 0 });

struct Kept {
    /// Address and length.
    stretches: [(usize, usize); STRETCHES],
    count: usize,
    bytes: usize,
}

impl Kept {
    /// The smallest stretch that is long enough; what is left of it stays.
    fn take(&mut self, length: usize) -> Option<usize> {
        let fits = |place: &usize| self.stretches[*place].1 >= length;
        let place = (0..self.count).filter(fits).min_by_key(|&place| self.stretches[place].1)?;
        let (at, whole) = self.stretches[place];
        self.bytes -= length;
        if whole > length {
            self.stretches[place] = (at + length, whole - length);
        } else {
            self.drop_out(place);
        }
        Some(at)
    }

    /// Whether it is kept. Neighbours become one stretch.
    fn put(&mut self, mut at: usize, mut length: usize) -> bool {
        if self.bytes + length > MOST_KEPT {
            return false;
        }
        let more = length;
        while let Some(place) = (0..self.count).find(|&place| {
            let (other, long) = self.stretches[place];
            other + long == at || at + length == other
        }) {
            let (other, long) = self.stretches[place];
            (at, length) = (at.min(other), length + long);
            self.drop_out(place);
        }
        if self.count == STRETCHES {
            return false;
        }
        self.stretches[self.count] = (at, length);
        self.count += 1;
        self.bytes += more;
        true
    }

    fn drop_out(&mut self, place: usize) {
        self.count -= 1;
        self.stretches[place] = self.stretches[self.count];
    }
}

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The length of an array's mapping, if it has one of its own.
fn mapped(layout: Layout) -> Option<usize> {
    if layout.size() < LEAST || layout.align() > 4096 {
        return None;
    }
    layout.size().checked_next_multiple_of(PAGE)
}

/// Whether fresh memory was mapped, which is zero; null where there is none.
fn stretch(length: usize) -> (*mut u8, bool) {
    if let Some(at) = kept().take(length) {
        return (std::ptr::with_exposed_provenance_mut(at), false);
    }
    let mut at = map(length);
    if at.is_null() {
        give_back();
        at = map(length);
    }
    (at, true)
}

fn map(length: usize) -> *mut u8 {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, wherever the system likes.
    let at = unsafe { libc::mmap(null_mut(), length, access, kind, -1, 0) };
    if at == libc::MAP_FAILED { null_mut() } else { advised(at.cast(), length) }
}

/// Asks for large pages. Systems without them refuse, which is no failure.
fn advised(at: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: the mapping is ours, and advice to have larger pages keeps what is in it.
    unsafe { libc::madvise(at.cast(), length, libc::MADV_HUGEPAGE) };
    at
}

/// All that is kept, to a system that has no more.
fn give_back() {
    let mut kept = kept();
    while kept.count > 0 {
        let (at, length) = kept.stretches[0];
        kept.drop_out(0);
        kept.bytes -= length;
        unmap(std::ptr::with_exposed_provenance_mut(at), length);
    }
}

fn unmap(at: *mut u8, length: usize) {
    // SAFETY: callers pass mappings of this file that no array lies in. A failure leaves them mapped.
    unsafe { libc::munmap(at.cast(), length) };
}

/// Memory of an array that is gone.
fn free(at: *mut u8, length: usize) {
    // Not a part of the condition: the lock would be held while the system works.
    let is_kept = kept().put(at.expose_provenance(), length);
    if !is_kept {
        unmap(at, length);
    }
}

/// The mapping of an array with another length, perhaps elsewhere; null where it is as it was.
fn grown(at: *mut u8, before: usize, after: usize) -> *mut u8 {
    // SAFETY: callers pass an array's own mapping; it moves with what is in it, or stays as it was.
    let moved = unsafe { libc::mremap(at.cast(), before, after, libc::MREMAP_MAYMOVE) };
    if moved == libc::MAP_FAILED { null_mut() } else { advised(moved.cast(), after) }
}

impl LargePages {
    /// An array in other memory; null where there is none, and then the array is as it was.
    ///
    /// # Safety
    /// As of `realloc`: the array has the layout, and the new one has its alignment and is not empty.
    unsafe fn copied(&self, at: *mut u8, layout: Layout, new: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. What was allocated is other memory, into which the smaller one's size fits.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(at, layout.size().min(new.size()));
                self.dealloc(at, layout);
            }
            moved
        }
    }
}

// SAFETY: small arrays are the system's allocator's. Each large one has whole pages of a mapping that nobody else has, of a length that
// follows from its layout alone; pages are aligned to any layout that `mapped` takes.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match mapped(layout) {
            Some(length) => stretch(length).0,
            // SAFETY: the caller's promise is the one that the system's allocator wants.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(length) = mapped(layout) else {
            // SAFETY: as above.
            return unsafe { System.alloc_zeroed(layout) };
        };
        let (at, fresh) = stretch(length);
        if !fresh {
            // SAFETY: the stretch has this length, and nobody else has it.
            unsafe { at.write_bytes(0, layout.size()) };
        }
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        match mapped(layout) {
            Some(length) => free(at, length),
            // SAFETY: as above: this layout went to the system's allocator.
            None => unsafe { System.dealloc(at, layout) },
        }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size, rounded up to the alignment, is none too large.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (mapped(layout), mapped(new)) {
            // SAFETY: both are the system's allocator's.
            (None, None) => unsafe { System.realloc(at, layout, size) },
            (Some(before), Some(after)) if before == after => at,
            (Some(before), Some(after)) => {
                // The system grows nothing that lies over several mappings, as what was kept may, and has no memory while that is
                // kept: to copy helps with the one, and gives back what is kept, which helps with the other.
                let mut moved = grown(at, before, after);
                if moved.is_null() {
                    // SAFETY: the caller's promise.
                    moved = unsafe { self.copied(at, layout, new) };
                }
                if moved.is_null() { grown(at, before, after) } else { moved }
            }
            // SAFETY: the caller's promise.
            _ => unsafe { self.copied(at, layout, new) },
        }
    }
}

#[cfg(test)]
#[path = "large_pages_tests.rs"]
mod tests;
