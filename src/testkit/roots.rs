//! Every sort of root, each with its word in the model.

use super::graph::Word;
use super::kinds::Role;
use super::misbehaving::{CALLS, refuses};
use super::native_frames::NativeFrames;
use crate::ffi::root::*;
use crate::heap::Mutator;
use crate::heap::root::frame::{FRAME_TAGGED, Frame, LlvmFrame, LlvmFrameMap, Visitor};
use crate::heap::root::stable::Handle;
use crate::host::Host;
use std::ffi::c_void;

pub(super) const MOST_ROOTS: usize = 8;

/// A frame of the shadow stack, or of LLVM's chain, with room for its values.
#[repr(C)]
pub(super) struct FrameMemory<H> {
    pub head: H,
    pub values: [usize; MOST_ROOTS],
}

/// Roots that lie side by side, and their words in the model.
pub(super) struct RootArea<M> {
    pub memory: Box<M>,
    pub words: Vec<Word>,
    pub tagged: bool,
}

impl<M> RootArea<M> {
    pub(super) fn new(memory: M, count: usize, tagged: bool) -> RootArea<M> {
        RootArea { memory: Box::new(memory), words: vec![Word::NULL; count], tagged }
    }

    pub(super) fn role(&self) -> Role {
        if self.tagged { Role::Tagged } else { Role::Pointer }
    }
}

pub(super) type ShadowFrame = RootArea<FrameMemory<Frame>>;
pub(super) type LlvmArea = RootArea<FrameMemory<LlvmFrame>>;
pub(super) type Range = RootArea<[usize; MOST_ROOTS]>;

/// The memory of the callbacks' roots.
pub(super) struct CallbackMemory {
    pub single: [usize; 3],
    pub words: [usize; 3],
    pub named: [usize; MOST_ROOTS],
    pub stack: [usize; MOST_ROOTS],
    pub calls: u64,
    /// The heap and mutator of a callback that misbehaves; null for one that does not.
    pub heap: *mut Host,
    pub mutator: *mut Mutator,
    /// One more than the number of a call that was not refused.
    pub accepted: u64,
    /// Calls that were refused.
    pub refused: u64,
}

impl Default for CallbackMemory {
    fn default() -> CallbackMemory {
        CallbackMemory {
            single: [0; SINGLES],
            words: [0; SINGLES],
            named: [0; MOST_ROOTS],
            stack: [0; MOST_ROOTS],
            calls: 0,
            heap: std::ptr::null_mut(),
            mutator: std::ptr::null_mut(),
            accepted: 0,
            refused: 0,
        }
    }
}

pub(super) struct HandleRoot {
    pub handle: *mut Handle,
    pub word: Word,
}

pub(super) struct StableRoot {
    pub number: usize,
    pub word: Word,
}

/// All roots of a program. The memory of each has its address as long as it is registered.
pub(super) struct Roots {
    pub frames: Vec<ShadowFrame>,
    pub llvm: Vec<LlvmArea>,
    /// The head of LLVM's chain.
    pub llvm_head: Box<*mut LlvmFrame>,
    pub llvm_attached: bool,
    pub ranges: Vec<Range>,
    pub callback: Box<CallbackMemory>,
    /// The callback's words in the model, in the order of its memory.
    pub callback_words: Vec<Word>,
    pub handles: Vec<HandleRoot>,
    pub stables: Vec<StableRoot>,
    pub native: NativeFrames,
    /// The roots of `CollectWith`, while it runs.
    pub extra: Option<Range>,
}

static MAPS: [LlvmFrameMap; MOST_ROOTS + 1] = {
    let mut maps = [const { LlvmFrameMap { roots: 0, metas: 0 } }; MOST_ROOTS + 1];
    let mut i = 0;
    while i <= MOST_ROOTS {
        maps[i].roots = i as i32;
        i += 1;
    }
    maps
};

const SINGLES: usize = 3;
const CALLBACK_ROOTS: usize = 2 * SINGLES + 2 * MOST_ROOTS;

impl Roots {
    pub(super) fn new() -> Roots {
        Roots {
            frames: Vec::new(),
            llvm: Vec::new(),
            llvm_head: Box::new(std::ptr::null_mut()),
            llvm_attached: false,
            ranges: Vec::new(),
            callback: Box::default(),
            callback_words: vec![Word::NULL; CALLBACK_ROOTS],
            handles: Vec::new(),
            stables: Vec::new(),
            native: NativeFrames::new(),
            extra: None,
        }
    }

    pub(super) fn client(&mut self) -> *mut c_void {
        (&raw mut *self.callback).cast()
    }

    pub(super) fn callback_role(index: usize) -> Role {
        if (SINGLES..2 * SINGLES).contains(&index) || index >= 2 * SINGLES + MOST_ROOTS {
            Role::Tagged
        } else {
            Role::Pointer
        }
    }

