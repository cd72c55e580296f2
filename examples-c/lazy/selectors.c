/* selectors: a benchmark that makes selectors and lets collections evaluate them. selectors [ROUNDS]
 *
 * Each round pairs up a list lazily, unzips it lazily twice over, and forces one half; --selectors=off leaves that to
 * the program, which then holds the other halves as well. */
#include "lazy.h"

INFO(cons_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);
INFO(pair_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);

INFO(first_info, BARROW_SELECTOR, 0, 1, 0, 0, NULL, NULL);
INFO(second_info, BARROW_SELECTOR, 1, 1, 0, 0, NULL, NULL);

enum { LENGTH = 1000 };

/* A list of selectors out of pairs out of pairs: ((n, x), x), where x is the list so far. */
static ref make(barrow_mutator *m, ref kept) {
  struct { barrow_frame frame; ref kept, list; } r;
  int i;
  r.kept = kept;
  r.list = nil;
  BARROW_PUSH(m, r);
  for (i = 0; i < LENGTH; i++) {
    ref n, inner, outer, one, two, other, cell;
    reserve(m, 2 + 6 * 3);
    n = bump(m, &int_info, 2);
    n[1] = (barrow_word)i;
    inner = bump(m, &pair_info, 3);
    inner[1] = (barrow_word)n, inner[2] = (barrow_word)r.list;
    outer = bump(m, &pair_info, 3);
    outer[1] = (barrow_word)inner, outer[2] = (barrow_word)r.list;
    one = bump(m, &first_info, 3);
    one[2] = (barrow_word)outer;
    two = bump(m, i % 2 ? &first_info : &second_info, 3);
    two[2] = (barrow_word)one;
    other = bump(m, &second_info, 3);
    other[2] = (barrow_word)outer;
    cell = bump(m, &cons_info, 3);
    cell[1] = (barrow_word)two, cell[2] = (barrow_word)other;
    r.list = cell;
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; ref ring[8]; } r;
  barrow_mutator *m;
  barrow_heap *heap = begin(&argc, argv, "-A256k", &m);
  long rounds = argc > 1 ? atol(argv[1]) : 8, i;
  unsigned long total = 0;
  BARROW_ENTER(m, r);
  for (i = 0; i < rounds; i++) {
    r.ring[i % 8] = make(m, NULL);
    if (i % 8 == 7) {
      struct { barrow_frame frame; ref list; } s;
      s.list = r.ring[0];
      BARROW_PUSH(m, s);
      for (;;) {
        ref x;
        s.list = eval(m, s.list);
        if (is_nil(s.list)) break;
        x = eval(m, (ref)s.list[1]);
        if (barrow_info_of(x) == &int_info) total += x[1];
        s.list = (ref)s.list[2];
      }
      BARROW_LEAVE(m, s);
    }
  }
  printf("selectors: %lu\n", total);
  BARROW_LEAVE(m, r);
  must(barrow_heap_free(heap));
  return 0;
}
