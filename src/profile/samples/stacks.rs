//! The machine's stacks of samples, each kept once.

use crate::base::{List, Outcome};
use crate::os::frames::{DEEPEST, Frames};

/// Addresses in all stacks together: a quarter of a megabyte, and twice that when the list has grown.
const MOST: usize = 1 << 15;

/// A stack by its place among all addresses.
#[derive(Clone, Copy)]
struct Part {
    from: u32,
    length: u32,
}

/// All stacks, by number. Number 0 is the empty one.
pub(crate) struct Stacks {
    addresses: List<usize>,
    parts: List<Part>,
    /// Numbers of stacks in open addressing: 0 is free.
    slots: List<u32>,
    frames: Frames,
}

fn hash(stack: &[usize]) -> usize {
    let mixed = stack.iter().fold(0xcbf2_9ce4_8422_2325u64, |sum, &address| {
        (sum ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    });
    mixed as usize
}

impl Stacks {
    pub(crate) fn new() -> Outcome<Stacks> {
        let (mut parts, mut slots) = (List::new(), List::new());
        parts.push(Part { from: 0, length: 0 })?;
        slots.fill(256, 0)?;
        Ok(Stacks { addresses: List::new(), parts, slots, frames: Frames::new()? })
    }

    /// The addresses to which the calls of a stack return, innermost first.
    pub(crate) fn stack(&self, number: u32) -> &[usize] {
        let Part { from, length } = self.parts[number as usize];
        &self.addresses[from as usize..][..length as usize]
    }

    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        let lists = self.addresses.held_bytes() + self.parts.held_bytes() + self.slots.held_bytes();
        lists + self.frames.held_bytes()
    }

    /// The number of the stack of the calling thread, from the client's code on that goes on at `site`. Stacks beyond the bound of
    /// memory are their innermost call alone.
    pub(crate) fn here(&mut self, site: usize) -> Outcome<u32> {
        let mut stack = [0; DEEPEST];
        let mut length = self.frames.calls(site, &mut stack)?;
        // Code without tables for the unwinder is at least known by its own place.
        if length == 0 && site != 0 {
            (stack[0], length) = (site, 1);
        }
        let is_full = self.addresses.len() + length > MOST;
        self.number(&stack[..if is_full { length.min(1) } else { length }])
    }

    fn number(&mut self, stack: &[usize]) -> Outcome<u32> {
        if stack.is_empty() {
            return Ok(0);
        }
        let mut at = self.slot(stack);
        if self.slots[at] != 0 {
            return Ok(self.slots[at]);
        }
        if self.parts.len() * 2 >= self.slots.len() {
            self.grow()?;
            at = self.slot(stack);
        }
        let part = Part { from: self.addresses.len() as u32, length: stack.len() as u32 };
        self.parts.reserve(1)?;
        self.addresses.append(stack)?;
        let number = self.parts.len() as u32;
        let _ = self.parts.push_within(part);
        self.slots[at] = number;
        Ok(number)
    }

    /// The slot of a stack, or the free one where it belongs.
    fn slot(&self, stack: &[usize]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(stack) & mask;
        while self.slots[at] != 0 && self.stack(self.slots[at]) != stack {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut slots = List::new();
        slots.fill(self.slots.len() * 2, 0)?;
        self.slots = slots;
        for number in 1..self.parts.len() as u32 {
            let at = self.slot(self.stack(number));
            self.slots[at] = number;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_have_one_number() {
        let mut stacks = Stacks::new().unwrap();
        for round in 0..2 {
            for one in 1..1000usize {
                let number = stacks.number(&[one, one + 1, 5]).unwrap();
                assert_eq!(number as usize, one, "{round}");
                assert_eq!(stacks.stack(number), [one, one + 1, 5]);
            }
        }
        assert_eq!(stacks.number(&[]).unwrap(), 0);
    }

    #[test]
    fn memory_is_bounded() {
        let mut stacks = Stacks::new().unwrap();
        let here = stacks.here(0).unwrap();
        assert!(stacks.stack(here).len() > 3);
        stacks.addresses.fill(MOST, 1).unwrap();
        let full = stacks.here(0).unwrap();
        assert!(full != here && stacks.stack(full).len() == 1);
        assert!(stacks.held_bytes() < 600 << 10);
    }
}
