//! A test that a new profiler is one folder and one row: `Deaths` counts dead bytes exactly.

use crate::base::Addr;
use crate::heap::object::info::{Info, Kind};
use crate::heap::{Mutator, Store};
use crate::host::Host;
use crate::host::plain::plain;
use crate::runtime::collect::Reason;
use crate::runtime::slot::Slot;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);
static VAR: Info = Info::plain(Kind::MutVar, 1, 0);

const CELL_BYTES: i64 = 24;
const VAR_BYTES: i64 = 16;

struct Program {
    heap: Slot<Host>,
    m: *mut Mutator,
}

impl Program {
    fn new(flags: &str) -> Program {
        let (mut heap, m) = plain(flags);
        heap.profilers.deaths.is_on = true;
        Program { heap, m }
    }

    fn make(&mut self, info: &'static Info, words: usize, field: Addr) -> Addr {
        let at = self.heap.allocate(self.m, words, 0).unwrap();
        // SAFETY: the words were just allocated, and there are at least two.
        unsafe {
            at.store(&raw const *info as usize);
            at.plus_words(1).store(field.0);
            (2..words).for_each(|i| at.plus_words(i).store(0));
        }
        at
    }

    fn store(&mut self) -> &mut Store {
        &mut self.heap.store
    }

    fn dead(&self, kind: Kind) -> i64 {
        self.heap.profilers.deaths.dead.0[kind as usize]
    }
}

#[test]
fn what_dies_is_counted_by_kind_to_the_byte() {
    for flags in [
        "-DS -A64k",
        "-DS -A64k -c",
        "-DS -A64k -G3 -T2",
        "-DS -A64k --source=chunks",
        "-DS -A64k --workers=3!",
        "-DS -A64k -c --workers=3!",
        "-DS -A64k --workers=2! --source=chunks",
    ] {
        let mut program = Program::new(flags);
        let mut list = Addr::NULL;
        for _ in 0..300 {
            list = program.make(&CELL, 3, list);
            program.make(&VAR, 2, list);
            program.make(&CELL, 3, Addr::NULL);
        }
        let handle = program.store().stable.make(list.0).unwrap();
        let m = program.m;
        program.heap.collect_for(m, Reason::Minor).unwrap();
        assert_eq!(program.dead(Kind::MutVar), 300 * VAR_BYTES, "{flags}");
        assert_eq!(program.dead(Kind::Constr), 300 * CELL_BYTES, "{flags}");
        program.heap.collect_for(m, Reason::Major).unwrap();
        assert_eq!(program.dead(Kind::Constr), 300 * CELL_BYTES, "{flags}: nothing more has died");
        let index = program.store().stable.find(handle).unwrap();
        program.store().stable.free(index);
        program.heap.collect_for(m, Reason::Major).unwrap();
        assert_eq!(program.dead(Kind::Constr), 600 * CELL_BYTES, "{flags}");
        assert_eq!(program.dead(Kind::MutVar), 300 * VAR_BYTES, "{flags}");
    }
}
