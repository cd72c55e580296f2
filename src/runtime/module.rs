//! Code that goes: nothing of the heap may refer to a module's data when it is unloaded.

use super::collect::Reason;
use super::costs::stack_of;
use super::heap::Runtime;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::gc::sanity::Objects;
use crate::heap::model::{HEADER_BITS, info_of};
use crate::heap::stack::Stack;
use crate::heap::weak::Weak;
use crate::heap::{Info, Kind, Mutator};
use crate::identity::ccs::names_data_in;
use crate::identity::{cost_centre, function, site};

/// The addresses of a module.
#[derive(Clone, Copy)]
pub struct Range {
    pub base: Addr,
    pub bytes: usize,
}

impl Range {
    pub fn has(&self, at: usize) -> bool {
        at.wrapping_sub(self.base.0) < self.bytes
    }
}

impl Runtime {
    /// Collects everything, and refuses when an object, a frame or a hook still needs the module; else its
    /// registered roots are dropped.
    pub fn unregister_module(&mut self, mutator: *mut Mutator, range: Range) -> Outcome<()> {
        if range.base.is_null() || range.bytes == 0 || range.base.0.checked_add(range.bytes).is_none() {
            return Err(Failure::argument(format_args!(
                "a module of {} bytes at {} has no addresses",
                range.bytes, range.base
            )));
        }
        self.refuse_hooks_in(range)?;
        self.refuse_profiled_code(range.base.0, range.bytes)?;
        // Its CAFs are no roots while it is seen whether anything needs them.
        self.keep_cafs_in(mutator, range, false);
        let outcome = self.refuse_what_lives_in(mutator, range);
        if outcome.is_err() {
            self.keep_cafs_in(mutator, range, true);
            return outcome;
        }
        site::forget(range.base, range.bytes)?;
        self.store.registered.retain_mut(|root| !range.has(root.first.0));
        self.store.stack_maps.forget_code(|at| range.has(at));
        cost_centre::forget(range.base, range.bytes);
        function::forget(range.base, range.bytes);
        let owner = self.statics_owner();
        self.store.statics.remove(range.base.0, range.base.0 + range.bytes, owner);
        Ok(())
    }

    /// CAFs in a range that is registered as kept are roots, or not; in case no full collection runs, their values
    /// are remembered.
    fn keep_cafs_in(&mut self, mutator: *mut Mutator, range: Range, keep: bool) {
        for index in 0..self.store.statics.cafs.len() {
            let at = self.store.statics.cafs[index].at;
            if range.has(at.0) && self.store.statics.find(at).is_some_and(|registered| registered.keep) {
                self.store.statics.cafs[index].keep = keep;
                self.remember_static(mutator, at);
            }
        }
    }

    fn refuse_what_lives_in(&mut self, mutator: *mut Mutator, range: Range) -> Outcome<()> {
        self.collect_for(mutator, Reason::Major)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        refuse_frames_in(m, range)?;
        m.native.refuse_returns_into(&self.store.stack_maps, |at| range.has(at))?;
        refuse_stack_in(m, range)?;
        for &object in self.busy.mark().during(|| Objects::find(&self.store, m))?.starts.iter() {
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

    fn refuse_hooks_in(&self, range: Range) -> Outcome<()> {
        let hooks = &self.hooks;
        let addresses = [
            ("roots", hooks.roots.map(|f| f as usize)),
            ("overflow", hooks.overflow.map(|f| f as usize)),
            ("finalizers_ready", hooks.finalizers_ready.map(|f| f as usize)),
            ("fatal", hooks.fatal.map(|f| f as usize)),
            ("event", hooks.event.map(|f| f as usize)),
        ];
        match addresses.iter().find(|(_, at)| at.is_some_and(|at| range.has(at))) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Failure::state(format_args!("the heap's {name} callback lies in the module")))
            }
        }
    }
}

/// A table outside the module may still point into it.
fn refuse_parts(info: &Info, object: Addr, range: Range) -> Outcome<()> {
    let parts = [info.large as usize, info.custom as usize, info.srt as usize, info.names as usize];
    match parts.iter().find(|&&at| range.has(at)) {
        None => Ok(()),
        Some(at) => Err(Failure::state(format_args!(
            "the object at {object} ({}) is alive, and its info table refers to {at:#x} in the module",
            info.name()
        ))),
    }
}

/// Somebody will return to the frames of a stack.
fn refuse_frame_tables(object: Addr, header: usize, range: Range) -> Outcome<()> {
    if info_of(header).kind != Kind::Stack as u8 {
        return Ok(());
    }
    for (frame, info) in Stack(object).frames() {
        // SAFETY: a frame begins with the address of its table.
        if range.has(unsafe { frame.load() }) {
            return Err(Failure::state(format_args!(
                "the stack at {object} has a frame ({}) of which the info table lies in the module",
                info.name()
            )));
        }
        refuse_parts(info, frame, range)?;
    }
    Ok(())
}

/// The function of a weak pointer will be called.
fn refuse_function(object: Addr, header: usize, range: Range) -> Outcome<()> {
    if Weak::state_of(header).is_none() {
        return Ok(());
    }
    match Weak(object).finalizer().function {
        Some(function) if range.has(function as usize) => Err(Failure::state(format_args!(
            "the function of the weak pointer at {object} lies in the module"
        ))),
        _ => Ok(()),
    }
}

/// Code of the module is running when one of its cost centres is entered.
fn refuse_stack_in(mutator: &Mutator, range: Range) -> Outcome<()> {
    match names_data_in(stack_of(mutator), range.base, range.bytes) {
        None => Ok(()),
        Some(centre) => Err(Failure::state(format_args!(
            "the cost centre {} of the module is in the current stack",
            cost_centre::as_text(centre.label)
        ))),
    }
}

fn refuse_frames_in(mutator: &Mutator, range: Range) -> Outcome<()> {
    let mut frame = mutator.window.frames;
    while !frame.is_null() {
        if range.has(frame as usize) {
            return Err(Failure::state(format_args!(
                "the shadow-stack frame at {frame:?} lies in the module"
            )));
        }
        // SAFETY: the collection that has just run has checked the frames.
        frame = unsafe { (*frame).up };
    }
    let chain = mutator.llvm_chain as usize;
    if chain != 0 && (range.has(chain) || range.has(chain + WORD_BYTES - 1)) {
        return Err(Failure::state(format_args!("the attached chain of LLVM's frames begins in the module")));
    }
    Ok(())
}

impl Runtime {
    /// Forgets one section of stack maps, whose code no frame may need.
    pub fn unregister_stack_maps(&mut self, mutator: *mut Mutator, start: usize) -> Outcome<()> {
        let maps = &mut self.store.stack_maps;
        if !maps.has_section(start) {
            return Err(Failure::argument(format_args!("no stack maps are registered from {start:#x}")));
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        m.native.find(maps)?;
        let gone = |at| maps.find(at).is_some_and(|(_, site)| site.is_of(start));
        m.native.refuse_returns_into(maps, gone)?;
        maps.forget_section(start);
        Ok(())
    }
}
