//! Arithmetic on `.tix` files: sum, combine, map.

use super::count::Count;
use super::tix::{Tix, TixModule};
use std::collections::BTreeMap;

/// Two files' modules of one name do not belong together.
#[derive(Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub module: String,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Add,
    /// What only the second has.
    Difference,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    Identity,
    Invert,
    Zero,
}

/// By the names that options give them, in any case of letters.
pub fn join_named(name: &str) -> Option<Join> {
    match name.to_uppercase().as_str() {
        "ADD" => Some(Join::Add),
        "DIFF" => Some(Join::Difference),
        "SUB" => Some(Join::Subtract),
        _ => None,
    }
}

pub fn map_named(name: &str) -> Option<Map> {
    match name.to_uppercase().as_str() {
        "ID" => Some(Map::Identity),
        "INV" => Some(Map::Invert),
        "ZERO" => Some(Map::Zero),
        _ => None,
    }
}

impl Join {
    fn apply(self, a: &Count, b: &Count) -> Count {
        match self {
            Join::Add => a.plus(b),
            Join::Subtract => a.minus(b).max(Count::ZERO),
            Join::Difference if a.is_positive() => Count::ZERO,
            Join::Difference => b.clone().min(Count::ONE),
        }
    }
}

impl Map {
    pub fn apply(self, tix: &mut Tix) {
        for count in tix.modules.iter_mut().flat_map(|module| &mut module.ticks) {
            match self {
                Map::Identity => {}
                Map::Zero => *count = Count::ZERO,
                Map::Invert => *count = if count.is_zero() { Count::ONE } else { Count::ZERO },
            }
        }
    }
}

/// The modules of both, sorted by name; with `union` also those of one alone, kept as they are.
pub fn join(first: Tix, second: Tix, function: Join, union: bool) -> Result<Tix, Mismatch> {
    let mut firsts = by_name(first)?;
    let mut joined = BTreeMap::new();
    for (name, right) in by_name(second)? {
        match firsts.remove(&name) {
            Some(left) => {
                let module = join_module(left, &right, function)?;
                joined.insert(name, module);
            }
            None if union => {
                joined.insert(name, right);
            }
            None => {}
        }
    }
    if union {
        joined.extend(firsts);
    }
    Ok(Tix { modules: joined.into_values().collect() })
}

/// A file may list a module twice; the last one counts.
fn by_name(tix: Tix) -> Result<BTreeMap<String, TixModule>, Mismatch> {
    Ok(tix.modules.into_iter().map(|module| (module.name.clone(), module)).collect())
}

fn join_module(mut left: TixModule, right: &TixModule, function: Join) -> Result<TixModule, Mismatch> {
    let why = if left.hash != right.hash {
        Some(format!("hash {} and {}", left.hash, right.hash))
    } else if left.claimed != right.claimed {
        Some(format!("{} boxes and {}", left.claimed, right.claimed))
    } else if left.ticks.len() != right.ticks.len() {
        Some(format!("{} counts and {}", left.ticks.len(), right.ticks.len()))
    } else {
        None
    };
    if let Some(why) = why {
        return Err(Mismatch { module: left.name, why });
    }
    for (a, b) in left.ticks.iter_mut().zip(&right.ticks) {
        *a = function.apply(a, b);
    }
    Ok(left)
}
