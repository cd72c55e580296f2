//! Paths: the centres of a stack by number, so that a look-up needs no walk through the stack.
//!
//! A path moves from stack to stack of the tree step by step, as a program does that calls and returns. So a
//! look-up whether a centre is in the stack that it is pushed on costs as many steps as the program has moved
//! since the last one, and a program that goes ever deeper pays one step for each push.

use super::stack::Ccs;
use crate::base::Outcome;
use crate::base::list::List;

/// The stacks from MAIN to `end`. A centre is at most once in a stack [ccs.fold].
pub(super) struct Path {
    end: Option<&'static Ccs>,
    by_centre: List<Option<&'static Ccs>>,
    used: u64,
}

impl Path {
    const fn new() -> Path {
        Path { end: None, by_centre: List::new(), used: 0 }
    }

    /// The stack on the path whose innermost centre is this.
    pub(super) fn of_centre(&self, centre: u32) -> Option<&'static Ccs> {
        self.by_centre.get(centre as usize).copied().flatten()
    }

    pub(super) fn has(&self, stack: &'static Ccs) -> bool {
        self.of_centre(stack.centre).is_some_and(|there| std::ptr::eq(there, stack))
    }

    /// Makes `to` the end. When there is no memory, the path is empty, and stays right.
    fn go(&mut self, to: &'static Ccs) -> Outcome<()> {
        let shared = to.outwards().find(|stack| self.has(stack));
        while let Some(end) = self.end.filter(|end| !shared.is_some_and(|shared| std::ptr::eq(*end, shared)))
        {
            planted!(58, (), self.by_centre[end.centre as usize] = None);
            self.end = end.parent();
        }
        let added =
            to.outwards().take_while(|stack| !shared.is_some_and(|shared| std::ptr::eq(*stack, shared)));
        for stack in added {
            if let Err(failure) = self.add(stack) {
                self.by_centre = List::new();
                self.end = None;
                return Err(failure);
            }
        }
        self.end = Some(to);
        Ok(())
    }

    fn add(&mut self, stack: &'static Ccs) -> Outcome<()> {
        let at = stack.centre as usize;
        if at >= self.by_centre.len() {
            self.by_centre.fill((at + 1).next_power_of_two(), None)?;
        }
        self.by_centre[at] = Some(stack);
        Ok(())
    }
}

/// A few paths, so that several threads deep in different stacks do not pull one path to and fro.
pub(super) struct Paths {
    paths: [Path; 4],
    asked: u64,
}

impl Paths {
    pub(super) const fn new() -> Paths {
        Paths { paths: [const { Path::new() }; 4], asked: 0 }
    }

    /// The path that ends with a stack: a near one is moved, else the one that was not used for longest.
    pub(super) fn to(&mut self, stack: &'static Ccs) -> Outcome<&Path> {
        self.asked += 1;
        let near = |path: &Path| path.has(stack) || stack.parent().is_some_and(|parent| path.has(parent));
        let rank = |path: &Path| {
            let depth = path.end.map_or(0, |end| end.depth);
            if near(path) { (0, depth.abs_diff(stack.depth).into()) } else { (1, path.used) }
        };
        let [first, rest @ ..] = &mut self.paths;
        let mut best = first;
        for path in rest {
            if rank(path) < rank(best) {
                best = path;
            }
        }
        best.used = self.asked;
        best.go(stack)?;
        Ok(best)
    }
}
