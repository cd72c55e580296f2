/* Major collections of one heap, copying and compacting: CPU time of each and memory at most.
 *
 *     collect list|graph|mixed MIB FLAGS [share-that-dies-percent]
 *
 * list: cells of four words in the order in which they were made. graph: nodes of four words with two pointers to
 * anywhere. mixed: arrays of 40 elements, byte arrays of 8 to 800 bytes and cells, in random order. Before each
 * collection a share of the objects dies. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node { barrow_word header; struct node *left, *right; barrow_word value; } node;
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, 0, NULL, NULL, NULL, NULL};
static barrow_info array_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_ARRAY, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};
static barrow_info bytes_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_BYTES, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }

static barrow_heap *heap;
static barrow_mutator *m;
static barrow_stats_t stats(void) {
  barrow_stats_t s;
  memset(&s, 0, sizeof s);
  s.size = sizeof s;
  barrow_stats(heap, &s);
  return s;
}

static void *make(const char *what) {
  barrow_word *at;
  uint64_t kind = what[0] == 'm' ? next() % 3 : 0;
  if (kind == 1) return barrow_array_init(barrow_alloc(m, barrow_array_words(40)), &array_info, 40);
  if (kind == 2) {
    size_t bytes = 8 + next() % 793;
    at = barrow_alloc(m, barrow_bytes_words(bytes));
    at[0] = (barrow_word)&bytes_info, at[1] = bytes;
    return at;
  }
  at = barrow_alloc(m, 4);
  at[0] = (barrow_word)&node_info, at[1] = 0, at[2] = 0, at[3] = 1;
  return at;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; void **all, *one; } r;
  const char *what = argc > 1 ? argv[1] : "list";
  size_t mib = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, size = what[0] == 'm' ? 270 : 32;
  size_t count = mib * 1048576 / (size + 8), i, round, dies = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
  barrow_config config;
  barrow_config_init(&config);
  config.flags = argc > 3 ? argv[3] : "";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, r);
  r.all = (void **)barrow_array_init(barrow_alloc(m, barrow_array_words(count)), &array_info, count);
  for (i = 0; i < count; i++) {
    r.one = make(what);
    barrow_write(m, r.all, &barrow_array_elements(r.all)[i], r.one);
  }
  for (i = 0; i < count; i++) {
    node *n = (node *)barrow_array_elements(r.all)[i];
    if (n->header == (barrow_word)&node_info) {
      size_t a = what[0] == 'l' ? (i ? i - 1 : 0) : next() % count, b = what[0] == 'l' ? a : next() % count;
      barrow_write(m, n, &n->left, barrow_array_elements(r.all)[a]);
      if (what[0] != 'l') barrow_write(m, n, &n->right, barrow_array_elements(r.all)[b]);
    }
  }
  if (what[0] == 'l') r.all = (void **)barrow_array_elements(r.all)[count - 1];
  barrow_collect(m, true);
  for (round = 0; round < 3; round++) {
    barrow_stats_t before, after;
    if (what[0] != 'l')
      for (i = 0; i < count; i++)
        if (next() % 100 < dies) {
          node *n;
          r.one = make(what);
          n = (node *)barrow_array_elements(r.all)[i];
          if (n->header == (barrow_word)&node_info) n->left = n->right = NULL;
          barrow_write(m, r.all, &barrow_array_elements(r.all)[i], r.one);
        }
    barrow_collect(m, false);
    before = stats();
    if (barrow_collect(m, true) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
    after = stats();
    printf("%s %s: %.0f ms CPU, %.0f MiB live, %.0f MiB at most, %.1f MiB at most in compaction, %s\n", what, config.flags,
           (double)(after.gc_cpu_ns - before.gc_cpu_ns) / 1e6, (double)after.live_bytes / 1048576,
           (double)after.peak_resident_bytes / 1048576, (double)(after.compaction_peak_bytes + after.compaction_bitmap_bytes) / 1048576,
           after.compactions > before.compactions ? "compacted" : "copied");
  }
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) != BARROW_OK;
}
