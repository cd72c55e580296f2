//! Reads profiles of pprof's format, as the library, Go and others write them: a message of Protocol Buffers, whose parts come in any
//! order and refer to each other by number. What is wrong is told with the byte at which it is.
//! Invariant: each thing that is kept takes bytes of the file, and the functions of all stacks stay in proportion to it.

use super::ReadError;
use crate::sampled::{Function, Label, Line, Location, Mapping, Sample, Sampled, Text, ValueType};
use crate::symbols::readable;
use std::collections::HashMap;

/// A sample has no more values; pprof's own have four at most.
const MOST_TYPES: usize = 64;
/// Functions in all stacks, for each byte of the file and beyond that: a call takes a byte or two, and few functions are inlined
/// into one.
const PLACES_FOR_A_BYTE: usize = 4;
const FREE_PLACES: usize = 1 << 16;

pub fn looks_like(start: &[u8]) -> bool {
    match start {
        // A type of values or of the period, a pair of small numbers; or the empty text, and another one or a type.
        [0x0a | 0x5a, 2..=8, 0x08, _, 0x10, ..] => true,
        [0x32, 0, 0x32 | 0x0a | 0x5a, ..] | [0x32, 0] => true,
        _ => false,
    }
}

/// A complaint, and the byte of the file that it is about.
type Wrong = (usize, String);

/// `name` only serves the messages.
pub fn read(name: &str, bytes: &[u8]) -> Result<Sampled, ReadError> {
    whole(bytes).map_err(|(at, what)| ReadError::at(name, at, &what))
}

/// A message, or what is left of it.
struct Message<'a> {
    bytes: &'a [u8],
    /// The place of `bytes` in the file.
    at: usize,
}

enum Value<'a> {
    Number(u64),
    Part(Message<'a>),
}

impl<'a> Message<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        self.at += count;
        Some(taken)
    }

    fn varint(&mut self) -> Result<u64, Wrong> {
        let begin = self.at;
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let Some(&[byte]) = self.take(1) else {
                return Err((begin, "the file ends within a number".into()));
            };
            // Bits beyond the 64th are dropped, as the format has it.
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err((begin, "a number has more than ten bytes".into()))
    }

    /// The number of the next field, where it begins, and its value; none at the end.
    fn field(&mut self) -> Result<Option<(u64, usize, Value<'a>)>, Wrong> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let begin = self.at;
        let key = self.varint()?;
        let fixed = |message: &mut Self, count: usize| {
            let bytes =
                message.take(count).ok_or_else(|| (begin, "the file ends within a field".to_owned()))?;
            Ok(bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte)))
        };
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => Value::Number(fixed(self, 8)?),
            5 => Value::Number(fixed(self, 4)?),
            2 => {
                let length = self.varint()?;
                let at = self.at;
                let left = self.bytes.len();
                let part = usize::try_from(length).ok().and_then(|length| self.take(length));
                let Some(bytes) = part else {
                    return Err((begin, format!("a field of {length} bytes, of which {left} are there")));
                };
                Value::Part(Message { bytes, at })
            }
            kind => {
                return Err((
                    begin,
                    format!("field {} is of kind {kind}, which the format has not", key >> 3),
                ));
            }
        };
        Ok(Some((key >> 3, begin, value)))
    }
}

impl<'a> Value<'a> {
    fn number(self, at: usize) -> Result<u64, Wrong> {
        match self {
            Value::Number(number) => Ok(number),
            Value::Part(_) => Err((at, "a number is wanted here, and bytes are there".into())),
        }
    }

    fn part(self, at: usize) -> Result<Message<'a>, Wrong> {
        match self {
            Value::Part(part) => Ok(part),
            Value::Number(_) => Err((at, "bytes are wanted here, and a number is there".into())),
        }
    }

    /// Numbers one by one, or many in a part.
    fn numbers(self, mut add: impl FnMut(u64)) -> Result<(), Wrong> {
        match self {
            Value::Number(number) => add(number),
            Value::Part(mut part) => {
                while !part.bytes.is_empty() {
                    add(part.varint()?);
                }
            }
        }
        Ok(())
    }
}

/// Numbers of parts by which others refer to them, and the places of those.
#[derive(Default)]
struct Numbers(HashMap<u64, u32>);

impl Numbers {
    fn add(&mut self, what: &str, number: u64, at: usize) -> Result<(), Wrong> {
        if number == 0 {
            return Err((at, format!("a {what} without a number")));
        }
        let place = self.0.len() as u32;
        match self.0.insert(number, place) {
            None => Ok(()),
            Some(_) => Err((at, format!("{what} {number} is there twice"))),
        }
    }

