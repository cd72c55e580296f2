//! The boxes of a module as a forest by inclusion of their positions: what draft prints and overlay searches.
//!
//! Boxes go in from the last to the first, so that "to the front" gives them back in order. A box inside several
//! overlapping nodes goes into each of them; that is the rule, and hostile positions can make it double at every
//! level, so the number of places and the depth are bounded.

use super::mix::{Mix, Span};

pub struct Node {
    pub span: Span,
    /// Box numbers, last first.
    boxes: Vec<usize>,
    /// Node numbers, last first. While the forest grows, they are in the order of their places, and the last is the one that begins
    /// first: mostly a new box is there. None contains another, so that this is the order of their ends, too.
    children: Vec<usize>,
}

pub struct Forest {
    nodes: Vec<Node>,
}

/// The virtual node above all trees; its span and boxes mean nothing.
const TOP: usize = 0;

/// Real programs nest some tens deep.
const DEEPEST: usize = 1000;

/// Places beyond one for each box, before the positions are called nonsense.
const SPARE_PLACES: usize = 1 << 20;

#[derive(Debug, PartialEq, Eq)]
pub struct TooTangled;

impl Forest {
    pub fn of(mix: &Mix) -> Result<Forest, TooTangled> {
        let everything = Span {
            start: super::mix::Position { line: 0, column: 0 },
            end: super::mix::Position { line: u32::MAX, column: u32::MAX },
        };
        let mut forest =
            Forest { nodes: vec![Node { span: everything, boxes: Vec::new(), children: Vec::new() }] };
        let mut spare = mix.boxes.len() + SPARE_PLACES;
        for (number, mix_box) in mix.boxes.iter().enumerate().rev() {
            forest.insert(number, mix_box.span, &mut spare)?;
        }
        forest.check_depth()?;
        // A node is younger than the siblings whose boxes come later.
        forest.nodes.iter_mut().for_each(|node| node.children.sort_unstable());
        Ok(forest)
    }

    fn insert(&mut self, number: usize, span: Span, spare: &mut usize) -> Result<(), TooTangled> {
        let mut parents = vec![TOP];
        while let Some(parent) = parents.pop() {
            *spare = spare.checked_sub(1).ok_or(TooTangled)?;
            if parent != TOP && self.nodes[parent].span == span {
                self.nodes[parent].boxes.push(number);
                continue;
            }
            let children = &self.nodes[parent].children;
            // Of siblings, the ones around a span stand together, and so do the ones inside.
            let span_of = |child: &usize| &self.nodes[*child].span;
            let around = children.partition_point(|child| span_of(child).start > span.start)
                ..children.partition_point(|child| span_of(child).end >= span.end);
            if !around.is_empty() {
                parents.extend_from_slice(&children[around]);
                continue;
            }
            let inside = children.partition_point(|child| span_of(child).end > span.end)
                ..children.partition_point(|child| span_of(child).start >= span.start);
            let node = self.nodes.len();
            let (at, siblings) = (inside.start, &mut self.nodes[parent].children);
            let children = siblings.drain(inside).collect();
            siblings.insert(at, node);
            self.nodes.push(Node { span, boxes: vec![number], children });
        }
        Ok(())
    }

    /// Those who walk the forest may recurse, since it is no deeper than this allows.
    fn check_depth(&self) -> Result<(), TooTangled> {
        let mut level = vec![TOP];
        for _ in 0..=DEEPEST {
            level = level.iter().flat_map(|&node| self.nodes[node].children.iter().copied()).collect();
            if level.is_empty() {
                return Ok(());
            }
        }
        Err(TooTangled)
    }

    pub fn roots(&self) -> impl Iterator<Item = &Node> {
        self.children(&self.nodes[TOP])
    }

    pub fn children<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Node> {
        node.children.iter().rev().map(|&child| &self.nodes[child])
    }
}

