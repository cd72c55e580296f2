//! Names for addresses of code in this process: module and offset by the dynamic linker, functions by the module's own
//! symbol table, static ones included.
//!
//! Reports use it when they are written, not while the program runs. Files are read as they are on disk; a
//! file that is not understood gives no name.

use crate::base::{List, Outcome, sort};
use memmap2::Mmap;
use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;

/// A function of a module.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    start: usize,
    bytes: usize,
    /// Bytes from its start within which an address is its own, when no other function begins before: its size, or all up to
    /// its section's end for assembler code without one.
    reach: usize,
    /// Offset of its name in the module's strings.
    name: usize,
}

struct Module {
    base: usize,
    path: List<u8>,
    /// The difference between addresses in memory and in the file.
    bias: usize,
    symbols: List<Symbol>,
    strings: List<u8>,
}

/// The modules that were looked at.
#[derive(Default)]
pub struct Symbols {
    modules: List<Module>,
}

/// The module and function at an address.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    pub module: &'a [u8],
    /// The address in the module's file, which `addr2line -e module` takes.
    pub offset: usize,
    /// The function's beginning in memory, and its name.
    pub function: Option<(usize, &'a [u8])>,
}

/// The function at an address, its file's name without the directory, and the offset that `addr2line` takes.
pub(crate) struct KnownPlace<'a> {
    pub(crate) function: &'a [u8],
    pub(crate) module: &'a [u8],
    pub(crate) offset: usize,
}

impl Symbols {
    /// Module, offset and function of an address; none when it is in no module.
    pub fn locate(&mut self, address: usize) -> Outcome<Option<Located<'_>>> {
        let Some((base, path)) = module_of(address) else { return Ok(None) };
        let index = match self.modules.iter().position(|module| module.base == base) {
            Some(index) => index,
            None => {
                let module = Module::read(base, path)?;
                self.modules.push(module)?;
                self.modules.len() - 1
            }
        };
        let module = &self.modules[index];
        let offset = address.wrapping_sub(module.bias);
        let function = module.find(offset).map(|symbol| {
            let whole = module.whole_of(symbol);
            (whole.start.wrapping_add(module.bias), without_part(module.name(symbol)))
        });
        Ok(Some(Located { module: &module.path, offset, function }))
    }
}

impl Symbols {
    /// Function, file and offset of an address in a module that was looked at before. Reads only, like `known`.
    pub(crate) fn known_place(&self, address: usize) -> Option<KnownPlace<'_>> {
        self.modules.iter().find_map(|module| {
            let offset = address.checked_sub(module.bias)?;
            let symbol = module.find(offset).filter(|symbol| symbol.bytes > 0)?;
            let file = module.path.rsplit(|&byte| byte == b'/').next().unwrap_or(&module.path);
            Some(KnownPlace { function: without_part(module.name(symbol)), module: file, offset })
        })
    }

    /// The name of the function at an address in a module that was looked at before, if at least `inside` bytes of it lie
    /// before the address. Reads only: handlers may ask.
    pub(crate) fn known(&self, address: usize, inside: usize) -> Option<&[u8]> {
        self.modules.iter().find_map(|module| {
            let offset = address.checked_sub(module.bias)?;
            let symbol = module.find(offset)?;
            let is_inside = symbol.bytes > 0 && offset - symbol.start >= inside;
            is_inside.then(|| without_part(module.name(symbol)))
        })
    }
}

