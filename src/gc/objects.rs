//! Every object of a heap, found by walking its blocks from their start: for checks and audits.

use super::starts::Starts;
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::object::stack::Stack;
use crate::heap::space::gaps::Gap;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::poison::POISON;
use crate::heap::{Model, Mutator, Store};
use crate::os::debugger::Readable;

pub(crate) struct Objects {
    pub starts: Starts,
    pub words: usize,
    /// Words in gaps.
    gap_words: usize,
    readable: Readable,
}

impl Objects {
    pub(crate) fn find(store: &Store, mutator: &Mutator) -> Outcome<Objects> {
        let mut found = Objects { starts: Starts::new(), words: 0, gap_words: 0, readable: Readable::new() };
        for chunk in mutator.nursery.chunks() {
            found.add_group(store, chunk, Place::NURSERY)?;
        }
        found.add_chain(store, &mutator.pool.blocks, Place::NURSERY)?;
        for (number, generation) in store.all_generations().iter().enumerate() {
            for (step_number, step) in generation.live_steps().iter().enumerate() {
                let place = Place::new(number, step_number);
                let before = (found.words, found.gap_words);
                found.add_chain(store, &step.blocks, place)?;
                let filled: usize = step.blocks.iter().map(|group| group.words_free_to()).sum();
                let held = filled - (found.gap_words - before.1);
                if held != step.live_words {
                    return Err(Failure::damaged(format_args!(
                        "step {step_number} of generation {number} holds {held} words in its blocks and counts {}",
                        step.live_words
                    )));
                }
                debug_assert!(found.words - before.0 <= held);
                for group in step.large.iter() {
                    found.add_fixed(store, group, place)?;
                }
            }
        }
        Ok(found)
    }

    fn add_chain(&mut self, store: &Store, chain: &Chain, place: Place) -> Outcome<()> {
        let mut blocks = 0;
        for group in chain.iter() {
            blocks += group.blocks();
            self.add_group(store, group, place)?;
        }
        if blocks != chain.blocks {
            return Err(Failure::damaged(format_args!(
                "a list of generation {} has {blocks} blocks and counts {}",
                place.generation(),
                chain.blocks
            )));
        }
        Ok(())
    }

    fn add_group(&mut self, store: &Store, group: Block, place: Place) -> Outcome<()> {
        check_code(store, group, Code::moving(place))?;
        let mut at = group.start();
        let mut before = Addr::NULL;
        let end = group.fields().free;
        while at < end {
            // SAFETY: words up to `free` are readable.
            if unsafe { at.load() } == 0 {
                at = at.plus_words(1);
                continue;
            }
            // SAFETY: as above, and a word that is not zero here is a header.
            if let Some(gap) = unsafe { Gap::at(at) }.filter(|gap| gap.end <= end) {
                self.gap_words += gap.words();
                (before, at) = (Addr::NULL, gap.end);
                continue;
            }
            let words = self.add_object(store, at).map_err(|failure| self.odd(store, before, failure))?;
            if words > LARGE_OBJECT_WORDS {
                return Err(Failure::damaged(format_args!(
                    "the object at {at} has {words} words; one of more than {LARGE_OBJECT_WORDS} is made by \
                     barrow_alloc or barrow_allocate, not by barrow_bump"
                )));
            }
            before = at;
            at = at.plus_words(words);
            if at > end {
                let failure = Failure::damaged(format_args!(
                    "an object of {words} words in generation {} ends at {at}, behind the end {end} of its block",
                    place.generation()
                ));
                return Err(self.odd(store, before, failure));
            }
        }
        Ok(())
    }

    /// Explains a failure behind an object of an odd number of words, in a heap of even ones: it may be the inside of
    /// the next object, if the client has taken too little for this one.
    fn odd(&mut self, store: &Store, before: Addr, failure: Failure) -> Failure {
        if failure.status != Status::Damaged || before.is_null() || store.model.round == 0 {
            return failure;
        }
        // SAFETY: the walk has found an object here, and the word behind it lies in a block.
        let (info, behind) = unsafe {
            let info = info_of(before.load());
            let words = Model { round: 0, ..store.model }.size(before, info);
            if words.is_multiple_of(2) {
                return failure;
            }
            (info, before.plus_words(words))
        };
        Failure::damaged(format_args!(
            "behind the object at {before} ({}), which has an odd number of words, there is no object at a multiple of 16: inline allocation takes even sizes where object_alignment is 16; was one word less taken, so that the next object lies at {behind}?",
            info.name()
        ))
    }

    fn add_fixed(&mut self, store: &Store, group: Block, place: Place) -> Outcome<()> {
        check_code(store, group, Code::fixed(place))?;
        if group.has(flag::PINNED) {
            let mut outcome = Ok(());
            PinnedBlock(group).each_object(|object| {
                if outcome.is_ok() {
                    outcome = self.add_object(store, object).map(|_| ());
                }
            });
            return outcome;
        }
        // SAFETY: a large group is readable; a header of zero was not filled yet.
        if unsafe { group.object().load() } != 0 {
            let words = self.add_object(store, group.object())?;
            if group.object().plus_words(words) > group.end() {
                return Err(Failure::damaged(format_args!(
                    "a large object of {words} words at {} is larger than its group",
                    group.object()
                )));
            }
        }
        Ok(())
    }

    fn add_object(&mut self, store: &Store, at: Addr) -> Outcome<usize> {
        let words = look_at(store, at, &mut self.readable)?;
        self.starts.add(at)?;
        self.words += words;
        Ok(words)
    }

    pub(crate) fn has(&self, at: Addr) -> bool {
        self.starts.has(at)
    }
}

