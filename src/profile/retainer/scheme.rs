//! The retainers of one heap: the scheme that says which objects are retainers, and the walk after a major
//! collection.

use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Info;
use crate::heap::mutator::busy::Mark;
use crate::heap::object::info::{FLAG_MUTABLE, FLAG_RETAINER};
use crate::heap::object::kind::Kinds;
use crate::heap::space::side::{self, Table};
use crate::identity::info::{self, MOST_INFOS};
use crate::identity::names::Name;
use crate::identity::producer::{self, MOST_PRODUCERS};
use crate::megablock::codes::AnyCodes;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::tally::Verdicts;
use crate::profile::profiler::Profiler;
use crate::profile::retainer::edges::Pairs;
use crate::profile::retainer::set::{ClientHash, Named, Set};
use crate::profile::retainer::{Figures, Retainer, Scheme, Sets};
use std::cell::RefCell;
use std::ffi::c_void;

/// Members of a set, at most, unless `-R` says otherwise; larger sets are MANY.
pub(crate) const MOST_RETAINERS: usize = 8;

/// The client's rules for retainers. Each may be left out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RetainerScheme {
    /// `sizeof(barrow_retainer_scheme)`, as the caller knows it.
    pub size: u32,
    pub reserved: u32,
    /// Bit k: objects of kind k are retainers; 0 for the library's choice (`BARROW_RETAINERS_LAZY`).
    /// Objects that are mutable, or flagged in their info table, are retainers anyway.
    pub kinds: u64,
    /// Returns 1 for a retainer, 0 for any other object, -1 to leave it to flags and kinds. The answer
    /// for an object must stay the same throughout a census.
    pub is_retainer: Option<unsafe extern "C" fn(client: *mut c_void, object: *const c_void) -> i32>,
    /// Returns the client's number for a retainer, below 2^30, the same throughout the run (so not its
    /// address: objects move); 0 for the library's own name.
    pub identity: Option<unsafe extern "C" fn(client: *mut c_void, object: *const c_void) -> u32>,
    /// Writes the name that reports give to such a number, and returns its length.
    pub name: Option<
        unsafe extern "C" fn(
            client: *mut c_void,
            number: u32,
            buffer: *mut std::ffi::c_char,
            bytes: usize,
        ) -> usize,
    >,
    /// Returns the cost of an object of `bytes` bytes; without the function, the cost is its bytes. A sum
    /// above 2^64 - 1 is shown as 2^64 - 1.
    pub cost: Option<unsafe extern "C" fn(client: *mut c_void, object: *const c_void, bytes: usize) -> usize>,
    /// Returns the hash of such a number; the hash of a set is the sum of its members'. Without the
    /// function, the library's hash is used.
    pub hash: Option<unsafe extern "C" fn(client: *mut c_void, number: u32) -> u32>,
    pub client: *mut c_void,
}

/// Kinds that are retainers in lazy languages, as in the references.
pub(crate) const RETAINERS_LAZY: u64 = Kinds::RETAINER.bits();
/// Kinds that are retainers in strict languages.
pub(crate) const RETAINERS_STRICT: u64 = Kinds::RETAINER.and(Kinds::STRICT_RETAINER).bits();

impl RetainerScheme {
    pub const OURS: RetainerScheme = RetainerScheme {
        size: size_of::<RetainerScheme>() as u32,
        reserved: 0,
        kinds: 0,
        is_retainer: None,
        identity: None,
        name: None,
        cost: None,
        hash: None,
        client: std::ptr::null_mut(),
    };
}

impl RetainerScheme {
    /// Whether a function of the scheme has an address for which this is so.
    pub(crate) fn has_function(&self, is_so: impl Fn(usize) -> bool) -> bool {
        let functions = [
            self.is_retainer.map(|f| f as usize),
            self.identity.map(|f| f as usize),
            self.name.map(|f| f as usize),
            self.cost.map(|f| f as usize),
            self.hash.map(|f| f as usize),
        ];
        functions.into_iter().flatten().any(is_so)
    }

    #[inline(always)]
    fn holds(&self, object: Addr, info: &Info, mark: Mark) -> bool {
        if let Some(ask) = self.is_retainer {
            // SAFETY: the client's function takes its own pointer and a live object.
            match mark.during(|| unsafe { ask(self.client, object.as_ptr()) }) {
                0 => return false,
                1 => return true,
                _ => {}
            }
        }
        let kinds = if self.kinds == 0 { RETAINERS_LAZY } else { self.kinds };
        info.flags & (FLAG_RETAINER | FLAG_MUTABLE) != 0 || info.kind < 64 && kinds >> info.kind & 1 != 0
    }
}

/// The verdicts of restrictions, asked for once for each info table and producer.
pub struct Filter {
    restrictions: RefCell<Restrictions>,
    infos: RefCell<Verdicts>,
    producers: RefCell<Verdicts>,
}

impl Filter {
    pub fn new(restrictions: Restrictions) -> Outcome<Filter> {
        Ok(Filter {
            restrictions: RefCell::new(restrictions),
            infos: RefCell::new(Verdicts::new(MOST_INFOS)?),
            producers: RefCell::new(Verdicts::new(MOST_PRODUCERS)?),
        })
    }

    pub fn has_met(&self, letter: char, name: Name) -> bool {
        !self.restrictions.borrow().unmet().any(|unmet| unmet == (letter, name))
    }

    /// Takes modules from producers, or from info tables. Called before the first census.
    pub fn take_modules_of_producers(&self, by_producer: bool) {
        self.restrictions.borrow_mut().take_modules_of_producers(by_producer);
    }

