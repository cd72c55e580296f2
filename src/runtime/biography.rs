//! The biography of a heap while the program runs: it stamps objects as collections meet them, books uses and changes
//! in place, and appends to the journal at each census.
//!
//! The journal is what the samples are made from, at the end of the profile or after the program was killed
//! (`report::biography`). When anything fails, the biography ends with one message and the program goes on.

use super::collect::Reason;
use super::heap::Runtime;
use crate::base::list::try_box;
use crate::base::size::{MIN_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, List, Outcome};
use crate::census::bands::{BreakDown, UNREACHED};
use crate::census::biography::{Atom, Atoms, Biography, Word};
use crate::census::restrict::Restrictions;
use crate::census::retainer::SetId;
use crate::heap::model::info_of;
use crate::heap::side::{self, Table};
use crate::heap::{Info, Mutator};
use crate::identity::info::{self, InfoNames};
use crate::identity::names::{Name, names};
use crate::identity::producer;
use crate::os::file::Name as FileName;
use crate::os::growing::Growing;
use crate::os::output;
use crate::report::biography::{Batch, Profile};

/// One file that is made of a biography.
pub struct Column {
    /// Its name, for the journal, and its JOB line.
    pub file: List<u8>,
    pub job: List<u8>,
    /// A sum of `report::biography::phases`.
    pub phases: u8,
    /// What it is broken down by; nothing for `-hb`, which shows phases.
    pub by: Option<BreakDown>,
    /// `-h`: what it is broken down by is decided at the first census.
    pub is_open: bool,
    /// The band of each name, by its number.
    bands: List<u32>,
    band_count: u32,
}

impl Column {
    pub fn new(file: &[u8], job: &[u8], phases: u8, by: Option<BreakDown>) -> Outcome<Column> {
        let (mut own_file, mut own_job) = (List::new(), List::new());
        own_file.append(file)?;
        own_job.append(job)?;
        Ok(Column {
            file: own_file,
            job: own_job,
            phases,
            by,
            is_open: false,
            bands: List::new(),
            band_count: 0,
        })
    }

    /// The band of an atom, told to the journal when it is new.
    fn band(
        &mut self,
        own: usize,
        atom: Atom,
        info: &InfoNames,
        modules: bool,
        set: Name,
        batch: &mut Batch,
    ) -> Outcome<u32> {
        let name = match self.by {
            Some(BreakDown::Retainer) => set,
            Some(BreakDown::Producer) => producer::name(atom.producer, &mut names())?,
            Some(BreakDown::Site) => producer::site_name(atom.producer)?,
            Some(BreakDown::Module) if modules => producer::module(atom.producer, &mut names())?,
            by => by.map_or(Name::NONE, |by| by.name_of(info)),
        };
        self.bands.fill(name.0 as usize + 1, 0)?;
        if self.bands[name.0 as usize] == 0 {
            let names = names();
            let text = if name.is_none() { UNREACHED.as_bytes() } else { names.text(name) };
            batch.band(own, text)?;
            self.band_count += 1;
            self.bands[name.0 as usize] = self.band_count;
        }
        Ok(self.bands[name.0 as usize])
    }
}

/// What is written before the samples of every file.
pub struct Heading<'a> {
    pub date: &'a [u8],
    pub sample_unit: &'a [u8],
    pub value_unit: &'a [u8],
}

pub struct Running {
    ledger: Biography,
    atoms: Atoms,
    columns: List<Column>,
    /// What all columns show.
    restrictions: Restrictions,
    with_threads: bool,
    batch: Batch,
    journal: Growing,
    /// Some column groups by producer.
    with_producers: bool,
    /// Modules are those of producers.
    module_of_producer: bool,
    /// The first failure inside a collection, where nothing can be done about it.
    refused: Option<Failure>,
    /// Some column groups by retainer set, or shows only some sets: objects are counted when their sets are known.
    by_set: bool,
    /// Nothing is known of objects without a stamp: the profile has just begun.
    beginning: bool,
}

