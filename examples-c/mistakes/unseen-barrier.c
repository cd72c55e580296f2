/* A reference is stored into an object that has been through a collection, without the write barrier. The program is well as
 * long as what it stores is older than the object, which in a test it nearly always is.
 * symptom: objects that are in use disappear, in long runs alone
 * flags: -DB
 * says: field 1 of the object at .* (Pair, kind 1, generation [0-9]) was changed from 0x.* to 0x.* after collection 1, and nothing told of the store */
#include "mistakes.h"

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *holder, *held; } r;
  BARROW_ENTER(m, r);
  r.holder = make(m, 1);
  r.held = make(m, 2);
  stop_when_damaged(barrow_collect(m, true));
  r.holder->left = r.held; /* the mistake: BARROW_WRITE(m, r.holder, left, r.held) */
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
