//! A file that grows while the program runs, one whole piece at a time.
//!
//! A piece is one write. A piece that the system takes only in part is taken back, so that a reader, now or
//! after this process was killed, finds whole pieces only. The file is new and the owner's: links are not
//! followed. It has a temporary name until `take_name`, so that what is refused before leaves the old file as it was.
//! A device or a pipe is written to directly.

use super::file::{self, Kind, Name};
use super::output::{Body, Buffered, Reason};
use super::pipe::Unbroken;
use crate::base::{Failure, List, Outcome, Status};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::FileExt;

/// The system's numbers of the device and of the file on it.
type Identity = (libc::dev_t, libc::ino_t);

pub(crate) struct Growing {
    file: Option<File>,
    name: Name,
    /// The name until the file takes its own, and the process that gives it: the file is not for a child of a fork to remove.
    temporary: Option<(Name, u32)>,
    /// The file that the descriptor was opened for: the program may have closed it, and opened another one
    /// with its number.
    identity: Identity,
    /// Bytes of whole pieces; none for devices.
    length: Option<u64>,
}

impl Growing {
    /// Makes the file, which replaces an old one with `take_name`.
    pub(crate) fn create(name: Name) -> Outcome<Growing> {
        match file::kind(&name)? {
            Kind::Device => Growing::of(file::open_device(&name)?, name, None),
            _ => Growing::new(name, libc::O_WRONLY),
        }
    }

    /// Makes a file that `read` will read again.
    pub(crate) fn create_readable(name: Name) -> Outcome<Growing> {
        if file::kind(&name)? == Kind::Device {
            return Err(Failure::new(Status::Io, format_args!("{name} cannot be written: it is no file")));
        }
        Growing::new(name, libc::O_RDWR)
    }

    fn new(name: Name, access: libc::c_int) -> Outcome<Growing> {
        let mut temporary = file::temporary(&name)?;
        let file = file::make(&mut temporary, &name, access | libc::O_APPEND)?;
        let mut made = Growing::of(file, name, Some(0))?;
        made.temporary = Some((temporary, std::process::id()));
        planted!(684, made.take_name()?);
        Ok(made)
    }

    /// Gives the file its name, in the place of an old one. A later call does nothing.
    pub(crate) fn take_name(&mut self) -> Outcome<()> {
        if let Some((temporary, _)) = &self.temporary {
            file::rename(temporary, &self.name)
                .map_err(|error| file::cannot("written", &self.name, &error))?;
            self.temporary = None;
        }
        Ok(())
    }

    fn of(file: File, name: Name, length: Option<u64>) -> Outcome<Growing> {
        match identity(&file) {
            Ok(identity) => Ok(Growing { file: Some(file), name, temporary: None, identity, length }),
            Err(error) => Err(file::cannot("written", &name, &error)),
        }
    }

    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    /// The bytes of all whole pieces.
    pub(crate) fn read(&self) -> Outcome<List<u8>> {
        let mut whole = List::new();
        whole.fill(self.length.unwrap_or(0) as usize, 0)?;
        let ours = self.file.as_ref().filter(|file| identity(file).is_ok_and(|now| now == self.identity));
        let read = match ours {
            Some(file) => file.read_exact_at(&mut whole, 0),
            None => Err(io::Error::from_raw_os_error(libc::EBADF)),
        };
        match read {
            Ok(()) => Ok(whole),
            Err(error) => Err(file::cannot("read again", &self.name, &error)),
        }
    }

    /// Removes the file, unless another file has its name by now.
    pub(crate) fn remove(mut self) {
        self.give_up();
        file::remove_if(&self.name, self.identity);
    }

    /// Appends a whole piece, or nothing of it.
    pub(crate) fn append(&mut self, piece: &[u8]) -> Outcome<()> {
        let Some(file) = &mut self.file else {
            return Err(Failure::new(Status::Io, format_args!("{} was given up before", self.name)));
        };
        let written = match identity(file) {
            Ok(now) if now == self.identity => {
                let written = match self.length {
                    Some(_) => file.write_all(piece),
                    None => Unbroken(&*file).write_all(piece),
                };
                if written.is_err()
                    && let Some(length) = self.length
                {
                    let _ = planted!(147, Ok(()), file.set_len(length));
                }
                written
            }
            Ok(_) => Err(io::Error::from_raw_os_error(libc::EBADF)),
            Err(error) => Err(error),
        };
        match written {
            Ok(()) => {
                self.length = self.length.map(|length| length + piece.len() as u64);
                Ok(())
            }
            Err(error) => {
                self.give_up();
                Err(Failure::new(
                    Status::Io,
                    format_args!("{} ends here, with what is in it: {}", self.name, Reason(&error)),
                ))
            }
        }
    }

    /// Writes a body to a device or a pipe, in as many pieces as it takes.
    pub(crate) fn pour(&mut self, body: Body<'_>) -> Outcome<()> {
        let ours = self.file.as_ref().filter(|file| identity(file).is_ok_and(|now| now == self.identity));
        let written = match ours {
            Some(file) => {
                let mut out = Buffered::new(Unbroken(file));
                body(&mut out).and_then(|()| out.flush())
            }
            None => Err(io::Error::from_raw_os_error(libc::EBADF)),
        };
        written.map_err(|error| file::cannot("written", &self.name, &error))
    }

