//! Stacks compared with lists of centres that are cut, pushed and appended by the rules, one by one.

use super::ccs::{self, Ccs, SPECIAL_STACKS, Special};
use super::cost_centre::{self, CC_CAF, CostCentre};
use crate::base::{Addr, Status};
use std::ffi::CString;
use std::ptr::null;

/// A centre as client data, which stays for ever.
fn cc(label: &str, source: &str, flags: u16) -> *mut CostCentre {
    let text = |text: &str| CString::new(text).unwrap().into_raw().cast_const();
    let centre = CostCentre {
        size: size_of::<CostCentre>() as u16,
        flags,
        id: 0,
        label: text(label),
        module: text("Tests"),
        source: text(source),
    };
    Box::into_raw(Box::new(centre))
}

fn main() -> &'static Ccs {
    ccs::prepare().unwrap();
    ccs::main()
}

fn number(cc: *mut CostCentre) -> u32 {
    // SAFETY: a centre made above.
    unsafe { cost_centre::register(cc) }.unwrap()
}

fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize
}

/// The rules of the reference, on lists of centres from the outermost in.
mod oracle {
    pub(super) fn push(stack: &[u32], centre: u32) -> Vec<u32> {
        match stack.iter().position(|&c| c == centre) {
            Some(at) => stack[..=at].to_vec(),
            None => [stack, &[centre]].concat(),
        }
    }

    fn append(app: &[u32], function: &[u32], is_caf: &dyn Fn(u32) -> bool) -> Vec<u32> {
        match function.split_last() {
            None => app.to_vec(),
            Some((top, _)) if app == function || is_caf(*top) => app.to_vec(),
            Some((top, rest)) => push(&append(app, rest, is_caf), *top),
        }
    }

    /// `app` with the centres of `function` that are not at the bottom of `app` too.
    fn append_below(app: &[u32], below: &[u32], function: &[u32]) -> Vec<u32> {
        if below == function {
            return app.to_vec();
        }
        let (top, rest) = function.split_last().unwrap();
        let below = if below.len() < function.len() { below } else { &below[..below.len() - 1] };
        push(&append_below(app, below, rest), *top)
    }

    pub(super) fn call(app: &[u32], function: &[u32], is_caf: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let Some(top) = function.last() else { return app.to_vec() };
        if app == function || is_caf(*top) {
            return app.to_vec();
        }
        if app.first() != function.first() {
            return append(app, function, is_caf);
        }
        append_below(app, &app[..app.len().min(function.len())], function)
    }
}

fn centres(stack: &'static Ccs) -> Vec<u32> {
    let mut found: Vec<u32> = stack.outwards().filter(|s| s.number != 0).map(|s| s.centre).collect();
    found.reverse();
    found
}

