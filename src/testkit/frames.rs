//! Frames that programs push on stacks: every kind, with bitmaps small and large, tagged words, and tables of statics.

use super::draft::{Draft, draft, make_info};
use super::shape::Role;
use crate::base::Addr;
use crate::heap::object::info::*;
use crate::heap::object::own;

pub(super) struct Frame {
    pub info: &'static Info,
    pub kind: Kind,
    roles: Vec<Role>,
    pub statics: &'static [usize],
}

impl Frame {
    pub(super) fn words(&self) -> usize {
        1 + self.roles.len()
    }

    /// The role of a word behind the frame's header.
    pub(super) fn role(&self, index: usize) -> Role {
        self.roles[index]
    }

    pub(super) fn is_update(&self) -> bool {
        self.kind == Kind::UpdateFrame
    }
}

const DRAFTS: &[Draft] = &[
    draft(c"own stop", Kind::StopFrame, 0, 2, 1),
    draft(c"return", Kind::ReturnFrame, 0, 3, 1).bits(&[0b1011]),
    draft(c"large return", Kind::ReturnFrame, 0, 66, 4).bits(&[0xffff_0000_ffff_1248, 0b101101]),
    draft(c"tagged return", Kind::ReturnFrame, FLAG_TAIL_TAGGED, 2, 2).bits(&[0b0110]),
    draft(c"return with statics", Kind::ReturnFrame, 0, 1, 0).bits(&[1]).statics(&[1, 4]),
    draft(c"update", Kind::UpdateFrame, 0, 1, 0),
    draft(c"update and more", Kind::UpdateFrame, 0, 2, 1),
    draft(c"catch", Kind::CatchFrame, 0, 2, 1),
    draft(c"tagged catch", Kind::CatchFrame, FLAG_TAIL_TAGGED, 3, 0),
];

/// The library's stop frame.
pub(super) const STOP: usize = 0;
/// The client's stop frame.
pub(super) const OWN_STOP: usize = 1;
/// The first frame that can be pushed.
pub(super) const PUSHED: usize = 2;

pub(super) const COUNT: usize = DRAFTS.len() + 1;

/// The name of a frame in a table.
pub(super) fn name(frame: usize) -> &'static str {
    ["stop", "own stop", "return", "large", "tagged", "statics", "update", "update+", "catch", "tagged catch"]
        [frame]
}

pub(super) fn make_frames() -> Vec<Frame> {
    // SAFETY: the library's tables live for ever.
    let stop = unsafe { &*own::STOP.address().as_ptr::<Info>() };
    let library = Frame { info: stop, kind: Kind::StopFrame, roles: vec![Role::Stack], statics: &[] };
    std::iter::once(library).chain(DRAFTS.iter().map(make)).collect()
}

fn make(draft: &Draft) -> Frame {
    let info = make_info(draft);
    let tagged = info.flags & FLAG_TAIL_TAGGED != 0;
    let count = (info.ptrs + info.words) as usize;
    let role = |index: usize| match draft.kind {
        Kind::ReturnFrame if !draft.has_bit(index) => Role::Plain,
        Kind::ReturnFrame if tagged => Role::Tagged,
        Kind::ReturnFrame => Role::Pointer,
        _ if index >= info.ptrs as usize => Role::Plain,
        Kind::StopFrame if index == 0 => Role::Stack,
        Kind::UpdateFrame if index == 0 => Role::Lazy,
        _ if tagged && index > 0 => Role::Tagged,
        _ => Role::Pointer,
    };
    Frame { info, kind: draft.kind, roles: (0..count).map(role).collect(), statics: draft.statics }
}

impl Frame {
    /// The first word of such a frame.
    pub(super) fn header(&self) -> usize {
        Addr(&raw const *self.info as usize).0
    }
}
