//! Snapshots from a real heap to Chrome's format: nodes, edges, sizes and names of roots, from a file and through a pipe;
//! and what is cut or damaged, which leaves no file behind.

use super::common::Scratch;
use super::heaps::{heap, named_info};
use barrow::base::Status;
use barrow::ffi::alloc::{barrow_allocate, barrow_allocate_pinned};
use barrow::ffi::heap::*;
use barrow::ffi::root::barrow_root_add;
use barrow::ffi::snapshot::barrow_snapshot;
use barrow::ffi::stable::barrow_handle_new;
use barrow::heap::object::info::{Info, Kind, Names};
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::CString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

fn barrow(args: &[&str], input: Option<&Path>) -> Output {
    let mut command = Command::new(BARROW);
    if let Some(input) = input {
        command.stdin(Stdio::from(std::fs::File::open(input).unwrap()));
    }
    command.args(args).output().expect("barrow runs")
}

fn info(kind: Kind, ptrs: u32, words: u32, name: &'static std::ffi::CStr) -> &'static Info {
    let names = Names {
        description: name.as_ptr(),
        type_name: c"Type".as_ptr(),
        module: c"Mod \"q\"".as_ptr(),
        source: c"mod.src:1".as_ptr(),
    };
    named_info(kind, ptrs, words, names)
}

const CELLS: usize = 5000;
const TEXT_WORDS: usize = 20;
const TEXT: &str = "Mod \"q\".Text";

/// A list of cells of (next, text), all with the same pinned text, in a registered root; a handle to its second cell;
/// and some that nobody holds.
fn snapshot(flags: &str, path: &Path) {
    let cell = info(Kind::Constr, 2, 1, c"Cell");
    let text = info(Kind::Bytes, 0, 0, c"Text");
    let path = CString::new(path.as_os_str().as_encoded_bytes()).unwrap();
    let (heap, m) = heap(flags);
    // SAFETY: the mutator is this thread's; `barrow_allocate` never collects, and objects are
    // filled at once.
    unsafe {
        let pinned = barrow_allocate_pinned(m, TEXT_WORDS, 8, 0);
        pinned.write(&raw const *text as usize);
        pinned.add(1).write((TEXT_WORDS - 2) * 8);
        let mut list: usize = 0;
        let mut second = std::ptr::null_mut();
        for number in 0..CELLS * 2 {
            let at = barrow_allocate(m, 4);
            at.write(&raw const *cell as usize);
            // Every second one is garbage.
            at.add(1).write(list);
            at.add(2).write(pinned as usize);
            at.add(3).write(number);
            if number % 2 == 0 {
                second = list as *mut std::ffi::c_void;
                list = at as usize;
            }
        }
        let mut handle = std::ptr::null_mut();
        assert!(barrow_handle_new(m, second, &mut handle) == Status::Ok);
        assert!(barrow_root_add(heap, c"the list".as_ptr(), (&raw mut list).cast(), 1, false) == Status::Ok);
        assert!(barrow_snapshot(m, path.as_ptr()) == Status::Ok);
        assert!(barrow_heap_free(heap) == Status::Ok);
    }
}

struct Graph {
    strings: Vec<String>,
    nodes: Vec<Vec<u64>>,
    /// By owner.
    edges: Vec<Vec<[u64; 3]>>,
}

/// Reads the format as its documents describe it, and nothing of ours.
fn chrome(bytes: &[u8]) -> Graph {
    let whole: Value = serde_json::from_slice(bytes).expect("JSON");
    let numbers = |name: &str, of: usize| -> Vec<Vec<u64>> {
        let flat: Vec<u64> = whole[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert_eq!(flat.len() % of, 0);
        flat.chunks(of).map(<[u64]>::to_vec).collect()
    };
    let meta = &whole["snapshot"]["meta"];
    let (nodes, edges) = (
        numbers("nodes", meta["node_fields"].as_array().unwrap().len()),
        numbers("edges", meta["edge_fields"].as_array().unwrap().len()),
    );
    assert_eq!(whole["snapshot"]["node_count"], nodes.len());
    assert_eq!(whole["snapshot"]["edge_count"], edges.len());
    let strings: Vec<String> =
        whole["strings"].as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect();
    assert!(nodes.iter().enumerate().all(|(i, node)| node[2] == 2 * i as u64 + 1));
    let mut rest = edges.into_iter();
    let edges: Vec<Vec<[u64; 3]>> = nodes
        .iter()
        .map(|node| {
            rest.by_ref().take(node[4] as usize).map(|edge| [edge[0], edge[1], edge[2] / 7]).collect()
        })
        .collect();
    assert!(rest.next().is_none());
    assert!(edges.iter().flatten().all(|edge| edge[2] < nodes.len() as u64));
    Graph { strings, nodes, edges }
}

fn check(graph: &Graph) {
    let name = |number: u64| graph.strings[graph.nodes[number as usize][1] as usize].as_str();
    let mut by_name: HashMap<&str, (usize, u64)> = HashMap::new();
    for number in 0..graph.nodes.len() as u64 {
        let entry = by_name.entry(name(number)).or_default();
        entry.0 += 1;
        entry.1 += graph.nodes[number as usize][3];
    }
    assert_eq!(by_name["Mod \"q\".Cell"], (CELLS, CELLS as u64 * 32));
    assert_eq!(by_name[TEXT], (1, TEXT_WORDS as u64 * 8));
    assert_eq!(graph.nodes.len(), 1 + 2 + CELLS + 1, "{by_name:?}");
    let object_edges: usize = graph.edges[3..].iter().map(Vec::len).sum();
    assert_eq!(object_edges, CELLS - 1 + CELLS);
    // From the root of everything by the list's name, cell by cell, to its end.
    let roots: HashMap<&str, u64> = graph.edges[0].iter().map(|edge| (name(edge[2]), edge[2])).collect();
    assert_eq!(roots.len(), 2);
    let led = |root: &str| graph.edges[roots[root] as usize][0][2];
    let mut at = led("(the list)");
    assert_eq!(graph.edges[at as usize][0][2], led("(handles)"));
    let mut seen = 0;
    loop {
        seen += 1;
        let edges = &graph.edges[at as usize];
        let text = edges.iter().find(|edge| edge[1] == 1).expect("a text");
        assert!(name(at) == "Mod \"q\".Cell" && name(text[2]) == TEXT);
        // Field 0 is the next cell; where there is none, it is left out, and field 1 keeps its number.
        let Some(next) = edges.iter().find(|edge| edge[1] == 0) else { break };
        at = next[2];
    }
    assert_eq!(seen, CELLS);
}

#[test]
fn the_graph_is_the_same_in_chromes_format() {
    let scratch = Scratch::new("snapshot");
    let (from, to) = (scratch.path().join("prog.snapshot"), scratch.path().join("prog.heapsnapshot"));
    let [from_text, to_text] = [&from, &to].map(|path| path.to_str().unwrap());
    for flags in ["", "-c -DS", "-G1 --source=chunks", "-A64k -G3"] {
        snapshot(flags, &from);
        let output = barrow(&["convert", from_text, "--to", "heapsnapshot", "-o", to_text], None);
        assert!(output.status.success(), "{output:?}");
        let bytes = std::fs::read(&to).unwrap();
        check(&chrome(&bytes));
        let piped = barrow(&["convert", "-", "--to", "heapsnapshot"], Some(&from));
        assert!(piped.status.success() && piped.stdout == bytes, "{flags}");
        let checked = barrow(&["check", from_text], None);
        let said = String::from_utf8_lossy(&checked.stdout).into_owned();
        let wanted = format!("a snapshot, {} objects of {} bytes", CELLS + 1, CELLS * 32 + TEXT_WORDS * 8);
        assert!(checked.status.success() && said.contains(&wanted), "{said}");
    }
}

/// Where `tests/page/run.sh` installs what runs in Node.
fn installed() -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("page-test")
}

#[test]
fn memlab_reads_it_and_computes_what_each_root_retains() {
    if !installed().join("node_modules/@memlab/heap-analysis").exists() {
        return println!("skipped: no memlab; tests/page/run.sh installs it");
    }
    let scratch = Scratch::new("memlab");
    let (from, to) = (scratch.path().join("prog.snapshot"), scratch.path().join("prog.heapsnapshot"));
    snapshot("", &from);
    let args = ["convert", from.to_str().unwrap(), "--to", "heapsnapshot", "-o", to.to_str().unwrap()];
    assert!(barrow(&args, None).status.success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/memlab.mjs");
    let run = Command::new("node").arg(script).arg(&to).env("PAGE_TEST", installed()).output();
    let Ok(run) = run else { return println!("skipped: no Node to run memlab with") };
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let read = said.lines().find_map(|line| line.strip_prefix("memlab read "));
    let read = read.unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&run.stderr)));
    let found: Value = serde_json::from_str(read).unwrap();
    let graph = chrome(&std::fs::read(&to).unwrap());
    let bytes = CELLS * 32 + TEXT_WORDS * 8;
    assert_eq!(found["nodes"], graph.nodes.len());
    assert_eq!(found["edges"], graph.edges.iter().map(Vec::len).sum::<usize>());
    assert_eq!(found["bytes"], bytes);
    let names = found["names"].as_object().unwrap();
    let one = |ending: &str| {
        let mut with = names.iter().filter(|(name, _)| name.ends_with(ending));
        let (_, figures) = with.next().unwrap_or_else(|| panic!("{ending}: {names:?}"));
        assert!(with.next().is_none());
        ["count", "bytes", "retained"].map(|key| figures[key].as_u64().unwrap() as usize)
    };
    assert_eq!(one(TEXT), [1, TEXT_WORDS * 8, TEXT_WORDS * 8]);
    // The handle leads to the second cell, so that and all behind it are kept alive by both roots and by neither alone:
    // the greatest cell retains all cells but the first, and the text hangs from the first one too.
    assert_eq!(one("Mod \"q\".Cell"), [CELLS, CELLS * 32, (CELLS - 1) * 32]);
    assert_eq!(one("(the list)"), [1, 0, 32]);
    assert_eq!(one("(handles)"), [1, 0, 0]);
}

