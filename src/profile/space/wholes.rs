//! The function that a call on the stack belongs to. Compilers split functions, and the unwinder knows each
//! part by itself: only their names say that two parts are of one function.
//!
//! Symbol tables are read in the walk that meets a part for the first time, and are not kept; the parts found
//! are [profile.space.parts].

use crate::base::List;
use crate::os::symbols::Symbols;
use crate::os::unwind;

#[derive(Default)]
pub(crate) struct Wholes {
    /// Pairs of a part's beginning and its function's beginning, in order of the parts.
    known: List<(usize, usize)>,
}

impl Wholes {
    /// An address that all calls in one function have in common: the function's beginning, as far as it can
    /// be known.
    pub(crate) fn of(&mut self, returns_to: usize, symbols: &mut Symbols) -> usize {
        let part = unwind::function_of(returns_to);
        if part == 0 {
            return returns_to;
        }
        match self.known.binary_search_by_key(&part, |&(part, _)| part) {
            Ok(at) => self.known[at].1,
            Err(at) => {
                let located = symbols.locate(part).ok().flatten();
                let whole = located.and_then(|located| located.function).map_or(part, |(start, _)| start);
                // Without memory the part is looked up again next time.
                let _ = self.known.insert(at, (part, whole));
                whole
            }
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.known.held_bytes()
    }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;

    // A function with a rare part, as compilers write them.
    std::arch::global_asm!(
        ".text",
        ".globl test_split_in_two, test_split_in_two.cold, test_apart",
        ".type test_split_in_two, @function",
        ".type test_split_in_two.cold, @function",
        ".type test_apart, @function",
        "test_split_in_two:",
        ".cfi_startproc",
        "nop; nop; nop; ret",
        ".cfi_endproc",
        ".size test_split_in_two, . - test_split_in_two",
        "test_apart:",
        ".cfi_startproc",
        "nop; nop; nop; ret",
        ".cfi_endproc",
        ".size test_apart, . - test_apart",
        "test_split_in_two.cold:",
        ".cfi_startproc",
        "nop; nop; nop; ret",
        ".cfi_endproc",
        ".size test_split_in_two.cold, . - test_split_in_two.cold",
    );

    // The ABI is not "C", since the public header declares every function that is.
    unsafe extern "C-unwind" {
        fn test_split_in_two();
        #[link_name = "test_split_in_two.cold"]
        fn its_rare_part();
        fn test_apart();
    }

    #[test]
    fn parts_of_a_function_are_one() {
        let mut wholes = Wholes::default();
        let (whole, part) = (test_split_in_two as *const () as usize, its_rare_part as *const () as usize);
        let apart = test_apart as *const () as usize;
        assert_ne!(unwind::function_of(whole + 3), unwind::function_of(part + 3));
        // The first time the part is looked up, the second time it is known.
        for _ in 0..2 {
            let mut symbols = Symbols::default();
            assert_eq!(wholes.of(part + 3, &mut symbols), whole);
            assert_eq!(wholes.of(whole + 3, &mut symbols), whole);
            assert_eq!(wholes.of(apart + 3, &mut symbols), apart);
        }
        assert_eq!(wholes.known.len(), 3);
        assert_eq!(wholes.of(16, &mut Symbols::default()), 16);
    }
}
