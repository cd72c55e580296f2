//! The trials of the programs: kind by barrier by phase of life, and kind by way of making.

use super::events;
use super::kinds::shapes;
use crate::heap::Kind;
use std::fmt;

pub use super::events::Event;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    Write,
    WriteWord,
    Cas,
    RecordSlot,
    RecordWordSlot,
    RecordMutable,
    /// A plain store into an object that was recorded as mutable before.
    Recorded,
    OldToNew,
    Copy,
    Fill,
    Become,
    Shrink,
    Blackhole,
    Update,
    UpdatePermanent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Young,
    Aged,
    Old,
    YoungLarge,
    OldLarge,
    YoungPinned,
    OldPinned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Inline,
    Reserved,
    Slow,
    Pool,
    Large,
    Pinned,
    PinnedAlone,
    Opened,
}

const BARRIERS: [Barrier; 15] = [
    Barrier::Write,
    Barrier::WriteWord,
    Barrier::Cas,
    Barrier::RecordSlot,
    Barrier::RecordWordSlot,
    Barrier::RecordMutable,
    Barrier::Recorded,
    Barrier::OldToNew,
    Barrier::Copy,
    Barrier::Fill,
    Barrier::Become,
    Barrier::Shrink,
    Barrier::Blackhole,
    Barrier::Update,
    Barrier::UpdatePermanent,
];

const PHASES: [Phase; 7] = [
    Phase::Young,
    Phase::Aged,
    Phase::Old,
    Phase::YoungLarge,
    Phase::OldLarge,
    Phase::YoungPinned,
    Phase::OldPinned,
];

const WAYS: [Way; 8] = [
    Way::Inline,
    Way::Reserved,
    Way::Slow,
    Way::Pool,
    Way::Large,
    Way::Pinned,
    Way::PinnedAlone,
    Way::Opened,
];

const KINDS: [Kind; 20] = [
    Kind::Constr,
    Kind::MutVar,
    Kind::Bitmap,
    Kind::BitmapLarge,
    Kind::Tagged,
    Kind::Sized,
    Kind::Array,
    Kind::ArrayFrozen,
    Kind::WeakArray,
    Kind::Structs,
    Kind::Bytes,
    Kind::Custom,
    Kind::Thread,
    Kind::Thunk,
    Kind::Selector,
    Kind::Fun,
    Kind::Pap,
    Kind::Ap,
    // Thunks become these.
    Kind::Blackhole,
    Kind::CafBlackhole,
];

/// Figures besides the cells.
const NUMBERS: usize = 11;
const CELLS: usize = KINDS.len() * BARRIERS.len() * PHASES.len();

#[derive(Clone)]
pub struct Coverage {
    cells: Vec<u64>,
    made: Vec<u64>,
    pub programs: u64,
    pub collections: u64,
    pub majors: u64,
    pub objects: u64,
    pub moves: u64,
    pub weaks: u64,
    pub weak_deaths: u64,
    pub finalizers: u64,
    pub censuses: u64,
    /// Censuses in which a biography was taken.
    pub censuses_of_lives: u64,
    /// Objects that were given an identity hash.
    pub numbers: u64,
    events: events::Counts,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage {
            cells: vec![0; CELLS],
            made: vec![0; KINDS.len() * WAYS.len()],
            programs: 0,
            collections: 0,
            majors: 0,
            objects: 0,
            moves: 0,
            weaks: 0,
            weak_deaths: 0,
            finalizers: 0,
            censuses: 0,
            censuses_of_lives: 0,
            numbers: 0,
            events: [0; events::COUNT],
        }
    }
}

fn row(kind: Kind) -> usize {
    KINDS.iter().position(|&k| k == kind).unwrap_or(0)
}

fn cell(kind: Kind, barrier: Barrier, phase: Phase) -> usize {
    (row(kind) * BARRIERS.len() + barrier as usize) * PHASES.len() + phase as usize
}

impl Coverage {
    pub fn wrote(&mut self, kind: Kind, barrier: Barrier, phase: Phase) {
        if KINDS.contains(&kind) {
            self.cells[cell(kind, barrier, phase)] += 1;
        }
    }

    pub fn made(&mut self, kind: Kind, way: Way) {
        self.objects += 1;
        if !KINDS.contains(&kind) {
            return;
        }
        self.made[row(kind) * WAYS.len() + way as usize] += 1;
    }

