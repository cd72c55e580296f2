//! Coverage: the registered modules, and the count of each of their boxes.
//!
//! The counters are the client's: its code increments them, and no code here is on that path. A count is
//! either booked (in the file) or due (to be added to the file); when a write fails, counts that were due
//! stay due.

use crate::base::list::List;
use crate::base::{Failure, Outcome, Sentence, Shown, Status, sort};
use std::sync::atomic::{AtomicU64, Ordering};

/// The counts of a module, as a `.tix` file has them.
pub struct Counted {
    pub name: List<u8>,
    pub hash: u32,
    pub counts: List<u64>,
}

/// The place of a module's counters, while its code is loaded.
#[derive(Clone, Copy)]
pub struct Counters {
    first: *mut u64,
    count: usize,
}

// SAFETY: the counters are only ever read and cleared as atomics.
unsafe impl Send for Counters {}

impl Counters {
    /// # Safety
    /// `count` counters lie at `first`, readable and writable, until they are taken back.
    pub const unsafe fn new(first: *mut u64, count: usize) -> Counters {
        Counters { first, count }
    }

    /// The counters of a module, refused where there cannot be any.
    ///
    /// # Safety
    /// As for `new`.
    pub(crate) unsafe fn checked(module: &str, first: *mut u64, count: usize) -> Outcome<Counters> {
        let nowhere = first.is_null() || !first.is_aligned();
        if count > 0 && (nowhere || count > isize::MAX as usize / size_of::<u64>()) {
            return Err(Failure::argument(format_args!(
                "module {} cannot have {count} counters at {first:?}",
                Shown::told(module.as_bytes())
            )));
        }
        // SAFETY: the caller's promise.
        Ok(unsafe { Counters::new(first, count) })
    }

    fn cells(&self) -> &[AtomicU64] {
        if self.count == 0 {
            return &[];
        }
        // SAFETY: the promise of `new`. An atomic has the layout of its word; the client's code, which may run in
        // another thread, increments whole words.
        unsafe { std::slice::from_raw_parts(self.first.cast::<AtomicU64>(), self.count) }
    }
}

/// A module as the client registered it.
pub struct Module {
    /// The counts that are due.
    pub due: Counted,
    counters: Option<Counters>,
    /// For each counter, its value when it was last gathered.
    taken: List<u64>,
}

impl Module {
    /// Adds to `due` the counts since the last call.
    fn gather(&mut self) {
        let Some(counters) = self.counters else { return };
        let news = counters.cells().iter().zip(self.taken.iter_mut()).zip(self.due.counts.iter_mut());
        for ((counter, taken), due) in news {
            let now = counter.load(Ordering::Relaxed);
            // A counter that went back was set to zero by the client, and has counted from there.
            let since = if now >= *taken { now - *taken } else { now };
            *due = due.saturating_add(since);
            *taken = now;
        }
    }
}

/// A module to be registered, with its counters.
pub struct Registration<'a> {
    pub name: &'a str,
    pub hash: u32,
    pub counters: Counters,
}

#[derive(Default)]
pub struct Modules {
    list: List<Module>,
    by_name: ByName,
}

impl Modules {
    pub fn iter(&self) -> impl Iterator<Item = &Module> {
        self.list.iter()
    }

    /// Adds a module, or the code of a module that was here before.
    pub fn register(&mut self, new: &Registration<'_>) -> Outcome<()> {
        let count = new.counters.count;
        match self.by_name.find(new.name.as_bytes(), |at| &self.list[at].due.name) {
            Ok(at) => {
                let known = &mut self.list[at];
                if known.counters.is_some() {
                    return Err(Failure::state(format_args!(
                        "a module {} is registered already",
                        Shown::told(new.name.as_bytes())
                    )));
                }
                if known.due.hash != new.hash || known.due.counts.len() != count {
                    return Err(Failure::state(format_args!(
                        "another module {} was registered before: hash {} and {} boxes, now {} and {count}",
                        Shown::told(new.name.as_bytes()),
                        known.due.hash,
                        known.due.counts.len(),
                        new.hash
                    )));
                }
                known.counters = Some(new.counters);
            }
            Err(place) => {
                let mut due = Counted { name: List::new(), hash: new.hash, counts: List::new() };
                due.name.append(new.name.as_bytes())?;
                due.counts.fill(count, 0)?;
                let mut taken = List::new();
                taken.fill(count, 0)?;
                self.list.reserve(1)?;
                self.by_name.insert(place, self.list.len())?;
                self.list.push(Module { due, counters: Some(new.counters), taken })?;
            }
        }
        Ok(())
    }

