//! Cost-centre stacks: a tree of the whole process, in which every stack is there once.
//!
//! Pushing a centre that is in the stack already goes back to where it is [ccs.fold], so recursion makes no new stacks and the centres
//! of a stack are all different. What a push or an append led to is remembered in the stack itself (a few of them, for
//! compiled code) and in a table (all of them).

use super::areas::Areas;
use super::cost_centre::{self, Centre};
use super::edges::{Edges, Writer};
use crate::base::list::List;
use crate::base::{Addr, Failure, Outcome, Status};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pushes that a stack remembers by itself: `memo[centre % 4]`.
pub const CCS_MEMO: usize = 4;

/// A cost-centre stack. The library makes them; they are never freed and never change but for `memo`.
#[repr(C)]
pub struct Ccs {
    /// Its number; 0 is MAIN.
    pub number: u32,
    /// The number of its innermost centre.
    pub centre: u32,
    /// Centres in it, MAIN left out.
    pub depth: u32,
    /// The number of its outermost stack, MAIN left out.
    pub root: u32,
    /// The stack without the innermost centre; NULL in MAIN.
    pub parent: *const Ccs,
    /// Where pushes of centres led to: by the low bits of the centre's number, the last one.
    pub memo: [UnsafeCell<*mut Ccs>; CCS_MEMO],
    pub reserved: usize,
}

// SAFETY: `memo` is read and written as atomics; all else is constant.
unsafe impl Sync for Ccs {}

/// The stacks that the library has itself; their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Special {
    /// The bottom of every other stack.
    Main = 0,
    /// The runtime of the client's language.
    System = 1,
    /// Collections.
    Gc = 2,
    /// What profiling costs.
    Overhead = 3,
    /// Costs that nobody cares for.
    DontCare = 4,
    /// Memory of pinned objects that has no producer.
    Pinned = 5,
    /// Time in which nothing runs.
    Idle = 6,
}

pub const SPECIAL_STACKS: u32 = 7;
/// There are no more stacks than this, so that arrays with an entry for each can be reserved whole.
pub const MOST_STACKS: u32 = 1 << 24;

const fn no_memo() -> [UnsafeCell<*mut Ccs>; CCS_MEMO] {
    [const { UnsafeCell::new((&raw const NOTHING).cast_mut()) }; CCS_MEMO]
}

/// What `memo` holds where nothing is remembered: no centre has this number.
static NOTHING: Ccs = Ccs {
    number: 0,
    centre: u32::MAX,
    depth: 0,
    root: 0,
    parent: std::ptr::null(),
    memo: [const { UnsafeCell::new(std::ptr::null_mut()) }; CCS_MEMO],
    reserved: 0,
};

/// The stack that every mutator starts with.
pub static MAIN: Ccs =
    Ccs { number: 0, centre: 1, depth: 0, root: 0, parent: std::ptr::null(), memo: no_memo(), reserved: 0 };

const fn special(number: u32) -> Ccs {
    Ccs {
        number,
        centre: number + 1,
        depth: 1,
        root: number,
        parent: &raw const MAIN,
        memo: no_memo(),
        reserved: 0,
    }
}

static SPECIAL: [Ccs; SPECIAL_STACKS as usize - 1] =
    [special(1), special(2), special(3), special(4), special(5), special(6)];

static STACKS: Areas<Ccs> = Areas::new();
static COUNT: AtomicU32 = AtomicU32::new(SPECIAL_STACKS);
static EDGES: Edges = Edges::new();
pub(super) fn hold() -> MutexGuard<'static, Writer> {
    WRITER.lock().unwrap_or_else(PoisonError::into_inner)
}

static WRITER: Mutex<Writer> = Mutex::new(Writer::new());

/// How many stacks there are. Their numbers are 0 to one less.
pub fn count() -> u32 {
    COUNT.load(Ordering::Acquire)
}

/// The stack of a number; `None` when there is none yet.
pub fn stack(number: u32) -> Option<&'static Ccs> {
    if number == 0 {
        return Some(&MAIN);
    }
    if let Some(own) = SPECIAL.get(number as usize - 1) {
        return Some(own);
    }
    if number >= count() {
        return None;
    }
    // SAFETY: entries below the count are written.
    unsafe { STACKS.at((number - SPECIAL_STACKS) as usize).as_ref() }
}

pub fn special_stack(which: Special) -> &'static Ccs {
    stack(which as u32).unwrap_or(&MAIN)
}

/// The stack at an address, if one is there.
pub fn find(at: *const Ccs) -> Option<&'static Ccs> {
    if std::ptr::eq(at, &raw const MAIN) {
        return Some(&MAIN);
    }
    let own = SPECIAL.iter().find(|own| std::ptr::eq(*own, at));
    own.or_else(|| stack(SPECIAL_STACKS + u32::try_from(STACKS.index_of(at as usize)?).ok()?))
}

impl Ccs {
    pub fn as_mut_ptr(&'static self) -> *mut Ccs {
        std::ptr::from_ref(self).cast_mut()
    }

