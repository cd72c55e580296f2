//! The figures of a report: how many boxes of each kind there are and how many were reached.

use super::mix::{Decision, Label};
use super::module::{DecisionPair, Module, Verdict, verdict};
use crate::sort;

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Used {
    pub boxes: usize,
    pub used: usize,
}

impl Used {
    fn count(&mut self, used: bool) {
        self.boxes += 1;
        self.used += usize::from(used);
    }

    /// Cut, not rounded: 100 only if nothing is missing. Nothing out of nothing has no percentage.
    pub fn percent(&self) -> Option<usize> {
        (self.used * 100).checked_div(self.boxes)
    }
}

impl std::ops::AddAssign for Used {
    fn add_assign(&mut self, other: Used) {
        self.boxes += other.boxes;
        self.used += other.used;
    }
}

/// boxes = both + always_true + always_false + unevaluated, where both = covered.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Decisions {
    pub boxes: usize,
    pub always_true: usize,
    pub always_false: usize,
    pub unevaluated: usize,
}

impl Decisions {
    fn count(&mut self, pair: &DecisionPair) {
        self.boxes += 1;
        match verdict(pair.truths, pair.falsehoods) {
            Verdict::BothWays => {}
            Verdict::AlwaysTrue => self.always_true += 1,
            Verdict::AlwaysFalse => self.always_false += 1,
            Verdict::Unevaluated => self.unevaluated += 1,
        }
    }

    pub fn evaluated(&self) -> usize {
        self.boxes - self.unevaluated
    }

    /// Used here means that both outcomes happened.
    pub fn covered(&self) -> Used {
        Used { boxes: self.boxes, used: self.evaluated() - self.always_true - self.always_false }
    }
}

impl std::ops::AddAssign for Decisions {
    fn add_assign(&mut self, other: Decisions) {
        self.boxes += other.boxes;
        self.always_true += other.always_true;
        self.always_false += other.always_false;
        self.unevaluated += other.unevaluated;
    }
}

#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Tally {
    pub expressions: Used,
    pub guards: Decisions,
    pub conditions: Decisions,
    pub qualifiers: Decisions,
    pub alternatives: Used,
    pub local: Used,
    pub top_level: Used,
    /// Paths of names, in no order.
    pub unused_declarations: Vec<Vec<String>>,
}

impl Tally {
    pub fn of(module: &Module) -> Tally {
        let mut tally = Tally::default();
        for (mix_box, count) in module.boxes() {
            let used = count.is_positive();
            match &mix_box.label {
                Label::Expression { alternative } => {
                    tally.expressions.count(used);
                    if *alternative {
                        tally.alternatives.count(used);
                    }
                }
                Label::TopLevel(path) | Label::Local(path) => {
                    let declarations = match mix_box.label {
                        Label::Local(_) => &mut tally.local,
                        _ => &mut tally.top_level,
                    };
                    declarations.count(used);
                    if !used {
                        tally.unused_declarations.push(path.clone());
                    }
                }
                Label::Binary { .. } => {}
            }
        }
        for pair in module.decisions() {
            match pair.decision {
                Decision::Guard => tally.guards.count(&pair),
                Decision::Condition => tally.conditions.count(&pair),
                Decision::Qualifier => tally.qualifiers.count(&pair),
            }
        }
        tally
    }

    pub fn booleans(&self) -> Decisions {
        let mut all = self.guards;
        all += self.conditions;
        all += self.qualifiers;
        all
    }

    /// Adds a module's figures to a total, where its declarations go by the module's name too.
    pub fn add_module(&mut self, name: &str, other: &Tally) {
        self.expressions += other.expressions;
        self.guards += other.guards;
        self.conditions += other.conditions;
        self.qualifiers += other.qualifiers;
        self.alternatives += other.alternatives;
        self.local += other.local;
        self.top_level += other.top_level;
        for path in &other.unused_declarations {
            let mut full = vec![name.to_string()];
            full.extend(path.iter().cloned());
            self.unused_declarations.push(full);
        }
    }

    pub fn unused_sorted(&self) -> Vec<String> {
        let mut paths: Vec<&Vec<String>> = self.unused_declarations.iter().collect();
        sort::by(&mut paths, Ord::cmp);
        paths.iter().map(|path| path.join(".")).collect()
    }
}
