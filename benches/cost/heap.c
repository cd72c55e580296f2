/* What heap profiles cost, on three programs and on one large sample. heap PROGRAM FLAGS [SCALE]
 *
 * PROGRAM is trees (that die, beside one that stays), map (a long-lived search tree whose paths are copied), array (a large
 * mutable array of cells, written at random), or live (five million live objects of five words, and ten samples); or hold
 * (2 GB of live data beside work that makes short-lived data; SCALE in GB of it), or snapshot (30 million objects in 1 GB).
 * At sixteen moments of its run a program samples what it holds: with a profile in FLAGS it calls barrow_census, with the
 * word "major" in front of them it collects as much without counting, and else it does nothing (what samples by the clock does so).
 * The mutator goes from hand to hand, as it does in compiled code, which has it in a register. USES: built with use-recording. CENTRES: built with cost centres. Prints nanoseconds of CPU time, those of samples, live objects. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__) || defined(__clang__)
#define NEVER_INLINE __attribute__((noinline))
#else
#define NEVER_INLINE
#endif
#ifdef USES
#define USE(object) barrow_use(m, object)
#else
#define USE(object) ((void)0)
#endif
static barrow_cc making = BARROW_CC("making", "Main", "heap.c"), changing = BARROW_CC("changing", "Main", "heap.c");
#ifdef CENTRES
#define ENTER(centre) barrow_ccs *before = barrow_ccs_enter(m, &centre)
#define LEAVE() barrow_ccs_leave(m, before)
#else
#define ENTER(centre) ((void)&centre)
#define LEAVE() ((void)0)
#endif

typedef struct node { barrow_word header; struct node *left, *right; barrow_word key, value; } node;
#define INFO(name, kind, flags, ptrs, words) \
  static const barrow_names name##_names = {#name, #name, "Main", "heap.c"}; \
  static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, flags, 0, ptrs, words, 0, 0, NULL, NULL, NULL, &name##_names}
INFO(leaf_info, BARROW_CONSTR, 0, 2, 2);
INFO(bin_info, BARROW_CONSTR, 0, 2, 2);
INFO(small_info, BARROW_CONSTR, 0, 2, 1);
INFO(array_info, BARROW_ARRAY, 0, 0, 0);

static barrow_heap *heap;
static enum { NOTHING, MAJOR, CENSUS } what;
static long long sampling_ns;
static barrow_word seed = 88172645463325252u;

static long long cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static barrow_word at_random(barrow_word below) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (seed >> 11) % below;
}
static void sample(barrow_mutator *m) {
  long long begun = cpu();
  barrow_status status = what == MAJOR ? barrow_collect(m, true) : what == CENSUS ? barrow_census(m) : BARROW_OK;
  if (status != BARROW_OK) fprintf(stderr, "%s\n", barrow_last_error()), exit(1);
  sampling_ns += cpu() - begun;
}

static node *make(barrow_mutator *m, const barrow_info *info, node *left, node *right, barrow_word key) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n = (node *)barrow_try_alloc(m, 5);
  if (!n) {
    r.left = left, r.right = right;
    BARROW_PUSH(m, r);
    n = (node *)barrow_alloc_slow(m, 5);
    BARROW_LEAVE(m, r);
    if (!n) exit(1);
    left = r.left, right = r.right;
  }
  n->header = (barrow_word)info, n->left = left, n->right = right, n->key = key, n->value = key;
  return n;
}

static node *make_small(barrow_mutator *m, node *left, barrow_word key) {
  struct { barrow_frame frame; node *left; } r;
  node *n;
  r.left = left;
  BARROW_PUSH(m, r);
  n = (node *)barrow_alloc(m, 4);
  BARROW_LEAVE(m, r);
  if (!n) exit(1);
  n->header = (barrow_word)&small_info, n->left = r.left, n->right = NULL, n->key = key;
  return n;
}

static node *tree(barrow_mutator *m, int depth, barrow_word low, barrow_word high) {
  struct { barrow_frame frame; node *left; } r;
  node *right;
  barrow_word middle = low + (high - low) / 2;
  if (depth == 0) return make(m, &leaf_info, NULL, NULL, middle);
  r.left = tree(m, depth - 1, low, middle);
  BARROW_PUSH(m, r);
  right = tree(m, depth - 1, middle, high);
  BARROW_LEAVE(m, r);
  return make(m, &bin_info, r.left, right, middle);
}
/* Compilers unroll this recursion or do not, by how much is in it: that would be measured, and not what is in it. */
static NEVER_INLINE long count(barrow_mutator *m, node *n) {
  if (!n) return 0;
  USE(n);
  return 1 + count(m, n->left) + count(m, n->right);
}

static long trees(barrow_mutator *m, int scale) {
  struct { barrow_frame frame; node *long_lived; } r;
  long sum = 0;
  int round, i;
  BARROW_ENTER(m, r);
  r.long_lived = tree(m, 17, 0, 1 << 17);
  for (round = 0; round < 16; round++) {
    for (i = 0; i < scale; i++) {
      ENTER(making);
      sum += count(m, tree(m, 4 + i % 10, 0, 1 << 14));
      LEAVE();
    }
    sample(m);
  }
  sum += count(m, r.long_lived);
  BARROW_LEAVE(m, r);
  return sum;
}

