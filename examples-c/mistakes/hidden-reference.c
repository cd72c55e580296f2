/* A table calls a field plain that holds a reference.
 * symptom: as with a missed root, but always in objects of one kind
 * flags: -DL
 * says: word 2 of the object at .* (Node) is no pointer by its table, and holds .*: is the table wrong */
#include "mistakes.h"

static const barrow_names node_names = {"Node", "Node", "Mistakes", 0};
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 1, 2, &node_names); /* the mistake: 2 pointers, 1 word */

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *left, *right; pair *node; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  for (i = 0; i < 100000; i++) {
    r.left = make(m, i);
    r.right = make(m, i);
    r.node = make(m, i);
    r.node->header = (barrow_word)&node_info;
    r.node->left = r.left;
    r.node->right = r.right;
  }
  stop_when_damaged(barrow_collect(m, true));
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
