/* updates: a benchmark that updates thunks, young ones and old ones. updates [ROUNDS]
 *
 * A table of thunks grows old; each round replaces some by new thunks and forces others, so that indirections are made
 * in every generation, remembered, and shorted out. */
#include "lazy.h"

static ref next_entry(barrow_mutator *m, ref self);
INFO(next_info, BARROW_THUNK, 0, 1, 1, 0, NULL, next_entry);
INFO(table_info, BARROW_ARRAY, 0, 0, 0, 0, NULL, NULL);

enum { TABLE = 20000 };

static ref next_entry(barrow_mutator *m, ref self) {
  barrow_word n = self[3];
  ref before = (ref)self[2], made;
  must(barrow_blackhole(m, self));
  before = eval(m, before);
  n += before[1];
  reserve(m, 2);
  made = bump(m, &int_info, 2);
  made[1] = n & 0xffff;
  return made;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; void *table; ref zero; } r;
  barrow_mutator *m;
  barrow_heap *heap = begin(&argc, argv, "-A256k", &m);
  long rounds = argc > 1 ? atol(argv[1]) : 1, i, round;
  unsigned long total = 0;
  uint64_t state = 1;
  BARROW_ENTER(m, r);
  r.table = barrow_alloc(m, barrow_array_words(TABLE));
  if (!r.table) die(barrow_last_error());
  barrow_array_init((barrow_word *)r.table, &table_info, TABLE);
  reserve(m, 2);
  r.zero = bump(m, &int_info, 2);
  r.zero[1] = 0;
  for (i = 0; i < TABLE; i++) barrow_write(m, r.table, &barrow_array_elements(r.table)[i], r.zero);
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < TABLE; i++) {
      size_t at = (size_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % TABLE;
      if (i % 3) {
        ref thunk;
        reserve(m, 4);
        thunk = bump(m, &next_info, 4);
        thunk[2] = (barrow_word)barrow_array_elements(r.table)[at];
        thunk[3] = (barrow_word)i;
        barrow_write(m, r.table, &barrow_array_elements(r.table)[at], thunk);
      } else {
        total += eval(m, (ref)barrow_array_elements(r.table)[at])[1];
      }
    }
  }
  printf("updates: %lu\n", total);
  BARROW_LEAVE(m, r);
  must(barrow_heap_free(heap));
  return 0;
}
