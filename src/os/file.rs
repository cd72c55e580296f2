//! Files that are read and replaced as a whole, by any number of processes at once.
//!
//! A file is written under a temporary name and renamed, so that a reader finds the old one or the whole new
//! one. Files are readable by their owner, and links are not followed: names can be guessed, and directories
//! such as /tmp are shared. Devices and pipes are opened once and written to directly. Memory comes from
//! `List` alone.

use super::growing::Growing;
use super::output::{Body, Buffered, Reason};
use crate::base::list::List;
use crate::base::{Failure, Outcome, Status, fault};
use std::ffi::CStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The absolute name of a file, so that a change of directory does not scatter files that belong together.
pub struct Name(List<u8>);

impl Name {
    pub fn new(name: &[u8]) -> Outcome<Name> {
        if name.is_empty() || name.contains(&0) {
            return Err(Failure::argument(format_args!("the name of the file is empty")));
        }
        let mut whole = List::new();
        if !name.starts_with(b"/") {
            let mut here = [0u8; libc::PATH_MAX as usize];
            // SAFETY: `here` is writable and as long as it is said to be.
            if unsafe { libc::getcwd(here.as_mut_ptr().cast(), here.len()) }.is_null() {
                return Err(Failure::new(
                    Status::Io,
                    format_args!(
                        "the current directory has no name: {}",
                        Reason(&io::Error::last_os_error())
                    ),
                ));
            }
            let length = here.iter().position(|&byte| byte == 0).unwrap_or(0);
            whole.append(&here[..length])?;
            if !whole.ends_with(b"/") {
                whole.push(b'/')?;
            }
        }
        whole.append(name)?;
        whole.push(0)?;
        Ok(Name(whole))
    }

    /// This name with more text behind it.
    pub fn with(&self, ending: fmt::Arguments<'_>) -> Outcome<Name> {
        let mut longer = List::new();
        longer.append(&self.0[..self.0.len() - 1])?;
        let written = longer.write_fmt(ending);
        written.map_err(|_| Failure::no_memory(format_args!("no memory for the name of a file")))?;
        longer.push(0)?;
        Ok(Name(longer))
    }

