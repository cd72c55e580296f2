//! Every root that the heap itself knows of its mutators: frames, LLVM's chain, native stacks, registered ranges, handles
//! and stable pointers, the running stack, finalizers that wait. The client's callback tells the rest.

use crate::base::{Addr, Outcome};
use crate::heap::object::slots::SlotSink;
use crate::heap::root::frame::{check_any_frames, visit_any_llvm_frames, visit_frames};
use crate::heap::{Mutator, Store};
use crate::os::debugger::Readable;

/// Hands every root to `sink`, each kind under a name. Nothing moves meanwhile, so roots that are values of the heap's own
/// are handed over as copies. Refuses a broken chain of frames, and roots that lie where nothing can be read.
pub(crate) fn each_root<S: SlotSink>(store: &Store, mutator: &mut Mutator, sink: &mut S) -> Outcome<()> {
    let mut readable = Readable::new();
    mutator.try_each(|mutator| {
        sink.name(c"shadow stack".as_ptr());
        check_any_frames(mutator.window.frames, &mut readable)?;
        // SAFETY: the frames were checked.
        unsafe { visit_frames(mutator.window.frames, sink) };
        if !mutator.llvm_chain.is_null() {
            visit_any_llvm_frames(mutator.llvm_chain, sink, &mut readable)?;
        }
        sink.name(c"native stack".as_ptr());
        mutator.native.find(&store.stack_maps)?;
        mutator.native.visit(&store.stack_maps, sink);
        Ok(())
    })?;
    store.registered.check(&mut readable)?;
    store.registered.visit(sink);
    sink.name(c"handles".as_ptr());
    store.stable.visit_all(sink);
    sink.name(c"the running stack".as_ptr());
    mutator.each(|mutator| {
        let mut stack = Addr(mutator.window.stack as usize);
        sink.pointer(Addr(&raw mut stack as usize));
    });
    sink.name(c"finalizers".as_ptr());
    for mut head in [store.weaks.due, store.weaks.arrived] {
        sink.pointer(Addr(&raw mut head as usize));
    }
    sink.name(std::ptr::null());
    Ok(())
}
