//! Profiles that the references' runtime wrote, driven through the whole library: the same centres are entered as often,
//! the same bytes allocated, the same ticks booked, and the file that comes out must be the same to the byte, except for
//! its date and command line, for the numbers that name centres and stacks, and for quotes, which we escape in JSON.

use super::heaps::{heap, ok};
use barrow::base::flag::CostReport;
use barrow::ffi::alloc::barrow_reserve_slow;
use barrow::ffi::cost::*;
use barrow::ffi::cost_report::{barrow_cost_report, barrow_cost_tick};
use barrow::ffi::heap::barrow_heap_free;
use barrow::heap::Mutator;
use barrow::host::Host;
use barrow::identity::Ccs;
use barrow::identity::ccs::Special;
use barrow::identity::cost_centre::{CC_CAF, CostCentre};
use std::collections::HashMap;
use std::ffi::CString;
use std::process::Command;

/// A stack of the tree in a profile.
struct Row {
    number: u32,
    /// Its place in the list; the first, MAIN, is its own.
    parent: usize,
    names: [String; 3],
    entries: u64,
    ticks: u64,
    bytes: u64,
}

fn columns(line: &str, from: usize, to: usize) -> String {
    line.chars().skip(from).take(to - from).collect::<String>().trim_end().to_string()
}

/// The line of the second table's heading.
fn heading(lines: &[&str]) -> usize {
    lines.iter().rposition(|line| line.starts_with("COST CENTRE")).unwrap()
}

fn read(text: &str) -> Vec<Row> {
    let lines: Vec<&str> = text.lines().collect();
    let head = heading(&lines);
    let at = |name: &str| lines[head].find(name).unwrap();
    let (module, source, number) = (at("MODULE"), at("SRC"), at("no."));
    let mut rows: Vec<Row> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in &lines[head + 2..] {
        let level = line.chars().take_while(|c| *c == ' ').count();
        above.truncate(level);
        let rest: String = line.chars().skip(number).collect();
        let figures: Vec<&str> = rest.split_whitespace().collect();
        let names = [(level, module), (module, source), (source, number)].map(|(a, b)| columns(line, a, b));
        rows.push(Row {
            number: figures[0].parse().unwrap(),
            parent: above.last().copied().unwrap_or(0),
            names,
            entries: figures[1].parse().unwrap(),
            ticks: figures[6].parse().unwrap(),
            bytes: figures[7].parse().unwrap(),
        });
        above.push(rows.len() - 1);
    }
    rows
}

/// The centres of the first table, in its order.
fn first_table(text: &str) -> Vec<[String; 3]> {
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.starts_with("COST CENTRE")).unwrap();
    let at = |name: &str| lines[head].find(name).unwrap();
    let (module, source, end) = (at("MODULE"), at("SRC"), at("%time") - 1);
    let rows = lines[head + 2..].iter().take_while(|line| !line.is_empty());
    rows.map(|line| [(0, module), (module, source), (source, end)].map(|(a, b)| columns(line, a, b)))
        .collect()
}

/// The stacks that the library has itself, by the names that the references give them too.
fn special(names: &[String; 3]) -> Option<Special> {
    use Special::*;
    let own = [(Main, "MAIN"), (System, "SYSTEM"), (Gc, "GC"), (Overhead, "OVERHEAD_of")];
    let more = [(DontCare, "DONT_CARE"), (Pinned, "PINNED"), (Idle, "IDLE")];
    let (which, _) = own.into_iter().chain(more).find(|(_, name)| *name == names[0])?;
    (names[2] == "<built-in>").then_some(which)
}

