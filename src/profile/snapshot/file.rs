//! A snapshot as a file: the graph is written object by object.

use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::{Info, Kind};
use crate::identity::info;
use crate::identity::names::{Names, copy};
use crate::profile::snapshot::graph::{Graph, Hold};
use crate::report::snapshot::{InfoTexts, SnapshotWriter, Sort, edge};
use std::ffi::{CStr, c_char};

pub(crate) struct ToFile<'a, 'b> {
    pub(crate) writer: &'a mut SnapshotWriter<'b>,
    /// The name of the roots to come, which is written with the first of them.
    pub(crate) root_name: *const c_char,
    /// Whether an object or a name of roots was begun and has not ended.
    pub(crate) is_open: bool,
    /// Whether roots are being told; roots that refer to nothing are not written.
    pub(crate) in_roots: bool,
}

/// The failure that stands for an error that the writer has kept.
fn unwritten() -> Failure {
    Failure::new(Status::Io, format_args!("the snapshot cannot be written"))
}

fn sort_of(info: &Info) -> Sort {
    match info.kind() {
        Some(Kind::Array | Kind::ArrayFrozen | Kind::WeakArray | Kind::Structs) => Sort::Array,
        Some(Kind::Bytes) => Sort::Bytes,
        Some(Kind::Stack | Kind::Thread) => Sort::Stack,
        Some(Kind::Weak | Kind::StableName) => Sort::Other,
        Some(Kind::Fun | Kind::FunStatic | Kind::Pap | Kind::Ap) => Sort::Code,
        Some(Kind::Thunk | Kind::Selector | Kind::ThunkStatic | Kind::Blackhole | Kind::CafBlackhole) => {
            Sort::Code
        }
        Some(
            Kind::Constr
            | Kind::MutVar
            | Kind::Bitmap
            | Kind::BitmapLarge
            | Kind::Tagged
            | Kind::Sized
            | Kind::Custom
            | Kind::Ind
            | Kind::IndPerm
            | Kind::IndOldgen
            | Kind::IndOldgenPerm
            | Kind::ConstrStatic
            | Kind::IndStatic
            | Kind::ConstrNocafStatic
            | Kind::ReturnFrame
            | Kind::UpdateFrame
            | Kind::CatchFrame
            | Kind::StopFrame,
        )
        | None => Sort::Data,
    }
}

impl Graph for ToFile<'_, '_> {
    #[inline]
    fn object(&mut self, at: Addr, words: usize, info: &Info) -> Outcome<()> {
        let number = info.number();
        if !self.writer.knows(number) {
            describe(self.writer, number, info)?;
        }
        self.writer.object(number, at.0 as u64, words as u64);
        self.is_open = true;
        Ok(())
    }

    #[inline]
    fn edge(&mut self, hold: Hold, to: Addr) {
        if !self.is_open {
            self.begin_roots();
        }
        let hold = match hold {
            Hold::Strong => edge::STRONG,
            Hold::Weak => edge::WEAK,
            Hold::Code => edge::CODE,
        };
        self.writer.edge(hold, to.0 as u64);
    }

    #[inline]
    fn nothing(&mut self) {
        if !self.in_roots {
            self.writer.skip();
        }
    }

    #[inline]
    fn end(&mut self) {
        if self.is_open {
            self.writer.end_edges();
        }
        self.is_open = false;
        self.in_roots = false;
    }

    fn roots(&mut self, name: *const c_char) {
        self.root_name = name;
        self.in_roots = true;
    }

    #[inline]
    fn check(&mut self) -> Outcome<()> {
        if self.writer.error.is_some() { Err(unwritten()) } else { Ok(()) }
    }
}

impl ToFile<'_, '_> {
    #[cold]
    fn begin_roots(&mut self) {
        let name = if self.root_name.is_null() {
            &b"unnamed roots"[..]
        } else {
            // SAFETY: names of roots are constant strings that end with NUL.
            unsafe { CStr::from_ptr(self.root_name) }.to_bytes()
        };
        self.writer.roots(name);
        self.is_open = true;
    }
}

#[cold]
fn describe(writer: &mut SnapshotWriter<'_>, number: u32, info: &Info) -> Outcome<()> {
    if number == 0 {
        return Err(Failure::no_memory(format_args!("no memory for the names in a snapshot")));
    }
    let given = info::get(number);
    let (whole, kind, type_name) = (copy(given.whole)?, copy(given.kind)?, copy(given.type_name)?);
    let (description, module) = (copy(given.description)?, copy(given.module)?);
    // The file may be a pipe whose reader waits for the names.
    let _held: Option<Names> = planted!(530, Some(crate::identity::names::names()), None);
    writer.info(
        number,
        &InfoTexts {
            sort: sort_of(info),
            whole: &whole,
            kind: &kind,
            type_name: &type_name,
            description: &description,
            module: &module,
        },
    )
}
