//! Spreads numbers over as many threads as there are processors, for tests whose cases do not depend on each other.

use std::sync::atomic::{AtomicU64, Ordering};

/// Calls `work` with each number below `count` once. A panic of one is the caller's, after the others have ended.
pub fn in_threads(count: u64, work: impl Fn(u64) + Sync) {
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get()).min(8);
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    work(number);
                }
            });
        }
    });
}
