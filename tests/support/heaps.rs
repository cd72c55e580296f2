//! Heaps and info tables of tests that call the library as a client does.

use barrow::base::Status;
use barrow::ffi::heap::{Config, OUR_GEOMETRY, barrow_heap_new};
use barrow::heap::info::{INFO_VERSION, Info};
use barrow::heap::{Kind, Mutator};
use barrow::runtime::Runtime;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

pub fn heap(flags: &CStr, alignment: u16) -> (*mut Runtime, *mut Mutator) {
    let config = Config {
        size: size_of::<Config>() as u32,
        abi_major: 0,
        geometry: OUR_GEOMETRY,
        flags: flags.as_ptr(),
        tagged_pointers: 0,
        object_alignment: alignment,
        reserved: 0,
        address_mask: 0,
        address_offset: 0,
        roots: None,
        overflow: None,
        finalizers_ready: None,
        fatal: None,
        event: None,
        client: null_mut(),
    };
    let (mut heap, mut mutator) = (null_mut(), null_mut());
    // SAFETY: the configuration is whole.
    assert_eq!(unsafe { barrow_heap_new(&config, &mut heap, &mut mutator) }, Status::Ok);
    (heap, mutator)
}

pub fn info(kind: Kind, ptrs: u32, words: u32) -> &'static Info {
    Box::leak(Box::new(Info {
        size: size_of::<Info>() as u16,
        version: INFO_VERSION,
        id: 0,
        entry: None,
        kind: kind as u8,
        flags: 0,
        field: 0,
        ptrs,
        words,
        reserved: 0,
        bitmap: 0,
        large: null(),
        custom: null(),
        srt: null(),
        names: null(),
    }))
}
