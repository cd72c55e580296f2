/* A function returns past BARROW_LEAVE, and its frame stays on the shadow stack.
 * symptom: a crash inside a collection, or references in a variable that nobody wrote
 * compile: -DBARROW_CHECK_FRAMES
 * says: depth_of enters its shadow-stack frame at .*, and the newest frame is at .* returned without BARROW_LEAVE */
#include "mistakes.h"

static barrow_word depth_of(barrow_mutator *m, pair *tree) {
  struct { barrow_frame frame; pair *tree; } r;
  r.tree = tree;
  BARROW_PUSH(m, r);
  if (!tree->left) return 1; /* the mistake: BARROW_LEAVE(m, r) comes first */
  make(m, 0);
  BARROW_LEAVE(m, r);
  return 2;
}

static void use_the_stack(void) {
  volatile char room[512];
  size_t i;
  for (i = 0; i < sizeof room; i++) room[i] = 0x5b;
}

/* So that the compiler keeps the calls. */
static barrow_word (*volatile depth)(barrow_mutator *, pair *) = depth_of;
static void (*volatile other_work)(void) = use_the_stack;

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct { barrow_frame frame; pair *tree; } r;
  barrow_word i, sum = 0;
  BARROW_ENTER(m, r);
  for (i = 0; i < 100; i++) {
    r.tree = make(m, i);
    sum += depth(m, r.tree);
    other_work();
  }
  printf("%lu\n", (unsigned long)sum);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
