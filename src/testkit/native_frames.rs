//! Frames of compiled code, their stack, and the stack maps of their functions, which are written here as LLVM writes them.

use super::outcome::Step;
use super::shape::Role;
use super::word::Word;
use crate::heap::root::native::{Anchor, Machine as Processor, Part};

pub(super) const STACK_WORDS: usize = 400;
pub(super) const MOST_FRAMES: usize = 20;
/// Words of a frame that lead to its caller: the caller's frame pointer, and above it the return address.
const LINKS: usize = 2;
/// Distance from the beginning of a function to the place to which its only call returns.
const OFFSET: usize = 8;

/// A compiled function with one call. Words of its frame are counted from the stack pointer.
pub(super) struct Function {
    pub(super) words: usize,
    /// Words of arguments that are pushed for the call, which are in no map. The other words are counted from the frame pointer then.
    pushed: usize,
    pub(super) bases: &'static [usize],
    /// Words with addresses inside objects: the number of the base, the word, and the distance in bytes.
    derived: &'static [(usize, usize, usize)],
    tagged: bool,
}

pub(super) const FUNCTIONS: [Function; 6] = [
    Function { words: 4, pushed: 0, bases: &[1], derived: &[], tagged: false },
    Function { words: 9, pushed: 0, bases: &[0, 2, 5], derived: &[(1, 3, 8), (2, 6, 24)], tagged: false },
    Function { words: 12, pushed: 3, bases: &[4, 9], derived: &[(0, 3, 16)], tagged: false },
    Function { words: 3, pushed: 0, bases: &[], derived: &[], tagged: false },
    Function { words: 8, pushed: 0, bases: &[0, 1, 4], derived: &[], tagged: true },
    Function { words: 7, pushed: 2, bases: &[2, 4], derived: &[], tagged: true },
];

/// The code of the functions, of which the library reads the beginning: it sets the frame pointer.
static CODE: [[u8; 16]; FUNCTIONS.len()] = [[0x55, 0x48, 0x89, 0xe5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; 6];
/// The place in C to which compiled code returns.
pub(super) static CALLER: u8 = 0;

impl Function {
    fn on_x86() -> bool {
        Processor::HERE == Processor::X86_64
    }

    /// The size in its map: without the return address where the call has pushed it.
    fn map_bytes(&self) -> usize {
        if Function::on_x86() { 8 * (self.words - self.pushed - 1) } else { 8 * self.words }
    }

    /// The register and the distance that the map gives for a word.
    fn location(&self, word: usize) -> (u16, i32) {
        let registers = Processor::HERE.registers();
        if self.pushed == 0 {
            (registers.stack_pointer, 8 * word as i32)
        } else {
            (registers.frame_pointer, 8 * (word as i32 - (self.words - LINKS) as i32))
        }
    }

    pub(super) fn role(&self) -> Role {
        if self.tagged { Role::Tagged } else { Role::Pointer }
    }
}

fn return_address(function: usize) -> usize {
    CODE[function].as_ptr() as usize + OFFSET
}

/// The section of the functions with plain pointers, or of those with tagged words.
fn section(tagged: bool) -> Vec<u8> {
    let chosen = || FUNCTIONS.iter().enumerate().filter(move |(_, function)| function.tagged == tagged);
    let mut bytes: Vec<u8> = vec![3, 0, 0, 0];
    let count = chosen().count() as u32;
    [count, 0, count].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    for (number, function) in chosen() {
        let facts = [CODE[number].as_ptr() as usize, function.map_bytes(), 1];
        facts.iter().for_each(|fact| bytes.extend(fact.to_le_bytes()));
    }
    for (_, function) in chosen() {
        let words = |base: usize, derived| [function.location(base), function.location(derived)];
        let bases = function.bases.iter().flat_map(|&base| words(base, base));
        let derived = function.derived.iter().flat_map(|&(base, at, _)| words(function.bases[base], at));
        let places: Vec<(u16, i32)> = bases.chain(derived).collect();
        bytes.extend([0; 8]);
        bytes.extend((OFFSET as u32).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend((3 + places.len() as u16).to_le_bytes());
        let mut location = |kind: u8, register: u16, value: i32| {
            bytes.extend([kind, 0, 8, 0]);
            bytes.extend(register.to_le_bytes());
            bytes.extend([0; 2]);
            bytes.extend(value.to_le_bytes());
        };
        // Calling convention, flags and deoptimisation.
        (0..3).for_each(|_| location(4, 0, 0));
        places.iter().for_each(|&(register, value)| location(3, register, value));
        bytes.resize(bytes.len().next_multiple_of(8) + 4, 0);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    bytes
}

pub(super) struct Frame {
    pub(super) function: usize,
    /// The word of the stack at which the frame begins: its stack pointer.
    pub(super) first: usize,
    pub(super) words: Vec<Word>,
    /// The call of C into compiled code that began with this frame.
    pub(super) part: Option<Box<Part>>,
}

/// The frames of compiled code in a program, and their stack, which grows downwards.
pub(super) struct NativeFrames {
    pub(super) memory: Box<[usize; STACK_WORDS]>,
    pub(super) frames: Vec<Frame>,
    /// Sections of maps that the heap has taken over.
    pub(super) registered: usize,
    /// Their bytes, at whose addresses they are known.
    pub(super) sections: [Vec<u8>; 2],
}

impl NativeFrames {
    pub(super) fn new() -> NativeFrames {
        NativeFrames {
            memory: Box::new([0; STACK_WORDS]),
            frames: Vec::new(),
            registered: 0,
            sections: [section(false), section(true)],
        }
    }

    pub(super) fn address(&self, word: usize) -> usize {
        self.memory.as_ptr() as usize + 8 * word
    }

    /// The registers of the newest frame.
    pub(super) fn anchor(&self) -> Anchor {
        self.frames.last().map_or(Anchor::NONE, |frame| {
            let links = frame.first + FUNCTIONS[frame.function].words - LINKS;
            Anchor {
                address: return_address(frame.function),
                stack_pointer: self.address(frame.first),
                frame_pointer: self.address(links),
            }
        })
    }

    pub(super) fn each_slot(&mut self, mut visit: impl FnMut(*mut usize, &mut Word, Role)) {
        for frame in &mut self.frames {
            let function = &FUNCTIONS[frame.function];
            for (&base, word) in function.bases.iter().zip(&mut frame.words) {
                visit(&raw mut self.memory[frame.first + base], word, function.role());
            }
        }
    }

    /// Each word with an address inside an object, and what it should be.
    fn derived(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.frames.iter().flat_map(move |frame| {
            let function = &FUNCTIONS[frame.function];
            function.derived.iter().map(move |&(base, at, distance)| {
                let base = self.memory[frame.first + function.bases[base]];
                (frame.first + at, base.wrapping_add(distance))
            })
        })
    }

    /// Lets addresses inside objects follow bases that the program has changed.
    pub(super) fn derive(&mut self) {
        let all: Vec<_> = self.derived().collect();
        all.into_iter().for_each(|(at, wanted)| self.memory[at] = wanted);
    }

    pub(super) fn check_derived(&self) -> Step {
        match self.derived().find(|&(at, wanted)| self.memory[at] != wanted) {
            None => Ok(()),
            Some((at, wanted)) => Err(format!(
                "word {at} of the compiled stack is {:#x} and should be {wanted:#x}, inside its object",
                self.memory[at]
            )),
        }
    }
}
