//! A failure: one word that leads to a status and a sentence, to be read only when the failure is told.
//!
//! A result that fits into registers costs nothing in a call that succeeds. Status and sentence lie in a pool
//! of the process, since memory may just have been refused. A failure beyond the pool takes memory of the
//! system; when that is refused as well, the failure keeps its status and has a general sentence.

use super::{Sentence, Status};
use std::alloc::{Layout, alloc, dealloc};
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

/// A status and the sentence that explains it.
pub struct Told {
    pub status: Status,
    pub sentence: Sentence,
}

/// A status other than `Ok`, with its sentence.
pub struct Failure(NonNull<Told>);

pub type Outcome<T> = Result<T, Failure>;

/// Failures in the pool: as many as usually live at once in all threads, since each is told or dropped
/// soon.
const POOLED: usize = 16;

struct Place {
    is_taken: AtomicBool,
    told: UnsafeCell<MaybeUninit<Told>>,
}

// SAFETY: the thread that has set `is_taken` is the only user of `told` until it is cleared.
unsafe impl Sync for Place {}

static POOL: [Place; POOLED] =
    [const { Place { is_taken: AtomicBool::new(false), told: UnsafeCell::new(MaybeUninit::uninit()) } };
        POOLED];

/// The failures of a process without memory: a status each, and one sentence for all.
static SPEECHLESS: [Told; 10] = {
    const fn told(status: Status) -> Told {
        Told { status, sentence: Sentence::of("a call failed, and memory for its sentence was refused") }
    }
    [
        told(Status::Ok),
        told(Status::NoMemory),
        told(Status::Limit),
        told(Status::Argument),
        told(Status::State),
        told(Status::Abi),
        told(Status::Io),
        told(Status::Damaged),
        told(Status::Stack),
        told(Status::Loop),
    ]
};

// SAFETY: the status and sentence belong to this failure alone, and are plain data.
unsafe impl Send for Failure {}
// SAFETY: as above; it is only read.
unsafe impl Sync for Failure {}

impl Failure {
    #[cold]
    #[inline(never)]
    pub fn new(status: Status, arguments: fmt::Arguments<'_>) -> Failure {
        Failure::telling(status, Sentence::new(arguments))
    }

    #[cold]
    pub fn telling(status: Status, sentence: Sentence) -> Failure {
        let Some(place) = from_pool().or_else(from_system) else {
            return Failure(NonNull::from(&SPEECHLESS[status as usize]));
        };
        // SAFETY: the place is this failure's alone, and has room.
        unsafe { place.write(Told { status, sentence }) };
        Failure(place)
    }

    #[cold]
    pub fn argument(arguments: fmt::Arguments<'_>) -> Failure {
        Failure::new(Status::Argument, arguments)
    }

    #[cold]
    pub fn state(arguments: fmt::Arguments<'_>) -> Failure {
        Failure::new(Status::State, arguments)
    }

    #[cold]
    pub fn no_memory(arguments: fmt::Arguments<'_>) -> Failure {
        Failure::new(Status::NoMemory, arguments)
    }

    #[cold]
    pub fn damaged(arguments: fmt::Arguments<'_>) -> Failure {
        Failure::new(Status::Damaged, arguments)
    }
}

fn from_pool() -> Option<NonNull<Told>> {
    let place = POOL.iter().find(|place| !place.is_taken.swap(true, Ordering::Acquire))?;
    NonNull::new(place.told.get().cast())
}

fn from_system() -> Option<NonNull<Told>> {
    // SAFETY: the layout's size is not 0.
    NonNull::new(unsafe { alloc(Layout::new::<Told>()) }.cast())
}

fn is_in<T, P>(table: &[T], place: NonNull<P>) -> bool {
    let (from, at) = (table.as_ptr().addr(), place.addr().get());
    at >= from && at < from + size_of_val(table)
}

impl Drop for Failure {
    fn drop(&mut self) {
        if is_in(&POOL, self.0) {
            let index = (self.0.addr().get() - POOL.as_ptr().addr()) / size_of::<Place>();
            POOL[index].is_taken.store(false, Ordering::Release);
        } else if !is_in(&SPEECHLESS, self.0) {
            // SAFETY: the place came from the system with this layout, and nobody else has it.
            unsafe { dealloc(self.0.as_ptr().cast(), Layout::new::<Told>()) };
        }
    }
}

impl Deref for Failure {
    type Target = Told;

    fn deref(&self) -> &Told {
        // SAFETY: status and sentence were written when the failure was made, and stay until it is
        // dropped.
        unsafe { self.0.as_ref() }
    }
}

impl Clone for Failure {
    fn clone(&self) -> Failure {
        Failure::telling(self.status, self.sentence)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status.name(), self.sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_fits_into_registers() {
        assert_eq!(size_of::<Outcome<()>>(), 8);
        assert_eq!(size_of::<Outcome<usize>>(), 16);
    }

    #[test]
    fn each_has_its_own_sentence_however_many_live() {
        let all: Vec<Failure> = (0..3 * POOLED).map(|n| Failure::state(format_args!("number {n}"))).collect();
        let again = all.clone();
        drop(all);
        let _other = Failure::argument(format_args!("another"));
        for (n, failure) in again.iter().enumerate() {
            assert_eq!(failure.sentence.as_str(), format!("number {n}"));
            assert_eq!(failure.status, Status::State);
        }
    }

    #[test]
    fn threads_share_the_pool() {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for n in 0..2000 {
                        let failure = Failure::no_memory(format_args!("{thread}: {n}"));
                        assert_eq!(failure.sentence.as_str(), format!("{thread}: {n}"));
                    }
                });
            }
        });
    }

    #[test]
    fn without_memory_the_status_stays() {
        for (n, told) in SPEECHLESS.iter().enumerate() {
            assert_eq!(told.status as usize, n);
            assert!(told.sentence.as_str().len() > 10);
        }
    }
}
