//! The text reader against every layout of real reports, against its own percentages, and against damage.

use super::*;
use crate::prof::Measure;
use std::path::Path;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn report(name: &str) -> Report {
    read(name, &fixture(name)).expect("a sound report").report.expect("with a report")
}

fn fault(text: &str) -> String {
    read("f.prof", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn the_small_report_in_full() {
    let report = report("prof/nfib-P.prof");
    assert_eq!((report.ticks, report.tick_us, report.processors, report.alloc), (2, 1000, 1, 2_431_816));
    assert_eq!(report.job, "Nfib +RTS -P -RTS");
    assert_eq!(report.date, "Sat Nov 21 01:36 2026");
    assert!(report.exact);
    assert_eq!(report.centres.len(), 2);
    assert_eq!(report.centres[1].module, "GHC.IO.Handle.FD");
    let nfib: Vec<&Node> = report.nodes.iter().filter(|node| node.label == "nfib").collect();
    assert_eq!(nfib.len(), 2);
    assert_eq!(
        (nfib[0].number, nfib[0].entries, nfib[0].ticks, nfib[0].bytes),
        (255, 21891, 2.0, 2_364_136.0)
    );
    assert_eq!(nfib[0].place(), Some(("Nfib.hs", 15)));
    assert_eq!(report.path(4), ["MAIN", "Main.CAF", "Main.main", "Main.f", "Main.nfib"]);
    assert_eq!(report.nodes.iter().map(|node| node.bytes).sum::<f64>(), 2_431_816.0);
}

/// As runtimes before 7.2 wrote it: ticks of milliseconds, columns of fixed widths, no places in the source.
const OLDER: &str = "\
\tFri May 12 14:06 2000 Time and Allocation Profiling Report  (Final)

\t   run +RTS -p -RTS

\ttotal time  =        0.14 secs   (7 ticks @ 20 ms)
\ttotal alloc =   8,741,204 bytes  (excludes profiling overheads)

COST CENTRE          MODULE     %time %alloc

fibonacci_of_numbers Main        85.7   97.1
a_name_beyond_the_column Main        14.3    2.9


                                              individual     inherited
COST CENTRE              MODULE      entries %time %alloc   %time %alloc

MAIN                     MAIN             0    0.0   0.0    100.0 100.0
 CAF                     Main             6    0.0   0.0    100.0 100.0
  main                   Main             1    0.0   0.0    100.0 100.0
   fibonacci_of_numbers  Main           242   85.7  97.1    100.0 100.0
    a_name_beyond_the_column Main         1   14.3   2.9     14.3   2.9
";

#[test]
fn reports_of_older_runtimes() {
    let report = read("old.prof", OLDER.as_bytes()).expect("sound").report.expect("a report");
    assert_eq!((report.ticks, report.tick_us, report.processors, report.exact), (7, 20_000, 1, false));
    assert_eq!(report.centres[1].label, "a_name_beyond_the_column");
    let rows: Vec<_> =
        report.nodes.iter().map(|node| (node.label.as_str(), node.module.as_str(), node.entries)).collect();
    let last = [("fibonacci_of_numbers", "Main", 242), ("a_name_beyond_the_column", "Main", 1)];
    assert_eq!(rows[3..], last);
    assert_eq!(report.nodes[4].parent, Some(3));
    assert!((report.nodes[3].bytes - 0.971 * 8_741_204.0).abs() < 1.0);
    // Later ones had numbers, and `-P` ticks and bytes.
    let wider = OLDER
        .replace(
            "MODULE      entries %time %alloc   %time %alloc",
            "MODULE   no.  entries %time %alloc   %time %alloc  ticks bytes",
        )
        .replace("   0    0.0   0.0    100.0 100.0", " 1  0    0.0   0.0    100.0 100.0  3  17");
    let kept: Vec<&str> = wider.lines().take_while(|line| !line.starts_with(" CAF")).collect();
    let report = read("old.prof", kept.join("\n").as_bytes()).expect("sound").report.expect("a report");
    let node = &report.nodes[0];
    assert_eq!((node.number, node.entries, node.ticks, node.bytes), (1, 0, 3.0, 17.0));
}

/// The report prints percentages beside the exact numbers: read as text they must agree with what was read.
#[test]
fn exact_numbers_agree_with_the_printed_percentages() {
    for name in ["prof/leak-P.prof", "prof/nfib-P.prof", "prof/leak-hc-P.prof", "prof/names-P.prof"] {
        let report = report(name);
        let text = String::from_utf8(fixture(name)).expect("UTF-8");
        let rows: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.contains("individual"))
            .skip(3)
            .filter(|l| !l.is_empty())
            .collect();
        assert_eq!(rows.len(), report.nodes.len(), "{name}");
        let inherited = report.inherited(Measure::Alloc);
        for (index, row) in rows.iter().enumerate() {
            let words: Vec<&str> = row.split_whitespace().collect();
            let own: f64 = words[words.len() - 5].parse().expect("a percentage");
            let below: f64 = words[words.len() - 3].parse().expect("a percentage");
            let share = |bytes: f64| 100.0 * bytes / report.alloc as f64;
            assert!((share(report.nodes[index].bytes) - own).abs() <= 0.051, "{name}: {row}");
            assert!((share(inherited[index]) - below).abs() <= 0.051, "{name}: {row}");
        }
    }
}

#[test]
fn all_rows_names_beyond_ascii_and_a_run_without_ticks() {
    let all = report("prof/nfib-Pa.prof");
    assert!(all.nodes.len() > 100 && all.nodes.iter().any(|node| node.label == "OVERHEAD_of"));
    let names = report("prof/names-P.prof");
    for label in ["größe", "длина", "say\"hi\"", "100%d", "a<b>&c", "back\\slash"] {
        let node = names.nodes.iter().find(|node| node.label == label);
        assert_eq!(node.map(|node| node.module.as_str()), Some("Main"), "{label}");
    }
    let still = report("prof/leak-V0.prof");
    assert_eq!((still.ticks, still.tick_us), (0, 0));
}

#[test]
fn weights_without_counts_come_from_percentages() {
    let report = report("prof/leak-p.prof");
    assert!(!report.exact);
    let sum: f64 = report.nodes.iter().map(|node| node.bytes).sum();
    // Forty rows rounded to a tenth of a percent each.
    assert!((sum / report.alloc as f64 - 1.0).abs() < 0.01);
}

#[test]
fn retainers_alone_and_around_a_report() {
    let alone = read("r", &fixture("hp/leak-hr.prof")).expect("sound");
    assert!(alone.report.is_none());
    let set = alone.retainers.sets.iter().find(|set| set.number == 48).expect("set 48");
    assert_eq!(set.members, ["GHC.IO.Encoding.CAF", "GHC.IO.Handle.FD.CAF"]);
    let root = alone.retainers.sets.iter().find(|set| set.number == 4).expect("set 4");
    assert_eq!(root.members, [""]);
    let both = read("b", &fixture("prof/leak-hr-p.prof")).expect("sound");
    assert_eq!(both.retainers.censuses.len(), 5);
    assert_eq!(both.retainers.censuses[3].max_stack, 12472);
    assert!(both.report.is_some() && !both.retainers.sets.is_empty());
}

#[test]
fn faults_are_told_with_their_line() {
    let good = String::from_utf8(fixture("prof/nfib-P.prof")).expect("UTF-8");
    let bad = |from: &str, to: &str| fault(&good.replacen(from, to, 1));
    assert_eq!(fault(""), "f.prof:1: holds neither a report nor retainer sets");
    assert_eq!(fault("hello\n"), "f.prof:1: expected a report, a retainer census or the retainer sets");
    assert_eq!(
        bad("0.00 secs", "many secs"),
        "f.prof:5: expected \"total time = <n> secs (<n> ticks @ <n> us, ...)\""
    );
    for odd in ["nan", "inf", "1e999"] {
        let time = "f.prof:5: expected \"total time = <n> secs (<n> ticks @ <n> us, ...)\"";
        assert_eq!(bad("0.00 secs", &format!("{odd} secs")), time);
        let census = format!("Retainer Profiling: 0, at {odd} seconds\n");
        assert!(fault(&census).starts_with("f.prof:1: expected \"Retainer Profiling: "), "{odd}");
        let visits = "Average number of visits per object";
        let census = format!("Retainer Profiling: 0, at 0.5 seconds\n\t{visits} = {odd}\n");
        assert_eq!(fault(&census), format!("f.prof:2: {visits} must be a number"));
    }
    assert_eq!(bad("total alloc", "total ballast"), "f.prof:6: expected \"total alloc = <n> bytes\"");
    assert_eq!(
        bad("MODULE", "MODUL"),
        "f.prof:8: expected a table heading with COST CENTRE, MODULE and %time"
    );
    assert_eq!(bad("98.0      2", "x98.0     2"), "f.prof:10: %alloc must be a number, not \"x98.0\"");
    assert_eq!(
        bad("  main       Main", "    main     Main"),
        "f.prof:19: the row is indented more than one step below the row above"
    );
    assert_eq!(
        bad(" CAF         Main ", "CAF          Main "),
        "f.prof:18: a second root; only the first row stands without indentation"
    );
    assert_eq!(bad("21891", "2a891"), "f.prof:21: entries must be a whole number, not \"2a891\"");
    let cut: String = good.lines().take(12).map(|line| format!("{line}\n")).collect();
    assert_eq!(fault(&cut), "f.prof:13: the report stops here, before its tables are complete");
    assert_eq!(
        fault(&format!("{good}\n{good}")),
        "f.prof:31: a second report begins here; one file holds one"
    );
    let sets = "Retainer sets created during profiling:\nSET 2 = {<a>}\nSET x = {}\n";
    assert_eq!(fault(sets), "f.prof:3: expected \"SET <number> = {<retainer>, <retainer>}\"");
}

/// What this library writes: costs and numbers of sets, and who holds the retainers.
#[test]
fn retainers_with_their_holders() {
    let text = "Retainer Profiling: 0, at 0.5 seconds\n\tMax auxiliary stack size = 95\n\
        \tAverage number of visits per object = 1.000000\n\tCurrent total costs = 1823664\n\
        \tNumber of retainer sets = 4\n\nRetainer sets created during profiling:\nSET 2 = {<a>, <b> c>}\n\n\
        Who holds the retainers:\n<b> c> 24000\n  held by <a> 16\n    held by <shadow stack> 8\n<a> 16\n";
    let retainers = read("f.prof", text.as_bytes()).expect("sound").retainers;
    assert_eq!((retainers.censuses[0].cost, retainers.censuses[0].sets), (Some(1_823_664), Some(4)));
    let holders: Vec<_> =
        retainers.holders.iter().map(|holder| (holder.depth, holder.name.as_str(), holder.bytes)).collect();
    assert_eq!(holders, [(0, "b> c", 24_000), (1, "a", 16), (2, "shadow stack", 8), (0, "a", 16)]);
    let too_deep = text.replace("  held by <a>", "    held by <a>");
    assert!(
        fault(&too_deep).starts_with("f.prof:12: expected \"<retainer> <bytes>\""),
        "{}",
        fault(&too_deep)
    );
    assert!(fault(&text.replace("> 24000", "> many")).starts_with("f.prof:11: "));
}

#[test]
fn fuzz_prof() {
    let files =
        ["prof/nfib-P.prof", "prof/leak-p.prof", "prof/leak-hr-p.prof", "prof/names-P.prof"].map(fixture);
    let words: [&[u8]; 10] = [
        b"COST CENTRE",
        b"MODULE",
        b"individual inherited",
        b"SET 1 = {<",
        b">, <",
        b"Retainer Profiling: ",
        b"Who holds the retainers:\n<a> 5\n  held by <b> 7\n",
        b"\t",
        b"99999999999999999999999",
        "größe".as_bytes(),
    ];
    crate::fuzz::run(&files, &words, |bytes| {
        let _ = read("f.prof", bytes);
    });
}
