//! Cost-centre stacks: a tree of the whole process, in which every stack is there once.
//!
//! Pushing a centre that is in the stack already goes back to the stack that ends with it [ccs.fold], so
//! recursion makes no new stacks and the centres of a stack are all different. The result of a push or an
//! append is remembered in the stack itself (a few of them, for compiled code) and in a table (all of them).

use super::cost_centre::{self, Centre};
use super::edges::{Edges, Writer};
use super::path::Paths;
use super::stacks;
use crate::base::list::List;
use crate::base::{Addr, Outcome};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use super::stack::{CCS_MEMO, Ccs, MOST_STACKS, SPECIAL_STACKS, Special};
pub(crate) use super::stacks::find;
pub use super::stacks::{count, main, prepare, stack};

static EDGES: Edges = Edges::new();
static KNOWN: Mutex<Known> = Mutex::new(Known { edges: Writer::new(), paths: Paths::new() });

/// The state that only the maker of stacks uses, under the lock.
pub(super) struct Known {
    edges: Writer,
    paths: Paths,
}

impl Ccs {
    /// The stack with one more centre on it, or its part that ends with that centre.
    pub(crate) fn push(&'static self, centre: u32) -> Outcome<&'static Ccs> {
        // SAFETY: memos point to stacks or to NOTHING, which are never freed.
        let recent = unsafe { &*self.memo(centre).load(Ordering::Acquire) };
        if recent.centre == centre {
            return Ok(recent);
        }
        let key = (self.number as u64) << 32 | centre as u64;
        let there = follow(key, |known| match known.paths.to(self)?.of_centre(centre) {
            Some(folded) => planted!(57, stacks::add(self, centre), Ok(folded)),
            None => stacks::add(self, centre),
        })?;
        self.memo(centre).store(there.as_mut_ptr(), Ordering::Release);
        Ok(there)
    }

    /// The stack in which a function runs that was called from this stack and was made in `function`: its
    /// lexical stack on top of the caller's, without their common beginning. A CAF at the function's bottom
    /// is left out.
    pub(crate) fn call(&'static self, function: &'static Ccs) -> Outcome<&'static Ccs> {
        if std::ptr::eq(self, function) || function.number == 0 || function.is_caf() {
            return Ok(self);
        }
        let key = 1 << 63 | (self.number as u64) << 32 | function.number as u64;
        // SAFETY: edges lead to stacks, which are never freed.
        if let Some(there) = unsafe { EDGES.find(key).as_ref() } {
            return Ok(there);
        }
        let mut result = self;
        let mut on_top = self.not_shared(function)?;
        while let Some(centre) = on_top.pop() {
            result = result.push(centre)?;
        }
        follow(key, |_| Ok(result))
    }

    /// The centres of a function's stack from the innermost out, up to its common beginning with the
    /// caller's.
    fn not_shared(&'static self, function: &'static Ccs) -> Outcome<List<u32>> {
        let mut known = hold();
        let caller = known.paths.to(self)?;
        let mut centres = List::new();
        for stack in function.outwards() {
            let shared = if self.root == function.root {
                caller.has(stack)
            } else {
                stack.number == 0 || stack.is_caf()
            };
            if shared {
                break;
            }
            centres.push(stack.centre)?;
        }
        Ok(centres)
    }
}

/// Takes the lock on stacks, which is held over a fork too.
pub(super) fn hold() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Follows an edge, and makes it if it is missing.
fn follow(key: u64, make: impl FnOnce(&mut Known) -> Outcome<&'static Ccs>) -> Outcome<&'static Ccs> {
    // SAFETY: edges lead to stacks, which are never freed.
    if let Some(there) = unsafe { EDGES.find(key).as_ref() } {
        return Ok(there);
    }
    let mut known = hold();
    // SAFETY: as above. Another thread may have made the edge before we had the lock.
    if let Some(there) = unsafe { EDGES.find(key).as_ref() } {
        return Ok(there);
    }
    EDGES.reserve(&mut known.edges)?;
    let there = make(&mut known)?;
    EDGES.put(&mut known.edges, key, there.as_mut_ptr());
    Ok(there)
}

/// The first centre of a stack, from the innermost out, whose client data lies in a range.
pub(crate) fn names_data_in(stack: &'static Ccs, base: Addr, bytes: usize) -> Option<&'static Centre> {
    stack.outwards().find(|part| cost_centre::lies_in(part.centre, base, bytes)).map(Ccs::innermost)
}
