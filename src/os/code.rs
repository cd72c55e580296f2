//! The file of code in which an address lies: the program or a library, and the offset in that file.

use crate::base::{List, Outcome};
use std::ffi::{CStr, c_int, c_void};

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
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
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
}
