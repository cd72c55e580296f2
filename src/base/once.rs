//! A value of the whole process that is made when it is first asked for, without a lock.
//!
//! Threads that ask at the same time may each make one, of which the first stays. A thread that waited for another one's value would
//! wait for ever in the child of a fork, which has no other threads [runtime.fork].

use super::Outcome;
use super::list::try_box;
use once_cell::race::OnceBox;

pub(crate) struct Once<T>(OnceBox<T>);

impl<T: Send + Sync> Once<T> {
    pub(crate) const fn new() -> Once<T> {
        Once(OnceBox::new())
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The value, made now if it is not there. When making fails, another time may do better.
    pub(crate) fn get_or_make(&'static self, make: impl FnOnce() -> Outcome<T>) -> Outcome<&'static T> {
        let make = || try_box(make()?);
        planted!(500, make().map(|own| &*Box::leak(own)), self.0.get_or_try_init(make))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Failure;
    use std::sync::Barrier;

    #[test]
    fn all_get_the_first_that_is_made() {
        static ONE: Once<usize> = Once::new();
        assert!(ONE.get_or_make(|| Err(Failure::no_memory(format_args!("none")))).is_err());
        assert!(ONE.get().is_none());
        let all_make = Barrier::new(4);
        let make = |number| {
            let made = ONE.get_or_make(|| {
                all_make.wait();
                Ok(number)
            });
            made.map(|one| one as *const usize as usize).ok()
        };
        let seen: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|number| scope.spawn(move || make(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let there = ONE.get().map(|one| one as *const usize as usize);
        assert!(there.is_some() && seen.iter().all(|one| *one == there), "{seen:?}");
        assert_eq!(ONE.get_or_make(|| Ok(9)).ok(), ONE.get());
    }
}