    fn place(&self, what: &str, number: u64, at: usize) -> Result<u32, Wrong> {
        self.0
            .get(&number)
            .copied()
            .ok_or_else(|| (at, format!("{what} {number} is named here, and there is none")))
    }
}

/// Parts that were met, with the bytes at which they are.
#[derive(Default)]
struct Parts<'a> {
    samples: Vec<Message<'a>>,
    mappings: Vec<Message<'a>>,
    locations: Vec<Message<'a>>,
    functions: Vec<Message<'a>>,
}

/// Names of parts are known once all of the file was seen, so that they are read then.
fn whole(bytes: &[u8]) -> Result<Sampled, Wrong> {
    let mut file = Message { bytes, at: 0 };
    let mut made = Sampled::default();
    let mut parts = Parts::default();
    let (mut types, mut period_type, mut comments) = (Vec::new(), None, Vec::new());
    let mut texts = [(0u64, 0usize); 3];
    while let Some((field, at, value)) = file.field()? {
        match field {
            1 => types.push(value.part(at)?),
            2 => parts.samples.push(value.part(at)?),
            3 => parts.mappings.push(value.part(at)?),
            4 => parts.locations.push(value.part(at)?),
            5 => parts.functions.push(value.part(at)?),
            6 => made.texts.push(String::from_utf8_lossy(value.part(at)?.bytes).into_owned()),
            7 => texts[0] = (value.number(at)?, at),
            8 => texts[1] = (value.number(at)?, at),
            9 => made.time = value.number(at)? as i64,
            10 => made.duration = value.number(at)? as i64,
            11 => period_type = Some(value.part(at)?),
            12 => made.period = value.number(at)? as i64,
            13 => value.numbers(|text| comments.push((text, at)))?,
            14 => texts[2] = (value.number(at)?, at),
            _ => {}
        }
    }
    match made.texts.first() {
        None => return Err((file.at, "there is no table of texts".into())),
        Some(first) if !first.is_empty() => return Err((0, "the first text is not empty".into())),
        Some(_) => {}
    }
    if types.is_empty() || types.len() > MOST_TYPES {
        return Err((0, format!("its samples have {} values; 1 to {MOST_TYPES} are read", types.len())));
    }
    made.types = types.into_iter().map(|part| value_type(&made, part)).collect::<Result<_, _>>()?;
    made.period_type = period_type.map_or(Ok(ValueType::default()), |part| value_type(&made, part))?;
    made.comments =
        comments.into_iter().map(|(text, at)| text_of(&made, text, at)).collect::<Result<_, _>>()?;
    made.drop_frames = text_of(&made, texts[0].0, texts[0].1)?;
    made.keep_frames = text_of(&made, texts[1].0, texts[1].1)?;
    made.default_type = text_of(&made, texts[2].0, texts[2].1)?;
    let mut mappings = Numbers::default();
    for part in parts.mappings {
        let mapping = mapping(&made, part, &mut mappings)?;
        made.mappings.push(mapping);
    }
    let mut functions = Numbers::default();
    for part in parts.functions {
        let function = function(&made, part, &mut functions)?;
        made.functions.push(function);
    }
    tell_names(&mut made);
    let mut locations = Numbers::default();
    for part in parts.locations {
        made.locations.push(location(part, &mut locations, &mappings, &functions)?);
    }
    let mut left = (PLACES_FOR_A_BYTE * bytes.len()).saturating_add(FREE_PLACES);
    for part in parts.samples {
        let at = part.at;
        let sample = sample(&made, part, &locations)?;
        let places: usize =
            sample.stack.iter().map(|&at| made.locations[at as usize].lines.len().max(1)).sum();
        let Some(rest) = left.checked_sub(places) else {
            return Err((at, "its stacks have more functions than a file of this size can mean".into()));
        };
        left = rest;
        made.samples.push(sample);
    }
    Ok(made)
}

/// Gives functions readable names where they have a compiler's; `system_name` keeps that. Each text is worked out once.
fn tell_names(made: &mut Sampled) {
    let mut known: HashMap<Text, Text> = HashMap::new();
    for function in &mut made.functions {
        let name = if function.name == 0 { function.system_name } else { function.name };
        let told = *known.entry(name).or_insert_with(|| match readable(&made.texts[name as usize]) {
            Some(told) => {
                made.texts.push(told);
                made.texts.len() as Text - 1
            }
            None => name,
        });
        if told != name {
            (function.name, function.system_name) = (told, name);
        }
    }
}

fn text_of(made: &Sampled, number: u64, at: usize) -> Result<Text, Wrong> {
    let known = u32::try_from(number).ok().filter(|&text| (text as usize) < made.texts.len());
    known.ok_or_else(|| (at, format!("text {number} is named here, and there are {}", made.texts.len())))
}

