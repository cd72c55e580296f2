/* map: a finite map with lazy updates. Each update of a key leaves a thunk that adds to the old value; they are worked
 * off when somebody looks. The tree is persistent: an update copies the path to its key. map [UPDATES] */
#include "lazy.h"

static ref plus_entry(barrow_mutator *m, ref self);

/* A node: left, value, right, and its key. */
INFO(node_info, BARROW_CONSTR, 0, 3, 1, 0, NULL, NULL);
INFO(plus_info, BARROW_THUNK, 0, 1, 1, 0, NULL, plus_entry);
enum { LEFT = 1, VALUE = 2, RIGHT = 3, KEY = 4, NODE_WORDS = 5 };

/* value + n */
static ref plus_entry(barrow_mutator *m, ref self) {
  barrow_word n = self[3];
  ref value = (ref)self[2], made;
  must(barrow_blackhole(m, self));
  value = eval(m, value);
  n += value[1];
  reserve(m, 2);
  made = bump(m, &int_info, 2);
  made[1] = n;
  return made;
}

/* insertWith (+) key n map */
static ref add(barrow_mutator *m, ref map, barrow_word key, barrow_word n) {
  struct { barrow_frame frame; ref map, part; } r;
  ref made;
  r.map = map;
  r.part = NULL;
  BARROW_PUSH(m, r);
  if (is_nil(map)) {
    reserve(m, 2 + NODE_WORDS);
    r.part = bump(m, &int_info, 2);
    r.part[1] = n;
    made = bump(m, &node_info, NODE_WORDS);
    made[LEFT] = made[RIGHT] = (barrow_word)nil;
    made[VALUE] = (barrow_word)r.part;
    made[KEY] = key;
  } else {
    int field = key < map[KEY] ? LEFT : key > map[KEY] ? RIGHT : VALUE;
    if (field != VALUE) r.part = add(m, (ref)map[field], key, n);
    reserve(m, 4 + NODE_WORDS);
    if (field == VALUE) {
      r.part = bump(m, &plus_info, 4);
      r.part[2] = r.map[VALUE];
      r.part[3] = n;
    }
    made = bump(m, &node_info, NODE_WORDS);
    made[LEFT] = r.map[LEFT];
    made[VALUE] = r.map[VALUE];
    made[RIGHT] = r.map[RIGHT];
    made[KEY] = r.map[KEY];
    made[field] = (barrow_word)r.part;
  }
  BARROW_LEAVE(m, r);
  return made;
}

static barrow_word sum(barrow_mutator *m, ref map) {
  struct { barrow_frame frame; ref map; } r;
  barrow_word total = 0;
  if (is_nil(map)) return 0;
  r.map = map;
  BARROW_PUSH(m, r);
  total += sum(m, (ref)r.map[LEFT]);
  total += eval(m, (ref)r.map[VALUE])[1];
  total += sum(m, (ref)r.map[RIGHT]);
  BARROW_LEAVE(m, r);
  return total;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; ref map, old; } r;
  barrow_mutator *m;
  barrow_heap *heap = begin(&argc, argv, "", &m);
  long updates = argc > 1 ? atol(argv[1]) : 2000, i;
  BARROW_ENTER(m, r);
  r.map = r.old = nil;
  for (i = 1; i <= updates; i++) {
    r.map = add(m, r.map, (barrow_word)(i * 7919 % 101), (barrow_word)i);
    if (i == updates / 2) r.old = r.map;
    /* Somebody looks now and then: the thunks so far are old, and are updated where they are. */
    if (i % (updates / 10 + 1) == 0) printf("after %ld updates: %lu\n", i, (unsigned long)sum(m, r.map));
  }
  printf("in the end: %lu\n", (unsigned long)sum(m, r.map));
  printf("and half-way: %lu\n", (unsigned long)sum(m, r.old));
  BARROW_LEAVE(m, r);
  must(barrow_check(m));
  must(barrow_heap_free(heap));
  return 0;
}
