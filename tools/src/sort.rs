//! Sorting where size of code matters more than time: rows of tables and reports.
//!
//! The standard library's sort is some five kilobytes for each type and each order that it is used with. Here places are sorted,
//! by one comparison for all types, and then the items are put into their places. Equal items keep their order.

use std::cmp::Ordering;

pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let places = sorted(items.len(), &|one, other| compare(&items[one], &items[other]));
    arrange(items, places);
}

/// The key is worked out at each comparison.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// The place where the item is that belongs at each place.
#[inline(never)]
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&one, &other| compare(one, other));
    places
}

/// Goes round each cycle of items that change their places.
fn arrange<T>(items: &mut [T], mut places: Vec<usize>) {
    for start in 0..items.len() {
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut places[to], to);
            if from == start {
                break;
            }
            items.swap(to, from);
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut state = 9u64;
        for count in [0, 1, 2, 3, 7, 50, 1000] {
            let items: Vec<(u64, usize)> = (0..count)
                .map(|at| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 60, at)
                })
                .collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            by_key(&mut ours, |&(key, _)| std::cmp::Reverse(key));
            theirs.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(ours, theirs, "{count}");
            by(&mut ours, |one, other| one.cmp(other));
            theirs.sort();
            assert_eq!(ours, theirs, "{count}");
        }
    }
}
