//! Old weak pointers cost a minor collection nothing, and old weak arrays that nobody writes to: it looks at none of them. That is what keeps their price below
//! what a clock can tell on a machine that does other work (benches/weak has the times).

use super::heaps::{heap, info};
use barrow::base::Status;
use barrow::ffi::alloc::{barrow_alloc_slow, barrow_allocate};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::stable::{barrow_stable_free, barrow_stable_get, barrow_stable_new};
use barrow::ffi::weak::{barrow_weak_array_set, barrow_weak_new, barrow_weak_set_function};
use barrow::heap::object::info::Info;
use barrow::heap::object::weak_array;
use barrow::heap::{Kind, Mutator};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Weak pointers that are old, with keys that are.
const OLD: u64 = 1_000_000;
/// Young ones in each minor collection.
const YOUNG: u64 = 10;
const MINORS: u64 = 100;

/// # Safety
/// The mutator is live.
unsafe fn leaf(m: *mut Mutator, table: &'static Info) -> *mut c_void {
    // SAFETY: the words were given, and are filled at once.
    unsafe {
        let at = barrow_alloc_slow(m, 2);
        at.write(&raw const *table as usize);
        at.add(1).write(0);
        at.cast()
    }
}

#[test]
fn minor_collections_look_at_young_weak_pointers_only() {
    let (heap, m) = heap("-A1m");
    let table = info(Kind::Constr, 0, 1);
    // SAFETY: the heap and the mutator are live, and what is used after a collection is held by a stable pointer.
    unsafe {
        let looked_at = || (*heap).runtime.store.weaks.looked_at;
        let keeper = barrow_stable_new(m, leaf(m, table));
        for made in 0..OLD {
            // All have one key, which lives; so do they, until they are looked at as old ones.
            let key = barrow_stable_get(m, keeper);
            let weak = barrow_weak_new(m, key, key, null_mut());
            assert!(!weak.is_null());
            // A finalizer keeps a weak pointer that nobody refers to.
            assert_eq!(barrow_weak_set_function(m, weak, Some(nothing), null_mut(), null_mut()), Status::Ok);
            if made % 50_000 == 0 {
                assert_eq!(barrow_collect(m, true), Status::Ok);
            }
        }
        for _ in 0..3 {
            assert_eq!(barrow_collect(m, true), Status::Ok);
        }
        let before = looked_at();
        assert_eq!(barrow_collect(m, true), Status::Ok);
        assert_eq!(looked_at() - before, OLD, "a major collection looks at all");
        let before = looked_at();
        for _ in 0..MINORS {
            for _ in 0..YOUNG {
                let key = leaf(m, table);
                assert!(!barrow_weak_new(m, key, null_mut(), null_mut()).is_null());
            }
            assert_eq!(barrow_collect(m, false), Status::Ok);
        }
        assert_eq!(looked_at() - before, MINORS * YOUNG, "a minor collection looks at the young ones");
        assert_eq!((*heap).runtime.stats.major_collections, OLD / 50_000 + 4);
        barrow_stable_free(m, keeper);
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}

/// Weak arrays that are old, with as many elements each, and written elements in each minor collection.
const OLD_ARRAYS: usize = 50_000;
const ELEMENTS: usize = 10;
const WRITES: usize = 10;

#[test]
fn minor_collections_look_at_written_elements_of_weak_arrays_only() {
    let (heap, m) = heap("-A1m -G2 -T1");
    let (leaf_table, weak_table) = (info(Kind::Constr, 0, 1), info(Kind::WeakArray, 0, 0));
    let array_table = info(Kind::Array, 0, 0);
    // SAFETY: the heap and the mutator are live. `barrow_allocate` does not collect; what is used after a collection is held
    // by a stable pointer, and read from it.
    unsafe {
        let looked_at = || (*heap).runtime.store.weaks.elements_looked_at;
        let all = barrow_allocate(m, barrow::heap::object::array::words(OLD_ARRAYS));
        all.write_bytes(0, barrow::heap::object::array::words(OLD_ARRAYS));
        all.write(&raw const *array_table as usize);
        all.add(1).write(OLD_ARRAYS);
        for index in 0..OLD_ARRAYS {
            let array = barrow_allocate(m, weak_array::words(ELEMENTS));
            array.write(&raw const *weak_table as usize);
            array.add(1).write(ELEMENTS);
            array.add(2).write(0);
            for element in 0..ELEMENTS {
                array.add(3 + element).write(all as usize);
            }
            all.add(2 + index).write(array as usize);
        }
        let keeper = barrow_stable_new(m, all.cast());
        for _ in 0..3 {
            assert_eq!(barrow_collect(m, true), Status::Ok);
        }
        let before = looked_at();
        assert_eq!(barrow_collect(m, true), Status::Ok);
        assert_eq!(looked_at() - before, (OLD_ARRAYS * ELEMENTS) as u64, "a major collection looks at all");
        let before = looked_at();
        let array_at = |index: usize| {
            let all = barrow_stable_get(m, keeper).cast::<usize>();
            all.add(2 + index * 97 % OLD_ARRAYS).read() as *mut usize
        };
        for round in 0..MINORS as usize {
            for write in 0..WRITES {
                let young = leaf(m, leaf_table);
                let array = array_at(round * WRITES + write);
                assert_eq!(barrow_weak_array_set(m, array.cast(), write % ELEMENTS, young), Status::Ok);
            }
            assert_eq!(barrow_collect(m, false), Status::Ok);
            for write in 0..WRITES {
                let array = array_at(round * WRITES + write);
                assert_eq!(array.add(3 + write % ELEMENTS).read(), 0, "a young object that nobody holds");
            }
        }
        assert_eq!(
            looked_at() - before,
            MINORS * WRITES as u64,
            "a minor collection looks at what was written"
        );
        barrow_stable_free(m, keeper);
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}

unsafe extern "C-unwind" fn nothing(_: *mut Mutator, _: *mut c_void, _: *mut c_void, _: *mut c_void) {}
