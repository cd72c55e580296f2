/* A list in a heap of this program's own, by the inline forms of the headers that cargo names. */
#include <barrow/inline.h>

typedef struct cell { const barrow_info *info; struct cell *next; barrow_word number; } cell;
static barrow_info cell_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_CONSTR, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};

uint64_t sum_of_list(uint64_t count);
uint64_t sum_of_list(uint64_t count) {
  struct { barrow_frame frame; cell *list; } r;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  cell *at;
  uint64_t i, sum = 0;
  barrow_config_init(&config);
  config.flags = "-A64k -DS";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) return 0;
  BARROW_ENTER(m, r);
  for (i = 0; i < count; i++) {
    cell *new_one = (cell *)barrow_alloc(m, 3);
    new_one->info = &cell_info;
    new_one->next = i % 100 ? r.list : 0; /* a hundred live at a time */
    new_one->number = i;
    r.list = new_one;
    sum += r.list->number - (r.list->next ? r.list->next->number : i - 1);
  }
  for (at = r.list, i = 0; at; at = at->next) i++;
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK && i == 100 ? sum : 0;
}
