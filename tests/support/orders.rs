//! The memory orders that the C headers ask for, so that models are of what a C compiler is told.

use loom::sync::atomic::Ordering;

pub const INLINE: &str = include_str!("../../include/barrow/inline.h");
pub const PORTABLE: &str = include_str!("../../include/barrow/portable.h");

/// The orders of a C form: those of the first call with orders after its head.
pub fn orders_after(text: &str, head: &str) -> Vec<Ordering> {
    let (_, code) = text.split_once(head).unwrap_or_else(|| panic!("there is no {head}"));
    let (_, orders) = code.split_once("__ATOMIC_").expect("a call with orders");
    let (orders, _) = orders.split_once(')').expect("its end");
    orders.split(',').map(order_of).collect()
}

fn order_of(word: &str) -> Ordering {
    match word.trim().trim_start_matches("__ATOMIC_") {
        "RELAXED" => Ordering::Relaxed,
        "ACQUIRE" => Ordering::Acquire,
        "RELEASE" => Ordering::Release,
        "ACQ_REL" => Ordering::AcqRel,
        other => panic!("{other} is no order that the models know"),
    }
}

/// The orders in the body of an inline function, one after the other, those of macros of barrow/portable.h included.
pub fn orders_in(function: &str) -> Vec<Ordering> {
    let head = format!("{function}(");
    let is_head = |line: &&str| line.starts_with("static inline") && line.contains(&head);
    let line = INLINE.lines().find(is_head).unwrap_or_else(|| panic!("there is no {function}"));
    let (_, code) = INLINE.split_once(line).expect("the line is there");
    let (body, _) = code.split_once("\n}\n").expect("its end");
    let mut found = Vec::new();
    for word in body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        match word {
            "BARROW_LOAD_ACQUIRE" | "BARROW_STORE_RELEASE" => {
                found.extend(orders_after(PORTABLE, &format!("define {word}(")));
            }
            _ if word.starts_with("__ATOMIC_") => found.push(order_of(word)),
            _ => {}
        }
    }
    found
}
