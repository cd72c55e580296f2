/* A reference is kept in a variable of C while something else is made.
 * symptom: fields lead to other objects than they should, now and then
 * flags: --stress=1 -DS
 * says: collection [0-9]* moved an object from there to .*: was it in no root */
#include "mistakes.h"

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *tree; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  for (i = 0; i < 100; i++) {
    pair *left, *right;
    r.tree = make(m, i);
    left = r.tree;
    right = make(m, i + 1);
    r.tree = make(m, i + 2);
    r.tree->left = left; /* the mistake: `left` was read before two allocations */
    r.tree->right = NULL;
    (void)right;
  }
  stop_when_damaged(barrow_collect(m, true));
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