    pub fn event(&mut self, event: Event) {
        self.events(event, 1);
    }
    pub fn events(&mut self, event: Event, count: u64) {
        self.events[event as usize] += count;
    }
    pub fn pushed(&mut self, frame: usize) {
        self.events[events::frame(frame)] += 1;
    }

    fn numbers(&self) -> [u64; NUMBERS] {
        let (weaks, deaths, finalizers) = (self.weaks, self.weak_deaths, self.finalizers);
        let lives = self.censuses_of_lives;
        let objects =
            [self.objects, self.moves, self.censuses, weaks, deaths, finalizers, lives, self.numbers];
        let mut all = [self.programs, self.collections, self.majors, 0, 0, 0, 0, 0, 0, 0, 0];
        all[3..].copy_from_slice(&objects);
        all
    }

    pub fn add(&mut self, other: &Coverage) {
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            *mine += theirs;
        }
        for (mine, theirs) in self.made.iter_mut().zip(&other.made) {
            *mine += theirs;
        }
        self.programs += other.programs;
        self.collections += other.collections;
        self.majors += other.majors;
        self.objects += other.objects;
        self.moves += other.moves;
        self.weaks += other.weaks;
        self.weak_deaths += other.weak_deaths;
        self.finalizers += other.finalizers;
        self.censuses += other.censuses;
        self.censuses_of_lives += other.censuses_of_lives;
        self.numbers += other.numbers;
        for (mine, theirs) in self.events.iter_mut().zip(&other.events) {
            *mine += theirs;
        }
    }

    /// One line of numbers, for another process.
    pub fn to_line(&self) -> String {
        let numbers = self.numbers();
        let all: Vec<u64> =
            self.cells.iter().chain(&self.made).chain(&self.events).chain(&numbers).copied().collect();
        all.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }

    /// `None` when it is not a line of `to_line`.
    pub fn from_line(line: &str) -> Option<Coverage> {
        let all: Option<Vec<u64>> = line.split_ascii_whitespace().map(|n| n.parse().ok()).collect();
        let all =
            all.filter(|all| all.len() == CELLS + KINDS.len() * WAYS.len() + events::COUNT + NUMBERS)?;
        let (cells, rest) = all.split_at(CELLS);
        let (made, rest) = rest.split_at(KINDS.len() * WAYS.len());
        let (events, numbers) = rest.split_at(events::COUNT);
        Some(Coverage {
            cells: cells.to_vec(),
            made: made.to_vec(),
            programs: numbers[0],
            collections: numbers[1],
            majors: numbers[2],
            objects: numbers[3],
            moves: numbers[4],
            censuses: numbers[5],
            weaks: numbers[6],
            weak_deaths: numbers[7],
            finalizers: numbers[8],
            censuses_of_lives: numbers[9],
            numbers: numbers[10],
            events: events.try_into().ok()?,
        })
    }

    /// Cells that are possible and were never hit.
    pub fn empty_cells(&self) -> Vec<String> {
        let mut empty = Vec::new();
        for kind in KINDS {
            for barrier in BARRIERS {
                for phase in PHASES {
                    if can_exist(kind, barrier, phase) && self.cells[cell(kind, barrier, phase)] == 0 {
                        empty.push(format!("{kind:?} {barrier:?} {phase:?}"));
                    }
                }
            }
            for way in WAYS {
                if can_make(kind, way) && self.made[row(kind) * WAYS.len() + way as usize] == 0 {
                    empty.push(format!("{kind:?} made {way:?}"));
                }
            }
        }
        let nothing = |&index: &usize| self.events[index] == 0;
        empty.extend((0..events::COUNT).filter(nothing).filter_map(events::name));
        empty
    }
}

fn has_role(kind: Kind, role: super::kinds::Role) -> bool {
    // A word behind every length and fixed part, and one before.
    shapes().iter().filter(|s| s.kind == kind).any(|s| {
        let count = s.payload(4);
        (0..count).any(|index| s.role(index) == role)
    })
}

/// Whether a kind has an object of more words than are ever copied.
fn can_be_large(kind: Kind) -> bool {
    !matches!(kind, Kind::Bitmap | Kind::Selector | Kind::CafBlackhole)
}