/// The centres of a profile in JSON, in its order, and the tree. Quotes in the references' strings are not escaped.
fn read_json(text: &str) -> (Vec<[String; 3]>, Vec<Row>) {
    let line = text.lines().find(|line| line.starts_with("{\"id\"")).unwrap();
    let (mut ids, mut centres) = (Vec::new(), Vec::new());
    for entry in line.split("{\"id\": ").skip(1) {
        let field = |name: &str, end: &str| {
            let rest = entry.split_once(name).unwrap().1;
            rest.split_once(end).unwrap().0.replace(r"\\", "\\")
        };
        ids.push(entry.split_once(',').unwrap().0);
        centres.push([
            field("\"label\": \"", "\", \"module\""),
            field("\"module\": \"", "\", \"src_loc\""),
            field("\"src_loc\": \"", "\", \"is_caf\""),
        ]);
    }
    let (mut rows, mut above): (Vec<Row>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in text.split_once("\"profile\": ").unwrap().1.split("{\"id\": ").skip(1) {
        let figures: Vec<&str> = piece.split([' ', ',']).filter(|word| word.parse::<u64>().is_ok()).collect();
        let at = ids.iter().position(|id| *id == figures[0]).unwrap();
        rows.push(Row {
            // Of those that are alike, the newest comes first.
            number: if rows.is_empty() { 0 } else { u32::MAX - rows.len() as u32 },
            parent: above.last().copied().unwrap_or(0),
            names: centres[at].clone(),
            entries: figures[1].parse().unwrap(),
            bytes: figures[2].parse().unwrap(),
            ticks: figures[3].parse().unwrap(),
        });
        above.push(rows.len() - 1);
        above.truncate(above.len() - piece.matches("]}").count());
    }
    (centres, rows)
}

struct Program {
    heap: *mut Host,
    m: *mut Mutator,
    centres: HashMap<[String; 3], *mut CostCentre>,
}

impl Program {
    fn new(flags: &str) -> Program {
        let (heap, m) = heap(flags);
        Program { heap, m, centres: HashMap::new() }
    }

    /// Where nothing else decides, the centre that was registered last comes first.
    fn register(&mut self, in_order: &[[String; 3]]) {
        for names in in_order.iter().rev().filter(|names| special(names).is_none()) {
            let centre = self.centre(names);
            // SAFETY: a centre that stays for ever.
            ok(unsafe { barrow_cc_register(centre, 1) });
        }
    }

    fn centre(&mut self, names: &[String; 3]) -> *mut CostCentre {
        *self.centres.entry(names.clone()).or_insert_with(|| {
            let [label, module, source] =
                names.clone().map(|text| CString::new(text).unwrap().into_raw().cast_const());
            let is_caf = names[0] == "CAF";
            let size = size_of::<CostCentre>() as u16;
            let flags = if is_caf { CC_CAF } else { 0 };
            Box::into_raw(Box::new(CostCentre { size, flags, id: 0, label, module, source }))
        })
    }

    /// Exactly so many bytes, in the current stack: words that no object needs stay zero.
    fn allocate(&self, bytes: u64) {
        assert!(bytes.is_multiple_of(8));
        let mut words = bytes as usize / 8;
        while words > 0 {
            let some = words.min(4096);
            // SAFETY: the mutator is live and ours; what was reserved may be taken, and is filled with zero.
            unsafe {
                assert!(barrow_reserve_slow(self.m, some));
                let hp = (*self.m).window.hp;
                hp.write_bytes(0, some);
                (*self.m).window.hp = hp.add(some);
            }
            words -= some;
        }
    }

    fn spend(&self, stack: *mut Ccs, ticks: u64, bytes: u64) {
        // SAFETY: the mutator is live and ours, the stacks are the library's.
        unsafe {
            let before = (*self.m).window.ccs;
            ok(barrow_ccs_leave_slow(self.m, stack));
            self.allocate(bytes);
            ok(barrow_cost_tick(self.m, ticks));
            ok(barrow_ccs_leave_slow(self.m, before));
        }
    }

    fn run(&mut self, rows: &[Row]) {
        let mut stacks = vec![barrow_ccs_special(Special::Main as u32); rows.len()];
        // In the order in which they came to be, which ties have.
        let mut order: Vec<usize> = (1..rows.len()).collect();
        order.sort_by_key(|&at| rows[at].number);
        let mut left = order;
        let mut made = vec![false; rows.len()];
        made[0] = true;
        while !left.is_empty() {
            left.retain(|&at| {
                let row = &rows[at];
                if !made[row.parent] {
                    return true;
                }
                made[at] = true;
                if let Some(special) = special(&row.names) {
                    stacks[at] = barrow_ccs_special(special as u32);
                    self.spend(stacks[at], row.ticks, row.bytes);
                    return false;
                }
                let centre = self.centre(&row.names);
                // SAFETY: as for `spend`; centres stay for ever.
                unsafe {
                    ok(barrow_ccs_leave_slow(self.m, stacks[row.parent]));
                    if row.names[0] == "CAF" {
                        barrow_ccs_enter_caf(self.m, centre);
                    } else if row.entries == 0 {
                        ok(barrow_ccs_leave_slow(self.m, barrow_ccs_push(stacks[row.parent], centre)));
                    }
                    for _ in 0..row.entries {
                        ok(barrow_ccs_leave_slow(self.m, stacks[row.parent]));
                        barrow_ccs_enter_slow(self.m, centre);
                    }
                    stacks[at] = (*self.m).window.ccs;
                }
                self.spend(stacks[at], row.ticks, row.bytes);
                false
            });
        }
        self.spend(stacks[0], rows[0].ticks, rows[0].bytes);
    }

    fn report(&self, name: &str, detail: CostReport) -> String {
        let path = std::env::temp_dir().join(format!("barrow-replay-{}-{name}", std::process::id()));
        let file = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the mutator is live and ours.
        ok(unsafe { barrow_cost_report(self.m, file.as_ptr(), detail as u32) });
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the heap is live.
        ok(unsafe { barrow_heap_free(self.heap) });
    }
}

/// The text without what a run has of its own: date, command line, and the column of stacks' numbers.
fn without_names(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let all: Vec<&str> = text.lines().collect();
    let head = heading(&all);
    let from = all[head].find("no.").unwrap();
    let width = all[head].find("entries").unwrap() + "entries".len() - 12 - from;
    lines[0] = lines[0].split(" Time and").nth(1).unwrap().to_string();
    lines[2] = String::new();
    lines[head - 1].replace_range(0..width, "");
    for line in lines[head..].iter_mut().filter(|line| !line.is_empty()) {
        *line = line.chars().take(from).chain(line.chars().skip(from + width)).collect();
    }
    lines
}

/// The JSON without what a run has of its own: command line, date, and the centres' numbers, which are counted anew in
/// the order in which the file has the centres. Quotes as the references write them.
fn without_ids(text: &str) -> Vec<String> {
    let line = text.lines().find(|line| line.starts_with("{\"id\"")).unwrap();
    let ids: Vec<&str> =
        line.split("{\"id\": ").skip(1).map(|entry| entry.split_once(',').unwrap().0).collect();
    let mut pieces = text.split("{\"id\": ");
    let mut out = pieces.next().unwrap().to_string();
    for piece in pieces {
        let (id, rest) = piece.split_once(',').unwrap();
        let at = ids.iter().position(|known| *known == id).unwrap();
        out += &format!("{{\"id\": #{at},{rest}");
    }
    let own = ["\"program\"", "\"arguments\"", "\"rts_arguments\"", "\"end_time\""];
    out.replace("\\\"", "\"")
        .lines()
        .filter(|line| !own.iter().any(|name| line.starts_with(name)))
        .map(str::to_string)
        .collect()
}

fn fixture(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/prof");
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

fn difference(name: &str, ours: &[String], theirs: &[String]) -> Option<String> {
    let line = (0..ours.len().max(theirs.len())).find(|&line| ours.get(line) != theirs.get(line))?;
    let number = line + 1;
    Some(format!(
        "{name}, line {number}:\n  ours:   {:?}\n  theirs: {:?}\n",
        ours.get(line),
        theirs.get(line)
    ))
}

/// The seconds of a tick.
fn tick(text: &str) -> f64 {
    let us = text.split("ticks @ ").nth(1).map(|rest| rest.split(' ').next());
    let us = us.unwrap_or_else(|| text.split("\"tick_interval\": ").nth(1)?.split(',').next());
    us.unwrap().parse::<f64>().unwrap() / 1e6
}

/// What costs something: -P, and the same events for the -p that has the same figures.
fn replay_some(name: &str, also: Option<&str>) {
    let text = fixture(name);
    let rows = read(&text);
    let all: u64 = rows.iter().map(|row| row.ticks).sum();
    let mut differences = String::new();
    // What a report leaves out can be seen in it by the width of a column: whether the runtime's own centres
    // had more than a hundredth.
    for own in [(0, 0), (all / 50 + 1, 0), (all / 50 + 1, all / 50 + 1)] {
        let mut program = Program::new(&format!("-V{}", tick(&text)));
        program.register(&first_table(&text));
        program.run(&rows);
        program.spend(barrow_ccs_special(Special::Overhead as u32), own.0, 8);
        program.spend(barrow_ccs_special(Special::Gc as u32), own.1, 0);
        let ours = without_names(&program.report(name, CostReport::Detailed));
        let mut wrong = difference(name, &ours, &without_names(&text));
        if let Some(also) = also.filter(|_| wrong.is_none()) {
            let ours = without_names(&program.report(also, CostReport::Standard));
            wrong = difference(also, &ours, &without_names(&fixture(also)));
        }
        let Some(wrong) = wrong else { return };
        differences += &format!("with {own:?} of the runtime's own: {wrong}");
    }
    panic!("{differences}");
}

/// Everything, the library's own centres too: -pa, -Pa and -pj.
fn replay_all(name: &str) {
    let text = fixture(name);
    let json = name.ends_with(".json");
    let (centres, rows) = if json { read_json(&text) } else { (first_table(&text), read(&text)) };
    let mut program = Program::new(&format!("-V{}", tick(&text)));
    program.register(&centres);
    program.run(&rows);
    let ours = program.report(name, if json { CostReport::Json } else { CostReport::All });
    let plain = if json { without_ids } else { without_names };
    if let Some(wrong) = difference(name, &plain(&ours), &plain(&text)) {
        panic!("{wrong}");
    }
}

const REPLAYED: &str = "BARROW_REPLAYED";

/// Replays one file, in a process of its own: reports of everything show all centres that the process knows.
#[test]
fn child() {
    let Ok(name) = std::env::var(REPLAYED) else { return };
    match name.as_str() {
        "nfib-P.prof" => replay_some(&name, Some("nfib-p.prof")),
        _ if name.ends_with("-P.prof") => replay_some(&name, None),
        _ => replay_all(&name),
    }
    println!("\n@replayed");
}

fn replayed(ending: &str) {
    for program in ["nfib", "mutual", "long", "names", "leak"] {
        replayed_alone(&format!("{program}{ending}"));
    }
}

fn replayed_alone(name: &str) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["cost_replay::child", "--exact", "--nocapture", "--test-threads=1"])
        .env(REPLAYED, name)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && out.contains("@replayed"), "{name}: {err}\n{out}");
}

#[test]
fn driven_with_the_same_events_reports_are_the_same() {
    replayed("-P.prof");
}

#[test]
fn reports_of_everything_are_the_same() {
    replayed("-Pa.prof");
    replayed_alone("nfib-pa.prof");
}

#[test]
fn reports_in_json_are_the_same() {
    replayed("-pj.json");
}
