//! The state of a collection in which several workers mark: the packets that the mark stack is cut into, and the list that each
//! worker leaves.

use super::aside::Aside;
use crate::base::still::{Shelf, Work};
use crate::base::{Addr, List, Outcome};
use crate::os::workers::Workers;
use std::cell::UnsafeCell;

/// Bytes to be marked, or that may be copied, below which one thread does it: what the others could take off it is less than waking
/// them costs.
pub(super) const LEAST_BYTES: usize = 1 << 20;
/// Objects that a worker looks at between two looks at what others want.
const PACE: usize = 128;

/// The objects before a worker's next look: where it is eager, each is an occasion to share.
pub(super) fn pace(eager: bool) -> usize {
    if eager { 1 } else { PACE }
}

/// Objects that one thread marks before it calls the others: what is left on the stack then may lead to many.
pub(super) const ALONE: usize = 2000;
/// Words of a packet, at most and at least.
const PACKET_WORDS: usize = 512;
const LEAST_PACKET_WORDS: usize = 4;
/// Packets for each worker, so that one that fills its own finds another.
const PACKETS_EACH: usize = 4;

/// A part of the mark stack's memory, and how many of its words are entries.
#[derive(Clone, Copy)]
pub(super) struct Packet {
    pub start: Addr,
    pub words: usize,
    pub filled: usize,
}

/// Packets or other pieces of work that wait, with room for all that there may be.
pub(super) struct Shelved<T>(List<T>);

impl<T> Shelved<T> {
    pub(super) fn with_room(count: usize) -> Outcome<Shelved<T>> {
        let mut pieces = List::new();
        pieces.reserve(count)?;
        Ok(Shelved(pieces))
    }
}

impl<T> Shelf for Shelved<T> {
    type Packet = T;

    fn put(&mut self, piece: T) {
        let put = self.0.push_within(piece);
        debug_assert!(put.is_ok(), "there is room for all pieces");
    }

    fn get(&mut self) -> Option<T> {
        self.0.pop()
    }
}

pub(super) type Packets = Shelved<Packet>;

impl Work<Packets> {
    /// Puts a packet where it belongs: to those with work, or to those without.
    pub(super) fn put_down(&self, packet: Packet) {
        if packet.filled > 0 { self.give(packet) } else { self.give_back(packet) }
    }
}

/// The state of a collection in which several mark.
pub(super) struct Together {
    pub threads: usize,
    pub eager: bool,
    pub packet_words: usize,
    /// Whether there are objects whose sizes clients' functions tell, as far as is known.
    pub asks_sizes: bool,
    pub work: Work<Packets>,
    pub asides: List<UnsafeCell<Aside>>,
}

// SAFETY: each worker uses the list of its own number; the work is made to be shared.
unsafe impl Sync for Together {}

impl Together {
    /// Gathers workers, if the heap wants several for so many bytes, and there is memory for what they need. The mark stack has
    /// so many words, and an observer may be told of what they mark.
    pub(super) fn begin(
        workers: &mut Workers,
        words: usize,
        bytes: usize,
        is_told: bool,
    ) -> Option<Together> {
        let wanted = workers.wanted(bytes, LEAST_BYTES);
        if wanted < 2 {
            return None;
        }
        let packet_words = (words / (PACKETS_EACH * wanted)).min(PACKET_WORDS);
        let threads = workers.gather(wanted);
        if threads < 2 || packet_words < LEAST_PACKET_WORDS {
            return None;
        }
        let packets = words / packet_words;
        let work =
            Work::new(threads as u32, Packets::with_room(packets).ok()?, Packets::with_room(packets).ok()?);
        let mut asides = List::new();
        asides.reserve(threads).ok()?;
        for _ in 0..threads {
            let _ = asides.push_within(UnsafeCell::new(Aside::new(is_told).ok()?));
        }
        // A collection that is small and has several is a test's.
        let eager = bytes < LEAST_BYTES;
        work.fit(workers.processors(), eager);
        Some(Together { threads, eager, packet_words, asks_sizes: false, work, asides })
    }

    /// Cuts the mark stack into packets, of which the first have the entries that are on it.
    pub(super) fn cut(&mut self, start: Addr, words: usize, mut entries: usize) {
        // Packets are taken from the end of a list: entries that were pushed last are taken first.
        for index in 0..words / self.packet_words {
            let packet = Packet {
                start: start.plus_words(index * self.packet_words),
                words: self.packet_words,
                filled: entries.min(self.packet_words),
            };
            entries -= packet.filled;
            self.work.put_down(packet);
        }
    }

    /// Takes all packets back, so that the mark stack is one again.
    pub(super) fn join(&mut self) {
        while self.work.spare().is_some() {}
    }
}
