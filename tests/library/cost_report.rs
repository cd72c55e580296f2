//! Profiles that the references' runtime wrote, read back, arranged and written again: every byte must be the same.

use barrow::base::flag::CostReport;
use barrow::report::cost::{CentreRow, CostProfile, StackRow};
use barrow::report::{cost_json, cost_text};
use std::path::PathBuf;

/// A profile that owns its texts.
#[derive(Default)]
struct Profile {
    program: String,
    arguments: String,
    flags: String,
    date: String,
    tick_us: u64,
    centres: Vec<Centre>,
    stacks: Vec<StackRow>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Centre {
    id: u32,
    label: String,
    module: String,
    source: String,
    is_caf: bool,
    ticks: u64,
    bytes: u64,
}

fn is_hidden(centre: &Centre) -> bool {
    let own = ["OVERHEAD_of", "DONT_CARE", "GC", "SYSTEM", "IDLE"];
    centre.source == "<built-in>" && own.contains(&centre.label.as_str())
}

impl Profile {
    fn text(&self, detail: CostReport) -> String {
        let rows: Vec<CentreRow<'_>> = self
            .centres
            .iter()
            .map(|c| CentreRow {
                id: c.id,
                label: &c.label,
                module: &c.module,
                source: &c.source,
                is_caf: c.is_caf,
                hidden: is_hidden(c),
                ticks: c.ticks,
                bytes: c.bytes,
            })
            .collect();
        let profile = CostProfile {
            program: self.program.as_bytes(),
            arguments: self.arguments.as_bytes(),
            flags: &self.flags,
            date: &self.date,
            tick_us: self.tick_us,
            detail,
            centres: &rows,
            stacks: &self.stacks,
        };
        let arranged = profile.arrange().unwrap();
        let mut out = Vec::new();
        match detail {
            CostReport::Json => cost_json::write(&mut out, &profile, &arranged).unwrap(),
            _ => cost_text::write(&mut out, &profile, &arranged).unwrap(),
        }
        String::from_utf8(out).unwrap()
    }

    fn centre_of(&mut self, label: &str, module: &str, source: &str) -> u32 {
        let same = |c: &Centre| (&*c.label, &*c.module, &*c.source) == (label, module, source);
        if let Some(at) = self.centres.iter().position(same) {
            return at as u32;
        }
        let [label, module, source] = [label, module, source].map(str::to_string);
        self.centres.push(Centre { label, module, source, ..Centre::default() });
        self.centres.len() as u32 - 1
    }

    /// Parents before children, older ones first.
    fn sort_stacks(&mut self) {
        let mut order: Vec<usize> = (0..self.stacks.len()).collect();
        order.sort_by_key(|&at| (at != 0, self.stacks[at].number));
        let old = self.stacks.clone();
        let place = |at: u32| order.iter().position(|&o| o == at as usize).unwrap() as u32;
        self.stacks = order.iter().map(|&at| StackRow { parent: place(old[at].parent), ..old[at] }).collect();
        assert!(self.stacks.iter().enumerate().skip(1).all(|(at, stack)| (stack.parent as usize) < at));
    }

    fn add_up_centres(&mut self) {
        for centre in &mut self.centres {
            (centre.ticks, centre.bytes) = (0, 0);
        }
        for stack in &self.stacks {
            let centre = &mut self.centres[stack.centre as usize];
            centre.ticks += stack.ticks;
            centre.bytes += stack.bytes;
        }
    }
}

fn folder() -> PathBuf {
    // With it, other recorded profiles are looked at than those that are here.
    std::env::var_os("BARROW_PROFILES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/prof"), PathBuf::from)
}

