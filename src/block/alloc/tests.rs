//! Random requests against a plain list of handed-out groups; the audit after every one.

use super::*;
use crate::base::flag::Flags;
use crate::os::limits;

fn blocks(line: &str) -> Blocks {
    Blocks::new(Megablocks::new(&Flags::parse(line).unwrap(), &limits::limits()).unwrap())
}

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn check_whole_group(group: Block, asked: usize) {
    assert!(group.blocks() >= asked);
    assert_eq!(group.fields().free, group.start());
    for i in 1..group.blocks().min(USABLE_BLOCKS) {
        let inner = Block::of(group.start().plus_bytes(i * BLOCK_BYTES + 77));
        assert!(inner.fields().free.is_null());
        assert_eq!(inner.blocks(), 0);
        assert_eq!(inner.fields().link, group);
        assert_eq!(inner.head(), group);
    }
}

#[test]
fn groups_never_overlap_and_everything_adds_up() {
    for line in ["--source=range -xr1g", "--source=chunks"] {
        let mut blocks = blocks(line);
        let mut random = Random(11);
        let mut held: Vec<Block> = Vec::new();
        for _ in 0..4000 {
            match random.below(5) {
                0..=2 if held.len() < 60 => {
                    let n = match random.below(10) {
                        0 => 200 + random.below(800),
                        1..=3 => 1 + random.below(USABLE_BLOCKS),
                        _ => 1 + random.below(9),
                    };
                    let group = blocks.alloc_group(n).unwrap();
                    check_whole_group(group, n);
                    for &other in &held {
                        assert!(group.end() <= other.start() || other.end() <= group.start());
                    }
                    held.push(group);
                }
                3 if !held.is_empty() => {
                    let group = held[random.below(held.len())];
                    let keep = 1 + random.below(group.blocks());
                    blocks.shrink_group(group, keep);
                    check_whole_group(group, keep);
                }
                _ if !held.is_empty() => {
                    let group = held.swap_remove(random.below(held.len()));
                    blocks.free_group(group);
                }
                _ => {}
            }
            let audit = blocks.audit().unwrap();
            assert_eq!(audit.used, held.iter().map(|g| g.blocks()).sum::<usize>());
        }
        for group in held {
            blocks.free_group(group);
        }
        assert_eq!((blocks.used(), blocks.free_blocks(), blocks.megablocks.taken()), (0, 0, 0));
    }
}

#[test]
fn the_ceiling_is_kept() {
    let mut blocks = blocks("--source=range -xr1g");
    blocks.set_ceiling(3);
    let group = blocks.alloc_group(BLOCKS_PER_MEGABLOCK + 1).unwrap();
    blocks.alloc_group(USABLE_BLOCKS).unwrap();
    let refused = blocks.alloc_group(1).unwrap_err();
    assert_eq!(refused.status, Status::Limit);
    blocks.free_group(group);
    blocks.alloc_group(1).unwrap();
    blocks.audit().unwrap();
}

#[test]
fn small_holes_are_no_room_for_copies() {
    let mut blocks = blocks("--source=chunks");
    let groups: Vec<Block> = (0..200).map(|_| blocks.alloc_group(1).unwrap()).collect();
    groups.iter().step_by(2).for_each(|&g| blocks.free_group(g));
    // Without free megablocks, which would serve in place of those that are kept back.
    while blocks.megablocks.free() > 0 {
        blocks.alloc_group(USABLE_BLOCKS).unwrap();
    }
    // A hole of a block holds one object of this size, and the rest of it is lost.
    let object = BLOCK_WORDS / 2 + 1;
    let words = blocks.free_blocks() * (BLOCK_WORDS - 100);
    blocks.keep_back(words, 1).unwrap();
    crate::base::fault::fail_after(0);
    let mut saved = 0;
    while saved < words {
        saved += blocks.alloc_saving(1).unwrap().blocks() * BLOCK_WORDS / object * object;
    }
    crate::base::fault::stop();
    blocks.end_keeping();
    blocks.audit().unwrap();
}

#[test]
fn what_is_kept_back_needs_no_system() {
    let mut blocks = blocks("--source=chunks");
    // Holes of one block, which hold little of what does not fit between them.
    let groups: Vec<Block> = (0..200).map(|_| blocks.alloc_group(1).unwrap()).collect();
    groups.iter().step_by(2).for_each(|&g| blocks.free_group(g));
    let words = 300_000;
    blocks.keep_back(words, 3).unwrap();
    crate::base::fault::fail_after(0);
    let mut random = Random(3);
    let mut saved = 0;
    let mut room = 0;
    while saved < words {
        let object = 2 + random.below(LARGE_OBJECT_WORDS - 1);
        if room < object {
            room = blocks.alloc_saving(SAVING_BLOCKS).unwrap().blocks() * BLOCK_WORDS;
        }
        if room >= object {
            room -= object;
            saved += object;
        }
        // Others get nothing of it.
        assert!(blocks.alloc_group(1).is_err());
    }
    crate::base::fault::stop();
    blocks.end_keeping();
    blocks.audit().unwrap();
}