#[test]
fn stacks_are_what_the_rules_say() {
    let all: Vec<u32> =
        (0..9).map(|n| number(cc(&format!("c{n}"), "", if n < 2 { CC_CAF } else { 0 }))).collect();
    let is_caf = |centre: u32| all[..2].contains(&centre);
    let mut state = 0x2545_f491_4f6c_dd1d;
    let mut known: Vec<(&'static Ccs, Vec<u32>)> = vec![(main(), Vec::new())];
    for _ in 0..20_000 {
        let (from, list) = known[random(&mut state) % known.len()].clone();
        let (made, wanted) = if random(&mut state).is_multiple_of(2) {
            let centre = all[random(&mut state) % all.len()];
            (from.push(centre).unwrap(), oracle::push(&list, centre))
        } else {
            let (function, lexical) = known[random(&mut state) % known.len()].clone();
            (from.call(function).unwrap(), oracle::call(&list, &lexical, &is_caf))
        };
        assert_eq!(centres(made), wanted);
        assert_eq!(made.depth as usize, wanted.len());
        assert_eq!(made.is_caf(), wanted.last().is_some_and(|&c| is_caf(c)));
        let same = known.iter().find(|(_, list)| *list == wanted);
        assert!(same.is_none_or(|(stack, _)| std::ptr::eq(*stack, made)), "{wanted:?} is there twice");
        if same.is_none() && known.len() < 400 {
            known.push((made, wanted));
        }
    }
    assert!(known.len() == 400);
}

#[test]
fn recursion_goes_back() {
    let [even, odd, half] = ["isEven", "isOdd", "half"].map(|label| number(cc(label, "", 0)));
    let one = main().push(even).unwrap();
    let two = one.push(odd).unwrap();
    assert!(std::ptr::eq(two.push(even).unwrap(), one));
    assert!(std::ptr::eq(one.push(even).unwrap(), one));
    assert!(std::ptr::eq(two.push(half).unwrap().push(odd).unwrap(), two));
    assert_eq!(two.parent().map(|s| s.number), Some(one.number));
    assert_eq!((one.root, two.root, two.depth), (one.number, one.number, 2));
}

#[test]
fn a_hundred_thousand_stacks_of_one_parent_and_many_threads() {
    let many: Vec<u32> = (0..100_000).map(|n| number(cc(&format!("many{n}"), "", 0))).collect();
    let before = ccs::count();
    let made: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|t| {
                let many = &many;
                scope.spawn(move || {
                    // Each thread visits the centres in another order.
                    let step = [1, 7, 99_999, 33_331][t];
                    let mut numbers = vec![0; many.len()];
                    for i in 0..many.len() {
                        let at = i * step % many.len();
                        numbers[at] = main().push(many[at]).unwrap().number;
                    }
                    numbers
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(made.iter().all(|numbers| *numbers == made[0]));
    assert!(ccs::count() >= before + 100_000);
    for (&centre, &number) in many.iter().zip(&made[0]) {
        let stack = ccs::stack(number).unwrap();
        assert_eq!((stack.centre, stack.number, stack.depth), (centre, number, 1));
        assert!(ccs::find(stack).is_some_and(|found| std::ptr::eq(found, stack)));
    }
}

/// The first push on each level looks for the centre in the whole stack, which must not be a walk.
#[test]
fn stacks_a_hundred_thousand_deep() {
    let many: Vec<u32> = (0..100_000).map(|n| number(cc(&format!("deep{n}"), "", 0))).collect();
    let begun = std::time::Instant::now();
    let mut all = vec![main()];
    for &centre in &many {
        all.push(all[all.len() - 1].push(centre).unwrap());
    }
    let end = all[all.len() - 1];
    assert_eq!(end.depth, 100_000);
    // Recursion from the end goes back to each level.
    for (level, &centre) in many.iter().enumerate().rev().step_by(997) {
        assert!(std::ptr::eq(end.push(centre).unwrap(), all[level + 1]));
    }
    // The functions were made on each level, and are called from the end and from another branch.
    let (other, side) = (number(cc("other", "", 0)), number(cc("side", "", 0)));
    let far = all[50_000].push(other).unwrap();
    for &made in all[1..1000].iter() {
        let function = made.push(side).unwrap();
        assert_eq!(centres(end.call(function).unwrap()).last(), Some(&side));
        assert!(std::ptr::eq(far.call(function).unwrap(), far.push(side).unwrap()));
    }
    // A walk for each push would be five thousand million steps.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn special_stacks_are_known() {
    main();
    assert_eq!(ccs::stack(Special::Main as u32).unwrap().innermost().label, c"MAIN");
    assert_eq!(ccs::stack(Special::Overhead as u32).unwrap().innermost().label, c"OVERHEAD_of");
    for number in 0..SPECIAL_STACKS {
        let stack = ccs::stack(number).unwrap();
        assert_eq!((stack.number, stack.centre), (number, number + 1));
        assert!(ccs::find(stack).is_some_and(|found| std::ptr::eq(found, stack)));
    }
    assert!(ccs::stack(u32::MAX).is_none() && ccs::find(null()).is_none());
    assert!(cost_centre::centre(0).is_none() && cost_centre::centre(u32::MAX).is_none());
}

#[test]
fn a_module_that_comes_back_has_its_numbers() {
    let centre = cc("unloaded", "Plugin.src:1:1-9", 0);
    let twin = cc("unloaded", "Plugin.src:1:1-9", 0);
    let first = number(centre);
    // Two centres with the same names at the same time are different.
    assert_ne!(number(twin), first);
    let stack = main().push(first).unwrap();
    assert!(ccs::names_data_in(stack, Addr(centre as usize), 8).is_some());
    assert!(ccs::names_data_in(stack, Addr(twin as usize), 8).is_none());
    cost_centre::forget(Addr(centre as usize), size_of::<CostCentre>());
    // SAFETY: still there.
    assert_eq!(unsafe { (*centre).id }, 0);
    assert!(ccs::names_data_in(stack, Addr(centre as usize), 8).is_none());
    assert_eq!(stack.innermost().label, c"unloaded");
    let again = cc("unloaded", "Plugin.src:1:1-9", 0);
    assert_eq!(number(again), first);
    assert_ne!(number(centre), first);
}

#[test]
fn a_bad_centre_is_refused() {
    let refused = |cc: *mut CostCentre| {
        // SAFETY: null, or a centre made here.
        unsafe { cost_centre::register(cc) }.unwrap_err()
    };
    assert_eq!(refused(std::ptr::null_mut()).status, Status::Argument);
    let bad = cc("bad", "", 0);
    // SAFETY: made here, and nobody else's.
    unsafe {
        (*bad).size = 8;
        assert!(refused(bad).sentence.as_str().contains("has size 8"));
        (*bad).size = size_of::<CostCentre>() as u16;
        (*bad).flags = 4;
        refused(bad);
        (*bad).flags = 0;
        (*bad).id = 5;
        assert!(refused(bad).sentence.as_str().contains("its id was not 0"));
        (*bad).id = 0;
        (*bad).label = c"".as_ptr();
        assert!(refused(bad).sentence.as_str().contains("no label"));
        (*bad).label = c"\xff".as_ptr();
        assert!(refused(bad).sentence.as_str().contains("UTF-8"));
        (*bad).label = c"good".as_ptr();
        (*bad).source = null();
    }
    let good = number(bad);
    assert_eq!(cost_centre::centre(good).map(|c| c.source), Some(c"<no location info>"));
    assert_eq!(number(bad), good);
}
