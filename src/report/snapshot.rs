//! Snapshots of the object graph: a stream of records in blocks, each with a sum (docs/formats-snapshot.md).
//!
//! The writer keeps one block, and a list of the info tables that were described already, so a snapshot of
//! any size takes the same memory.

use crate::base::{List, Outcome, Shown};
use std::io::{self, Write};

pub const MAGIC: &[u8; 8] = b"barrowS1";
/// Bytes of records in a block, at most.
pub const MOST_BLOCK_BYTES: usize = 64 << 10;
/// Bytes of a block before its records: its length and its sum.
pub const BLOCK_HEAD_BYTES: usize = 8;

/// Records other than objects: the byte behind a 0.
pub mod record {
    pub const INFO: u8 = 1;
    pub const ROOTS: u8 = 2;
    pub const END: u8 = 3;
}

/// Codes in a list of edges: numbers below `FIRST` are not edges themselves.
pub mod edge {
    pub const END: u64 = 0;
    /// A number follows: so many fields refer to nothing.
    pub const SKIP: u64 = 1;
    /// The edges that follow hold weakly.
    pub const WEAK: u64 = 2;
    /// The edges that follow are mentions by the object's code.
    pub const CODE: u64 = 3;
    /// The edges that follow are strong again.
    pub const STRONG: u64 = 4;
    pub const FIRST: u64 = 5;
}

/// The sum of a block's records: FNV-1a over words of eight bytes, the last one filled up with zeros, folded.
pub fn sum(bytes: &[u8]) -> u32 {
    const PRIME: u64 = 0x100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    for word in words {
        sum = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(PRIME).rotate_left(23);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    sum = (sum ^ u64::from_le_bytes(last)).wrapping_mul(PRIME);
    (sum ^ (sum >> 32)) as u32
}

/// The nature of an info table's objects, for readers who know neither language nor layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sort {
    Data = 0,
    Array = 1,
    Bytes = 2,
    /// Functions, and values that are not evaluated yet.
    Code = 3,
    Stack = 4,
    Other = 5,
}

/// The names of an info table, by break-down.
#[derive(Clone, Copy, Debug)]
pub struct InfoTexts<'a> {
    pub sort: Sort,
    /// Module, description and source position together.
    pub whole: &'a [u8],
    pub kind: &'a [u8],
    pub type_name: &'a [u8],
    pub description: &'a [u8],
    pub module: &'a [u8],
}

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Totals {
    pub objects: u64,
    pub words: u64,
    /// Edges of objects; those of roots are counted in `roots`.
    pub edges: u64,
    pub roots: u64,
}

pub struct SnapshotWriter<'a> {
    out: &'a mut dyn Write,
    /// The head and the records of the block that is being filled.
    block: List<u8>,
    /// Whether an info table was described, by its number.
    described: List<bool>,
    /// Address at which the last object ends, in words.
    after: u64,
    /// Address that the next edge is relative to, in words.
    near: u64,
    /// Number of fields that refer to nothing and were not written yet.
    skipped: u64,
    hold: u64,
    in_roots: bool,
    pub totals: Totals,
    /// The first failure; after it, the writer writes nothing.
    pub error: Option<io::Error>,
}