impl Running {
    /// Opens the journal and writes what every batch relies on.
    pub fn open(
        name: FileName,
        heading: &Heading<'_>,
        columns: List<Column>,
        restrictions: Restrictions,
        with_threads: bool,
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
            columns,
            restrictions,
            with_threads,
            batch,
            journal: Growing::create_readable(name)?,
            with_producers: false,
            module_of_producer: false,
            refused: None,
            by_set,
            beginning: true,
        })?;
        let Running { batch, journal, .. } = &mut *running;
        journal.append(batch.sealed())?;
        Ok(running)
    }

    /// Before the first census: producers are noted, and perhaps modules are theirs. `chosen` is what a column without
    /// a break-down of its own shows.
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

    /// In a collection, of an object that is at `to` now: carries its word along, with a stamp if it had none.
    ///
    /// # Safety
    /// Both are places of objects of the heap.
    #[inline(always)]
    pub unsafe fn stamp(&self, from: Addr, to: Addr) -> Word {
        // SAFETY: the caller's promise.
        unsafe {
            let word = Word(side::biography(from));
            let new = match word {
                Word::NONE if self.beginning => Word::before(self.ledger.era()),
                Word::NONE => Word::created(self.ledger.era()),
                _ if from == to => return word,
                _ => word,
            };
            side::set_biography(to, new.0);
            new
        }
    }

    /// In a census: the object lives.
    ///
    /// # Safety
    /// `object` is a well-formed object of the heap, with `words` words.
    #[inline(always)]
    pub unsafe fn count(&mut self, object: Addr, words: usize, word: Word) {
        // SAFETY: the caller's promise.
        let (info, producer) = unsafe { (info_of(object.load()), self.producer(object)) };
        let atom = match self.atoms.number(Atom { info: info.number(), producer, set: 0 }) {
            Ok(atom) => atom,
            Err(failure) => {
                self.refused.get_or_insert(failure);
                return;
            }
        };
        let bytes = (words * WORD_BYTES) as u64;
        if info.is_inherently_used() {
            self.ledger.seen_inherent(atom, bytes);
        } else {
            self.ledger.seen(0, atom, word, bytes);
        }
    }

    /// In a census, after the collection: the object lives, and is held by this set. Gives its holder, which belongs into
    /// its cell; `past` is what the cell had.
    ///
    /// # Safety
    /// As for `count`.
    pub unsafe fn count_in_set(&mut self, object: Addr, words: usize, past: u32, set: SetId) -> u32 {
        // SAFETY: the caller's promise.
        let (info, producer, word) =
            unsafe { (info_of(object.load()), self.producer(object), Word(side::biography(object))) };
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
    /// As for `stamp`.
    #[inline(always)]
    unsafe fn producer(&self, object: Addr) -> u32 {
        // SAFETY: the caller's promise.
        if self.with_producers { unsafe { side::number(Table::Producer, object) } } else { 0 }
    }

    /// Who was found to hold the object at the last census; 0 for nobody.
    ///
    /// # Safety
    /// As for `stamp`.
    unsafe fn holder(&self, object: Addr, info: &Info) -> u32 {
        if self.by_set {
            // SAFETY: the caller's promise.
            return unsafe { side::number(Table::Cell, object) };
        }
        // SAFETY: the caller's promise.
        self.atoms.find(Atom { info: info.number(), producer: unsafe { self.producer(object) }, set: 0 })
    }

    /// The census has counted: what it found goes into the journal, and the next era begins. `sets` says of a retainer
    /// set whether it counts, and its name.
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
        if let Some(failure) = self.refused {
            return Err(failure);
        }
        let mut bands: List<u32> = List::new();
        while let Some(atom) = self.atoms.next_new() {
            let info = info::get(atom.info);
            bands.clear();
            // What cannot be named has none of the names.
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

    fn end(&mut self, seconds: f64) -> Outcome<()> {
        self.batch.begin()?;
        self.ledger.end(&mut self.batch)?;
        self.batch.end(seconds)?;
        self.journal.append(self.batch.sealed())
    }

    /// A mark of the client, between two censuses.
    pub fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.batch.begin()?;
        self.batch.mark(seconds)?;
        self.journal.append(self.batch.sealed())
    }

    /// The journal so far.
    pub fn read(&self) -> Outcome<List<u8>> {
        self.journal.read()
    }

    /// The names in restrictions that nothing had, each with its letter.
    pub fn unmet(&self) -> impl Iterator<Item = (char, Name)> {
        self.restrictions.unmet()
    }

    pub fn journal_name(&self) -> &FileName {
        self.journal.name()
    }

    /// The samples are where they belong, so the journal goes.
    pub fn remove(self) {
        self.journal.remove();
    }
}