    /// Leaves the file as it is. A descriptor that is not ours any more is not closed.
    fn give_up(&mut self) {
        if let Some(file) = self.file.take() {
            if identity(&file).is_ok_and(|now| now == self.identity) {
                drop(file);
            } else {
                let _ = file.into_raw_fd();
            }
        }
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        self.give_up();
        if let Some((temporary, process_of_it)) = &self.temporary
            && planted!(692, true, *process_of_it == std::process::id())
        {
            let _ = file::unlink(temporary);
        }
    }
}

fn identity(file: &File) -> io::Result<Identity> {
    let mut seen = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `seen` is a place for the answer; a closed descriptor only gives an error.
    if unsafe { libc::fstat(file.as_raw_fd(), seen.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has filled it.
    let seen = unsafe { seen.assume_init() };
    Ok((seen.st_dev, seen.st_ino))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::FromRawFd;

    fn place(name: &str) -> String {
        format!("{}/growing-{}-{name}", std::env::temp_dir().display(), std::process::id())
    }

    #[test]
    fn pieces_are_whole() {
        let at = place("a.hp");
        let mut growing = Growing::create(Name::new(at.as_bytes()).unwrap()).unwrap();
        growing.append(b"one\n").unwrap();
        growing.append(b"two\n").unwrap();
        assert!(!std::path::Path::new(&at).exists());
        growing.take_name().unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"one\ntwo\n");
        std::fs::remove_file(&at).unwrap();
    }

    #[test]
    fn a_child_leaves_the_file_to_its_parent() {
        let at = place("forked");
        let mut growing = Growing::create(Name::new(at.as_bytes()).unwrap()).unwrap();
        // SAFETY: the child lets go of the file, which takes no lock and no memory, and ends.
        unsafe {
            let child = libc::fork();
            assert!(child >= 0);
            if child == 0 {
                std::mem::drop(std::ptr::read(&growing));
                libc::_exit(0);
            }
            assert_eq!(libc::waitpid(child, std::ptr::null_mut(), 0), child);
        }
        growing.take_name().unwrap();
        std::fs::remove_file(&at).unwrap();
    }

    #[test]
    fn a_name_is_as_long_as_the_system_takes() {
        let at = place(&"é".repeat(116));
        let mut growing = Growing::create(Name::new(at.as_bytes()).unwrap()).unwrap();
        growing.take_name().unwrap();
        std::fs::remove_file(&at).unwrap();
    }

    #[test]
    fn another_name_of_the_old_file_keeps_what_it_has() {
        let (at, other) = (place("planted"), place("precious"));
        std::fs::write(&other, "precious").unwrap();
        std::fs::hard_link(&other, &at).unwrap();
        let mut growing = Growing::create(Name::new(at.as_bytes()).unwrap()).unwrap();
        growing.append(b"new").unwrap();
        growing.take_name().unwrap();
        assert_eq!(
            (std::fs::read(&other).unwrap(), std::fs::read(&at).unwrap()),
            (b"precious".into(), b"new".into())
        );
        std::fs::remove_file(&at).unwrap();
        std::fs::remove_file(&other).unwrap();
    }

    #[test]
    fn links_directories_and_missing_folders_are_refused() {
        let (at, target) = (place("link"), place("target"));
        std::os::unix::fs::symlink(&target, &at).unwrap();
        let refused =
            |name: &str| Growing::create(Name::new(name.as_bytes()).unwrap()).err().unwrap().sentence;
        assert!(refused(&at).as_str().contains("link"));
        assert!(!std::path::Path::new(&target).exists());
        std::fs::remove_file(&at).unwrap();
        assert!(refused("/tmp").as_str().contains("no file"));
        assert!(refused("/nowhere/at/all.hp").as_str().contains("No such file"));
    }

    #[test]
    fn a_full_disk_ends_it() {
        let Ok(mut growing) = Growing::create(Name::new(b"/dev/full").unwrap()) else { return };
        assert!(growing.append(b"x").unwrap_err().sentence.as_str().contains("No space"));
        assert!(growing.append(b"x").is_err());
    }

    #[test]
    fn a_descriptor_that_was_closed_is_left_alone() {
        let (at, other) = (place("b.hp"), place("c"));
        let mut growing = Growing::create(Name::new(at.as_bytes()).unwrap()).unwrap();
        growing.take_name().unwrap();
        let number = growing.file.as_ref().unwrap().as_raw_fd();
        let theirs = File::create(&other).unwrap();
        // SAFETY: this is the mistake of a careless program: the number means another file afterwards.
        assert_eq!(unsafe { libc::dup2(theirs.as_raw_fd(), number) }, number);
        assert!(growing.append(b"x").is_err());
        drop(growing);
        assert_eq!(std::fs::read(&other).unwrap(), b"");
        // SAFETY: the number is still open, and nobody else closes it.
        drop(unsafe { File::from_raw_fd(number) });
        std::fs::remove_file(&at).unwrap();
        std::fs::remove_file(&other).unwrap();
    }
}
