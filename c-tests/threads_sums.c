/* Sums over several mutators, to the byte and to the tick: 1, 2, 8 and 64 of them hold different amounts, which space by function and
 * retainers tell apart, and run the same code, which coverage counts; and samples by bytes come as often as is due. */
#define _DEFAULT_SOURCE
#define BARROW_TICKY
#define STEM "threads-sums"
#include "files.h"
#include "profiled.h"
#include "space.h"
#include "barrow/ticky.h"

enum { NODE = sizeof(node), LEAST = 10 };

/* All come; the last of them does what is to be done while all are there. */
static void while_all_hold(task *w, barrow_mutator *m, size_t *come, void (*something)(task *, barrow_mutator *)) {
  all_come(w, m, come);
  if (w->number == w->count - 1) {
    something(w, m);
    __atomic_add_fetch(come, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, come, w->count + 1);
}

/* ---- space by function -------------------------------------------------------------------------------------------------- */

/* Each is as large as a table of a frame: the profiler looks whether it is one. */
static char words[MOST][sizeof(barrow_info)], shared_word[sizeof(barrow_info)];
static barrow_ticky_function calls_of_shared = BARROW_COUNTED_FUNCTION("shared", "Main", &shared_word);
static uint32_t profile;

static void profile_ends(task *w, barrow_mutator *m) {
  MUST(w, barrow_collect(m, true) == BARROW_OK);
  MUST(w, barrow_space_end(m, profile) == BARROW_OK);
}

/* Each thread keeps a list by its own function, one longer than the thread's before, and a tree by the function of all. */
static void keep(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *own, *shared; } r;
  size_t i;
  BARROW_ENTER(m, r);
  barrow_window_of(m)->function = &words[w->number];
  r.own = task_list(w, m, LEAST + w->number, &node_info);
  for (i = 0; i < w->rounds; i++) {
    barrow_window_of(m)->function = &words[w->number];
    task_list(w, m, w->number, &node_info);
    barrow_window_of(m)->function = &shared_word;
    BARROW_TICKY_ENTER(m, &calls_of_shared);
    r.shared = tree(w, m, 4, 1);
    if (i == w->number % 16) MUST(w, barrow_collect(m, i % 4 == 0) == BARROW_OK);
  }
  while_all_hold(w, m, (size_t *)w->shared, profile_ends);
  barrow_window_of(m)->function = NULL;
  MUST(w, nodes_of(w, r.shared, 1) == 15);
  BARROW_LEAVE(m, r);
}

static uint64_t kind_of(toy t, const void *word, unsigned column) {
  barrow_space_function_t function;
  barrow_space_kind_t kind;
  size_t i;
  for (i = 0; i < (size_t)totals_of(t).functions; i++) {
    memset(&function, 0, sizeof function);
    function.size = (uint32_t)sizeof function;
    CHECK_OK(barrow_space_function(t.heap, i, &function, NULL, 0));
    if (function.word != (size_t)word) continue;
    memset(&kind, 0, sizeof kind);
    kind.size = (uint32_t)sizeof kind;
    CHECK_OK(barrow_space_kind(t.heap, i, 0, column, &kind));
    return kind.objects;
  }
  return 0;
}

static void is_kept(toy t, const void *word, size_t made, size_t live) {
  barrow_space_function_t own = function_of(t, word);
  CHECK_EQ(own.allocated_objects, made);
  CHECK_EQ(own.allocated_bytes, made * NODE);
  CHECK_EQ(own.live_bytes, live * NODE);
  CHECK_EQ(kind_of(t, word, BARROW_SPACE_COLUMN_RECORDS), made);
}

static void space_of(size_t threads, const char *flags) {
  toy t = profiled(flags);
  barrow_space_options options = wish();
  task like = task_of(20);
  size_t come = 0, i;
  barrow_word made;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS | BARROW_MANNER_CALLS;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  like.shared = &come;
  made = in_threads(t, threads, like, keep);
  for (i = 0; i < threads; i++) is_kept(t, &words[i], LEAST + i + like.rounds * i, LEAST + i);
  is_kept(t, &shared_word, 15 * threads * like.rounds, 15 * threads);
  CHECK_EQ(function_of(t, &shared_word).calls, threads * like.rounds);
  CHECK_EQ(totals_of(t).allocated_bytes, made);
  CHECK_EQ(totals_of(t).unprofiled_bytes, 0);
  CHECK_EQ(totals_of(t).complete, 1);
  toy_free(t);
}

