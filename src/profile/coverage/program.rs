//! A program's `.tix` file: read, added to and replaced, by any number of processes at once.
//!
//! A write takes the lock, reads the file as it is then, adds the counts since the last write, and replaces
//! the file. So the counts of all runs add up, whichever ends first, and a process that is killed loses at
//! most its own.

use crate::base::list::List;
use crate::base::{Failure, Outcome, Sentence, Status};
use crate::os::file::{self, Kind, Lock, Name};
use crate::os::growing::Growing;
use crate::profile::coverage::modules::{Modules, Registration, Tix};
use crate::profile::coverage::{tix, tix_read};
use crate::runtime::slot::{Held, Placed, Slot, Slots};

/// A `.tix` file and the modules that are counted for it.
///
/// The client frees it, with `barrow_coverage_free`. Threads may share it. It needs no heap. The registered counters
/// outlive it, or are unregistered.
pub struct Coverage {
    pub signature: u64,
    file: Name,
    lock: Name,
    temporary: Name,
    old: Name,
    modules: Modules,
    /// The output when the file is a device or a pipe: opened once and appended to.
    device: Option<Growing>,
}

const SIGNATURE: u64 = u64::from_le_bytes(*b"coverage");

impl Placed for Coverage {
    fn slots() -> &'static Slots {
        static SLOTS: Slots = Slots::of::<Coverage>();
        &SLOTS
    }
}

impl Held for Coverage {
    const WHAT: &'static str = "coverage";
    const GONE: &'static str = "was freed";

    fn is_live(&self) -> bool {
        self.signature == SIGNATURE
    }
}

impl Coverage {
    /// Looks at the file at once: a file that cannot be read or written is better reported before a run than
    /// after it.
    pub(crate) fn new(file: &[u8]) -> Outcome<Slot<Coverage>> {
        let file = Name::new(file)?;
        let mut coverage = Coverage {
            signature: SIGNATURE,
            lock: file.with(format_args!(".lock"))?,
            temporary: file.with(format_args!(".tmp"))?,
            old: file.with(format_args!(".old"))?,
            modules: Modules::default(),
            device: None,
            file,
        };
        if file::kind(&coverage.file)? == Kind::Device {
            coverage.device = Some(Growing::create(coverage.file.with(format_args!(""))?)?);
        } else {
            let _held = Lock::take(&coverage.lock)?;
            coverage.read()?;
        }
        Slot::new(coverage)
    }

    /// The file of a program that chooses no name: `PROGRAM.tix` in the current directory.
    pub fn default_file() -> Outcome<List<u8>> {
        let mut name = file::program()?;
        if name.is_empty() {
            return Err(Failure::argument(format_args!(
                "the system does not say this program's name; name the .tix file"
            )));
        }
        name.append(b".tix")?;
        Ok(name)
    }

    pub fn file(&self) -> &Name {
        &self.file
    }

    /// Registers `count` modules, all or none; `at` gives a module by its index.
    pub fn register<'a>(
        &mut self,
        count: usize,
        at: impl Fn(usize) -> Outcome<Registration<'a>>,
    ) -> Outcome<()> {
        let before = self.modules.count();
        for number in 0..count {
            if let Err(failure) = at(number).and_then(|module| self.modules.register(&module)) {
                self.modules.take_back((0..number).filter_map(|earlier| at(earlier).ok()), before);
                return Err(failure);
            }
        }
        Ok(())
    }

    pub fn unregister(&mut self, module: &Registration<'_>) -> Outcome<()> {
        self.modules.unregister(module)
    }

    /// Forgets the counts so far: another process writes them.
    pub fn forget(&mut self) {
        self.modules.gather();
        self.modules.settle();
    }

    /// Fails when the file has counts for another version of a registered module.
    pub fn check(&self) -> Outcome<()> {
        if self.device.is_some() {
            return Ok(());
        }
        let _held = Lock::take(&self.lock)?;
        let (_, there) = self.read()?;
        self.modules.misfit(&there).map_or(Ok(()), |words| {
            Err(Failure::state(format_args!("{}: {words}: the counts will not be added", self.file)))
        })
    }

    /// Adds the counts since the last write to the file. When counts for another version of a module had to
    /// give way, the file is written all the same, and the failure says so.
    pub fn write(&mut self) -> Outcome<()> {
        self.modules.gather();
        let misfit = if let Some(device) = &mut self.device {
            let own = || self.modules.iter().map(|module| &module.due);
            device.pour(&mut |out| tix::write(own(), out))?;
            None
        } else {
            self.merge()?
        };
        self.modules.settle();
        misfit.map_or(Ok(()), |words| {
            Err(Failure::state(format_args!(
                "{}: {words}: it begins again there, and the file as it was is now {}",
                self.file, self.old
            )))
        })
    }

    /// Merges the due counts into the file [runtime.coverage.lock].
    fn merge(&self) -> Outcome<Option<Sentence>> {
        let _held = planted!(141, None, Some(Lock::take(&self.lock)?));
        let (bytes, mut whole) = self.read()?;
        let misfit = self.modules.add_to(&mut whole)?;
        if planted!(142, false, misfit.is_some()) {
            file::replace(&self.old, &self.temporary, &mut |out| out.write_all(&bytes))?;
        }
        file::replace(&self.file, &self.temporary, &mut |out| tix::write(whole.modules.iter(), out))?;
        Ok(misfit)
    }

    /// The bytes and contents of the file, or of an empty one.
    fn read(&self) -> Outcome<(List<u8>, Tix)> {
        match file::read(&self.file)? {
            Some(bytes) => {
                let read = tix_read::read(&bytes, &self.file).map_err(|failure| match failure.status {
                    Status::Io => Failure::new(
                        Status::Io,
                        format_args!("{}; it was left as it is: repair or remove it", failure.sentence),
                    ),
                    _ => failure,
                })?;
                Ok((bytes, read))
            }
            None => Ok((List::new(), Tix::default())),
        }
    }
}

impl Drop for Coverage {
    fn drop(&mut self) {
        self.signature = 0;
    }
}