#[test]
fn what_is_cut_or_damaged_is_told_and_leaves_no_file() {
    let scratch = Scratch::new("snapshot-damage");
    let (from, to) = (scratch.path().join("prog.snapshot"), scratch.path().join("prog.heapsnapshot"));
    let [from_text, to_text] = [&from, &to].map(|path| path.to_str().unwrap());
    snapshot("", &from);
    let whole = std::fs::read(&from).unwrap();
    let told = |bytes: &[u8]| {
        std::fs::write(&from, bytes).unwrap();
        let output = barrow(&["convert", from_text, "--to", "heapsnapshot", "-o", to_text], None);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1, "a file is left behind");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let checked = barrow(&["check", from_text], None);
        assert_eq!(checked.status.code(), Some(1));
        said
    };
    let cut = told(&whole[..whole.len() - 5]);
    assert!(cut.contains("prog.snapshot:8: the snapshot ends within a block"), "{cut}");
    let mut damaged = whole.clone();
    damaged[1000] ^= 4;
    let said = told(&damaged);
    assert!(said.contains("prog.snapshot:8: the sum of this block"), "{said}");
    assert!(told(b"").contains("barrow convert: "));
    assert!(told(b"JOB \"x\"\n").contains("this is a heap profile"));
}

#[test]
fn other_formats_and_options_are_refused_for_it() {
    let scratch = Scratch::new("snapshot-options");
    let from = scratch.path().join("prog.snapshot");
    snapshot("", &from);
    let text = from.to_str().unwrap();
    for (args, reason) in [
        (&["convert", text, "--to", "csv"][..], "--to heapsnapshot"),
        (&["convert", text, "--to", "heapsnapshot", "--top", "3"], "no meaning for a snapshot"),
        (&["top", text], "is a snapshot"),
    ] {
        let output = barrow(args, None);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(reason), "{said}");
    }
}
