//! A profile of samples in memory, as pprof's `profile.proto` has it: values, machine stacks, labels. Texts are numbers into a
//! table, and parts of a stack places in lists, so that what a stack repeats is there once.

use crate::prof::{Measure, Node, Report};
use crate::write::stacks::{self, Frame, Stack, Stacks, Unit, Weight};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The place of a text in `Sampled::texts`; 0 is the empty one.
pub type Text = u32;

#[derive(Debug, Default)]
pub struct Sampled {
    pub texts: Vec<String>,
    /// Name and unit of each value of a sample; at least one.
    pub types: Vec<ValueType>,
    pub samples: Vec<Sample>,
    pub mappings: Vec<Mapping>,
    pub locations: Vec<Location>,
    pub functions: Vec<Function>,
    pub period_type: ValueType,
    pub period: i64,
    /// Nanoseconds since 1970; 0 is unknown.
    pub time: i64,
    /// Nanoseconds.
    pub duration: i64,
    pub comments: Vec<Text>,
    /// Expressions of pprof's own for frames that it leaves out, and that it keeps.
    pub drop_frames: Text,
    pub keep_frames: Text,
    /// The name of the value that is shown first; 0 is the last one.
    pub default_type: Text,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ValueType {
    pub name: Text,
    pub unit: Text,
}

#[derive(Debug)]
pub struct Sample {
    /// Places in `locations`, the innermost call first.
    pub stack: Box<[u32]>,
    /// As many as there are types.
    pub values: Box<[i64]>,
    pub labels: Box<[Label]>,
}

/// A label is a text, or a number where the text is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    pub key: Text,
    pub text: Text,
    pub number: i64,
    pub unit: Text,
}

#[derive(Debug, Default)]
pub struct Mapping {
    pub start: u64,
    pub limit: u64,
    pub offset: u64,
    pub file: Text,
    pub build_id: Text,
    /// Whether functions, files, lines and inlined frames of its locations are known.
    pub has: [bool; 4],
}

#[derive(Debug, Default)]
pub struct Location {
    /// The place in `mappings`.
    pub mapping: Option<u32>,
    pub address: u64,
    /// The innermost of inlined functions first.
    pub lines: Box<[Line]>,
    pub is_folded: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// The place in `functions`.
    pub function: u32,
    pub line: i64,
    pub column: i64,
}

#[derive(Debug, Default)]
pub struct Function {
    pub name: Text,
    pub system_name: Text,
    pub file: Text,
    pub start_line: i64,
}

/// A function that a stack goes through; its text is made when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The place of a function, and the line in it; 0 is unknown.
    Line(u32, i64),
    /// The place of a location whose function is unknown.
    Location(u32),
}

/// A file's name is as long as this at most where it stands for a function.
const MOST_MODULE: usize = 64;

impl Sampled {
    pub fn text(&self, text: Text) -> &str {
        self.texts.get(text as usize).map_or("", |text| text)
    }

    /// The value that is looked at first, as pprof chooses it.
    pub fn main(&self) -> usize {
        let named = self.types.iter().position(|one| self.default_type != 0 && one.name == self.default_type);
        named.unwrap_or(self.types.len() - 1)
    }

