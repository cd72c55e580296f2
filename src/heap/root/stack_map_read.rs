//! Reads the section `.llvm_stackmaps`, version 3 of its format, as LLVM 14 and later write it for statepoints. A pure
//! function of bytes.
//!
//! A map that is not understood in every detail is refused as a whole [heap.maps-whole]: a root that is missed is found
//! much later and elsewhere.

use crate::base::{Failure, Outcome, Status};
use crate::heap::root::stack_map::{Derived, From, Place, Registers, Site, Span, StackMaps};

const VERSION: u8 = 3;
/// A frame larger than this is no frame.
const MOST_FRAME_BYTES: u64 = 1 << 30;

impl StackMaps {
    /// The linker puts the sections of object files behind each other; each begins with its own header.
    pub(crate) fn read(&mut self, start: usize, bytes: &[u8], registers: Registers) -> Outcome<()> {
        let mut reader = Reader { bytes, at: 0, start };
        while reader.at < bytes.len() {
            self.read_one(&mut reader, registers)?;
        }
        Ok(())
    }

    fn read_one(&mut self, reader: &mut Reader<'_>, registers: Registers) -> Outcome<()> {
        let at = reader.at;
        let version = reader.u8()?;
        if planted!(122, false, version != VERSION) {
            return Err(Failure::new(
                Status::Abi,
                format_args!(
                    "the stack maps {at} bytes into the section at {:#x} have version {version}; only version {VERSION} is known",
                    reader.start
                ),
            ));
        }
        if reader.u8()? != 0 || reader.u16()? != 0 {
            return Err(reader.wrong("reserved bytes that are not zero"));
        }
        let functions = reader.u32()? as usize;
        let constants = reader.u32()? as usize;
        let records = reader.u32()? as usize;
        let function_table = reader.skip(functions.saturating_mul(24))?;
        reader.skip(constants.saturating_mul(8))?;
        // A record has 24 bytes at least, so a wild count is found before anything grows for it.
        if records > (reader.bytes.len() - reader.at) / 24 {
            return Err(reader.cut());
        }
        self.sites.reserve(records)?;
        let mut table = Reader { bytes: function_table, at: 0, start: reader.start };
        let mut left = records;
        for _ in 0..functions {
            let function = Function { at: table.u64()?, frame_bytes: table.u64()?, records: table.u64()? };
            if function.records > left as u64 {
                return Err(reader.wrong("more records of functions than there are"));
            }
            left -= function.records as usize;
            if function.records > 0 {
                function.check()?;
            }
            for _ in 0..function.records {
                self.read_record(reader, &function, constants, registers)?;
            }
        }
        if left > 0 {
            return Err(reader.wrong("records of no function"));
        }
        Ok(())
    }

    fn read_record(
        &mut self,
        reader: &mut Reader<'_>,
        function: &Function,
        constants: usize,
        registers: Registers,
    ) -> Outcome<()> {
        reader.skip(8)?;
        let offset = reader.u32()?;
        reader.skip(2)?;
        let locations = reader.u16()? as usize;
        let offset = match usize::try_from(offset) {
            Ok(offset) if offset > 0 => offset,
            _ => return Err(reader.wrong("a call that returns to the first byte of its function")),
        };
        let address = (function.at as usize)
            .checked_add(offset)
            .ok_or_else(|| reader.wrong("a call beyond the end of memory"))?;
        let reading = Reading { address, constants, registers };
        // Calling convention, flags, and the number of locations for deoptimisation.
        if locations < 3 {
            return Err(reading.no_statepoint());
        }
        let mut head = [0; 3];
        for value in &mut head {
            *value = match reading.location(reader)? {
                Location::Constant(value) => value,
                _ => return Err(reading.no_statepoint()),
            };
        }
        let deopt = head[2];
        let rest = locations - 3;
        if deopt < 0 || deopt as usize > rest || !(rest - deopt as usize).is_multiple_of(2) {
            return Err(reading.no_statepoint());
        }
        for _ in 0..deopt {
            reader.skip(12)?;
        }
        let first = (self.bases.len(), self.derived.len());
        for _ in 0..(rest - deopt as usize) / 2 {
            let base = reading.location(reader)?;
            let derived = reading.location(reader)?;
            self.add_pair(&reading, first, base, derived)?;
        }
        reader.align()?;
        reader.skip(2)?;
        let live_outs = reader.u16()? as usize;
        reader.skip(live_outs * 4)?;
        reader.align()?;
        for derived in &self.derived[first.1..] {
            if self.bases[first.0..].contains(&derived.place) {
                return Err(
                    reading.wrong("has a word that is both a reference and an address inside an object")
                );
            }
        }
        let bases = Span { first: first.0 as u32, count: (self.bases.len() - first.0) as u32 };
        let derived = Span { first: first.1 as u32, count: (self.derived.len() - first.1) as u32 };
        let frame_bytes = function.frame_bytes as usize;
        let (function, section) = (function.at as usize, reader.start);
        self.sites.push(Site { address, function, frame_bytes, tagged: false, section, bases, derived })
    }

