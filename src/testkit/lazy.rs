//! Lazy kinds in the model. Indirections, selectors of evaluated objects, and redexes whose client knows what they are worth, are
//! transparent: model and heap are
//! compared after both have been followed to their ends, each by itself. After a full collection none may be left.

use super::coverage::Barrier;
use super::draft::can_be_replaced;
use super::graph::Word;
use super::kinds::{Role, Shape, shape_at, shape_of, shapes};
use super::machine::{Machine, Step, done};
use super::memo::Memo;
use super::random::Random;
use super::twin;
use crate::base::Addr;
use crate::ffi::lazy::{barrow_blackhole_slow, barrow_update_permanent};
use crate::heap::Kind;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::HEADER_BITS;
use crate::heap::space::generation::Code;
use std::collections::HashSet;
use std::ffi::c_void;

/// The classes of objects, as far as they matter here.
enum Class<W> {
    Indirection(W),
    /// A permanent indirection: pointers to it stay, but selectors look through it.
    Permanent(W),
    Selector {
        from: W,
        field: usize,
    },
    LazyPair,
    Other,
}

/// Either side: the model, where objects are nodes, or the heap, where they are addresses.
trait Side {
    type Word: Copy;
    fn object(&self, word: Self::Word) -> Option<usize>;
    fn class(&self, object: usize) -> Class<Self::Word>;
    fn field(&self, object: usize, field: usize) -> Self::Word;
}

/// Follows transparent objects. No program makes a ring of them (`closes_a_ring`).
fn end<S: Side>(side: &S, word: S::Word, memo: &mut Memo<S::Word>) -> S::Word {
    let mut word = word;
    while let Some(next) = next(side, word, memo) {
        word = next;
    }
    word
}

/// The word that a word stands for, when it leads to a transparent object.
fn next<S: Side>(side: &S, word: S::Word, memo: &mut Memo<S::Word>) -> Option<S::Word> {
    let object = side.object(word)?;
    match side.class(object) {
        Class::Indirection(value) => Some(value),
        Class::Selector { .. } => field(side, object, memo),
        _ => None,
    }
}

/// The field that a selector is worth; `None` when it waits for something. A selector that needs itself to be
/// evaluated waits for ever, as do all that need it.
fn field<S: Side>(side: &S, selector: usize, memo: &mut Memo<S::Word>) -> Option<S::Word> {
    if let Some(known) = memo.fields.get(&selector) {
        return *known;
    }
    let Class::Selector { from, field } = side.class(selector) else { return None };
    if !memo.path.insert(selector) {
        return None;
    }
    let mut from = end(side, from, memo);
    let mut found = None;
    let mut passed = Vec::new();
    while let Some(object) = side.object(from) {
        match side.class(object) {
            // Nothing can be selected from a ring.
            Class::Permanent(_) if passed.contains(&object) => break,
            Class::Permanent(value) => {
                passed.push(object);
                from = end(side, value, memo);
                continue;
            }
            Class::LazyPair => found = Some(side.field(object, field)),
            _ => {}
        }
        break;
    }
    memo.path.remove(&selector);
    memo.fields.insert(selector, found);
    found
}

struct Model<'a>(&'a super::graph::Graph);

impl Side for Model<'_> {
    type Word = Word;

    fn object(&self, word: Word) -> Option<usize> {
        match word {
            Word::Ref { node, .. } => Some(node as usize),
            _ => None,
        }
    }

    fn class(&self, object: usize) -> Class<Word> {
        let node = self.0.node(object as u32);
        match node.shape().kind {
            Kind::Ind | Kind::IndOldgen => Class::Indirection(node.words[0]),
            Kind::IndPerm | Kind::IndOldgenPerm | Kind::IndStatic => Class::Permanent(node.words[0]),
            Kind::Selector => Class::Selector { from: node.words[1], field: node.shape().selected() },
            Kind::Constr if node.shape().is_lazy_pair() => Class::LazyPair,
            Kind::Constr if node.shape().is_redex() => match (node.words[0], node.words[1]) {
                (Word::Raw(bits), _) if bits & !HEADER_BITS == 0 => Class::Other,
                (value, Word::Raw(how)) if can_be_replaced(how) => Class::Indirection(value),
                _ => Class::Other,
            },
            _ => Class::Other,
        }
    }

    fn field(&self, object: usize, field: usize) -> Word {
        self.0.node(object as u32).words[field]
    }
}

