//! A `.mix` file that a compiler is writing.

use crate::base::list::List;
use crate::base::{Failure, Outcome};
use crate::os::file::{Name, Target};
use crate::os::output::Body;
use crate::report::mix::{self, Decision, Header, Label, Place, Stamp};
use crate::runtime::slot::{Held, Placed, Slot, Slots};

/// The kinds of boxes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BoxKind {
    /// How often an expression was reached.
    Expression = 0,
    /// How often an alternative was reached: right-hand side of a guard or case, branch of an `if`.
    Alternative = 1,
    /// How often a top-level declaration was entered; it has one name.
    TopLevel = 2,
    /// How often a local declaration was entered; its names are those of what encloses it, outermost first, and its own.
    Local = 3,
    /// Two boxes: how often a guard came out true, then how often false.
    Guard = 4,
    /// Two boxes: how often the condition of an `if` or a loop came out true, then false.
    Condition = 5,
    /// Two boxes: how often a condition in a comprehension came out true, then false.
    Qualifier = 6,
}

/// A `.mix` file that is being written: where the boxes of one module stand in its source.
///
/// The client's; `barrow_mix_end` or `barrow_mix_cancel` frees it. It belongs to one thread at a time; each module has its own.
pub struct Mix {
    pub signature: u64,
    file: Name,
    source: List<u8>,
    stamp: Stamp,
    tab_width: u32,
    /// The hash of the module; 0 for one made from the rest of the file.
    hash: u32,
    /// The boxes as the file has them.
    text: List<u8>,
    boxes: usize,
}

const SIGNATURE: u64 = u64::from_le_bytes(*b"mix file");

impl Placed for Mix {
    fn slots() -> &'static Slots {
        static SLOTS: Slots = Slots::of::<Mix>();
        &SLOTS
    }
}

impl Held for Mix {
    const WHAT: &'static str = ".mix file";
    const GONE: &'static str = "was ended or cancelled";

    fn is_live(&self) -> bool {
        self.signature == SIGNATURE
    }
}

impl Mix {
    pub(crate) fn new(file: &[u8], header: &Header<'_>, hash: u32) -> Outcome<Slot<Mix>> {
        let Header { source, stamp, tab_width } = *header;
        if !(1..=64).contains(&tab_width) {
            return Err(Failure::argument(format_args!("the tab width is {tab_width}; it may be 1 to 64")));
        }
        if !stamp.is_readable() {
            return Err(Failure::argument(format_args!(
                "the time stamp ({} s, {} ns) lies outside the years 1 to 9999",
                stamp.seconds, stamp.nanos
            )));
        }
        let mut kept = List::new();
        kept.append(source.as_bytes())?;
        Slot::new(Mix {
            signature: SIGNATURE,
            file: Name::new(file)?,
            source: kept,
            stamp,
            tab_width,
            hash,
            text: List::new(),
            boxes: 0,
        })
    }

    /// Adds a box and gives its number.
    pub fn add(&mut self, place: Place, label: &Label<'_>) -> Outcome<usize> {
        let inside = place.first_line >= 1 && place.first_column >= 1 && place.last_column >= 1;
        let ends_behind = (place.last_line, place.last_column) >= (place.first_line, place.first_column);
        if !inside || !ends_behind {
            return Err(Failure::argument(format_args!(
                "the place {place} is none: lines and columns count from 1, and the end is not before the start"
            )));
        }
        let number = self.boxes;
        let length = self.text.len();
        let written = match *label {
            Label::Decision { decision, .. } => self
                .append(place, &Label::Decision { decision, outcome: true })
                .and_then(|()| self.append(place, &Label::Decision { decision, outcome: false })),
            _ => self.append(place, label),
        };
        if let Err(failure) = written {
            self.text.truncate(length);
            self.boxes = number;
            return Err(failure);
        }
        Ok(number)
    }

    /// As `add`, for a box of a `BoxKind` with its names.
    pub(crate) fn add_box(&mut self, kind: u32, place: Place, names: &[&str]) -> Outcome<usize> {
        const EXPRESSION: u32 = BoxKind::Expression as u32;
        const ALTERNATIVE: u32 = BoxKind::Alternative as u32;
        const TOP_LEVEL: u32 = BoxKind::TopLevel as u32;
        const LOCAL: u32 = BoxKind::Local as u32;
        const GUARD: u32 = BoxKind::Guard as u32;
        const CONDITION: u32 = BoxKind::Condition as u32;
        const QUALIFIER: u32 = BoxKind::Qualifier as u32;
        match (kind, names) {
            (EXPRESSION, []) => self.add(place, &Label::Expression { alternative: false }),
            (ALTERNATIVE, []) => self.add(place, &Label::Expression { alternative: true }),
            (TOP_LEVEL, [name]) => self.add(place, &Label::TopLevel(name)),
            (LOCAL, [_, ..]) => self.add(place, &Label::Local(names)),
            (GUARD, []) => self.add(place, &decision(Decision::Guard)),
            (CONDITION, []) => self.add(place, &decision(Decision::Condition)),
            (QUALIFIER, []) => self.add(place, &decision(Decision::Qualifier)),
            (kind, names) if kind <= QUALIFIER => {
                Err(Failure::argument(format_args!("a box of kind {kind} cannot have {} names", names.len())))
            }
            (kind, _) => Err(Failure::argument(format_args!("there is no kind {kind} of boxes"))),
        }
    }

    fn append(&mut self, place: Place, label: &Label<'_>) -> Outcome<()> {
        mix::write_box(place, label, self.boxes == 0, &mut self.text)
            .map_err(|_| Failure::no_memory(format_args!("no memory for box {} of a module", self.boxes)))?;
        self.boxes += 1;
        Ok(())
    }

    /// Writes the file; gives the hash and the number of boxes.
    pub fn write(&self) -> Outcome<(u32, usize)> {
        let header = Header {
            source: crate::profile::coverage::modules::text(&self.source),
            stamp: self.stamp,
            tab_width: self.tab_width,
        };
        let hash = if self.hash == 0 { mix::hash(&header, &self.text) } else { self.hash };
        let body: Body<'_> = &mut |out| mix::write(&header, hash, &self.text, out);
        // Compilers run side by side, and two of them may write the same module: `Target` replaces the
        // file as a whole.
        Target::new(self.file.as_c_str().to_bytes())?.write(body)?;
        Ok((hash, self.boxes))
    }
}

impl Drop for Mix {
    fn drop(&mut self) {
        self.signature = 0;
    }
}

/// A decision's label before it is split in two.
const fn decision(decision: Decision) -> Label<'static> {
    Label::Decision { decision, outcome: true }
}
