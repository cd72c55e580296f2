//! The walk on stacks that are laid out by hand, for both processors; and the reader on maps that are written by hand,
//! cut, and changed at random.

use super::*;
use crate::heap::root::stack_map::Derived;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        self.bits() as usize % limit
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Writes a section as LLVM does.
#[derive(Default)]
struct Section(Vec<u8>);

/// Kind, register and value of a location.
type Where = (u8, u16, i32);
/// Address and frame of a function, and its calls.
type Function<'a> = (u64, u64, &'a [Call<'a>]);

struct Call<'a> {
    offset: u32,
    /// References, and addresses derived from them.
    pairs: &'a [(Where, Where)],
}

impl Section {
    fn put(&mut self, number: u64, bytes: usize) {
        self.0.extend_from_slice(&number.to_le_bytes()[..bytes]);
    }

    fn location(&mut self, (kind, register, value): Where) {
        self.put(kind as u64, 2);
        self.put(8, 2);
        self.put(register as u64, 4);
        self.put(value as u32 as u64, 4);
    }

    fn align(&mut self) {
        while !self.0.len().is_multiple_of(8) {
            self.0.push(0);
        }
    }

    fn object(mut self, functions: &[Function<'_>]) -> Section {
        self.put(3, 4);
        self.put(functions.len() as u64, 4);
        self.put(1, 4);
        self.put(functions.iter().map(|(_, _, calls)| calls.len() as u64).sum(), 4);
        for (at, frame, calls) in functions {
            self.put(*at, 8);
            self.put(*frame, 8);
            self.put(calls.len() as u64, 8);
        }
        self.put(0x1234_5678_9abc, 8);
        for call in functions.iter().flat_map(|(_, _, calls)| calls.iter()) {
            self.put(0xabcd_ef00, 8);
            self.put(call.offset as u64, 4);
            self.put(0, 2);
            self.put(3 + 2 * call.pairs.len() as u64, 2);
            for value in [0, 0, 0] {
                self.location((4, 0, value));
            }
            for (base, derived) in call.pairs {
                self.location(*base);
                self.location(*derived);
            }
            self.align();
            self.put(0, 4);
            self.align();
        }
        self
    }
}

const SP: u16 = 7;
const FP: u16 = 6;

fn two_functions() -> Section {
    let word = (3, SP, 8);
    let inside = (3, FP, -24);
    Section::default()
        .object(&[
            (0x1000, 40, &[Call { offset: 4, pairs: &[(word, word)] }, Call { offset: 9, pairs: &[] }]),
            (0x2000, 56, &[Call { offset: 17, pairs: &[(word, word), (word, inside), (word, inside)] }]),
        ])
        .object(&[(0x3000, 24, &[Call { offset: 5, pairs: &[((4, 0, 0), (4, 0, 0))] }])])
}

fn registered(bytes: &[u8]) -> Outcome<StackMaps> {
    let mut maps = StackMaps::new();
    maps.register(0x10, bytes, Registers::X86_64, false)?;
    Ok(maps)
}

#[test]
fn maps_of_several_objects_are_read() {
    let maps = registered(&two_functions().0).unwrap();
    assert_eq!(maps.len(), 4);
    let (_, site) = maps.find(0x1004).unwrap();
    assert_eq!((site.frame_bytes, maps.bases(site).len(), maps.derived(site).len()), (40, 1, 0));
    assert_eq!(maps.bases(site)[0], Place { from: From::StackPointer, offset: 8 });
    let (_, site) = maps.find(0x2011).unwrap();
    let place = Place { from: From::FramePointer, offset: -24 };
    assert_eq!(maps.derived(site), [Derived { base: maps.bases(site)[0], place }]);
    let (_, site) = maps.find(0x3005).unwrap();
    assert!(maps.bases(site).is_empty());
    assert!(maps.find(0x1005).is_none());
}

fn refusal(bytes: &[u8]) -> String {
    let failure = registered(bytes).unwrap_err();
    assert!(failure.sentence.as_str().len() > 30);
    failure.sentence.as_str().to_string()
}

#[test]
fn every_cut_is_refused() {
    let all = two_functions().0;
    let first = all.len()
        - Section::default()
            .object(&[(1, 24, &[Call { offset: 5, pairs: &[((4, 0, 0), (4, 0, 0))] }])])
            .0
            .len();
    for length in 0..all.len() {
        if length == first {
            // The first object file alone.
            assert!(registered(&all[..length]).is_ok());
        } else {
            refusal(&all[..length]);
        }
    }
}

#[test]
fn what_is_not_understood_is_refused() {
    let mut newer = two_functions().0;
    newer[0] = 4;
    assert!(refusal(&newer).contains("version 4"));
    assert_eq!(registered(&newer).unwrap_err().status, Status::Abi);
    let word = (3, SP, 8);
    let with = |frame: u64, pairs: &[(Where, Where)]| {
        refusal(&Section::default().object(&[(0x1000, frame, &[Call { offset: 4, pairs }])]).0)
    };
    assert!(with(u64::MAX, &[]).contains("no fixed size"));
    assert!(with(41, &[]).contains("impossible size"));
    assert!(with(40, &[((1, 3, 0), word)]).contains("in a register"));
    assert!(with(40, &[((2, SP, 0), word)]).contains("address of a stack slot"));
    assert!(with(40, &[((3, 3, 8), word)]).contains("neither stack nor frame pointer"));
    assert!(with(40, &[((3, SP, 9), word)]).contains("not at a word"));
    assert!(with(40, &[((9, SP, 8), word)]).contains("unknown kind"));
    assert!(with(40, &[((5, 0, 1), word)]).contains("constant that is not there"));
    assert!(with(40, &[(word, (3, SP, 16)), ((3, SP, 24), (3, SP, 16))]).contains("two objects"));
    assert!(with(40, &[(word, (3, SP, 16)), ((3, SP, 16), (3, SP, 16))]).contains("both a reference"));
    assert!(
        refusal(&Section::default().object(&[(0, 40, &[Call { offset: 4, pairs: &[] }])]).0)
            .contains("nowhere")
    );
    let twice = two_functions().0.repeat(2);
    assert!(refusal(&twice).contains("two stack maps tell"));
    // A function that never calls may have any frame.
    assert!(registered(&Section::default().object(&[(0x1000, u64::MAX, &[])]).0).is_ok());
}

#[test]
fn calls_of_a_refused_section_are_not_known() {
    let mut maps =
        registered(&Section::default().object(&[(0x9000, 8, &[Call { offset: 1, pairs: &[] }])]).0).unwrap();
    // The second object tells of the first one's calls, which are known by then.
    let twice = two_functions().0.repeat(2);
    for _ in 0..2 {
        maps.register(0x20, &twice, Registers::X86_64, false).unwrap_err();
        assert!([0x1004, 0x1009, 0x2011, 0x3005].iter().all(|&at| maps.find(at).is_none()));
    }
    maps.register(0x20, &two_functions().0, Registers::X86_64, false).unwrap();
    assert_eq!(maps.find(0x1004).unwrap().1.frame_bytes, 40);
    assert!(maps.find(0x9001).is_some());
}

/// For any bytes, the answer is a table or a sentence, and a refused section leaves no trace.
#[test]
fn changed_bytes_never_harm() {
    let all = two_functions().0;
    let mut refused = 0;
    for seed in 0..30_000 {
        let mut random = Random::new(seed);
        let mut bytes = all.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(4) {
                0 => 0xff,
                1 => 0,
                2 => bytes[at] ^ (1 << random.below(8)),
                _ => random.bits() as u8,
            };
        }
        if random.one_in(4) {
            bytes.truncate(random.below(bytes.len()));
        }
        let mut maps =
            registered(&Section::default().object(&[(0x9000, 8, &[Call { offset: 1, pairs: &[] }])]).0)
                .unwrap();
        match maps.register(0x20, &bytes, Registers::X86_64, false) {
            Ok(()) => {
                for number in 0..maps.len() as u32 {
                    let site = *maps.site(number);
                    assert_eq!(maps.find(site.address).unwrap().0, number);
                    assert!(maps.bases(&site).len() <= 65535 && maps.derived(&site).len() <= 65535);
                }
                maps.forget_section(0x20);
            }
            Err(_) => refused += 1,
        }
        assert_eq!(maps.len(), 1);
        assert!(maps.find(0x9001).is_some());
    }
    assert!(refused > 10_000);
}

