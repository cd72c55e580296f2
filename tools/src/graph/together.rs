//! Work on parts of a graph by several threads: walks wait for memory most of the time, and two wait half as long.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs `work` on as many threads as there are processors, `most` at most; on this one in any case.
pub fn everywhere(most: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        for _ in 1..processors.min(most) {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// One of the parts that are left.
pub fn taken<T>(parts: &Mutex<Vec<T>>) -> Option<T> {
    parts.lock().unwrap_or_else(PoisonError::into_inner).pop()
}
