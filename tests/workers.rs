//! Models of what workers of one collection share: the orders of their steps are tried one by one. The code is the library's own,
//! with other atomics and locks. A model that cannot fail shows nothing, so each is run with a bug too.

use bugs::explored_with;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicU32, AtomicU64, Mutex, Ordering, Weaker, explored, without_need};

#[macro_use]
#[path = "support/bugs.rs"]
mod bugs;
#[allow(dead_code)]
#[path = "../src/base/still/changes.rs"]
mod changes;
#[allow(dead_code)]
#[path = "../src/base/still/claim.rs"]
mod claim;
#[allow(dead_code)]
#[path = "../src/base/still/crew.rs"]
mod crew;
#[allow(dead_code)]
#[path = "../src/base/still/forward.rs"]
mod forward;
#[allow(dead_code, unused_imports)]
#[path = "support/sync.rs"]
pub mod sync;
#[allow(dead_code)]
#[path = "../src/base/still/vacated.rs"]
mod vacated;
#[allow(dead_code)]
#[path = "../src/base/still/work.rs"]
mod work;

/// Packets of a model: the numbers of cells.
struct Packets(Vec<usize>);

impl work::Shelf for Packets {
    type Packet = usize;
    fn put(&mut self, packet: usize) {
        self.0.push(packet);
    }
    fn get(&mut self) -> Option<usize> {
        self.0.pop()
    }
}

/// Work in cells, of which each worker that has one touches it alone. What is in a cell: how many more pieces it stands for.
struct Heap {
    work: work::Work<Packets>,
    cells: [UnsafeCell<u32>; 3],
    done: AtomicU32,
}

fn heap(pieces: u32) -> Arc<Heap> {
    Arc::new(Heap {
        work: work::Work::new(2, Packets(vec![0]), Packets(vec![1, 2])),
        cells: [UnsafeCell::new(pieces), UnsafeCell::new(0), UnsafeCell::new(0)],
        done: AtomicU32::new(0),
    })
}

impl Heap {
    /// Does the pieces of one packet; half of them go to a packet that others may take. False when it is to stop.
    fn piece(&self, packet: usize, stops: bool) -> bool {
        // SAFETY: the model stops with a sentence when another thread touches the cell at the same time.
        let pieces = self.cells[packet].with_mut(|cell| unsafe { std::mem::take(&mut *cell) });
        if stops {
            // SAFETY: as above.
            self.cells[packet].with_mut(|cell| unsafe { *cell = pieces });
            self.work.interrupt();
            self.work.give(packet);
            return false;
        }
        let rest = pieces - 1;
        self.done.fetch_or(1 << pieces, Ordering::Relaxed);
        if rest > 0
            && let Some(other) = self.work.spare()
        {
            // SAFETY: as above.
            self.cells[other].with_mut(|cell| unsafe { *cell = rest });
            self.work.give(other);
        }
        self.work.give_back(packet);
        true
    }

    fn run(&self, stops: bool) {
        while let Some(packet) = self.work.take() {
            if !self.piece(packet, stops) {
                return;
            }
        }
    }
}

/// Two workers do all pieces, and both come out.
fn sharing() {
    let heap = heap(2);
    heap.work.fit(2, false);
    let other = heap.clone();
    let thread = thread::spawn(move || other.run(false));
    heap.run(false);
    thread.join().unwrap();
    assert_eq!(heap.done.load(Ordering::Relaxed), 0b110);
    assert!(heap.work.begin_again().is_none());
}

/// As `sharing`, when no worker may end as long as there is work.
fn ending() {
    ends_with_all_done(&heap(2));
}

fn ends_with_all_done(heap: &Arc<Heap>) {
    let other = heap.clone();
    let run = |heap: &Heap| {
        heap.run(false);
        assert_eq!(heap.done.load(Ordering::Relaxed), 0b110);
    };
    let thread = thread::spawn(move || run(&other));
    run(heap);
    thread.join().unwrap();
}

/// As `ending`, when one at work is enough, so that nobody is woken for what waits.
fn enough() {
    let heap = heap(2);
    heap.work.fit(1, false);
    ends_with_all_done(&heap);
    assert!(!heap.work.is_wanted());
}

