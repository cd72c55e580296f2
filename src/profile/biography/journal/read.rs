//! Reads a journal: batch by batch, item by item. Any bytes may come; the worst that follows is a sentence.

use crate::base::{Failure, List, Outcome, Status};
use crate::profile::biography::journal::checksum::crc32;
use crate::profile::biography::journal::{MAGIC, Profile, tag};
use crate::profile::biography::{CellKey, Holder, Phase, word::LAST_ERA};

/// A journal: its head, and its whole batches.
pub struct Journal<'a> {
    /// The whole batches, one after another.
    batches: &'a [u8],
    /// Number of bytes behind the whole batches: the writer was stopped while it wrote.
    pub left_over: usize,
    pub head: Head<'a>,
    pub profiles: List<Profile<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    pub date: &'a [u8],
    pub sample_unit: &'a [u8],
    pub value_unit: &'a [u8],
    /// Whether holders have items of their own.
    pub changing: bool,
}

pub enum Item<'a> {
    Head(Head<'a>),
    Profile(Profile<'a>),
    Band {
        profile: usize,
        name: &'a [u8],
    },
    /// An atom with its bands: one number for each profile.
    Atom(Numbers<'a>),
    Holder {
        number: u32,
        holder: Holder,
    },
    Cell {
        key: CellKey,
        died: u64,
        now: u64,
    },
    Census(f64),
    Mark(f64),
    End(f64),
}

#[derive(Clone, Copy)]
pub struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let mut input = Input { rest: self.0, total: 0 };
        let number = input.small().ok();
        self.0 = input.rest;
        number
    }
}

impl<'a> Journal<'a> {
    /// Whether the bytes begin as a journal does.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    pub fn open(bytes: &'a [u8]) -> Outcome<Journal<'a>> {
        let Some(all) = bytes.strip_prefix(MAGIC) else {
            return Err(Failure::new(Status::Io, format_args!("this is no biography journal")));
        };
        let whole = whole_batches(all);
        let mut journal = Journal {
            batches: &all[..whole],
            left_over: all.len() - whole,
            head: Head { date: b"", sample_unit: b"", value_unit: b"", changing: false },
            profiles: List::new(),
        };
        let mut items = journal.items(0);
        let Some(Item::Head(head)) = items.next()? else {
            return Err(Failure::new(
                Status::Io,
                format_args!("this biography journal ends before it says what it is of"),
            ));
        };
        journal.head = head;
        while let Some(Item::Profile(profile)) = items.next()? {
            journal.profiles.push(profile)?;
        }
        Ok(journal)
    }

    /// The items, from the start. `profiles` is the number of bands that an atom has.
    pub fn items(&self, profiles: usize) -> Items<'a> {
        Items {
            later: self.batches,
            input: Input { rest: b"", total: self.batches.len() + MAGIC.len() },
            profiles,
        }
    }
}

/// Length in bytes of the leading batches that are whole, by their checksum.
fn whole_batches(all: &[u8]) -> usize {
    let mut rest = all;
    while let Some(next) = split_batch(rest) {
        let (payload, behind) = next;
        if crc32(payload) != u32::from_le_bytes([rest[4], rest[5], rest[6], rest[7]]) {
            break;
        }
        rest = behind;
    }
    all.len() - rest.len()
}

fn split_batch(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (frame, rest) = bytes.split_at_checked(8)?;
    rest.split_at_checked(u32::from_le_bytes([frame[0], frame[1], frame[2], frame[3]]) as usize)
}

pub struct Items<'a> {
    later: &'a [u8],
    input: Input<'a>,
    profiles: usize,
}

impl<'a> Items<'a> {
    pub fn next(&mut self) -> Outcome<Option<Item<'a>>> {
        while self.input.rest.is_empty() {
            let Some((payload, behind)) = split_batch(self.later) else { return Ok(None) };
            (self.input.rest, self.later) = (payload, behind);
        }
        let profiles = self.profiles;
        let later = self.later.len();
        let input = &mut self.input;
        let at = input.total - later - input.rest.len();
        let item = input.item(profiles).map_err(|Wrong| {
            Failure::new(Status::Io, format_args!("the biography journal makes no sense at byte {at}"))
        })?;
        Ok(Some(item))
    }
}

/// A part of a journal that cannot be read; the caller knows its place.
struct Wrong;

struct Input<'a> {
    rest: &'a [u8],
    /// Bytes of the file up to the end of the last batch.
    total: usize,
}

impl<'a> Input<'a> {
    fn item(&mut self, profiles: usize) -> Result<Item<'a>, Wrong> {
        Ok(match self.byte()? {
            tag::HEAD => Item::Head(Head {
                changing: self.byte()? != 0,
                date: self.text()?,
                sample_unit: self.text()?,
                value_unit: self.text()?,
            }),
            tag::PROFILE => {
                let phases = self.byte()?;
                Item::Profile(Profile { phases, name: self.text()?, job: self.text()? })
            }
            tag::BAND => Item::Band { profile: self.small()? as usize, name: self.text()? },
            tag::ATOM => {
                let bands = Numbers(self.rest);
                for _ in 0..profiles {
                    self.small()?;
                }
                Item::Atom(Numbers(&bands.0[..bands.0.len() - self.rest.len()]))
            }
            tag::HOLDER => {
                let number = self.small()?;
                let holder = Holder { parent: self.small()?, identity: self.small()?, since: self.small()? };
                if number == 0 || holder.identity == 0 {
                    return Err(Wrong);
                }
                Item::Holder { number, holder }
            }
            tag::CELL => {
                let phase = Phase::from_number(self.byte()?).ok_or(Wrong)?;
                let (holder, era) = (self.small()?, self.small()?);
                if holder == 0 || era > LAST_ERA {
                    return Err(Wrong);
                }
                Item::Cell { key: CellKey::new(holder, phase, era), died: self.bytes()?, now: self.bytes()? }
            }
            tag::CENSUS => Item::Census(self.seconds()?),
            tag::MARK => Item::Mark(self.seconds()?),
            tag::END => Item::End(self.seconds()?),
            _ => return Err(Wrong),
        })
    }

    fn byte(&mut self) -> Result<u8, Wrong> {
        let (&byte, rest) = self.rest.split_first().ok_or(Wrong)?;
        self.rest = rest;
        Ok(byte)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Wrong> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Wrong)?;
        self.rest = rest;
        Ok(taken)
    }

    fn text(&mut self) -> Result<&'a [u8], Wrong> {
        let length = self.number()?;
        self.take(usize::try_from(length).map_err(|_| Wrong)?)
    }

    fn number(&mut self) -> Result<u64, Wrong> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= ((byte & 0x7f) as u64) << shift;
            if byte < 0x80 {
                return if shift == 63 && byte > 1 { Err(Wrong) } else { Ok(number) };
            }
        }
        Err(Wrong)
    }

    fn small(&mut self) -> Result<u32, Wrong> {
        u32::try_from(self.number()?).map_err(|_| Wrong)
    }

    /// Reads a sum of bytes: below 2^56, so that no sum of a journal's sums overflows.
    fn bytes(&mut self) -> Result<u64, Wrong> {
        let number = self.number()?;
        if number >> 56 == 0 { Ok(number) } else { Err(Wrong) }
    }

    fn seconds(&mut self) -> Result<f64, Wrong> {
        let bytes = self.take(8)?.try_into().map_err(|_| Wrong)?;
        let seconds = f64::from_le_bytes(bytes);
        if seconds.is_finite() && seconds >= 0.0 { Ok(seconds) } else { Err(Wrong) }
    }
}
