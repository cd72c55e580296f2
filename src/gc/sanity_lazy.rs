//! The sanity walk's checks of objects of lazy kinds besides their pointers.

use super::selector::has_field;
use crate::base::{Addr, Failure};
use crate::heap::Store;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy::Application;
use crate::heap::object::model::{HEADER_BITS, info_of};

/// The most indirections that are followed: loops are not for this walk to find.
const MOST_FOLLOWED: usize = 1000;

/// The problem of an object whose table is good, if it has one. `is_object` tells where objects begin.
///
/// # Safety
/// The object lies in the heap, and has the words that its table says.
pub(super) unsafe fn check(
    store: &Store,
    object: Addr,
    info: &Info,
    is_object: &dyn Fn(Addr) -> bool,
) -> Option<Failure> {
    let complain = |what: std::fmt::Arguments<'_>| {
        Some(Failure::damaged(format_args!("the object at {object} ({}) {what}", info.name())))
    };
    let known = |word: usize| {
        let at = Addr(word & !HEADER_BITS);
        !at.is_null() && is_object(at)
    };
    if info.is_in(Kinds::STATIC) {
        return complain(format_args!(
            "is of kind {}, which is for static objects, and lies in the heap",
            info.kind
        ));
    }
    if let Some(kind @ (Kind::Pap | Kind::Ap)) = info.kind() {
        let application = Application::of(object, kind);
        // SAFETY: an application has these words.
        let function = unsafe { application.function().load() };
        if function & !HEADER_BITS == 0 || (store.holds(Addr(function)) && !known(function)) {
            return complain(format_args!("applies {function:#x}, where no object begins"));
        }
        // SAFETY: the function is an object of the heap, or the client's static one.
        return unsafe { application.check() }.and_then(|problem| complain(format_args!("{problem}")));
    }
    if !info.is(Kind::Selector) {
        return None;
    }
    // SAFETY: a selector has a selectee.
    let mut word = unsafe { object.plus_words(2).load() };
    for _ in 0..MOST_FOLLOWED {
        if !known(word) {
            return None;
        }
        let at = Addr(word & !HEADER_BITS);
        // SAFETY: an object begins there.
        let from = info_of(unsafe { at.load() });
        if from.is_in(Kinds::INDIRECTION) {
            // SAFETY: an indirection has its value in word 1.
            word = unsafe { at.plus_words(1).load() };
            continue;
        }
        let is_constructor = from.is(Kind::Constr) || from.is(Kind::Bitmap);
        if is_constructor && !has_field(from, info.field as usize) {
            return complain(format_args!(
                "selects field {} of the object at {at} ({}), which has no pointer there",
                info.field,
                from.name()
            ));
        }
        return None;
    }
    None
}
