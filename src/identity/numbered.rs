//! Numbers for static data of the client: cost centres, and functions that are counted. Each has an `id`, 0
//! at first, and its texts are copied when it gets its number [identity.number]. The number of one whose `id`
//! cannot be written is kept by address (`beside`).

use super::areas::Areas;
use super::beside::Beside;
use super::text::Text;
use crate::base::list::List;
use crate::base::{Addr, Failure, Outcome};
use crate::os::debugger::is_writable;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The library's copy of client data that has a number.
pub(super) trait Numbered: Sized + 'static {
    /// The client's data, as a compiler emits it.
    type Emitted: 'static;
    /// The contents of that data, not copied yet.
    type Wanted<'a>;
    /// The word for such data in messages.
    const WHAT: &'static str;
    /// The number above all numbers of the kind.
    const MOST: u32;

    /// Address of the data's `id`.
    fn id_of(emitted: *mut Self::Emitted) -> *mut u32;

    /// # Safety
    /// `emitted` points to such data, whose strings end with NUL.
    unsafe fn read<'a>(emitted: *mut Self::Emitted) -> Outcome<Self::Wanted<'a>>;

    fn keep(wanted: &Self::Wanted<'_>, text: &mut Text) -> Outcome<Self>;

    /// Takes note that the data has its number, and is at this address until it is forgotten.
    ///
    /// # Safety
    /// As for `read`.
    unsafe fn came(&self, _emitted: *mut Self::Emitted) {}

    /// Whether the copy has these contents.
    fn is(&self, wanted: &Self::Wanted<'_>) -> bool;
}

struct Placed<T> {
    known: T,
    /// Address of the client's data; 0 when it is gone.
    at: AtomicUsize,
}

impl<T> Placed<T> {
    fn is_at<E>(&self, emitted: *mut E) -> bool {
        self.at.load(Ordering::Relaxed) == emitted as usize
    }
}

pub(super) struct State {
    text: Text,
    /// Numbers whose data is gone: room for all is reserved.
    gone: List<u32>,
    /// Numbers of data in read-only memory, by the address of the `id`.
    beside: Beside,
}

/// The registry of a kind of data. The first `own` numbers are the library's.
pub(super) struct Registry<T: Numbered> {
    own: u32,
    table: Areas<Placed<T>>,
    count: AtomicU32,
    state: Mutex<State>,
}

impl<T: Numbered> Registry<T> {
    pub(super) const fn new(own: u32) -> Registry<T> {
        Registry {
            own,
            table: Areas::new(),
            count: AtomicU32::new(own),
            state: Mutex::new(State { text: Text::new(), gone: List::new(), beside: Beside::new() }),
        }
    }

    /// Takes the registry's lock, which is held over a fork too.
    pub(super) fn hold(&'static self) -> MutexGuard<'static, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The greatest number.
    pub(super) fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    fn placed(&'static self, number: u32) -> Option<&'static Placed<T>> {
        if number <= self.own || number > self.count() {
            return None;
        }
        // SAFETY: entries up to the count are written and are never changed but for their atomics.
        unsafe { self.table.at((number - self.own - 1) as usize).as_ref() }
    }

    /// The copy of a number's data; `None` for the library's own, and for a number that was not given
    /// yet.
    pub(super) fn get(&'static self, number: u32) -> Option<&'static T> {
        self.placed(number).map(|placed| &placed.known)
    }

    /// Whether the client's data of a number lies in this range.
    pub(super) fn lies_in(&'static self, number: u32, base: Addr, bytes: usize) -> bool {
        let at = self.placed(number).map_or(0, |placed| placed.at.load(Ordering::Relaxed));
        at != 0 && at.wrapping_sub(base.0) < bytes
    }

    /// The number of client data, which new data gets here.
    ///
    /// # Safety
    /// `emitted` is null or points to such data, which stays until `forget` is told of it.
    pub(super) unsafe fn register(&'static self, emitted: *mut T::Emitted) -> Outcome<u32> {
        if emitted.is_null() || !emitted.is_aligned() {
            return Err(Failure::argument(format_args!("{emitted:?} is no {}", T::WHAT)));
        }
        // SAFETY: the client's writable word, which all read and write as an atomic.
        let id = unsafe { AtomicU32::from_ptr(T::id_of(emitted)) };
        let known = id.load(Ordering::Acquire);
        if known != 0 && self.placed(known).is_some_and(|placed| placed.is_at(emitted)) {
            return Ok(known);
        }
        let mut state = self.hold();
        let beside = state.beside.find(id.as_ptr() as usize);
        if beside != 0 {
            return Ok(beside);
        }
        // SAFETY: the caller's promise.
        let wanted = unsafe { T::read(emitted)? };
        // Another thread may have numbered it before we had the lock.
        let known = id.load(Ordering::Acquire);
        if known != 0 {
            return self.known_again(&mut state, known, emitted, &wanted);
        }
        let stands_in_it = planted!(231, true, is_writable(id.as_ptr() as usize));
        if !stands_in_it {
            state.beside.reserve()?;
        }
        let number = match self.returned(&mut state, &wanted) {
            Some(number) => number,
            None => self.add(&mut state, &wanted)?,
        };
        self.came(number, emitted);
        if !stands_in_it {
            state.beside.put(id.as_ptr() as usize, number);
            return Ok(number);
        }
        match id.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Ok(number),
            Err(there) => Err(Failure::argument(format_args!(
                "the id of the {} at {emitted:?} was set to {there} while it was registered",
                T::WHAT
            ))),
        }
    }

    fn came(&'static self, number: u32, emitted: *mut T::Emitted) {
        if let Some(placed) = self.placed(number) {
            placed.at.store(emitted as usize, Ordering::Relaxed);
            // SAFETY: `emitted` is the data being registered.
            unsafe { placed.known.came(emitted) };
        }
    }

    /// The number that `emitted` holds already: its own, or, when its memory was made read-only before it was
    /// forgotten, the one that it had and gets again.
    fn known_again(
        &'static self,
        state: &mut State,
        known: u32,
        emitted: *mut T::Emitted,
        wanted: &T::Wanted<'_>,
    ) -> Outcome<u32> {
        if let Some(placed) = self.placed(known) {
            if placed.is_at(emitted) {
                return Ok(known);
            }
            let gone = state.gone.iter().position(|&number| number == known);
            if let Some(at) = gone.filter(|_| placed.known.is(wanted)) {
                state.gone.swap_remove(at);
                self.came(known, emitted);
                return Ok(known);
            }
        }
        Err(Failure::argument(format_args!(
            "the {} at {emitted:?} has the number {known}, which was not given to it: its id was not 0 at first",
            T::WHAT
        )))
    }

    /// The old number of data that was forgotten and is back, when a module is loaded again.
    fn returned(&'static self, state: &mut State, wanted: &T::Wanted<'_>) -> Option<u32> {
        let same = |number: &u32| self.get(*number).is_some_and(|known| known.is(wanted));
        let at = state.gone.iter().position(same).filter(|_| planted!(129, false, true))?;
        Some(state.gone.swap_remove(at))
    }

    fn add(&'static self, state: &mut State, wanted: &T::Wanted<'_>) -> Outcome<u32> {
        let number = self.count() + 1;
        if number >= T::MOST {
            return Err(Failure::no_memory(format_args!(
                "there are {} of a {} already, which is as many as there can be",
                T::MOST - 1,
                T::WHAT
            )));
        }
        let index = (number - self.own - 1) as usize;
        // Room in `gone` is reserved here, since `forget` cannot fail even if all modules are unloaded at
        // once.
        let held = state.gone.len();
        state.gone.reserve(index + 1 - held)?;
        let place = self.table.room(index)?;
        let known = T::keep(wanted, &mut state.text)?;
        // SAFETY: the table has made room here, and nobody reads it before the count says so.
        unsafe { place.write(Placed { known, at: AtomicUsize::new(0) }) };
        self.count.store(number, Ordering::Release);
        Ok(number)
    }

    /// Forgets the addresses of client data from `base` on, `bytes` long, which is about to go. It keeps its
    /// numbers and names.
    pub(super) fn forget(&'static self, base: Addr, bytes: usize) {
        let mut state = self.hold();
        state.beside.forget(base, bytes);
        for number in self.own + 1..=self.count() {
            let Some(placed) = self.placed(number) else { continue };
            let at = placed.at.load(Ordering::Relaxed);
            if at != 0 && at.wrapping_sub(base.0) < bytes {
                placed.at.store(0, Ordering::Relaxed);
                // SAFETY: the caller says that the data is still there. Should the module stay after all, it is numbered
                // anew.
                let id = unsafe { AtomicU32::from_ptr(T::id_of(at as *mut T::Emitted)) };
                // Generated code may have been made read-only since it was registered.
                if id.load(Ordering::Relaxed) != 0 && is_writable(id.as_ptr() as usize) {
                    id.store(0, Ordering::Release);
                }
                let _ = state.gone.push_within(number);
            }
        }
    }
}
