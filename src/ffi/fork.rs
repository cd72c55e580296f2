//! A process that is copied while heaps live in it. The three functions have the type that `pthread_atfork` takes.

use super::guard;
use super::{coverage, default_heap};
use crate::host::fork::{self, Held};
use crate::runtime::hooks::Hooks;
use std::cell::RefCell;
use std::sync::MutexGuard;

struct Everything {
    _coverage: MutexGuard<'static, ()>,
    _default: default_heap::HeldFlags,
    below: Held,
}

thread_local! {
    /// The locks that a thread holds from `barrow_fork_prepare` to one of the others.
    static HELD: RefCell<Option<Everything>> = const { RefCell::new(None) };
}

/// Before `fork`: waits until no other thread is in the middle of what the heaps of a process have in common, and keeps others
/// from that until `barrow_fork_parent` or `barrow_fork_child` is called by the same thread, which calls nothing else of the
/// library in between. Other threads go on in heaps that are there, until a call makes or frees a heap, attaches or detaches, gets more
/// memory with `--source=chunks`, checks with `-DS`, or names something for a profile.
/// `pthread_atfork(barrow_fork_prepare, barrow_fork_parent, barrow_fork_child)` does all three.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_fork_prepare() {
    guard::run(Hooks::default(), || {
        HELD.with_borrow_mut(|held| {
            held.get_or_insert_with(|| Everything {
                _coverage: coverage::hold(),
                _default: default_heap::hold(),
                below: fork::hold(),
            });
        });
    });
}

/// After `fork`, in the parent, and when it failed.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_fork_parent() {
    guard::run(Hooks::default(), || drop(HELD.take()));
}

/// After `fork`, in the child. A heap goes on as before, with all that is in it, when no other thread had a mutator in it or was in
/// a call of it. Any other heap is dead, also where the thread that forked has a mutator in it: its calls are refused, and
/// allocations give NULL. Output into files is the parent's: profiles have ended without a further word, and statistics, reports
/// and coverage that were not written yet are not written here. Profiles that the child starts have the number of its process in
/// their names. Ticks of the time profile go on.
///
/// A child that calls `exec`, `_exit` or `exit` and nothing of the library in between needs none of the three.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_fork_child() {
    guard::run(Hooks::default(), || {
        if let Some(Everything { below, .. }) = HELD.take() {
            default_heap::become_child();
            fork::become_child(below);
        }
    });
}
