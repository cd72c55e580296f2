//! Mistakes that the random programs cannot make, since they would be mistakes there too.

use super::heaps::{config, heap, info, made, sentence};
use barrow::base::Status;
use barrow::ffi::alloc::{barrow_alloc_slow, barrow_allocate_pinned, barrow_reserve_slow};
use barrow::ffi::barrier::{barrow_become, barrow_record_mutable};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::config::Config;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::stable::barrow_stable_new;
use barrow::heap::Kind;
use barrow::heap::object::info::Info;

#[test]
fn a_length_is_not_overwritten_before_the_kind_changes() {
    let (heap, m) = heap("-A64k -DS");
    let (array, record) = (info(Kind::Array, 0, 0), info(Kind::Constr, 0, 3));
    // SAFETY: the heap is live; the array is filled at once.
    unsafe {
        let at = barrow_alloc_slow(m, 10);
        at.write(&raw const *array as usize);
        at.add(1).write(8);
        (2..10).for_each(|i| at.add(i).write(0));
        at.add(1).write(usize::MAX / 64);
        assert_eq!(barrow_become(m, at.cast(), (&raw const *record).cast()), Status::Argument);
        assert!(sentence().contains("length field"), "{}", sentence());
        at.add(1).write(8);
        assert_eq!(barrow_become(m, at.cast(), (&raw const *record).cast()), Status::Ok);
        assert_eq!(barrow_check(m), Status::Ok, "{}", sentence());
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}

#[test]
fn an_object_too_large_for_bump_is_found() {
    let (heap, m) = heap("-A64k -DS");
    let bytes = info(Kind::Bytes, 0, 0);
    // SAFETY: the heap is live; the words were reserved.
    unsafe {
        assert!(barrow_reserve_slow(m, 602));
        let at = (*m).window.hp;
        (*m).window.hp = at.add(602);
        at.write(&raw const *bytes as usize);
        at.add(1).write(600 * 8);
        assert_eq!(barrow_check(m), Status::Damaged);
        assert!(sentence().contains("barrow_bump"), "{}", sentence());
        // Nothing refers to it.
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}

#[test]
fn pinned_objects_lie_at_the_alignment_of_their_heap() {
    let (heap, m) = made(Config { object_alignment: 16, ..config() }, "-A64k").unwrap();
    // SAFETY: the heap is live.
    unsafe {
        for align in [16, 64, 4096] {
            assert!(barrow_allocate_pinned(m, 4, align, 8).is_null());
            assert!(sentence().contains("multiples of 16"), "{}", sentence());
            assert_eq!(barrow_allocate_pinned(m, 4, align, 16) as usize % 16, 0);
        }
        assert_eq!(barrow_allocate_pinned(m, 4, 8, 8) as usize % 16, 0);
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}

#[test]
fn what_was_recorded_as_bytes_can_be_recorded_anew() {
    let (heap, m) = heap("-A64k -DS");
    let (bytes, leaf) = (info(Kind::Bytes, 0, 0), info(Kind::Constr, 0, 1));
    let cell = Box::leak(Box::new(Info { bitmap: 0b10, flags: 1, ..*info(Kind::Bitmap, 1, 1) }));
    // SAFETY: the heap is live, and every object is filled at once.
    unsafe {
        let at = barrow_alloc_slow(m, 1002);
        at.write(&raw const *bytes as usize);
        at.add(1).write(8000);
        assert_ne!(barrow_stable_new(m, at.cast()), 0);
        assert_eq!(barrow_record_mutable(m, at.cast()), Status::Ok);
        for _ in 0..4 {
            assert_eq!(barrow_collect(m, true), Status::Ok);
        }
        // The length stays where it was; behind it there is a pointer now.
        at.add(2).write(0);
        assert_eq!(barrow_become(m, at.cast(), (&raw const *cell).cast()), Status::Ok);
        assert_eq!(barrow_record_mutable(m, at.cast()), Status::Ok);
        assert_eq!(barrow_collect(m, false), Status::Ok);
        let young = barrow_alloc_slow(m, 2);
        young.write(&raw const *leaf as usize);
        young.add(1).write(77);
        at.add(2).write(young as usize);
        assert_eq!(barrow_collect(m, false), Status::Ok, "{}", sentence());
        assert_eq!((at.add(2).read() as *const usize).add(1).read(), 77);
        assert_eq!(barrow_heap_free(heap), Status::Ok);
    }
}