    /// The value of this name.
    pub fn value(&self, name: &str) -> Result<usize, String> {
        let found = self.types.iter().position(|one| self.text(one.name) == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.types.iter().map(|one| self.text(one.name)).collect();
            format!("has no value {name:?}, but {}", names.join(", "))
        })
    }

    pub fn is_bytes(&self, value: usize) -> bool {
        self.text(self.types[value].unit) == "bytes"
    }

    /// All of a value.
    pub fn total(&self, value: usize) -> i64 {
        self.samples.iter().fold(0i64, |sum, sample| sum.saturating_add(sample.values[value]))
    }

    /// The program, by the first file of code.
    pub fn program(&self) -> &str {
        self.mappings.first().map_or("", |mapping| file_name(self.text(mapping.file)))
    }

    /// "a sample each 512 KiB", as a number and its unit.
    pub fn period(&self) -> Option<(i64, &str)> {
        Some((self.period, self.text(self.period_type.unit))).filter(|&(period, _)| period > 0)
    }

    /// Functions of a stack, the innermost first.
    pub fn places<'a>(&'a self, sample: &'a Sample) -> impl Iterator<Item = Place> + 'a {
        sample.stack.iter().flat_map(|&at| {
            let lines = &self.locations[at as usize].lines;
            let unknown = lines.is_empty().then_some(Place::Location(at));
            unknown.into_iter().chain(lines.iter().map(|line| Place::Line(line.function, line.line)))
        })
    }

    /// The function that asked for memory: the innermost one that is not a part of this library.
    pub fn producer(&self, sample: &Sample) -> Option<Place> {
        let is_ours = |place: &Place| match place {
            Place::Line(function, _) => self.text(self.function_name(*function)).starts_with("barrow_"),
            Place::Location(_) => false,
        };
        let mut places = self.places(sample);
        places.find(|place| !is_ours(place)).or_else(|| self.places(sample).next())
    }

    /// The name, or else that for the linker, of the function at a place of `functions`.
    pub fn function_name(&self, function: u32) -> Text {
        let function = &self.functions[function as usize];
        if function.name == 0 { function.system_name } else { function.name }
    }

    /// The function's name, or the file of code and the address in it.
    pub fn name(&self, place: Place) -> String {
        match place {
            Place::Line(function, _) => self.text(self.function_name(function)).to_owned(),
            Place::Location(at) => {
                let location = &self.locations[at as usize];
                match location.mapping.map(|mapping| &self.mappings[mapping as usize]) {
                    Some(mapping) => {
                        let file = file_name(self.text(mapping.file));
                        let file: String = file.chars().take(MOST_MODULE).collect();
                        format!("{file}+{:#x}", mapping.in_file(location.address))
                    }
                    None => format!("{:#x}", location.address),
                }
            }
        }
    }

    /// File and line; line 0 where that is unknown.
    pub fn source(&self, place: Place) -> Option<(&str, i64)> {
        let Place::Line(function, line) = place else { return None };
        let file = self.text(self.functions[function as usize].file);
        Some((file, line)).filter(|(file, _)| !file.is_empty())
    }

    /// `grow<list.c:17>`, as bands of a heap profile are called that was resolved.
    pub fn told(&self, place: Place) -> String {
        let name = self.name(place);
        match self.source(place) {
            Some((file, line)) if line > 0 => format!("{name}<{}:{line}>", file_name(file)),
            _ => name,
        }
    }

    /// Keys of labels, in the order in which they are met.
    pub fn keys(&self) -> Vec<Text> {
        let mut met = HashSet::new();
        let labels = self.samples.iter().flat_map(|sample| &sample.labels);
        labels.map(|label| label.key).filter(|&key| met.insert(key)).collect()
    }

    /// The key of this name.
    pub fn key(&self, name: &str) -> Result<Text, String> {
        let keys = self.keys();
        let found = keys.iter().find(|&&key| self.text(key) == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = keys.iter().map(|&key| self.text(key)).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("has no label {name:?}, but {names}")
        })
    }

    pub fn label_text(&self, label: &Label) -> String {
        if label.text != 0 {
            return self.text(label.text).to_owned();
        }
        let unit = self.text(if label.unit != 0 { label.unit } else { label.key });
        format!("{} {unit}", label.number)
    }

    /// The name under which a sample counts: its producer, or its label of this key.
    pub fn group(&self, sample: &Sample, key: Option<Text>) -> String {
        let name = match key {
            None => self.producer(sample).map(|place| self.told(place)),
            Some(key) => {
                sample.labels.iter().find(|label| label.key == key).map(|label| self.label_text(label))
            }
        };
        name.unwrap_or_else(|| "(unknown)".to_owned())
    }

    /// Sums of all values by `group`; a name that nothing has is not there.
    pub fn groups(&self, key: Option<Text>) -> HashMap<String, Vec<i64>> {
        let mut sums: HashMap<String, Vec<i64>> = HashMap::new();
        for sample in &self.samples {
            let sum = sums.entry(self.group(sample, key)).or_insert_with(|| vec![0; self.types.len()]);
            sum.iter_mut().zip(&sample.values).for_each(|(sum, &value)| *sum = sum.saturating_add(value));
        }
        sums
    }

    /// Whether the texts of all stacks, written out one after another, stay within what a machine has.
    pub fn spelled(&self) -> Result<(), String> {
        let mut bytes = 0u64;
        for sample in &self.samples {
            for place in self.places(sample) {
                let file = self.source(place).map_or(0, |(file, _)| file.len());
                let name = match place {
                    Place::Line(function, _) => self.text(self.function_name(function)).len(),
                    Place::Location(_) => MOST_MODULE,
                };
                bytes += (file + name) as u64;
            }
        }
        stacks::within(bytes)
    }

    /// Frames from the root to the innermost call, with the values that are asked for.
    pub fn stacks(&self, values: &[usize]) -> Stacks {
        let mut known: HashMap<Place, Rc<Frame>> = HashMap::new();
        let mut frame = |place: Place| {
            let make = || Rc::new(Frame { name: self.name(place), place: self.frame_place(place) });
            known.entry(place).or_insert_with(make).clone()
        };
        let stacks = (self.samples.iter())
            .map(|sample| {
                let mut frames: Stack = self.places(sample).map(&mut frame).collect();
                frames.reverse();
                let values = values.iter().map(|&value| sample.values[value].max(0) as u64).collect();
                (frames, values)
            })
            .filter(|(_, values): &(Stack, Vec<u64>)| values.iter().any(|&value| value > 0))
            .collect();
        let weight = |&value: &usize| {
            let unit = match self.text(self.types[value].unit) {
                "bytes" => Unit::Bytes,
                "nanoseconds" => Unit::Nanoseconds,
                _ => Unit::Count,
            };
            Weight { name: self.text(self.types[value].name).to_owned(), unit }
        };
        Stacks { title: self.program().to_owned(), weights: values.iter().map(weight).collect(), stacks }
    }

    fn frame_place(&self, place: Place) -> Option<(String, u64)> {
        let (file, line) = self.source(place)?;
        Some((file.to_owned(), u64::try_from(line).ok()?))
    }

    /// The stacks as a tree, with one value as bytes or as entries; for what draws reports.
    pub fn report(&self, value: usize) -> (Report, Measure) {
        let measure = if self.is_bytes(value) { Measure::Alloc } else { Measure::Entries };
        let root = Node { label: "all".into(), ..Node::default() };
        let mut nodes = vec![root];
        let mut known: HashMap<(u32, Place), u32> = HashMap::new();
        for sample in &self.samples {
            let amount = sample.values[value].max(0);
            let mut at = 0u32;
            let mut places: Vec<Place> = self.places(sample).collect();
            places.reverse();
            for place in places {
                at = *known.entry((at, place)).or_insert_with(|| {
                    let src = self.source(place).map(|(file, line)| format!("{file}:{line}"));
                    let label = self.name(place);
                    nodes.push(Node {
                        parent: Some(at),
                        label,
                        src: src.unwrap_or_default(),
                        ..Node::default()
                    });
                    nodes.len() as u32 - 1
                });
            }
            let node = &mut nodes[at as usize];
            match measure {
                Measure::Alloc => node.bytes += amount as f64,
                _ => node.entries = node.entries.saturating_add(amount as u64),
            }
        }
        let alloc = if measure == Measure::Alloc { self.total(value).max(0) as u64 } else { 0 };
        let job = format!("{} {}", self.program(), self.text(self.types[value].name));
        (Report { job, alloc, nodes, exact: true, ..Report::default() }, measure)
    }
}