static void space_is_told_apart(void) {
  static const char *const flags[] = {"-r -A256k", "-r -A256k -c", "-r -A256k -DS", "-r -A256k --source=chunks -G1",
                                      "-r -A4m -G3 -T3 --old=copy"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(); n++) space_of(counts[n], flags[f]);
}

/* ---- retainers ---------------------------------------------------------------------------------------------------------- */

static void census(task *w, barrow_mutator *m) { MUST(w, barrow_census(m) == BARROW_OK); }

/* Each thread holds a mutable object that retains a list; its neighbour's leads to the list as well. */
static void retain(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *cell; } r;
  size_t *come = (size_t *)w->shared;
  node *element;
  BARROW_ENTER(m, r);
  r.cell = task_list(w, m, 1, &node_info);
  barrow_set_header(r.cell, &cell_info);
  element = task_list(w, m, LEAST + w->number, &node_info);
  BARROW_WRITE(m, r.cell, left, element);
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[w->number], r.cell);
  all_come(w, m, &come[0]);
  element = (node *)barrow_array_elements(*w->table)[(w->number + 1) % w->count];
  BARROW_WRITE(m, r.cell, right, element->left);
  while_all_hold(w, m, &come[1], census);
  BARROW_LEAVE(m, r);
}

static void retainers_of(size_t threads, const char *flags) {
  toy t = profiled(flags);
  struct { barrow_frame frame; node *array; } r;
  task like = task_of(0);
  size_t come[2] = {0, 0};
  const char *hp;
  const long elements = (long)(threads * LEAST + threads * (threads - 1) / 2);
  BARROW_ENTER(t.m, r);
  r.array = (node *)toy_array(t.m, threads);
  like.table = &r.array;
  like.shared = come;
  in_threads(t, threads, like, retain);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  hp = last_of(".hp");
  /* The array is reached from a stack alone, and each mutable object from the array too. */
  CHECK_EQ(labelled(hp, 1, "shadow_stack"), (long)(8 * barrow_array_words(threads)));
  CHECK_EQ(labelled(hp, 1, "array_info,shadow_stack") + labelled(hp, 1, "shadow_stack,array_info"), (long)threads * NODE);
  CHECK_EQ(labelled(hp, 1, "cell_info"), elements * NODE);
}

static void retainers_of_all_are_told(void) {
  static const char *const flags[] = {"-hr -i0 -A256k", "-hr -i0 -A256k -c", "-hr -i0 -A256k -DS", "-hr -i0 -A256k --source=chunks -G1"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(); n++) retainers_of(counts[n], flags[f]);
}

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

static barrow_coverage *covered;
static uint64_t all_counted[2], own_counted[MOST][2];

