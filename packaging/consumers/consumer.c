/* What each of the build systems beside this file builds: a list in the heap, collected and counted. */
#include <barrow/inline.h>
#include <stdio.h>

static barrow_info cell_info = {
    sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 1, 1, 0, 0, NULL, NULL, NULL, NULL};

int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; barrow_word *list; } r;
  barrow_word i, length = 0;

  barrow_config_init(&config);
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  BARROW_ENTER(m, r);
  for (i = 0; i < 100000; i++) {
    barrow_word *cell = barrow_alloc(m, 3);
    cell[0] = (barrow_word)&cell_info;
    cell[1] = (barrow_word)r.list;
    cell[2] = i;
    r.list = cell;
  }
  barrow_collect(m, true);
  for (; r.list; r.list = (barrow_word *)r.list[1]) length++;
  BARROW_LEAVE(m, r);
  printf("%zu cells\n", length);
  return barrow_heap_free(heap) == BARROW_OK && length == 100000 ? 0 : 1;
}
