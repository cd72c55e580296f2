//! Heaps and info tables of tests that call the library as a client does.

#![allow(dead_code, reason = "each test that has this module uses some of it")]

use barrow::base::Status;
use barrow::ffi::alloc::barrow_alloc_slow;
use barrow::ffi::config::{Config, Geometry};
use barrow::ffi::heap::barrow_heap_new;
use barrow::ffi::version::barrow_last_error;
use barrow::heap::object::info::{Info, Names};
use barrow::heap::{Kind, Mutator};
use barrow::host::Host;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

/// The library's sentence about what went wrong last.
pub fn sentence() -> String {
    // SAFETY: it ends with NUL.
    unsafe { CStr::from_ptr(barrow_last_error()) }.to_string_lossy().into_owned()
}

pub fn ok(status: Status) {
    assert_eq!(status, Status::Ok, "{}", sentence());
}

/// What a heap is made from that has no hooks; its flags come with `made`.
pub fn config() -> Config {
    Config {
        size: size_of::<Config>() as u32,
        abi_major: 0,
        geometry: Geometry::OURS,
        flags: null(),
        tagged_pointers: 0,
        object_alignment: 8,
        environment: 0,
        address_mask: 0,
        address_offset: 0,
        roots: None,
        overflow: None,
        finalizers_ready: None,
        fatal: None,
        event: None,
        client: null_mut(),
        retainers: null(),
    }
}

/// A heap and its mutator, or why there is none.
pub fn made(mut config: Config, flags: &str) -> Result<(*mut Host, *mut Mutator), Status> {
    let flags = CString::new(flags).unwrap();
    config.flags = flags.as_ptr();
    let (mut heap, mut mutator) = (null_mut(), null_mut());
    // SAFETY: the configuration is whole, and its flags live as long as the call.
    match unsafe { barrow_heap_new(&config, &mut heap, &mut mutator) } {
        Status::Ok => Ok((heap, mutator)),
        status => Err(status),
    }
}

/// A heap with nothing but flags, and its mutator.
pub fn heap(flags: &str) -> (*mut Host, *mut Mutator) {
    made(config(), flags).unwrap_or_else(|status| panic!("{status:?}: {}", sentence()))
}

pub fn info(kind: Kind, ptrs: u32, words: u32) -> &'static Info {
    table(kind, ptrs, words, null())
}

pub fn named_info(kind: Kind, ptrs: u32, words: u32, names: Names) -> &'static Info {
    table(kind, ptrs, words, Box::leak(Box::new(names)))
}

fn table(kind: Kind, ptrs: u32, words: u32, names: *const Names) -> &'static Info {
    Box::leak(Box::new(Info { names, ..Info::plain(kind, ptrs, words) }))
}

/// An object of this table with these words.
///
/// # Safety
/// The mutator is live; so is what the words refer to, and nothing collects while the object is in no root.
pub unsafe fn object(m: *mut Mutator, table: &'static Info, words: &[usize]) -> usize {
    // SAFETY: the words were given, and are filled at once.
    unsafe {
        let at = barrow_alloc_slow(m, 1 + words.len());
        at.write(&raw const *table as usize);
        words.iter().enumerate().for_each(|(i, &word)| at.add(1 + i).write(word));
        at as usize
    }
}
