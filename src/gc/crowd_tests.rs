//! Rooms of workers that become part of a place.

use super::*;
use crate::base::flag::Flags;
use crate::gc::hand::Room;
use crate::heap::Tags;
use crate::os::limits::limits;

/// The gap that a worker has filled last counts as those that it has left.
#[test]
fn words_in_the_last_gap_are_counted() {
    let flags = Flags::parse("").unwrap();
    let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
    let place = Place::new(store.oldest(), 0);
    let group = store.blocks.alloc_group(1).unwrap();
    let mut hand = Hand::empty();
    hand.get_room(false).unwrap();
    for is_leaf in [false, true] {
        let mut room = Room::in_gap(Gap { start: group.start(), end: group.start().plus_words(200) });
        room.next = group.start().plus_words(70);
        hand.rooms(is_leaf).now[place.index()] = room;
        hand.rooms(is_leaf).gap_words = 1000;
        let mut filling = Filling::EMPTY;
        hand.join(&mut store, place, &mut filling, is_leaf, true);
        assert_eq!((filling.gap_words, filling.chain.blocks), (1070, 0));
        assert_eq!(store.gaps.words(), 130);
        store.gaps.clear();
    }
}
