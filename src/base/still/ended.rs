//! A weak pointer that one thread ends by hand while others read it without a lock: its header says so before its fields are gone, and
//! readers look at a field first.

use super::sync::{AtomicU64, Ordering};

/// Makes the header `dead`, and then the fields 0. A thread that finds one 0 finds the header dead behind it.
pub(crate) fn end(header: &AtomicU64, dead: u64, fields: [&AtomicU64; 2]) {
    header.store(dead, Ordering::Relaxed);
    for field in fields {
        field.store(0, Ordering::Release);
    }
}
