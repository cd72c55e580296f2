/* A table says that objects are smaller than what the program allocates and fills.
 * symptom: a crash inside a collection, or in code that reads a field of a well-known object
 * flags: -DS
 * says: the object at .* has no good info table */
#include "mistakes.h"

static const barrow_names node_names = {"Node", "Node", "Mistakes", 0};
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 0, &node_names); /* the mistake: there is 1 word behind the pointers */

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *node; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  for (i = 1; i < 100000; i++) {
    r.node = make(m, 8 * i);
    r.node->header = (barrow_word)&node_info;
  }
  stop_when_damaged(barrow_collect(m, true));
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
