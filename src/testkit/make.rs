//! Making objects in every way there is.

use super::coverage::Way;
use super::graph::{Node, Word};
use super::kinds::{Role, Shape, shapes, varied};
use super::machine::{Machine, Step, done, last_error};
use super::random::Random;
use super::twin;
use crate::base::Addr;
use crate::ffi::alloc::*;
use crate::heap::space::generation::Code;

/// Larger objects are filled sparsely.
const SPARSE: usize = 600;

/// A length from two random bytes: mostly small, now and then around a threshold, rarely several megablocks.
fn length(size: u16) -> usize {
    let (class, fine) = (size & 0xff, (size >> 8) as usize);
    match class {
        0..=179 => fine % 12,
        180..=219 => fine,
        220..=236 => 120 + fine % 16,
        237..=245 => 256 + fine * 12,
        246..=254 => 395 + fine % 30,
        _ if fine < 24 => 130_000 + fine * 11_000,
        _ => 3000 + fine * 40,
    }
}

impl Machine<'_> {
    /// Makes an object of a shape and puts it into a root.
    pub(super) fn make(
        &mut self,
        shape: usize,
        way: u8,
        size: u16,
        random: &mut Random,
    ) -> Result<u32, String> {
        let kind = &shapes()[shape];
        let length = match kind.kind {
            crate::heap::Kind::Bytes => length(size) * 8 + random.below(8),
            crate::heap::Kind::Structs => length(size) / 2,
            _ => length(size),
        };
        let words = kind.object_words(length);
        let pinned = (12..15).contains(&(way % 16));
        // A redex that stays though it was replaced would be asked again, with another field.
        let stays = kind.is_redex() || kind.is_updatable() && !self.settings.pins_lazy;
        let way = if stays && pinned { way - 12 } else { way };
        let (at, way) = self.take(words, way, random)?;
        self.settle()?;
        let shape = self.fill_in(at, shape, length, random);
        self.coverage.made(kind.kind, way);
        if way == Way::Opened {
            // SAFETY: everything below the new end is filled.
            let status = unsafe { barrow_close_nursery(self.m, at.plus_words(self.rounded(words)).as_ptr()) };
            done(status, "close_nursery")?;
        }
        let fixed = Code(self.runtime().store.codes.at(at.0)).is_fixed();
        let node = self.add_node(at, shape, length, fixed);
        self.stamp_new(node)?;
        self.set_root(Some(node), random);
        Ok(node)
    }

    /// Memory for an object. It may collect.
    fn take(&mut self, words: usize, way: u8, random: &mut Random) -> Result<(Addr, Way), String> {
        let rounded = self.rounded(words);
        // SAFETY: the mutator is live and ours; every reference that we use later is in a root.
        let (at, way) = unsafe {
            match way % 16 {
                0..=4 if rounded > 409 => (barrow_alloc_slow(self.m, words), Way::Large),
                0..=4 => (twin::alloc(self.m, rounded), Way::Inline),
                5..=7 if rounded <= 256 => {
                    let reserved = twin::reserve(self.m, rounded + random.below(600));
                    let at = if reserved { twin::bump(self.m, rounded) } else { std::ptr::null_mut() };
                    (at, Way::Reserved)
                }
                5..=9 if rounded > 409 => (barrow_alloc_slow(self.m, words), Way::Large),
                5..=9 => (barrow_alloc_slow(self.m, words), Way::Slow),
                10..=11 if rounded > 409 => (barrow_allocate(self.m, words), Way::Large),
                10..=11 => (barrow_allocate(self.m, words), Way::Pool),
                12..=14 => return self.take_pinned(words, random),
                _ => return self.take_opened(words),
            }
        };
        if at.is_null() {
            return Err(format!("{way:?}: {}", last_error()));
        }
        if !Addr(at as usize).is_aligned(self.settings.rule.alignment) {
            return Err(format!("{way:?}: the object would be at {at:?}"));
        }
        Ok((Addr(at as usize), way))
    }

    fn take_pinned(&mut self, words: usize, random: &mut Random) -> Result<(Addr, Way), String> {
        let step = self.settings.rule.alignment;
        let align = [8, 8, 16, 32, 64, 256, 4096][random.below(7)];
        let mut offset = random.below(words.min(8)) * 8;
        if !offset.is_multiple_of(step) && align >= step {
            // SAFETY: the mutator is live and ours: so for both calls.
            if !unsafe { barrow_allocate_pinned(self.m, words, align, offset) }.is_null() {
                return Err(format!("pinned: byte {offset} at {align}, with objects at {step}"));
            }
            offset -= offset % step;
        }
        // SAFETY: as above.
        let at = unsafe { barrow_allocate_pinned(self.m, words, align, offset) };
        if at.is_null() {
            return Err(format!("pinned {words} at {align}, {offset}: {}", last_error()));
        }
        let at = Addr(at as usize);
        if !at.plus_bytes(offset).is_aligned(align) || !at.is_aligned(step) {
            return Err(format!("pinned at {at}, which does not have byte {offset} at {align}"));
        }
        let shared = crate::block::Block::of(at).head().has(crate::block::descriptor::flag::PINNED);
        Ok((at, if shared { Way::Pinned } else { Way::PinnedAlone }))
    }

    /// In the opened allocation area, when it has room; otherwise from the slow path.
    fn take_opened(&mut self, words: usize) -> Result<(Addr, Way), String> {
        let (mut hp, mut limit) = (std::ptr::null_mut(), std::ptr::null_mut());
        let rounded = self.rounded(words);
        // SAFETY: the mutator is live and ours.
        unsafe {
            done(barrow_open_nursery(self.m, &mut hp, &mut limit), "open_nursery")?;
            let room = |hp: *mut usize, limit: *mut usize| (limit as usize - hp as usize) / 8 >= rounded;
            if !hp.is_null() && rounded <= 256 {
                let fits = room(hp, limit)
                    || (barrow_extend_nursery(self.m, &mut hp, &mut limit) && room(hp, limit));
                if fits {
                    return Ok((Addr(hp as usize), Way::Opened));
                }
            }
            if (*self.m).opened {
                if !barrow_alloc_slow(self.m, 2).is_null() {
                    return Err("an allocation while the nursery is open".into());
                }
                done(barrow_close_nursery(self.m, hp), "close_nursery")?;
            }
            let at = barrow_alloc_slow(self.m, words);
            if at.is_null() {
                return Err(format!("after open_nursery: {}", last_error()));
            }
            Ok((Addr(at as usize), if rounded > 409 { Way::Large } else { Way::Slow }))
        }
    }

    /// Writes a new object: header, length, and any words. Gives its shape: one that mentions statics is made only
    /// while these can be mentioned.
    fn fill_in(&mut self, at: Addr, shape: usize, length: usize, random: &mut Random) -> usize {
        let base = shape;
        let shape = varied(shape, random);
        let shape = if self.reach_statics(shapes()[shape].statics, random) { shape } else { base - 1 };
        let kind = &shapes()[shape];
        let count = kind.payload(length);
        let sparse = count > SPARSE;
        let mut words = Vec::with_capacity(count);
        for index in 0..count {
            let role = kind.role(index);
            words.push(match role {
                Role::Length => Word::Raw(length),
                Role::Link => Word::NULL,
                Role::Arguments => Word::Raw(kind.arguments()),
                Role::Own => Word::Own,
                _ if sparse && index > 20 && !random.one_in(200) => Word::NULL,
                role => self.any_word(random, role),
            });
        }
        // SAFETY: the memory was given for an object of this size.
        unsafe {
            at.store(&raw const *kind.info as usize);
            for (index, &word) in words.iter().enumerate() {
                at.plus_words(1 + index).store(self.word(word, kind.role(index), at.0));
            }
            for index in 1 + count..kind.object_words(length) {
                // Cards and padding: any bits may be in them.
                at.plus_words(index).store(if kind.is_array() { 0 } else { random.bits() as usize });
            }
        }
        self.new_words = words;
        shape
    }

    fn add_node(&mut self, at: Addr, shape: usize, _length: usize, fixed: bool) -> u32 {
        let words = std::mem::take(&mut self.new_words);
        self.graph.add(Node::new(shape, words, at.0, fixed))
    }

    /// Objects that refer to each other, from one reservation: any, or most of them cells of a list.
    pub(super) fn make_list(&mut self, count: usize, random: &mut Random) -> Step {
        // A list of cells, or one that collections can make shorter by asking: as the only work there is, it is a worker's.
        let is_link = if count / 40 == 3 { Shape::is_redex } else { Shape::is_cell };
        let cell = shapes().iter().position(is_link).filter(|_| random.one_in(2));
        let wanted: Vec<(usize, usize)> = (0..count % 40 + 1)
            .map(|_| {
                (cell.filter(|_| !random.one_in(16)), random.below(super::kinds::MADE), random.below(10))
            })
            .map(|(cell, other, length)| cell.map_or((other, length), |cell| (cell, 0)))
            .filter(|&(shape, length)| self.rounded(shapes()[shape].object_words(length)) <= 256)
            .collect();
        let total: usize =
            wanted.iter().map(|&(shape, length)| self.rounded(shapes()[shape].object_words(length))).sum();
        // SAFETY: the mutator is live and ours.
        if !unsafe { twin::reserve(self.m, total) } {
            return Err(format!("reserve {total}: {}", last_error()));
        }
        self.settle()?;
        let mut last = None;
        for (shape, length) in wanted {
            let words = self.rounded(shapes()[shape].object_words(length));
            // SAFETY: the words were reserved.
            let at = Addr(unsafe { twin::bump(self.m, words) } as usize);
            let shape = self.fill_in(at, shape, length, random);
            if let Some(node) = last.filter(|_| Some(shape) == cell) {
                self.new_words[0] = Word::Ref { node, tag: random.bits() as u32 };
                let word = self.word(self.new_words[0], Role::Pointer, at.0);
                // SAFETY: the cell was just filled, and this is its pointer.
                unsafe { at.plus_words(1).store(word) };
            }
            self.coverage.made(shapes()[shape].kind, Way::Reserved);
            let node = self.add_node(at, shape, length, false);
            self.stamp_new(node)?;
            last = Some(node);
        }
        self.set_root(last, random);
        Ok(())
    }

    /// Fills the nursery with pairs that nobody refers to.
    pub(super) fn garbage(&mut self, words: usize, random: &mut Random) -> Step {
        let words = if self.settings.stress > 0 { words % 40 } else { words };
        let pair = &shapes()[0];
        let size = self.rounded(pair.object_words(0));
        let _ = random;
        for _ in 0..words / size {
            // SAFETY: the mutator is live and ours; the object is filled at once.
            unsafe {
                let at = twin::alloc(self.m, size);
                if at.is_null() {
                    return Err(format!("garbage: {}", last_error()));
                }
                at.write(&raw const *pair.info as usize);
                at.add(1).write(0);
                at.add(2).write(0);
            }
        }
        self.settle()
    }
}
