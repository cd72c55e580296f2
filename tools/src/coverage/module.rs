//! One module's counts and boxes together.

use super::count::Count;
use super::mix::{Decision, Label, Mix, MixBox, Span};
use super::tix::TixModule;

/// A `.tix` module and the `.mix` of the same hash.
pub struct Module {
    pub tix: TixModule,
    pub mix: Mix,
}

/// A decision's two boxes, with the times it came out as each.
pub struct DecisionPair<'a> {
    pub decision: Decision,
    pub span: Span,
    pub truths: &'a Count,
    pub falsehoods: &'a Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    BothWays,
    AlwaysTrue,
    AlwaysFalse,
    Unevaluated,
}

/// A negative count, which no run leaves, says nothing either way.
pub fn verdict(truths: &Count, falsehoods: &Count) -> Verdict {
    match (truths.is_positive(), falsehoods.is_positive()) {
        (true, true) => Verdict::BothWays,
        (true, false) if falsehoods.is_zero() => Verdict::AlwaysTrue,
        (false, true) if truths.is_zero() => Verdict::AlwaysFalse,
        _ => Verdict::Unevaluated,
    }
}

impl Module {
    pub fn name(&self) -> &str {
        &self.tix.name
    }

    /// Each box with its count, as far as both lists go.
    pub fn boxes(&self) -> impl Iterator<Item = (&MixBox, &Count)> {
        self.mix.boxes.iter().zip(&self.tix.ticks)
    }

    pub fn decisions(&self) -> impl Iterator<Item = DecisionPair<'_>> {
        self.boxes().zip(self.boxes().skip(1)).filter_map(|((first, truths), (second, falsehoods))| {
            let (Label::Binary { decision, outcome: true }, Label::Binary { decision: same, outcome: false }) =
                (&first.label, &second.label)
            else {
                return None;
            };
            let pair = DecisionPair { decision: *decision, span: first.span, truths, falsehoods };
            (decision == same).then_some(pair)
        })
    }

    /// What does not fit between the two files, if anything: neither tool that wrote them makes such files.
    pub fn misfit(&self) -> Option<String> {
        let (counts, boxes) = (self.tix.ticks.len(), self.mix.boxes.len());
        if counts != boxes {
            return Some(format!("module {} has {counts} counts for {boxes} boxes", self.name()));
        }
        if i64::try_from(boxes) != Ok(self.tix.claimed) {
            return Some(format!("module {} claims {} boxes and has {boxes}", self.name(), self.tix.claimed));
        }
        let negative = self.tix.ticks.iter().position(|count| !count.is_positive() && !count.is_zero())?;
        Some(format!("module {} has a negative count for box {negative}", self.name()))
    }
}