#[test]
fn a_hundred_thousand_calls_are_found() {
    let mut section = Section::default();
    let word = (3, SP, 16);
    let inside = (3, SP, 24);
    let pairs = [(word, word), (word, inside)];
    for file in 0..100u64 {
        let calls: Vec<Call<'_>> = (1..=10).map(|i| Call { offset: i * 5, pairs: &pairs }).collect();
        let functions: Vec<Function<'_>> =
            (0..100).map(|i| (0x10_0000 + file * 0x10000 + i * 0x100, 40, &calls[..])).collect();
        section = section.object(&functions);
    }
    let mut maps = registered(&section.0).unwrap();
    assert_eq!(maps.len(), 100_000);
    // A linear search would take 10^10 steps.
    for round in 0..10 {
        for file in 0..100 {
            for i in 0..1000 {
                let address = 0x10_0000 + file * 0x10000 + i / 10 * 0x100 + (i % 10 + 1) * 5;
                assert_eq!(maps.find(address).unwrap().1.address, address, "{round}");
                assert!(maps.find(address + 1).is_none());
            }
        }
    }
    maps.forget_code(|at| at < 0x10_0000 + 50 * 0x10000);
    assert_eq!(maps.len(), 50_000);
    assert!(maps.find(0x10_0005).is_none());
    let (_, site) = maps.find(0x10_0000 + 50 * 0x10000 + 5).unwrap();
    assert_eq!(maps.derived(site)[0].place.offset, 24);
}