    /// Takes the module's code away: counts so far stay, and its counters are set to zero.
    pub fn unregister(&mut self, gone: &Registration<'_>) -> Outcome<()> {
        let Some(at) = self.registered(gone) else {
            return Err(Failure::state(format_args!(
                "no module {} with these counters is registered",
                Shown::told(gone.name.as_bytes())
            )));
        };
        let module = &mut self.list[at];
        module.gather();
        for counter in gone.counters.cells() {
            planted!(140, (), counter.store(0, Ordering::Relaxed));
        }
        module.taken.iter_mut().for_each(|taken| *taken = 0);
        module.counters = None;
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Undoes the `register` of these modules, before which there were `count`.
    pub fn take_back<'a>(&mut self, new: impl Iterator<Item = Registration<'a>>, count: usize) {
        for module in new {
            if let Some(at) = self.registered(&module) {
                self.list[at].counters = None;
            }
        }
        self.list.truncate(count);
        self.by_name.0.retain_mut(|at| *at < count);
    }

    fn registered(&self, module: &Registration<'_>) -> Option<usize> {
        let at = self.by_name.find(module.name.as_bytes(), |at| &self.list[at].due.name).ok()?;
        let there = self.list[at].counters.as_ref()?;
        (there.first == module.counters.first).then_some(at)
    }

    pub fn gather(&mut self) {
        self.list.iter_mut().for_each(Module::gather);
    }

    /// Forgets the due counts: they are in the file, or another process writes them.
    pub fn settle(&mut self) {
        for module in self.list.iter_mut() {
            module.due.counts.iter_mut().for_each(|due| *due = 0);
        }
    }

    /// Adds the due counts to the modules of a file. A module of the file that does not fit gives way; the
    /// sentence names the first.
    pub fn add_to(&self, file: &mut Tix) -> Outcome<Option<Sentence>> {
        let mut misfit = None;
        for module in self.list.iter() {
            let ours = &module.due;
            match file.find(&ours.name) {
                Ok(at) => {
                    let there = &mut file.modules[at];
                    if let Some(words) = difference(ours, there) {
                        misfit = misfit.or(Some(words));
                        there.hash = ours.hash;
                        there.counts.clear();
                        there.counts.append(&ours.counts)?;
                        continue;
                    }
                    for (there, more) in there.counts.iter_mut().zip(ours.counts.iter()) {
                        *there = there.saturating_add(*more);
                    }
                }
                Err(place) => {
                    let mut new = Counted { name: List::new(), hash: ours.hash, counts: List::new() };
                    new.name.append(&ours.name)?;
                    new.counts.append(&ours.counts)?;
                    file.by_name.insert(place, file.modules.len())?;
                    file.modules.push(new)?;
                }
            }
        }
        Ok(misfit)
    }

    /// A sentence about the first module that does not fit the file.
    pub fn misfit(&self, file: &Tix) -> Option<Sentence> {
        self.list.iter().find_map(|module| {
            let at = file.find(&module.due.name).ok()?;
            difference(&module.due, &file.modules[at])
        })
    }
}

fn difference(ours: &Counted, there: &Counted) -> Option<Sentence> {
    let name = Shown::told(&ours.name);
    if ours.hash != there.hash {
        return Some(Sentence::new(format_args!(
            "module {name} has hash {} in the file and {} in the program",
            there.hash, ours.hash
        )));
    }
    if ours.counts.len() != there.counts.len() {
        return Some(Sentence::new(format_args!(
            "module {name} has {} boxes in the file and {} in the program",
            there.counts.len(),
            ours.counts.len()
        )));
    }
    None
}

/// The contents of a `.tix` file.
#[derive(Default)]
pub struct Tix {
    pub modules: List<Counted>,
    by_name: ByName,
}

impl Tix {
    pub fn new(modules: List<Counted>) -> Outcome<Tix> {
        let mut by_name = ByName::default();
        for number in 0..modules.len() {
            by_name.0.push(number)?;
        }
        sort::sort_by(&mut by_name.0, |&a, &b| modules[a].name[..] < modules[b].name[..]);
        let same = by_name.0.windows(2).find(|pair| *modules[pair[0]].name == *modules[pair[1]].name);
        if let Some(pair) = same {
            let name = Shown::told(&modules[pair[0]].name);
            return Err(Failure::new(Status::Io, format_args!("two modules are called {name}")));
        }
        Ok(Tix { modules, by_name })
    }

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.by_name.find(name, |at| &self.modules[at].name)
    }
}

/// Positions in a list, sorted by the names at them.
#[derive(Default)]
struct ByName(List<usize>);

impl ByName {
    /// The position of a name, or the index at which this order would have it.
    fn find<'a>(&self, name: &[u8], name_at: impl Fn(usize) -> &'a List<u8>) -> Result<usize, usize> {
        self.0.binary_search_by(|&at| name_at(at)[..].cmp(name)).map(|index| self.0[index])
    }

    fn insert(&mut self, place: usize, at: usize) -> Outcome<()> {
        self.0.insert(place, at)
    }
}

