//! A weak pointer that nobody holds, and whose key dies, is saved for its finalizer: a census counts it once, by the table that it
//! has afterwards, whatever the collector does with the others.

use super::heaps::{heap, info};
use barrow::base::Status;
use barrow::ffi::alloc::barrow_alloc_slow;
use barrow::ffi::census::barrow_census;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::weak::{barrow_weak_new, barrow_weak_set_function};
use barrow::heap::{Kind, Mutator};
use std::ffi::c_void;
use std::ptr::null_mut;

unsafe extern "C-unwind" fn nothing(_: *mut Mutator, _: *mut c_void, _: *mut c_void, _: *mut c_void) {}

#[test]
fn a_dying_weak_pointer_is_counted_once() {
    for flags in ["-DS", "-DS -c", "-DS -G1", "-DS -G1 -c"] {
        let (heap, m) = heap(flags);
        let table = info(Kind::Constr, 0, 1);
        // SAFETY: the heap and the mutator are live; nothing that was made is used after a collection.
        unsafe {
            for _ in 0..300 {
                let key = barrow_alloc_slow(m, 2);
                key.write(&raw const *table as usize);
                key.add(1).write(0);
                let weak = barrow_weak_new(m, key.cast(), key.cast(), null_mut());
                assert_eq!(
                    barrow_weak_set_function(m, weak, Some(nothing), null_mut(), null_mut()),
                    Status::Ok
                );
            }
            // With -DS, a walk over the blocks is the second opinion.
            assert_eq!(barrow_census(m), Status::Ok, "{flags}");
            assert_eq!(barrow_heap_free(heap), Status::Ok);
        }
    }
}
