//! An attach that fails leaves nothing behind.

use crate::base::{Status, fault};
use crate::host::Host;
use crate::host::plain::bare;
use crate::host::still::listed;

/// With `--mutators`, a thread keeps a list of its mutators, which are detached when it ends.
#[test]
fn no_memory_for_a_mutator() {
    for flags in ["--mutators=3 -A64k", "--mutators=3 -A64k -G3 --source=chunks", "-A64k"] {
        let mut heap = bare(flags);
        let before = listed();
        let rows = heap.profilers.costs.rows.each().count();
        let mut failures = 0;
        loop {
            fault::fail_after(failures);
            let outcome = heap.attach();
            fault::stop();
            if outcome.is_ok() {
                break;
            }
            failures += 1;
            assert_eq!(
                (listed(), heap.profilers.costs.rows.each().count(), heap.mutators.len()),
                (before, rows, 0)
            );
        }
        assert!(failures >= 3);
        let m = heap.mutators[0].as_raw();
        heap.detach(m).unwrap();
        Host::end(heap).unwrap();
    }
}

/// A heap without a mutator that is too full takes none, however often it is asked.
#[test]
fn no_room_for_a_nursery() {
    for flags in ["-M2m", "-M2m --mutators=3", "-M2m --source=chunks"] {
        let mut heap = bare(flags);
        // Room for a nursery is left, and none for copies of it.
        let groups = [240, 230].map(|blocks| heap.store.blocks.alloc_group(blocks).unwrap());
        let used = heap.store.blocks.used();
        for _ in 0..5 {
            assert_eq!(heap.attach().unwrap_err().status, Status::Limit, "{flags}");
            assert_eq!((heap.store.blocks.used(), listed()), (used, 0), "{flags}");
        }
        groups.into_iter().for_each(|group| heap.store.blocks.free_group(group));
        let m = heap.attach().unwrap();
        heap.detach(m).unwrap();
        Host::end(heap).unwrap();
    }
}
