//! The file of code in which an address lies: the program or a library, and the offset in that file.

use crate::base::{List, Outcome};
use std::ffi::{CStr, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The lock held while the linker's list of files is walked, so that a fork can wait for the end: glibc takes a lock of its own then,
/// which it does not make new in a child.
static WALKING: Mutex<()> = Mutex::new(());

/// Takes the lock on walks of the list of files, which is held over a fork too. No other lock is taken while it is held.
pub(crate) fn hold() -> MutexGuard<'static, ()> {
    WALKING.lock().unwrap_or_else(PoisonError::into_inner)
}

type Look = unsafe extern "C" fn(*mut libc::dl_phdr_info, usize, *mut c_void) -> c_int;

/// Calls a function with each loaded file, until it gives 1.
///
/// # Safety
/// `look` may be called with `data`, and takes no lock.
unsafe fn walk(look: Look, data: *mut c_void) {
    let _walking = hold();
    // SAFETY: the caller's promise.
    unsafe { libc::dl_iterate_phdr(Some(look), data) };
}

/// A place in the code that stays the same from run to run, wherever the program is loaded.
pub struct Place {
    /// The file's name, without its directory.
    pub module: List<u8>,
    /// The offset in the file that `addr2line -e module` takes.
    pub offset: usize,
}

struct Search {
    address: usize,
    bias: usize,
    name: Option<&'static CStr>,
}

/// The place of an address; none when it is in no loaded file.
pub fn place(address: usize) -> Outcome<Option<Place>> {
    let mut search = Search { address, bias: 0, name: None };
    // SAFETY: the callback uses only its arguments.
    unsafe { walk(look, (&raw mut search).cast()) };
    let Some(path) = search.name else { return Ok(None) };
    let own;
    let path = if path.is_empty() {
        own = super::file::program()?;
        &own
    } else {
        path.to_bytes()
    };
    let mut module = List::new();
    module.append(path.rsplit(|&byte| byte == b'/').next().unwrap_or(path))?;
    Ok(Some(Place { module, offset: address.wrapping_sub(search.bias) }))
}

unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the linker hands in its data on one file, and our own pointer.
    let (info, search) = unsafe { (&*info, &mut *data.cast::<Search>()) };
    let bias = info.dlpi_addr as usize;
    for index in 0..info.dlpi_phnum as usize {
        // SAFETY: there are so many headers.
        let header = unsafe { &*info.dlpi_phdr.add(index) };
        let start = bias.wrapping_add(header.p_vaddr as usize);
        if header.p_type == libc::PT_LOAD && search.address.wrapping_sub(start) < header.p_memsz as usize {
            search.bias = bias;
            // SAFETY: the name stays while the file is loaded, and is copied before this call of `place` ends.
            search.name = Some(unsafe { CStr::from_ptr(info.dlpi_name) });
            return 1;
        }
    }
    0
}

/// A place in memory, and the note that was found for it.
struct Build {
    address: usize,
    id: List<u8>,
}

/// The build id of the loaded file that has this address, as the linker's notes have it; empty when there is none, or no memory.
pub fn build_id(address: usize) -> List<u8> {
    let mut build = Build { address, id: List::new() };
    // SAFETY: the callback uses only its arguments.
    unsafe { walk(look_for_id, (&raw mut build).cast()) };
    build.id
}

unsafe extern "C" fn look_for_id(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the linker hands in its data on one file, and our own pointer.
    let (info, build) = unsafe { (&*info, &mut *data.cast::<Build>()) };
    // SAFETY: there are so many headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
    let bytes = |header: &libc::Elf64_Phdr| {
        let start = (info.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
        (start, header.p_memsz as usize)
    };
    let has = |header: &&libc::Elf64_Phdr| {
        let (start, length) = bytes(header);
        header.p_type == libc::PT_LOAD && build.address.wrapping_sub(start) < length
    };
    if headers.iter().find(has).is_none() {
        return 0;
    }
    for header in headers.iter().filter(|header| header.p_type == libc::PT_NOTE) {
        let (start, length) = bytes(header);
        // SAFETY: notes are parts of what is loaded, and stay while it is.
        let notes = unsafe { std::slice::from_raw_parts(start as *const u8, length) };
        if let Some(id) = id_in(notes) {
            // Without memory the id stays unknown.
            let _ = build.id.append(id);
            break;
        }
    }
    1
}

/// The build id among notes: lengths of name and content, a type, the name `GNU`, the content, each padded to four bytes.
fn id_in(mut notes: &[u8]) -> Option<&[u8]> {
    const BUILD_ID: u32 = 3;
    loop {
        let (head, rest) = notes.split_first_chunk::<12>()?;
        let word = |at: usize| u32::from_ne_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (name_end, length) = (word(0) as usize, word(4) as usize);
        let name = rest.get(..name_end)?;
        let rest = rest.get(name_end.next_multiple_of(4)..)?;
        let content = rest.get(..length)?;
        if word(8) == BUILD_ID && name == b"GNU\0" {
            return Some(content);
        }
        notes = rest.get(planted!(320, length, length.next_multiple_of(4))..)?;
    }
}

/// Bytes of variables of which each thread has its own, in all loaded files.
pub(crate) fn thread_local_bytes() -> usize {
    let mut bytes = 0;
    // SAFETY: the callback uses only its arguments.
    unsafe { walk(add_thread_locals, (&raw mut bytes).cast()) };
    bytes
}

unsafe extern "C" fn add_thread_locals(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the linker hands in its data on one file, and our own pointer.
    let (info, bytes) = unsafe { (&*info, &mut *data.cast::<usize>()) };
    // SAFETY: there are so many headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
    let own = headers.iter().filter(|header| header.p_type == libc::PT_TLS);
    *bytes += own.map(|header| header.p_memsz as usize).sum::<usize>();
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_in_its_file() {
        let own = place(code_is_found_in_its_file as *const () as usize).unwrap().unwrap();
        assert!(own.module.starts_with(b"barrow-") && own.offset > 0, "{:?}", own.offset);
        let library = place(libc::malloc as *const () as usize).unwrap().unwrap();
        assert!(String::from_utf8_lossy(&library.module).starts_with("libc"));
        assert!(place(16).unwrap().is_none());
    }

    #[test]
    fn notes_have_the_build_id() {
        let note = |name: &[u8], kind: u32, content: &[u8]| {
            let mut bytes = Vec::new();
            for number in [name.len() as u32, content.len() as u32, kind] {
                bytes.extend(number.to_ne_bytes());
            }
            for part in [name, content] {
                bytes.extend(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
            bytes
        };
        let notes = [note(b"stapsdt\0", 3, b"probe"), note(b"GNU\0", 1, b"abi"), note(b"GNU\0", 3, b"12345")]
            .concat();
        assert_eq!(id_in(&notes), Some(&b"12345"[..]));
        for length in 0..notes.len() - 3 {
            assert_eq!(id_in(&notes[..length]), None, "{length}");
        }
        assert_eq!(id_in(&[255; 64]), None);
        // Linkers of this system give one to every library.
        let library = build_id(libc::malloc as *const () as usize);
        assert!(library.is_empty() || library.len() >= 8);
        assert!(build_id(16).is_empty());
    }
}
