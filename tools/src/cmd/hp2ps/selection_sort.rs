//! The order that a selection sort leaves. It is not stable, and which of several equal bands lies on top can be
//! seen in the picture, so the order must be that very one; but the plain algorithm takes a minute for 100,000
//! bands, which is why the search for the least is a tournament here.

/// Sorts `items` by `key`, ascending: for each place in turn the first of the least that remain is exchanged
/// with what stands there. Keys must be comparable.
pub fn selection_sort<T, K: PartialOrd>(items: &mut [T], key: impl Fn(&T) -> K) {
    let count = items.len();
    let mut tournament = Tournament::new(items.iter().map(key).collect());
    for place in 0..count {
        let least = tournament.least();
        items.swap(place, least);
        tournament.exchange_and_remove(place, least);
    }
}

/// A complete binary tree: leaf `i` is entry `i`, each inner node the entry that wins among its leaves.
struct Tournament<K> {
    keys: Vec<Option<K>>,
    /// `winners[1]` is the root, `winners[leaves + i]` leaf i.
    winners: Vec<usize>,
    leaves: usize,
}

impl<K: PartialOrd> Tournament<K> {
    fn new(keys: Vec<K>) -> Tournament<K> {
        let leaves = keys.len().next_power_of_two();
        let mut keys: Vec<Option<K>> = keys.into_iter().map(Some).collect();
        keys.resize_with(leaves, || None);
        let mut tree = Tournament { keys, winners: vec![0; 2 * leaves], leaves };
        for leaf in 0..leaves {
            tree.winners[leaves + leaf] = leaf;
        }
        for node in (1..leaves).rev() {
            tree.play(node);
        }
        tree
    }

    fn least(&self) -> usize {
        self.winners[1]
    }

    /// The key at `place` moves to `least`, whose key is done with.
    fn exchange_and_remove(&mut self, place: usize, least: usize) {
        self.keys.swap(place, least);
        self.keys[place] = None;
        for leaf in [place, least] {
            let mut node = (self.leaves + leaf) / 2;
            while node > 0 {
                self.play(node);
                node /= 2;
            }
        }
    }

    /// The left entry wins unless the right one is strictly less or alone.
    fn play(&mut self, node: usize) {
        let (left, right) = (self.winners[2 * node], self.winners[2 * node + 1]);
        let right_wins = match (&self.keys[left], &self.keys[right]) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(left), Some(right)) => right < left,
        };
        self.winners[node] = if right_wins { right } else { left };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(items: &mut [(u32, usize)]) {
        for place in 0..items.len() {
            let mut least = place;
            for other in place + 1..items.len() {
                if items[other].0 < items[least].0 {
                    least = other;
                }
            }
            items.swap(place, least);
        }
    }

    #[test]
    fn same_order_as_the_plain_algorithm() {
        let mut seed = 7u32;
        for count in 0..70 {
            let items: Vec<_> = (0..count)
                .map(|number| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 29, number)
                })
                .collect();
            let (mut expected, mut found) = (items.clone(), items);
            plain(&mut expected);
            selection_sort(&mut found, |item| item.0);
            assert_eq!(found, expected);
        }
    }
}
