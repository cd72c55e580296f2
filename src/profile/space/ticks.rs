//! Ticks of the clock, booked to functions: to the function that ran, and to those that waited on the stack,
//! once each.

use crate::identity::maker::Makers;
use crate::os::symbols::Symbols;
use crate::profile::space::ledger::Space;
use crate::profile::space::ledger::manner;

/// Number of functions that one walk looks at, at most.
const DEEPEST: usize = 256;

impl Space {
    /// The number to which time of a function is booked; 0 where its time is not wanted.
    fn timed(&mut self, word: usize, is_code: bool, makers: &mut Makers) -> u32 {
        let (function, site) = if is_code { (0, word) } else { (word, 0) };
        let (number, manner) = self.number_and_manner(function, site, makers);
        if manner & manner::MANNER_TIME != 0 { number } else { 0 }
    }

    /// Books the ticks that the clock has seen since the last call, where no stack is walked.
    pub fn take_ticks(&mut self, makers: &mut Makers) {
        if let Some(clock) = &self.clock {
            let seen = clock.take_seen();
            self.book(&seen, makers);
        }
    }

    /// Settles the time so far where a profile begins, is suspended, goes on or ends: what comes later belongs to others.
    pub(super) fn settle_ticks(&mut self, makers: &mut Makers) {
        if let Some(clock) = &self.clock {
            let seen = clock.settle(self.suspended == 0);
            self.book(&seen, makers);
        }
    }

    fn book(&mut self, seen: &[(usize, u64)], makers: &mut Makers) {
        if self.suspended > 0 {
            return;
        }
        for &(word, ticks) in seen {
            let number = self.timed(word, false, makers);
            if number != 0 {
                self.rows.row(number).top += ticks;
                self.add_caller(0, number, ticks);
            }
        }
    }

    /// Books ticks to the functions on the client's stack.
    pub(crate) fn walk(&mut self, mutator: *mut crate::heap::Mutator, makers: &mut Makers) {
        let Some(ticks) = self.clock.as_ref().map(|clock| clock.take_due(mutator)) else { return };
        let Some(&run) = self.runs.first() else { return };
        let wish = self.runs.iter().find(|one| one.wish.walk.is_some()).map_or(run.wish, |one| one.wish);
        let Some(walk) = wish.walk else { return };
        if ticks == 0 || self.suspended > 0 {
            return;
        }
        let mut functions = [std::ptr::null_mut(); DEEPEST];
        // SAFETY: the client's callback takes its own pointer, its mutator, and so much room.
        let told =
            self.mark.during(|| unsafe { walk(wish.client, mutator, functions.as_mut_ptr(), DEEPEST) });
        // On an empty stack, the time goes to an unknown function: no tick is lost.
        let told = told.clamp(1, DEEPEST);
        let mut numbers = [0; DEEPEST];
        // Identities of functions: a function counts once, however many of its calls are on the stack, and in
        // whichever of its parts.
        let mut whose = [0; DEEPEST];
        let mut symbols = Symbols::default();
        for (depth, &function) in functions[..told].iter().enumerate() {
            let word = function as usize;
            numbers[depth] = self.timed(word, wish.walk_tells_code, makers);
            whose[depth] = if wish.walk_tells_code { self.wholes.of(word, &mut symbols) } else { word };
        }
        let mut parent = 0;
        for depth in 0..told {
            let number = numbers[depth];
            if number == 0 {
                continue;
            }
            if depth == 0 {
                self.rows.row(number).top += ticks;
            } else if planted!(134, true, !whose[..depth].contains(&whose[depth]))
                && !numbers[..depth].contains(&number)
            {
                self.rows.row(number).elsewhere += ticks;
            }
            // A caller that is left out is treated as if it were inlined.
            if depth <= wish.depth && (depth == 0 || parent != 0) {
                parent = self.add_caller(parent, number, ticks);
            }
        }
    }
}
