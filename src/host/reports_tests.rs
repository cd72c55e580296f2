//! Tests of the reports of a heap about itself: files, their shape, errors of names, and that memory adds up.

use crate::base::flag::Flags;
use crate::heap::{Info, Kind};
use crate::host::Host;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::collect::Reason;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use crate::runtime::slot::Slot;
use std::path::{Path, PathBuf};

const NO_TAGS: Values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };

fn heap(flags: &str) -> Result<Slot<Host>, String> {
    let flags = Flags::parse(flags).map_err(|f| f.sentence.to_string())?;
    let mut runtime =
        Host::new(flags, NO_TAGS, Hooks::default(), RetainerScheme::OURS).map_err(|f| format!("{f:?}"))?;
    runtime.attach().map_err(|f| format!("{f:?}"))?;
    Ok(runtime)
}

/// The table of objects of a header and bytes behind a length.
static BYTES: Info = Info::plain(Kind::Bytes, 0, 0);

/// Allocates objects of so many words, all garbage but the last, and collects now and then.
fn work(runtime: &mut Host, objects: usize, words: usize) {
    let mutator = runtime.first_mutator().unwrap();
    for i in 0..objects {
        let at = runtime.allocate_in_nursery(mutator, words, 0).unwrap();
        // SAFETY: the object's words were just allocated.
        unsafe {
            at.store(&raw const BYTES as usize);
            at.plus_words(1).store((words - 2) * 8);
        }
        if i % 5000 == 4999 {
            let reason = if i % 20_000 == 19_999 { Reason::Major } else { Reason::Minor };
            runtime.collect_for(mutator, reason).unwrap();
        }
    }
}

fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("barrow-reports-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // A file of an earlier run would be taken for this one's.
    let _ = std::fs::remove_file(folder.join(name));
    folder.join(name)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A text with every number made the same, so that layouts can be compared.
fn shape(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        let c = if c.is_ascii_digit() || c == ',' || c == '.' { '0' } else { c };
        if !((c == '0' || c == ' ') && out.ends_with(c)) {
            out.push(c);
        }
    }
    out
}

#[test]
fn each_report_goes_to_its_file() {
    let (each, end, line) = (place("each"), place("end"), place("line"));
    let flags = format!("-A64k -S{} -s{} -t{}", each.display(), end.display(), line.display());
    let mut runtime = heap(&flags).unwrap();
    work(&mut runtime, 60_000, 10);
    assert!(!end.exists(), "the summary is written at the end");
    runtime.tell_the_end([Ok(()), Ok(())]).unwrap();

    let text = read(&each);
    let mut lines = text.lines();
    let first = lines.next().unwrap();
    assert!(first.contains("+RTS '-A64k' '-S"), "{first}");
    assert_eq!(
        lines.next().unwrap(),
        "    Alloc    Copied     Live     GC     GC      TOT      TOT  Page Flts"
    );
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("(Gen:")).collect();
    assert_eq!(rows.len() as u64, runtime.stats.collections);
    let allocated: u64 =
        rows.iter().map(|row| row.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum();
    let after =
        text.lines().find(|l| l.ends_with("0.000  0.000") && l.split_whitespace().count() == 3).unwrap();
    let after: u64 = after.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(allocated + after, runtime.figures().allocated_bytes);
    assert!(text.contains("bytes allocated in the heap"), "the summary follows the lines");

    let text = read(&end);
    let recorded = include_str!("../../tests/fixtures/rts/LeakNo-s.err");
    for (ours, theirs) in text.lines().skip(1).zip(recorded.lines()) {
        assert_eq!(shape(ours), shape(theirs));
    }
    assert!(read(&line).lines().nth(1).unwrap().starts_with("<<ghc: 4"));
    let left = std::fs::read_dir(end.parent().unwrap()).unwrap();
    assert!(left.flatten().all(|file| !file.file_name().to_string_lossy().ends_with(".tmp")));
}

/// Collections in which workers took part are told of by generation, and their sum by itself.
#[test]
fn parallel_collections_are_told_by_generation() {
    let (file, end) = (place("parallel"), place("parallel-end"));
    let (pairs, text) = (file.display(), end.display());
    let mut runtime = heap(&format!("-A64k --workers=2! -t{pairs} --machine-readable")).unwrap();
    work(&mut runtime, 30_000, 10);
    let majors = runtime.stats.major_collections;
    runtime.tell_the_end([Ok(()), Ok(())]).unwrap();
    let told = read(&file);
    let value = |name: &str| {
        let row = told.lines().find(|row| row.contains(&format!("(\"{name}\""))).unwrap();
        row.split('"').nth(3).unwrap().parse::<u64>().unwrap()
    };
    let (minor, major) = (value("gen_0_par_collections"), value("gen_1_par_collections"));
    assert_eq!(minor + major, value("parallel_collections"), "{told}");
    assert!(major > 0 && major <= majors && minor <= value("gen_0_collections"), "{told}");
    let mut runtime = heap(&format!("-A64k --workers=2! -s{text}")).unwrap();
    work(&mut runtime, 30_000, 10);
    runtime.tell_the_end([Ok(()), Ok(())]).unwrap();
    let told = read(&end);
    let row = told.lines().find(|line| line.starts_with("  Gen  1")).unwrap();
    assert!(row.contains(&format!("{major:>5} par")), "{row}: {major}");
}

#[test]
fn pairs_are_for_programs() {
    pairs_with("range");
    pairs_with("chunks");
}