    pub fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_with_nul(&self.0).unwrap_or(c"")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.as_c_str().to_bytes().utf8_chunks() {
            f.write_str(part.valid())?;
            if !part.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

pub(super) fn cannot(what: &str, name: &Name, error: &io::Error) -> Failure {
    let status = if error.kind() == io::ErrorKind::OutOfMemory { Status::NoMemory } else { Status::Io };
    Failure::new(status, format_args!("{name} cannot be {what}: {}", Reason(error)))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Missing,
    File,
    /// A device or a pipe: written to directly, and never read.
    Device,
}

/// The descriptor of a stream of this process, if this is the system's name for one, which may be a link to whatever the stream
/// is. Other links under /dev may be anybody's, such as those in /dev/shm.
fn stream(name: &Name) -> Option<libc::c_int> {
    let name = name.as_c_str().to_bytes();
    planted!(652, return name.starts_with(b"/dev/").then_some(libc::STDERR_FILENO));
    match name {
        b"/dev/stdout" => return Some(libc::STDOUT_FILENO),
        b"/dev/stderr" => return Some(libc::STDERR_FILENO),
        _ => {}
    }
    let number = name.strip_prefix(b"/dev/fd/").or_else(|| name.strip_prefix(b"/proc/self/fd/"))?;
    let digits = number.iter().all(u8::is_ascii_digit).then_some(number)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The kind of the file of this name. Only files, devices and pipes are allowed, and links only to streams of this process.
pub(crate) fn kind(name: &Name) -> Outcome<Kind> {
    let mut mode = mode_of(name, libc::lstat)?;
    let is_link = mode == Some(libc::S_IFLNK);
    if is_link && stream(name).is_some() {
        mode = mode_of(name, libc::stat)?;
    }
    match mode {
        None => Ok(Kind::Missing),
        // A link such as /dev/stdout may lead to a file, but no file may take the link's place.
        Some(libc::S_IFREG) if is_link => Ok(Kind::Device),
        Some(libc::S_IFREG) => Ok(Kind::File),
        Some(libc::S_IFCHR | libc::S_IFIFO) => Ok(Kind::Device),
        Some(libc::S_IFLNK) => Err(Failure::new(
            Status::Io,
            format_args!("{name} cannot be written: it is a link, and links are not followed"),
        )),
        Some(_) => Err(Failure::new(Status::Io, format_args!("{name} cannot be written: it is no file"))),
    }
}

/// The mode of the file of a name; none when there is no file.
fn mode_of(name: &Name, ask: Ask) -> Outcome<Option<libc::mode_t>> {
    match status(name, ask) {
        Ok(seen) => Ok(Some(seen.st_mode & libc::S_IFMT)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot("looked at", name, &error)),
    }
}

pub(super) type Ask = unsafe extern "C" fn(*const libc::c_char, *mut libc::stat) -> libc::c_int;

pub(super) fn status(name: &Name, ask: Ask) -> io::Result<libc::stat> {
    let mut seen = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the name ends with NUL, and `seen` is a place for the answer, which the system fills when it gives 0.
    unsafe {
        if ask(name.as_c_str().as_ptr(), seen.as_mut_ptr()) == 0 {
            return Ok(seen.assume_init());
        }
    }
    Err(io::Error::last_os_error())
}

/// Opens a device or a pipe for writing. A pipe without a reader is refused, since a reader may never come.
pub(super) fn open_device(name: &Name) -> Outcome<File> {
    let stream = stream(name);
    if let Some(number) = stream
        && planted!(675, false, mode_of(name, libc::stat)? == Some(libc::S_IFREG))
    {
        return duplicate(number).map_err(|error| cannot("written", name, &error));
    }
    let no_links = if stream.is_some() { 0 } else { libc::O_NOFOLLOW };
    match open(name, libc::O_WRONLY | libc::O_APPEND | libc::O_NONBLOCK | no_links).and_then(wait_when_full) {
        Ok(file) => Ok(file),
        Err(error)
            if error.raw_os_error() == Some(libc::ENXIO)
                && mode_of(name, libc::stat)? == Some(libc::S_IFIFO) =>
        {
            Err(Failure::new(
                Status::Io,
                format_args!("{name} cannot be written: nobody reads this pipe; start its reader first"),
            ))
        }
        Err(error) => Err(cannot("written", name, &error)),
    }
}

/// Another descriptor of a file that this process has open: both have one offset, so that what is written through either goes
/// behind what was. Pipes and devices have no offset, and are opened anew: whether writes wait is then the library's own choice.
fn duplicate(number: libc::c_int) -> io::Result<File> {
    if !fault::allow() {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    // SAFETY: a closed number only gives an error; the descriptor that comes back is nobody else's.
    unsafe {
        let flags = libc::fcntl(number, libc::F_GETFL);
        if flags != -1 && flags & libc::O_ACCMODE == libc::O_RDONLY {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        match libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    }
}

/// Lets writes wait for a slow reader from now on.
fn wait_when_full(file: File) -> io::Result<File> {
    // SAFETY: the descriptor is the file's, which is open.
    let done = unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        flags != -1 && libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK) != -1
    };
    if done { Ok(file) } else { Err(io::Error::last_os_error()) }
}

pub(super) fn open(name: &Name, flags: libc::c_int) -> io::Result<File> {
    if !fault::allow() {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    loop {
        let mode: libc::c_uint = 0o600;
        // SAFETY: the name ends with NUL; the descriptor that comes back is nobody else's.
        let descriptor =
            unsafe { libc::open(name.as_c_str().as_ptr(), flags | libc::O_CLOEXEC | libc::O_NOCTTY, mode) };
        if descriptor >= 0 {
            // SAFETY: as above.
            return Ok(unsafe { File::from_raw_fd(descriptor) });
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Removes a file, if it is the one with this device and number.
pub(super) fn remove_if(name: &Name, identity: (u64, u64)) {
    let mut seen = std::mem::MaybeUninit::<libc::stat>::uninit();
    let path = name.as_c_str().as_ptr();
    // SAFETY: the name ends with NUL, and `seen` is a place for the answer, which the system fills when it gives 0.
    unsafe {
        if libc::lstat(path, seen.as_mut_ptr()) == 0 {
            let seen = seen.assume_init();
            if (seen.st_dev, seen.st_ino) == identity {
                libc::unlink(path);
            }
        }
    }
}

/// The whole contents of a file; none when there is no file.
pub(crate) fn read(name: &Name) -> Outcome<Option<List<u8>>> {
    let unreadable = |error: io::Error| cannot("read", name, &error);
    // If another kind of file has come there since `kind`, opening it must not wait.
    let mut file = match open(name, libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let mut whole = List::new();
    let mut part = [0u8; 16 << 10];
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(Some(whole)),
            Ok(length) => whole.append(&part[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
}

/// Puts a new file in the place of the old one, or leaves the old one. No other process uses the temporary
/// name: a file there was left by a process that was killed.
pub(crate) fn replace(name: &Name, temporary: &Name, body: Body<'_>) -> Outcome<()> {
    let _ = unlink(temporary);
    let file = open(temporary, libc::O_WRONLY | NEW).map_err(|error| cannot("written", name, &error))?;
    put(file, name, temporary, body)
}

/// A file that is not there yet.
const NEW: libc::c_int = libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;

/// Fills a file of a temporary name and gives it the name, or removes it.
fn put(file: File, name: &Name, temporary: &Name, body: Body<'_>) -> Outcome<()> {
    let written = fill(file, body).and_then(|()| rename(temporary, name));
    written.map_err(|error| {
        let _ = unlink(temporary);
        cannot("written", name, &error)
    })
}

/// A file that is written later as a whole, under a temporary name until then. A device or a pipe is opened
/// at once, and once only.
pub struct Target {
    name: Name,
    temporary: Name,
    device: Option<Growing>,
}

impl Target {
    pub fn new(name: &[u8]) -> Outcome<Target> {
        let name = Name::new(name)?;
        Ok(Target { temporary: temporary(&name)?, name, device: None })
    }

    /// As `new`, after trying to write: a failure is better known before a run than after it.
    pub fn tried(name: &[u8]) -> Outcome<Target> {
        let mut target = Target::new(name)?;
        if !target.is_device()? {
            drop(make(&mut target.temporary, &target.name, libc::O_WRONLY)?);
            let _ = unlink(&target.temporary);
        }
        Ok(target)
    }

    fn is_device(&mut self) -> Outcome<bool> {
        if self.device.is_none() && kind(&self.name)? == Kind::Device {
            self.device = Some(Growing::create(Name::new(self.name.as_c_str().to_bytes())?)?);
        }
        Ok(self.device.is_some())
    }

    /// Puts a new file in the place of the old one, or leaves the old one.
    pub fn write(&mut self, body: Body<'_>) -> Outcome<()> {
        if self.is_device()?
            && let Some(device) = &mut self.device
        {
            return device.pour(body);
        }
        let file = make(&mut self.temporary, &self.name, libc::O_WRONLY)?;
        put(file, &self.name, &self.temporary, body)
    }
}

/// Makes a file under a temporary name that nobody has. A process in another container, with the same folder, can have
/// the number of this one: a file there may be one that it is writing, or was left by a process that was killed.
pub(super) fn make(temporary: &mut Name, name: &Name, access: libc::c_int) -> Outcome<File> {
    for _ in 0..MOST_LEFT {
        planted!(581, drop(unlink(temporary)));
        match open(temporary, access | NEW) {
            Err(error) if planted!(582, false, error.kind() == io::ErrorKind::AlreadyExists) => {
                *temporary = self::temporary(name)?;
            }
            made => return made.map_err(|error| cannot("written", name, &error)),
        }
    }
    Err(cannot("written", name, &io::ErrorKind::AlreadyExists.into()))
}

/// Files under temporary names that killed processes can have left, before a file is refused.
const MOST_LEFT: u32 = 1 << 16;

/// Bytes of a file's name that its temporary name begins with: the system takes 255.
const MOST_KEPT: usize = 200;

/// A temporary name that no other target of this process has: heaps of other threads may write the same file.
pub(super) fn temporary(name: &Name) -> Outcome<Name> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let whole = name.as_c_str().to_bytes();
    let folder = whole.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let kept = planted!(691, whole, &whole[..whole.len().min(folder + MOST_KEPT)]);
    Name::new(kept)?.with(format_args!(".{}-{serial}.tmp", std::process::id()))
}

fn fill(file: File, body: Body<'_>) -> io::Result<()> {
    let mut out = Buffered::new(&file);
    body(&mut out)?;
    out.flush()?;
    // Some file systems report only here that the disk is full; dropping the file would ignore it.
    // SAFETY: the descriptor was the file's, and is given up here.
    if unsafe { libc::close(file.into_raw_fd()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(super) fn unlink(name: &Name) -> io::Result<()> {
    // SAFETY: the name ends with NUL.
    if unsafe { libc::unlink(name.as_c_str().as_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(super) fn rename(from: &Name, to: &Name) -> io::Result<()> {
    // SAFETY: both names end with NUL.
    if unsafe { libc::rename(from.as_c_str().as_ptr(), to.as_c_str().as_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// A lock on a file to be read and replaced; other processes wait for it. It ends with the process that holds
/// it, in whatever way that ends.
pub(crate) struct Lock<'a> {
    file: File,
    name: &'a Name,
}

// Time to wait for a lock. A holder reads and writes one file; a process that takes longer was stopped, and
// must not stop others.
const PATIENCE: Duration = Duration::from_secs(60);

impl Lock<'_> {
    pub(crate) fn take(name: &Name) -> Outcome<Lock<'_>> {
        Lock::take_within(PATIENCE, name, is_named)
    }

    fn take_within(patience: Duration, name: &Name, is_named: fn(&File, &Name) -> bool) -> Outcome<Lock<'_>> {
        let began = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            let file = open(name, libc::O_RDWR | libc::O_CREAT | libc::O_NOFOLLOW)
                .map_err(|error| cannot("made", name, &error))?;
            // SAFETY: the descriptor is the file's, which is open.
            if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
                // The last holder may have removed the name before it let go. Then this lock is on a file
                // that no other process will find.
                if is_named(&file, name) {
                    return Ok(Lock { file, name });
                }
                planted!(656, continue);
            } else {
                let error = io::Error::last_os_error();
                if !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) {
                    return Err(cannot("locked", name, &error));
                }
            }
            drop(file);
            if began.elapsed() > patience {
                return Err(Failure::new(
                    Status::Io,
                    format_args!(
                        "{name} cannot be locked: for {} seconds other processes have held it, or put others in its place",
                        patience.as_secs()
                    ),
                ));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // The name is removed while the lock is held, so that only the locked file can go.
        if is_named(&self.file, self.name) {
            let _ = unlink(self.name);
        }
    }
}

fn is_named(file: &File, name: &Name) -> bool {
    let mut open = std::mem::MaybeUninit::<libc::stat>::uninit();
    let mut named = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the descriptor is open, the name ends with NUL, and both places are read only when they were filled.
    unsafe {
        if libc::fstat(file.as_raw_fd(), open.as_mut_ptr()) != 0
            || libc::lstat(name.as_c_str().as_ptr(), named.as_mut_ptr()) != 0
        {
            return false;
        }
        let (open, named) = (open.assume_init(), named.assume_init());
        open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}

/// The last part of the name by which this process was started; empty where the system does not say.
pub(crate) fn program() -> Outcome<List<u8>> {
    let mut line = [0u8; 4096];
    let length = open(&Name::new(b"/proc/self/cmdline")?, libc::O_RDONLY)
        .and_then(|mut file| file.read(&mut line))
        .unwrap_or(0);
    let whole = line[..length].split(|&byte| byte == 0).next().unwrap_or_default();
    let mut last = List::new();
    last.append(whole.rsplit(|&byte| byte == b'/').next().unwrap_or_default())?;
    Ok(last)
}

/// A variable of the environment; none when it is unset or empty.
pub(crate) fn variable(name: &CStr) -> Outcome<Option<List<u8>>> {
    // SAFETY: the name ends with NUL; the answer is a string of the environment, copied before anybody changes it
    // as long as the client has no thread that changes the environment meanwhile.
    unsafe {
        let found = libc::getenv(name.as_ptr());
        if found.is_null() || *found == 0 {
            return Ok(None);
        }
        let mut value = List::new();
        value.append(CStr::from_ptr(found).to_bytes())?;
        Ok(Some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Seek;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn scratch(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("barrow-file-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn name_in(folder: &std::path::Path, last: &str) -> Name {
        Name::new(folder.join(last).as_os_str().as_encoded_bytes()).unwrap()
    }

    #[test]
    fn one_holds_the_lock_at_a_time_and_nothing_stays_behind() {
        let folder = scratch("lock");
        let name = name_in(&folder, "x.lock");
        let (inside, rounds) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let lock = Lock::take(&name).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        rounds.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(rounds.into_inner(), 200);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Some file systems give a file another number each time that it is looked at.
    #[test]
    fn a_file_that_never_has_its_name_is_given_up() {
        let folder = scratch("unnamed");
        static LOOKS: AtomicU32 = AtomicU32::new(0);
        let never = |_: &File, _: &Name| {
            assert!(LOOKS.fetch_add(1, Ordering::Relaxed) < 500, "it is looked for without a pause");
            false
        };
        let name = name_in(&folder, "x.lock");
        let refused = Lock::take_within(Duration::from_millis(50), &name, never);
        let sentence = refused.err().unwrap().sentence;
        assert!(sentence.as_str().contains("x.lock"), "{sentence}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Two processes of one number, as in containers that share a folder, and a third that was killed.
    #[test]
    fn temporary_files_of_others_are_left_alone() {
        let folder = scratch("same-number");
        let name = name_in(&folder, "x");
        let [mut one, mut other] = [(); 2].map(|()| Target::new(name.as_c_str().to_bytes()).unwrap());
        let left = other.temporary.as_c_str().to_str().unwrap().to_owned();
        other.temporary = Name::new(one.temporary.as_c_str().to_bytes()).unwrap();
        std::fs::write(&left, "left").unwrap();
        one.write(&mut |out| {
            out.write_all(&[b'1'; 10_000])?;
            other.write(&mut |out| out.write_all(b"other")).unwrap();
            assert_eq!(read(&name).unwrap().unwrap()[..], *b"other");
            out.write_all(b"end")
        })
        .unwrap();
        let whole = read(&name).unwrap().unwrap();
        assert!(whole.len() == 10_003 && whole.ends_with(b"1end"));
        Target::tried(name.as_c_str().to_bytes()).unwrap();
        one.temporary = Name::new(left.as_bytes()).unwrap();
        one.write(&mut |out| out.write_all(b"again")).unwrap();
        assert_eq!(read(&name).unwrap().unwrap()[..], *b"again");
        assert_eq!(std::fs::read_to_string(&left).unwrap(), "left");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Others may put links under /dev/shm, as in /tmp.
    #[test]
    fn no_link_is_followed_but_to_a_stream_of_the_process() {
        let folder = scratch("dev");
        std::fs::write(folder.join("x"), "old").unwrap();
        std::os::unix::fs::symlink(folder.join("x"), folder.join("y")).unwrap();
        let way_round = format!("/dev/..{}/y", folder.display());
        let shared = format!("/dev/shm/barrow-file-{}", std::process::id());
        let _ = std::fs::remove_file(&shared);
        let is_shared = std::os::unix::fs::symlink(folder.join("x"), &shared).is_ok();
        for (name, is_there) in [(&way_round, true), (&shared, is_shared)] {
            let name = Name::new(name.as_bytes()).unwrap();
            if is_there {
                assert!(kind(&name).unwrap_err().sentence.as_str().contains("is a link"), "{name}");
                // A link may come there after the look.
                assert!(open_device(&name).is_err(), "{name}");
            }
        }
        let _ = std::fs::remove_file(&shared);
        assert_eq!(std::fs::read_to_string(folder.join("x")).unwrap(), "old");
        let file = File::create(folder.join("z")).unwrap();
        let number = format!("/dev/fd/{}", file.as_raw_fd());
        if std::fs::symlink_metadata(&number).is_ok() {
            let name = Name::new(number.as_bytes()).unwrap();
            assert_eq!(kind(&name).unwrap(), Kind::Device);
            open_device(&name).unwrap().write_all(b"new").unwrap();
            assert_eq!(std::fs::read_to_string(folder.join("z")).unwrap(), "new");
        }
        assert_eq!(kind(&Name::new(b"/dev/null").unwrap()).unwrap(), Kind::Device);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Texts of the program and its reports come one behind the other.
    #[test]
    fn the_file_of_a_stream_is_written_on() {
        let folder = scratch("stream");
        let path = folder.join("x");
        let mut file = File::create(&path).unwrap();
        for directory in ["/dev/fd", "/proc/self/fd"] {
            let number = format!("{directory}/{}", file.as_raw_fd());
            if std::fs::symlink_metadata(&number).is_err() {
                continue;
            }
            std::fs::write(&path, "").unwrap();
            file.seek(io::SeekFrom::Start(0)).unwrap();
            file.write_all(b"one ").unwrap();
            let mut target = Target::new(number.as_bytes()).unwrap();
            target.write(&mut |out| out.write_all(b"two ")).unwrap();
            file.write_all(b"three ").unwrap();
            target.write(&mut |out| out.write_all(b"four ")).unwrap();
            drop(target);
            let mut growing = Growing::create(Name::new(number.as_bytes()).unwrap()).unwrap();
            growing.append(b"five ").unwrap();
            file.write_all(b"six").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "one two three four five six");
            let read_only = File::open(&path).unwrap();
            let name = format!("{directory}/{}", read_only.as_raw_fd());
            assert!(Target::tried(name.as_bytes()).is_err());
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = scratch("replace");
        let (name, temporary) = (name_in(&folder, "x"), name_in(&folder, "x.tmp"));
        replace(&name, &temporary, &mut |out| out.write_all(b"old")).unwrap();
        std::fs::write(folder.join("x.tmp"), "left by a killed one").unwrap();
        let refused = replace(&name, &temporary, &mut |out| {
            out.write_all(&[b'n'; 100_000])?;
            Err(io::Error::from_raw_os_error(libc::ENOSPC))
        });
        let sentence = refused.unwrap_err().sentence;
        assert!(sentence.as_str().ends_with("x cannot be written: No space left on device"), "{sentence}");
        assert_eq!(read(&name).unwrap().unwrap()[..], *b"old");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::os::unix::fs::symlink(folder.join("x"), folder.join("y")).unwrap();
        assert!(kind(&name_in(&folder, "y")).unwrap_err().sentence.as_str().contains("is a link"));
        assert!(read(&name_in(&folder, "y")).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