/// A name as text: names are UTF-8 from the start.
pub fn text(name: &[u8]) -> &str {
    std::str::from_utf8(name).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;

    fn counters(cells: &mut [u64]) -> Counters {
        // SAFETY: the tests keep the array.
        unsafe { Counters::new(cells.as_mut_ptr(), cells.len()) }
    }

    fn counts(tix: &Tix, name: &str) -> Vec<u64> {
        tix.modules[tix.find(name.as_bytes()).unwrap()].counts.to_vec()
    }

    /// The steps of a successful write.
    fn written(modules: &mut Modules, tix: &mut Tix) -> Option<Sentence> {
        modules.gather();
        let misfit = modules.add_to(tix).unwrap();
        modules.settle();
        misfit
    }

    #[test]
    fn every_count_arrives_once() {
        let (mut a, mut b, mut again) = ([1, 0, 2], [5], [2]);
        let (a, b, again) = (counters(&mut a), counters(&mut b), counters(&mut again));
        let add = |to: &Counters, n: usize, ticks: u64| to.cells()[n].fetch_add(ticks, Ordering::Relaxed);
        let mut modules = Modules::default();
        let mut tix = Tix::default();
        modules.register(&Registration { name: "a", hash: 1, counters: a }).unwrap();
        modules.register(&Registration { name: "b", hash: 2, counters: b }).unwrap();
        written(&mut modules, &mut tix);
        assert_eq!((counts(&tix, "a"), counts(&tix, "b")), (vec![1, 0, 2], vec![5]));
        add(&a, 1, 3);
        // A failed write changes nothing: counts that were gathered stay due.
        modules.gather();
        add(&a, 1, 1);
        written(&mut modules, &mut tix);
        written(&mut modules, &mut tix);
        assert_eq!(counts(&tix, "a"), [1, 4, 2]);
        add(&b, 0, 1);
        modules.unregister(&Registration { name: "b", hash: 2, counters: b }).unwrap();
        assert_eq!(b.cells()[0].load(Ordering::Relaxed), 0);
        modules.register(&Registration { name: "b", hash: 2, counters: again }).unwrap();
        written(&mut modules, &mut tix);
        // The client sets a counter to zero and counts on.
        again.cells()[0].store(1, Ordering::Relaxed);
        written(&mut modules, &mut tix);
        assert_eq!(counts(&tix, "b"), [9]);
    }

    #[test]
    fn what_does_not_fit_is_told_and_not_added() {
        let mut cells = [1, 2];
        let mut modules = Modules::default();
        modules.register(&Registration { name: "m", hash: 7, counters: counters(&mut cells) }).unwrap();
        for (hash, boxes, words) in [
            (8, 2, "module m has hash 8 in the file and 7 in the program"),
            (7, 3, "module m has 3 boxes in the file and 2 in the program"),
        ] {
            let mut there = Counted { name: List::new(), hash, counts: List::new() };
            there.name.append(b"m").unwrap();
            there.counts.fill(boxes, 9).unwrap();
            let mut list = List::new();
            list.push(there).unwrap();
            let mut tix = Tix::new(list).unwrap();
            assert_eq!(modules.misfit(&tix).unwrap().as_str(), words);
            modules.gather();
            assert_eq!(modules.add_to(&mut tix).unwrap().unwrap().as_str(), words);
            assert_eq!(counts(&tix, "m"), [1, 2]);
        }
        for (name, hash) in [("m", 7), ("m", 8)] {
            let again = Registration { name, hash, counters: counters(&mut cells) };
            assert_eq!(modules.register(&again).unwrap_err().status, Status::State);
        }
        let mut others = [0, 0];
        let elsewhere = Registration { name: "m", hash: 7, counters: counters(&mut others) };
        assert!(modules.unregister(&elsewhere).is_err());
        let unknown = Registration { name: "n", hash: 7, counters: counters(&mut cells) };
        assert!(modules.unregister(&unknown).is_err());
    }

    #[test]
    fn without_memory_nothing_is_registered_and_nothing_lost() {
        let mut cells = [1; 100];
        for allowed in 0..20 {
            let mut modules = Modules::default();
            fault::fail_after(allowed);
            let first =
                modules.register(&Registration { name: "m", hash: 7, counters: counters(&mut cells) });
            fault::stop();
            if first.is_err() {
                modules
                    .register(&Registration { name: "m", hash: 7, counters: counters(&mut cells) })
                    .unwrap();
            }
            modules.gather();
            fault::fail_after(allowed);
            let mut tix = Tix::default();
            let added = modules.add_to(&mut tix);
            fault::stop();
            if added.is_err() {
                tix = Tix::default();
                modules.add_to(&mut tix).unwrap();
            }
            assert_eq!(counts(&tix, "m"), [1; 100]);
        }
    }
}
