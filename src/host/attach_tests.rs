//! An attach that fails leaves nothing behind.

use crate::base::fault;
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
