//! A biography that is being taken: its ledger, and the journal that each census is appended to.

use crate::base::list::try_box;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Info;
use crate::heap::mutator::busy::Mark;
use crate::heap::object::model::{HEADER_BITS, Model, info_of};
use crate::heap::space::side::{self, Table};
use crate::identity::info;
use crate::identity::names::Name;
use crate::os::file::Name as FileName;
use crate::os::growing::Growing;
use crate::profile::biography::column::Column;
use crate::profile::biography::journal::{Batch, Profile};
use crate::profile::biography::seen::{Alike, Seen};
use crate::profile::biography::{Atom, Atoms, Biography, Word};
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::retainer::SetId;

/// The lines that every file has before its samples.
pub struct Heading<'a> {
    pub date: &'a [u8],
    pub sample_unit: &'a [u8],
    pub value_unit: &'a [u8],
}

pub struct Running {
    pub(crate) ledger: Biography,
    pub(crate) atoms: Atoms,
    pub(crate) seen: Seen,
    uses: Seen,
    columns: List<Column>,
    /// The restrictions of the profile, which all columns share.
    restrictions: Restrictions,
    with_threads: bool,
    /// The mark of the heap, set while the client is asked.
    mark: Mark,
    batch: Batch,
    journal: Growing,
    /// Whether some column groups by producer.
    pub(crate) with_producers: bool,
    /// Whether modules are those of producers.
    module_of_producer: bool,
    /// The first failure inside a collection, which is reported after it.
    pub(crate) refused: Option<Failure>,
    /// Whether some column groups by retainer set, or shows only some sets: objects are counted when their
    /// sets are known.
    pub(crate) by_set: bool,
    /// Whether the profile has just begun, so that the past of objects without a stamp is unknown.
    pub(crate) beginning: bool,
    /// Number of collections after which the youngest generation has no object that was there at the last
    /// census.
    pub(crate) young_are_counted_for: usize,
}

impl Running {
    /// Opens the journal and writes the head that every batch relies on.
    pub fn open(
        name: FileName,
        heading: &Heading<'_>,
        columns: List<Column>,
        restrictions: Restrictions,
        with_threads: bool,
        mark: Mark,
    ) -> Outcome<Box<Running>> {
        let mut batch = Batch::new();
        let by_set = restrictions.ask_for_retainers()
            || columns.iter().any(|column| column.by == Some(BreakDown::Retainer));
        batch.begin_file(heading.date, [heading.sample_unit, heading.value_unit], by_set)?;
        for column in columns.iter() {
            batch.profile(Profile { name: &column.file, job: &column.job, phases: column.phases })?;
        }
        let mut running = try_box(Running {
            ledger: Biography::new(by_set),
            atoms: Atoms::new(),
            seen: Seen::new()?,
            uses: Seen::new()?,
            columns,
            restrictions,
            with_threads,
            mark,
            batch,
            journal: Growing::create_readable(name)?,
            with_producers: false,
            module_of_producer: false,
            refused: None,
            by_set,
            beginning: true,
            young_are_counted_for: usize::MAX,
        })?;
        let Running { batch, journal, .. } = &mut *running;
        journal.append(batch.sealed())?;
        Ok(running)
    }

    /// Gives the journal its name.
    pub(crate) fn take_name(&mut self) -> Outcome<()> {
        self.journal.take_name()
    }

    /// Begins, before the first census, to note producers, and perhaps to take modules from them. `chosen` is
    /// the break-down of a column without its own.
    pub fn group_by_producers(&mut self, noted: bool, modules: bool, chosen: BreakDown) {
        self.with_producers = noted;
        self.module_of_producer = modules;
        self.restrictions.take_modules_of_producers(modules);
        for column in self.columns.iter_mut().filter(|column| column.is_open) {
            column.by = Some(chosen);
        }
    }

    pub fn groups_by_set(&self) -> bool {
        self.by_set
    }

    pub fn era(&self) -> u32 {
        self.ledger.era()
    }

    pub fn held_bytes(&self) -> usize {
        self.ledger.held_bytes() + self.atoms.held_bytes()
    }

    /// Books the first use of an object of `words` words in this era; `old` is its word before. The use takes
    /// it out of its cell.
    ///
    /// # Safety
    /// A well-formed object of the heap is there.
    pub(crate) unsafe fn book_use(&mut self, object: Addr, words: usize, old: Word) {
        // SAFETY: the caller's promise.
        unsafe {
            let header = object.load() & !HEADER_BITS;
            if self.by_set {
                let holder = side::number(Table::Cell, object);
                self.tell_used(
                    Alike { header, word: old, producer: 0, objects: 1, words: words as u64 },
                    holder,
                );
            } else if let Some(others) = self.uses.add(header, old.alike(), self.producer(object), words) {
                self.tell_used(others, self.holder_of(others.header, others.producer));
            }
        }
    }

    /// Books the first use of a whole object in this era, as `book_use` does.
    ///
    /// # Safety
    /// The promise of `book_use` holds.
    pub(crate) unsafe fn book_use_of(&mut self, model: &Model, object: Addr, old: Word) {
        // SAFETY: the caller's promise.
        unsafe {
            let words = self.mark.words_of(model, object, info_of(object.load()));
            self.book_use(object, words, old);
        }
    }

    /// Books a use without a mark: the object's biography gets it, and the ledger if it is the first in this
    /// era.
    ///
    /// # Safety
    /// The promise of `book_use` holds.
    pub(crate) unsafe fn use_now(&mut self, model: &Model, object: Addr) {
        // SAFETY: the caller's promise.
        unsafe {
            let entry = side::biography(object);
            let old = Word::of_entry(entry);
            side::set_biography(object, old.used(self.era()).entry_instead_of(entry));
            if old.is_before(self.era()) {
                self.book_use_of(model, object, old);
            }
        }
    }