    fn add_pair(
        &mut self,
        reading: &Reading,
        first: (usize, usize),
        base: Location,
        derived: Location,
    ) -> Outcome<()> {
        let place = |location| match location {
            Location::Word(place) => Ok(Some(place)),
            // A constant is null or a static object, which do not move.
            Location::Constant(_) => Ok(None),
            Location::Register => Err(reading.wrong("keeps a reference in a register")),
            Location::Address => Err(reading.wrong("has the address of a stack slot among its references")),
        };
        let (base, derived) = (place(base)?, place(derived)?);
        let Some(base) = base else { return Ok(()) };
        if !self.bases[first.0..].contains(&base) {
            self.bases.push(base)?;
        }
        let Some(place) = derived.filter(|derived| *derived != base) else { return Ok(()) };
        match self.derived[first.1..].iter().find(|known| known.place == place) {
            None => self.derived.push(Derived { base, place }),
            Some(known) if known.base == base => Ok(()),
            Some(_) => Err(reading.wrong("has a word that belongs to two objects")),
        }
    }
}

struct Function {
    at: u64,
    frame_bytes: u64,
    records: u64,
}

impl Function {
    fn check(&self) -> Outcome<()> {
        let why = if self.at == 0 {
            "is nowhere: the linker has not placed it"
        } else if self.frame_bytes == u64::MAX {
            "has a frame of no fixed size, which cannot be walked: it has dynamic or overaligned stack slots"
        } else if self.frame_bytes > MOST_FRAME_BYTES || !self.frame_bytes.is_multiple_of(8) {
            "has a frame of an impossible size"
        } else {
            return Ok(());
        };
        Err(Failure::argument(format_args!("the compiled function at {:#x} {why}", self.at)))
    }
}

enum Location {
    Word(Place),
    Constant(i64),
    Register,
    Address,
}

/// The means to read a record, and to tell of its failures.
struct Reading {
    address: usize,
    constants: usize,
    registers: Registers,
}

impl Reading {
    fn location(&self, reader: &mut Reader<'_>) -> Outcome<Location> {
        let kind = reader.u8()?;
        reader.skip(1)?;
        let size = reader.u16()?;
        let register = reader.u16()?;
        reader.skip(2)?;
        let value = reader.u32()? as i32;
        match kind {
            1 => Ok(Location::Register),
            2 => Ok(Location::Address),
            3 if size != 8 => Err(self.wrong("keeps references in a vector, or in parts of a word")),
            3 => {
                let from = if register == self.registers.stack_pointer {
                    From::StackPointer
                } else if register == self.registers.frame_pointer {
                    From::FramePointer
                } else {
                    return Err(self.wrong("has words that are counted from neither stack nor frame pointer"));
                };
                if value % 8 != 0 {
                    return Err(self.wrong("has references that are not at a word"));
                }
                Ok(Location::Word(Place { from, offset: value }))
            }
            4 => Ok(Location::Constant(value as i64)),
            5 if (value as u32 as usize) < self.constants => Ok(Location::Constant(i64::MAX)),
            5 => Err(self.wrong("names a constant that is not there")),
            _ => Err(self.wrong("has a location of an unknown kind")),
        }
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::argument(format_args!(
            "the stack map of the call that returns to {:#x} {what}",
            self.address
        ))
    }

    fn no_statepoint(&self) -> Failure {
        self.wrong("is not one of a statepoint")
    }
}

/// Numbers from bytes, least byte first.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    start: usize,
}

impl<'a> Reader<'a> {
    fn skip(&mut self, count: usize) -> Outcome<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else { return Err(self.cut()) };
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    fn number(&mut self, count: usize) -> Outcome<u64> {
        Ok(self.skip(count)?.iter().rev().fold(0, |sum, &byte| sum << 8 | byte as u64))
    }

    fn u8(&mut self) -> Outcome<u8> {
        Ok(self.number(1)? as u8)
    }

    fn u16(&mut self) -> Outcome<u16> {
        Ok(self.number(2)? as u16)
    }

    fn u32(&mut self) -> Outcome<u32> {
        Ok(self.number(4)? as u32)
    }

    fn u64(&mut self) -> Outcome<u64> {
        self.number(8)
    }

    fn align(&mut self) -> Outcome<()> {
        self.skip(self.at.next_multiple_of(8) - self.at).map(|_| ())
    }

    fn cut(&self) -> Failure {
        Failure::argument(format_args!(
            "the section of stack maps at {:#x} ends after {} bytes, in the middle of a map",
            self.start,
            self.bytes.len()
        ))
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::argument(format_args!(
            "the section of stack maps at {:#x} has, before byte {}, {what}",
            self.start, self.at
        ))
    }
}
