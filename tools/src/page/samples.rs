//! Samples as the page is told of them. Stacks go as one text each kind: there are thousands of them, of some tens of numbers.

use super::describe::base;
use crate::read::any::Input;
use crate::sampled::{Place, Sampled, Text};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;

pub fn file(input: &Input, sampled: &Sampled) -> Value {
    let mut places = Places { sampled, numbers: HashMap::new(), list: Vec::new() };
    let (mut stacks, mut values, mut labels) = (String::new(), String::new(), String::new());
    for (index, sample) in sampled.samples.iter().enumerate() {
        let rows = [&mut stacks, &mut values, &mut labels];
        if index > 0 {
            rows.into_iter().for_each(|row| row.push('\n'));
        }
        let numbers: Vec<usize> = sampled.places(sample).map(|place| places.number(place)).collect();
        list(&mut stacks, numbers.into_iter().rev());
        list(&mut values, &sample.values);
        // A text by its number, a number by itself behind a sign: key=text, key:number.
        let told = sample.labels.iter().map(|label| match label.text {
            0 => format!(
                "{}:{}:{}",
                label.key,
                label.number,
                if label.unit == 0 { label.key } else { label.unit }
            ),
            text => format!("{}={text}", label.key),
        });
        list(&mut labels, told);
    }
    let types: Vec<Value> = (sampled.types.iter())
        .map(|one| json!({ "name": sampled.text(one.name), "unit": sampled.text(one.unit) }))
        .collect();
    let functions = places.told();
    let texts = shown_texts(sampled, &places);
    let period = sampled.period().map(|(period, unit)| json!([period, unit]));
    json!({
        "type": "samples", "path": base(&input.name), "warnings": input.notes, "program": sampled.program(),
        "time": sampled.time as f64 / 1e6, "period": period, "types": types, "main": sampled.main(), "texts": texts,
        "functions": functions, "stacks": stacks, "values": values, "labels": labels,
        "keys": sampled.keys(), "resolved": sampled.locations.iter().any(|one| one.lines.iter().any(|line| line.line > 0)),
    })
}

/// The texts by number; those that the page does not show, as folders of the machine, are empty.
fn shown_texts<'a>(sampled: &'a Sampled, places: &Places<'a>) -> Vec<&'a str> {
    let mut texts = vec![""; sampled.texts.len()];
    let mut show = |text: Text| texts[text as usize] = sampled.text(text);
    for label in sampled.samples.iter().flat_map(|sample| &sample.labels) {
        [label.key, label.text, label.unit].into_iter().for_each(&mut show);
    }
    for place in &places.list {
        if let Place::Line(at, _) = *place {
            let function = &sampled.functions[at as usize];
            [function.name, function.system_name, function.file].into_iter().for_each(&mut show);
        }
    }
    texts
}

fn list<T: std::fmt::Display>(out: &mut String, items: impl IntoIterator<Item = T>) {
    for (index, item) in items.into_iter().enumerate() {
        // A text takes whatever is written.
        let _ = write!(out, "{}{item}", if index > 0 { " " } else { "" });
    }
}

/// Functions in the order in which stacks name them.
struct Places<'a> {
    sampled: &'a Sampled,
    numbers: HashMap<Place, usize>,
    list: Vec<Place>,
}

impl Places<'_> {
    fn number(&mut self, place: Place) -> usize {
        *self.numbers.entry(place).or_insert_with(|| {
            self.list.push(place);
            self.list.len() - 1
        })
    }

    /// Rows of the numbers of name and file among the texts, and the line, as one text; a name that is not there stands itself.
    fn told(&self) -> String {
        let mut out = String::new();
        for &place in &self.list {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = match place {
                Place::Line(at, line) => {
                    let file = self.sampled.functions[at as usize].file;
                    write!(out, "{} {file} {line}", self.sampled.function_name(at))
                }
                Place::Location(_) => write!(out, "+{}", self.sampled.name(place).replace('\n', " ")),
            };
        }
        out
    }
}
