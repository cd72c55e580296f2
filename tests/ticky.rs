//! Ticky reports that the references' runtime wrote, read back and written again: every byte must be the same.

use barrow::heap::ticky::{Needs, ROWS, Ticky};
use barrow::report::ticky::{FunctionRow, TickyReport, Validity, write};

const STARS: &str = "**************************************************\n";
/// Those from here on are our own.
const FIRST_OWN: &str = "ALLOC_FUN_adm";

/// What a report is about, from its own two machine-readable parts.
fn written_again(text: &str) -> String {
    let (command, _) = text.split_once('\n').unwrap();
    let parts: Vec<&str> = text.split(STARS).collect();
    assert_eq!(parts.len(), 3);
    let rows = ROWS.iter().position(|row| row.name == FIRST_OWN).unwrap();
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
    let functions: Vec<FunctionRow<'_>> =
        parts[1].lines().skip(3).filter(|line| !line.is_empty()).map(function).collect();
    let report = TickyReport {
        counters: &counters,
        functions: &functions,
        validity: Validity { squeezes, selects: true, generations: 2 },
        explained: "https://gitlab.haskell.org/ghc/ghc/wikis/debugging/ticky-ticky",
        rows,
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