fn recorded(ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if name.ends_with(ending) {
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(!found.is_empty());
    found
}

/// The characters from column `from` to `to`, without blanks around.
fn cut(line: &str, from: usize, to: usize) -> String {
    line.chars().skip(from).take(to - from).collect::<String>().trim_end().to_string()
}

fn read_text(text: &str) -> Profile {
    let mut profile = Profile::default();
    let lines: Vec<&str> = text.lines().collect();
    profile.date = lines[0].trim().split(" Time and").next().unwrap().to_string();
    let words: Vec<&str> = lines[2].trim().split(' ').collect();
    let rts = words.iter().position(|w| *w == "-RTS").unwrap();
    profile.program = words[0].to_string();
    profile.flags = words[2..rts].join(" ");
    profile.arguments = words[rts + 1..].iter().map(|w| format!("{w}\0")).collect();
    let us = lines[4].split("@ ").nth(1).unwrap();
    profile.tick_us = us.split(' ').next().unwrap().parse().unwrap();
    let heads: Vec<usize> = (0..lines.len()).filter(|&l| lines[l].starts_with("COST CENTRE")).collect();
    let column = |line: usize, name: &str| lines[line].find(name).unwrap();
    let (module, src, number) =
        (column(heads[1], "MODULE"), column(heads[1], "SRC"), column(heads[1], "no."));
    let mut above: Vec<u32> = Vec::new();
    for line in &lines[heads[1] + 2..] {
        let level = line.chars().take_while(|c| *c == ' ').count();
        let label = cut(line, level, module);
        let centre = profile.centre_of(&label, &cut(line, module, src), &cut(line, src, number));
        let numbers: Vec<&str> =
            line.char_indices().nth(number).map_or("", |(at, _)| &line[at..]).split_whitespace().collect();
        above.truncate(level);
        let at = profile.stacks.len() as u32;
        profile.stacks.push(StackRow {
            number: numbers[0].parse().unwrap(),
            centre,
            parent: above.last().copied().unwrap_or(0),
            entries: numbers[1].parse().unwrap(),
            ticks: numbers.get(6).map_or(0, |n| n.parse().unwrap()),
            bytes: numbers.get(7).map_or(0, |n| n.parse().unwrap()),
        });
        above.push(at);
    }
    profile.sort_stacks();
    profile.add_up_centres();
    profile
}

/// The strings and numbers of the references' JSON, in order; quotes in their strings are not escaped.
fn read_json(text: &str) -> Profile {
    let mut profile = Profile::default();
    let line = |n: usize| text.lines().nth(n).unwrap();
    let strings = |line: &str| -> Vec<String> {
        let inside = line.split_once('[').unwrap().1.trim_end_matches("],").trim_matches('"');
        inside.split("\", \"").map(|word| word.replace(r"\\", "\\")).collect()
    };
    let arguments = strings(line(2));
    profile.program = arguments[0].clone();
    profile.arguments = arguments[1..].iter().map(|a| format!("{a}\0")).collect();
    profile.flags = strings(line(3)).join(" ");
    profile.date = line(4).split('"').nth(3).unwrap().to_string();
    profile.tick_us = line(8).split(": ").nth(1).unwrap().trim_end_matches(',').parse().unwrap();
    for entry in line(11).trim_start_matches('[').split("{\"id\": ").skip(1) {
        let field = |name: &str, end: &str| {
            let from = entry.find(name).unwrap() + name.len();
            entry[from..from + entry[from..].find(end).unwrap()].replace(r"\\", "\\")
        };
        profile.centres.push(Centre {
            id: entry.split(',').next().unwrap().parse().unwrap(),
            label: field("\"label\": \"", "\", \"module\""),
            module: field("\"module\": \"", "\", \"src_loc\""),
            source: field("\"src_loc\": \"", "\", \"is_caf\""),
            is_caf: field("\"is_caf\": ", "}") == "true",
            ..Centre::default()
        });
    }
    let tree = text.split_once("\"profile\": ").unwrap().1;
    let mut above: Vec<u32> = Vec::new();
    for piece in tree.split("{\"id\": ").skip(1) {
        let numbers: Vec<u64> = piece.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        let at = profile.stacks.len() as u32;
        profile.stacks.push(StackRow {
            // Recorded in the order that ties have: the newest first.
            number: if at == 0 { 0 } else { u32::MAX - at },
            centre: profile.centres.iter().position(|c| c.id as u64 == numbers[0]).unwrap() as u32,
            parent: above.last().copied().unwrap_or(0),
            entries: numbers[1],
            bytes: numbers[2],
            ticks: numbers[3],
        });
        above.push(at);
        for _ in 0..piece.matches("]}").count() {
            above.pop();
        }
    }
    profile
}

fn differ(name: &str, ours: &str, theirs: &str) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(ours.lines().count().min(theirs.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_string();
    Some(format!("{name}, line {}:\n  ours:   {:?}\n  theirs: {:?}", line + 1, at(ours), at(theirs)))
}

#[test]
fn reports_of_everything_are_the_same_to_the_byte() {
    let jsons = recorded("-pj.json");
    let mut count = 0;
    for (name, text) in recorded("-Pa.prof")
        .into_iter()
        .chain(recorded(".prof").into_iter().filter(|(n, _)| n == "nfib-pa.prof"))
    {
        let mut profile = read_text(&text);
        // The order of the list of centres, which ties in the first table have, is only in the JSON.
        let program = name.rsplit_once('-').unwrap().0;
        let (_, json) = jsons.iter().find(|(n, _)| *n == format!("{program}-pj.json")).unwrap();
        let order = read_json(json).centres;
        let place = |c: &Centre| {
            order
                .iter()
                .position(|o| (&o.label, &o.module, &o.source) == (&c.label, &c.module, &c.source))
                .unwrap_or_else(|| panic!("{c:?}"))
        };
        for never_entered in &order {
            let Centre { label, module, source, .. } = never_entered;
            profile.centre_of(label, module, source);
        }
        let mut by_place: Vec<usize> = (0..profile.centres.len()).collect();
        by_place.sort_by_key(|&at| place(&profile.centres[at]));
        let centres = by_place.iter().map(|&at| profile.centres[at].clone()).collect();
        for stack in &mut profile.stacks {
            stack.centre = by_place.iter().position(|&at| at == stack.centre as usize).unwrap() as u32;
        }
        profile.centres = centres;
        if let Some(difference) = differ(&name, &profile.text(CostReport::All), &text) {
            panic!("{difference}");
        }
        count += 1;
    }
    assert!(count >= 4);
}

#[test]
fn json_is_the_same_to_the_byte() {
    for (name, text) in recorded(".json") {
        let mut profile = read_json(&text);
        profile.add_up_centres();
        let newest_first = profile.stacks.clone();
        // As positions go, the oldest comes first.
        let last = newest_first.len() as u32 - 1;
        let turned = |at: u32| if at == 0 { 0 } else { last + 1 - at };
        let mut stacks: Vec<StackRow> = vec![newest_first[0]];
        // A parent comes before its children: deeper ones last.
        let depth = |mut at: u32| {
            let mut depth = 0;
            while at != 0 {
                at = newest_first[at as usize].parent;
                depth += 1;
            }
            depth
        };
        let mut order: Vec<u32> = (1..=last).collect();
        order.sort_by_key(|&at| (depth(at), turned(at)));
        for &at in &order {
            let parent = newest_first[at as usize].parent;
            let parent = order.iter().position(|&o| o == parent).map_or(0, |p| p as u32 + 1);
            stacks.push(StackRow { parent, ..newest_first[at as usize] });
        }
        profile.stacks = stacks;
        let ours = profile.text(CostReport::Json);
        // The references' runtime escapes backslashes, and no quotes.
        let mut theirs = text.clone();
        let labels = profile.centres.iter().map(|c| c.label.clone());
        for plain in labels.chain(profile.arguments.split_terminator('\0').map(str::to_string)) {
            let plain = plain.replace('\\', r"\\");
            let escaped = plain.replace('"', "\\\"");
            if escaped != plain {
                theirs = theirs.replace(&format!("\"{plain}\""), &format!("\"{escaped}\""));
            }
        }
        if let Some(difference) = differ(&name, &ours, &theirs) {
            panic!("{difference}");
        }
    }
}

/// Reports that leave out what costs nothing, and the library's own centres: those are not in the record, but one of
/// them can be seen by the width of a column.
#[test]
fn shorter_reports_are_the_same_to_the_byte() {
    for (name, text) in recorded(".prof") {
        let detailed = text.contains("%alloc  ticks     bytes\n");
        if !detailed || name.contains("-Pa") || name.contains("-pa") || name.contains("-hr") {
            continue;
        }
        let mut differences = Vec::new();
        let mut same = false;
        // What the hidden centres cost can only be guessed.
        for (ticks, bytes) in [(0, 8), (3, 1 << 40)] {
            let mut profile = read_text(&text);
            for (label, module, bytes) in [("OVERHEAD_of", "PROFILING", bytes), ("GC", "GC", 0)] {
                let centre = profile.centre_of(label, module, "<built-in>");
                let row = StackRow { number: 1, centre, parent: 0, entries: 0, ticks, bytes };
                profile.stacks.push(row);
            }
            profile.add_up_centres();
            let order: Vec<String> =
                text.lines().skip(7).take_while(|l| !l.is_empty()).map(str::to_string).collect();
            assert!(!order.is_empty());
            // The first table has the order of the list where ticks are equal.
            let first: Vec<&str> = text.split("\n\n\n").next().unwrap().lines().skip(9).collect();
            let rank = |c: &Centre| {
                first.iter().position(|l| {
                    l.starts_with(&format!("{} ", c.label))
                        && l.contains(&format!("{} ", c.source))
                        && l.contains(&format!(" {} ", c.module))
                })
            };
            let mut by_rank: Vec<usize> = (0..profile.centres.len()).collect();
            by_rank.sort_by_key(|&at| rank(&profile.centres[at]).unwrap_or(usize::MAX));
            let centres = by_rank.iter().map(|&at| profile.centres[at].clone()).collect();
            for stack in &mut profile.stacks {
                stack.centre = by_rank.iter().position(|&at| at == stack.centre as usize).unwrap() as u32;
            }
            profile.centres = centres;
            let ours = profile.text(CostReport::Detailed);
            let standard = profile.text(CostReport::Standard);
            for (short, long) in standard.lines().zip(ours.lines()) {
                assert!(long.starts_with(short), "{name}: {short:?} is not the beginning of {long:?}");
            }
            match differ(&name, &ours, &text) {
                None => same = true,
                Some(difference) => differences.push(difference),
            }
        }
        assert!(same, "{}", differences.join("\n"));
    }
}
