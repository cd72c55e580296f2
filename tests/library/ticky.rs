//! Ticky reports that the references' runtime wrote, read back and written again: every byte must be the same. And the
//! same counts put into a heap's counters by way of the C interface, for the report of the whole library.

use super::heaps::{heap, ok};
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::ticky::{barrow_ticky_register, barrow_ticky_report, barrow_ticky_row};
use barrow::heap::mutator::ticky::{Needs, ROWS, Ticky};
use barrow::identity::function::{TICKY_EXPORTED, TickyFunction};
use barrow::report::ticky::{FunctionRow, TickyReport, Validity, write};
use std::ffi::CString;

const STARS: &str = "**************************************************\n";
/// Those from here on are our own.
const FIRST_OWN: &str = "ALLOC_FUN_adm";

/// What a report is about, from its own two machine-readable parts.
struct Recorded<'a> {
    counters: Ticky,
    squeezes: bool,
    functions: Vec<FunctionRow<'a>>,
}

/// How many counters the references have.
fn their_rows() -> usize {
    ROWS.iter().position(|row| row.name == FIRST_OWN).unwrap()
}

fn read(text: &str) -> Recorded<'_> {
    let parts: Vec<&str> = text.split(STARS).collect();
    assert_eq!(parts.len(), 3);
    let rows = their_rows();
    let (mut counters, mut squeezes) = (Ticky::zero(), false);
    let mut lines = parts[2].lines();
    for row in &ROWS[..rows] {
        for column in 0..row.columns {
            let line = lines.next().unwrap().trim_start();
            let (value, name) = line.split_once(' ').unwrap();
            if let Some(name) = name.strip_suffix(" requires +RTS -Z") {
                assert_eq!(name.replace('!', ""), row.name);
                assert_eq!(row.needs, Needs::NoSqueezing);
                squeezes = true;
            } else if row.columns == 1 {
                assert_eq!(name, row.name);
            } else {
                assert_eq!(name, format!("{}_{column}", row.name));
            }
            counters.set_word(row.at + column, value.parse().unwrap());
        }
    }
    assert_eq!(lines.next(), None);
    let functions = parts[1].lines().skip(3).filter(|line| !line.is_empty()).map(function).collect();
    Recorded { counters, squeezes, functions }
}

fn written_again(text: &str) -> String {
    let (command, _) = text.split_once('\n').unwrap();
    let Recorded { counters, squeezes, functions } = read(text);
    let report = TickyReport {
        counters: &counters,
        functions: &functions,
        validity: Validity { squeezes, selects: true, generations: 2 },
        explained: "https://gitlab.haskell.org/ghc/ghc/wikis/debugging/ticky-ticky",
        rows: their_rows(),
        heap: false,
    };
    let mut out = format!("{command}\n").into_bytes();
    write(&mut out, &report).unwrap();
    String::from_utf8(out).unwrap()
}

fn function(line: &str) -> FunctionRow<'_> {
    let number = |from: usize, to: usize| line[from..to].trim().parse().unwrap();
    let text = &line[59..];
    let (name, rest) = text.split_once(" (").unwrap();
    let (rest, parent) = rest.rsplit_once(" in ").unwrap_or((rest, ""));
    let rest = rest.strip_suffix(')').unwrap();
    let (module, what) = match rest.split_once(") (") {
        Some((module, what)) => (module, what),
        None => ("", rest),
    };
    let exported = module.is_empty();
    // Main.f: the module ends at the last dot before the name.
    let (module, name) = match name.rfind('.') {
        Some(dot) if exported => (&name[..dot], &name[dot + 1..]),
        _ => (module, name),
    };
    FunctionRow {
        entries: number(0, 11),
        allocated_by: number(11, 22),
        allocated_of: number(22, 33),
        arity: line[33..37].trim().parse().unwrap(),
        arguments: line[38..58].trim_end(),
        name,
        module,
        what,
        parent,
        exported,
    }
}

#[test]
fn recorded_reports_are_written_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ticky");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(written_again(&text), text, "{}", path.display());
        seen += 1;
    }
    assert!(seen >= 6);
}