fn module_of(address: usize) -> Option<(usize, &'static CStr)> {
    // SAFETY: all zero is a valid value of this struct of addresses.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the linker only looks the address up.
    let found = unsafe { libc::dladdr(address as *const c_void, &mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: a name that the linker gives stays while its module is loaded, and is copied before anything is unloaded.
    Some((info.dli_fbase as usize, unsafe { CStr::from_ptr(info.dli_fname) }))
}

impl Module {
    fn read(base: usize, path: &CStr) -> Outcome<Module> {
        let mut module =
            Module { base, path: List::new(), bias: base, symbols: List::new(), strings: List::new() };
        module.path.append(path.to_bytes())?;
        // The program's own name is the one that it was called with, which may lead nowhere.
        let itself = CString::from(c"/proc/self/exe");
        let tried = [path, itself.as_c_str()].into_iter().take(if is_program(base) { 2 } else { 1 });
        for name in tried {
            let Ok(file) = std::fs::File::open(std::ffi::OsStr::from_bytes(name.to_bytes())) else {
                continue;
            };
            // SAFETY: a loaded module is not expected to change; every byte read is checked before it is
            // used.
            let Ok(bytes) = (unsafe { Mmap::map(&file) }) else { continue };
            module.take_symbols(&bytes)?;
            if !module.symbols.is_empty() {
                break;
            }
        }
        sort::sort_by_key(&mut module.symbols, |symbol| symbol.start);
        Ok(module)
    }

    /// Copies functions and their names out of an ELF file of 64 bits.
    fn take_symbols(&mut self, file: &[u8]) -> Outcome<()> {
        let Some(elf) = Elf::open(file) else { return Ok(()) };
        self.bias = if elf.is_fixed { 0 } else { self.base.wrapping_sub(elf.first_address()) };
        // The full table if there is one; else the dynamic linker's.
        let Some((symbols, strings)) = elf.table(SYMTAB).or_else(|| elf.table(DYNSYM)) else { return Ok(()) };
        self.strings.clear();
        self.strings.append(strings)?;
        for entry in symbols.chunks_exact(SYMBOL_BYTES) {
            let (name, kind, section) = (u32_at(entry, 0), entry[4] & 15, u16_at(entry, 6));
            let is_function = kind == 2 || kind == 10;
            if is_function && section != 0 && (name as usize) < strings.len() {
                let (start, bytes) = (u64_at(entry, 8) as usize, u64_at(entry, 16) as usize);
                let reach = if bytes != 0 { bytes } else { elf.end_of(section).saturating_sub(start) };
                self.symbols.push(Symbol { start, bytes, reach, name: name as usize })?;
            }
        }
        Ok(())
    }

    fn name(&self, symbol: &Symbol) -> &[u8] {
        let name = &self.strings[symbol.name..];
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
        &name[..end]
    }

    /// The function that a symbol is a part of: the only one with the name before the part's ending, or else
    /// the first of its parts.
    fn whole_of<'a>(&'a self, symbol: &'a Symbol) -> &'a Symbol {
        let name = self.name(symbol);
        let whole = without_part(name);
        if whole.len() == name.len() {
            return symbol;
        }
        let mut named = self.symbols.iter().filter(|other| self.name(other) == whole);
        match (named.next(), named.next()) {
            (Some(one), None) => one,
            (Some(_), Some(_)) => symbol,
            (None, _) => {
                self.symbols.iter().find(|other| without_part(self.name(other)) == whole).unwrap_or(symbol)
            }
        }
    }

    fn find(&self, offset: usize) -> Option<&Symbol> {
        let after = self.symbols.partition_point(|symbol| symbol.start <= offset);
        let symbol = self.symbols.get(after.checked_sub(1)?)?;
        planted!(
            685,
            symbol.bytes == 0 || offset - symbol.start < symbol.bytes,
            offset - symbol.start < symbol.reach
        )
        .then_some(symbol)
    }
}

/// The name of the function that a symbol is a part or a copy of: compilers name its rare paths `f.cold`, and
/// its specialised parts `f.part.0`, `f.constprop.0` and `f.isra.0`.
pub fn without_part(name: &[u8]) -> &[u8] {
    let is_part = |at: usize| {
        let rest = &name[at..];
        let numbered = |mark: &[u8]| {
            rest.strip_prefix(mark).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
        };
        rest == b".cold"
            || rest.starts_with(b".cold.")
            || [&b".part."[..], b".constprop.", b".isra."].into_iter().any(numbered)
    };
    match (1..name.len()).find(|&at| name[at] == b'.' && is_part(at)) {
        Some(end) => &name[..end],
        None => name,
    }
}

fn is_program(base: usize) -> bool {
    // SAFETY: the auxiliary vector has the program's own headers, which lie in it.
    let headers = unsafe { libc::getauxval(libc::AT_PHDR) } as usize;
    module_of(headers).is_some_and(|(own, _)| own == base)
}

const SYMTAB: u32 = 2;
const DYNSYM: u32 = 11;
const SYMBOL_BYTES: usize = 24;

struct Elf<'a> {
    file: &'a [u8],
    is_fixed: bool,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at.saturating_add(4)).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u32_at(bytes, at) as u64 | (u32_at(bytes, at.saturating_add(4)) as u64) << 32
}

impl<'a> Elf<'a> {
    fn open(file: &'a [u8]) -> Option<Elf<'a>> {
        // The four letters, then 64 bits and little-endian.
        (file.starts_with(b"\x7fELF\x02\x01") && file.len() >= 64)
            .then(|| Elf { file, is_fixed: u16_at(file, 16) == 2 })
    }

    fn header(&self, table: usize, entry_bytes: usize, index: usize) -> Option<&'a [u8]> {
        let first = u64_at(self.file, table) as usize;
        let at = first.checked_add(index.checked_mul(entry_bytes)?)?;
        self.file.get(at..at.checked_add(entry_bytes)?)
    }

    /// The address that the first loaded part of the file was linked for.
    fn first_address(&self) -> usize {
        let count = u16_at(self.file, 56) as usize;
        let parts = (0..count).filter_map(|index| self.header(32, 56, index));
        let loaded = parts.filter(|part| u32_at(part, 0) == 1);
        loaded.map(|part| u64_at(part, 16) as usize & !0xfff).min().unwrap_or(0)
    }

