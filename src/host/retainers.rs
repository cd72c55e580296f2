//! The retainers of one heap: the scheme that says which objects are retainers, and the walk after a major
//! collection.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::lazy::CAF_VALUE;
use crate::heap::object::model::{SlotSink, info_of};
use crate::heap::root::each::each_root;
use crate::heap::root::frame::{Frame, Visitor};
use crate::heap::space::side::{self, Table};
use crate::host::Host;
use crate::identity::cost_centre::{self, SPECIAL_CENTRES};
use crate::profile::retainer::scheme::{CensusScheme, Filter, Retainers};
use crate::profile::retainer::walk::Pasts;
use crate::profile::retainer::{Retainer, Scheme, SetId, Walk};
use crate::runtime::collect::Reason;

impl Host {
    /// Whether retainers are named by the stacks that made them. In programs without cost centres, and while
    /// a space profile has its own numbers in the table of producers, they are named by their info tables.
    pub fn names_retainers_by_producer(&self) -> bool {
        self.profilers.heap.notes_producers && cost_centre::count() > SPECIAL_CENTRES
    }

    /// The verdict of the scheme in force on an object of this heap: whether it is a retainer, its name as
    /// one, and its cost.
    pub fn as_retainer(&self, object: Addr) -> Outcome<(bool, Retainer, u64)> {
        self.object_code(object)?;
        let by_producer = self.names_retainers_by_producer();
        let codes = self.store.codes;
        let mark = self.profilers.retainers.mark;
        let scheme = CensusScheme {
            scheme: &self.profilers.retainers.scheme,
            mark,
            by_producer,
            codes,
            filter: None,
            with_threads: true,
        };
        // SAFETY: the client says that a whole object of the heap lies there.
        let (info, words) = unsafe {
            let info = info_of(object.load());
            (info, mark.words_of(&self.store.model, object, info))
        };
        let cost = scheme.cost(object, info, words).unwrap_or(0);
        Ok((scheme.is_retainer(object, info), scheme.identity(object, info), cost))
    }

    /// The set of one object: who holds it, by a walk over the whole heap after a collection of everything. The object is kept
    /// by the call, and counts as held by nobody for that. `object` says where it is afterwards, also when the call fails.
    pub(crate) fn set_of_object(&mut self, mutator: *mut Mutator, object: &mut Addr) -> Outcome<SetId> {
        self.refuse_while_busy()?;
        self.object_code(*object)?;
        self.refuse_beside_sets()?;
        self.collect_keeping(mutator, object)?;
        // Another mutator may have begun a biography while this one waited.
        planted!(494, (), self.refuse_beside_sets()?);
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let mut none = None;
        let mut get_roots = self.hooks.roots_of_stop(m, &mut none);
        let had_cells = self.store.side_table_is_on(Table::Cell);
        if !had_cells {
            self.store.turn_side_table_on(Table::Cell)?;
        }
        // The report of a profile by retainers has its own censuses alone, and only these meet the names that it is restricted to. Sets
        // that are new keep their numbers.
        let by = self.profilers.heap.profile.as_mut().and_then(|profile| profile.by_retainer.take());
        let filter = planted!(611, by.as_ref().and_then(|by| by.filter.as_ref()), None);
        let last = match &by {
            Some(_) => planted!(631, Ok(None), self.profilers.retainers.put_aside().map(Some)),
            None => Ok(None),
        };
        let found = last.and_then(|last| {
            self.busy.set(true);
            let found = self.find_retainers(m, &mut get_roots, filter, false);
            self.busy.set(false);
            if let Some(last) = last {
                self.profilers.retainers.take_back(last);
            }
            found
        });
        if let Some(profile) = &mut self.profilers.heap.profile {
            profile.by_retainer = by;
        }
        // SAFETY: the object was just kept, and cells are on.
        let set = SetId(unsafe { side::number(Table::Cell, *object) });
        if !had_cells {
            self.store.turn_side_table_off(Table::Cell);
        }
        found?;
        Ok(set)
    }

