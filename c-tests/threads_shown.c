/* What snapshots and coverage tell of a heap with several mutators: what all of them hold, and what each has counted. */
#define _DEFAULT_SOURCE
#define STEM "threads-shown"
#include "files.h"
#include "snapshot.h"
#include "tasks.h"

enum { HELD = 127 };

static const size_t counts[4] = {1, 2, 8, MOST};

/* The numbers of threads that are tried: under valgrind one thread runs at a time. */
static size_t tried(void) { return toy_under_valgrind() ? 2 : 4; }

static toy heap_for(size_t threads, const char *flags) {
  char line[200];
  sprintf(line, "--mutators=%lu %.120s", (unsigned long)threads + 1, flags);
  return toy_new(line);
}

/* ---- snapshots ------------------------------------------------------------------------------------------------------ */

/* Each thread holds a tree in its frame, and all hold one that is shared; the one that asks writes what all hold. */
static void hold_and_show(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *own, *shared; } r;
  size_t *waiting = (size_t *)w->shared;
  BARROW_ENTER(m, r);
  r.own = tree(w, m, 7, 1);
  if (w->number == 0) *w->table = tree(w, m, 5, 1);
  all_come(w, m, waiting);
  r.shared = *w->table;
  __atomic_add_fetch(waiting, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, waiting, 2 * w->count);
  if (w->number == w->count - 1) {
    MUST(w, barrow_snapshot(m, STEM ".snapshot") == BARROW_OK);
    __atomic_add_fetch(waiting, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, waiting, 2 * w->count + 1);
  MUST(w, nodes_of(w, r.own, 1) == HELD && nodes_of(w, r.shared, 1) == 31);
  BARROW_LEAVE(m, r);
}

static void snapshot_of_threads(size_t threads, const char *flags) {
  static node *root;
  toy t = heap_for(threads, flags);
  task like = task_of(0);
  size_t waiting = 0;
  found f;
  root = NULL;
  like.shared = &waiting;
  like.table = &root;
  CHECK_OK(barrow_root_add(t.heap, "the shared tree", (void **)&root, 1, false));
  in_threads(t, threads, like, hold_and_show);
  f = look(STEM ".snapshot");
  CHECK_EQ(f.nodes, threads * HELD + 31);
  CHECK_EQ(f.objects, f.nodes);
  CHECK_EQ(f.words, 4 * f.nodes);
  CHECK_EQ(f.edges, threads * (HELD - 1) + 30);
  CHECK_EQ(f.roots, 2 * threads + 1);
  CHECK(strstr(f.root_names, "shadow stack;") && strstr(f.root_names, "the shared tree;"));
  CHECK_OK(barrow_root_remove(t.heap, (void **)&root));
  toy_free(t);
  removed(".snapshot");
}

static void snapshots_show_what_all_hold(void) {
  size_t n;
  for (n = 0; n < tried(); n++) {
    snapshot_of_threads(counts[n], "-A256k");
    snapshot_of_threads(counts[n], "-A64k -c --source=chunks");
  }
}

/* ---- coverage ------------------------------------------------------------------------------------------------------- */

typedef struct covering {
  barrow_coverage *coverage;
  barrow_coverage_module modules[MOST];
  char names[MOST][8];
  uint64_t all[3], own[MOST][2];
} covering;

/* A module of its own that a thread tells of, and one that all count in, while one of them writes the file. */
static void cover(task *w, barrow_mutator *m) {
  covering *c = (covering *)w->shared;
  barrow_coverage_module own = BARROW_COVERAGE_MODULE(NULL, 7, c->own[w->number]);
  size_t i;
  sprintf(c->names[w->number], "M%02u", (unsigned)w->number);
  own.name = c->names[w->number];
  c->modules[w->number] = own;
  MUST(w, barrow_coverage_register(c->coverage, &c->modules[w->number], 1) == BARROW_OK);
  for (i = 0; i < w->rounds; i++) {
    BARROW_TICK_SHARED(c->own[w->number], i & 1); /* others write the file meanwhile */
    BARROW_TICK_SHARED(c->all, i % 3);
    if (w->number == 0 && i % 1000 == 500) MUST(w, barrow_coverage_write(c->coverage) == BARROW_OK);
    if (i % 100 == 0) MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

static void coverage_of_threads(size_t threads) {
  static covering c;
  toy t = heap_for(threads, "-A256k");
  size_t rounds = slow_share(60000 / threads) / 6 * 6, i;
  task like = task_of(rounds);
  barrow_coverage_options options;
  barrow_coverage_module shared = BARROW_COVERAGE_MODULE("All", 5, c.all);
  char line[80];
  const char *text;
  memset(&c, 0, sizeof c);
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.file = STEM ".tix";
  CHECK_OK(barrow_coverage_new(&options, &c.coverage));
  CHECK_OK(barrow_coverage_register(c.coverage, &shared, 1));
  like.shared = &c;
  in_threads(t, threads, like, cover);
  CHECK_OK(barrow_coverage_write(c.coverage));
  CHECK_OK(barrow_coverage_free(c.coverage));
  toy_free(t);
  text = file(".tix");
  CHECK_EQ(times(text, "TixModule"), threads + 1);
  sprintf(line, "\"All\" 5 3 [%lu,%lu,%lu]", (unsigned long)(threads * rounds / 3), (unsigned long)(threads * rounds / 3),
          (unsigned long)(threads * rounds / 3));
  CHECK(strstr(text, line) != NULL);
  for (i = 0; i < threads; i++) {
    sprintf(line, "\"M%02u\" 7 2 [%lu,%lu]", (unsigned)i, (unsigned long)(rounds / 2), (unsigned long)(rounds / 2));
    CHECK(strstr(text, line) != NULL);
  }
  removed(".tix");
}

static void covered_by_all_threads(void) {
  size_t n;
  for (n = 0; n < tried(); n++) coverage_of_threads(counts[n]);
}

int main(void) {
  RUN(snapshots_show_what_all_hold);
  RUN(covered_by_all_threads);
  return DONE;
}
