//! Both sources under the same random requests, compared with a plain list of taken megablocks.

use super::*;
use crate::base::flag::Flags;
use crate::base::size::BLOCK_BYTES;
use crate::os::limits;
use crate::os::memory::{page_bytes, resident_pages};

fn both() -> [Megablocks; 2] {
    ["--source=range -xr1g", "--source=chunks"]
        .map(|line| Megablocks::new(&Flags::parse(line).unwrap(), &limits::limits()).unwrap())
}

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn taken_megablocks_never_overlap_and_are_known() {
    for mut megablocks in both() {
        let mut taken: Vec<(Addr, usize)> = Vec::new();
        let mut random = Random(7);
        for round in 0..2000 {
            if taken.len() < 20 && random.below(2) == 0 {
                let count = 1 + random.below(9);
                let at = megablocks.take(count).unwrap();
                assert!(at.is_aligned(MEGABLOCK_BYTES));
                for &(other, n) in &taken {
                    assert!(at.plus_bytes(count << 20) <= other || other.plus_bytes(n << 20) <= at);
                }
                for i in 0..count {
                    assert_eq!(megablocks.codes().span(at.plus_bytes((i << 20) + 5)), at);
                    // SAFETY: taken memory is writable.
                    unsafe { at.plus_bytes((i << 20) + 512).store(round) };
                }
                taken.push((at, count));
            } else if !taken.is_empty() {
                let (at, count) = taken.swap_remove(random.below(taken.len()));
                megablocks.give_back(at, count);
                assert!(megablocks.codes().span(at).is_null());
            }
            if random.below(50) == 0 {
                megablocks.release_above(random.below(10), 0);
            }
            assert_eq!(megablocks.taken(), taken.iter().map(|t| t.1).sum::<usize>());
            let mut seen = 0;
            megablocks.for_each_taken(|_| seen += 1);
            assert_eq!(seen, taken.len());
        }
        for (at, count) in taken {
            megablocks.give_back(at, count);
        }
        megablocks.release_above(0, 0);
        assert_eq!((megablocks.taken(), megablocks.held_free()), (0, 0));
    }
}

#[test]
fn codes_are_per_block_and_zero_elsewhere() {
    for mut megablocks in both() {
        let at = megablocks.take(3).unwrap();
        let codes = megablocks.codes();
        codes.set(at.plus_bytes(4096 * 5), 300, 9);
        assert_eq!(codes.at(at.0 + 4096 * 5 - 1), 0);
        assert_eq!(codes.at(at.0 + 4096 * 5), 9);
        assert_eq!(codes.at(at.0 + 4096 * 305 - 1), 9);
        assert_eq!(codes.at(at.0 + 4096 * 305), 0);
        assert_eq!(codes.at(0), 0);
        assert_eq!(codes.at(usize::MAX), 0);
        assert_eq!(codes.at(&raw const codes as usize), 0);
    }
}

#[test]
fn a_refused_reservation_is_halved_and_then_given_up() {
    let asked = crate::base::fault::asked();
    let flags = Flags::parse("").unwrap();
    drop(Megablocks::new(&flags, &limits::limits()).unwrap());
    let asked = crate::base::fault::asked() - asked;
    let mut given_up = 0;
    for n in 0..asked {
        crate::base::fault::fail_after(n);
        let made = Megablocks::new(&flags, &limits::limits());
        crate::base::fault::stop();
        match made {
            // Three requests may be refused without harm: advice, unmapping of parts, and the note on the
            // owner of addresses.
            Ok(mut made) => drop(made.take(1).unwrap()),
            Err(_) => given_up += 1,
        }
    }
    assert!((4..asked).contains(&given_up), "{given_up} of {asked} refusals were given up for");
}

