//! Stack maps: the words in which compiled code keeps references while it calls, by the section that LLVM writes for
//! functions with statepoints. `stack_map_read.rs` reads it; nothing here looks at a stack.
//!
//! The table is a hash of return addresses, since a collection asks once for each frame.

use crate::base::{Failure, List, Outcome, Status};

/// The register that a location's address is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    StackPointer,
    FramePointer,
}

/// A word of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub from: From,
    pub offset: i32,
}

/// A word that holds an address inside an object, and the word that holds the object's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Derived {
    pub base: Place,
    pub place: Place,
}

/// One call: the contents of its frame when control comes back to `address`.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub address: usize,
    pub function: usize,
    /// Bytes from the stack pointer at the call to the end of the frame.
    pub frame_bytes: usize,
    /// Whether the references are tagged words.
    pub tagged: bool,
    /// Start of the section that it was read from.
    pub(crate) section: usize,
    pub(crate) bases: Span,
    pub(crate) derived: Span,
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Span {
    pub first: u32,
    pub count: u32,
}

impl Span {
    fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.first as usize..(self.first + self.count) as usize]
    }
}

impl Site {
    pub fn is_of(&self, section: usize) -> bool {
        self.section == section
    }
}

/// The numbers by which the maps name registers: those of the processor's DWARF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    pub stack_pointer: u16,
    pub frame_pointer: u16,
}

impl Registers {
    pub const X86_64: Registers = Registers { stack_pointer: 7, frame_pointer: 6 };
    pub const AARCH64: Registers = Registers { stack_pointer: 31, frame_pointer: 29 };
    pub const HERE: Registers =
        if cfg!(target_arch = "aarch64") { Registers::AARCH64 } else { Registers::X86_64 };
}

const EMPTY: u32 = u32::MAX;

#[derive(Debug)]
struct Section {
    start: usize,
    /// Number of calls that it tells of and that are known still. A section of code that calls nothing has none.
    sites: usize,
}

#[derive(Debug, Default)]
pub struct StackMaps {
    /// Sites of one section lie side by side, in the order of `sections`.
    pub(crate) sites: List<Site>,
    pub(crate) bases: List<Place>,
    pub(crate) derived: List<Derived>,
    sections: List<Section>,
    /// Numbers of sites by a hash of their addresses, a power of two of them, at most half full.
    index: List<u32>,
}

