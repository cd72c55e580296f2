/* 01-allocate: a heap, one kind of object, and allocation. */
#include <barrow/inline.h>
#include <stdio.h>

/* What the compiler knows of a kind of object, as static data: here no pointers and two plain words. */
static const barrow_names point_names = {"point", "Point", "Main", "01-allocate.c:7"};
static barrow_info point_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 0 /* pointers */, 2 /* words */, &point_names);

typedef struct {
  barrow_word header;
  barrow_word x, y;
} point;

int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_stats_t stats;
  size_t i, sum = 0;

  barrow_config_init(&config);
  config.flags = "-A1m";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  for (i = 0; i < 1000000; i++) {
    /* A compare and an addition; out of line only when the nursery is full. */
    point *p = (point *)barrow_alloc(m, sizeof(point) / sizeof(barrow_word));
    if (!p) return fprintf(stderr, "%s\n", barrow_last_error()), 1; /* there is no memory */
    p->header = (barrow_word)&point_info;
    p->x = i;
    p->y = 2 * i;
    sum += p->y - p->x;
  }
  stats.size = sizeof stats;
  barrow_stats(heap, &stats);
  printf("sum %zu\n", sum);
  printf("%zu bytes allocated, %zu copied\n", (size_t)stats.allocated_bytes, (size_t)stats.copied_bytes);
  printf("collections: %s\n", stats.collections > 10 ? "some" : "few");
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