struct Heap<'a>(&'a crate::heap::Store);

impl Heap<'_> {
    fn word(&self, object: usize, index: usize) -> usize {
        // SAFETY: `object` found a well-formed object of the heap, which has this word.
        unsafe { Addr(object).plus_words(index).load() }
    }

    fn shape(&self, object: usize) -> Option<&'static Shape> {
        shape_at(self.word(object, 0) & !HEADER_BITS)
    }
}

impl Side for Heap<'_> {
    type Word = usize;

    fn object(&self, word: usize) -> Option<usize> {
        let at = word & !HEADER_BITS;
        let known = self.0.codes.at(at) != 0 || self.0.statics.has(Addr(at));
        (known && self.word(at, 0) > HEADER_BITS).then_some(at)
    }

    fn class(&self, object: usize) -> Class<usize> {
        let Some(shape) = self.shape(object) else { return Class::Other };
        match shape.kind {
            Kind::Ind | Kind::IndOldgen => Class::Indirection(self.word(object, 1)),
            Kind::IndPerm | Kind::IndOldgenPerm | Kind::IndStatic => Class::Permanent(self.word(object, 1)),
            Kind::Selector => Class::Selector { from: self.word(object, 2), field: shape.selected() },
            Kind::Constr if shape.is_lazy_pair() => Class::LazyPair,
            Kind::Constr if shape.is_redex() => {
                let replaced =
                    self.word(object, 1) & !HEADER_BITS != 0 && can_be_replaced(self.word(object, 2));
                if replaced { Class::Indirection(self.word(object, 1)) } else { Class::Other }
            }
            _ => Class::Other,
        }
    }

    fn field(&self, object: usize, field: usize) -> usize {
        self.word(object, 1 + field)
    }
}

