//! Entries that mutators remember: they go into buffers, and full buffers are condensed, so that the entries have a
//! bound in terms of old objects.

use crate::base::fault;
use crate::base::size::*;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::mutator::state::Mutator;
use crate::heap::space::carded::{Carded, large_array_around};
use crate::heap::space::remember::{BUFFER_BLOCKS, CONDENSE_BLOCKS, Entry, Remembered};
use crate::heap::space::repeated::{keep_one_of_each, looks_repeated, make_distinct};
use crate::heap::space::store::Store;

/// Elements that a collection looks at in the time in which it looks at one entry, sorted before, at least.
const ELEMENTS_AN_ENTRY: usize = 16;

impl Store {
    /// Appends an entry to a mutator's buffer, as the inline barrier does, which calls this when the buffer is full.
    pub fn remember(&mut self, mutator: &mut Mutator, entry: Entry) {
        if mutator.window.remember == mutator.window.remember_lim {
            self.change_buffer(mutator);
        }
        if mutator.window.remember != mutator.window.remember_lim {
            // SAFETY: `remember` is below its limit, in the buffer that the mutator owns.
            unsafe {
                mutator.window.remember.write(entry.0);
                mutator.window.remember = mutator.window.remember.add(1);
            }
        }
    }

    /// Makes room in the window's buffer. Without memory, everything old is marked as having to be collected:
    /// that makes every entry needless.
    #[cold]
    fn change_buffer(&mut self, mutator: &mut Mutator) {
        let (buffers, window) = (&mut mutator.buffers, &mut mutator.window);
        buffers.seal(window);
        let old: usize = self.generations[1..].iter().map(|g| g.all_blocks()).sum();
        if buffers.full.blocks >= buffers.condense_at {
            let crowded = buffers.full.blocks >= old / 4;
            if crowded || looks_repeated(&buffers.full) {
                self.condense(&mut buffers.full, crowded);
            }
            buffers.condense_at = CONDENSE_BLOCKS.max(buffers.full.blocks * 2);
            // More entries than words that could hold them would be absurd; a full collection is cheaper.
            if buffers.full.blocks > old / 2 + CONDENSE_BLOCKS {
                self.forget_all();
                buffers.clear(window, &mut self.blocks);
                return;
            }
        }
        match fault::allow_entries().then(|| self.blocks.alloc_group(BUFFER_BLOCKS)) {
            Some(Ok(group)) => {
                if let Some(current) = buffers.current.some() {
                    buffers.full.push(current);
                }
                buffers.current = group;
                buffers.restart(window);
            }
            Some(Err(_)) | None => {
                planted!(124, (), self.forget_all());
                buffers.clear(window, &mut self.blocks);
            }
        }
    }

    /// Makes every older generation be collected next time, since something could not be remembered.
    pub fn forget_all(&mut self) {
        let count = self.generation_count;
        for generation in &mut self.generations[1..count.max(1)] {
            generation.forgot = true;
        }
    }

    /// Drops entries that say the same thing: slots of large arrays become cards, in all arrays if the entries crowd the heap,
    /// else in those that are not long beside the entries. Equal entries of a group become one, and then, if many may be
    /// left, equal entries of all groups.
    fn condense(&mut self, chain: &mut Chain, crowded: bool) {
        let before = chain.blocks;
        let entries: usize = chain.iter().map(|group| group.words_free_to()).sum();
        let longest = if crowded { usize::MAX } else { entries * ELEMENTS_AN_ENTRY };
        self.condense_groups(chain, longest);
        if chain.blocks > before / 4 && looks_repeated(chain) {
            // Without memory for it, equal entries stay.
            let _ = make_distinct(chain, &mut self.blocks);
        }
    }

    fn condense_groups(&mut self, chain: &mut Chain, longest: usize) {
        let mut rest = Chain::EMPTY;
        let mut carded = Carded::NONE;
        while let Some(group) = chain.pop() {
            let count = group.words_free_to();
            // SAFETY: the group holds `count` entries, and nobody else looks at it now.
            let entries = unsafe { std::slice::from_raw_parts_mut(group.start().as_ptr::<Entry>(), count) };
            let mut kept = 0;
            for i in 0..count {
                if !self.moved_to_cards(entries[i], longest, &mut carded) {
                    entries[kept] = entries[i];
                    kept += 1;
                }
            }
            let entries = &mut entries[..kept];
            entries.sort_unstable();
            let distinct = keep_one_of_each(entries);
            group.fields().free = group.start().plus_words(distinct);
            if distinct == 0 {
                self.blocks.free_group(group);
            } else {
                rest.push(group);
            }
        }
        // Half-empty groups are joined.
        while let Some(group) = rest.pop() {
            match chain.first.some() {
                Some(into) if into.words_free_to() + group.words_free_to() <= into.blocks() * BLOCK_WORDS => {
                    let count = group.words_free_to();
                    // SAFETY: `into` has room for `count` more words, and the groups are distinct.
                    unsafe {
                        let from = group.start().as_ptr::<usize>();
                        into.fields().free.as_ptr::<usize>().copy_from_nonoverlapping(from, count);
                    }
                    into.fields().free = into.fields().free.plus_words(count);
                    self.blocks.free_group(group);
                }
                _ => chain.push(group),
            }
        }
    }

    /// Marks the card of a slot of a large array with at most `longest` elements. False for any other entry.
    fn moved_to_cards(&mut self, entry: Entry, longest: usize, last: &mut Carded) -> bool {
        if !matches!(entry.what(), Remembered::Slot | Remembered::TaggedSlot) {
            return false;
        }
        let slot = entry.at();
        if !last.has(slot) {
            let Some(group) = large_array_around(self.codes, slot) else { return false };
            let found = Carded::of(group);
            if found.length() > longest {
                return false;
            }
            self.remember_cards(group);
            *last = found;
        }
        let index = last.index(slot);
        // SAFETY: the slot is one of the array's elements.
        unsafe { last.array.mark(planted!(3, index & !255, index), 1) };
        true
    }

    /// Notes that a large array has marked cards, once.
    pub fn remember_cards(&mut self, group: Block) {
        let generation = group.fields().generation as usize;
        if generation == 0 || group.has(flag::CARDED) {
            return;
        }
        group.fields().flags |= flag::CARDED;
        self.has_cards = true;
        let entry = Entry::new(Remembered::Cards, group.object());
        let generation = &mut self.generations[generation];
        if !generation.remembered.push(&mut self.blocks, entry) {
            generation.forgot = true;
        }
    }
}