    fn section(&self, index: usize) -> Option<(&'a [u8], &'a [u8])> {
        let header = self.header(40, 64, index)?;
        let (at, bytes) = (u64_at(header, 24) as usize, u64_at(header, 32) as usize);
        Some((header, self.file.get(at..at.checked_add(bytes)?)?))
    }

    /// The address where a section ends; 0 for none.
    fn end_of(&self, section: u16) -> usize {
        let header = self.header(40, 64, section as usize);
        header.map_or(0, |header| u64_at(header, 16).wrapping_add(u64_at(header, 32)) as usize)
    }

    /// A table of symbols with its strings.
    fn table(&self, kind: u32) -> Option<(&'a [u8], &'a [u8])> {
        let count = u16_at(self.file, 60) as usize;
        let (header, symbols) = (0..count)
            .filter_map(|index| self.section(index))
            .find(|(header, _)| u32_at(header, 4) == kind)?;
        let (_, strings) = self.section(u32_at(header, 40) as usize)?;
        Some((symbols, strings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn a_static_function() -> usize {
        std::hint::black_box(7)
    }

    #[test]
    fn functions_have_their_names() {
        let mut symbols = Symbols::default();
        a_static_function();
        let at = a_static_function as fn() -> usize as usize;
        let located = symbols.locate(at + 1).unwrap().unwrap();
        let (start, name) = located.function.unwrap();
        assert_eq!(start, at);
        assert!(String::from_utf8_lossy(name).contains("a_static_function"));
        assert!(!located.module.is_empty() && located.offset < at);
        assert!(symbols.locate(16).unwrap().is_none());
        let library = symbols.locate(libc::malloc as *const () as usize).unwrap().unwrap();
        assert!(String::from_utf8_lossy(library.module).contains("libc"));
        assert!(String::from_utf8_lossy(library.function.unwrap().1).contains("malloc"));
    }

    #[test]
    fn data_behind_all_code_are_no_function() {
        static DATA: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let mut symbols = Symbols::default();
        let located = symbols.locate(DATA.as_ptr() as usize).unwrap().unwrap();
        assert!(located.function.is_none() && !located.module.is_empty());
        // Code without a size, as `_init` is, has its name.
        let module = &symbols.modules[0];
        let unsized_code = module.symbols.iter().find(|symbol| symbol.bytes == 0 && symbol.reach != 0);
        let at = unsized_code.map(|symbol| (symbol.start + module.bias, module.name(symbol).to_vec()));
        if let Some((at, name)) = at {
            assert_eq!(symbols.locate(at).unwrap().unwrap().function, Some((at, &name[..])));
        }
    }

    #[test]
    fn parts_are_of_their_function() {
        let names = [&b"f.constprop.0"[..], b"f.constprop.0.cold", b"f.part.1", b"f.isra.0.part.0", b"f"];
        assert!(names.iter().all(|name| without_part(name) == b"f"));
        for name in [&b".cold"[..], b"main.coldStart", b"camlM.cold_path_12", b"a.part.b"] {
            assert_eq!(without_part(name), name);
        }
        let mut module =
            Module { base: 0, path: List::new(), bias: 0, symbols: List::new(), strings: List::new() };
        for (at, name) in
            [&b"g.cold"[..], b"f.constprop.0.cold", b"f.constprop.0", b"h.cold", b"i.cold", b"h", b"i", b"i"]
                .iter()
                .enumerate()
        {
            module
                .symbols
                .push(Symbol { start: 16 * at, bytes: 16, reach: 16, name: module.strings.len() })
                .unwrap();
            module.strings.append(name).unwrap();
            module.strings.push(0).unwrap();
        }
        assert_eq!(module.whole_of(&module.symbols[2]).start, 16);
        assert_eq!(module.whole_of(&module.symbols[1]).start, 16);
        assert_eq!(module.whole_of(&module.symbols[0]).start, 0);
        assert_eq!(module.whole_of(&module.symbols[3]).start, 16 * 5);
        // With two functions of one name, the part's own is unknown.
        assert_eq!(module.whole_of(&module.symbols[4]).start, 16 * 4);
    }

    #[test]
    fn broken_files_give_no_names() {
        let file = std::fs::read("/proc/self/exe").unwrap();
        let whole = &file[..file.len().min(1 << 16)];
        for length in (0..whole.len()).step_by(997) {
            let mut module =
                Module { base: 0, path: List::new(), bias: 0, symbols: List::new(), strings: List::new() };
            module.take_symbols(&whole[..length]).unwrap();
        }
        let mut changed = file[..4096].to_vec();
        for at in 16..64 {
            changed[at] = 0xff;
            let mut module =
                Module { base: 0, path: List::new(), bias: 0, symbols: List::new(), strings: List::new() };
            module.take_symbols(&changed).unwrap();
        }
    }
}
