//! Another Rust library in the same program, with a standard library of its own.
use std::collections::HashMap;

/// How many different bytes a text has. Panics inside, and catches it, to show that unwinding finds its own tables.
///
/// # Safety
/// `text` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn other_different_bytes(text: *const std::ffi::c_char) -> usize {
    // SAFETY: the caller's promise.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    let caught = std::panic::catch_unwind(|| {
        let mut seen = HashMap::new();
        for byte in text.to_bytes() {
            *seen.entry(byte).or_insert(0) += 1;
        }
        std::panic::resume_unwind(Box::new(seen.len()));
    });
    caught.err().and_then(|count| count.downcast::<usize>().ok()).map_or(0, |count| *count)
}
