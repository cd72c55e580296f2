/* The memory that a heap holds at most, for programs of a few shapes: the larger of -O and what lives times -F, and the nursery,
 * and 5 %. Each program knows what lives. */
#include "toy.h"

#define MIB ((size_t)1 << 20)

static size_t seed;
static size_t lot(size_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % below;
}

/* Bytes of an array: each size is half as frequent as half of it. */
static size_t bytes_by_lot(void) {
  size_t size = 100, bits = lot(1 << 13);
  for (; bits & 1; bits >>= 1) size *= 2;
  return size + lot(64);
}

/* Bytes that live, and the most that ever lived and that the nursery ever had. */
typedef struct seen {
  size_t live, most_live, nursery;
} seen;

static void looks(toy t, seen *s) {
  barrow_stats_t stats = toy_stats(t);
  if (stats.nursery_bytes > s->nursery) s->nursery = stats.nursery_bytes;
  if (s->live > s->most_live) s->most_live = s->live;
}

static size_t bytes_of(void *object, bool sizes) {
  return sizes ? barrow_bytes_words(((barrow_word *)object)[1]) * sizeof(barrow_word) : sizeof(node);
}

/* Fills a table at random, and replaces what is in it. */
static void churn(toy t, size_t slots, size_t rounds, bool sizes, seen *s) {
  struct { barrow_frame frame; void *table; } r;
  size_t i;
  r.table = NULL;
  BARROW_PUSH(t.m, r);
  r.table = toy_array(t.m, slots);
  s->live += slots * sizeof(void *);
  for (i = 0; i < rounds; i++) {
    void *made = sizes ? toy_bytes(t.m, bytes_by_lot()) : (void *)toy_node(t.m, NULL, NULL, i);
    size_t at = lot(slots);
    void *old = barrow_array_elements(r.table)[at];
    s->live += bytes_of(made, sizes) - (old ? bytes_of(old, sizes) : 0);
    toy_put(t.m, &r.table, at, made);
    if (i % 1000 == 0) looks(t, s);
  }
  BARROW_LEAVE(t.m, r);
}

/* A list that grows and is dropped. */
static void grow_and_drop(toy t, size_t length, seen *s) {
  struct { barrow_frame frame; node *list; } r;
  size_t i;
  r.list = NULL;
  BARROW_PUSH(t.m, r);
  for (i = 0; i < length; i++) {
    r.list = toy_node(t.m, r.list, NULL, i);
    s->live += sizeof(node);
    if (i % 1000 == 0) looks(t, s);
  }
  looks(t, s);
  s->live = 0;
  BARROW_LEAVE(t.m, r);
}

/* A list that stays at a length: at one end as many nodes go as come at the other. */
static void queue(toy t, size_t length, size_t rounds, seen *s) {
  struct { barrow_frame frame; node *first, *last; } r;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.first = r.last = toy_cell(t.m, NULL, NULL, 0);
  for (i = 0; i < rounds; i++) {
    node *n = toy_cell(t.m, NULL, NULL, i);
    barrow_write(t.m, r.last, &r.last->left, n);
    r.last = n;
    if (i >= length) r.first = r.first->left;
    else s->live += sizeof(node);
    if (i % 1000 == 0) looks(t, s);
  }
  s->live = 0;
  BARROW_LEAVE(t.m, r);
}

enum way { NODES, BYTES, DROPPED, QUEUE };

static void a_peak(const char *name, const char *flags, double factor, size_t minimum, enum way way, size_t size) {
  toy t = toy_new(flags);
  seen s = {0, 0, 0};
  double most, peak;
  seed = 1;
  switch (way) {
    case NODES: churn(t, size, 6 * size, false, &s); break;
    case BYTES: churn(t, size, 12 * size, true, &s); break;
    case DROPPED: grow_and_drop(t, size, &s), churn(t, size / 4, size, false, &s); break;
    case QUEUE: queue(t, size, 5 * size, &s);
  }
  looks(t, &s);
  peak = (double)toy_stats(t).peak_resident_bytes;
  most = (double)s.most_live * factor;
  if (most < (double)minimum) most = (double)minimum;
  /* Memory comes in whole megablocks, and the last one of the nursery and that of the old generation may be mostly empty. */
  most = (most + (double)s.nursery) * 1.05 + 2 * MIB;
  if (getenv("BARROW_TEST_SAYS") || peak > most)
    fprintf(stderr, "%s with %s: %.1f MiB held, %.1f may be: %.1f live, a nursery of %.1f\n", name, flags, peak / MIB, most / MIB,
            (double)s.most_live / MIB, (double)s.nursery / MIB);
  CHECK(peak <= most);
  toy_free(t);
}

static void peaks_are_bounded(void) {
  static const struct { const char *flags; double factor; size_t minimum; } with[] = {
      {"", 2, MIB}, {"-F1.5", 1.5, MIB}, {"-F3 -O64m", 3, 64 * MIB}};
  size_t i;
  /* Small heaps may have two of the smallest nurseries beside, so no size is less: a run in small sizes has the one that finds most. */
  if (toy_is_slow()) {
    a_peak("a table of byte arrays", "", 2, MIB, BYTES, 60000);
    return;
  }
  for (i = 0; i < sizeof with / sizeof *with; i++) {
    a_peak("a table of nodes", with[i].flags, with[i].factor, with[i].minimum, NODES, 1200000);
    /* With a small factor, the free blocks between large objects and the gaps count for more than 5 %. */
    if (with[i].factor >= 2) a_peak("a table of byte arrays", with[i].flags, with[i].factor, with[i].minimum, BYTES, 60000);
    a_peak("a list that is dropped", with[i].flags, with[i].factor, with[i].minimum, DROPPED, 1500000);
    a_peak("a queue", with[i].flags, with[i].factor, with[i].minimum, QUEUE, 1500000);
  }
}

int main(void) {

  RUN(peaks_are_bounded);
  return DONE;
}
