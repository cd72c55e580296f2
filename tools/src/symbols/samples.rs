//! Files, lines and inlined functions for the places of samples, from the debug information of the code that was mapped there.

use super::{Found, Symbols};
use crate::sampled::{Function, Line, Sampled, Text};
use std::collections::HashMap;

/// Gives locations that have no lines the functions at their addresses. What a file of code does not know stays as it was.
pub fn locate(sampled: &mut Sampled, symbols: &mut Symbols) {
    let mut texts: HashMap<String, Text> = HashMap::new();
    let mut functions: HashMap<(Text, Text), u32> = HashMap::new();
    for at in 0..sampled.locations.len() {
        let location = &sampled.locations[at];
        // Other writers know the lines already, and addresses of programs that may be elsewhere.
        if location.lines.iter().any(|line| line.line > 0) {
            continue;
        }
        let Some(mapping) = location.mapping else { continue };
        let mapping = &sampled.mappings[mapping as usize];
        let (path, build_id) = (sampled.text(mapping.file), sampled.text(mapping.build_id));
        if path.is_empty() {
            continue;
        }
        let found = symbols.frames_in(path, build_id, mapping.in_file(location.address));
        if found.is_empty() {
            continue;
        }
        let lines = found.into_iter().map(|found| {
            let line = found.line.map_or(0, i64::from);
            Line { function: function(sampled, found, &mut texts, &mut functions), line, column: 0 }
        });
        let lines: Box<[Line]> = lines.collect();
        let inlined = lines.len() > 1;
        let known = lines.iter().any(|line| line.line > 0);
        let location = &mut sampled.locations[at];
        location.lines = lines;
        if let Some(mapping) = location.mapping {
            let has = &mut sampled.mappings[mapping as usize].has;
            *has = [true, has[1] || known, has[2] || known, has[3] || inlined];
        }
    }
}

fn function(
    sampled: &mut Sampled,
    found: Found,
    texts: &mut HashMap<String, Text>,
    functions: &mut HashMap<(Text, Text), u32>,
) -> u32 {
    let name = text(sampled, found.function, texts);
    let file = found.file.map_or(0, |file| text(sampled, file, texts));
    *functions.entry((name, file)).or_insert_with(|| {
        sampled.functions.push(Function { name, system_name: name, file, start_line: 0 });
        sampled.functions.len() as u32 - 1
    })
}

fn text(sampled: &mut Sampled, text: String, texts: &mut HashMap<String, Text>) -> Text {
    *texts.entry(text).or_insert_with_key(|text| {
        sampled.texts.push(text.clone());
        sampled.texts.len() as u32 - 1
    })
}