impl Runtime {
    /// Begins a biography. What lives already has an unknown past: a collection of everything marks it so.
    pub fn begin_biography(&mut self, mutator: *mut Mutator, running: Box<Running>) -> Outcome<()> {
        if self.biography.is_some() {
            return Err(Failure::state(format_args!("a biography of this heap is being taken already")));
        }
        self.forget_shown_lives();
        self.store.turn_side_table_on(Table::Biography)?;
        if running.by_set
            && let Err(failure) = self.store.turn_side_table_on(Table::Cell)
        {
            self.store.turn_side_table_off(Table::Biography);
            return Err(failure);
        }
        self.biography = Some(running);
        if mutator.is_null() {
            // A heap that was just made has nothing in it.
            if let Some(running) = &mut self.biography {
                running.beginning = false;
            }
            self.show_era();
            return Ok(());
        }
        // Without it, what is old and was not met would count as made later.
        let marked = self.collect_for(mutator, Reason::Major);
        let is_marked = self.biography.as_ref().is_some_and(|running| !running.beginning);
        if !is_marked {
            if let Some(running) = self.drop_biography() {
                running.remove();
            }
            marked?;
            return Err(Failure::no_memory(format_args!(
                "there is no room to collect everything, so a biography cannot begin"
            )));
        }
        Ok(())
    }

    /// A collection has ended. `counted`: it was a census.
    pub fn biography_after_collection(&mut self, major: bool, counted: bool) {
        let seconds = self.census.began_ns as f64 / 1e9;
        let Some(running) = &mut self.biography else { return };
        let mut outcome = Ok(());
        if major {
            running.beginning = false;
        }
        if counted && !running.by_set {
            outcome = running.end_census(seconds, &mut |_| Ok((true, Name::NONE)));
        }
        let side = &mut self.store.blocks.megablocks.side;
        let starved = side.take_starved_of(Table::Biography);
        if starved || (running.by_set && side.take_starved_of(Table::Cell)) {
            outcome = Err(Failure::no_memory(format_args!("no memory for the side tables of a profile")));
        }
        match outcome {
            Ok(()) => self.show_era(),
            Err(failure) => self.abandon_biography(&failure),
        }
    }

