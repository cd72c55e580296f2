//! Events that random programs have to try besides writing to every kind: stacks, statics, names.

use super::frames;

macro_rules! events {
    ($($name:ident),*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Event {
            $($name),*
        }

        const ALL: &[Event] = &[$(Event::$name),*];
    };
}

events!(
    StackMade,
    StackEntered,
    StackLeft,
    StackGrown,
    SpareUsed,
    StackUnderflown,
    ThreadEntered,
    ThreadLeft,
    LazilyBlackholed,
    Squeezed,
    SqueezedBelow,
    StaticWritten,
    CafEntered,
    CafDied,
    KeptCafEntered,
    CafReverted,
    NameMade,
    NameDied,
    ElementDied,
    ElementDiedInMinor,
    LateElementDied,
    LateElementKept,
    WeakFoundLate,
    FinalizerActed,
    RedexAnswered,
    CallRefused,
    NeighbourCollected,
    NativeFramePushed,
    NativeFramePopped,
    NativeStackParted
);

pub(super) const COUNT: usize = ALL.len() + frames::COUNT;

/// Counts of each event, and of each sort of frame that was pushed.
pub(super) type Counts = [u64; COUNT];

pub(super) fn frame(number: usize) -> usize {
    ALL.len() + number
}

/// The name of an event; none for a frame of a sort that is never pushed.
pub(super) fn name(index: usize) -> Option<String> {
    match ALL.get(index) {
        Some(event) => Some(format!("{event:?}")),
        None => {
            let number = index - ALL.len();
            (number >= frames::PUSHED).then(|| format!("frame pushed: {}", frames::name(number)))
        }
    }
}
