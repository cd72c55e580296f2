//! Unloading of code: every reference to a module's data is looked for before the module goes.

use crate::base::{Failure, Outcome};
use crate::gc::objects::Objects;
use crate::heap::Mutator;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::host::Host;
use crate::identity::{cost_centre, function, info, site};
use crate::runtime::collect::Reason;
use crate::runtime::module::{Range, refuse_frame_tables, refuse_function, refuse_parts, refuse_use_by};

impl Host {
    /// Collects everything, and refuses when an object, a frame of any thread or a hook still needs the module; else its
    /// registered roots are dropped. Other threads are still.
    pub(crate) fn unregister_module(&mut self, mutator: *mut Mutator, range: Range) -> Outcome<()> {
        if range.base.is_null() || range.bytes == 0 || range.base.0.checked_add(range.bytes).is_none() {
            return Err(Failure::argument(format_args!(
                "a module of {} bytes at {} has no addresses",
                range.bytes, range.base
            )));
        }
        self.refuse_hooks_in(range)?;
        self.profilers.space.refuse_profiled_code(range.base.0, range.bytes)?;
        if self.profilers.retainers.scheme.has_function(|at| range.has(at)) {
            return Err(Failure::state(format_args!("a function of barrow_retainers_by lies in the module")));
        }
        // The module's CAFs are no roots during the search for references to it.
        self.keep_cafs_in(mutator, range, false);
        let outcome = self.refuse_what_lives_in(mutator, range);
        if outcome.is_err() {
            self.keep_cafs_in(mutator, range, true);
            return outcome;
        }
        for mutator in self.mutators.iter_mut() {
            mutator.forget_sites(|at| range.has(at));
        }
        site::forget(range.base, range.bytes)?;
        planted!(680, (), self.store.names.forget(|at| range.has(at.0)));
        self.store.aside.forget_objects();
        self.store.registered.retain(|root| !range.has(root.first.0));
        self.store.stack_maps.forget_code(|at| range.has(at));
        info::forget(range.base, range.bytes);
        cost_centre::forget(range.base, range.bytes);
        function::forget(range.base, range.bytes);
        let owner = self.statics_owner();
        self.store.statics.remove(range.base.0, range.base.0 + range.bytes, owner);
        Ok(())
    }

    fn refuse_what_lives_in(&mut self, mutator: *mut Mutator, range: Range) -> Outcome<()> {
        self.collect_for(mutator, Reason::Major)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let maps = &self.store.stack_maps;
        planted!(
            586,
            refuse_use_by(m, maps, range),
            m.try_each(|mutator| refuse_use_by(mutator, maps, range))
        )?;
        for object in self.busy.mark().during(|| Objects::find(&self.store, m))?.starts.iter() {
            // SAFETY: the walk found a well-formed object here.
            let header = unsafe { object.load() };
            if range.has(header & !HEADER_BITS) {
                return Err(Failure::state(format_args!(
                    "the object at {object} ({}) is alive, and its info table lies in the module",
                    info_of(header).name()
                )));
            }
            refuse_parts(info_of(header), object, range)?;
            refuse_function(object, header, range)?;
            refuse_frame_tables(object, header, range)?;
        }
        if self.store.statics.is_empty() {
            return Ok(());
        }
        self.busy.set(true);
        let outcome = self.refuse_users_of_statics(m, range);
        self.busy.set(false);
        outcome?;
        match self.store.statics.cafs.iter().find(|caf| range.has(caf.at.0)) {
            None => Ok(()),
            Some(caf) => Err(Failure::state(format_args!(
                "the CAF at {} is entered, and there was no memory for the collection that would show whether it lives",
                caf.at
            ))),
        }
    }
}
