//! Heap profiles as files: the references' `hp2ps` reads them, while the program runs and after it.

use super::heaps::{config, made, named_info};
use barrow::base::Status;
use barrow::ffi::alloc::barrow_allocate;
use barrow::ffi::census::barrow_census;
use barrow::ffi::config::Config;
use barrow::ffi::heap::*;
use barrow::ffi::profile::*;
use barrow::heap::object::info::{Info, Kind, Names};
use std::ffi::{CString, c_char};
use std::path::PathBuf;
use std::process::Command;

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let at = std::env::temp_dir().join(format!("barrow-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&at).unwrap();
        Place(at)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn info(names: &[&str; 4]) -> &'static Info {
    let text =
        |name: &str| -> *const c_char { Box::leak(CString::new(name).unwrap().into_boxed_c_str()).as_ptr() };
    let [description, type_name, module, source] = names.map(text);
    named_info(Kind::Bytes, 0, 0, Names { description, type_name, module, source })
}

/// `hp2ps` on a copy of a file in its own folder: whether it is installed, it must take it.
fn hp2ps_takes(place: &Place, file: &str, whole: &str) {
    let copy = place.0.join("copy.hp");
    std::fs::write(&copy, whole).unwrap();
    let Ok(told) = Command::new("hp2ps").arg("copy").current_dir(&place.0).output() else {
        eprintln!("hp2ps is not installed: {file} is not shown to it");
        return;
    };
    assert!(told.status.success(), "{file}: {}\n{whole}", String::from_utf8_lossy(&told.stderr));
    assert!(std::fs::metadata(place.0.join("copy.ps")).unwrap().len() > 1000);
}

#[test]
fn hp2ps_reads_them() {
    let place = Place::new("heap-profile");
    let stem = place.0.join("prog");
    let flags = format!("-hy -hT -hd -hm -hi -hc -i0 -po{}", stem.display());
    // Names that its reader would take for something else.
    let infos = [
        info(&["DATE", "a type", "JOB", "x.src:1"]),
        info(&["\"quoted", "BEGIN_SAMPLE", "", ""]),
        info(&["9lives", &"long ".repeat(2000), "M", "tab\there"]),
    ];
    unsafe extern "C-unwind" fn roots(
        client: *mut std::ffi::c_void,
        visitor: *mut barrow::heap::root::frame::Visitor,
    ) {
        // SAFETY: the client's pointer is the list of roots below, which outlives the heap.
        unsafe {
            for root in &mut *client.cast::<Vec<*mut std::ffi::c_void>>() {
                barrow::ffi::root::barrow_visit(visitor, root);
            }
        }
    }
    let mut kept: Vec<*mut std::ffi::c_void> = Vec::with_capacity(1000);
    let config = Config { roots: Some(roots), client: (&raw mut kept).cast(), ..config() };
    let (heap, m) = made(config, &flags).unwrap();
    let read = |ending: &str| std::fs::read_to_string(place.0.join(format!("prog{ending}"))).unwrap();
    let endings = [".hy.hp", ".hT.hp", ".hd.hp", ".hm.hp", ".hi.hp", ".hc.hp"];
    // SAFETY: the mutator is this thread's; objects are filled at once.
    unsafe {
        for round in 0..6usize {
            for i in 0..50 {
                let at = barrow_allocate(m, 4 + i % 3);
                at.write(&raw const *infos[i % 3] as usize);
                at.add(1).write(8 * (2 + i % 3));
                kept.push(at.cast());
            }
            assert!(barrow_census(m) == Status::Ok);
            if round == 2 {
                assert!(barrow_profile_mark(m) == Status::Ok);
            }
        }
        // As a killed run leaves them.
        for ending in endings {
            let whole = read(ending);
            assert_eq!(whole.matches("END_SAMPLE").count(), 7);
            hp2ps_takes(&place, ending, &whole);
        }
        assert!(barrow_heap_free(heap) == Status::Ok);
    }
    for ending in endings {
        let whole = read(ending);
        assert_eq!((whole.matches("\nBEGIN_SAMPLE").count(), whole.matches("\nEND_SAMPLE").count()), (8, 8));
        assert_eq!(whole.matches("\nMARK ").count(), 1);
        hp2ps_takes(&place, ending, &whole);
    }
    assert!(read(".hd.hp").contains("<DATE>\t") && read(".hy.hp").contains("a_type\t"));
    assert!(read(".hc.hp").contains("MAIN\t"));
}