    fn allows(&self, object: Addr, info: &Info) -> bool {
        let mut restrictions = self.restrictions.borrow_mut();
        let number = info.number();
        let by_info =
            self.infos.borrow_mut().of(number, || number != 0 && restrictions.allow(&info::get(number)));
        let asks = restrictions.ask_for_producers();
        // SAFETY: the walk comes to objects of the heap only.
        let made_by = if asks { unsafe { side::number(Table::Producer, object) } } else { 0 };
        let by_producer = self.producers.borrow_mut().of(made_by, || restrictions.allow_producer(made_by));
        by_info && by_producer
    }
}

/// The scheme of one census.
pub(crate) struct CensusScheme<'a> {
    pub scheme: &'a RetainerScheme,
    /// The mark of the heap, set while the client is asked.
    pub mark: Mark,
    /// Whether retainers are named by the stacks that made them.
    pub by_producer: bool,
    /// The codes of addresses: statics are outside the heap and have no entries in side tables.
    pub codes: AnyCodes,
    pub filter: Option<&'a Filter>,
    /// Whether threads and stacks cost something; as retainers they count in any case.
    pub with_threads: bool,
}

impl Scheme for CensusScheme<'_> {
    #[inline(always)]
    fn is_retainer(&self, object: Addr, info: &Info) -> bool {
        self.scheme.holds(object, info, self.mark)
    }

    #[inline(always)]
    fn identity(&self, object: Addr, info: &Info) -> Retainer {
        if let Some(ask) = self.scheme.identity {
            // SAFETY: the client's function takes its own pointer and a live object.
            let number = self.mark.during(|| unsafe { ask(self.scheme.client, object.as_ptr()) });
            if number != 0 {
                return Retainer::new(Named::Client(number));
            }
        }
        if self.by_producer && self.codes.at(object.0) != 0 {
            // SAFETY: the object lies in the heap.
            let made_by = unsafe { side::number(Table::Producer, object) };
            if let Some(stack) = producer::stack_of(made_by) {
                return Retainer::new(Named::Stack(stack.number));
            }
        }
        Retainer::new(Named::Info(info.number()))
    }

    #[inline(always)]
    fn cost(&self, object: Addr, info: &Info, words: usize) -> Option<u64> {
        if !self.with_threads && info.is_thread()
            || self.filter.is_some_and(|filter| !filter.allows(object, info))
        {
            return None;
        }
        let bytes = words * crate::base::size::WORD_BYTES;
        Some(match self.scheme.cost {
            Some(ask) => {
                // SAFETY: as above.
                self.mark.during(|| unsafe { ask(self.scheme.client, object.as_ptr(), bytes) as u64 })
            }
            None => bytes as u64,
        })
    }
}

/// The retainers of a heap. Sets keep their numbers for the run.
pub struct Retainers {
    pub scheme: RetainerScheme,
    /// The mark of the heap, set while the client is asked.
    pub mark: Mark,
    /// The sets, made at the first census by retainers and kept.
    pub sets: Option<Sets>,
    /// For pairs of retainers, the number of objects of the second that the first held at the last
    /// census.
    pub held: Pairs,
    /// The figures of the last census, and below them the cost of all sets.
    pub figures: Figures,
    pub cost: u64,
    pub taken: u64,
    /// Members of a set, at most.
    pub most: usize,
    /// Whether threads and stacks are in the costs of sets.
    pub with_threads: bool,
}

/// All that a census has left for the report.
pub(crate) struct LastCensus {
    sets: List<Set>,
    held: Pairs,
    figures: Figures,
    cost: u64,
    taken: u64,
}

impl Retainers {
    /// Puts the last census aside, for a walk that is none.
    pub(crate) fn put_aside(&mut self) -> Outcome<LastCensus> {
        let sets = self.make_sets()?.copied()?;
        let held = std::mem::replace(&mut self.held, Pairs::new());
        Ok(LastCensus { sets, held, figures: self.figures, cost: self.cost, taken: self.taken })
    }

    pub(crate) fn take_back(&mut self, last: LastCensus) {
        if let Some(sets) = &mut self.sets {
            sets.restore(&last.sets);
        }
        self.held = last.held;
        (self.figures, self.cost, self.taken) = (last.figures, last.cost, last.taken);
    }

    pub fn new(mark: Mark) -> Retainers {
        Retainers {
            scheme: RetainerScheme::OURS,
            mark,
            sets: None,
            held: Pairs::new(),
            figures: Figures::default(),
            cost: 0,
            taken: 0,
            most: MOST_RETAINERS,
            with_threads: true,
        }
    }

    /// Takes another scheme, whose hash the sets have from now on.
    pub(crate) fn follow(&mut self, scheme: RetainerScheme) {
        self.scheme = scheme;
        let hash = self.client_hash();
        if let Some(sets) = planted!(595, None, self.sets.as_mut()) {
            sets.hash_by(hash);
        }
    }

    fn client_hash(&self) -> Option<ClientHash> {
        let RetainerScheme { hash, client, .. } = self.scheme;
        hash.map(|of| ClientHash { of, client, mark: self.mark })
    }

    /// The store of sets, which is made at the first call.
    pub fn make_sets(&mut self) -> Outcome<&mut Sets> {
        if self.sets.is_none() {
            self.sets = Some(Sets::new(self.most, self.client_hash())?);
        }
        let none = || Failure::state(format_args!("there are no retainer sets"));
        self.sets.as_mut().ok_or_else(none)
    }
}

impl Profiler for Retainers {}
