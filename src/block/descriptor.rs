//! The descriptor of a block, one cache line each, at the start of its megablock.

use crate::base::Addr;
use crate::base::size::*;
use std::ops::{Deref, DerefMut};

/// Uses and states of a group. The block layer sets `FREE` and `SPANS`; the other flags belong to the heap.
pub(crate) mod flag {
    /// The group is not handed out.
    pub(crate) const FREE: u16 = 1;
    /// The group holds one object, which is never copied.
    pub(crate) const LARGE: u16 = 2;
    /// The group holds pinned objects of one size class.
    pub(crate) const PINNED: u16 = 4;
    /// The collection that is running has reached the group.
    pub(crate) const REACHED: u16 = 8;
    /// The group waits to be scavenged.
    pub(crate) const QUEUED: u16 = 16;
    /// The group has a tail that lies in megablocks without descriptors.
    pub(crate) const SPANS: u16 = 32;
    /// The group holds a large array that is remembered by its cards.
    pub(crate) const CARDED: u16 = 64;
    /// The group is a pinned block of a generation that is being collected.
    pub(crate) const SWEEP: u16 = 128;
    /// The group was handed to the client by `barrow_alloc_group`.
    pub(crate) const CLIENT: u16 = 256;
    /// The group has objects that were marked when there was no room to note that their fields wait to be looked at.
    pub(crate) const UNSEEN: u16 = 512;
    /// The group has objects of which the client wants to be told when they move.
    pub(crate) const TOLD: u16 = 1024;
}

/// The description of a block. C sees it as `barrow_bdescr`: the offsets of all fields are part of the ABI.
#[derive(Debug)]
#[repr(C)]
pub struct Descriptor {
    /// First byte of the block.
    pub start: Addr,
    /// First free byte of the group, in its head; null in other blocks.
    pub free: Addr,
    /// Number of blocks of the group, in its head.
    pub blocks: u32,
    pub generation: u8,
    pub step: u8,
    pub flags: u16,
    /// The next group of its list, in a head; the head of the group, in other blocks.
    pub link: Block,
    /// The group before, in the head of a group in a doubly linked list.
    pub back: Block,
    /// End of the part that a compaction will fill; null when nothing goes there.
    pub scanned: Addr,
    /// Words of a slot, in a pinned block.
    pub slot_words: u32,
    /// The old generation of a group of objects that do not move, while a collection keeps it.
    pub was: u32,
    /// Bytes before the object, in a large group; in a chunk of the nursery that several mutators share, the shelf that it lies on.
    pub aux: usize,
}

const _: () = assert!(size_of::<Descriptor>() == DESCRIPTOR_BYTES);

/// The address of a descriptor; may be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Block(pub *mut Descriptor);

/// The fields of a descriptor, for one use.
pub(crate) struct Fields(*mut Descriptor);

impl Deref for Fields {
    type Target = Descriptor;

    #[inline(always)]
    fn deref(&self) -> &Descriptor {
        // SAFETY: a `Block` is made by this layer from taken megablocks only (`Block::fields`).
        unsafe { &*self.0 }
    }
}

impl DerefMut for Fields {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Descriptor {
        // SAFETY: as above.
        unsafe { &mut *self.0 }
    }
}

impl Block {
    pub const NULL: Block = Block(std::ptr::null_mut());

    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    #[inline(always)]
    pub fn some(self) -> Option<Block> {
        if self.is_null() { None } else { Some(self) }
    }

    /// The descriptor of the block at an address. Arithmetic only.
    ///
    /// The address lies in a taken megablock that has descriptors: not in the tail of a spanning group.
    #[inline(always)]
    pub fn of(at: Addr) -> Block {
        let index = (at.0 & (MEGABLOCK_BYTES - 1)) >> LOG_BLOCK_BYTES;
        Block::at_index(at.align_down(MEGABLOCK_BYTES), index)
    }

    #[inline(always)]
    pub fn at_index(megablock: Addr, index: usize) -> Block {
        Block((megablock.0 + index * DESCRIPTOR_BYTES) as *mut Descriptor)
    }

    #[inline(always)]
    pub fn megablock(self) -> Addr {
        Addr(self.0 as usize).align_down(MEGABLOCK_BYTES)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 as usize & (MEGABLOCK_BYTES - 1)) / DESCRIPTOR_BYTES
    }

    /// The descriptor's fields.
    ///
    /// Descriptors live as long as their megablock is taken, and only the thread that runs the heap touches them, or a worker
    /// that fills the group while that thread waits, one field at a time; so this is safe wherever a `Block` came from the block layer. A reference to fields lives no
    /// longer than the value that is given here.
    #[inline(always)]
    pub(crate) fn fields(self) -> Fields {
        debug_assert!(!self.is_null());
        Fields(self.0)
    }

    #[inline(always)]
    pub fn start(self) -> Addr {
        self.fields().start
    }

    #[inline(always)]
    pub fn blocks(self) -> usize {
        self.fields().blocks as usize
    }

    /// One past the last byte of the group that begins here.
    #[inline(always)]
    pub fn end(self) -> Addr {
        self.start().plus_bytes(self.blocks() * BLOCK_BYTES)
    }

    #[inline(always)]
    pub fn has(self, flags: u16) -> bool {
        self.fields().flags & flags != 0
    }

    /// The head of the group that this block is in.
    #[inline(always)]
    pub fn head(self) -> Block {
        if self.fields().free.is_null() { self.fields().link } else { self }
    }

    /// Address of the object in a large group. A pinned object may begin behind the block's start, to be aligned
    /// inside.
    #[inline(always)]
    pub fn object(self) -> Addr {
        self.start().plus_bytes(self.fields().aux)
    }

    pub fn words_free_to(self) -> usize {
        self.fields().free.words_since(self.start())
    }
}
