//! Makes a failing program small: removes operations, then makes the others plainer, as long as it still
//! fails.

use super::program::Program;

/// The smallest program that was found for which `fails` says so. Asks at most `most` times.
pub fn shrink(program: &Program, most: usize, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut asked = 0;
    let mut ask = |candidate: &Program, asked: &mut usize| {
        *asked += 1;
        *asked <= most && fails(candidate)
    };
    // Everything behind the failure goes first, and it is most of it.
    let mut part = best.ops.len().div_ceil(2).max(1);
    loop {
        let mut start = best.ops.len();
        let mut removed = false;
        while start > 0 {
            let from = start.saturating_sub(part);
            let mut candidate = best.clone();
            candidate.ops.drain(from..start);
            if ask(&candidate, &mut asked) {
                best = candidate;
                removed = true;
            }
            start = from.min(best.ops.len());
        }
        if asked > most || (part == 1 && !removed) {
            break;
        }
        part = if part > 1 { part / 2 } else { 1 };
    }
    plainer(&mut best, &mut asked, &mut ask);
    best
}

/// Zeroes bytes one by one.
fn plainer(best: &mut Program, asked: &mut usize, ask: &mut impl FnMut(&Program, &mut usize) -> bool) {
    for index in 0..best.header.len() {
        let mut candidate = best.clone();
        candidate.header[index] = 0;
        if candidate != *best && ask(&candidate, asked) {
            *best = candidate;
        }
    }
    for op in 0..best.ops.len() {
        for byte in 1..8 {
            let mut candidate = best.clone();
            candidate.ops[op][byte] = 0;
            if candidate != *best && ask(&candidate, asked) {
                *best = candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let program = Program::random(1, 200);
        let (a, b) = (program.ops[17], program.ops[140]);
        let small = shrink(&program, 10_000, |p| {
            let at = p.ops.iter().position(|op| op[0] == a[0] && op[3] == a[3]);
            at.is_some_and(|at| p.ops[at + 1..].iter().any(|op| op[1] == b[1] && op[2] == b[2]))
        });
        assert_eq!(small.ops.len(), 2);
        assert_eq!(small.ops[0], [a[0], 0, 0, a[3], 0, 0, 0, 0]);
    }
}