fn pairs_with(source: &str) {
    let file = place(&format!("pairs-{source}"));
    let mut runtime =
        heap(&format!("-A64k --source={source} -t{} --machine-readable", file.display())).unwrap();
    work(&mut runtime, 30_000, 10);
    runtime.tell_the_end([Ok(()), Ok(())]).unwrap();
    let text = read(&file);
    let value = |name: &str| {
        let row = text.lines().find(|row| row.contains(&format!("(\"{name}\""))).unwrap();
        row.split('"').nth(3).unwrap().parse::<f64>().unwrap()
    };
    assert_eq!(value("allocated_bytes"), 30_000.0 * 80.0);
    assert_eq!(value("num_GCs"), value("gen_0_collections") + value("gen_1_collections"));
    let pauses: f64 = text
        .lines()
        .filter(|row| row.contains("pauses_below"))
        .map(|row| row.split('"').nth(3).unwrap().parse::<f64>().unwrap())
        .sum();
    assert_eq!(pauses, value("num_GCs"));
    let parts = ["live", "large", "allocated", "nursery", "fragmentation", "overhead", "side_tables", "free"];
    let held: f64 = parts.iter().map(|part| value(&format!("memory_{part}_bytes"))).sum();
    assert_eq!(held, value("memory_held_bytes"));
    assert_eq!(held, runtime.figures().resident_bytes as f64);
    for part in parts {
        let of_part = crate::report::Held::parts_of(part);
        let sum: f64 = of_part.iter().map(|(name, _, _)| value(&format!("memory_{name}_bytes"))).sum();
        assert!(of_part.is_empty() || sum == value(&format!("memory_{part}_bytes")), "{part}: {sum}");
    }
    assert_eq!(held - value("memory_untouched_bytes"), value("memory_resident_bytes"));
}

#[test]
fn a_name_that_cannot_be_written_is_an_error_of_the_heap() {
    for flag in ["-s", "-S", "-t"] {
        let wrong = heap(&format!("{flag}/no/such/folder/file")).err().unwrap();
        assert!(wrong.contains("BARROW_E_IO") && wrong.contains("/no/such/folder/file"), "{wrong}");
        assert!(wrong.contains("No such file or directory"), "{wrong}");
        let folder = place("");
        let wrong = heap(&format!("{flag}{}", folder.display())).err().unwrap();
        assert!(wrong.contains("it is no file"), "{wrong}");
    }
}

#[test]
fn links_are_not_followed_and_devices_are_not_replaced() {
    let (target, link) = (place("target"), place("link"));
    std::fs::write(&target, "precious").unwrap();
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&target, &link).unwrap();
    for flag in ["-s", "-S", "-t"] {
        let wrong = heap(&format!("{flag}{}", link.display())).err().unwrap();
        assert!(wrong.contains("is a link"), "{wrong}");
        heap(&format!("{flag}/dev/null")).unwrap().tell_the_end([Ok(()), Ok(())]).unwrap();
    }
    assert_eq!(read(&target), "precious");
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_a_report_and_nothing_else() {
    let wrong = heap("-A64k -S/dev/full").err().unwrap();
    assert!(wrong.contains("No space left on device"), "{wrong}");
    let mut heap = heap("-A64k -s/dev/full").unwrap();
    work(&mut heap, 10_000, 10);
    let failure = heap.tell_the_end([Ok(()), Ok(())]).unwrap_err();
    assert!(failure.sentence.as_str().contains("No space left on device"));
}

/// Each file that failed is told once, and the sentence of the call has the first and how many more there are.
#[test]
#[cfg(target_os = "linux")]
fn several_failures_are_counted() {
    let mut heap = heap("-A64k -s/dev/full -t/dev/full -r/dev/full").unwrap();
    work(&mut heap, 10_000, 10);
    let failure = heap.tell_the_end([Ok(()), Ok(())]).unwrap_err();
    let sentence = failure.sentence.as_str();
    assert!(sentence.contains("No space left on device") && sentence.contains("2 more"), "{sentence}");
    assert!(sentence.starts_with("/dev/full cannot be written"), "the ticky counters come first: {sentence}");
}

/// The report calls as many bytes resident as the system counts for the heap's mapping.
#[test]
#[cfg(target_os = "linux")]
fn resident_memory_is_what_the_system_says() {
    let file = place("resident");
    let mut runtime =
        heap(&format!("--source=range --huge-pages=off -t{} --machine-readable", file.display())).unwrap();
    work(&mut runtime, 100_000, 100);
    let mutator = runtime.first_mutator().unwrap();
    let at = runtime.allocate_in_nursery(mutator, 4, 0).unwrap();
    // SAFETY: the object's words were just allocated.
    unsafe {
        at.store(&raw const BYTES as usize);
        at.plus_words(1).store(16);
    }
    runtime.tell_the_end([Ok(()), Ok(())]).unwrap();
    let text = read(&file);
    let value = |name: &str| -> usize {
        let row = text.lines().find(|row| row.contains(&format!("(\"{name}\""))).unwrap();
        row.split('"').nth(3).unwrap().parse().unwrap()
    };
    let tables = runtime.store.blocks.megablocks.table_bytes() + runtime.store.stable.held_bytes();
    let ours = value("memory_resident_bytes") - tables;
    let theirs = resident_around(at.0);
    assert!(ours.abs_diff(theirs) <= 64 << 10, "{ours} and {theirs}");
}

/// Resident bytes of the mappings that adjoin the one around an address.
#[cfg(target_os = "linux")]
fn resident_around(address: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().unwrap_or("");
        if let Some((from, to)) = range.split_once('-')
            && let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16))
        {
            inside = from <= address && address < to;
        } else if inside && let Some(rest) = line.strip_prefix("Rss:") {
            return rest.trim().trim_end_matches(" kB").trim().parse::<usize>().unwrap() * 1024;
        }
    }
    panic!("no mapping around {address:x}");
}
