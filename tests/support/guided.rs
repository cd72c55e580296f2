//! Cases that libFuzzer chooses by the code that they reach, for builds with `--cfg fuzzing` (`ci/guided.sh`). A test hands in
//! what it does with one case, its good files and the words of its format; libFuzzer ends the process when its time is over.

use std::ffi::{CString, c_char, c_int};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

// The crate brings libFuzzer itself.
use libfuzzer_sys as _;

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        case: extern "C" fn(*const u8, usize) -> c_int,
    ) -> c_int;
}

/// Whatever the test does with a case, while it runs.
static CASE: Mutex<Option<Box<dyn FnMut(&[u8]) + Send>>> = Mutex::new(None);

extern "C" fn one(bytes: *const u8, length: usize) -> c_int {
    // SAFETY: libFuzzer hands in that many bytes.
    let bytes = if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(bytes, length) } };
    let run = std::panic::AssertUnwindSafe(|| {
        let mut case = CASE.lock().expect("the process ends with the first panic");
        (case.as_mut().expect("it was set"))(bytes);
    });
    if std::panic::catch_unwind(run).is_err() {
        // libFuzzer keeps the case when the process dies.
        std::process::abort();
    }
    0
}

/// The words as libFuzzer reads them: a quoted string in each line.
fn dictionary(words: &[&[u8]]) -> String {
    let quoted = |word: &&[u8]| word.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    words.iter().filter(|word| !word.is_empty()).map(|word| format!("\"{}\"\n", quoted(word))).collect()
}

/// Runs cases as `BARROW_GUIDED` says: a folder for cases worth keeping, then flags of libFuzzer, and further folders or one
/// case. Returns only when it is not set.
///
/// # Safety
/// `body` may borrow whatever outlives the process, or this call's frame, which libFuzzer never leaves.
pub unsafe fn run_if_told(files: &[Vec<u8>], words: &[&[u8]], body: &mut dyn FnMut(&[u8])) {
    let Ok(told) = std::env::var("BARROW_GUIDED") else { return };
    let mut told = told.split_whitespace();
    let kept = Path::new(told.next().expect("BARROW_GUIDED begins with a folder"));
    let seeds = kept.with_extension("seeds");
    std::fs::create_dir_all(&seeds).expect("a folder");
    std::fs::create_dir_all(kept).expect("a folder");
    for (number, file) in files.iter().enumerate() {
        std::fs::write(seeds.join(number.to_string()), file).expect("a seed");
    }
    let (flags, others): (Vec<&str>, Vec<&str>) = told.partition(|word| word.starts_with('-'));
    // libFuzzer starts this again, with other flags, when it merges.
    let mut arguments = vec![std::env::var("BARROW_GUIDED_AGAIN").unwrap_or_else(|_| "guided".into())];
    arguments.extend(flags.into_iter().map(str::to_string));
    if !words.is_empty() {
        let list = kept.with_extension("words");
        let mut file = std::fs::File::create(&list).expect("a file");
        file.write_all(dictionary(words).as_bytes()).expect("a dictionary");
        arguments.push(format!("-dict={}", list.display()));
    }
    // A case is run alone: with a folder beside it, libFuzzer would look for more.
    if !others.iter().any(|other| Path::new(other).is_file()) {
        arguments.push(kept.display().to_string());
        arguments.push(seeds.display().to_string());
    }
    arguments.extend(others.into_iter().map(str::to_string));
    let arguments: Vec<CString> =
        arguments.into_iter().map(|text| CString::new(text).expect("no zero byte")).collect();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|text| text.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    let (mut count, mut list) = (arguments.len() as c_int, pointers.as_mut_ptr());
    // SAFETY: the caller's frame, and so what the body borrows, is there until the process ends: libFuzzer calls `exit`. Cases
    // run in this thread alone.
    let body = unsafe { std::mem::transmute::<&mut dyn FnMut(&[u8]), &'static mut dyn FnMut(&[u8])>(body) };
    struct ThisThread(&'static mut dyn FnMut(&[u8]));
    // SAFETY: as above.
    unsafe impl Send for ThisThread {}
    let mut body = ThisThread(body);
    *CASE.lock().expect("nothing has panicked") = Some(Box::new(move |bytes| {
        let ThisThread(body) = &mut body;
        body(bytes)
    }));
    // SAFETY: the arguments are strings with their count, and a null pointer at the end.
    let status = unsafe { LLVMFuzzerRunDriver(&raw mut count, &raw mut list, one) };
    std::process::exit(status);
}