static node *changed(barrow_mutator *m, node *n, barrow_word key) {
  struct { barrow_frame frame; node *n; } r;
  node *below;
  USE(n);
  if (!n->left) return make(m, &leaf_info, NULL, NULL, key);
  r.n = n;
  BARROW_PUSH(m, r);
  below = changed(m, key < n->key ? n->left : n->right, key);
  BARROW_LEAVE(m, r);
  n = r.n;
  return key < n->key ? make(m, &bin_info, below, n->right, n->key) : make(m, &bin_info, n->left, below, n->key);
}
static long map(barrow_mutator *m, int scale) {
  struct { barrow_frame frame; node *map; } r;
  long sum = 0;
  int round, i;
  BARROW_ENTER(m, r);
  r.map = tree(m, 18, 0, 1 << 18);
  for (round = 0; round < 16; round++) {
    for (i = 0; i < scale * 100; i++) {
      node *n;
      barrow_word key = at_random(1 << 18);
      for (n = r.map; n->left; n = key < n->key ? n->left : n->right) USE(n);
      sum += (long)n->value;
      if (i % 8 == 0) {
        ENTER(changing);
        r.map = changed(m, r.map, key);
        LEAVE();
      }
    }
    sample(m);
  }
  BARROW_LEAVE(m, r);
  return sum;
}

static long array(barrow_mutator *m, int scale) {
  enum { LENGTH = 400000 };
  struct { barrow_frame frame; void *array; } r;
  long sum = 0;
  int round, i;
  BARROW_ENTER(m, r);
  r.array = barrow_array_init(barrow_alloc(m, barrow_array_words(LENGTH)), &array_info, LENGTH);
  for (round = 0; round < 16; round++) {
    for (i = 0; i < scale * 100; i++) {
      barrow_word at = at_random(LENGTH);
      node *old = (node *)barrow_array_elements(r.array)[at], *n;
      if (old) {
        USE(old);
        sum += (long)old->value;
      }
      if (i % 4 == 0) {
        ENTER(changing);
        n = make(m, &leaf_info, NULL, NULL, at);
        LEAVE();
        barrow_write(m, r.array, &barrow_array_elements(r.array)[at], n);
      }
    }
    sample(m);
  }
  BARROW_LEAVE(m, r);
  return sum;
}

static long live(barrow_mutator *m, int scale) {
  struct { barrow_frame frame; node *list; } r;
  long i, number = 5000l * scale;
  BARROW_ENTER(m, r);
  for (i = 0; i < number; i++) {
    ENTER(making);
    r.list = make(m, &bin_info, r.list, NULL, (barrow_word)i);
    LEAVE();
  }
  /* The first one copies out of the nursery. */
  sample(m);
  sampling_ns = 0;
  for (i = 0; i < 10; i++) {
#ifdef USES
    node *n;
    for (n = r.list; n; n = n->left) USE(n);
#endif
    sample(m);
  }
  BARROW_LEAVE(m, r);
  return number;
}

/* Work beside 2 GB that live: what -i0.001 does to it. */
static long hold(barrow_mutator *m, int scale) {
  struct { barrow_frame frame; node *list, *young; } r;
  long i, begun = 2000000000 / 40, sum = 0;
  BARROW_ENTER(m, r);
  for (i = 0; i < begun; i++) r.list = make(m, &bin_info, r.list, NULL, (barrow_word)i);
  for (i = 0; i < scale * 25000000l; i++) {
    r.young = make(m, &leaf_info, i % 100 ? r.young : NULL, NULL, (barrow_word)i);
    sum += (long)r.young->value;
  }
  BARROW_LEAVE(m, r);
  return sum;
}

static double wall(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static long resident_kib(void) {
  char line[200];
  long kib = 0;
  FILE *in = fopen("/proc/self/status", "r");
  while (in && fgets(line, sizeof line, in))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  if (in) fclose(in);
  return kib;
}
static long snapshot(barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  long i, before;
  long long used;
  double begun;
  BARROW_ENTER(m, r);
  /* Three cells of four words and one of five to each four: 34 bytes each, beside what the list is. */
  for (i = 0; i < 30000000; i++) r.list = i % 4 ? make_small(m, r.list, (barrow_word)i) : make(m, &bin_info, r.list, r.list, (barrow_word)i);
  if (barrow_collect(m, true) != BARROW_OK) exit(1);
  before = resident_kib();
  begun = wall();
  used = cpu();
  if (barrow_snapshot(m, "heap.snapshot") != BARROW_OK) fprintf(stderr, "%s\n", barrow_last_error()), exit(1);
  printf("snapshot: %.2f s (%.2f s of CPU time), %ld KiB more than before at most\n", wall() - begun, (double)(cpu() - used) / 1e9,
         resident_kib() - before);
  remove("heap.snapshot");
  BARROW_LEAVE(m, r);
  return i;
}

int main(int argc, char **argv) {
  barrow_mutator *m;
  barrow_config config;
  barrow_stats_t stats;
  const char *program = argc > 1 ? argv[1] : "trees", *flags = argc > 2 ? argv[2] : "";
  int scale = argc > 3 ? atoi(argv[3]) : 1000;
  long long begun = cpu(), all;
  long result;
  if (strncmp(flags, "major", 5) == 0) what = MAJOR, flags += 5;
  else if (strstr(flags, "-i0")) what = CENSUS;
  barrow_config_init(&config);
  config.flags = flags;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  result = !strcmp(program, "map") ? map(m, scale) : !strcmp(program, "array") ? array(m, scale) : !strcmp(program, "live") ? live(m, scale) : !strcmp(program, "hold") ? hold(m, scale) : !strcmp(program, "snapshot") ? snapshot(m) : trees(m, scale);
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  barrow_stats(heap, &stats);
  if (barrow_heap_free(heap) != BARROW_OK) fprintf(stderr, "%s\n", barrow_last_error());
  all = cpu() - begun;
  printf("%lld %lld %llu %ld\n", all, sampling_ns, (unsigned long long)stats.live_bytes / 40, result);
  return 0;
}
