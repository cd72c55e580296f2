//! pprof's `profile.proto`, gzipped. Seven small messages: written by hand, since a protobuf library would be larger
//! than all of them. Ids run from 1 in order and the period type is always set: some readers insist on it.

use super::stacks::{Frame, Stacks, Unit};
use crate::sampled::Sampled;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::io::{self, Write};

pub fn write(stacks: &Stacks, out: &mut dyn Write) -> io::Result<()> {
    packed(&profile(stacks), out)
}

/// Samples as they were read, with all that the format has for them.
pub fn write_samples(sampled: &Sampled, out: &mut dyn Write) -> io::Result<()> {
    packed(&samples(sampled), out)
}

fn packed(profile: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut gzip = GzEncoder::new(out, Compression::default());
    gzip.write_all(profile)?;
    gzip.finish()?;
    Ok(())
}

/// Numbers of parts are their places and 1.
fn samples(sampled: &Sampled) -> Vec<u8> {
    let mut bytes = Vec::new();
    for one in &sampled.types {
        message(&mut bytes, 1, &numbers(&[(1, one.name.into()), (2, one.unit.into())]));
    }
    for sample in &sampled.samples {
        let (mut stack, mut values) = (Vec::new(), Vec::new());
        sample.stack.iter().for_each(|&at| varint(&mut stack, u64::from(at) + 1));
        sample.values.iter().for_each(|&value| varint(&mut values, value as u64));
        let mut part = Vec::new();
        message(&mut part, 1, &stack);
        message(&mut part, 2, &values);
        for label in &sample.labels {
            let (key, text) = (label.key.into(), label.text.into());
            let label = [(1, key), (2, text), (3, label.number as u64), (4, label.unit.into())];
            message(&mut part, 3, &numbers(&label));
        }
        message(&mut bytes, 2, &part);
    }
    for (number, one) in (1..).zip(&sampled.mappings) {
        let mut part =
            numbers(&[(1, number), (2, one.start), (3, one.limit), (4, one.offset), (5, one.file.into())]);
        part.extend(numbers(&[(6, one.build_id.into())]));
        (7..).zip(one.has).for_each(|(known, has)| part.extend(numbers(&[(known, has.into())])));
        message(&mut bytes, 3, &part);
    }
    for (number, one) in (1..).zip(&sampled.locations) {
        let mapping = one.mapping.map_or(0, |mapping| u64::from(mapping) + 1);
        let mut part = numbers(&[(1, number), (2, mapping), (3, one.address), (5, one.is_folded.into())]);
        for line in &one.lines {
            let line = [(1, u64::from(line.function) + 1), (2, line.line as u64), (3, line.column as u64)];
            message(&mut part, 4, &numbers(&line));
        }
        message(&mut bytes, 4, &part);
    }
    for (number, one) in (1..).zip(&sampled.functions) {
        let (name, system) = (one.name.into(), one.system_name.into());
        let part = [(1, number), (2, name), (3, system), (4, one.file.into()), (5, one.start_line as u64)];
        message(&mut bytes, 5, &numbers(&part));
    }
    sampled.texts.iter().for_each(|text| message(&mut bytes, 6, text.as_bytes()));
    bytes.extend(numbers(&[
        (7, sampled.drop_frames.into()),
        (8, sampled.keep_frames.into()),
        (9, sampled.time as u64),
        (10, sampled.duration as u64),
    ]));
    let period = sampled.period_type;
    message(&mut bytes, 11, &numbers(&[(1, period.name.into()), (2, period.unit.into())]));
    bytes.extend(numbers(&[(12, sampled.period as u64)]));
    sampled.comments.iter().for_each(|&comment| field(&mut bytes, 13, comment.into()));
    bytes.extend(numbers(&[(14, sampled.default_type.into())]));
    bytes
}

/// Fields of numbers; 0 is what a field has that is not there.
fn numbers(fields: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let there = fields.iter().filter(|&&(_, value)| value != 0);
    there.for_each(|&(number, value)| field(&mut bytes, number, value));
    bytes
}

fn profile(stacks: &Stacks) -> Vec<u8> {
    let mut strings = Strings::default();
    strings.of("");
    let mut bytes = Vec::new();
    for weight in &stacks.weights {
        let value_type = value_type(&mut strings, &weight.name, weight.unit);
        message(&mut bytes, 1, &value_type);
    }
    let mut ids: HashMap<&Frame, u64> = HashMap::new();
    let mut frames: Vec<&Frame> = Vec::new();
    for (stack, values) in &stacks.stacks {
        let mut locations = Vec::new();
        // The leaf comes first.
        for frame in stack.iter().rev() {
            let id = *ids.entry(frame).or_insert_with(|| {
                frames.push(frame);
                frames.len() as u64
            });
            varint(&mut locations, id);
        }
        let mut numbers = Vec::new();
        values.iter().for_each(|&value| varint(&mut numbers, value));
        let mut sample = Vec::new();
        message(&mut sample, 1, &locations);
        message(&mut sample, 2, &numbers);
        message(&mut bytes, 2, &sample);
    }
    for (index, frame) in frames.iter().enumerate() {
        let id = index as u64 + 1;
        let mut line = Vec::new();
        field(&mut line, 1, id);
        let mut function = Vec::new();
        field(&mut function, 1, id);
        field(&mut function, 2, strings.of(&frame.name));
        field(&mut function, 3, strings.of(&frame.name));
        if let Some((file, number)) = &frame.place {
            field(&mut line, 2, *number);
            field(&mut function, 4, strings.of(file));
            field(&mut function, 5, *number);
        }
        let mut location = Vec::new();
        field(&mut location, 1, id);
        message(&mut location, 4, &line);
        message(&mut bytes, 4, &location);
        message(&mut bytes, 5, &function);
    }
    let first = stacks.weights.first();
    let period =
        value_type(&mut strings, first.map_or("space", |w| &w.name), first.map_or(Unit::Bytes, |w| w.unit));
    message(&mut bytes, 11, &period);
    field(&mut bytes, 12, 1);
    let title = strings.of(&stacks.title);
    field(&mut bytes, 13, title);
    let default = strings.of(first.map_or("", |weight| &weight.name));
    field(&mut bytes, 14, default);
    // The table comes last, complete: the order of fields has no meaning.
    for text in &strings.list {
        message(&mut bytes, 6, text.as_bytes());
    }
    bytes
}

fn value_type(strings: &mut Strings, name: &str, unit: Unit) -> Vec<u8> {
    let mut bytes = Vec::new();
    field(&mut bytes, 1, strings.of(name));
    field(&mut bytes, 2, strings.of(unit.word()));
    bytes
}

#[derive(Default)]
struct Strings {
    list: Vec<String>,
    index: HashMap<String, u64>,
}

impl Strings {
    fn of(&mut self, text: &str) -> u64 {
        if let Some(&index) = self.index.get(text) {
            return index;
        }
        let index = self.list.len() as u64;
        self.list.push(text.to_owned());
        self.index.insert(text.to_owned(), index);
        index
    }
}

fn field(out: &mut Vec<u8>, number: u64, value: u64) {
    varint(out, number << 3);
    varint(out, value);
}

fn message(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    varint(out, number << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
