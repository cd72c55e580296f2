//! Profiles that the references' runtime wrote, driven through the whole library: the same centres are entered as often,
//! the same bytes allocated, the same ticks booked, and the file that comes out must be the same to the byte, except for
//! its date and command line, and for the numbers that name stacks.

use barrow::base::Status;
use barrow::ffi::alloc::barrow_reserve_slow;
use barrow::ffi::cost::*;
use barrow::ffi::cost_report::{barrow_cost_report, barrow_cost_tick};
use barrow::ffi::heap::*;
use barrow::ffi::version::barrow_last_error;
use barrow::heap::Mutator;
use barrow::identity::Ccs;
use barrow::identity::ccs::Special;
use barrow::identity::cost_centre::{CC_CAF, CostCentre};
use barrow::runtime::Runtime;
use std::collections::HashMap;
use std::ffi::{CStr, CString};

fn ok(status: Status) {
    // SAFETY: the library's sentence ends with NUL.
    assert_eq!(status, Status::Ok, "{}", unsafe { CStr::from_ptr(barrow_last_error()) }.to_string_lossy());
}

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

struct Program {
    heap: *mut Runtime,
    m: *mut Mutator,
    centres: HashMap<[String; 3], *mut CostCentre>,
}

impl Program {
    fn new(flags: &str) -> Program {
        let flags = CString::new(flags).unwrap();
        // SAFETY: all zero is a configuration; the pointers are valid for the call.
        unsafe {
            let mut config: Config = std::mem::zeroed();
            config.size = size_of::<Config>() as u32;
            config.geometry = OUR_GEOMETRY;
            config.flags = flags.as_ptr();
            let (mut heap, mut m) = (std::ptr::null_mut(), std::ptr::null_mut());
            ok(barrow_heap_new(&config, &mut heap, &mut m));
            Program { heap, m, centres: HashMap::new() }
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
                made[at] = true;
                self.spend(stacks[at], row.ticks, row.bytes);
                false
            });
        }
        self.spend(stacks[0], rows[0].ticks, rows[0].bytes);
    }

    fn report(&self, name: &str) -> String {
        let path = std::env::temp_dir().join(format!("barrow-replay-{}-{name}", std::process::id()));
        let file = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the mutator is live and ours.
        ok(unsafe { barrow_cost_report(self.m, file.as_ptr(), 2) });
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

#[test]
fn driven_with_the_same_events_reports_are_the_same() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/prof");
    for name in ["nfib-P", "mutual-P", "long-P", "names-P", "leak-P"] {
        let text = std::fs::read_to_string(format!("{folder}/{name}.prof")).unwrap();
        let rows = read(&text);
        let theirs = without_names(&text);
        let all: u64 = rows.iter().map(|row| row.ticks).sum();
        let seconds =
            text.split("ticks @ ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6;
        let mut differences = String::new();
        let mut same = false;
        // What a report leaves out can be seen in it by the width of a column: whether the runtime's own centres
        // had more than a hundredth.
        for own in [(0, 0), (all / 50 + 1, 0), (all / 50 + 1, all / 50 + 1)] {
            let mut program = Program::new(&format!("-V{seconds}"));
            // Where nothing else decides, the centre that was registered last comes first.
            for names in first_table(&text).iter().rev() {
                let centre = program.centre(names);
                // SAFETY: a centre that stays for ever.
                ok(unsafe { barrow_cc_register(centre, 1) });
            }
            program.run(&rows);
            program.spend(barrow_ccs_special(Special::Overhead as u32), own.0, 8);
            program.spend(barrow_ccs_special(Special::Gc as u32), own.1, 0);
            let ours = without_names(&program.report(name));
            let wrong = (0..ours.len().max(theirs.len())).find(|&line| ours.get(line) != theirs.get(line));
            same |= wrong.is_none();
            if let Some(line) = wrong {
                differences += &format!(
                    "{name}, {own:?}, line {}:\n  ours:   {:?}\n  theirs: {:?}",
                    line + 1,
                    ours.get(line),
                    theirs.get(line)
                );
            }
        }
        assert!(same, "{differences}");
    }
}
