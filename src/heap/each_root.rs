//! Every root that the heap itself knows of a mutator: frames, LLVM's chain, native stacks, registered ranges, handles and
//! stable pointers, the running stack, finalizers that wait. What only the client knows, its callback tells.

use super::model::SlotSink;
use super::root::{check_frames, visit_frames, visit_llvm_frames};
use super::{Mutator, Store};
use crate::base::{Addr, Outcome};

/// Hands every root to `sink`, each kind under a name. Nothing moves meanwhile, so roots that are values of the heap's own
/// are handed over as copies. Refuses a broken chain of frames.
pub fn each_root<S: SlotSink>(store: &Store, mutator: &mut Mutator, sink: &mut S) -> Outcome<()> {
    sink.name(c"shadow stack".as_ptr());
    // SAFETY: the frames are what the ABI asks the client to keep.
    unsafe {
        check_frames(mutator.window.frames)?;
        visit_frames(mutator.window.frames, sink);
        if !mutator.llvm_chain.is_null() {
            visit_llvm_frames(*mutator.llvm_chain, sink)?;
        }
    }
    sink.name(c"native stack".as_ptr());
    mutator.native.find(&store.stack_maps)?;
    mutator.native.visit(&store.stack_maps, sink);
    for root in store.registered.iter() {
        root.visit(sink);
    }
    sink.name(c"handles".as_ptr());
    store.stable.visit_all(sink);
    sink.name(c"the running stack".as_ptr());
    let mut stack = Addr(mutator.window.stack as usize);
    sink.pointer(Addr(&raw mut stack as usize));
    sink.name(c"finalizers".as_ptr());
    for mut head in [store.weaks.due, store.weaks.arrived] {
        sink.pointer(Addr(&raw mut head as usize));
    }
    sink.name(std::ptr::null());
    Ok(())
}
