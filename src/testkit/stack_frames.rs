//! The frames of one stack, and the roles of its words.

use super::drafts::frames;
use super::frames::Frame;
use super::shape::Role;

/// The frames of one stack, or of a chunk.
pub(super) struct Frames {
    /// Numbers of frames, the stop frame first.
    pub list: Vec<usize>,
    /// The role of each word behind the header.
    roles: Vec<Role>,
    /// The word of the payload at which the newest frame begins.
    pub(super) top: usize,
}

impl Frames {
    pub(super) fn of(list: Vec<usize>, payload: usize) -> Frames {
        let mut roles = vec![Role::Scratch; payload];
        roles[0] = Role::Length;
        let mut top = payload;
        for &number in &list {
            let frame = &frames()[number];
            top -= frame.words();
            roles[top] = Role::Plain;
            for index in 0..frame.words() - 1 {
                roles[top + 1 + index] = frame.role(index);
            }
        }
        Frames { list, roles, top }
    }

    pub(super) fn role(&self, index: usize) -> Role {
        self.roles[index]
    }

    /// Each frame with the word where it begins, the newest first.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &'static Frame)> + '_ {
        let mut at = self.top;
        self.list.iter().rev().map(move |&number| {
            let frame = &frames()[number];
            at += frame.words();
            (at - frame.words(), frame)
        })
    }

    /// The statics that its frames mention.
    pub(super) fn statics(&self) -> impl Iterator<Item = usize> + '_ {
        self.each().flat_map(|(_, frame)| frame.statics.iter().copied())
    }
}
