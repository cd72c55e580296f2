//! Overlays: a description of coverage by hand. `Overlay` is the description; `ticks` says which boxes of a module
//! it marks. `draft` writes the description that would mark what a run has missed.

use super::forest::{Forest, Node};
use super::mix::{Label, Mix, Span};
use super::module::Module;
use super::source::Source;
use crate::write::haskell::{readable, string};
use std::collections::{BTreeMap, HashMap};

/// Items are flat, each with the `inside` that holds it, so that nesting costs no recursion anywhere.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Ticks before the first module, which hold in every module that is named.
    pub everywhere: Vec<Tick>,
    /// Ticks of modules, by name; a module may be described in several places.
    pub modules: BTreeMap<String, Vec<Tick>>,
    pub insides: Vec<Inside>,
}

/// `inside "f" { ... }`, perhaps within another one.
#[derive(Debug, PartialEq, Eq)]
pub struct Inside {
    pub function: String,
    pub within: Option<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Tick {
    pub target: Target,
    pub place: Place,
    /// Index into `Overlay::insides`.
    pub inside: Option<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    AnyExpression,
    /// An expression with exactly this source text.
    Text(String),
    /// Every box within the function.
    Function(String),
}

#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    Anywhere,
    /// A box that begins and ends on this line.
    Line(u32),
    At(Span),
}

impl Place {
    fn fits(&self, span: &Span) -> bool {
        match self {
            Place::Anywhere => true,
            Place::Line(line) => span.start.line == *line && span.end.line == *line,
            Place::At(place) => place == span,
        }
    }
}

/// A reason for which an overlay or a draft has no result.
#[derive(Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The boxes' positions overlap or nest without sense.
    Tangled,
    /// A box begins or ends on a line that the source does not have.
    NoSuchLine(u32),
}

impl Overlay {
    /// For each box of the module `name`, whether the overlay marks it: a match in its own node or one above. A box
    /// that lies in several overlapping nodes takes what the last of them says.
    pub fn ticks(&self, name: &str, mix: &Mix, source: &Source) -> Result<Vec<bool>, Obstacle> {
        let forest = Forest::of(mix).map_err(|_| Obstacle::Tangled)?;
        let of_module = self.modules.get(name).map_or(&[][..], |ticks| ticks);
        let ticks: Vec<&Tick> = self.everywhere.iter().chain(of_module).collect();
        let mut functions: HashMap<&str, Vec<Span>> = HashMap::new();
        for mix_box in &mix.boxes {
            if let Label::TopLevel(path) = &mix_box.label
                && let [function] = &path[..]
            {
                functions.entry(function).or_default().push(mix_box.span);
            }
        }
        let search = Search { overlay: self, mix, source, ticks, functions };
        let mut marked = vec![false; mix.boxes.len()];
        for root in forest.roots() {
            search.walk(&forest, root, false, &mut marked)?;
        }
        Ok(marked)
    }
}

struct Search<'a> {
    overlay: &'a Overlay,
    mix: &'a Mix,
    source: &'a Source<'a>,
    ticks: Vec<&'a Tick>,
    /// Where each top-level function is.
    functions: HashMap<&'a str, Vec<Span>>,
}

impl Search<'_> {
    fn walk(&self, forest: &Forest, node: &Node, above: bool, marked: &mut [bool]) -> Result<(), Obstacle> {
        let mut matched = above;
        for number in node.boxes() {
            matched = matched || self.matches(&self.mix.boxes[number].label, &node.span)?;
        }
        node.boxes().for_each(|number| marked[number] = matched);
        for child in forest.children(node) {
            self.walk(forest, child, matched, marked)?;
        }
        Ok(())
    }

    fn matches(&self, label: &Label, span: &Span) -> Result<bool, Obstacle> {
        for tick in &self.ticks {
            if !tick.place.fits(span) || !self.is_within(tick.inside, span) {
                continue;
            }
            let expression = matches!(label, Label::Expression { .. });
            let matched = match &tick.target {
                Target::AnyExpression => expression,
                Target::Function(name) => self.is_around(name, span),
                Target::Text(wanted) if expression => {
                    self.source.reads(span, wanted).map_err(Obstacle::NoSuchLine)?
                }
                Target::Text(_) => false,
            };
            if matched {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_around(&self, function: &str, span: &Span) -> bool {
        self.functions.get(function).is_some_and(|places| places.iter().any(|place| place.contains(span)))
    }

    fn is_within(&self, mut inside: Option<usize>, span: &Span) -> bool {
        while let Some(number) = inside {
            let Inside { function, within } = &self.overlay.insides[number];
            if !self.is_around(function, span) {
                return false;
            }
            inside = *within;
        }
        true
    }
}

/// The overlay items, two spaces in, that would mark what `module` left unmarked.
pub fn draft(module: &Module, source: &Source) -> Result<String, Obstacle> {
    let forest = Forest::of(&module.mix).map_err(|_| Obstacle::Tangled)?;
    let drafter = Drafter { module, source, forest: &forest };
    let mut items = String::new();
    for root in forest.roots() {
        drafter.node(root, 2, &mut items)?;
    }
    Ok(items)
}

struct Drafter<'a> {
    module: &'a Module,
    source: &'a Source<'a>,
    forest: &'a Forest,
}

impl Drafter<'_> {
    fn node(&self, node: &Node, indent: usize, items: &mut String) -> Result<(), Obstacle> {
        for number in node.boxes() {
            // A box beyond the end of the counts was not counted at all, neither used nor missed.
            let Some(count) = self.module.tix.ticks.get(number) else { continue };
            let ticked = count.is_positive();
            let item = match &self.module.mix.boxes[number].label {
                Label::Expression { .. } if !ticked => self.expression(&node.span)?,
                Label::TopLevel(path) | Label::Local(path) if !ticked => {
                    let name = path.last().map_or("", String::as_str);
                    format!("tick function {} on line {};", readable(name), node.span.start.line)
                }
                Label::TopLevel(path) => {
                    let mut inner = String::new();
                    for child in self.forest.children(node) {
                        self.node(child, indent + 2, &mut inner)?;
                    }
                    if inner.is_empty() {
                        return Ok(());
                    }
                    let name = path.last().map_or("", String::as_str);
                    format!("inside {} {{\n{inner}{:indent$}}}", readable(name), "")
                }
                _ => continue,
            };
            items.push_str(&format!("{:indent$}{item}\n", ""));
            return Ok(());
        }
        for child in self.forest.children(node) {
            self.node(child, indent, items)?;
        }
        Ok(())
    }

    fn expression(&self, span: &Span) -> Result<String, Obstacle> {
        if span.start.line != span.end.line {
            return Ok(format!("tick at position {span};"));
        }
        let text = self.source.text(span).map_err(Obstacle::NoSuchLine)?;
        Ok(format!("tick {} on line {};", string(&text), span.start.line))
    }
}
