//! Arrays of the allocator of large ones, which tests ask by itself: as they grow and shrink, lie over several mappings, and under a
//! limit of memory.

use super::*;
use std::process::Command;

/// Each test has what is kept to itself.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    give_back();
    alone
}

/// A large array of bytes, made and freed by the allocator under test.
struct Array {
    at: *mut u8,
    size: usize,
}

impl Array {
    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 8).unwrap()
    }

    fn new(size: usize) -> Array {
        // SAFETY: the size is not zero.
        let at = unsafe { LargePages.alloc(Self::layout(size)) };
        assert!(!at.is_null());
        Array { at, size }
    }

    fn zeros(size: usize) -> Array {
        // SAFETY: the size is not zero.
        let at = unsafe { LargePages.alloc_zeroed(Self::layout(size)) };
        assert!(!at.is_null());
        Array { at, size }
    }

    fn resize(&mut self, size: usize) {
        // SAFETY: the array has the layout of its size, and the new size is not zero.
        let at = unsafe { LargePages.realloc(self.at, Self::layout(self.size), size) };
        assert!(!at.is_null(), "from {} to {size} bytes", self.size);
        (self.at, self.size) = (at, size);
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the array has so many bytes; callers write each before they read it.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.size) }
    }

    /// Another value in each page, the first and the last byte.
    fn fill(&mut self) {
        let last = self.size - 1;
        let bytes = self.bytes();
        bytes.iter_mut().step_by(4096).zip(1usize..).for_each(|(byte, value)| *byte = (value % 251) as u8);
        bytes[last] = 252;
    }

    /// Whether the first `size` bytes are as `fill` left them.
    fn is_filled(&mut self, size: usize) -> bool {
        let bytes = &self.bytes()[..size];
        bytes.iter().step_by(4096).zip(1usize..).all(|(byte, value)| *byte == (value % 251) as u8)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // SAFETY: the array has the layout of its size, and nothing refers to it any more.
        unsafe { LargePages.dealloc(self.at, Self::layout(self.size)) }
    }
}

#[test]
fn arrays_keep_what_is_in_them() {
    let _alone = alone();
    let mut array = Array::new(1000);
    array.fill();
    for size in [LEAST, LEAST + PAGE, 5 * LEAST, 3 * LEAST + 1] {
        let before = array.size.min(size);
        array.resize(size);
        assert!(array.is_filled(before), "{size}");
        array.fill();
    }
    array.resize(1000);
    assert!(array.is_filled(1000));
    // Of memory that was used before, or not.
    for _ in 0..3 {
        let mut zeros = Array::zeros(2 * LEAST + 1);
        assert!(zeros.bytes().iter().all(|&value| value == 0));
        zeros.bytes().fill(u8::MAX);
    }
}

/// The system grows nothing that lies in two of its mappings, and neighbours that were freed become one stretch.
#[test]
fn an_array_over_two_mappings_grows() {
    let _alone = alone();
    let half = 10 * LEAST;
    let at = map(2 * half);
    assert!(!at.is_null());
    // SAFETY: the second half of the mapping above; the advice keeps what is in it, and makes it a mapping of its own.
    assert_eq!(unsafe { libc::madvise(at.add(half).cast(), half, libc::MADV_DONTFORK) }, 0);
    for place in [0, half] {
        // SAFETY: the halves are in the mapping.
        let mut array = Array { at: unsafe { at.add(place) }, size: half };
        array.fill();
    }
    let mut over_both = Array::new(2 * half);
    assert_eq!(over_both.at, at, "the stretch is used again");
    over_both.fill();
    over_both.resize(3 * half);
    assert!(over_both.is_filled(2 * half));
}

/// Memory that is kept is given back before an array finds none to grow. The limit is of a process of its own.
#[test]
fn an_array_grows_under_a_limit() {
    let _alone = alone();
    const LIMITED: &str = "BARROW_TEST_LIMITED";
    if std::env::var_os(LIMITED).is_none() {
        let own = std::env::current_exe().unwrap();
        let run = Command::new(own)
            .args(["--exact", "large_pages::tests::an_array_grows_under_a_limit"])
            .env(LIMITED, "1")
            .output()
            .unwrap();
        return assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    }
    let mut array = Array::new(16 * LEAST);
    array.fill();
    drop(Array::new(16 * LEAST));
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let used = pages.split(' ').next().unwrap().parse::<u64>().unwrap() * 4096;
    // Enough to grow where what is kept was given back, not to have both arrays.
    let most = used + 4 * LEAST as u64;
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the limit is a valid one, of this process alone.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
    array.resize(32 * LEAST);
    assert!(array.is_filled(16 * LEAST));
}

#[test]
fn what_was_freed_is_used_again() {
    let mut kept = Kept { stretches: [(0, 0); STRETCHES], count: 0, bytes: 0 };
    assert!(kept.put(10 * PAGE, 4 * PAGE) && kept.put(20 * PAGE, 2 * PAGE));
    assert_eq!(kept.take(2 * PAGE), Some(20 * PAGE), "the smaller one");
    assert_eq!(kept.take(3 * PAGE), Some(10 * PAGE), "the beginning of the other");
    assert_eq!((kept.take(2 * PAGE), kept.bytes), (None, PAGE));
    assert!(kept.put(10 * PAGE, 3 * PAGE) && kept.put(8 * PAGE, 2 * PAGE));
    assert_eq!((kept.count, kept.take(6 * PAGE), kept.bytes), (1, Some(8 * PAGE), 0), "neighbours are one");
    assert!(!kept.put(0, MOST_KEPT + PAGE));
    assert!((0..STRETCHES).all(|place| kept.put((2 * place + 1) * PAGE, PAGE)));
    assert!(!kept.put(1000 * PAGE, PAGE), "there is no place for more");
    assert_eq!((kept.count, kept.bytes), (STRETCHES, STRETCHES * PAGE));
}
