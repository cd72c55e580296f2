//! Unloading of code: the heap must not refer to a module's data when it is unloaded.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome, Shown};
use crate::heap::mutator::current::stack_of;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::object::stack::Stack;
use crate::heap::object::weak::Weak;
use crate::heap::root::stack_map::StackMaps;
use crate::heap::{Info, Kind, Mutator};
use crate::identity::ccs::names_data_in;
use crate::runtime::Runtime;

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

/// Refuses an object whose info table is outside the module but refers to data in it.
pub(crate) fn refuse_parts(info: &Info, object: Addr, range: Range) -> Outcome<()> {
    let parts = [info.large as usize, info.custom as usize, info.srt as usize, info.names as usize];
    match parts.iter().find(|&&at| range.has(at)) {
        None => Ok(()),
        Some(at) => Err(Failure::state(format_args!(
            "the object at {object} ({}) is alive, and its info table refers to {at:#x} in the module",
            info.name()
        ))),
    }
}

/// Refuses a stack with frames of the module, to which code will return.
pub(crate) fn refuse_frame_tables(object: Addr, header: usize, range: Range) -> Outcome<()> {
    if !info_of(header).is(Kind::Stack) {
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

/// Refuses a weak pointer whose function lies in the module, since it will be called.
pub(crate) fn refuse_function(object: Addr, header: usize, range: Range) -> Outcome<()> {
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

/// Refuses what a mutator needs of the module, after a collection.
pub(crate) fn refuse_use_by(mutator: &mut Mutator, maps: &StackMaps, range: Range) -> Outcome<()> {
    if planted!(665, false, mutator.told.is_some_and(|(function, _)| range.has(function as usize))) {
        return Err(Failure::state(format_args!(
            "the thread waits to collect with roots from a function of the module (barrow_collect_with)"
        )));
    }
    refuse_frames_in(mutator, range)?;
    mutator.native.find(maps)?;
    mutator.native.refuse_returns_into(maps, |at| range.has(at))?;
    refuse_stack_in(mutator, range)
}

/// Refuses a stack of cost centres with one of the module: its code is running.
fn refuse_stack_in(mutator: &Mutator, range: Range) -> Outcome<()> {
    match names_data_in(stack_of(mutator), range.base, range.bytes) {
        None => Ok(()),
        Some(centre) => Err(Failure::state(format_args!(
            "the cost centre {} of the module is in the current stack",
            Shown::told(centre.label.to_bytes())
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
    /// Makes CAFs in a range that is registered as kept roots, or no roots; their values are remembered for
    /// the case that no full collection runs.
    pub(crate) fn keep_cafs_in(&mut self, mutator: *mut Mutator, range: Range, keep: bool) {
        for index in 0..self.store.statics.cafs.len() {
            let at = self.store.statics.cafs[index].at;
            if range.has(at.0) && self.store.statics.find(at).is_some_and(|registered| registered.keep) {
                self.store.statics.cafs[index].keep = keep;
                self.remember_static(mutator, at);
            }
        }
    }

    pub(crate) fn refuse_hooks_in(&self, range: Range) -> Outcome<()> {
        let hooks = &self.hooks;
        let addresses = [
            ("roots", hooks.roots.map(|f| f as usize)),
            ("overflow", hooks.overflow.map(|f| f as usize)),
            ("finalizers_ready", hooks.finalizers_ready.map(|f| f as usize)),
            ("fatal", hooks.fatal.map(|f| f as usize)),
            ("event", hooks.event.map(|f| f as usize)),
        ];
        if let Some((name, _)) = addresses.iter().find(|(_, at)| at.is_some_and(|at| range.has(at))) {
            return Err(Failure::state(format_args!("the heap's {name} callback lies in the module")));
        }
        let statics = self.store.statics.cafs.iter().filter(|caf| !range.has(caf.at.0));
        // SAFETY: an entered CAF is a static of the client's, and its first word is its header.
        let headers = statics.map(|caf| unsafe { caf.at.load() } & !HEADER_BITS);
        let named = self.store.tables.one_in(|at| range.has(at));
        match named.or_else(|| headers.map(Addr).find(|table| range.has(table.0))) {
            None => Ok(()),
            Some(table) => Err(Failure::state(format_args!(
                "the info table at {table}, which barrow_use_table named, lies in the module"
            ))),
        }
    }

    /// Forgets one section of stack maps, whose code no frame may need of the threads that are kept still.
    pub(crate) fn unregister_stack_maps(&mut self, mutator: *mut Mutator, start: usize) -> Outcome<()> {
        let maps = &mut self.store.stack_maps;
        if !maps.has_section(start) {
            return Err(Failure::argument(format_args!("no stack maps are registered from {start:#x}")));
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let gone = |at| maps.find(at).is_some_and(|(_, site)| site.is_of(start));
        m.try_each(|mutator| {
            mutator.native.find(maps)?;
            mutator.native.refuse_returns_into(maps, gone)
        })?;
        maps.forget_section(start);
        Ok(())
    }
}