/// One worker interrupts: both come out, and what was not done is there.
fn interrupting() {
    let heap = heap(2);
    heap.work.fit(2, false);
    let other = heap.clone();
    let thread = thread::spawn(move || other.run(true));
    heap.run(false);
    thread.join().unwrap();
    let done = heap.done.load(Ordering::Relaxed);
    let left = heap.work.begin_again();
    assert_eq!(done != 0b110, left.is_some());
}

/// A crew, and what its parts touch.
struct Place {
    crew: crew::Crew<u32>,
    touched: UnsafeCell<u32>,
}

impl Place {
    fn new() -> Arc<Place> {
        Arc::new(Place { crew: crew::Crew::new(), touched: UnsafeCell::new(0) })
    }

    /// Does the part that was taken.
    fn part(&self, (job, number): (u32, usize)) {
        assert_eq!(number, 0);
        // SAFETY: the model stops with a sentence when another thread touches it at the same time.
        self.touched.with_mut(|word| unsafe { *word += job });
        self.crew.is_done();
    }

    /// Calls for one part, which is done when this comes back.
    fn call(&self, before: u32) {
        self.crew.call(1, 3);
        self.crew.wait(true);
        // SAFETY: as above.
        self.touched.with_mut(|word| unsafe { assert_eq!(*word, before + 3) });
    }
}

/// Starts a thread of a crew.
fn member(place: Arc<Place>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Some(part) = place.crew.next() {
            place.part(part);
        }
    })
}

/// A caller and a thread that is called twice, which writes where the caller reads.
fn calling() {
    let place = Place::new();
    let member = member(place.clone());
    place.call(0);
    place.call(3);
    place.crew.end();
    member.join().unwrap();
}

/// A caller, a thread that sleeps, and a guest, which comes and goes: one of the two does the part.
fn guests() {
    let place = Place::new();
    let member = member(place.clone());
    let other = place.clone();
    let guest = thread::spawn(move || {
        other.crew.comes();
        if other.crew.is_open()
            && let Some(part) = other.crew.take_one()
        {
            other.part(part);
        }
        while let Some(part) = other.crew.goes() {
            other.part(part);
        }
    });
    place.call(0);
    guest.join().unwrap();
    assert_eq!(place.crew.guests(), 0);
    place.crew.end();
    member.join().unwrap();
}

/// The house of a crew to which a thread comes that looks for something else (`changes`).
struct House(Arc<Place>);

impl changes::Guesthouse for House {
    fn comes(&self) {
        self.0.crew.comes();
    }

    fn is_open(&self) -> bool {
        self.0.crew.is_open()
    }

    fn help(&self) {
        if let Some(part) = self.0.crew.take_one() {
            self.0.part(part);
        }
    }

    fn goes(&self) {
        while let Some(part) = self.0.crew.goes() {
            self.0.part(part);
        }
    }
}

/// A collection that is over or not, and the count of that change.
struct Stand {
    changes: changes::Changes,
    is_over: Mutex<bool>,
}

/// As `guests`, when the guest is a thread that stands and looks whether the caller's collection is over. Whoever has looked for long
/// enough sleeps, which is another model's (tests/still.rs).
fn guests_that_look() {
    let place = Place::new();
    let member = member(place.clone());
    let stand = Arc::new(Stand { changes: changes::Changes::new(), is_over: Mutex::new(false) });
    stand.changes.let_look(true);
    let (other, house) = (stand.clone(), House(place.clone()));
    let guest = thread::spawn(move || {
        let is_over = other.is_over.lock().unwrap();
        if !*is_over {
            let (is_over, changed) = other.changes.look(&other.is_over, is_over, Some(&house));
            assert_eq!(*is_over, changed);
        }
    });
    place.call(0);
    let mut is_over = stand.is_over.lock().unwrap();
    *is_over = true;
    stand.changes.tell();
    drop(is_over);
    guest.join().unwrap();
    assert_eq!(place.crew.guests(), 0);
    place.crew.end();
    member.join().unwrap();
}

/// Two workers meet one object at the same time, and another object in the same word: one wins, and no bit is lost.
fn claiming() {
    let word = Arc::new(AtomicU64::new(0));
    let other = word.clone();
    let thread = thread::spawn(move || claim::claim(&other, 0b0110, 0b0010));
    let here = claim::claim(&word, 0b0110, 0b0010);
    let beside = claim::claim(&word, 0b1000, 0b1000);
    assert!(thread.join().unwrap() != here && beside);
    assert_eq!(word.load(Ordering::Relaxed), 0b1110);
}

