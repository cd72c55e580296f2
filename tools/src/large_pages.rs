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
                // SAFETY: the mapping is the array's own; it moves with what is in it, or stays as it was.
                let moved = unsafe { libc::mremap(at.cast(), before, after, libc::MREMAP_MAYMOVE) };
                if moved == libc::MAP_FAILED { null_mut() } else { advised(moved.cast(), after) }
            }
            _ => {
                // SAFETY: one of the two is mapped and the other is not: other memory, into which the smaller one's size fits.
                unsafe {
                    let moved = self.alloc(new);
                    if !moved.is_null() {
                        moved.copy_from_nonoverlapping(at, layout.size().min(size));
                        self.dealloc(at, layout);
                    }
                    moved
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_keep_what_is_in_them() {
        let size = LEAST / 8;
        let mut grows: Vec<u64> = Vec::new();
        (0..5 * size as u64).for_each(|value| grows.push(value));
        let used = grows.clone();
        grows.truncate(3 * size);
        grows.shrink_to_fit();
        assert!(grows.iter().copied().eq(0..3 * size as u64));
        grows.truncate(10);
        grows.shrink_to_fit();
        assert!(grows.iter().copied().eq(0..10));
        drop(used);
        // Of memory that was used before, or not.
        for _ in 0..3 {
            let mut zeros = vec![0u64; 2 * size + 1];
            assert!(zeros.iter().all(|&value| value == 0));
            zeros.fill(u64::MAX);
        }
    }

    #[test]
    fn what_was_freed_is_used_again() {
        let mut kept = Kept { stretches: [(0, 0); STRETCHES], count: 0, bytes: 0 };
        assert!(kept.put(10 * PAGE, 4 * PAGE) && kept.put(20 * PAGE, 2 * PAGE));
        assert_eq!(kept.take(2 * PAGE), Some(20 * PAGE), "the smaller one");
        assert_eq!(kept.take(3 * PAGE), Some(10 * PAGE), "the beginning of the other");
        assert_eq!((kept.take(2 * PAGE), kept.bytes), (None, PAGE));
        assert!(kept.put(10 * PAGE, 3 * PAGE) && kept.put(8 * PAGE, 2 * PAGE));
        assert_eq!(
            (kept.count, kept.take(6 * PAGE), kept.bytes),
            (1, Some(8 * PAGE), 0),
            "neighbours are one"
        );
        assert!(!kept.put(0, MOST_KEPT + PAGE));
        assert!((0..STRETCHES).all(|place| kept.put((2 * place + 1) * PAGE, PAGE)));
        assert!(!kept.put(1000 * PAGE, PAGE), "there is no place for more");
        assert_eq!((kept.count, kept.bytes), (STRETCHES, STRETCHES * PAGE));
    }
}
