//! Snapshots: everything is collected, and the whole graph goes to a file, which is replaced as a whole or
//! not at all.

use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::host::Host;
use crate::identity::ccs::Special;
use crate::os::file::Target;
use crate::profile::snapshot::file::ToFile;
use crate::profile::snapshot::graph::tell;
use crate::report::snapshot::SnapshotWriter;
use crate::runtime::collect::Reason;
use std::io;

impl Host {
    /// Collects everything and writes the live objects, and the roots and fields that refer to them, into
    /// a file.
    pub(crate) fn write_snapshot(&mut self, mutator: *mut Mutator, name: &[u8]) -> Outcome<()> {
        self.refuse_while_busy()?;
        if name.is_empty() {
            return Err(Failure::argument(format_args!("the name of the snapshot is empty")));
        }
        // The file is tried before the collection, which may take long.
        let mut target = Target::tried(name)?;
        self.collect_for(mutator, Reason::Whole)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let mutator = unsafe { &mut *mutator };
        self.booking_time_to(Special::Overhead, |runtime| runtime.write_graph(mutator, &mut target))
    }

    fn write_graph(&mut self, mutator: &mut Mutator, target: &mut Target) -> Outcome<()> {
        let mut none = None;
        let mut get_roots = self.hooks.roots_of_stop(mutator, &mut none);
        // The client's functions are called now, which must leave the heap alone.
        self.busy.set(true);
        let store = &mut self.store;
        let mut refused = None;
        let written = target.write(&mut |out| {
            let told = SnapshotWriter::begin(out).and_then(|mut writer| {
                let mut graph = ToFile {
                    writer: &mut writer,
                    root_name: std::ptr::null(),
                    is_open: false,
                    in_roots: false,
                };
                let told = tell(store, mutator, &mut get_roots, &mut graph);
                // The writer's own error is nearer to the cause.
                let error = writer.error.take();
                match (told, error) {
                    (_, Some(error)) => Ok(Err(error)),
                    (Err(failure), None) => Err(failure),
                    (Ok(()), None) => Ok(writer.end().map(drop)),
                }
            });
            told.unwrap_or_else(|failure| {
                refused = Some(failure);
                Err(io::ErrorKind::InvalidData.into())
            })
        });
        self.busy.set(false);
        match refused {
            Some(failure) => Err(failure),
            None => written,
        }
    }
}
