//! Selectors evaluated while they are saved: a field that was only waiting to be taken out of a constructor no longer
//! keeps the rest of it alive.
//!
//! No stack and no bound on depth: a selector that waits for another is linked to it through its own result word. A
//! selector under evaluation carries `BUSY` in its header, so one that waits for itself is seen, and stays as it is.

use super::observer::Observer;
use super::replace::Circle;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::heap::object::info::{FLAG_MUTABLE, Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, HEADER_REPLACED, info_of};
use crate::heap::space::generation::Code;
use crate::megablock::Codes;

/// Header bits of a selector under evaluation. Its own bits are kept in its link.
const BUSY: usize = 5;
/// In the link of a selector under evaluation: the selector below has this one's value as its own. Otherwise it selects
/// from that value.
const SAME_VALUE: usize = 1;
const OWN_BITS: usize = HEADER_BITS & !SAME_VALUE;

const RESULT: usize = 1;
const SELECTEE: usize = 2;

/// The object that a pointer leads to.
enum Found<'a> {
    Selector(Addr),
    /// A selector that is waited for already.
    Busy(Addr),
    Object(Addr, &'a Info),
    /// A selector that is not evaluated in this collection, or nothing that could be selected from.
    Nothing,
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Evaluates a selector that was not saved yet. True when it is an indirection now. Otherwise it has been saved as
    /// it is, and so have the selectors that it waits for: none is tried again.
    pub(super) fn evaluate(&mut self, start: Addr) -> bool {
        if !self.store.selects {
            return false;
        }
        let mut top = start;
        push(start, Addr::NULL, 0);
        let mut word = selectee(start);
        loop {
            let found = match self.look_for(word, true) {
                Found::Object(object, info) => match field_of(object, info, selected(top)) {
                    // The selected value may itself be waited for, or have to be evaluated first.
                    Some(value) => match self.look_for(value, false) {
                        Found::Selector(other) => Ok(Next::Wait(other, SAME_VALUE)),
                        Found::Busy(other) if all_the_same(top, other) => Err(other),
                        _ => Ok(Next::Value(value)),
                    },
                    None => Err(top),
                },
                Found::Selector(other) => Ok(Next::Wait(other, 0)),
                Found::Busy(_) | Found::Nothing => Err(top),
            };
            let value = match found {
                Ok(Next::Value(value)) => value,
                Ok(Next::Wait(other, relation)) => {
                    push(other, top, relation);
                    top = other;
                    word = selectee(other);
                    continue;
                }
                Err(last) => {
                    let Some(below) = self.fail(top, last) else { return false };
                    top = below;
                    match self.look_for(selectee(top), true) {
                        Found::Object(object, info) => field_of(object, info, selected(top)).unwrap_or(0),
                        _ => 0,
                    }
                }
            };
            match self.succeed(top, value) {
                Some(below) => (top, word) = (below, value),
                None => return true,
            }
        }
    }

    /// Gives a value to `top` and to the selectors below that wait for the same one. Returns the next below, which
    /// selects from the value.
    fn succeed(&mut self, top: Addr, value: usize) -> Option<Addr> {
        let mut at = top;
        loop {
            // SAFETY: a busy selector has its link in its result word.
            unsafe {
                let link = at.plus_words(RESULT).load();
                if O::ON {
                    at.store((at.load() & !HEADER_BITS) | (link & OWN_BITS));
                    self.observer.replaces(at);
                }
                at.store(self.store.tables.ind.0 | (link & OWN_BITS));
                self.store.selected += 1;
                at.plus_words(RESULT).store(value);
                let below = Addr(link & !HEADER_BITS);
                if below.is_null() {
                    return None;
                }
                if link & SAME_VALUE == 0 {
                    return Some(below);
                }
                at = below;
            }
        }
    }

    /// Saves the selectors from `top` down to `last`, which cannot be evaluated, as they are, with those below that
    /// select from them. Returns the first below that only waits for the value of a failed one, and so has that
    /// selector for its value. Several fail at once only when each waits for the value of the next, all around.
    fn fail(&mut self, top: Addr, last: Addr) -> Option<Addr> {
        let mut at = top;
        let mut beyond = false;
        loop {
            beyond |= at == last;
            // SAFETY: a busy selector has its link in its result word, and its table in its header.
            let link = unsafe {
                let link = at.plus_words(RESULT).load();
                at.store((at.load() & !HEADER_BITS) | (link & OWN_BITS));
                at.plus_words(RESULT).store(0);
                link
            };
            self.store.unselected += 1;
            let code = Code(self.codes.at(at.0));
            self.save_as_it_is(at, code);
            let below = Addr(link & !HEADER_BITS);
            if below.is_null() {
                return None;
            }
            if planted!(48, true, beyond) && link & SAME_VALUE != 0 {
                return Some(below);
            }
            at = below;
        }
    }

    /// Follows a pointer through copies and indirections; through indirections that stay only to select from their
    /// value.
    fn look_for<'a>(&self, word: usize, to_select: bool) -> Found<'a> {
        let mut at = Addr(word & !HEADER_BITS);
        let mut circle = Circle::new(0);
        loop {
            let code = Code(self.codes.at(at.0));
            if code.is_none() && !self.store.statics.has(at) || circle.closes(at.0) {
                return Found::Nothing;
            }
            // SAFETY: a pointer into a block of objects, or to a static one, is the address of an object.
            unsafe {
                let header = at.load();
                if header <= HEADER_BITS {
                    return Found::Nothing;
                }
                if header & HEADER_BITS == BUSY {
                    return Found::Busy(at);
                }
                if header & HEADER_FORWARDED != 0 {
                    let replaced = header & HEADER_REPLACED != 0;
                    let next = if replaced { at.plus_words(1).load() } else { header };
                    at = Addr(next & !HEADER_BITS);
                    continue;
                }
                let info = info_of(header);
                let stays = info.is_in(Kinds::INDIRECTION) || info.is(Kind::IndStatic);
                if info.is_whole_in(Kinds::PASSING) || (to_select && stays) {
                    at = Addr(at.plus_words(1).load() & !HEADER_BITS);
                } else if !info.is(Kind::Selector) {
                    return Found::Object(at, info);
                } else if self.is_unsaved(at, code) {
                    return Found::Selector(at);
                } else {
                    return Found::Nothing;
                }
            }
        }
    }
}