impl Node {
    pub fn boxes(&self) -> impl Iterator<Item = usize> {
        self.boxes.iter().rev().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::mix::{Label, MixBox, Position};

    fn mix(spans: &[(u32, u32)]) -> Mix {
        let at = |column| Position { line: 1, column };
        let label = Label::Expression { alternative: false };
        let boxes = spans
            .iter()
            .map(|&(start, end)| MixBox {
                span: Span { start: at(start), end: at(end) },
                label: label.clone(),
            })
            .collect();
        Mix { source: String::new(), hash: 0, tab_width: 8, boxes }
    }

    #[test]
    fn inner_boxes_hang_below_outer_ones_of() {
        let forest = Forest::of(&mix(&[(1, 1), (3, 3), (1, 3), (1, 3), (5, 9)])).expect("a plain tree");
        let roots: Vec<&Node> = forest.roots().collect();
        assert_eq!(roots.len(), 2);
        assert_eq!(roots[0].boxes().collect::<Vec<_>>(), [2, 3]);
        let below: Vec<usize> = forest.children(roots[0]).flat_map(Node::boxes).collect();
        assert_eq!(below, [0, 1]);
    }

    #[test]
    fn hostile_overlaps_and_depths_are_refused_in_bounded_memory() {
        // Each level has two overlapping spans around all that come before.
        let levels = 60;
        let overlapping: Vec<(u32, u32)> =
            (0..levels).flat_map(|n| [(100 - n, 200 + 2 * n), (99 - n, 199 + 2 * n)]).collect();
        assert_eq!(Forest::of(&mix(&overlapping)).err(), Some(TooTangled));
        let deep: Vec<(u32, u32)> = (0..5000).map(|n| (n, 20_000 - n)).collect();
        assert_eq!(Forest::of(&mix(&deep)).err(), Some(TooTangled));
    }

    /// The rule, box by box, with a look at each sibling.
    fn plainly(tree: &mut Vec<(Span, Vec<usize>, Vec<usize>)>, number: usize, span: Span) {
        let mut parents = vec![TOP];
        while let Some(parent) = parents.pop() {
            if parent != TOP && tree[parent].0 == span {
                tree[parent].1.push(number);
                continue;
            }
            let children = tree[parent].2.clone();
            let around = children.iter().copied().filter(|&child| tree[child].0.contains(&span));
            let before = parents.len();
            parents.extend(around);
            if parents.len() == before {
                let (inside, mut beside): (Vec<_>, Vec<_>) =
                    children.into_iter().partition(|&child| span.contains(&tree[child].0));
                beside.push(tree.len());
                tree[parent].2 = beside;
                tree.push((span, vec![number], inside));
            }
        }
    }

    #[test]
    fn as_a_look_at_each_sibling_finds() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as u32
        };
        for case in 0..500 {
            let wide = if case % 2 == 0 { 12 } else { 60 };
            let spans: Vec<(u32, u32)> = (0..random(30) + 1).map(|_| (random(wide), random(wide))).collect();
            let mix = mix(&spans);
            let forest = Forest::of(&mix).expect("small");
            let mut tree = vec![(forest.nodes[TOP].span, Vec::new(), Vec::new())];
            for (number, mix_box) in mix.boxes.iter().enumerate().rev() {
                plainly(&mut tree, number, mix_box.span);
            }
            let shape = |boxes: &dyn Fn(usize) -> Vec<usize>, children: &dyn Fn(usize) -> Vec<usize>| {
                let (mut shape, mut open) = (Vec::new(), vec![(0, TOP)]);
                while let Some((depth, node)) = open.pop() {
                    shape.push((depth, boxes(node)));
                    open.extend(children(node).into_iter().map(|child| (depth + 1, child)));
                }
                shape
            };
            let ours =
                shape(&|node| forest.nodes[node].boxes.clone(), &|node| forest.nodes[node].children.clone());
            assert_eq!(ours, shape(&|node| tree[node].1.clone(), &|node| tree[node].2.clone()), "{spans:?}");
        }
    }
}