    pub fn parent(&self) -> Option<&'static Ccs> {
        // SAFETY: stacks are never freed.
        unsafe { self.parent.as_ref() }
    }

    /// What its innermost centre is called.
    pub fn innermost(&self) -> &'static Centre {
        cost_centre::centre(self.centre).unwrap_or(cost_centre::main())
    }

    /// It, its parent, and so on to MAIN.
    pub fn outwards(&'static self) -> impl Iterator<Item = &'static Ccs> {
        std::iter::successors(Some(self), |stack| stack.parent())
    }

    pub fn is_caf(&self) -> bool {
        self.innermost().is_caf
    }

    fn memo(&self, centre: u32) -> &AtomicPtr<Ccs> {
        let cell = &self.memo[centre as usize % CCS_MEMO];
        // SAFETY: the cell lives as long as the stack, and everybody reads and writes it as an atomic.
        unsafe { AtomicPtr::from_ptr(cell.get()) }
    }

    /// The stack with one more centre on it, or where that centre is in it.
    pub fn push(&'static self, centre: u32) -> Outcome<&'static Ccs> {
        // SAFETY: memos point to stacks or to NOTHING, which are never freed.
        let recent = unsafe { &*self.memo(centre).load(Ordering::Acquire) };
        if recent.centre == centre {
            return Ok(recent);
        }
        let key = (self.number as u64) << 32 | centre as u64;
        let there = follow(key, || {
            let folded = self.outwards().find(|stack| stack.centre == centre);
            folded.map_or_else(|| self.extended(centre), Ok)
        })?;
        self.memo(centre).store(there.as_mut_ptr(), Ordering::Release);
        Ok(there)
    }

    /// A new stack; the lock is held.
    fn extended(&'static self, centre: u32) -> Outcome<&'static Ccs> {
        let number = count();
        if number >= MOST_STACKS {
            return Err(Failure::new(
                Status::Limit,
                format_args!(
                    "there are {MOST_STACKS} cost-centre stacks already; new ones count as their callers"
                ),
            ));
        }
        let place = STACKS.room((number - SPECIAL_STACKS) as usize)?;
        let root = if self.number == 0 { number } else { self.root };
        let stack = Ccs {
            number,
            centre,
            depth: self.depth + 1,
            root,
            parent: std::ptr::from_ref(self),
            memo: no_memo(),
            reserved: 0,
        };
        // SAFETY: the table has made room here, and nobody reads it before the count says so.
        unsafe { place.write(stack) };
        COUNT.store(number + 1, Ordering::Release);
        // SAFETY: written just now, and never freed.
        Ok(unsafe { &*place })
    }

    /// The stack in which a function runs that was called from this stack and was made in `function`: its lexical
    /// stack on top of the caller's, less what both begin with. A CAF at the function's bottom is left out.
    pub fn call(&'static self, function: &'static Ccs) -> Outcome<&'static Ccs> {
        if std::ptr::eq(self, function) || function.number == 0 || function.is_caf() {
            return Ok(self);
        }
        let key = 1 << 63 | (self.number as u64) << 32 | function.number as u64;
        let there = EDGES.find(key);
        // SAFETY: edges lead to stacks, which are never freed.
        if let Some(there) = unsafe { there.as_ref() } {
            return Ok(there);
        }
        let mut on_top = List::new();
        for stack in self.not_shared(function) {
            on_top.push(stack.centre)?;
        }
        let mut result = self;
        while let Some(centre) = on_top.pop() {
            result = result.push(centre)?;
        }
        follow(key, || Ok(result))
    }

    /// The stacks of a function, from the innermost out, up to where they are the caller's too.
    fn not_shared(&'static self, function: &'static Ccs) -> impl Iterator<Item = &'static Ccs> {
        let same_root = self.root == function.root;
        let mut caller = Some(self);
        function.outwards().take_while(move |stack| {
            if !same_root {
                return stack.number != 0 && !stack.is_caf();
            }
            while caller.is_some_and(|c| c.depth > stack.depth) {
                caller = caller.and_then(Ccs::parent);
            }
            !caller.is_some_and(|c| std::ptr::eq(c, *stack))
        })
    }
}

/// Follows an edge, which is made when it is not there.
fn follow(key: u64, make: impl FnOnce() -> Outcome<&'static Ccs>) -> Outcome<&'static Ccs> {
    // SAFETY: edges lead to stacks, which are never freed.
    if let Some(there) = unsafe { EDGES.find(key).as_ref() } {
        return Ok(there);
    }
    let mut writer: MutexGuard<'_, Writer> = hold();
    // SAFETY: as above. Somebody may have been faster.
    if let Some(there) = unsafe { EDGES.find(key).as_ref() } {
        return Ok(there);
    }
    EDGES.reserve(&mut writer)?;
    let there = make()?;
    EDGES.put(&mut writer, key, there.as_mut_ptr());
    Ok(there)
}

/// The first centre of a stack, from the innermost out, whose data of the client lies in a range.
pub fn names_data_in(stack: &'static Ccs, base: Addr, bytes: usize) -> Option<&'static Centre> {
    stack.outwards().map(Ccs::innermost).find(|centre| centre.lies_in(base, bytes))
}
