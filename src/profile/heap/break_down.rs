//! The break-downs of a heap profile: the properties by which it groups objects, and their letters of
//! `-h`.

use crate::identity::info::InfoNames;
use crate::identity::names::Name;

/// The property by which a profile groups objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakDown {
    /// `-hT`: constructor, or layout.
    Kind,
    /// `-hy`: type.
    Type,
    /// `-hd`: closure description.
    Description,
    /// `-hm`: module, of the producer when producers are known and cost centres exist, else of the info
    /// table.
    Module,
    /// `-hi`: info table, with its source position.
    Info,
    /// `-hc`: cost-centre stack of the producer.
    Producer,
    /// `-ha`: place in the code that allocated.
    Site,
    /// `-hr`: set of retainers, which no tally counts: `profile::retainer`.
    Retainer,
}

/// The break-downs that a tally counts.
pub(crate) const BREAK_DOWNS: [BreakDown; 7] = [
    BreakDown::Kind,
    BreakDown::Type,
    BreakDown::Description,
    BreakDown::Module,
    BreakDown::Info,
    BreakDown::Producer,
    BreakDown::Site,
];

impl BreakDown {
    pub const fn letter(self) -> char {
        match self {
            BreakDown::Kind => 'T',
            BreakDown::Type => 'y',
            BreakDown::Description => 'd',
            BreakDown::Module => 'm',
            BreakDown::Info => 'i',
            BreakDown::Producer => 'c',
            BreakDown::Site => 'a',
            BreakDown::Retainer => 'r',
        }
    }

    pub fn from_letter(letter: char) -> Option<BreakDown> {
        BREAK_DOWNS.into_iter().chain([BreakDown::Retainer]).find(|one| one.letter() == letter)
    }

    /// The name of an info table; none for a break-down by producer or retainer.
    pub fn name_of(self, info: &InfoNames) -> Name {
        match self {
            BreakDown::Kind => info.kind,
            BreakDown::Type => info.type_name,
            BreakDown::Description => info.description,
            BreakDown::Module => info.module,
            BreakDown::Info => info.whole,
            BreakDown::Producer | BreakDown::Site | BreakDown::Retainer => Name::NONE,
        }
    }
}