    fn callback_slot(&mut self, index: usize) -> *mut usize {
        let memory = &mut self.callback;
        match index {
            i if i < SINGLES => &raw mut memory.single[i],
            i if i < 2 * SINGLES => &raw mut memory.words[i - SINGLES],
            i if i < 2 * SINGLES + MOST_ROOTS => &raw mut memory.named[i - 2 * SINGLES],
            i => &raw mut memory.stack[i - 2 * SINGLES - MOST_ROOTS],
        }
    }

    pub(super) fn push_frame(&mut self, up: *mut Frame, count: usize, tagged: bool) -> *mut Frame {
        let mark = if tagged { FRAME_TAGGED } else { 0 };
        let memory = FrameMemory { head: Frame { up, count: count | mark }, values: [0; MOST_ROOTS] };
        self.frames.push(RootArea::new(memory, count, tagged));
        self.frames.last_mut().map_or(std::ptr::null_mut(), |frame| &raw mut frame.memory.head)
    }

    /// Takes `count` frames off, and gives the newest of the others.
    pub(super) fn pop_frames(&mut self, count: usize) -> *mut Frame {
        self.frames.truncate(self.frames.len().saturating_sub(count));
        self.frames.last_mut().map_or(std::ptr::null_mut(), |frame| &raw mut frame.memory.head)
    }

    pub(super) fn push_llvm(&mut self, count: usize) {
        let head = LlvmFrame { next: *self.llvm_head, map: &raw const MAPS[count] };
        self.llvm.push(RootArea::new(FrameMemory { head, values: [0; MOST_ROOTS] }, count, false));
        *self.llvm_head =
            self.llvm.last_mut().map_or(std::ptr::null_mut(), |frame| &raw mut frame.memory.head);
    }

    pub(super) fn pop_llvm(&mut self) {
        if let Some(frame) = self.llvm.pop() {
            *self.llvm_head = frame.memory.head.next;
        }
    }

    /// Every root that can be written: its place, its word in the model, and its role.
    pub(super) fn each_slot(&mut self, mut visit: impl FnMut(*mut usize, &mut Word, Role)) {
        for index in 0..CALLBACK_ROOTS {
            let slot = self.callback_slot(index);
            visit(slot, &mut self.callback_words[index], Roots::callback_role(index));
        }
        for frame in &mut self.frames {
            let role = frame.role();
            for (value, word) in frame.memory.values.iter_mut().zip(&mut frame.words) {
                visit(value, word, role);
            }
        }
        if self.llvm_attached {
            for frame in &mut self.llvm {
                for (value, word) in frame.memory.values.iter_mut().zip(&mut frame.words) {
                    visit(value, word, Role::Pointer);
                }
            }
        }
        for range in self.ranges.iter_mut().chain(&mut self.extra) {
            let role = range.role();
            for (value, word) in range.memory.iter_mut().zip(&mut range.words) {
                visit(value, word, role);
            }
        }
        self.native.each_slot(visit);
    }

    pub(super) fn slot_count(&mut self) -> usize {
        let mut count = 0;
        self.each_slot(|_, _, _| count += 1);
        count
    }
}

/// The get-roots callback of all heaps.
pub(super) unsafe extern "C-unwind" fn get_roots(client: *mut c_void, visitor: *mut Visitor) {
    // SAFETY: the client's pointer is the memory of the program's callback roots, which nobody else uses now.
    unsafe {
        let memory = &mut *client.cast::<CallbackMemory>();
        memory.calls += 1;
        if !memory.heap.is_null() {
            let object = memory.single[0] as *mut c_void;
            if refuses(memory.calls, memory.heap, memory.mutator, object) {
                memory.refused += 1;
            } else {
                memory.accepted = memory.calls % CALLS + 1;
            }
        }
        let ([by_value, singles @ ..], [word_by_value, words @ ..]) = (&mut memory.single, &mut memory.words);
        *by_value = barrow_visit_value(visitor, *by_value as *mut c_void) as usize;
        *word_by_value = barrow_visit_value_word(visitor, *word_by_value);
        for root in singles {
            barrow_visit(visitor, (&raw mut *root).cast());
        }
        for root in words {
            barrow_visit_word(visitor, root);
        }
        barrow_visit_named(visitor, c"named".as_ptr(), memory.named.as_mut_ptr().cast(), MOST_ROOTS);
        barrow_visit_words(visitor, c"stack".as_ptr(), memory.stack.as_mut_ptr(), MOST_ROOTS);
        // A client may name a root twice.
        barrow_visit_named(visitor, c"named".as_ptr(), memory.named[2..].as_mut_ptr().cast(), 2);
        barrow_visit_words(visitor, c"stack".as_ptr(), memory.stack[1..].as_mut_ptr(), 3);
    }
}

/// The roots of `CollectWith`.
pub(super) unsafe extern "C-unwind" fn get_extra_roots(client: *mut c_void, visitor: *mut Visitor) {
    // SAFETY: the client's pointer is an array of `MOST_ROOTS` pointers, which nobody else uses now.
    unsafe { barrow_visit_named(visitor, std::ptr::null(), client.cast(), MOST_ROOTS) }
}