/// Two frames above the end of a stack, which is an array: 0x1000 has called 0x2000, which has called the library.
struct Stack {
    words: Box<[usize; 64]>,
    part: Box<Part>,
}

impl Stack {
    fn at(&self, word: usize) -> usize {
        &raw const self.words[word] as usize
    }

    fn x86() -> (Stack, NativeStack) {
        let mut stack =
            Stack { words: Box::new([0; 64]), part: Box::new(NativeStack::EMPTY.part_of_a_call()) };
        // 0x2000 has 56 bytes from word 10, and 0x1000 has 40 from word 18.
        stack.words[10 + 6] = stack.at(18 + 4);
        stack.words[10 + 7] = 0x1004;
        stack.words[18 + 4] = stack.at(24);
        stack.words[18 + 5] = 0x77;
        stack.words[10 + 1] = 5000;
        stack.words[10 + 3] = 5016;
        stack.words[18 + 1] = 6000;
        stack.part.address = 0x77;
        stack.part.end = stack.at(24);
        let native = NativeStack {
            part: &raw mut *stack.part,
            left: Anchor { address: 0x2011, stack_pointer: stack.at(10), frame_pointer: stack.at(16) },
            found: List::new(),
        };
        (stack, native)
    }
}

struct Adds(Vec<usize>);

impl SlotSink for Adds {
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: the walk hands on words of the stack above.
        unsafe {
            self.0.push(slot.load());
            slot.store(slot.load() + 800);
        }
    }
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        unsafe { self.0.push(slot.load() + 1) }
    }
}

#[test]
fn frames_are_found_and_their_words_move() {
    let maps = registered(&two_functions().0).unwrap();
    let (stack, mut native) = Stack::x86();
    native.find_as(&maps, Machine::X86_64, |_| false).unwrap();
    assert_eq!(native.depth(), 2);
    native.detach_derived(&maps);
    let mut adds = Adds(Vec::new());
    native.visit(&maps, &mut adds);
    assert_eq!(adds.0, [5000, 6000]);
    native.attach_derived(&maps);
    assert_eq!([stack.words[11], stack.words[13], stack.words[19]], [5800, 5816, 6800]);
}

#[test]
fn a_stack_that_makes_no_sense_is_refused() {
    let maps = registered(&two_functions().0).unwrap();
    let refuse = |change: &dyn Fn(&mut Stack, &mut NativeStack), says: &str| {
        let (mut stack, mut native) = Stack::x86();
        change(&mut stack, &mut native);
        let failure = native.find_as(&maps, Machine::X86_64, |_| false).unwrap_err();
        assert_eq!(failure.status, Status::Damaged);
        assert!(failure.sentence.as_str().contains(says), "{}", failure.sentence);
    };
    refuse(&|_, native| native.left.address = 0x2012, "no stack map for the return address 0x2012");
    refuse(&|stack, _| stack.words[17] = 0x1005, "no stack map for the return address 0x1005, 1 frames");
    refuse(&|stack, _| stack.words[16] += 8, "agrees with its size of 40");
    refuse(&|_, native| native.left.frame_pointer -= 8, "agrees with its size of 56");
    refuse(&|_, native| native.left.frame_pointer -= 4, "agrees with its size of 56");
    refuse(&|stack, native| native.left.frame_pointer = stack.at(8), "agrees with its size of 56");
    refuse(&|_, native| native.left = Anchor::NONE, "not through one of the barrow_gc_ functions");
    refuse(&|_, native| native.part = std::ptr::null_mut(), "barrow_stack_call");
    refuse(&|stack, _| stack.part.end -= 8, "agrees with its size of 40");
    refuse(&|stack, _| stack.part.end(), "is over");
    // The end lies elsewhere: the walk comes to an address without a map, and reads nothing beyond the end.
    refuse(&|stack, _| stack.part.address = 0x78, "no stack map for the return address 0x77");
}

