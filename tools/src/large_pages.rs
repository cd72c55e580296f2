//! Memory for large arrays in large pages of the system, where it has them on request: graphs are walked in no order, and with small
//! pages a third of such a walk waits for the tables of pages.

use std::alloc::{GlobalAlloc, Layout, System};

/// Arrays from this size on; 2 MiB is a large page.
const LEAST: usize = 16 << 20;

pub struct LargePages;

#[global_allocator]
static LARGE_PAGES: LargePages = LargePages;

// SAFETY: everything is the system's allocator's; the advice changes nothing of what memory holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that the system's allocator wants.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.realloc(at, layout, size) }, size)
    }
}

fn advised(at: *mut u8, bytes: usize) -> *mut u8 {
    if bytes >= LEAST && !at.is_null() {
        advise(at, bytes);
    }
    at
}

#[cold]
fn advise(at: *mut u8, bytes: usize) {
    const PAGE: usize = 4096;
    let skipped = at.align_offset(PAGE);
    // SAFETY: the pages lie within the allocation, and advice to have larger ones keeps what is in them. Systems without large
    // pages refuse it, which is no failure.
    unsafe {
        libc::madvise(at.wrapping_add(skipped).cast(), (bytes - skipped) / PAGE * PAGE, libc::MADV_HUGEPAGE);
    }
}
