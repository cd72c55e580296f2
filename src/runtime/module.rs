//! Code that goes: nothing of the heap may refer to a module's data when it is unloaded.

use super::collect::Reason;
use super::costs::stack_of;
use super::heap::Runtime;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::gc::sanity::Objects;
use crate::heap::model::{HEADER_BITS, info_of};
use crate::heap::{Info, Mutator};
use crate::identity::ccs::names_data_in;
use crate::identity::cost_centre;

/// The addresses of a module.
#[derive(Clone, Copy)]
pub struct Range {
    pub base: Addr,
    pub bytes: usize,
}

impl Range {
    fn has(&self, at: usize) -> bool {
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
        self.collect_for(mutator, Reason::Major)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        refuse_frames_in(m, range)?;
        refuse_stack_in(m, range)?;
        for &object in Objects::find(&self.store, m)?.starts.iter() {
            // SAFETY: the walk found a well-formed object here.
            let header = unsafe { object.load() };
            if range.has(header & !HEADER_BITS) {
                return Err(Failure::state(format_args!(
                    "the object at {object} ({}) is alive, and its info table lies in the module",
                    info_of(header).name()
                )));
            }
            refuse_parts(info_of(header), object, range)?;
        }
        self.store.registered.retain_mut(|root| !range.has(root.first.0));
        cost_centre::forget(range.base, range.bytes);
        Ok(())
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

/// Code of the module is running when one of its cost centres is entered.
fn refuse_stack_in(mutator: &Mutator, range: Range) -> Outcome<()> {
    match names_data_in(stack_of(mutator), range.base, range.bytes) {
        None => Ok(()),
        Some(centre) => Err(Failure::state(format_args!(
            "the cost centre {} of the module is in the current stack",
            centre.label
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
