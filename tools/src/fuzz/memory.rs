//! How much memory a case takes: an allocator that counts for each thread what is held, and the most since it was asked.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// No case may hold more at once, whatever its size: the process ends there, before the machine is out of memory.
const MOST_BYTES: isize = 2 << 30;

thread_local! {
    /// Below nothing when the thread gave back what others had taken.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
    /// The number of the case, to be named if the process ends within it.
    static CASE: Cell<Option<u64>> = const { Cell::new(None) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: everything is the system's allocator's; counting touches only cells without destructors, which are there for
// as long as the thread is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's promise is the one that the system's allocator wants.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        took(size);
        gave(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

fn took(bytes: usize) {
    // No layout is larger than isize::MAX.
    let held = HELD.get().wrapping_add(bytes as isize);
    HELD.set(held);
    if held > MOST.get() {
        MOST.set(held);
        if held > MOST_BYTES
            && let Some(case) = CASE.take()
        {
            eprintln!("more than {MOST_BYTES} bytes in the case BARROW_FUZZ_SEED={case}");
            std::process::abort();
        }
    }
}

fn gave(bytes: usize) {
    HELD.set(HELD.get().wrapping_sub(bytes as isize));
}

/// The most bytes that `body`, case number `case`, held at once beyond what was held before.
pub fn most_held(case: u64, body: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    CASE.set(Some(case));
    body();
    CASE.set(None);
    usize::try_from(MOST.get() - before).unwrap_or(0)
}

#[test]
fn the_most_is_counted() {
    let most = most_held(0, || {
        drop(std::hint::black_box(vec![1u8; 3_000_000]));
        drop(std::hint::black_box(vec![1u8; 1_000_000]));
    });
    assert!((3_000_000..3_100_000).contains(&most), "{most}");
}