#[test]
fn a_range_of_any_size_is_halved_to_whole_megablocks() {
    for (megabytes, halved) in [(1025, 512), (1030, 515), (515, 257)] {
        let flags = Flags::parse(&format!("--source=range -xr{megabytes}m")).unwrap();
        crate::base::fault::fail_once_after(0);
        let made = Megablocks::new(&flags, &limits::limits());
        crate::base::fault::stop();
        let notes = made.unwrap().notes();
        assert_eq!((notes.reserved_bytes, notes.halved), (halved << 20, 1));
    }
}

#[test]
fn what_is_spared_is_taken_last() {
    for mut megablocks in both() {
        let used = megablocks.take(4).unwrap();
        megablocks.give_back(used, 4);
        megablocks.promise(6).unwrap();
        megablocks.spare(3);
        // One of the four used ones is not spared, and comes first; then come those that are taken from the
        // system.
        let is_used = |at: Addr| (used..used.plus_bytes(4 * MEGABLOCK_BYTES)).contains(&at);
        let taken = [(); 3].map(|()| megablocks.take(1).unwrap());
        assert_eq!(taken.map(is_used), [true, false, false]);
        assert_eq!(megablocks.held_free(), 3);
        megablocks.spare(0);
        assert!(is_used(megablocks.take(1).unwrap()));
        // A request for several adjacent ones takes them from wherever they are.
        megablocks.spare(9);
        megablocks.take(2).unwrap();
    }
}

#[test]
fn addresses_elsewhere_are_in_no_group() {
    for mut megablocks in both() {
        let at = megablocks.take(1).unwrap();
        for elsewhere in [Addr::NULL, Addr(0x1234_5000), Addr((1 << 47) - MEGABLOCK_BYTES)] {
            assert!(megablocks.codes().span(elsewhere).is_null());
        }
        megablocks.give_back(at, 1);
    }
}

#[test]
fn a_side_table_is_turned_on_once() {
    for mut megablocks in both() {
        let at = megablocks.take(1).unwrap();
        for _ in 0..2 {
            megablocks.turn_side_table_on(Table::Biography).unwrap();
            assert!(megablocks.side.is_on(Table::Biography));
        }
        megablocks.give_back(at, 1);
    }
}

#[test]
fn fresh_memory_is_populated_and_no_more() {
    for mut megablocks in both() {
        let at = megablocks.take(1).unwrap();
        let (from, to) = (at.plus_bytes(16 * BLOCK_BYTES), at.plus_bytes(48 * BLOCK_BYTES));
        megablocks.populate(from, to, &[]);
        if !megablocks.populates {
            continue;
        }
        // The header has memory as well.
        let there = |at| resident_pages(at, MEGABLOCK_BYTES);
        assert_eq!(there(at), 32 + 1);
        megablocks.populate(at.plus_bytes(32 * BLOCK_BYTES), at.plus_bytes(64 * BLOCK_BYTES), &[]);
        assert_eq!(there(at), 48 + 1);
        // Memory that was in use before is still there.
        megablocks.give_back(at, 1);
        assert_eq!(megablocks.take(1).unwrap(), at);
        megablocks.populate(at.plus_bytes(64 * BLOCK_BYTES), at.plus_bytes(MEGABLOCK_BYTES), &[]);
        assert_eq!(there(at), 48 + 1);
        // Memory that was returned is gone.
        megablocks.give_back(at, 1);
        megablocks.release_above(0, 0);
        let at = megablocks.take(1).unwrap();
        megablocks.populate(at, at.plus_bytes(MEGABLOCK_BYTES), &[]);
        assert_eq!(there(at), MEGABLOCK_BYTES / page_bytes());
    }
}

/// Chunks go to the system as long as what is promised can be taken without it.
#[test]
fn promised_megablocks_stay_mapped() {
    let [_, mut megablocks] = both();
    let taken: Vec<Addr> = (0..40).map(|_| megablocks.take(1).unwrap()).collect();
    taken.iter().for_each(|&at| megablocks.give_back(at, 1));
    let promised = megablocks.held_free() - 3;
    megablocks.release_above(0, promised);
    let free = megablocks.warm.megablocks() + megablocks.cold.megablocks();
    assert!(free >= promised, "{free} megablocks are mapped and free, of {promised} promised ones");
}

