//! Workers that tell of objects: lists that wait while another one tells, and objects of others.

use super::*;
use crate::block::Block;

/// The objects that it was told of.
pub(in super::super) struct Seen(pub Vec<usize>);

impl Observer for Seen {
    const ON: bool = true;
    type Carrier = ();
    fn kept(&mut self, _from: Addr, to: Addr, _words: usize, _was: Place, _place: Place) {
        self.0.push(to.0);
    }
    fn promotes(&mut self, _begins: bool) {}
    fn all_kept(&mut self) {}
    fn left(&mut self, _group: Block) {}
    fn carrier(&self) {}
    fn notes_moves(&self) -> bool {
        false
    }
    fn moved(&mut self, _from: Addr, _to: Addr) {}
    fn replaces(&mut self, _object: Addr) {}
    fn renames(&mut self) {}
    fn renamed(&mut self, _object: Addr, _words: usize, _before: usize) {}
    fn tells_kinds_apart(&self) -> bool {
        false
    }
}

/// Lines of objects come while another worker tells, and the list is never full.
#[test]
fn objects_wait_while_another_worker_tells() {
    for in_line in [1, 7, OF_A_LINE] {
        let mut seen = Seen(Vec::new());
        let telling = Telling::new(Sides::BY_HEADERS, &mut seen);
        let told = telling.told().unwrap();
        let mut untold = Untold::new(true).unwrap();
        let mut next = 0;
        let mut add_line = |untold: &mut Untold| {
            for n in next..next + in_line {
                let (at, was) = (Addr(8 * n), Place::NURSERY);
                untold.add(Won { from: at, to: at, words: 1, was, place: was });
            }
            next += in_line;
            untold.settle_all();
            if untold.is_due() {
                told.tell_some(untold);
            }
        };
        let held = telling.observer.lock().unwrap();
        while untold.list.len() + in_line < MOST {
            add_line(&mut untold);
        }
        assert!(untold.due <= MOST);
        drop(held);
        add_line(&mut untold);
        assert!(untold.list.len() < MANY);
        add_line(&mut untold);
        told.tell_all(&mut untold);
        assert!(untold.list.is_empty());
        assert!(seen.0.into_iter().eq((0..next).map(|n| 8 * n)), "{in_line}");
    }
}

#[test]
fn objects_of_others_are_dropped() {
    let mut untold = Untold::new(true).unwrap();
    let won = |at: usize| Won {
        from: Addr(at),
        to: Addr(at),
        words: 2,
        was: Place::NURSERY,
        place: Place::NURSERY,
    };
    untold.add(won(8));
    untold.settle_all();
    [16, 24, 32].into_iter().for_each(|at| untold.add(won(at)));
    // The first was settled before.
    untold.settle(|object| object.0 == 24);
    assert_eq!(untold.list.iter().map(|won| won.to.0).collect::<Vec<_>>(), [8, 24]);
    assert_eq!(untold.settled, 2);
}