    fn refuse_beside_sets(&self) -> Outcome<()> {
        if self.profilers.lives.running.as_ref().is_some_and(|running| running.groups_by_set()) {
            return Err(Failure::state(format_args!(
                "a biography by retainers runs, which has its numbers where sets are found: stop it first"
            )));
        }
        Ok(())
    }

    /// Collects everything, with one more root. `object` says where the root's object is then, also when this collection fails, as
    /// another mutator may have collected before it.
    fn collect_keeping(&mut self, mutator: *mut Mutator, object: &mut Addr) -> Outcome<()> {
        #[repr(C)]
        struct Kept {
            frame: Frame,
            object: Addr,
        }
        let mut kept = Kept { frame: Frame { up: std::ptr::null_mut(), count: 1 }, object: *object };
        let at = &raw mut kept;
        // SAFETY: the mutator is live, and only its own thread calls this. The collector writes to the frame, so it is only
        // touched through its address.
        unsafe {
            let frames = &raw mut (*mutator).window.frames;
            (*at).frame.up = frames.replace(&raw mut (*at).frame);
            (*mutator).kept = &raw mut (*at).frame;
            let collected = self.collect_for(mutator, Reason::Whole);
            (*mutator).kept = std::ptr::null_mut();
            frames.write((*at).frame.up);
            planted!(
                496,
                if collected.is_ok() && self.refuse_beside_sets().is_ok() {
                    *object = (*at).object
                },
                *object = (*at).object
            );
            collected
        }
    }

    /// Finds the retainers of all live objects. Called directly after a major collection, with cells on. The
    /// cells have the sets afterwards, together with the numbers that biographies had there, if any.
    pub fn find_retainers(
        &mut self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
        filter: Option<&Filter>,
        has_pasts: bool,
    ) -> Outcome<Pasts> {
        if has_pasts {
            self.walk_from_roots::<true>(mutator, get_roots, filter)
        } else {
            self.walk_from_roots::<false>(mutator, get_roots, filter)
        }
    }

    fn walk_from_roots<const PASTS: bool>(
        &mut self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
        filter: Option<&Filter>,
    ) -> Outcome<Pasts> {
        let by_producer = self.names_retainers_by_producer();
        self.profilers.retainers.make_sets()?;
        let Retainers { sets, held, scheme, mark, with_threads, .. } = &mut self.profilers.retainers;
        let (mark, with_threads, codes) = (*mark, *with_threads, self.runtime.store.codes);
        let scheme = &CensusScheme { scheme, mark, by_producer, codes, filter, with_threads };
        let Some(sets) = sets else { return Ok(Pasts::default()) };
        sets.refresh();
        held.clear();
        let mut walk = Walk::<_, PASTS>::new(&self.runtime.store, sets, held, scheme);
        // Objects that calls keep while they look for their sets are held by nobody for that.
        mutator.each(|one| show_kept(one, 0));
        let rooted = each_root(&self.runtime.store, mutator, &mut walk);
        mutator.each(|one| show_kept(one, 1));
        rooted?;
        walk.roots_of(b"roots");
        get_roots(&mut Visitor::new(&mut walk));
        walk.roots_of(b"CAFs");
        for caf in self.runtime.store.statics.cafs.iter().filter(|caf| caf.keep) {
            walk.pointer(caf.at.plus_words(CAF_VALUE));
        }
        for list in self.runtime.store.weaks.lists {
            list.iter().for_each(|weak| walk.root_object(weak.0));
        }
        let (figures, pasts) = walk.end()?;
        self.profilers.retainers.cost = sets.settle();
        self.profilers.retainers.figures = figures;
        self.profilers.retainers.taken += 1;
        Ok(pasts)
    }
}

/// Gives the frame in which a mutator's call keeps an object so many values.
fn show_kept(mutator: &Mutator, values: usize) {
    // SAFETY: the frame lives while it is noted, and its thread is here or stands.
    if let Some(frame) = unsafe { mutator.kept.as_mut() } {
        frame.count = values;
    }
}