/// Every second one of many is given back: as many runs as there can be, in both lists.
#[test]
fn giving_back_needs_no_memory() {
    for mut megablocks in both() {
        let all = megablocks.take(64).unwrap();
        crate::base::fault::fail_after(0);
        let held = |megablocks: &Megablocks| megablocks.warm.megablocks() + megablocks.cold.megablocks();
        let free = held(&megablocks);
        for i in (0..64).step_by(2) {
            megablocks.give_back(all.plus_bytes(i * MEGABLOCK_BYTES), 1);
        }
        assert_eq!((megablocks.release_above(0, 0), held(&megablocks) - free), (32, 32));
        crate::base::fault::stop();
        // Each run is in its list, and not only counted there.
        let runs = (0..32).filter(|_| megablocks.cold.take(1).is_some()).count();
        assert_eq!(runs, 32);
    }
}

#[test]
fn tables_of_what_was_given_back_are_used_again() {
    for mut megablocks in both() {
        megablocks.turn_side_table_on(Table::Biography).unwrap();
        let mut round = || {
            let taken = [(); 4].map(|()| megablocks.take(1).unwrap());
            taken.iter().for_each(|&at| megablocks.give_back(at, 1));
            megablocks.side.bytes()
        };
        let bytes = round();
        assert!((0..50).all(|_| round() == bytes));
    }
}

#[test]
fn every_free_run_is_visited() {
    for mut megablocks in both() {
        let all = megablocks.take(6).unwrap();
        let at = |i: usize| all.plus_bytes(i * MEGABLOCK_BYTES);
        // A run that the system has again, and one whose memory is held.
        megablocks.give_back(at(1), 1);
        megablocks.release_above(0, 0);
        megablocks.give_back(at(3), 2);
        let (mut seen, mut sum) = (Vec::new(), 0);
        megablocks.for_each_free(|start, count| {
            seen.push((start, count));
            sum += count;
        });
        assert!(seen.contains(&(at(1), 1)) && seen.contains(&(at(3), 2)), "{seen:?}");
        assert_eq!((sum, megablocks.held_free()), (megablocks.free(), 2));
    }
}

/// A megablock without a table is noted until somebody asks, or until the tables are turned off.
#[test]
fn megablocks_without_a_table_are_told() {
    let [_, mut megablocks] = both();
    megablocks.promise(4).unwrap();
    let take_without_memory = |megablocks: &mut Megablocks| {
        megablocks.turn_side_table_on(Table::Cell).unwrap();
        crate::base::fault::fail_after(0);
        let at = megablocks.take(1).unwrap();
        crate::base::fault::stop();
        megablocks.give_back(at, 1);
    };
    take_without_memory(&mut megablocks);
    assert!(!megablocks.side.take_starved_of(Table::Biography));
    assert_eq!([(); 2].map(|()| megablocks.side.take_starved_of(Table::Cell)), [true, false]);
    take_without_memory(&mut megablocks);
    megablocks.turn_side_table_off(Table::Cell);
    assert!(!megablocks.side.take_starved());
}

/// A size that the system refuses leaves no table for so many megablocks behind.
#[test]
fn a_refused_size_costs_nothing() {
    for (mut megablocks, count) in both().into_iter().zip([1 << 23, 1 << 27]) {
        let at = megablocks.take(1).unwrap();
        let before = megablocks.table_bytes();
        for _ in 0..2 {
            assert!(megablocks.take(count).is_err());
            assert!(megablocks.promise(count).is_err());
            assert!(megablocks.table_bytes() <= before + 1000);
        }
        megablocks.give_back(at, 1);
    }
}