impl Mapping {
    /// An address of this mapping, as one in its file.
    pub fn in_file(&self, address: u64) -> u64 {
        address.wrapping_sub(self.start).wrapping_add(self.offset)
    }
}

pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of each name, the innermost first, that only the linker's names are known of.
    fn of_system_names(names: &[&str]) -> Sampled {
        let mut texts = vec![String::new()];
        texts.extend(names.iter().map(|&name| name.to_owned()));
        let function = |at: usize| Function { system_name: at as u32 + 1, ..Function::default() };
        let location = |at: usize| Location {
            lines: [Line { function: at as u32, line: 1, column: 0 }].into(),
            ..Location::default()
        };
        Sampled {
            texts,
            types: vec![ValueType::default()],
            functions: (0..names.len()).map(function).collect(),
            locations: (0..names.len()).map(location).collect(),
            samples: vec![sample((0..names.len() as u32).collect())],
            ..Sampled::default()
        }
    }

    fn sample(stack: Box<[u32]>) -> Sample {
        Sample { stack, values: [1].into(), labels: [].into() }
    }

    #[test]
    fn the_linkers_names_stand_for_those_that_are_not_there() {
        let sampled = of_system_names(&["barrow_alloc", "grow"]);
        assert_eq!(sampled.group(&sampled.samples[0], None), "grow");
    }

    #[test]
    fn the_linkers_names_count_where_stacks_are_spelled_out() {
        let mut sampled = of_system_names(&["x".repeat(1 << 20).as_str()]);
        assert!(sampled.spelled().is_ok());
        sampled.samples = (0..1025).map(|_| sample([0].into())).collect();
        assert!(sampled.spelled().is_err());
    }
}