    pub(crate) fn tell_used(&mut self, alike: Alike, holder: u32) {
        if !info_of(alike.header).is_inherently_used() {
            self.ledger.used(holder, alike.word, alike.words * WORD_BYTES as u64);
        }
    }

    /// Tells the ledger of all uses, before it takes stock.
    pub(crate) fn tell_uses(&mut self) {
        for place in 0..Seen::PLACES {
            if let Some(alike) = self.uses.take_at(place) {
                self.tell_used(alike, self.holder_of(alike.header, alike.producer));
            }
        }
    }

    /// Counts, after the collection of a census, a live object that is held by this retainer set. Gives its
    /// holder, which belongs into its cell; `past` is the holder that the cell had.
    ///
    /// # Safety
    /// `object` is a well-formed object of the heap, with `words` words, whose entries are on.
    pub unsafe fn count_in_set(&mut self, object: Addr, words: usize, past: u32, set: SetId) -> u32 {
        // SAFETY: the caller's promise.
        let (info, producer, word) = unsafe {
            (info_of(object.load()), self.producer(object), Word::of_entry(side::biography(object)))
        };
        let atom = match self.atoms.number(Atom { info: info.number(), producer, set: set.0 }) {
            Ok(atom) => atom,
            Err(failure) => {
                self.refused.get_or_insert(failure);
                return past;
            }
        };
        let bytes = (words * WORD_BYTES) as u64;
        if info.is_inherently_used() {
            self.ledger.seen_inherent(atom, bytes)
        } else {
            self.ledger.seen(past, atom, word, bytes)
        }
    }

    /// # Safety
    /// An object of the heap is there.
    #[inline(always)]
    pub(crate) unsafe fn producer(&self, object: Addr) -> u32 {
        // SAFETY: the caller's promise.
        if self.with_producers { unsafe { side::number(Table::Producer, object) } } else { 0 }
    }

    /// The holder of the object at the last census; 0 for none.
    ///
    /// # Safety
    /// As for `producer`.
    pub(crate) unsafe fn holder(&self, object: Addr, info: &Info) -> u32 {
        if self.by_set {
            // SAFETY: the caller's promise.
            return unsafe { side::number(Table::Cell, object) };
        }
        // SAFETY: the caller's promise.
        self.holder_of(info as *const Info as usize, unsafe { self.producer(object) })
    }

    /// The holder of an object of this header and producer, where sets do not count.
    pub(crate) fn holder_of(&self, header: usize, producer: u32) -> u32 {
        self.atoms.find(Atom { info: info_of(header).number(), producer, set: 0 })
    }

    /// Ends a census: its counts go into the journal, and the next era begins. `sets` says of a retainer set
    /// whether it counts, and its name.
    pub fn end_census(
        &mut self,
        seconds: f64,
        sets: &mut dyn FnMut(u32) -> Outcome<(bool, Name)>,
    ) -> Outcome<()> {
        self.batch.begin()?;
        self.name_new_atoms(sets)?;
        self.ledger.end_census(&mut self.batch)?;
        self.batch.census(seconds)?;
        self.journal.append(self.batch.sealed())
    }

    fn name_new_atoms(&mut self, sets: &mut dyn FnMut(u32) -> Outcome<(bool, Name)>) -> Outcome<()> {
        if let Some(failure) = &self.refused {
            return Err(failure.clone());
        }
        let mut bands: List<u32> = List::new();
        while let Some(atom) = self.atoms.next_new() {
            let info = info::get(atom.info);
            bands.clear();
            // An object whose table cannot be named has none of the names of a restriction.
            let nameless = atom.info == 0 && !self.restrictions.is_empty();
            let allowed = self.restrictions.allow(&info)
                & (!self.with_producers || self.restrictions.allow_producer(atom.producer));
            let (set_allowed, set) = if self.by_set { sets(atom.set)? } else { (true, Name::NONE) };
            let shown = !nameless && set_allowed && allowed && (self.with_threads || !info.is_thread);
            for (own, column) in self.columns.iter_mut().enumerate() {
                bands.push(if shown {
                    column.band(own, atom, &info, self.module_of_producer, set, &mut self.batch)?
                } else {
                    0
                })?;
            }
            self.batch.atom(bands.iter().copied())?;
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, seconds: f64) -> Outcome<()> {
        self.tell_uses();
        self.batch.begin()?;
        self.ledger.end(&mut self.batch)?;
        self.batch.end(seconds)?;
        self.journal.append(self.batch.sealed())
    }

    /// Adds a mark of the client to the journal, between two censuses.
    pub fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.batch.begin()?;
        self.batch.mark(seconds)?;
        self.journal.append(self.batch.sealed())
    }

    /// The bytes of the journal so far.
    pub fn read(&self) -> Outcome<List<u8>> {
        self.journal.read()
    }

    /// The bytes of the journal as they would be if the program ended now.
    pub fn read_as_ended(&mut self, seconds: f64) -> Outcome<List<u8>> {
        let mut journal = self.journal.read()?;
        self.batch.begin()?;
        self.ledger.end(&mut self.batch)?;
        self.batch.end(seconds)?;
        journal.append(self.batch.sealed())?;
        Ok(journal)
    }

    /// The names in restrictions that no object had, each with its restriction's letter.
    pub fn unmet(&self) -> impl Iterator<Item = (char, Name)> {
        self.restrictions.unmet()
    }

    pub fn journal_name(&self) -> &FileName {
        self.journal.name()
    }

    /// Removes the journal, once the samples are in their files.
    pub fn remove(self) {
        self.journal.remove();
    }
}