fn is_lazy(kind: Kind) -> bool {
    (Kind::Thunk.number()..=Kind::Ap.number()).contains(&kind.number())
}

fn can_exist(kind: Kind, barrier: Barrier, phase: Phase) -> bool {
    use super::kinds::Role;
    let lazy = is_lazy(kind);
    let (pointer, tagged) = match lazy {
        // Programs store nothing into these.
        true => (false, false),
        false => (
            has_role(kind, Role::Pointer) || has_role(kind, Role::Weak),
            has_role(kind, Role::Tagged) || has_role(kind, Role::WeakTagged),
        ),
    };
    // The only large kinds with both are those of any length.
    let possible = match barrier {
        Barrier::Write | Barrier::Cas | Barrier::RecordSlot => pointer,
        Barrier::WriteWord | Barrier::RecordWordSlot => tagged,
        Barrier::RecordMutable | Barrier::OldToNew => pointer || tagged,
        Barrier::Recorded => shapes().iter().any(|s| s.kind == kind && s.is_mutable()) && (pointer || tagged),
        Barrier::Copy | Barrier::Fill => matches!(kind, Kind::Array | Kind::ArrayFrozen),
        Barrier::Become => !lazy && kind != Kind::WeakArray,
        Barrier::Blackhole => matches!(kind, Kind::Thunk | Kind::Ap),
        Barrier::Update | Barrier::UpdatePermanent => {
            matches!(kind, Kind::Thunk | Kind::Ap | Kind::Blackhole | Kind::CafBlackhole)
        }
        Barrier::Shrink => shapes().iter().any(|s| s.kind == kind && s.can_shrink()),
    };
    let large = matches!(phase, Phase::YoungLarge | Phase::OldLarge);
    // Entering a CAF makes it.
    let never = kind == Kind::CafBlackhole && matches!(phase, Phase::YoungPinned | Phase::OldPinned);
    possible && !never && (!large || can_be_large(kind))
}

fn can_make(kind: Kind, way: Way) -> bool {
    let never = matches!(kind, Kind::Blackhole | Kind::CafBlackhole);
    !never && (!matches!(way, Way::Large | Way::PinnedAlone) || can_be_large(kind))
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [
            programs,
            collections,
            majors,
            objects,
            moves,
            censuses,
            weaks,
            deaths,
            finalizers,
            lives,
            numbered,
        ] = self.numbers();
        writeln!(
            f,
            "{programs} programs, {objects} objects made, {collections} collections ({majors} major), {moves} objects told that they moved, {censuses} censuses, {lives} of them in biographies"
        )?;
        writeln!(
            f,
            "{weaks} weak pointers, of which {deaths} died; {finalizers} finalizers were run; {numbered} objects got an identity hash"
        )?;
        write!(f, "{:<12} {:<15}", "kind", "barrier")?;
        for phase in PHASES {
            write!(f, "{:>13}", format!("{phase:?}"))?;
        }
        writeln!(f)?;
        for kind in KINDS {
            for barrier in BARRIERS {
                if !PHASES.iter().any(|&phase| can_exist(kind, barrier, phase)) {
                    continue;
                }
                write!(f, "{:<12} {:<15}", format!("{kind:?}"), format!("{barrier:?}"))?;
                for phase in PHASES {
                    let count = self.cells[cell(kind, barrier, phase)];
                    if can_exist(kind, barrier, phase) || count > 0 {
                        write!(f, "{count:>13}")?;
                    } else {
                        write!(f, "{:>13}", "-")?;
                    }
                }
                writeln!(f)?;
            }
        }
        write!(f, "{:<12} {:<15}", "kind", "made")?;
        for way in WAYS {
            write!(f, "{:>12}", format!("{way:?}"))?;
        }
        writeln!(f)?;
        for kind in KINDS {
            write!(f, "{:<28}", format!("{kind:?}"))?;
            for way in WAYS {
                match (self.made[row(kind) * WAYS.len() + way as usize], can_make(kind, way)) {
                    (0, false) => write!(f, "{:>12}", "-")?,
                    (count, _) => write!(f, "{count:>12}")?,
                }
            }
            writeln!(f)?;
        }
        for (index, count) in self.events.iter().enumerate() {
            if let Some(name) = events::name(index) {
                writeln!(f, "{name:<28}{count:>12}")?;
            }
        }
        Ok(())
    }
}
