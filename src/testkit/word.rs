//! A word, as the graph of a random program has it.

/// A word of an object or of a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// These very bits: a number, null, or an address outside the heap.
    Raw(usize),
    /// A reference, with a tag that its place knows how to pack.
    Ref { node: u32, tag: u32 },
    /// The address of the object that the word is in.
    Own,
}

impl Word {
    pub(super) const NULL: Word = Word::Raw(0);
}