#[test]
fn words_outside_of_the_stack_are_refused() {
    let beyond = (3, SP, 400);
    let section = Section::default().object(&[
        (0x1000, 40, &[Call { offset: 4, pairs: &[] }]),
        (0x2000, 56, &[Call { offset: 17, pairs: &[(beyond, beyond)] }]),
    ]);
    let maps = registered(&section.0).unwrap();
    let (_stack, mut native) = Stack::x86();
    let failure = native.find_as(&maps, Machine::X86_64, |_| false).unwrap_err();
    assert_eq!(failure.status, Status::Damaged);
    assert!(failure.sentence.as_str().contains("0x2011 names words outside"), "{}", failure.sentence);
}

#[test]
fn code_that_a_frame_returns_to_stays() {
    let maps = registered(&two_functions().0).unwrap();
    let (_stack, mut native) = Stack::x86();
    native.find_as(&maps, Machine::X86_64, |_| false).unwrap();
    let is_of = |section| {
        let maps = &maps;
        move |at| maps.find(at).is_some_and(|(_, site)| site.is_of(section))
    };
    native.refuse_returns_into(&maps, is_of(0x20)).unwrap();
    native.refuse_returns_into(&maps, is_of(0x10)).unwrap_err();
    let failure = native.refuse_returns_into(&maps, |at| at < 0x2000).unwrap_err();
    assert!(failure.sentence.as_str().contains("returns to 0x1004, which is to go"), "{}", failure.sentence);
}

/// A part begins below those that wait, since stacks grow downwards; above one, that one was jumped over.
#[test]
fn a_call_that_was_jumped_over_is_told() {
    let mut parts = [NativeStack::EMPTY.part_of_a_call(), NativeStack::EMPTY.part_of_a_call()];
    let [lower, upper] = &mut parts;
    let mut native = NativeStack::EMPTY;
    native.begin(upper).unwrap();
    native.begin(lower).unwrap();
    let failure = native.begin(upper).unwrap_err();
    assert!(failure.sentence.as_str().contains("was left by a jump"), "{}", failure.sentence);
}

#[test]
fn tagged_words_are_told() {
    let mut maps = StackMaps::new();
    maps.register(0x10, &two_functions().0, Registers::X86_64, true).unwrap();
    let (_stack, mut native) = Stack::x86();
    native.find_as(&maps, Machine::X86_64, |_| false).unwrap();
    let mut adds = Adds(Vec::new());
    native.visit(&maps, &mut adds);
    assert_eq!(adds.0, [5001, 6001]);
}

/// A caller that has pushed two words for its call has a larger frame than its map says; its code says whether to
/// believe the frame pointer.
#[test]
fn pushed_arguments_are_told_from_missing_frame_pointers() {
    let maps = registered(&two_functions().0).unwrap();
    let (mut stack, mut native) = Stack::x86();
    let all = stack.words.to_vec();
    stack.words[20..26].copy_from_slice(&all[18..24]);
    stack.words[16] = stack.at(20 + 4);
    stack.words[20 + 4] = stack.at(26);
    stack.part.end = stack.at(26);
    assert!(native.find_as(&maps, Machine::X86_64, |_| false).is_err());
    native.find_as(&maps, Machine::X86_64, |function| function == 0x1000).unwrap();
    assert_eq!(native.depth(), 2);
}

#[test]
fn frames_of_the_other_processor_are_found() {
    let word = (3, 31, 8);
    let section = Section::default().object(&[
        (0x1000, 48, &[Call { offset: 4, pairs: &[(word, word)] }]),
        (0x2000, 64, &[Call { offset: 8, pairs: &[(word, (3, 29, 16))] }]),
    ]);
    let mut maps = StackMaps::new();
    maps.register(0x10, &section.0, Machine::Aarch64.registers(), false).unwrap();
    let (mut stack, mut native) = Stack::x86();
    // 0x2000 has its links at its end, 0x1000 in the middle.
    stack.words[10 + 4] = stack.at(18 + 2);
    stack.words[10 + 5] = 0x1004;
    stack.words[18 + 2] = stack.at(24);
    stack.words[18 + 3] = 0x77;
    stack.words[10 + 6] = 5024;
    native.left = Anchor { address: 0x2008, stack_pointer: stack.at(10), frame_pointer: stack.at(14) };
    native.find_as(&maps, Machine::Aarch64, |_| false).unwrap();
    assert_eq!(native.depth(), 2);
    native.detach_derived(&maps);
    native.visit(&maps, &mut Adds(Vec::new()));
    native.attach_derived(&maps);
    assert_eq!([stack.words[11], stack.words[16], stack.words[19]], [5800, 5824, 6800]);
    native.left.frame_pointer = stack.at(18);
    assert!(native.find_as(&maps, Machine::Aarch64, |_| false).is_err());
}
