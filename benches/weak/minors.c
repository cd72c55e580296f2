/* Minor collections beside old weak pointers: what they cost with none and with a million of them.
 *
 *     minors [WEAK-POINTERS] [MINOR-COLLECTIONS]
 *
 * Two heaps with the same young data take turns; CPU time of a minor collection, the least and the median. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node { barrow_word header; struct node *left, *right; barrow_word value; } node;
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, 0, NULL, NULL, NULL, NULL};
static barrow_info array_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_ARRAY, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};

typedef struct { barrow_frame frame; void **all; node *key, *list; } roots;
typedef struct { barrow_heap *heap; barrow_mutator *m; roots r; double *times; } side;

static void must(barrow_status status) {
  if (status != BARROW_OK) fprintf(stderr, "%s\n", barrow_last_error()), exit(1);
}

static uint64_t spent(barrow_heap *heap) {
  barrow_stats_t s;
  memset(&s, 0, sizeof s);
  s.size = sizeof s;
  must(barrow_stats(heap, &s));
  return s.gc_cpu_ns;
}

static node *make(side *s) {
  node *n = (node *)barrow_alloc(s->m, 4);
  n->header = (barrow_word)&node_info, n->left = n->right = NULL, n->value = 1;
  return n;
}

/* A list that survives, beside as much that does not. */
static void minor(side *s, size_t round) {
  uint64_t before;
  size_t i;
  s->r.list = NULL;
  for (i = 0; i < 5000; i++) {
    node *n = make(s);
    n->left = s->r.list;
    s->r.list = n;
    make(s);
  }
  before = spent(s->heap);
  must(barrow_collect(s->m, false));
  s->times[round] = (double)(spent(s->heap) - before) / 1e3;
}

static int by_time(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

int main(int argc, char **argv) {
  size_t weaks = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000, rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000, i, k;
  side sides[2];
  for (k = 0; k < 2; k++) {
    side *s = &sides[k];
    size_t count = k ? weaks : 0;
    barrow_config config;
    barrow_config_init(&config);
    config.flags = "-A1m";
    must(barrow_heap_new(&config, &s->heap, &s->m));
    s->times = malloc(rounds * sizeof *s->times);
    if (!s->times) return 1;
    BARROW_ENTER(s->m, s->r);
    s->r.all = (void **)barrow_array_init(barrow_alloc(s->m, barrow_array_words(2 * count + 1)), &array_info, 2 * count + 1);
    for (i = 0; i < count; i++) {
      void *weak;
      s->r.key = make(s);
      barrow_write(s->m, s->r.all, &barrow_array_elements(s->r.all)[2 * i], s->r.key);
      weak = barrow_weak_new(s->m, s->r.key, NULL, NULL);
      barrow_write(s->m, s->r.all, &barrow_array_elements(s->r.all)[2 * i + 1], weak);
    }
    for (i = 0; i < 3; i++) must(barrow_collect(s->m, true));
  }
  for (i = 0; i < rounds; i++)
    for (k = 0; k < 2; k++) minor(&sides[k], i);
  for (k = 0; k < 2; k++) {
    side *s = &sides[k];
    qsort(s->times, rounds, sizeof *s->times, by_time);
    printf("%zu old weak pointers: a minor collection takes %.1f us at least, %.1f in the median\n", k ? weaks : (size_t)0,
           s->times[0], s->times[rounds / 2]);
  }
  printf("ratio of the least %.3f, of the medians %.3f\n", sides[1].times[0] / sides[0].times[0],
         sides[1].times[rounds / 2] / sides[0].times[rounds / 2]);
  for (k = 0; k < 2; k++) {
    BARROW_LEAVE(sides[k].m, sides[k].r);
    free(sides[k].times);
    must(barrow_heap_free(sides[k].heap));
  }
  return 0;
}