enum Next {
    Value(usize),
    /// For another selector, with the relation to it.
    Wait(Addr, usize),
}

fn selectee(selector: Addr) -> usize {
    // SAFETY: a selector has a selectee.
    unsafe { selector.plus_words(SELECTEE).load() }
}

/// Whether the selectors from `below` up to `top` all wait for the same value: then nothing gives it to them.
fn all_the_same(top: Addr, below: Addr) -> bool {
    let mut at = top;
    while at != below {
        // SAFETY: `below` is busy, so links of busy selectors lead to it.
        let link = unsafe { at.plus_words(RESULT).load() };
        if link & SAME_VALUE == 0 {
            return false;
        }
        at = Addr(link & !HEADER_BITS);
    }
    true
}

/// Puts a selector on top of those that wait.
fn push(selector: Addr, below: Addr, relation: usize) {
    // SAFETY: the caller has a selector that was not moved; its result word is not read by anybody.
    unsafe {
        let header = selector.load();
        selector.plus_words(RESULT).store(below.0 | (header & OWN_BITS) | relation);
        selector.store((header & !HEADER_BITS) | BUSY);
    }
}

fn selected(busy: Addr) -> usize {
    // SAFETY: a busy selector still has its table in its header.
    let header = unsafe { busy.load() };
    info_of(header & !HEADER_BITS).field as usize
}

/// The pointer in a field of a constructor, when there is one and it cannot change any more.
pub(super) fn field_of(object: Addr, info: &Info, field: usize) -> Option<usize> {
    if !has_field(info, field) || info.flags & FLAG_MUTABLE != 0 {
        return None;
    }
    // SAFETY: the constructor has this field.
    Some(unsafe { object.plus_words(1 + planted!(40, field / 2, field)).load() })
}

pub(super) fn has_field(info: &Info, field: usize) -> bool {
    if info.is_in(Kinds::CONSTRUCTOR) {
        field < info.ptrs as usize
    } else {
        info.is(Kind::Bitmap) && field < 64 && info.bitmap >> field & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constructor_has_the_fields_that_its_table_names() {
        let fields = |info: &Info| (0..100).filter(|&field| has_field(info, field)).collect::<Vec<usize>>();
        assert_eq!(fields(&Info::plain(Kind::Constr, 3, 2)), [0, 1, 2]);
        let bitmap = Info { bitmap: 1 << 63 | 0b1010, ..Info::plain(Kind::Bitmap, 0, 64) };
        assert_eq!(fields(&bitmap), [1, 3, 63]);
        assert!(fields(&Info { bitmap: 3, ..Info::plain(Kind::Bytes, 0, 0) }).is_empty());
    }
}