impl Machine<'_> {
    /// Blackholes or updates a thunk.
    pub(super) fn evaluate(&mut self, object: u16, how: u8, random: &mut Random) -> Step {
        let known = &self.graph.known;
        let start = if known.is_empty() { 0 } else { object as usize % known.len() };
        let found = known[start..].iter().chain(&known[..start]).copied().find(|&number| {
            let shape = self.graph.node(number).shape();
            shape.is_updatable() && shape.kind != Kind::Selector
        });
        let Some(number) = found else { return Ok(()) };
        let (kind, at) = (self.graph.node(number).shape().kind, self.graph.node(number).at);
        let thunk = at as *mut c_void;
        let old = Code(self.runtime().store.codes.at(at)).generation() > 0;
        let (shape, word) = if how.is_multiple_of(4) {
            if !matches!(kind, Kind::Thunk | Kind::Ap) {
                return Ok(());
            }
            // SAFETY: a live thunk, and the mutator is ours: so for every call here.
            let status = unsafe {
                if random.one_in(4) {
                    barrow_blackhole_slow(self.m, thunk)
                } else {
                    twin::blackhole(self.m, thunk)
                }
            };
            self.covered(number, Barrier::Blackhole);
            done(status, "blackhole")?;
            (Kind::Blackhole, Word::NULL)
        } else {
            let value = self.any_lazy(random);
            let becomes = if how % 4 == 3 { Kind::IndPerm } else { Kind::Ind };
            // An object under an update frame before a collection is a thunk, or has a value that no other frame
            // has, since only collections tell which indirections lead to the same.
            if self.is_under_update_frame(number) && !self.is_evaluated_once(value) {
                return Ok(());
            }
            if self.leads_to(value, number) || self.closes_a_ring(number, becomes, value) {
                return Ok(());
            }
            let bits = self.word(value, Role::Pointer, 0) as *mut c_void;
            self.covered(number, if how % 4 == 3 { Barrier::UpdatePermanent } else { Barrier::Update });
            if how % 4 == 3 {
                // SAFETY: as above.
                done(unsafe { barrow_update_permanent(self.m, thunk, bits) }, "update_permanent")?;
                (if old { Kind::IndOldgenPerm } else { Kind::IndPerm }, value)
            } else {
                // SAFETY: as above.
                done(unsafe { twin::update(self.m, thunk, bits) }, "update")?;
                (if old { Kind::IndOldgen } else { Kind::Ind }, value)
            }
        };
        let node = self.graph.node_mut(number);
        node.shape = shape_of(shape);
        node.words = vec![word];
        node.recorded = false;
        self.stamp_changed(number)
    }

    fn is_evaluated_once(&self, value: Word) -> bool {
        let Word::Ref { node, .. } = value else { return false };
        let shape = self.graph.node(node).shape();
        let evaluated = shape.is_lazy_pair() || matches!(shape.kind, Kind::Fun | Kind::FunStatic | Kind::Pap);
        evaluated && !self.is_under_update_frame(node)
    }

    /// Whether indirections of any sort lead from a word to a node: it must not become one of them.
    fn leads_to(&self, word: Word, number: u32) -> bool {
        let mut word = word;
        // Permanent indirections may lead round in a ring.
        let mut passed = HashSet::new();
        while let Word::Ref { node, .. } = word {
            if node == number {
                return true;
            }
            if !passed.insert(node) {
                return false;
            }
            let shape = self.graph.node(node).shape();
            if !shape.kind.is_in(Kinds::INDIRECTION) && shape.kind != Kind::IndStatic {
                return false;
            }
            word = self.graph.node(node).words[0];
        }
        false
    }

    /// Whether an object would only stand for itself if a thunk got this value. Collections leave such objects as
    /// they are, or let one stand for all, depending on what they collect.
    fn closes_a_ring(&mut self, number: u32, becomes: Kind, value: Word) -> bool {
        let node = self.graph.node_mut(number);
        let shape = std::mem::replace(&mut node.shape, shape_of(becomes));
        let words = std::mem::replace(&mut node.words, vec![value]);
        let side = Model(&self.graph);
        let mut memo = Memo::default();
        let mut ends = HashSet::new();
        let closes = self.graph.known.iter().any(|&start| {
            let mut passed = vec![start];
            let mut word = Word::Ref { node: start, tag: 0 };
            while let Some(Word::Ref { node, tag }) = next(&side, word, &mut memo) {
                if passed.contains(&node) {
                    return true;
                }
                if ends.contains(&node) {
                    break;
                }
                passed.push(node);
                word = Word::Ref { node, tag };
            }
            ends.extend(passed);
            false
        });
        let node = self.graph.node_mut(number);
        (node.shape, node.words) = (shape, words);
        closes
    }

    /// Lets every word of the model refer to the end of its chain.
    pub(super) fn normalise(&mut self) {
        let lazy = self.graph.known.iter().any(|&number| {
            let shape = self.graph.node(number).shape();
            shape.is_redex() || matches!(shape.kind, Kind::Ind | Kind::IndOldgen | Kind::Selector)
        });
        if !lazy {
            return;
        }
        let mut memo = Memo::default();
        let rule = self.settings.rule;
        for index in 0..self.graph.known.len() {
            let number = self.graph.known[index];
            let mut words = std::mem::take(&mut self.graph.node_mut(number).words);
            // A transparent node keeps its words, which are needed to follow it.
            let shape = self.graph.node(number).shape();
            if !is_followed(shape) {
                for (place, word) in words.iter_mut().enumerate() {
                    if let Word::Ref { .. } = word {
                        let role = self.graph.node(number).role(place);
                        *word = replaced(&self.graph, *word, role, &rule, &mut memo);
                    }
                }
            }
            self.graph.node_mut(number).words = words;
        }
        // Nodes that are followed change all at once, when nobody follows them any more.
        let mut later = Vec::new();
        for &number in &self.graph.known {
            let node = self.graph.node(number);
            if is_followed(node.shape()) {
                let words: Vec<Word> = (node.words.iter())
                    .map(|&word| replaced(&self.graph, word, Role::Pointer, &rule, &mut memo))
                    .collect();
                later.push((number, words));
            }
        }
        let graph = &self.graph;
        self.roots.each_slot(|_, word, role| *word = replaced(graph, *word, role, &rule, &mut memo));
        for root in &mut self.roots.handles {
            root.word = replaced(graph, root.word, Role::Pointer, &rule, &mut memo);
        }
        for root in &mut self.roots.stables {
            root.word = replaced(graph, root.word, Role::Pointer, &rule, &mut memo);
        }
        for (number, words) in later {
            self.graph.node_mut(number).words = words;
        }
    }

    /// The word that a slot of the heap would hold if all transparent objects were gone.
    pub(super) fn heap_end(&mut self, word: usize, role: Role) -> Result<usize, String> {
        let rule = self.settings.rule;
        let pointer = match role {
            Role::Pointer | Role::Weak | Role::Lazy | Role::Function | Role::WideFunction | Role::Stack => {
                word
            }
            Role::Tagged | Role::WeakTagged if rule.pointers >> (word & 15) & 1 != 0 => {
                (word & rule.mask).wrapping_add(rule.offset)
            }
            _ => return Ok(word),
        };
        let mut memo = std::mem::take(&mut self.heap_ends);
        let last = end(&Heap(&self.runtime().store), pointer, &mut memo);
        self.heap_ends = memo;
        let (at, from) = (last & !HEADER_BITS, pointer & !HEADER_BITS);
        if at == from {
            return Ok(word);
        }
        if self.cleared {
            // SAFETY: the pointer was followed from there.
            let kind = unsafe { crate::heap::object::model::info_of(Addr(from).load()) }.kind;
            return Err(format!(
                "{word:#x} leads through something transparent (kind {kind}) to {last:#x} after a full collection"
            ));
        }
        let keeps_tag = matches!(role, Role::Tagged | Role::WeakTagged);
        Ok(if keeps_tag { word.wrapping_add(at.wrapping_sub(from)) } else { last })
    }

    /// Permanent indirections change their table when they grow old.
    pub(super) fn promoted_shape(
        &mut self,
        number: u32,
        table: usize,
        shape: &'static Shape,
    ) -> &'static Shape {
        let grown = shape_of(Kind::IndOldgenPerm);
        if shape.kind == Kind::IndPerm && table == &raw const *shapes()[grown].info as usize {
            self.graph.node_mut(number).shape = grown;
            return &shapes()[grown];
        }
        shape
    }
}

/// Whether an object has to keep its words while others are followed.
fn is_followed(shape: &Shape) -> bool {
    shape.kind.is_in(Kinds::INDIRECTION)
        || shape.kind == Kind::IndStatic
        || shape.kind == Kind::Selector
        || shape.is_lazy_pair()
        || shape.is_redex()
}

fn replaced(
    graph: &super::graph::Graph,
    word: Word,
    role: Role,
    rule: &super::settings::Rule,
    memo: &mut Memo<Word>,
) -> Word {
    let Word::Ref { node, tag } = word else { return word };
    let last = end(&Model(graph), word, memo);
    match last {
        Word::Ref { node: other, .. } if other == node => word,
        Word::Ref { node: other, .. } if role == Role::Tagged => Word::Ref { node: other, tag },
        Word::Raw(bits) if role == Role::Tagged => Word::Raw(rule.word(bits & !HEADER_BITS, tag)),
        last => last,
    }
}