impl StackMaps {
    pub const fn new() -> StackMaps {
        StackMaps {
            sites: List::new(),
            bases: List::new(),
            derived: List::new(),
            sections: List::new(),
            index: List::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// The call that returns to this address.
    pub fn find(&self, address: usize) -> Option<(u32, &Site)> {
        if self.index.is_empty() {
            return None;
        }
        let mask = self.index.len() - 1;
        let mut at = hash(address) & mask;
        loop {
            let number = self.index[at];
            if number == EMPTY {
                return None;
            }
            let site = &self.sites[number as usize];
            if site.address == address {
                return Some((number, site));
            }
            at = (at + 1) & mask;
        }
    }

    pub fn site(&self, number: u32) -> &Site {
        &self.sites[number as usize]
    }

    /// Words that hold addresses of objects.
    pub fn bases(&self, site: &Site) -> &[Place] {
        site.bases.of(&self.bases)
    }

    pub fn derived(&self, site: &Site) -> &[Derived] {
        site.derived.of(&self.derived)
    }

    /// Takes over all maps in the bytes of a section, or none; `start` is the address of the bytes.
    pub fn register(
        &mut self,
        start: usize,
        bytes: &[u8],
        registers: Registers,
        tagged: bool,
    ) -> Outcome<()> {
        if bytes.is_empty() {
            return Err(Failure::argument(format_args!(
                "there are no stack maps in 0 bytes at {start:#x}; was the program linked without their section?"
            )));
        }
        if self.has_section(start) {
            return Err(Failure::state(format_args!(
                "the stack maps at {start:#x} are registered already; is one section registered twice?"
            )));
        }
        self.sections.reserve(1)?;
        let before = (self.sites.len(), self.bases.len(), self.derived.len());
        let outcome = self.read(start, bytes, registers).and_then(|()| self.extend_index(before.0));
        for site in &mut self.sites[before.0..] {
            site.tagged = tagged;
        }
        if outcome.is_err() {
            self.sites.truncate(before.0);
            self.bases.truncate(before.1);
            self.derived.truncate(before.2);
            self.fill_index();
        } else {
            let _ = self.sections.push_within(Section { start, sites: self.sites.len() - before.0 });
        }
        outcome
    }

    /// Makes the index know the sites from `first` on. Two calls never return to the same address.
    fn extend_index(&mut self, first: usize) -> Outcome<()> {
        if self.sites.len() >= EMPTY as usize / 2 {
            return Err(Failure::new(Status::Limit, format_args!("more stack maps than can be numbered")));
        }
        let slots = (self.sites.len() * 2).next_power_of_two();
        let mut from = first;
        if slots > self.index.len() {
            self.index.fill(slots, EMPTY)?;
            self.index.iter_mut().for_each(|slot| *slot = EMPTY);
            from = 0;
        }
        for number in from..self.sites.len() {
            if let Some(address) = self.enter(number) {
                return Err(Failure::state(format_args!(
                    "two stack maps tell of the return address {address:#x}; is one section registered twice?"
                )));
            }
        }
        Ok(())
    }

    /// Gives the address of a site that is in the index already.
    fn enter(&mut self, number: usize) -> Option<usize> {
        let mask = self.index.len() - 1;
        let address = self.sites[number].address;
        let mut at = hash(address) & mask;
        while self.index[at] != EMPTY {
            if self.sites[self.index[at] as usize].address == address {
                return Some(address);
            }
            at = (at + 1) & mask;
        }
        self.index[at] = number as u32;
        None
    }

    fn fill_index(&mut self) {
        self.index.iter_mut().for_each(|slot| *slot = EMPTY);
        for number in 0..self.sites.len() {
            self.enter(number);
        }
    }

    pub fn has_section(&self, start: usize) -> bool {
        self.sections.iter().any(|section| section.start == start)
    }

    pub fn forget_section(&mut self, start: usize) {
        self.forget(|site| site.section == start, |section| section == start);
    }

    /// Forgets calls from code at these addresses, and sections that lie there and tell of no call.
    pub fn forget_code(&mut self, gone: impl Fn(usize) -> bool) {
        self.forget(|site| gone(site.address), &gone);
    }

    /// A section goes with the last of its sites; one that has none is asked for by its start.
    fn forget(&mut self, gone: impl Fn(&Site) -> bool, section_gone: impl Fn(usize) -> bool) {
        let (mut bases, mut derived) = (0, 0);
        // Sites are in the order of their places, so places move down only.
        let (all_bases, all_derived) = (&mut self.bases, &mut self.derived);
        self.sites.retain_mut(|site| {
            if gone(site) {
                return false;
            }
            move_down(all_bases, &mut site.bases, &mut bases);
            move_down(all_derived, &mut site.derived, &mut derived);
            true
        });
        self.bases.truncate(bases);
        self.derived.truncate(derived);
        let mut left = &self.sites[..];
        self.sections.retain_mut(|section| {
            let count = left.iter().take_while(|site| site.section == section.start).count();
            left = &left[count..];
            let stays = if section.sites == 0 { !section_gone(section.start) } else { count > 0 };
            section.sites = count;
            stays
        });
        self.fill_index();
    }
}

fn move_down<T: Copy>(all: &mut List<T>, span: &mut Span, to: &mut usize) {
    let from = span.first as usize;
    all.copy_within(from..from + span.count as usize, *to);
    span.first = *to as u32;
    *to += span.count as usize;
}

fn hash(address: usize) -> usize {
    (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) as usize
}
