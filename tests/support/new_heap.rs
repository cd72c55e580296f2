//! Heaps for tests that go through the whole library.

use barrow::base::Status;
use barrow::ffi::heap::{Config, OUR_GEOMETRY, barrow_heap_new};
use barrow::ffi::version::barrow_last_error;
use barrow::heap::Mutator;
use barrow::runtime::Runtime;
use std::ffi::{CStr, CString};

/// The library's sentence about what went wrong last.
pub fn sentence() -> String {
    // SAFETY: it ends with NUL.
    unsafe { CStr::from_ptr(barrow_last_error()) }.to_string_lossy().into_owned()
}

#[allow(dead_code, reason = "what may fail is seen by the test itself")]
pub fn ok(status: Status) {
    assert_eq!(status, Status::Ok, "{}", sentence());
}

/// A heap with nothing but flags, and its mutator.
pub fn new_heap(flags: &str) -> Result<(*mut Runtime, *mut Mutator), Status> {
    let flags = CString::new(flags).unwrap();
    // SAFETY: zero is right for what is not set; the pointers are valid for the call.
    unsafe {
        let mut config: Config = std::mem::zeroed();
        config.size = size_of::<Config>() as u32;
        config.geometry = OUR_GEOMETRY;
        config.flags = flags.as_ptr();
        let (mut heap, mut m) = (std::ptr::null_mut(), std::ptr::null_mut());
        match barrow_heap_new(&config, &mut heap, &mut m) {
            Status::Ok => Ok((heap, m)),
            status => Err(status),
        }
    }
}
