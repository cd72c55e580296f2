//! The meaning of numbers in the side table of producers: the maker of an object.
//!
//! Number 0 stands for objects from before the profile began; n + 1 for the cost-centre stack of number n; a
//! number from `FIRST_SITED` on for a stack together with the place in the code that allocated, while a
//! profile asks for places.

use super::ccs::{self, Ccs, MOST_STACKS};
use super::names::{Name, NameTable, names};
use super::printed::is_called;
use super::site::{self, MOST_SITES};
use crate::base::{List, Outcome};
use std::ops::Range;

const FIRST_SITED: u32 = MOST_STACKS + 1;

/// The number above all producers' numbers.
pub(crate) const MOST_PRODUCERS: usize = FIRST_SITED as usize + MOST_SITES;

pub(crate) const BEFORE: u32 = 0;
pub(crate) const BEFORE_PROFILING: &str = "(before profiling)";

/// The number for objects that a stack makes.
#[inline(always)]
pub(crate) const fn of_stack(number: u32) -> u32 {
    number + 1
}

/// The number for objects that a stack makes at a place in the code. Without memory for one more, it is that
/// of the stack alone.
pub(crate) fn of_site(stack: u32, place: usize) -> u32 {
    match site::number(stack, place) {
        Ok(number) if number != 0 => FIRST_SITED + number,
        _ => of_stack(stack),
    }
}

/// The ranges of all producers' numbers so far.
pub(crate) fn numbers() -> [Range<usize>; 2] {
    let first = FIRST_SITED as usize;
    [0..of_stack(ccs::count()) as usize, first..first + site::count()]
}

/// The stack of a producer; `None` for objects from before the profile.
pub(crate) fn stack_of(producer: u32) -> Option<&'static Ccs> {
    match producer.checked_sub(FIRST_SITED) {
        Some(number) => ccs::stack(site::stack(number)),
        None => ccs::stack(producer.checked_sub(1)?),
    }
}

/// The name `(12)parse/main`: the stack's number and its labels, innermost first, without MAIN; a CAF has its
/// module too.
pub(crate) fn name(producer: u32, names: &mut NameTable) -> Outcome<Name> {
    let Some(stack) = stack_of(producer) else { return names.intern(BEFORE_PROFILING.as_bytes()) };
    if stack.number == 0 {
        return names.intern(stack.innermost().label.to_bytes());
    }
    let mut text: List<u8> = List::new();
    let number = crate::base::Sentence::new(format_args!("({})", stack.number));
    text.append(number.as_str().as_bytes())?;
    for (depth, part) in stack.outwards().take_while(|part| part.number != 0).enumerate() {
        let centre = part.innermost();
        if depth > 0 {
            text.push(b'/')?;
        }
        if centre.label == c"CAF" {
            text.append(centre.module.to_bytes())?;
            text.push(b'.')?;
        }
        text.append(centre.label.to_bytes())?;
    }
    names.intern(&text)
}

/// The module of the stack's innermost centre.
pub(crate) fn module(producer: u32, names: &mut NameTable) -> Outcome<Name> {
    match stack_of(producer) {
        Some(stack) => names.intern(stack.innermost().module.to_bytes()),
        None => names.intern(BEFORE_PROFILING.as_bytes()),
    }
}

/// The name of the place in the code. It takes the lock on names itself.
pub(crate) fn site_name(producer: u32) -> Outcome<Name> {
    match producer.checked_sub(FIRST_SITED) {
        Some(number) => site::name(number),
        None if producer == BEFORE => names().intern(BEFORE_PROFILING.as_bytes()),
        None => names().intern(site::NO_SITE.as_bytes()),
    }
}

/// Whether a stack has a centre with this label or printed label: the innermost one, or any with `anywhere`.
pub(crate) fn has_label(producer: u32, label: &[u8], anywhere: bool) -> bool {
    let Some(stack) = stack_of(producer) else { return is_called(BEFORE_PROFILING.as_bytes(), label) };
    let depth = if anywhere { usize::MAX } else { 1 };
    stack.outwards().take(depth).any(|part| is_called(part.innermost().label.to_bytes(), label))
}

pub(crate) fn has_module(producer: u32, module: &[u8]) -> bool {
    let own =
        stack_of(producer).map_or(BEFORE_PROFILING.as_bytes(), |stack| stack.innermost().module.to_bytes());
    is_called(own, module)
}
