//! The sizes on which a client and the library have to agree.

use crate::base::size::*;
use crate::base::{Failure, Outcome, Status};
use std::fmt;

/// Sizes that are compiled into clients, with the inline functions. `barrow_config_init` fills in those of the client,
/// `barrow_config_default` those of the library; a heap is refused to a client that was compiled for others. The client's, as a
/// part of its configuration.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Bytes in a block, the unit in which the heap gives memory to its parts: `BARROW_BLOCK_BYTES`.
    pub block_bytes: u32,
    /// Bytes in a megablock, which is aligned to its size: `BARROW_MEGABLOCK_BYTES`.
    pub megablock_bytes: u32,
    /// Bytes of the description of a block, `barrow_bdescr`: `BARROW_DESCRIPTOR_BYTES`.
    pub descriptor_bytes: u32,
    /// Words of the largest object that is allocated in line: `BARROW_MAX_INLINE_WORDS`.
    pub max_inline_words: u32,
    /// Words that one reservation may have: `BARROW_MAX_RESERVE_WORDS`.
    pub max_reserve_words: u32,
    /// Elements of an array that share one mark of the write barrier: `BARROW_CARD_ELEMENTS`.
    pub card_elements: u32,
}

impl Geometry {
    pub const OURS: Geometry = Geometry {
        block_bytes: BLOCK_BYTES as u32,
        megablock_bytes: MEGABLOCK_BYTES as u32,
        descriptor_bytes: DESCRIPTOR_BYTES as u32,
        max_inline_words: MAX_INLINE_WORDS as u32,
        max_reserve_words: MAX_RESERVE_WORDS as u32,
        card_elements: CARD_ELEMENTS as u32,
    };

    /// Refuses a client that was compiled for other sizes.
    pub(crate) fn refuse_other(self) -> Outcome<()> {
        if planted!(152, true, self == Geometry::OURS) {
            return Ok(());
        }
        let differences = Differences(self);
        Err(Failure::new(
            Status::Abi,
            format_args!("{differences}: compile the client with the headers of this library"),
        ))
    }
}

/// The sizes in which a client differs, in words.
struct Differences(Geometry);

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (theirs, ours) = (&self.0, &Geometry::OURS);
        let mut between = "the client was compiled for ";
        for (what, theirs, ours) in [
            ("bytes in a block", theirs.block_bytes, ours.block_bytes),
            ("bytes in a megablock", theirs.megablock_bytes, ours.megablock_bytes),
            ("bytes in a block's descriptor", theirs.descriptor_bytes, ours.descriptor_bytes),
            ("words in the largest inline object", theirs.max_inline_words, ours.max_inline_words),
            ("words in the largest reservation", theirs.max_reserve_words, ours.max_reserve_words),
            ("elements on a card", theirs.card_elements, ours.card_elements),
        ] {
            if theirs != ours {
                write!(f, "{between}{theirs} {what}, where this library has {ours}")?;
                between = ", and for ";
            }
        }
        Ok(())
    }
}