/// An object that is copied to one of two rooms, and what is in each.
struct Moving {
    word: AtomicU64,
    rooms: [UnsafeCell<u64>; 2],
}

/// The word at the old place of an object that has not moved, and what is in it.
const THERE: u64 = 8;
const CONTENTS: u64 = 5;

impl Moving {
    /// Meets the object, as a worker that would copy it to a room of its own does. Gives the room that it is in.
    fn meet(&self, own: usize) -> usize {
        let seen = forward::read(&self.word);
        let word = if seen == THERE {
            let copy = own as u64 * 2 + 1;
            // SAFETY: the model stops with a sentence when another thread touches the room at the same time.
            self.rooms[own].with_mut(|room| unsafe { *room = CONTENTS });
            forward::settle(&self.word, seen, copy).map_or_else(|other| other, |()| copy)
        } else {
            seen
        };
        let room = (word / 2) as usize;
        // SAFETY: as above.
        self.rooms[room].with(|room| unsafe { assert_eq!(*room, CONTENTS) });
        room
    }
}

/// Two workers meet one object: it goes to one place, and both find it whole there. The other copy is its worker's own again.
fn copying() {
    let moving =
        Arc::new(Moving { word: AtomicU64::new(THERE), rooms: [UnsafeCell::new(0), UnsafeCell::new(0)] });
    let other = moving.clone();
    let own = |moving: &Moving, own: usize| {
        let room = moving.meet(own);
        if room != own {
            // SAFETY: as in `meet`.
            moving.rooms[own].with_mut(|room| unsafe { *room = 0 });
        }
        room
    };
    let thread = thread::spawn(move || own(&other, 1));
    let here = own(&moving, 0);
    assert_eq!(here, thread.join().unwrap());
}

#[test]
fn an_object_goes_to_one_place() {
    assert!(explored(Weaker::Nothing, copying));
    assert!(!explored(Weaker::Release, copying));
    assert!(!explored(Weaker::Acquire, copying));
    assert!(!explored(Weaker::Step, copying));
    assert_eq!(without_need(&[copying]), []);
    assert!(!explored_with(410, copying));
}

/// Words of one group, and what says that they have been read.
struct Group {
    word: AtomicU32,
    words: UnsafeCell<u64>,
}

/// One worker reads what lies in a group, and another one writes there afterwards, or not at all.
fn vacating() {
    let group = Arc::new(Group { word: AtomicU32::new(vacated::NOT_YET), words: UnsafeCell::new(CONTENTS) });
    let other = group.clone();
    let reader = thread::spawn(move || {
        // SAFETY: the model stops with a sentence when another thread writes there at the same time.
        other.words.with(|words| unsafe { assert_eq!(*words, CONTENTS) });
        vacated::tell(&other.word);
    });
    if vacated::is_told(&group.word) {
        // SAFETY: as above.
        group.words.with_mut(|words| unsafe { *words = 0 });
    }
    reader.join().unwrap();
}

#[test]
fn what_is_read_may_be_written_over() {
    assert!(explored(Weaker::Nothing, vacating));
    assert!(!explored(Weaker::Release, vacating));
    assert!(!explored(Weaker::Acquire, vacating));
    assert_eq!(without_need(&[vacating]), []);
    assert!(!explored_with(430, vacating));
}

#[test]
fn work_is_done_once_and_comes_to_an_end() {
    assert!(explored(Weaker::Nothing, sharing));
    assert!(explored(Weaker::Nothing, ending));
    assert!(explored(Weaker::Nothing, enough));
    assert!(explored(Weaker::Nothing, interrupting));
    assert!(!explored_with(400, ending));
}

#[test]
fn who_is_called_comes_once() {
    assert!(explored(Weaker::Nothing, calling));
    assert!(explored(Weaker::Nothing, guests));
    assert!(!explored_with(455, guests));
    assert!(explored(Weaker::Nothing, guests_that_look));
    assert!(!explored_with(455, guests_that_look));
}

#[test]
fn an_object_has_one_winner() {
    assert!(explored(Weaker::Nothing, claiming));
    assert!(!explored(Weaker::Step, claiming));
    assert!(!explored_with(401, claiming));
}
