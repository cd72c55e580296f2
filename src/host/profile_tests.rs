//! A heap profile that is refused leaves nothing running, and a heap that is refused leaves files as they were.

use crate::base::fault;
use crate::base::flag::Flags;
use crate::host::Host;
use crate::host::plain::plain;
use crate::profile::cost::profiler::Prof;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::collect::Clocks;
use crate::runtime::heap::Values;
use crate::runtime::hooks::Hooks;
use std::collections::BTreeMap;
use std::path::Path;

const FLAGS: &str = "-hb -hc -iw0.1";

#[test]
fn a_start_without_memory_leaves_the_next_one_its_place() {
    let folder = std::env::temp_dir().join(format!("barrow-starts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut heap, m) = plain(&format!("-A64k -po{}/start", folder.display()));
    let runs = |heap: &Host| {
        let profilers = &heap.profilers;
        [profilers.heap.profile.is_some(), profilers.heap.notes_producers, profilers.lives.running.is_some()]
    };
    let mut failures = 0;
    loop {
        fault::fail_after(failures);
        let outcome = heap.start_profile_with(FLAGS);
        fault::stop();
        let is_started = outcome.is_ok();
        assert_eq!(runs(&heap), [is_started; 3], "after {failures} requests: {outcome:?}");
        if is_started {
            break;
        }
        failures += 1;
        heap.start_profile_with(FLAGS).unwrap();
        assert_eq!(runs(&heap), [true; 3]);
        heap.take_census(m).unwrap();
        heap.stop_profile().unwrap();
        assert_eq!(runs(&heap), [false; 3]);
    }
    assert!(failures > 10);
    heap.take_census(m).unwrap();
    Host::end(heap).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

/// Reports of costs without a name go into the file that a profile by retainers would have had.
#[test]
fn a_profile_by_retainers_that_is_refused_has_no_file() {
    let folder = std::env::temp_dir().join(format!("barrow-retained-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut failures = 0;
    loop {
        let (mut heap, _) = plain(&format!("-A64k -po{}/start", folder.display()));
        fault::fail_after(failures);
        let outcome = heap.start_profile_with("-hr -iw0.1");
        fault::stop();
        assert_eq!(
            heap.profilers.costs.prof == Prof::Retainers,
            outcome.is_ok(),
            "after {failures} requests"
        );
        Host::end(heap).unwrap();
        if outcome.is_ok() {
            break;
        }
        failures += 1;
    }
    assert!(failures > 10);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Time that threads in foreign code take while a sample is taken is the program's, and no cost of the sample: neither is the next one
/// put off for it, nor does its interval begin later.
#[test]
fn the_time_of_others_beside_a_sample_is_no_cost() {
    const INTERVAL: u64 = 1_000_000_000;
    let folder = std::env::temp_dir().join(format!("barrow-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut heap, _) = plain(&format!("-A64k -po{}/beside", folder.display()));
    heap.start_profile_with("-hT -i1").unwrap();
    let Host { runtime, profilers, .. } = &mut *heap;
    let mut before = Clocks::now(runtime);
    // As long as half of an interval: nothing of it is booked to collections.
    before.cpu.0 -= INTERVAL / 2;
    runtime.stats.born_cpu.0 -= INTERVAL;
    profilers.heap.sampled(runtime, before);
    let profile = profilers.heap.profile.as_ref().unwrap();
    assert_eq!(profile.next - profile.sample_ns(runtime, before), INTERVAL);
    heap.stop_profile().unwrap();
    Host::end(heap).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

fn files_of(folder: &Path) -> BTreeMap<std::ffi::OsString, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(&path).unwrap())).collect()
}

/// Memory and files are refused at every point up to the first mutator's in turn.
#[test]
fn a_refused_heap_leaves_files_as_they_were() {
    let folder = std::env::temp_dir().join(format!("barrow-refused-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let at = folder.display();
    let flags = format!("-A64k -po{at}/x -hr -hb -S{at}/x.lines -s{at}/x.sum --stops --space -r");
    let endings = ["hr.hp", "hb.hp", "prof", "biography", "lines", "stops", "space"];
    for ending in endings {
        std::fs::write(folder.join(format!("x.{ending}")), "earlier").unwrap();
    }
    let before = files_of(&folder);
    let mut failures = 0;
    loop {
        let values = Values { tagged_pointers: 0, address_mask: 0, address_offset: 0, alignment: 8 };
        let flags = Flags::parse(&flags).unwrap();
        fault::fail_after(failures);
        let made = Host::prepared(flags, values, Hooks::default(), RetainerScheme::OURS)
            .and_then(|mut heap| heap.attach().map(|_| heap));
        fault::stop();
        assert!(files_of(&folder).iter().all(|(name, was)| {
            before.get(name) == Some(was) || made.is_ok() && name.to_string_lossy().ends_with(".tmp")
        }));
        if let Ok(mut heap) = made {
            heap.name_files().unwrap();
            Host::end(heap).unwrap();
            break;
        }
        assert_eq!(files_of(&folder), before, "after {failures} requests");
        failures += 1;
    }
    assert!(failures > 50);
    let after = files_of(&folder);
    // All but the journal, which goes at the end, are replaced.
    assert!(before.iter().all(|(name, was)| after.get(name) != Some(was)));
    assert_eq!(after.len(), before.len() - 1 + ["sum", "ticky"].len());
    assert!(after.keys().all(|name| !name.to_string_lossy().ends_with(".tmp")));
    std::fs::remove_dir_all(folder).unwrap();
}
