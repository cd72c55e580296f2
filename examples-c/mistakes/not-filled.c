/* An object is made and filled only after a further one was made.
 * symptom: a crash inside a collection, now and then
 * flags: --stress=1 -DS
 * says: at .* there is freed memory instead of an object */
#include "mistakes.h"

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *first, *second; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  for (i = 0; i < 100; i++) {
    r.first = (pair *)barrow_alloc(m, 4);
    if (!r.first) say_and_stop();
    r.second = make(m, i); /* the mistake: r.first has no header yet */
    r.first->header = (barrow_word)&pair_info;
    r.first->left = r.first->right = r.second;
    r.first->number = i;
  }
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
