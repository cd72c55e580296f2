//! Sorting where size of code matters more than time: reports, symbols, checks.
//!
//! The standard library's sort is two to six kilobytes for each type and each order that it is used with. This one is a
//! heapsort behind two calls, which all types share. It takes some ten times as long, allocates nothing and is not stable.

/// The two things that a sort does with items.
trait Items {
    fn is_less(&self, one: usize, other: usize) -> bool;
    fn swap(&mut self, one: usize, other: usize);
}

struct Slice<'a, T, F>(&'a mut [T], F);

impl<T, F: Fn(&T, &T) -> bool> Items for Slice<'_, T, F> {
    fn is_less(&self, one: usize, other: usize) -> bool {
        (self.1)(&self.0[one], &self.0[other])
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }
}

/// Sorts by a comparison that says whether the first item comes before the second.
pub(crate) fn sort_by<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    let count = items.len();
    heapsort(&mut Slice(items, is_less), count);
}

/// Sorts by a key that is worked out at each comparison.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one) < key(other));
}

pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, |one, other| one < other);
}

fn heapsort(items: &mut dyn Items, count: usize) {
    for root in (0..count / 2).rev() {
        sink(items, root, count);
    }
    for last in (1..count).rev() {
        items.swap(0, last);
        sink(items, 0, last);
    }
}

/// Lets an item sink until no child comes behind it.
fn sink(items: &mut dyn Items, mut at: usize, count: usize) {
    loop {
        let mut child = 2 * at + 1;
        if child >= count {
            return;
        }
        if child + 1 < count && items.is_less(child, child + 1) {
            child += 1;
        }
        if !items.is_less(at, child) {
            return;
        }
        items.swap(at, child);
        at = child;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut state = 7u64;
        for count in (0..40).chain([1000, 4097]) {
            let mut items: Vec<(u64, usize)> = (0..count)
                .map(|at| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 60, at)
                })
                .collect();
            let mut wanted = items.clone();
            wanted.sort_unstable();
            sort(&mut items);
            assert_eq!(items, wanted);
            wanted.reverse();
            sort_by(&mut items, |one, other| other < one);
            assert_eq!(items, wanted);
            wanted.sort_unstable_by_key(|item| item.1);
            sort_by_key(&mut items, |item| item.1);
            assert_eq!(items, wanted);
        }
    }
}
