//! The settings of a heap: flags, the tag rule, the alignment.

use super::random::Random;
use crate::base::fault;

/// How references are packed into tagged words, besides the numbers that the library is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub name: &'static str,
    /// The rule as the library is told: `tagged_pointers`, mask, offset.
    pub pointers: u16,
    pub mask: usize,
    pub offset: usize,
    pub alignment: usize,
    /// Low bits of words that are references.
    lows: &'static [usize],
    /// Bits that a reference may carry above its address.
    high_bits: u32,
}

const LOW: usize = !7;

const RULES: &[Rule] = &[
    Rule {
        name: "even words, alignment 8",
        pointers: 0x5555,
        mask: LOW,
        offset: 0,
        alignment: 8,
        lows: &[0, 2, 4, 6],
        high_bits: 0,
    },
    Rule {
        name: "one low bit, alignment 8",
        pointers: 0x0202,
        mask: LOW,
        offset: 0,
        alignment: 8,
        lows: &[1],
        high_bits: 0,
    },
    Rule {
        name: "behind the header, alignment 8",
        pointers: 0x5555,
        mask: LOW,
        offset: 8usize.wrapping_neg(),
        alignment: 8,
        lows: &[0, 4],
        high_bits: 0,
    },
    Rule {
        name: "tags at both ends, alignment 8",
        pointers: 0x1111,
        mask: LOW & (usize::MAX >> 16),
        offset: 0,
        alignment: 8,
        lows: &[0, 4],
        high_bits: 16,
    },
    Rule {
        name: "four low bits, alignment 16",
        pointers: 0x0889,
        mask: !15,
        offset: 0,
        alignment: 16,
        lows: &[0, 3, 7, 11],
        high_bits: 0,
    },
    Rule {
        name: "both ends, alignment 16",
        pointers: 0x2020,
        mask: !15 & (usize::MAX >> 16),
        offset: 0,
        alignment: 16,
        lows: &[5, 13],
        high_bits: 15,
    },
];

impl Rule {
    /// The word that refers to an address, with a tag of any value.
    pub fn word(&self, address: usize, tag: u32) -> usize {
        let low = self.lows[tag as usize % self.lows.len()];
        let high = match self.high_bits {
            0 => 0,
            bits => ((tag as usize >> 8) & ((1 << bits) - 1)) << (64 - bits),
        };
        address.wrapping_sub(self.offset).wrapping_add(low).wrapping_add(high)
    }

    /// A word that is no reference, made from any bits.
    pub fn plain(&self, bits: usize) -> usize {
        let mut word = bits;
        while self.pointers >> (word & 15) & 1 != 0 {
            word = word.wrapping_add(1);
        }
        word
    }
}

/// The settings of one heap. Decoded from bytes, so that every byte string is a setting.
#[derive(Clone, Debug)]
pub struct Settings {
    pub flags: String,
    pub rule: Rule,
    /// Collections come at every n-th trip to the slow path; 0 for never.
    pub stress: usize,
    pub checking: bool,
    /// Whether the limit is so low that calls are refused now and then.
    pub tight: bool,
    /// Whether side tables are on from the beginning.
    pub sides: bool,
    /// Whether update frames side by side become one.
    pub squeeze: bool,
    /// Whether objects of lazy kinds may be pinned. Then some stay that would be replaced otherwise, also
    /// after a full collection.
    pub pins_lazy: bool,
    pub statics: bool,
    /// The operation before which a biography begins; not with `sides`, which uses its table, nor with
    /// `pins_lazy`.
    pub lives_from: Option<usize>,
    /// Whether a heap profile takes it that notes producers besides, as flags start one.
    pub lives_in_profile: bool,
    /// Entries of a mark stack: objects that find it full are looked through later.
    pub marks: usize,
    /// Every so many requests for blocks of remembered entries one is refused, so that a generation has forgotten something; 0 for
    /// never.
    pub forgets: u64,
    /// Words that may always be wasted between old objects that stay: 0 in some programs, which let them slide after all.
    pub waste: usize,
    /// Whether the callback that names roots makes calls that it must not.
    pub misbehaves: bool,
    /// Whether there is another heap beside it.
    pub neighbour: bool,
    /// Whether there are frames of compiled code, which stack maps describe.
    pub native: bool,
}

impl Settings {
    /// Tells the library what it has less of in this program.
    pub(super) fn bound(&self) {
        fault::bound_marks(self.marks);
        fault::refuse_entries(self.forgets);
        fault::bound_waste(self.waste);
    }

