//! Changing roots of every sort.

use super::graph::Word;
use super::kinds::Role;
use super::machine::{Machine, Step, done, last_error};
use super::program::Op;
use super::random::Random;
use super::roots::{HandleRoot, MOST_ROOTS, Range, StableRoot};
use crate::ffi::root::*;
use crate::ffi::stable::*;
use std::ffi::c_void;

impl Machine<'_> {
    pub(super) fn change_roots(&mut self, op: Op) -> Step {
        match op {
            Op::PushFrame { count, tagged } => {
                let count = count as usize % (MOST_ROOTS + 1);
                // SAFETY: the frame lives until it is popped.
                unsafe {
                    let up = (*self.m).window.frames;
                    (*self.m).window.frames = self.roots.push_frame(up, count, tagged);
                    done(barrow_check_frames(self.m), "check_frames")
                }
            }
            Op::PopFrames { count } => {
                let top = self.roots.pop_frames(count as usize);
                // SAFETY: as above.
                unsafe { (*self.m).window.frames = top };
                Ok(())
            }
            Op::AddRange { count, tagged } => {
                if self.roots.ranges.len() > 4 {
                    return Ok(());
                }
                let mut range = Range::new([0; MOST_ROOTS], count as usize % MOST_ROOTS + 1, tagged);
                let (first, count) = ((&raw mut *range.memory).cast::<c_void>(), range.words.len());
                // SAFETY: the range stays where it is until it is removed.
                let status = unsafe { barrow_root_add(self.heap, c"range".as_ptr(), first, count, tagged) };
                done(status, "root_add")?;
                self.roots.ranges.push(range);
                Ok(())
            }
            Op::RemoveRange { which } => {
                if self.roots.ranges.is_empty() {
                    return Ok(());
                }
                let index = which as usize % self.roots.ranges.len();
                let mut range = self.roots.ranges.swap_remove(index);
                // SAFETY: the heap is live.
                let status = unsafe { barrow_root_remove(self.heap, (&raw mut *range.memory).cast()) };
                done(status, "root_remove")
            }
            Op::PushLlvm { count } if self.roots.llvm.len() < 8 => {
                self.roots.push_llvm(count as usize % (MOST_ROOTS + 1));
                Ok(())
            }
            Op::PopLlvm => {
                self.roots.pop_llvm();
                Ok(())
            }
            Op::AttachLlvm { on } => self.attach_llvm(on),
            other => self.change_handles(other),
        }
    }

    pub(super) fn attach_llvm(&mut self, on: bool) -> Step {
        let chain = if on { (&raw mut *self.roots.llvm_head).cast() } else { std::ptr::null_mut() };
        if !self.roots.llvm_attached {
            // Unattached frames were not looked at by collections, so what they hold means nothing.
            for frame in &mut self.roots.llvm {
                frame.memory.values.fill(0);
                frame.words.fill(Word::NULL);
            }
        }
        self.roots.llvm_attached = on;
        // SAFETY: the chain lives as long as the machine.
        done(unsafe { barrow_attach_llvm_frames(self.m, chain) }, "attach_llvm_frames")
    }

    fn change_handles(&mut self, op: Op) -> Step {
        let object = |machine: &Machine, any: u16| match machine.graph.pick(any as usize) {
            Some(node) => {
                let word = Word::Ref { node, tag: any as u32 >> 13 };
                (word, machine.word(word, Role::Pointer, 0) as *mut c_void)
            }
            None => (Word::NULL, std::ptr::null_mut()),
        };
        match op {
            Op::NewHandle { object: any } if self.roots.handles.len() < 24 => {
                let (word, at) = object(self, any);
                let mut handle = std::ptr::null_mut();
                // SAFETY: the mutator is ours and the object alive: so for every call here.
                done(unsafe { barrow_handle_new(self.m, at, &mut handle) }, "handle_new")?;
                self.roots.handles.push(HandleRoot { handle, word });
            }
            Op::SetHandle { which, object: any } if !self.roots.handles.is_empty() => {
                let (word, at) = object(self, any);
                let index = which as usize % self.roots.handles.len();
                let root = &mut self.roots.handles[index];
                // SAFETY: as above.
                done(unsafe { barrow_handle_set(self.m, root.handle, at) }, "handle_set")?;
                root.word = word;
            }
            Op::FreeHandle { which } if !self.roots.handles.is_empty() => {
                let root = self.roots.handles.swap_remove(which as usize % self.roots.handles.len());
                // SAFETY: as above.
                done(unsafe { barrow_handle_free(self.m, root.handle) }, "handle_free")?;
            }
            Op::NewStable { object: any } if self.roots.stables.len() < 24 => {
                let (word, at) = object(self, any);
                // SAFETY: as above.
                let number = unsafe { barrow_stable_new(self.m, at) };
                if number == 0 {
                    return Err(format!("stable_new: {}", last_error()));
                }
                self.roots.stables.push(StableRoot { number, word });
            }
            Op::FreeStable { which } if !self.roots.stables.is_empty() => {
                let root = self.roots.stables.swap_remove(which as usize % self.roots.stables.len());
                // SAFETY: as above.
                done(unsafe { barrow_stable_free(self.m, root.number) }, "stable_free")?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets a root hold a node, or null.
    pub(super) fn set_root(&mut self, node: Option<u32>, random: &mut Random) {
        let chosen = random.below(self.roots.slot_count());
        let tag = random.bits() as u32;
        let word = node.map_or(Word::NULL, |node| Word::Ref { node, tag });
        let mut index = 0;
        let at = node.map_or(0, |node| self.graph.node(node).at);
        let rule = self.settings.rule;
        self.roots.each_slot(|slot, model, role| {
            if index == chosen {
                *model = word;
                let bits = match (node, role) {
                    (None, _) => 0,
                    (_, Role::Tagged) => rule.word(at, tag),
                    _ => at | (tag as usize & 7),
                };
                // SAFETY: roots of the model are writable.
                unsafe { slot.write(bits) };
            }
            index += 1;
        });
        self.roots.native.derive();
    }

    /// Clears one root in `share`.
    pub(super) fn clear_roots(&mut self, share: usize, random: &mut Random) {
        self.roots.each_slot(|slot, model, _| {
            if random.one_in(share) {
                *model = Word::NULL;
                // SAFETY: as above.
                unsafe { slot.write(0) };
            }
        });
        self.roots.native.derive();
    }
}