/* Each thread counts in a module of all and in its own, while one of them writes the file. */
static void cover(task *w, barrow_mutator *m) {
  size_t i;
  all_come(w, m, (size_t *)w->shared);
  for (i = 0; i < w->rounds; i++) {
    BARROW_TICK_SHARED(all_counted, 1);
    if (i % (w->number + 1) == 0) BARROW_TICK_SHARED(own_counted[w->number], 0);
    if (w->number == 0 && i % 256 == 128) MUST(w, barrow_coverage_write(covered) == BARROW_OK);
    if (i % 100 == 0) MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

static void coverage_of(size_t threads) {
  static barrow_coverage_module modules[MOST + 1];
  static char names[MOST][8];
  barrow_coverage_module all = BARROW_COVERAGE_MODULE("All", 5, all_counted);
  barrow_coverage_options options;
  const size_t rounds = slow_share(100000) / threads + 1000;
  size_t come = 0;
  task like = task_of(rounds);
  toy t = profiled("-A256k");
  char wanted[60];
  size_t i;
  memset(all_counted, 0, sizeof all_counted), memset(own_counted, 0, sizeof own_counted);
  memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options, options.file = STEM ".tix";
  removed(".tix");
  for (i = 0; i < threads; i++) {
    barrow_coverage_module own = BARROW_COVERAGE_MODULE("", 7, own_counted[i]);
    sprintf(names[i], "M%02u", (unsigned)i);
    own.name = names[i];
    modules[i] = own;
  }
  modules[threads] = all;
  CHECK_OK(barrow_coverage_new(&options, &covered));
  CHECK_OK(barrow_coverage_register(covered, modules, threads + 1));
  like.shared = &come;
  in_threads(t, threads, like, cover);
  CHECK_OK(barrow_coverage_free(covered));
  toy_free(t);
  last_of(".tix");
  sprintf(wanted, "\"All\" 5 2 [0,%lu]", (unsigned long)(threads * rounds));
  CHECK(strstr(text, wanted) != NULL);
  for (i = 0; i < threads; i++) {
    sprintf(wanted, "\"%.7s\" 7 2 [%lu,0]", names[i], (unsigned long)((rounds + i) / (i + 1)));
    CHECK(strstr(text, wanted) != NULL);
  }
}

static void coverage_adds_up(void) {
  size_t n;
  for (n = 0; n < tried(); n++) coverage_of(counts[n]);
}

/* ---- counts beyond the greatest number -------------------------------------------------------------------------------------- */

static barrow_cc wrapped_cc = BARROW_CC("wraps", "Main", NULL);

static void *counts_much(void *heap) {
  barrow_mutator *m;
  barrow_ccs *before;
  CHECK_OK(barrow_attach((barrow_heap *)heap, &m));
  before = barrow_ccs_enter(m, &wrapped_cc);
  barrow_cost_of(m, barrow_ccs_current(m))->entries = UINT64_MAX;
  barrow_ccs_leave(m, before);
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* Entries of threads that have ended wrap, as they do where compiled code counts them. */
static void entries_wrap(void) {
  toy t = toy_new("--mutators=3");
  int i;
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < 2; i++) in_another_thread(counts_much, t.heap);
  CHECK_OK(barrow_leave_foreign(t.m));
  toy_free(t);
}

/* ---- samples by bytes --------------------------------------------------------------------------------------------------- */

enum { INTERVAL = 512 << 10, NURSERY = 256 << 10 };

/* Each thread holds a tree, and goes to foreign code and comes back while others collect. */
static void fill_and_leave(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 6, 1);
  for (i = 0; i < w->rounds; i++) {
    task_list(w, m, 100, &cell_info);
    barrow_use(m, r.kept);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  }
  BARROW_LEAVE(m, r);
}

/* A sample is late by what the chunks of others have room for, which is a nursery at most, and none comes twice. */
static void samples_by_bytes_of(size_t threads, const char *flags) {
  char line[120];
  size_t count;
  uint64_t made;
  toy t;
  sprintf(line, "-A256k -ib512k %.60s", flags);
  t = profiled(line);
  in_threads(t, threads, task_of(slow_share(10000) / threads + 1), fill_and_leave);
  made = toy_stats(t).allocated_bytes;
  toy_free(t);
  count = times(last_of(".hp"), "BEGIN_SAMPLE") - 2; /* the empty ones at both ends */
  if (count > made / INTERVAL || count < made / (INTERVAL + NURSERY) - 1) {
    fprintf(stderr, "%s: %lu threads, %s: %lu samples of %lu bytes\n", check_case, (unsigned long)threads, flags,
            (unsigned long)count, (unsigned long)made);
    check_failures++;
  }
}

static void samples_by_bytes_are_as_many_as_intervals(void) {
  static const char *const flags[] = {"-hT", "-hb", "-hr", "-hc -p --tick-bytes=10k", "-hy --space=" STEM ".space"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(); n++) samples_by_bytes_of(counts[n], flags[f]);
  removed(".biography"), removed(".prof"), removed(".space");
}

int main(void) {
  RUN(space_is_told_apart);
  RUN(retainers_of_all_are_told);
  RUN(coverage_adds_up);
  RUN(samples_by_bytes_are_as_many_as_intervals);
  RUN(entries_wrap); /* registers a cost centre */
  return DONE;
}
