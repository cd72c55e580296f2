//! pprof's `profile.proto`, gzipped. Seven small messages: written by hand, since a protobuf library would be larger
//! than all of them. Ids run from 1 in order and the period type is always set: some readers insist on it.

use super::stacks::{Frame, Stacks, Unit};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::io::{self, Write};

pub fn write(stacks: &Stacks, out: &mut dyn Write) -> io::Result<()> {
    let mut gzip = GzEncoder::new(out, Compression::default());
    gzip.write_all(&profile(stacks))?;
    gzip.finish()?;
    Ok(())
}

fn profile(stacks: &Stacks) -> Vec<u8> {
    let mut strings = Strings::default();
    strings.of("");
    let mut bytes = Vec::new();
    for weight in &stacks.weights {
        let value_type = value_type(&mut strings, weight.name, weight.unit);
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
        value_type(&mut strings, first.map_or("space", |w| w.name), first.map_or(Unit::Bytes, |w| w.unit));
    message(&mut bytes, 11, &period);
    field(&mut bytes, 12, 1);
    let title = strings.of(&stacks.title);
    field(&mut bytes, 13, title);
    let default = strings.of(first.map_or("", |weight| weight.name));
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
