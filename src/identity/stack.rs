//! A cost-centre stack as compiled code sees it. How stacks are made is in `ccs`.

use super::cost_centre::{self, Centre};
use std::cell::UnsafeCell;
use std::sync::atomic::AtomicPtr;

/// Pushes that a stack remembers by itself: `memo[centre % 4]`.
pub const CCS_MEMO: usize = 4;

/// A cost-centre stack. The library makes them; they are never freed and never change but for `memo`.
#[repr(C)]
pub struct Ccs {
    /// The results of the last pushes, by the low bits of the centre's number.
    pub memo: [UnsafeCell<*mut Ccs>; CCS_MEMO],
    /// The stack's number; 0 is MAIN.
    pub number: u32,
    /// The number of its innermost centre.
    pub centre: u32,
    /// Centres in it, MAIN left out.
    pub depth: u32,
    /// The number of its outermost stack, MAIN left out.
    pub root: u32,
    /// The stack without the innermost centre; NULL in MAIN.
    pub parent: *const Ccs,
    pub reserved: usize,
}

// SAFETY: `memo` is read and written as atomics; all else is constant.
unsafe impl Sync for Ccs {}

/// The numbers of the library's own stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Special {
    /// The bottom of every other stack.
    Main = 0,
    /// The runtime of the client's language.
    System = 1,
    /// Collections.
    Gc = 2,
    /// The costs of profiling.
    Overhead = 3,
    /// Costs that are of no interest.
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

/// The stack in `memo` where nothing is remembered: no centre has its centre's number.
static NOTHING: Ccs = Ccs {
    number: 0,
    centre: u32::MAX,
    depth: 0,
    root: 0,
    parent: std::ptr::null(),
    memo: [const { UnsafeCell::new(std::ptr::null_mut()) }; CCS_MEMO],
    reserved: 0,
};

impl Ccs {
    /// The stack of MAIN.
    pub(crate) const fn bottom() -> Ccs {
        Ccs {
            number: 0,
            centre: 1,
            depth: 0,
            root: 0,
            parent: std::ptr::null(),
            memo: no_memo(),
            reserved: 0,
        }
    }

    /// A stack with one more centre than its parent.
    pub(crate) fn on(parent: &'static Ccs, number: u32, centre: u32) -> Ccs {
        Ccs {
            number,
            centre,
            depth: parent.depth + 1,
            root: if parent.number == 0 { number } else { parent.root },
            parent: std::ptr::from_ref(parent),
            memo: no_memo(),
            reserved: 0,
        }
    }

    pub(crate) fn as_mut_ptr(&'static self) -> *mut Ccs {
        std::ptr::from_ref(self).cast_mut()
    }

    pub(crate) fn parent(&self) -> Option<&'static Ccs> {
        // SAFETY: stacks are never freed.
        unsafe { self.parent.as_ref() }
    }

    /// The innermost centre.
    pub(crate) fn innermost(&self) -> &'static Centre {
        cost_centre::centre(self.centre).unwrap_or(cost_centre::main())
    }

    /// The stack, its parent, and so on to MAIN.
    pub(crate) fn outwards(&'static self) -> impl Iterator<Item = &'static Ccs> {
        std::iter::successors(Some(self), |stack| stack.parent())
    }

    pub(crate) fn is_caf(&self) -> bool {
        self.innermost().is_caf
    }

    pub(super) fn memo(&self, centre: u32) -> &AtomicPtr<Ccs> {
        let cell = &self.memo[centre as usize % CCS_MEMO];
        // SAFETY: the cell lives as long as the stack, and everybody reads and writes it as an atomic.
        unsafe { AtomicPtr::from_ptr(cell.get()) }
    }
}
