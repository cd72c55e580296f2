//! The samples as a profile for pprof: sums, machine stacks with the names of their functions, cost centres and types as labels.

use super::sampler::Sampler;
use crate::base::sort::sort;
use crate::base::{Addr, List, Shown};
use crate::identity::names::{Name, Names, copy, names};
use crate::identity::{info, producer};
use crate::os::code;
use crate::os::mappings::{self, Mapping};
use crate::os::symbols::Symbols;
use crate::report::pprof::{Mapped, PprofWriter};
use std::io::{self, Write};

/// A profile that is being written, and the parts that it refers to by number.
struct Profile<'a, 'b> {
    sampler: &'a Sampler,
    writer: PprofWriter<'b>,
    /// Addresses of all calls, in order; a location's number is the place and 1.
    addresses: List<Addr>,
    /// Texts of labels that were written, by name, with their numbers.
    texts: List<(Name, u64)>,
}

fn full(_: impl Sized) -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

/// Writes the rows of a sampler that was settled, at `time` nanoseconds since 1970.
pub(crate) fn write(sampler: &Sampler, time: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut addresses = List::new();
    for row in sampler.rows.all.iter() {
        // A call returns behind itself.
        sampler
            .stacks
            .stack(row.key.stack)
            .iter()
            .try_for_each(|at| addresses.push(Addr(at - 1)))
            .map_err(full)?;
    }
    sort(&mut addresses);
    let mut last = None;
    addresses.retain_mut(|at| last.replace(*at) != Some(*at));
    let writer = PprofWriter::begin(out, sampler.every, time)?;
    let mut profile = Profile { sampler, writer, addresses, texts: List::new() };
    profile.locations()?;
    profile.samples()
}

impl Profile<'_, '_> {
    fn locations(&mut self) -> io::Result<()> {
        let mut symbols = Symbols::default();
        let mappings = mappings::of_code().map_err(full)?;
        let mut written = 0;
        let mut mapping = None;
        for (index, &Addr(address)) in self.addresses.iter().enumerate() {
            let now = mappings.iter().find(|one| (one.start..one.end).contains(&address));
            if let Some(one) = now
                && mapping != Some(one.start)
            {
                written += 1;
                mapping = Some(one.start);
                let Mapping { start, end, offset, file } = one;
                let file = self.writer.text(file)?;
                let build_id = build_id(&mut self.writer, address)?;
                let (start, limit, offset) = (*start as u64, *end as u64, *offset as u64);
                let mapped = Mapped { start, limit, offset, file, build_id };
                self.writer.mapping(written, &mapped)?;
            }
            let located = symbols.locate(address).map_err(full)?;
            let name = match located.and_then(|located| located.function) {
                Some((_, name)) => Some(shown(&mut self.writer, name)?),
                None => None,
            };
            let mapping = if now.is_some() { written } else { 0 };
            self.writer.location(index as u64 + 1, mapping, address as u64, name)?;
        }
        Ok(())
    }

    fn samples(&mut self) -> io::Result<()> {
        let (type_of, centres) = (self.writer.text(b"type")?, self.writer.text(b"cost_centre")?);
        let sampler = self.sampler;
        for row in sampler.rows.all.iter() {
            let mut labels = [(0, 0); 2];
            let mut count = 0;
            if row.key.info != 0 {
                let name = info::get(row.key.info).type_name;
                labels[count] = (type_of, self.label(name)?);
                count += 1;
            }
            if row.key.ccs != 0 {
                let name = producer::name(producer::of_stack(row.key.ccs), &mut names()).map_err(full)?;
                labels[count] = (centres, self.label(name)?);
                count += 1;
            }
            let addresses = &self.addresses;
            let stack = sampler.stacks.stack(row.key.stack);
            let ids =
                stack.iter().map(|at| addresses.partition_point(|&other| other < Addr(at - 1)) as u64 + 1);
            let whole = |value: f64| value.round() as u64;
            let values = [row.allocated.objects, row.allocated.bytes, row.live.objects, row.live.bytes];
            self.writer.sample(ids, values.map(whole), &labels[..count])?;
        }
        Ok(())
    }

    /// The number of the text of a label. That of a cost-centre stack is without the stack's number, which differs from run to run.
    fn label(&mut self, name: Name) -> io::Result<u64> {
        if let Some(&(_, number)) = self.texts.iter().find(|&&(known, _)| known == name) {
            return Ok(number);
        }
        let text = copy(name).map_err(full)?;
        let text = &text[..];
        let bare = text.strip_prefix(b"(").and_then(|rest| {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest[digits..].strip_prefix(b")").filter(|bare| digits > 0 && !bare.is_empty())
        });
        // The file may be a pipe whose reader waits for the names.
        let held: Option<Names> = planted!(531, Some(names()), None);
        let number = shown(&mut self.writer, bare.unwrap_or(text))?;
        drop(held);
        self.texts.push((name, number)).map_err(full)?;
        Ok(number)
    }
}

/// The number of the text of the build id of the code at an address; that of the empty text where there is none.
fn build_id(writer: &mut PprofWriter<'_>, address: usize) -> io::Result<u64> {
    let mut digits: List<u8> = List::new();
    for byte in code::build_id(address).iter() {
        write!(digits, "{byte:02x}")?;
    }
    if digits.is_empty() { Ok(0) } else { writer.text(&digits) }
}

fn shown(writer: &mut PprofWriter<'_>, text: &[u8]) -> io::Result<u64> {
    let mut whole: List<u8> = List::new();
    Shown::told(text).write(&mut whole)?;
    writer.text(&whole)
}
