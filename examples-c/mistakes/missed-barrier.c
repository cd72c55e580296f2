/* A reference to a young object is stored into an old one without a barrier.
 * symptom: objects that are in use disappear, most of them young
 * flags: -DS
 * says: field 1 of the object at .* (Pair, .*, generation 1) points to .*: a write barrier is missing */
#include "mistakes.h"

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *old; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  r.old = make(m, 0);
  for (i = 0; i < 4; i++) stop_when_damaged(barrow_collect(m, true));
  for (i = 0; i < 100000; i++) {
    pair *young = make(m, i);
    r.old->left = young; /* the mistake: BARROW_WRITE(m, r.old, left, young) */
  }
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
