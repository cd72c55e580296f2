//! Remembered entries in lists and in mutators' buffers: none is lost, and none is left where it was forgotten.

use super::remember::{BUFFER_BLOCKS, CONDENSE_BLOCKS, Entry, EntryList, Remembered, each_entry};
use super::store::Store;
use crate::base::Addr;
use crate::base::flag::Flags;
use crate::base::size::*;
use crate::block::{Block, Chain};
use crate::heap::{Mutator, Tags};
use crate::os::limits::limits;
use crate::os::memory::Reservation;
use std::sync::atomic::AtomicUsize;

fn store() -> Store {
    let flags = Flags::parse("").unwrap();
    Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap()
}

fn mutator() -> Mutator {
    Mutator::new(0, std::ptr::null_mut())
}

/// Words that are in no heap: entries of slots are addresses of readable words.
static WORDS: [AtomicUsize; 1 << 19] = [const { AtomicUsize::new(0) }; 1 << 19];

fn entry(number: usize) -> Entry {
    Entry::new(Remembered::Slot, Addr(&raw const WORDS[number] as usize))
}

fn number(entry: Entry) -> usize {
    entry.at().words_since(Addr(WORDS.as_ptr() as usize))
}

#[test]
fn a_list_that_is_put_back_goes_on_in_its_group() {
    let mut store = store();
    let mut list = EntryList::EMPTY;
    assert!(list.push(&mut store.blocks, entry(0)));
    let blocks = list.blocks();
    let chain = list.take();
    list.put_back(chain);
    for number in 1..BLOCK_WORDS {
        assert!(list.push(&mut store.blocks, entry(number)));
    }
    assert_eq!((list.blocks(), list.len()), (blocks, BLOCK_WORDS));
    assert!(list.push(&mut store.blocks, entry(BLOCK_WORDS)));
    assert_eq!((list.blocks() > blocks, list.len()), (true, BLOCK_WORDS + 1));
    list.release(&mut store.blocks);
}

/// The last group of a megablock may be full, and the megablock behind it not mapped.
#[test]
fn no_word_behind_the_entries_is_read() {
    const BYTES: usize = 64 << 20;
    const COMMITTED: usize = BYTES / 2;
    let mut memory = Reservation::reserve(BYTES, MEGABLOCK_BYTES).unwrap();
    assert!(memory.commit(COMMITTED));
    let megablock = memory.start().plus_bytes(COMMITTED - MEGABLOCK_BYTES);
    let group = Block::at_index(megablock, BLOCKS_PER_MEGABLOCK - 1);
    let mut fields = group.fields();
    fields.start = megablock.plus_bytes(MEGABLOCK_BYTES - BLOCK_BYTES);
    (fields.blocks, fields.link) = (1, Block::NULL);
    fields.free = group.end();
    for number in 0..BLOCK_WORDS {
        // SAFETY: the word lies in the group, and an entry is the address of a readable word.
        unsafe { group.start().plus_words(number).store(group.start().0) };
    }
    let mut seen = 0;
    each_entry(&Chain { first: group, blocks: 1 }, |_| seen += 1);
    assert_eq!(seen, BLOCK_WORDS);
}

#[test]
fn released_buffers_have_no_room() {
    let (mut store, mut mutator) = (store(), mutator());
    store.remember(&mut mutator, entry(0));
    assert!(!mutator.window.remember_lim.is_null());
    mutator.buffers.release(&mut mutator.window, &mut store.blocks);
    assert!(mutator.window.remember.is_null() && mutator.window.remember_lim.is_null());
    store.remember(&mut mutator, entry(1));
    let mut seen = Vec::new();
    mutator.buffers.for_each(&mut mutator.window, |entry| seen.push(entry));
    assert_eq!(seen, [entry(1)]);
    mutator.buffers.release(&mut mutator.window, &mut store.blocks);
    assert_eq!(store.blocks.used(), 0);
}

/// Each group has a few entries many times over, so that several groups become one.
#[test]
fn condensing_loses_no_entry() {
    const DISTINCT: usize = 64;
    let (mut store, mut mutator) = (store(), mutator());
    let in_group = BUFFER_BLOCKS * BLOCK_WORDS;
    let groups = CONDENSE_BLOCKS / BUFFER_BLOCKS + 2;
    for group in 0..groups {
        (0..in_group).for_each(|i| store.remember(&mut mutator, entry(group * DISTINCT + i % DISTINCT)));
    }
    assert!(mutator.buffers.blocks() < CONDENSE_BLOCKS / 2, "they were not condensed");
    let mut seen = vec![false; groups * DISTINCT];
    mutator.buffers.for_each(&mut mutator.window, |entry| seen[number(entry)] = true);
    assert_eq!(seen.iter().position(|&seen| !seen), None);
    assert!(!store.generations[1].forgot);
    mutator.buffers.release(&mut mutator.window, &mut store.blocks);
}

/// A heap without old objects cannot have as many entries as these, so its generations are collected instead.
#[test]
fn buffers_that_are_too_many_are_emptied() {
    let (mut store, mut mutator) = (store(), mutator());
    let mut number = 0;
    while !store.generations[1].forgot {
        store.remember(&mut mutator, entry(number));
        number += 1;
    }
    assert_eq!(mutator.buffers.blocks(), BUFFER_BLOCKS);
    store.remember(&mut mutator, entry(number));
    let mut last = None;
    mutator.buffers.for_each(&mut mutator.window, |entry| last = Some(entry));
    assert_eq!(last, Some(entry(number)));
    mutator.buffers.release(&mut mutator.window, &mut store.blocks);
}
