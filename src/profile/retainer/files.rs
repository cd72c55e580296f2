//! The output of a profile by retainers: the bands of each census, its lines in the `.prof` file, and at the
//! end the members of all sets and the chains above them.

use crate::base::{Failure, List, Outcome, sort};
use crate::heap::mutator::busy::Mark;
use crate::identity::ccs;
use crate::identity::info;
use crate::identity::names::{Name, names};
use crate::identity::printed;
use crate::profile::biography::shown::Shown;
use crate::profile::retainer::scheme::{RetainerScheme, Retainers};
use crate::profile::retainer::set::Named;
use crate::profile::retainer::{Retainer, SetId, Sets};
use crate::report::hp;
use crate::report::retainers as writer;

/// Links of a chain of retainers above the data, at most.
const LONGEST_CHAIN: usize = 12;
/// Number of retainers whose chains are written: those that hold most.
const MOST_CHAINS: usize = 20;

fn no_text() -> Failure {
    Failure::no_memory(format_args!("no memory for the text of a retainer profile"))
}

/// Writes a retainer's name, short as in bands, or whole as in the list of sets. The client may be asked for
/// it, so the names must not be locked.
fn write_name(
    out: &mut List<u8>,
    retainer: Retainer,
    whole: bool,
    scheme: &RetainerScheme,
    mark: Mark,
) -> Outcome<()> {
    match retainer.named() {
        Named::Info(number) => {
            let info = info::get(number);
            let names = names();
            let module = names.text(info.module);
            if whole && module != b"(no module)" {
                out.append(module)?;
                out.push(b'.')?;
            }
            out.append(names.text(info.description))
        }
        Named::Stack(number) => {
            let Some(stack) = ccs::stack(number) else { return out.append(b"?") };
            if !whole {
                return out.append(stack.innermost().label.to_bytes());
            }
            for (depth, part) in stack.outwards().take_while(|part| part.number != 0).enumerate() {
                if depth > 0 {
                    out.push(b',')?;
                }
                let centre = part.innermost();
                out.append(centre.module.to_bytes())?;
                out.push(b'.')?;
                out.append(centre.label.to_bytes())?;
            }
            Ok(())
        }
        Named::Root(number) => out.append(names().text(Name(number))),
        Named::Client(number) => match scheme.name {
            Some(name) => {
                let mut buffer = [0u8; 512];
                // SAFETY: the client's function writes at most so many bytes and returns their number.
                let length = mark.during(|| unsafe {
                    name(scheme.client, number, buffer.as_mut_ptr().cast(), buffer.len())
                });
                out.append(&buffer[..length.min(buffer.len())])
            }
            None => {
                let text = crate::base::Sentence::new(format_args!("retainer {number}"));
                out.append(text.as_str().as_bytes())
            }
        },
    }
}

/// Writes a set's number and its members' short names: `(71)doFile,synth`.
fn write_band(
    out: &mut List<u8>,
    sets: &Sets,
    set: SetId,
    scheme: &RetainerScheme,
    mark: Mark,
) -> Outcome<()> {
    if set == SetId::MANY {
        return out.append(b"MANY");
    }
    let number = crate::base::Sentence::new(format_args!("({})", set.0));
    out.append(number.as_str().as_bytes())?;
    for (at, member) in sets.members(set).iter().enumerate() {
        if at > 0 {
            out.push(b',')?;
        }
        write_name(out, *member, false, scheme, mark)?;
    }
    Ok(())
}

/// The set whose band has this name; `None` for the band of objects in no set.
pub(crate) fn set_of_band(name: &[u8]) -> Option<SetId> {
    if name == b"MANY" {
        return Some(SetId::MANY);
    }
    let end = name.iter().position(|&byte| byte == b')')?;
    let number = name[..end].strip_prefix(b"(")?;
    std::str::from_utf8(number).ok()?.parse().ok().map(SetId)
}

/// Names of bands one behind the other; for each the end of its name, the bytes of its objects, and the
/// length to which the name is cut.
pub struct SetBands {
    text: List<u8>,
    ends: List<(usize, u64, usize)>,
}

impl SetBands {
    pub fn each(&self) -> impl Iterator<Item = hp::Band<'_>> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|&(end, ..)| end));
        starts
            .zip(self.ends.iter())
            .map(|(start, &(end, bytes, room))| hp::Band::set(&self.text[start..end], bytes, room))
    }
}

impl Retainers {
    /// Whether a member of a set has this name, as bands show it. The members of MANY are unknown.
    pub fn has_member(&self, set: SetId, wanted: Name) -> bool {
        let Some(sets) = &self.sets else { return false };
        sets.members(set).iter().any(|&member| {
            let mut name = List::new();
            let written = write_name(&mut name, member, false, &self.scheme, self.mark);
            written.is_ok() && printed::is_called(&name, names().text(wanted))
        })
    }

    /// The name of a set's band, uncut: its number and its members' short names.
    pub fn band_name(&self, set: SetId) -> Outcome<Name> {
        let mut text = List::new();
        match &self.sets {
            Some(sets) if set != SetId::NONE => {
                write_band(&mut text, sets, set, &self.scheme, self.mark)?;
            }
            _ => text.append(crate::profile::heap::bands::UNREACHED.as_bytes())?,
        }
        names().intern(&text)
    }

