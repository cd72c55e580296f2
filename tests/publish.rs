//! Models of objects that one thread publishes in a field where others look: the orders of their steps are tried one by one, with
//! what the memory model allows each of them to see. The orders are those that include/barrow asks the C compiler for, so a
//! header that asks for less fails here.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use orders::{INLINE, PORTABLE, orders_after, orders_in};
use std::sync::LazyLock;
use sync::{AtomicU64, Ordering, Weaker, explored, without_need};

#[allow(dead_code)]
#[path = "support/orders.rs"]
mod orders;
#[allow(dead_code, unused_imports)]
#[path = "support/sync.rs"]
pub mod sync;

static STORE: LazyLock<Ordering> =
    LazyLock::new(|| orders_after(PORTABLE, "define BARROW_STORE_RELEASE(p, word)")[0]);
static READ: LazyLock<Ordering> =
    LazyLock::new(|| orders_after(PORTABLE, "define BARROW_LOAD_ACQUIRE(p)")[0]);
/// The order in which an element of a weak array is read.
static ELEMENT: LazyLock<Ordering> = LazyLock::new(|| orders_in("barrow_weak_array_get")[0]);
/// The order of the exchange, and of the look when something else is there.
static CAS: LazyLock<(Ordering, Ordering)> = LazyLock::new(|| {
    let orders = orders_after(INLINE, "static inline bool barrow_cas(");
    (orders[0], orders[1])
});

const FILLED: u64 = 42;

/// A field, and objects that are filled while the model runs: the address of each is its index, and 1.
struct Heap {
    field: AtomicU64,
    objects: [UnsafeCell<u64>; 2],
}

impl Heap {
    fn new() -> Arc<Heap> {
        let objects = [UnsafeCell::new(0), UnsafeCell::new(0)];
        Arc::new(Heap { field: AtomicU64::new(0), objects })
    }

    /// Makes an object, with plain stores.
    fn fill(&self, index: usize) -> u64 {
        // SAFETY: the model stops with a sentence when another thread touches it at the same time.
        self.objects[index].with_mut(|object| unsafe { *object = FILLED });
        index as u64 + 1
    }

    /// Reads what is in an object, if the word refers to one.
    fn follow(&self, word: u64) {
        if word != 0 {
            // SAFETY: as above.
            self.objects[word as usize - 1].with(|object| unsafe { assert_eq!(*object, FILLED) });
        }
    }

    /// As `barrow_write`, `barrow_write_word` and the two of weak arrays; what the barrier remembers is its own thread's.
    fn write(&self, word: u64) {
        self.field.store(word, *STORE);
    }

    /// A read of a field where others publish.
    fn read(&self) -> u64 {
        self.field.load(*READ)
    }

    /// As `barrow_weak_array_get`.
    fn element(&self) -> u64 {
        self.field.load(*ELEMENT)
    }

    /// As `barrow_cas` and `barrow_cas_word`.
    fn cas(&self, expected: u64, word: u64) -> bool {
        self.field.compare_exchange(expected, word, CAS.0, CAS.1).is_ok()
    }
}

/// Runs one body in a thread and the other here.
fn beside(first: fn(&Heap), second: fn(&Heap)) {
    let heap = Heap::new();
    let other = heap.clone();
    let thread = thread::spawn(move || first(&other));
    second(&heap);
    thread.join().unwrap();
}

/// One writes an object into the field, and another follows what it reads there.
fn written() {
    beside(|heap| heap.write(heap.fill(0)), |heap| heap.follow(heap.read()));
}

/// One writes an object into an element of a weak array, and another follows what it reads there.
fn written_weakly() {
    beside(|heap| heap.write(heap.fill(0)), |heap| heap.follow(heap.element()));
}

/// One puts an object there in one step, and another follows what it reads there.
fn swapped_in() {
    beside(|heap| assert!(heap.cas(0, heap.fill(0))), |heap| heap.follow(heap.read()));
}

/// One writes an object, and another takes it out in one step: it knows which one from a look without an order.
fn taken_out() {
    beside(
        |heap| heap.write(heap.fill(0)),
        |heap| {
            if heap.cas(1, 0) {
                heap.follow(1);
            }
        },
    );
}

/// Two put an object there; the one that was late finds the other's whole, without another order.
fn both_swap() {
    fn puts(heap: &Heap, index: usize) {
        if !heap.cas(0, heap.fill(index)) {
            heap.follow(heap.field.load(Ordering::Relaxed));
        }
    }
    beside(|heap| puts(heap, 0), |heap| puts(heap, 1));
}

const MODELS: [fn(); 5] = [written, written_weakly, swapped_in, taken_out, both_swap];

#[test]
fn an_object_that_is_published_is_filled() {
    for model in MODELS {
        assert!(explored(Weaker::Nothing, model));
    }
}

#[test]
fn every_order_is_needed() {
    for model in MODELS {
        for weaker in [Weaker::Release, Weaker::Acquire] {
            assert!(!explored(weaker, model), "{weaker:?}");
        }
    }
    assert_eq!(without_need(&MODELS), []);
}

/// The forms that the models stand for store with the macro whose order they take.
#[test]
fn the_forms_store_as_the_models_do() {
    for (head, stores) in [
        ("static inline void barrow_write(", "BARROW_STORE_FIELD_(field, value);"),
        ("static inline void barrow_write_word(", "BARROW_STORE_RELEASE(field, word);"),
        ("static inline void barrow_weak_array_write(", "BARROW_STORE_FIELD_(element, value);"),
        ("static inline void barrow_weak_array_write_word(", "BARROW_STORE_RELEASE(element, word);"),
    ] {
        let (_, code) = INLINE.split_once(head).expect(head);
        let (body, _) = code.split_once("\n}").expect("its end");
        assert!(body.contains(stores), "{head} has no {stores}");
    }
    assert!(PORTABLE.contains("define BARROW_STORE_FIELD_(field, value) BARROW_STORE_RELEASE("));
    assert_eq!(orders_after(INLINE, "static inline bool barrow_cas_word(")[..2], [CAS.0, CAS.1]);
}
