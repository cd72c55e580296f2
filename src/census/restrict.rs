//! Restrictions: only what has one of these names counts. Any number together; all must hold.

use crate::base::{List, Outcome};
use crate::census::bands::BreakDown;
use crate::identity::info::InfoNames;
use crate::identity::names::{Name, names};

struct Wanted {
    name: Name,
    /// Something had this name.
    met: bool,
}

/// `-hdBranch,Leaf`: a letter and the names of which one must be there.
struct Restriction {
    by: BreakDown,
    names: List<Wanted>,
}

#[derive(Default)]
pub struct Restrictions(List<Restriction>);

impl Restrictions {
    /// From letters and names, `dBranch,Leaf yMap`, as the flags have them.
    pub fn read(text: &str) -> Outcome<Restrictions> {
        let mut all = List::new();
        for part in text.split_ascii_whitespace() {
            let Some(by) = part.chars().next().and_then(BreakDown::from_letter) else { continue };
            let mut wanted = List::new();
            for name in part[1..].split(',').filter(|name| !name.is_empty()) {
                wanted.push(Wanted { name: names().intern(name.as_bytes())?, met: false })?;
            }
            all.push(Restriction { by, names: wanted })?;
        }
        Ok(Restrictions(all))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether objects of an info table count. Notes which names were met.
    pub fn allow(&mut self, info: &InfoNames) -> bool {
        let mut all = true;
        for restriction in self.0.iter_mut() {
            let name = restriction.by.name_of(info);
            let found = restriction.names.iter_mut().find(|wanted| wanted.name == name);
            all &= found.is_some();
            if let Some(wanted) = found {
                wanted.met = true;
            }
        }
        all
    }

    /// The names that nothing had, each with its letter.
    pub fn unmet(&self) -> impl Iterator<Item = (char, Name)> {
        self.0.iter().flat_map(|restriction| {
            let unmet = restriction.names.iter().filter(|wanted| !wanted.met);
            unmet.map(|wanted| (restriction.by.letter(), wanted.name))
        })
    }
}