/// The words of the object at `at`, a readable word, when it is well-formed.
fn look_at(store: &Store, at: Addr, readable: &mut Readable) -> Outcome<usize> {
    // SAFETY: the callers hand in readable words.
    let header = unsafe { at.load() };
    if header == POISON {
        return Err(Failure::damaged(format_args!(
            "at {at} there is freed memory instead of an object: was more taken than was filled before this safepoint, or no header set?"
        )));
    }
    if header & HEADER_FORWARDED != 0 {
        return Err(Failure::damaged(format_args!("the object at {at} was moved and is still here")));
    }
    if !readable.has(header & !HEADER_BITS, size_of::<Info>()) {
        return Err(Failure::damaged(format_args!(
            "the object at {at} has no good info table: {header:#x} is no address; does the table of the object before it, or of this one, give another size than was filled?"
        )));
    }
    // SAFETY: a header is the address of an info table; if it is not, this is where it shows.
    let info = unsafe { Info::check(Addr(header & !HEADER_BITS)) }.map_err(|failure| {
        Failure::damaged(format_args!("the object at {at} has no good info table: {}", failure.sentence))
    })?;
    // SAFETY: as above.
    let words = unsafe { store.model.size(at, info) };
    if words > MAX_OBJECT_WORDS {
        return Err(Failure::damaged(format_args!(
            "the object at {at} ({}) says that it has {words} words",
            info.name()
        )));
    }
    if info.is(Kind::Stack) {
        Stack(at).check(readable)?;
    } else if info.is_in(Kinds::FRAME) {
        return Err(Failure::damaged(format_args!(
            "the object at {at} has the table of a frame ({}), and frames lie in stacks",
            info.name()
        )));
    }
    Ok(words)
}

/// Objects that one question walks past: a question that takes longer is not answered.
const MOST_PASSED: usize = 2000;

/// Whether an object begins at `object`, an address of the heap outside slop. True also when it cannot be known:
/// something before it in its block was not filled yet, or it is too far behind `known`. An object of some block begins
/// at `known`, which becomes the last one that the walk came to.
pub(crate) fn may_begin(store: &Store, object: Addr, known: &mut Addr) -> bool {
    let group = Block::of(object).head();
    if group.has(flag::PINNED) {
        let mut found = false;
        PinnedBlock(group).each_object(|at| found |= at == object);
        return found;
    }
    if Code(store.codes.at(object.0)).is_fixed() {
        return group.object() == object;
    }
    let mut readable = Readable::new();
    let is_near = *known >= group.start() && *known <= object;
    let mut at = if is_near { *known } else { group.start() };
    for _ in 0..MOST_PASSED {
        if at >= object {
            return at == object;
        }
        // SAFETY: words of a block are readable.
        if let Some(gap) = unsafe { Gap::at(at) } {
            at = gap.end;
            continue;
        }
        // SAFETY: as above; one that passes is an object.
        match unsafe { at.load() } {
            0 => at = at.plus_words(1),
            _ => match look_at(store, at, &mut readable) {
                Ok(words) => {
                    *known = at;
                    at = at.plus_words(words);
                }
                Err(_) => return true,
            },
        }
    }
    true
}

fn check_code(store: &Store, group: Block, code: Code) -> Outcome<()> {
    let blocks = group.blocks();
    for i in 0..blocks {
        let at = group.start().plus_bytes(i * BLOCK_BYTES);
        let found = Code(store.codes.at(at.0));
        if found != code {
            return Err(Failure::damaged(format_args!(
                "block {at} has code {} instead of {} (generation {}, step {})",
                found.0,
                code.0,
                code.generation(),
                code.place().step()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::Tags;
    use crate::os::limits::limits;

    /// No object is larger than an allocation may be.
    #[test]
    fn the_largest_object_is_one() {
        let flags = Flags::parse("").unwrap();
        let store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let info = Info::plain(Kind::Bytes, 0, 0);
        let found = |words: usize| {
            let memory = [&raw const info as usize, (words - 2) * WORD_BYTES];
            look_at(&store, Addr(memory.as_ptr() as usize), &mut Readable::new())
        };
        assert_eq!(found(2).unwrap(), 2);
        assert_eq!(found(MAX_OBJECT_WORDS).unwrap(), MAX_OBJECT_WORDS);
        let failure = found(MAX_OBJECT_WORDS + 1).unwrap_err();
        assert!(failure.sentence.as_str().contains("words"), "{}", failure.sentence);
    }

    /// Words that are 0 are passed; behind a word that is no header yet, anything may be.
    #[test]
    fn objects_may_begin_behind_words_that_are_not_filled() {
        let flags = Flags::parse("").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let group = store.blocks.alloc_group(1).unwrap();
        store.codes.set(group.start(), 1, Code::moving(Place::new(0, 0)).0);
        let info = Info::plain(Kind::Bytes, 0, 0);
        let may_begin_at = |word: usize| {
            let start = group.start();
            let mut known = Addr::NULL;
            may_begin(&store, start.plus_words(word), &mut known)
        };
        // SAFETY: words of the group.
        unsafe {
            (0..BLOCK_WORDS).for_each(|word| group.start().plus_words(word).store(0));
            group.start().plus_words(2).store(&raw const info as usize);
            group.start().plus_words(3).store(3 * WORD_BYTES);
        }
        assert_eq!([2, 3, 6, 7].map(may_begin_at), [true, false, false, true]);
        // SAFETY: as above.
        unsafe { group.start().plus_words(7).store(WORD_BYTES - 1) };
        assert_eq!([2, 6, 7, 8].map(may_begin_at), [true, false, true, true]);
    }
}
