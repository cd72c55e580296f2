//! Restrictions: only objects with one of the given names count. A profile may have any number of them, and
//! an object must meet all. A name may be given as files print it, since a line of flags has no blanks in a
//! name.

use crate::base::flag::each_name;
use crate::base::{List, Outcome};
use crate::identity::info::InfoNames;
use crate::identity::names::{Name, names};
use crate::identity::printed::is_called;
use crate::identity::producer;
use crate::profile::heap::break_down::BreakDown;

struct Wanted {
    name: Name,
    /// Whether an object had this name.
    met: bool,
}

/// The property that a restriction looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    /// A name of the info table.
    Info(BreakDown),
    /// The label of the producer's innermost centre, `-hc`.
    Innermost,
    /// The label of any centre of the producer, `-hC`.
    Anywhere,
    /// The module of the producer's innermost centre, `-hm` when producers are known.
    Module,
    /// The name of a member of the retainer set, `-hr`.
    Retainer,
}

/// A restriction such as `-hdBranch,Leaf`: a letter, and names of which an object must have one.
struct Restriction {
    letter: char,
    of: Of,
    names: List<Wanted>,
}

#[derive(Default)]
pub struct Restrictions(List<Restriction>);

impl Restrictions {
    /// Reads letters and names, `dBranch,Leaf yMap`, as the flags have them. With `by_producer`, modules are
    /// those of producers.
    pub fn read(text: &str, by_producer: bool) -> Outcome<Restrictions> {
        let mut all = List::new();
        for part in text.split_ascii_whitespace() {
            let Some(letter) = part.chars().next() else { continue };
            let of = match letter {
                'c' => Of::Innermost,
                'C' => Of::Anywhere,
                'm' if by_producer => Of::Module,
                'r' => Of::Retainer,
                _ => match BreakDown::from_letter(letter) {
                    Some(by) => Of::Info(by),
                    None => continue,
                },
            };
            let mut wanted = List::new();
            each_name(&part[letter.len_utf8()..], &mut |name| {
                wanted.push(Wanted { name: names().intern(name.as_bytes())?, met: false })
            })?;
            all.push(Restriction { letter, of, names: wanted })?;
        }
        Ok(Restrictions(all))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether some restriction looks at producers.
    pub fn ask_for_producers(&self) -> bool {
        let of_producer = |of| matches!(of, Of::Innermost | Of::Anywhere | Of::Module);
        self.0.iter().any(|restriction| of_producer(restriction.of))
    }

    /// Whether some restriction looks at retainer sets.
    pub fn ask_for_retainers(&self) -> bool {
        self.0.iter().any(|restriction| restriction.of == Of::Retainer)
    }

    /// Takes modules from producers, or from info tables. Called before any object was asked for.
    pub fn take_modules_of_producers(&mut self, by_producer: bool) {
        for restriction in self.0.iter_mut().filter(|restriction| restriction.letter == 'm') {
            restriction.of = if by_producer { Of::Module } else { Of::Info(BreakDown::Module) };
        }
    }

    /// Whether a retainer set lets its objects count; `has_member` says whether one of its members has such a name.
    pub fn allow_set(&mut self, has_member: impl Fn(Name) -> bool) -> bool {
        let mut all = true;
        for restriction in self.0.iter_mut().filter(|restriction| restriction.of == Of::Retainer) {
            all &= restriction.meet(|wanted| has_member(wanted.name));
        }
        all
    }

    /// Whether the info table of an object lets it count. Notes which names were met.
    pub fn allow(&mut self, info: &InfoNames) -> bool {
        let names = names();
        let mut all = true;
        for restriction in self.0.iter_mut() {
            let Of::Info(by) = restriction.of else { continue };
            let name = names.text(by.name_of(info));
            all &= restriction.meet(|wanted| is_called(name, names.text(wanted.name)));
        }
        all
    }

    /// Whether the producer of an object lets it count.
    pub fn allow_producer(&mut self, producer: u32) -> bool {
        let names = names();
        let mut all = true;
        for restriction in self.0.iter_mut() {
            let of = restriction.of;
            if matches!(of, Of::Info(_) | Of::Retainer) {
                continue;
            }
            all &= restriction.meet(|wanted| {
                let text = names.text(wanted.name);
                match of {
                    Of::Module => producer::has_module(producer, text),
                    _ => producer::has_label(producer, text, of == Of::Anywhere),
                }
            });
        }
        all
    }

    /// The names that no object had, each with its restriction's letter.
    pub fn unmet(&self) -> impl Iterator<Item = (char, Name)> {
        self.0.iter().flat_map(|restriction| {
            let unmet = restriction.names.iter().filter(|wanted| !wanted.met);
            unmet.map(|wanted| (restriction.letter, wanted.name))
        })
    }
}

impl Restriction {
    /// Whether one of the names fits. Each name that fits is noted as met.
    fn meet(&mut self, fits: impl Fn(&Wanted) -> bool) -> bool {
        let mut any = false;
        for wanted in self.names.iter_mut() {
            if fits(wanted) {
                wanted.met = true;
                any = true;
            }
        }
        any
    }
}
