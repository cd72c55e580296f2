//! Profilers are told the same of objects that stay where they are as of those that are copied.

use crate::base::Addr;
use crate::heap::object::info::{Info, Kind};
use crate::heap::root::stable::Handle;
use crate::heap::space::generation::Code;
use crate::host::plain::Program;
use crate::runtime::collect::Reason;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);
/// An object whose place can be filled by others.
static WIDE: Info = Info::plain(Kind::Constr, 1, 30);
static LISTS: usize = 8;

impl Program {
    fn list(&mut self, next: Addr) -> Addr {
        self.object(&CELL, [next, Addr::NULL])
    }
}

/// A heap of which one object in eight has died in the oldest generation, with gaps that are too small to be filled.
fn sparse(flags: &str) -> Program {
    let mut program = Program::new(flags);
    let mut lists = vec![Addr::NULL; LISTS];
    for _ in 0..200 {
        for list in &mut lists {
            *list = program.list(*list);
        }
    }
    let handles: Vec<*mut Handle> = lists.iter().map(|&list| program.hold(list)).collect();
    program.collect(Reason::Major);
    program.free(handles[3]);
    program
}

const FLAGS: [&str; 5] = [
    "-A64k -T1",
    "-DS -A64k -T1",
    "-A64k -G3 -T2",
    "-A64k -T1 --source=chunks",
    "-DS -A64k -G4 --source=chunks",
];

#[test]
fn a_census_counts_what_stays_once() {
    for flags in FLAGS {
        let mut program = sparse(flags);
        let young = (0..50).fold(Addr::NULL, |list, _| program.list(list));
        program.hold(young);
        program.heap.profilers.heap.census.prepare().unwrap();
        program.heap.profilers.heap.census.wanted = true;
        program.leave();
        let tally = program.heap.profilers.heap.census.tally.as_ref().unwrap();
        let counted = tally.of_info(CELL.number());
        assert_eq!(counted.objects, 7 * 200 + 50, "{flags}");
        // SAFETY: the mutator lives as long as the program.
        program.heap.check_census(unsafe { &mut *program.m }).unwrap();
    }
}

#[test]
fn what_dies_beside_what_stays_is_told_once() {
    for flags in FLAGS.into_iter().filter(|flags| flags.starts_with("-DS")) {
        let mut program = sparse(flags);
        program.heap.profilers.deaths.is_on = true;
        let young = (0..50).fold(Addr::NULL, |list, _| program.list(list));
        program.hold(young);
        program.list(Addr::NULL);
        program.leave();
        assert_eq!(program.heap.profilers.deaths.dead.0[Kind::Constr as usize], 24 * 201, "{flags}");
    }
}

/// Lists, and wide objects between their cells that die in the oldest generation.
fn with_wide_gaps(flags: &str) -> Program {
    let mut program = Program::new(flags);
    let (mut lists, mut dead) = ([Addr::NULL; 60], Addr::NULL);
    for _ in 0..100 {
        for list in &mut lists {
            *list = program.list(*list);
        }
        dead = program.object(&WIDE, [dead, Addr::NULL]);
    }
    for list in lists {
        program.hold(list);
    }
    let handle = program.hold(dead);
    program.collect(Reason::Major);
    program.free(handle);
    program.leave();
    program
}

#[test]
fn gaps_are_the_same_whoever_makes_them() {
    let of = |flags: &str| {
        let program = with_wide_gaps(&format!("-A64k -T1 {flags}"));
        let (gaps, step) = (&program.heap.store.gaps, &program.heap.store.generations[1].steps[0]);
        assert_eq!(gaps.counted_words(), gaps.words(), "{flags}");
        (gaps.words(), step.live_words)
    };
    let alone = of("--workers=1");
    assert!(alone.0 >= 99 * 32);
    for flags in ["--workers=2!", "--workers=8!", "--workers=2! --source=chunks"] {
        let together = of(flags);
        // Copies may end in other groups, whose rests are gaps as well.
        assert!(together.0.abs_diff(alone.0) < 8 * 4096, "{flags}: {} {}", together.0, alone.0);
        assert!(together.0 >= 99 * 32);
        assert_eq!(together.1, alone.1, "{flags}");
    }
}

/// Roots fill several gaps before anything in one of them is looked at.
#[test]
fn objects_in_a_gap_that_is_full_are_looked_at() {
    for flags in ["-A64k -T1", "-DS -A64k -T1", "-A64k -T1 --source=chunks"] {
        let mut program = with_wide_gaps(flags);
        let gaps = program.heap.store.gaps.words();
        let handles: Vec<*mut Handle> = (0..500)
            .map(|_| {
                let child = program.list(Addr::NULL);
                let parent = program.list(child);
                program.hold(parent)
            })
            .collect();
        program.collect(Reason::Minor);
        assert!(
            program.heap.store.gaps.words() + 500 * 3 < gaps,
            "{flags}: {gaps} words in gaps are not filled"
        );
        for handle in handles {
            // SAFETY: the handle is live, and its object has one field.
            let child = unsafe { Addr((*handle).object).plus_words(1).load() };
            assert_eq!(Code(program.heap.store.codes.at(child)).generation(), 1, "{flags}");
        }
    }
}