    /// The bands of the last census, for the sets that are wanted.
    pub fn bands(
        &self,
        live_bytes: u64,
        restricted: bool,
        length: usize,
        mut wanted: impl FnMut(SetId) -> Outcome<bool>,
    ) -> Outcome<SetBands> {
        let mut bands = SetBands { text: List::new(), ends: List::new() };
        let Some(sets) = &self.sets else { return Ok(bands) };
        for set in sets.each().filter(|&set| sets.objects(set) > 0) {
            if !wanted(set)? {
                continue;
            }
            write_band(&mut bands.text, sets, set, &self.scheme, self.mark)?;
            bands.ends.push((bands.text.len(), sets.cost(set), length))?;
        }
        // Without a cost function of the client's, the rest of the live bytes belongs to objects that no
        // root leads to.
        if !restricted && self.scheme.cost.is_none() && live_bytes > self.cost {
            bands.text.append(crate::profile::heap::bands::UNREACHED.as_bytes())?;
            bands.ends.push((bands.text.len(), live_bytes - self.cost, usize::MAX))?;
        }
        Ok(bands)
    }

    pub fn whole_name(&self, retainer: Retainer) -> Outcome<List<u8>> {
        self.text(retainer, true)
    }

    pub fn text(&self, retainer: Retainer, whole: bool) -> Outcome<List<u8>> {
        let mut text = List::new();
        write_name(&mut text, retainer, whole, &self.scheme, self.mark)?;
        Ok(text)
    }

    /// The figures of the last census.
    pub fn census(&self, seconds: f64) -> writer::Census {
        writer::Census {
            number: self.taken.saturating_sub(1),
            seconds,
            most_waiting: self.figures.most_waiting,
            visits: self.figures.visits,
            objects: self.figures.objects,
            cost: self.cost,
            sets: self.sets.as_ref().map_or(0, |sets| sets.made() as u64),
        }
    }

    pub fn write_census(&self, out: &mut List<u8>, census: &writer::Census) -> Outcome<()> {
        writer::census(out, census).map_err(|_| no_text())
    }

    /// Sets the costs to those that a file of phases shows for each set, sample by sample.
    pub fn cost_as_shown(&mut self, shown: &Shown) {
        let Some(sets) = &mut self.sets else { return };
        sets.show_nothing();
        for (at, sample) in shown.samples.iter().enumerate() {
            let in_last = at + 1 == shown.samples.len();
            for &(name, bytes) in shown.bands_of(sample) {
                if let Some(set) = set_of_band(names().text(name)) {
                    sets.show(set, bytes, in_last);
                }
            }
        }
        self.cost = sets.each().map(|set| sets.cost(set)).fold(0, u64::saturating_add);
    }

    /// Writes the sets that were ever charged, in pieces of about `PIECE` bytes.
    pub fn write_sets(
        &self,
        out: &mut List<u8>,
        mut flush: impl FnMut(&mut List<u8>) -> Outcome<()>,
    ) -> Outcome<()> {
        const PIECE: usize = 1 << 16;
        out.append(writer::SETS.as_bytes())?;
        let Some(sets) = &self.sets else { return flush(out) };
        for set in sets.each().filter(|&set| set != SetId::MANY && sets.was_charged(set)) {
            let (mut text, mut ends): (List<u8>, List<usize>) = (List::new(), List::new());
            for member in sets.members(set) {
                write_name(&mut text, *member, true, &self.scheme, self.mark)?;
                ends.push(text.len())?;
            }
            let starts = [0].into_iter().chain(ends.iter().copied());
            let members = starts.zip(ends.iter()).map(|(start, &end)| &text[start..end]);
            writer::set(out, set.0, members).map_err(|_| no_text())?;
            if out.len() >= PIECE {
                flush(out)?;
            }
        }
        flush(out)
    }

    /// Writes, for the retainers that held most at the last census, the chain of the retainers that held
    /// them.
    pub fn write_chains(&self, out: &mut List<u8>) -> Outcome<()> {
        let Some(sets) = &self.sets else { return Ok(()) };
        let held = self.bytes_by_retainer(sets)?;
        let bytes_of = |retainer: Retainer| {
            held.binary_search_by_key(&retainer, |&(known, _)| known).map_or(0, |at| held[at].1)
        };
        let mut order: List<(u64, Retainer)> = List::new();
        for &(retainer, bytes) in held.iter() {
            order.push((bytes, retainer))?;
        }
        sort::sort_by(&mut order, |one, other| other < one);
        out.append(writer::CHAINS.as_bytes())?;
        for &(_, retainer) in order.iter().take(MOST_CHAINS) {
            let (mut at, mut seen) = (retainer, [retainer; LONGEST_CHAIN]);
            for depth in 0..LONGEST_CHAIN {
                let text = self.whole_name(at)?;
                writer::link(out, depth, &text, bytes_of(at)).map_err(|_| no_text())?;
                // The next link is the retainer that holds most objects of this one; a retainer that
                // holds itself explains nothing.
                let above = self.held.each().filter(|&(by, what, _)| what == at.0 && by != what);
                let Some((by, _, _)) = above.max_by_key(|&(by, _, count)| (count, by)) else { break };
                at = Retainer(by);
                if seen[..=depth].contains(&at) || depth + 1 == LONGEST_CHAIN {
                    break;
                }
                seen[depth + 1] = at;
            }
        }
        Ok(())
    }

    /// Bytes that each retainer held, alone or with others, sorted by retainer.
    fn bytes_by_retainer(&self, sets: &Sets) -> Outcome<List<(Retainer, u64)>> {
        let mut all: List<(Retainer, u64)> = List::new();
        for set in sets.each() {
            for &member in sets.members(set) {
                all.push((member, sets.cost(set)))?;
            }
        }
        sort::sort(&mut all);
        let mut sums: List<(Retainer, u64)> = List::new();
        for &(retainer, bytes) in all.iter() {
            match sums.last_mut() {
                Some(last) if last.0 == retainer => last.1 = last.1.saturating_add(bytes),
                _ => sums.push((retainer, bytes))?,
            }
        }
        Ok(sums)
    }
}