fn value_type(made: &Sampled, mut part: Message<'_>) -> Result<ValueType, Wrong> {
    let mut read = ValueType::default();
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => read.name = text_of(made, value.number(at)?, at)?,
            2 => read.unit = text_of(made, value.number(at)?, at)?,
            _ => {}
        }
    }
    Ok(read)
}

fn mapping(made: &Sampled, mut part: Message<'_>, numbers: &mut Numbers) -> Result<Mapping, Wrong> {
    let (begin, mut number, mut read) = (part.at, 0, Mapping::default());
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => number = value.number(at)?,
            2 => read.start = value.number(at)?,
            3 => read.limit = value.number(at)?,
            4 => read.offset = value.number(at)?,
            5 => read.file = text_of(made, value.number(at)?, at)?,
            6 => read.build_id = text_of(made, value.number(at)?, at)?,
            7..=10 => read.has[field as usize - 7] = value.number(at)? != 0,
            _ => {}
        }
    }
    numbers.add("mapping", number, begin)?;
    Ok(read)
}

fn function(made: &Sampled, mut part: Message<'_>, numbers: &mut Numbers) -> Result<Function, Wrong> {
    let (begin, mut number, mut read) = (part.at, 0, Function::default());
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => number = value.number(at)?,
            2 => read.name = text_of(made, value.number(at)?, at)?,
            3 => read.system_name = text_of(made, value.number(at)?, at)?,
            4 => read.file = text_of(made, value.number(at)?, at)?,
            5 => read.start_line = value.number(at)? as i64,
            _ => {}
        }
    }
    numbers.add("function", number, begin)?;
    Ok(read)
}

fn location(
    mut part: Message<'_>,
    numbers: &mut Numbers,
    mappings: &Numbers,
    functions: &Numbers,
) -> Result<Location, Wrong> {
    let (begin, mut number, mut read) = (part.at, 0, Location::default());
    let mut lines = Vec::new();
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => number = value.number(at)?,
            2 => {
                let named = value.number(at)?;
                read.mapping = if named == 0 { None } else { Some(mappings.place("mapping", named, at)?) };
            }
            3 => read.address = value.number(at)?,
            4 => lines.push(line(value.part(at)?, functions)?),
            5 => read.is_folded = value.number(at)? != 0,
            _ => {}
        }
    }
    read.lines = lines.into_boxed_slice();
    numbers.add("location", number, begin)?;
    Ok(read)
}

fn line(mut part: Message<'_>, functions: &Numbers) -> Result<Line, Wrong> {
    let (begin, mut function, mut line, mut column) = (part.at, None, 0, 0);
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => function = Some(functions.place("function", value.number(at)?, at)?),
            2 => line = value.number(at)? as i64,
            3 => column = value.number(at)? as i64,
            _ => {}
        }
    }
    let function = function.ok_or_else(|| (begin, "a line without a function".to_owned()))?;
    Ok(Line { function, line, column })
}

fn sample(made: &Sampled, mut part: Message<'_>, locations: &Numbers) -> Result<Sample, Wrong> {
    let begin = part.at;
    let (mut stack, mut values, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => {
                let mut wrong = None;
                value.numbers(|number| match locations.place("location", number, at) {
                    Ok(place) => stack.push(place),
                    Err(other) => wrong = wrong.take().or(Some(other)),
                })?;
                wrong.map_or(Ok(()), Err)?;
            }
            2 => value.numbers(|number| values.push(number as i64))?,
            3 => labels.push(label(made, value.part(at)?)?),
            _ => {}
        }
    }
    if values.len() != made.types.len() {
        let told = format!("a sample has {} values, where {} are announced", values.len(), made.types.len());
        return Err((begin, told));
    }
    Ok(Sample {
        stack: stack.into_boxed_slice(),
        values: values.into_boxed_slice(),
        labels: labels.into_boxed_slice(),
    })
}

fn label(made: &Sampled, mut part: Message<'_>) -> Result<Label, Wrong> {
    let mut read = Label { key: 0, text: 0, number: 0, unit: 0 };
    while let Some((field, at, value)) = part.field()? {
        match field {
            1 => read.key = text_of(made, value.number(at)?, at)?,
            2 => read.text = text_of(made, value.number(at)?, at)?,
            3 => read.number = value.number(at)? as i64,
            4 => read.unit = text_of(made, value.number(at)?, at)?,
            _ => {}
        }
    }
    Ok(read)
}

#[cfg(test)]
#[path = "pprof_tests.rs"]
mod tests;
