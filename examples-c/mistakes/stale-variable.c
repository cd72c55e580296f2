/* A reference is kept in a variable of C over an allocation, and then followed.
 * symptom: a crash, or another object's fields
 * flags: --faults -DS --stress=1
 * says: is no object any more: collection [0-9]* (.*) moved it to 0x.*, a Pair made by .*; it was accessed by sum_of; .*a variable of .* still ha[sv]e* its old address */
#include "mistakes.h"

#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline))
#endif
static barrow_word sum_of(barrow_mutator *m, pair *p) {
  struct { barrow_frame frame; pair *made; } r;
  BARROW_ENTER(m, r);
  r.made = make(m, 1);
  r.made->number += p->number; /* the mistake: `p` was in no root when `made` was */
  BARROW_LEAVE(m, r);
  return r.made->number;
}

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *one; } r;
  barrow_word sum;
  BARROW_ENTER(m, r);
  r.one = make(m, 41);
  sum = sum_of(m, r.one);
  BARROW_LEAVE(m, r);
  stop_when_damaged(barrow_heap_free(heap));
  return sum == 42;
}