impl<'a> SnapshotWriter<'a> {
    pub fn begin(out: &'a mut dyn Write) -> Outcome<SnapshotWriter<'a>> {
        let mut block = List::new();
        block.reserve(BLOCK_HEAD_BYTES + MOST_BLOCK_BYTES)?;
        block.append(&[0; BLOCK_HEAD_BYTES])?;
        let error = out.write_all(MAGIC).err();
        Ok(SnapshotWriter {
            out,
            block,
            described: List::new(),
            after: 0,
            near: 0,
            skipped: 0,
            hold: edge::STRONG,
            in_roots: false,
            totals: Totals::default(),
            error,
        })
    }

    pub fn knows(&self, info: u32) -> bool {
        self.described.get(info as usize).is_some_and(|&known| known)
    }

    /// Describes an info table, before its first object.
    pub fn info(&mut self, number: u32, texts: &InfoTexts<'_>) -> Outcome<()> {
        let more = (number as usize + 1).saturating_sub(self.described.len());
        for _ in 0..more {
            self.described.push(false)?;
        }
        self.described[number as usize] = true;
        self.bytes(&[0, record::INFO]);
        self.number(number as u64);
        self.bytes(&[texts.sort as u8]);
        for text in [texts.whole, texts.kind, texts.type_name, texts.description, texts.module] {
            self.text(text);
        }
        Ok(())
    }

    /// Begins an object of an info table that was described; its edges follow.
    #[inline]
    pub fn object(&mut self, info: u32, address: u64, words: u64) {
        let at = address / 8;
        self.number(info as u64);
        self.number(zigzag(at.wrapping_sub(self.after)));
        self.number(words);
        self.after = at + words;
        self.near = at;
        self.totals.objects += 1;
        self.totals.words += words;
    }

    /// Begins the roots of a name; their edges follow.
    pub fn roots(&mut self, name: &[u8]) {
        self.bytes(&[0, record::ROOTS]);
        self.text(name);
        self.near = 0;
        self.in_roots = true;
    }

    /// Writes an edge; `hold` is `STRONG`, `WEAK` or `CODE` of `edge`.
    #[inline]
    pub fn edge(&mut self, hold: u64, address: u64) {
        if self.skipped != 0 {
            self.number(edge::SKIP);
            self.number(self.skipped);
            self.skipped = 0;
        }
        if self.hold != hold {
            self.number(hold);
            self.hold = hold;
        }
        let to = address / 8;
        self.number(edge::FIRST + zigzag(to.wrapping_sub(self.near)));
        self.near = to;
        if self.in_roots {
            self.totals.roots += 1;
        } else {
            self.totals.edges += 1;
        }
    }

    #[inline]
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Ends the edges of an object, or the roots of a name.
    #[inline]
    pub fn end_edges(&mut self) {
        self.number(edge::END);
        self.skipped = 0;
        self.hold = edge::STRONG;
        self.in_roots = false;
    }

    /// Ends the snapshot, and writes the rest of it to the file. Returns the first failure.
    pub fn end(mut self) -> io::Result<Totals> {
        let totals = self.totals;
        self.bytes(&[0, record::END]);
        for number in [totals.objects, totals.words, totals.edges, totals.roots] {
            self.number(number);
        }
        // A record may end with its block, which was written then; no block is empty.
        if planted!(629, true, self.block.len() > BLOCK_HEAD_BYTES) {
            self.put_block();
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(totals),
        }
    }

    /// Writes a name; some names are put together of many.
    fn text(&mut self, name: &[u8]) {
        let shown = Shown::joined(name);
        self.number(shown.length() as u64);
        // A block takes memory that is there already, and a failure of the file is kept in `error`.
        let _ = shown.each(&mut |piece| {
            self.bytes(piece);
            Ok(())
        });
    }

    /// Writes a number with 7 bits to a byte, lowest first; the high bit is set on all bytes but the
    /// last.
    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        if self.block.push_within(byte).is_err() || self.block.len() == BLOCK_HEAD_BYTES + MOST_BLOCK_BYTES {
            self.put_block();
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    #[cold]
    #[inline(never)]
    fn put_block(&mut self) {
        let records = self.block.len() - BLOCK_HEAD_BYTES;
        let sum = sum(&self.block[BLOCK_HEAD_BYTES..]);
        self.block[..4].copy_from_slice(&(records as u32).to_le_bytes());
        self.block[4..8].copy_from_slice(&sum.to_le_bytes());
        if self.error.is_none() {
            self.error = self.out.write_all(&self.block).err();
        }
        self.block.truncate(BLOCK_HEAD_BYTES);
    }
}

/// A difference as a number that is small when the difference is near 0 on either side.
#[inline]
pub fn zigzag(difference: u64) -> u64 {
    let signed = difference as i64;
    ((signed << 1) ^ (signed >> 63)) as u64
}

pub fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}
