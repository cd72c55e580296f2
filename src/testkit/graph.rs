//! The objects that the heap should hold: a plain graph, in which nothing ever moves.

use super::biography::Life;
use super::kinds::{Role, Shape, shapes};
use super::stack_frames::Frames;
pub(super) use super::word::Word;

pub(super) struct Node {
    pub shape: usize,
    /// The words behind the header, cards excepted.
    pub words: Vec<Word>,
    /// The object's address when last compared.
    pub at: usize,
    /// Whether the object is large or pinned, and must stay there.
    pub fixed: bool,
    /// Whether it was recorded as mutable, and is of a mutable kind ever since.
    pub recorded: bool,
    pub seen: u32,
    /// The identity hash, if it was asked for; else 0.
    pub number: u64,
    /// The number in the side tables; 0 for none.
    pub stamp: u32,
    /// The biography in the references' way, while one is taken.
    pub life: Option<Life>,
    pub frames: Option<Box<Frames>>,
    /// The number of a static.
    pub static_number: Option<usize>,
    /// The stable name, which may live in the heap though the graph has forgotten it.
    pub name: Name,
    /// The facts of a weak pointer besides its words.
    pub(super) weak: Option<WeakFacts>,
}

/// A weak pointer that is not dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WeakFacts {
    /// The data, by which it is found in the lists of the heap; never given twice.
    pub id: usize,
    pub has_function: bool,
}

/// The state of an object's stable name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    None,
    /// The node of the name.
    Is(u32),
    /// Nothing reaches the name, and no full collection has run since.
    Lost,
}

impl Node {
    pub(super) fn new(shape: usize, words: Vec<Word>, at: usize, fixed: bool) -> Node {
        Node {
            shape,
            words,
            at,
            fixed,
            recorded: false,
            seen: 0,
            number: 0,
            stamp: 0,
            life: None,
            frames: None,
            static_number: None,
            name: Name::None,
            weak: None,
        }
    }

    pub(super) fn role(&self, index: usize) -> Role {
        match &self.frames {
            Some(frames) => frames.role(index),
            None => self.shape().role(index),
        }
    }

    pub(super) fn shape(&self) -> &'static Shape {
        &shapes()[self.shape]
    }

    pub(super) fn length(&self) -> usize {
        self.shape().length(&self.words)
    }
}

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Option<Node>>,
    free: Vec<u32>,
    /// Nodes that were alive when last compared, and those made since.
    pub known: Vec<u32>,
}

impl Graph {
    pub(super) fn add(&mut self, node: Node) -> u32 {
        let number = match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = Some(node);
                number
            }
            None => {
                self.nodes.push(Some(node));
                (self.nodes.len() - 1) as u32
            }
        };
        self.known.push(number);
        number
    }

    /// A node that `known` or a word of the graph names.
    pub(super) fn node(&self, number: u32) -> &Node {
        self.nodes[number as usize].as_ref().expect("only dead nodes are dropped")
    }

    pub(super) fn node_mut(&mut self, number: u32) -> &mut Node {
        self.nodes[number as usize].as_mut().expect("only dead nodes are dropped")
    }

    /// Forgets the nodes that the comparison of this number has not seen.
    pub(super) fn drop_unseen(&mut self, seen: u32, mut dropped: impl FnMut(Node)) {
        let (nodes, free) = (&mut self.nodes, &mut self.free);
        self.known.retain(|&number| {
            let lives = nodes[number as usize].as_ref().is_some_and(|node| node.seen == seen);
            if !lives {
                nodes[number as usize].take().into_iter().for_each(&mut dropped);
                free.push(number);
            }
            lives
        });
    }

    pub(super) fn pick(&self, any: usize) -> Option<u32> {
        if self.known.is_empty() { None } else { Some(self.known[any % self.known.len()]) }
    }
}