    /// The windows say that a biography is taken, and in which era.
    pub fn show_era(&mut self) {
        let era =
            self.biography.as_ref().filter(|running| !running.beginning).map_or(0, |running| running.era());
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            let mutator = unsafe { &mut *mutator };
            mutator.window.era = era;
            mutator.window.side[Table::Biography as usize] =
                if era == 0 { 0 } else { Table::Biography.header_offset() };
            self.show_tables(mutator);
        }
    }

    fn drop_biography(&mut self) -> Option<Box<Running>> {
        let running = self.biography.take();
        self.store.turn_side_table_off(Table::Biography);
        if running.as_ref().is_some_and(|running| running.by_set) {
            self.store.turn_side_table_off(Table::Cell);
        }
        self.show_era();
        running
    }

    /// The journal is another process's: nothing is written any more, and nothing said.
    pub fn end_biography_quietly(&mut self) {
        drop(self.drop_biography());
    }

    /// The biography cannot go on, the program can. The journal stays as far as it is whole.
    pub fn abandon_biography(&mut self, failure: &Failure) {
        if self.biography.is_some() {
            self.abandon_with("the biographical profile ends here", failure);
        }
    }

    /// One message for a failure, with where the journal is, if there is one.
    pub fn abandon_with(&mut self, what: &str, failure: &Failure) {
        let running = self.drop_biography();
        let cause = failure.sentence;
        output::write_standard_error(&mut |out| match &running {
            Some(running) => {
                writeln!(out, "barrow: {what}: {cause}; {} has what there is", running.journal_name())
            }
            None => writeln!(out, "barrow: {what}: {cause}"),
        });
    }

    /// Ends the biography: everything is taken to die now. Gives what its files are made from.
    pub fn end_biography(&mut self, seconds: f64) -> Option<Box<Running>> {
        let mut running = self.drop_biography()?;
        match running.end(seconds) {
            Ok(()) => Some(running),
            Err(failure) => {
                self.biography = Some(running);
                self.abandon_biography(&failure);
                None
            }
        }
    }

    /// An object is used: out of line part, once for each object and era.
    pub fn used(&mut self, object: Addr) {
        let Some(info) = self.living_info(object) else { return };
        let Some(running) = self.biography.as_mut().filter(|running| !running.beginning) else { return };
        let era = running.era();
        loop {
            // SAFETY: an object of the heap lies there.
            let old = Word(unsafe { side::biography(object) });
            let new = old.used(era);
            if new == old {
                return;
            }
            // Of several threads that use it at once, the winner books.
            // SAFETY: as above.
            if unsafe { side::exchange_biography(object, old.0, new.0) } {
                if !info.is_inherently_used() && old != Word::NONE {
                    // SAFETY: as above.
                    let (holder, words) =
                        unsafe { (running.holder(object, info), self.store.model.size(object, info)) };
                    running.ledger.used(holder, old, (words * WORD_BYTES) as u64);
                }
                return;
            }
            // SAFETY: as above.
            if unsafe { side::biography(object) } == old.0 {
                // Its megablock got no table: the profile ends with the next collection.
                return;
            }
        }
    }

    /// The info table of an object of this heap; none for anything else, statics and what is not filled included.
    fn living_info<'a>(&self, object: Addr) -> Option<&'a Info> {
        self.object_code(object).ok()?;
        // SAFETY: a word of the heap, which holds a header if the caller says that an object is there.
        let header = unsafe { object.load() };
        (header > 7).then(|| info_of(header))
    }

    /// An object is about to be changed in place: to a biography it dies.
    pub fn biography_dead(&mut self, object: Addr, words: usize) {
        let Some(info) = self.living_info(object) else { return };
        let Some(running) = &mut self.biography else { return };
        if !info.is_inherently_used() {
            // SAFETY: an object of the heap lies there.
            let (word, holder) = unsafe { (Word(side::biography(object)), running.holder(object, info)) };
            running.ledger.dead(holder, word, (words * WORD_BYTES) as u64);
        }
    }

    /// A new object is where another was.
    pub fn biography_created(&mut self, object: Addr) {
        let word = match &self.biography {
            Some(running) if !running.beginning => Word::created(running.era()),
            _ => Word::NONE,
        };
        // SAFETY: an object of the heap lies there, or will.
        unsafe {
            side::set_biography(object, word.0);
            side::set_number(Table::Cell, object, 0);
        }
    }

    /// `LDV_recordDead`, with the size that the client believes the object to have.
    pub fn record_dead(&mut self, object: Addr, words: usize) -> Outcome<()> {
        let Some((info, actual)) = self.recorded(object)? else { return Ok(()) };
        if actual != words {
            return Err(Failure::argument(format_args!(
                "the object at {object} ({}) has {actual} words, and dies with {words}",
                info.name()
            )));
        }
        self.biography_dead(object, actual);
        self.biography_created(object);
        Ok(())
    }

    /// The same for an object that becomes one of two words; the rest is cleared.
    pub fn record_dead_fill_slop(&mut self, object: Addr) -> Outcome<()> {
        let Some((_, words)) = self.recorded(object)? else { return Ok(()) };
        self.biography_dead(object, words);
        self.biography_created(object);
        for i in MIN_OBJECT_WORDS..words {
            // SAFETY: these words belong to the object.
            unsafe { object.plus_words(i).store(0) };
        }
        Ok(())
    }

    /// An object of this heap, and its size; nothing for statics and objects elsewhere.
    fn recorded<'a>(&self, object: Addr) -> Outcome<Option<(&'a Info, usize)>> {
        if object.is_null() || !object.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!("{object} is no object")));
        }
        let Some(info) = self.living_info(object) else { return Ok(None) };
        // SAFETY: the client says that an object with this header lies there.
        Ok(Some((info, unsafe { self.store.model.size(object, info) })))
    }

    /// The biography word of an object of this heap, if there is one.
    pub fn biography_word(&self, object: Addr) -> *mut usize {
        if self.object_code(object).is_err() {
            return std::ptr::null_mut();
        }
        // SAFETY: the address lies in a block of objects.
        unsafe { side::biography_entry(object) }.map_or(std::ptr::null_mut(), |at| at.as_ptr())
    }
}