/// The report of a heap whose counters are those of a recorded report, from "STACK USAGE" to where the counters begin that
/// the references have not.
fn by_the_library(text: &str, name: &str) -> String {
    let Recorded { counters, squeezes, functions } = read(text);
    let c_string = |text: &str| CString::new(text).unwrap().into_raw().cast_const();
    let (heap, m) = heap(if squeezes { "--squeeze" } else { "-Z" });
    // The newest come first.
    for row in functions.iter().rev() {
        let described = Box::leak(Box::new(TickyFunction {
            size: size_of::<TickyFunction>() as u16,
            flags: if row.exported { TICKY_EXPORTED } else { 0 },
            id: 0,
            arity: row.arity,
            reserved: 0,
            name: c_string(row.name),
            module: c_string(row.module),
            arguments: c_string(row.arguments),
            what: c_string(row.what),
            parent: c_string(row.parent),
            code: std::ptr::null(),
        }));
        // SAFETY: the mutator is live and ours; the function's data stays for ever.
        unsafe {
            ok(barrow_ticky_register(described, 1));
            let counted = &mut *barrow_ticky_row(m, described);
            counted.entries += row.entries;
            counted.allocated_by += row.allocated_by;
            counted.allocated_of += row.allocated_of;
        }
    }
    for row in &ROWS[..their_rows()] {
        for at in row.at..row.at + row.columns {
            // SAFETY: as above; this is what an inline increment does.
            unsafe { (*(*m).window.ticky).set_word(at, counters.word(at)) };
        }
    }
    let path = std::env::temp_dir().join(format!("barrow-{}-{name}", std::process::id()));
    let file = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: as above.
    ok(unsafe { barrow_ticky_report(m, file.as_ptr()) });
    // SAFETY: the heap is live.
    ok(unsafe { barrow_heap_free(heap) });
    let ours = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let (_, from) = ours.split_once("\nSTACK USAGE:").unwrap();
    let ours = format!("\nSTACK USAGE:{from}").replace("explained by docs/ticky.md", THEIR_EXPLANATION);
    let end = ours.find(&format!(" {FIRST_OWN}\n")).unwrap();
    ours[..ours[..end].rfind('\n').unwrap() + 1].to_string()
}

const THEIR_EXPLANATION: &str = "explained by https://gitlab.haskell.org/ghc/ghc/wikis/debugging/ticky-ticky";

/// The tables are the same to the byte, but for the address at which they are explained. In what people read above them, all
/// lines up to the updates are there in their order; between them are those that the guide has and the references' runtime
/// does not write any more, and the updates are as in the guide.
#[test]
fn recorded_counts_give_the_recorded_reports() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ticky");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let ours = by_the_library(&text, path.file_name().unwrap().to_str().unwrap());
        let tables = |text: &str| text[text.find(THEIR_EXPLANATION).unwrap()..].to_string();
        let (our_tables, their_tables) = (tables(&ours), tables(&text));
        let wrong = our_tables.lines().zip(their_tables.lines()).find(|(ours, theirs)| ours != theirs);
        assert_eq!(wrong, None, "{}", path.display());
        assert_eq!(our_tables, their_tables, "{}", path.display());
        let mut lines = ours.lines();
        for line in text.lines().skip(1).take_while(|line| !line.starts_with("UPDATES:")) {
            assert!(lines.any(|ours| ours == line), "{}: {line:?} is not in its place", path.display());
        }
    }
}

/// The guide's own example: what it shows of the allocations, with its counts.
#[test]
fn the_block_of_allocations() {
    let mut c = Ticky::zero();
    (c.alloc_fun_ctr, c.alloc_up_thk_ctr, c.alloc_con_ctr, c.alloc_pap_ctr) =
        (69647, 2382937, 1477218, 34825);
    (c.alloc_bh_ctr, c.alloc_tso_ctr) = (2, 2);
    c.alloc_fun_hst = [34831, 34816, 0, 0, 0];
    c.alloc_thk_hst = [0, 1_999_284, 383_653, 0, 0];
    c.alloc_con_hst = [986_782, 490_436, 0, 0, 0];
    c.alloc_bh_hst[1] = 2;
    c.alloc_tso_hst[4] = 2;
    c.alloc_pap_hst[3] = 34825;
    (c.alloc_fun_gds, c.alloc_fun_adm, c.alloc_fun_slp) = (8 * 10_098_305, 8 * 3_999_476, 8 * 1_232_595);
    (c.alloc_heap_ctr, c.alloc_heap_tot, c.alloc_all_tot) = (3_647_137, 8 * 11_882_004, 8 * 11_882_014);
    let report = TickyReport {
        counters: &c,
        functions: &[],
        validity: Validity { squeezes: true, selects: true, generations: 2 },
        explained: "docs/ticky.md",
        rows: ROWS.len(),
        heap: true,
    };
    let mut out = Vec::new();
    write(&mut out, &report).unwrap();
    let text = String::from_utf8(out).unwrap();
    let block = "
ALLOCATIONS: 3964631 (11330900 words total: 3999476 admin, 6098829 goods, 1232595 slop)
                                    total words:        2     3     4     5    6+
      69647 (  1.8%) function values                 50.0  50.0   0.0   0.0   0.0
    2382937 ( 60.1%) thunks                           0.0  83.9  16.1   0.0   0.0
    1477218 ( 37.3%) data values                     66.8  33.2   0.0   0.0   0.0
          0 (  0.0%) big tuples
          2 (  0.0%) black holes                      0.0 100.0   0.0   0.0   0.0
          0 (  0.0%) prim things                      0.0   0.0   0.0   0.0   0.0
      34825 (  0.9%) partial applications             0.0   0.0   0.0 100.0   0.0
          2 (  0.0%) thread state objects             0.0   0.0   0.0   0.0 100.0

Total storage-manager allocations: 3647137 (11882004 words)
\t[551104 words lost to speculative heap-checks]
";
    let block = block.replace("(11882004 words)", "(11882014 words)");
    assert!(text.starts_with(&block), "{text}");
    assert!(text.contains("\n\t[10 words by code without counters]\n\nSTACK USAGE:\n"));
    assert!(text.contains("\n          0 E!NT_PERM_IND_ctr requires +RTS -Z\n"));
}