    pub fn decode(bytes: &[u8; 16]) -> Settings {
        let mut random = Random::new(u64::from_le_bytes([
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        ]));
        let generations = [2, 2, 2, 3, 3, 1, 4, 8, 2, 5, 6, 7][bytes[8] as usize % 12];
        let steps = ["", "", " -T1", " -T2", " -T3"][bytes[9] as usize % 5];
        let nursery = match (bytes[10] / 6).is_multiple_of(8) {
            // The adaptive nursery, which is larger.
            true => "",
            false => [" -A64k", " -A64k", " -A64k", " -A128k", " -A96k", " -A256k"][bytes[10] as usize % 6],
        };
        let chunk = ["32k", "64k", "1m"][bytes[11] as usize % 3];
        let source = ["range", "range", "chunks"][bytes[12] as usize % 3];
        let stress = if bytes[13].is_multiple_of(8) { [1, 2, 3, 5, 8, 20, 40][random.below(7)] } else { 0 };
        let rule = RULES[bytes[14] as usize % RULES.len()];
        let checking = bytes[15].is_multiple_of(4);
        let poison = bytes[15] % 4 == 1;
        let factor = ["1.05", "1.2", "2", "4"][random.below(4)];
        let minimum = ["4k", "16k", "64k", "1m"][random.below(4)];
        let tight = bytes[13] % 16 == 1;
        let limit = match tight {
            true => [" -M3m", " -M4m", " -M5m", " -M8m"][random.below(4)],
            false => ["", "", " -M64m", " -M256m"][random.below(4)],
        };
        let hint = ["", "", "", "", "", " -H", " -H4m", " -m20"][random.below(8)];
        let keep = ["", " -Fd0", " -Fd50"][random.below(3)];
        let compact = ["", "", "", " -c", " -c", " -c1", " -c20"][random.below(7)];
        let old = ["", "", " --old=copy"][random.below(3)];
        let mut flags = format!(
            "--source={source} -xr1g --huge-pages=off -G{generations}{steps}{nursery} -n{chunk} -F{factor} -O{minimum}{limit}{keep}{hint}{compact}{old}"
        );
        if stress > 0 {
            flags += &format!(" --stress={stress} --seed={}", random.below(1000));
        }
        if checking {
            flags += " -DS";
        }
        if poison {
            flags += " -DZ";
        }
        if (bytes[12] / 3).is_multiple_of(4) {
            flags += " --marks=off";
        }
        let squeeze = (bytes[9] / 5).is_multiple_of(2);
        if squeeze {
            flags += " --squeeze";
        }
        let pins_lazy = (bytes[14] / 6).is_multiple_of(4);
        let statics = !(bytes[9] / 10).is_multiple_of(3);
        let sides = (bytes[11] / 3).is_multiple_of(4);
        let lives_from = match bytes[11] / 12 % 3 {
            // A biography is compared to the byte, with objects that live on too.
            0 if !sides && !pins_lazy => Some(0),
            1 if !sides && !pins_lazy => Some(bytes[10] as usize),
            _ => None,
        };
        let lives_in_profile = (bytes[12] / 12).is_multiple_of(3);
        let marks = [1, 5, 40].get(bytes[15] as usize / 4 % 6).copied().unwrap_or(usize::MAX);
        let forgets = [1, 3, 10].get(bytes[13] as usize / 16).copied().unwrap_or(0);
        let waste = [0, 64, 2048, 2048][random.below(4)];
        let misbehaves = (bytes[14] / 24).is_multiple_of(3);
        let neighbour = !tight && (bytes[10] / 48).is_multiple_of(3);
        // A stream of its own: programs without such frames do not depend on them.
        let native = Random::new(u64::from_le_bytes([
            bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15],
        ]))
        .one_in(4);
        // A stream of its own as well: small collections have several workers in half of the programs.
        let mut workers = Random::new(u64::from_le_bytes([
            bytes[15], bytes[14], bytes[13], bytes[12], bytes[11], bytes[10], bytes[9], bytes[8],
        ]));
        if workers.one_in(2) {
            flags += &format!(" --workers={}!", 1 + workers.below(8));
        }
        Settings {
            flags,
            rule,
            stress,
            checking,
            tight,
            sides,
            squeeze,
            pins_lazy,
            statics,
            lives_from,
            lives_in_profile,
            marks,
            forgets,
            waste,
            misbehaves,
            neighbour,
            native,
        }
    }
}
