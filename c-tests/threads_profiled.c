/* Profiles of a heap with several mutators: what each has counted adds up, and censuses count what all of them hold. */
#define _DEFAULT_SOURCE
#define BARROW_TICKY
#define STEM "threads-profiled"
#include "centres.h"
#include "files.h"
#include "pprof.h"
#include "profiled.h"
#include "barrow/ticky.h"
#include <math.h>

enum { HELD = 127 };

/* The counts of threads that are tried where each takes long. */
static size_t few(void) { return toy_is_slow() ? 2 : 4; }

/* ---- costs ---------------------------------------------------------------------------------------------------------- */

static barrow_cc inner = BARROW_CC("inner", "Main", NULL);

/* The bytes and entries of all stacks whose innermost centre has this label; of all there are without one. */
static barrow_cost_row cost_of(barrow_mutator *m, const char *label) {
  static barrow_cost_row rows[1000]; /* no thread but one asks */
  barrow_cost_row sum;
  size_t count = 0, i;
  memset(&sum, 0, sizeof sum);
  rows[0].size = (uint32_t)sizeof rows[0];
  CHECK_OK(barrow_costs(m, rows, 1000, &count));
  CHECK(count <= 1000);
  for (i = 0; i < count; i++) {
    if (label && strcmp(rows[i].label, label) != 0) continue;
    sum.bytes += rows[i].bytes;
    sum.entries += rows[i].entries;
    sum.ticks += rows[i].ticks;
  }
  return sum;
}

/* Each thread has a centre of its own, in which it builds trees, half of them in a centre that all threads share. */
static void costly(task *w, barrow_mutator *m) {
  barrow_word *bytes = (barrow_word *)w->shared;
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    barrow_ccs *before = barrow_ccs_enter(m, &centres[w->number]), *outer;
    barrow_word made = w->made;
    tree(w, m, 6, 1);
    bytes[w->number] += w->made - made;
    outer = barrow_ccs_enter(m, &inner);
    tree(w, m, 5, 1);
    barrow_ccs_leave(m, outer);
    barrow_ccs_leave(m, before);
    /* A report in between waits for all others. */
    if (w->number == 1 && i % 100 == 50) MUST(w, cost_of(m, "inner").entries >= i);
    if (w->number == 2 && i % 200 == 100) MUST(w, barrow_cost_report(m, STEM ".between", BARROW_COST_ALL) == BARROW_OK);
  }
}

static void costs_of(size_t threads, const char *flags) {
  toy t = profiled(flags);
  size_t rounds = slow_share(4000 / threads + 100), i, run;
  barrow_word bytes[MOST], made = 0;
  task like = task_of(rounds);
  memset(bytes, 0, sizeof bytes);
  like.shared = bytes;
  for (run = 0; run < 2; run++) made += in_threads(t, threads, like, costly);
  for (i = 0; i < threads; i++) {
    barrow_cost_row cost = cost_of(t.m, centres[i].label);
    CHECK_EQ(cost.bytes, bytes[i]);
    CHECK_EQ(cost.entries, 2 * rounds);
    made -= cost.bytes;
  }
  CHECK_EQ(cost_of(t.m, "inner").bytes, made);
  CHECK_EQ(cost_of(t.m, "inner").entries, 2 * rounds * threads);
  CHECK_EQ(cost_of(t.m, NULL).bytes, toy_stats(t).allocated_bytes);
  toy_free(t);
  removed(".between");
}

static void costs_add_up(const char *flags) {
  size_t n;
  for (n = 0; n < few(); n++) costs_of(counts[n], flags);
}

static void costs_without_a_report(void) { costs_add_up("-A256k"); }

static void costs_with_a_report(void) {
  costs_add_up("-A256k -p");
  CHECK(strstr(last_of(".prof"), "c01") != NULL);
  costs_add_up("-A256k -pj --tick-bytes=10k");
  CHECK(strstr(last_of(".prof"), "\"inner\"") != NULL);
}

/* The ticks by bytes are those of all that mutators have made that have gone, and of whole ticks of this one. */
static void check_ticks(toy t, size_t tick) {
  uint64_t due = toy_stats(t).allocated_bytes / tick, ticks = cost_of(t.m, NULL).ticks;
  CHECK(ticks <= due && ticks + 1 >= due);
  CHECK_EQ(cost_of(t.m, "MAIN").ticks, 0); /* all is made in centres */
}

static void make_nine_tenths(task *w, barrow_mutator *m) {
  barrow_ccs *before = barrow_ccs_enter(m, &centres[w->number]);
  task_list(w, m, w->rounds, &node_info);
  barrow_ccs_leave(m, before);
}

/* Less than a tick each, by threads and by mutators that follow each other in a heap for one. */
static void parts_of_ticks_add_up(void) {
  size_t n, i;
  toy t;
  task w = task_of(27);
  for (n = 0; n < tried(); n++) {
    t = profiled("-A256k -p --tick-bytes=960");
    for (i = 0; i < 3; i++) {
      in_threads(t, counts[n], w, make_nine_tenths);
      check_ticks(t, 960);
    }
    toy_free(t);
  }
  t = toy_new("-po" STEM " -A256k -p --tick-bytes=960");
  for (i = 0; i < 10; i++) {
    make_nine_tenths(&w, t.m);
    CHECK_OK(barrow_detach(t.m));
    CHECK_OK(barrow_attach(t.heap, &t.m));
    check_ticks(t, 960);
  }
  CHECK_EQ(cost_of(t.m, NULL).ticks, 9);
  CHECK_EQ(w.failures, 0);
  toy_free(t);
  removed(".prof");
}

/* ---- ticky ---------------------------------------------------------------------------------------------------------- */

static barrow_ticky_function functions[2] = {BARROW_TICKY_FUNCTION("mine", "Main", 1, "i", NULL, NULL, 0),
                                             BARROW_TICKY_FUNCTION("yours", "Main", 2, "ii", NULL, NULL, 0)};

static barrow_ticky ticks_of(barrow_mutator *m) {
  barrow_ticky all;
  memset(&all, 0, sizeof all);
  all.size = (uint32_t)sizeof all;
  CHECK_OK(barrow_ticky_counters(m, &all));
  return all;
}

static void counted(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    BARROW_TICKY_ENTER(m, &functions[i & 1]);
    BARROW_TICKY_COUNT(m, ent_bh_ctr);
    BARROW_TICKY_ALLOC_BY(m, &functions[0], 3);
    if (w->number == 0 && i % 5000 == 0) MUST(w, ticks_of(m).ent_bh_ctr >= i + 1);
    if (i % 100 == 0) MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

static void ticks_of_threads(size_t threads) {
  toy t = profiled("-r -A256k");
  size_t rounds = slow_share(200000 / threads) & ~(size_t)1, count = 0, run;
  barrow_ticky_row_t rows[2];
  for (run = 0; run < 2; run++) in_threads(t, threads, task_of(rounds), counted);
  CHECK_EQ(ticks_of(t.m).ent_bh_ctr, 2 * threads * rounds);
  memset(rows, 0, sizeof rows);
  rows[0].size = (uint32_t)sizeof rows[0];
  CHECK_OK(barrow_ticky_functions(t.m, rows, 2, &count));
  CHECK_EQ(count, 2);
  CHECK_EQ(rows[0].entries, threads * rounds);
  CHECK_EQ(rows[1].entries, threads * rounds);
  CHECK_EQ(rows[0].allocated_by + rows[1].allocated_by, 2 * threads * rounds * 3 * sizeof(barrow_word));
  toy_free(t);
  CHECK(strstr(last_of(".ticky"), "yours") != NULL);
}

static void ticks_add_up(void) {
  size_t n;
  for (n = 0; n < few(); n++) ticks_of_threads(counts[n]);
}

/* ---- heap profiles -------------------------------------------------------------------------------------------------- */

/* All threads hold a tree, each made in a centre of its own, while one of them takes a census. */
static void hold(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t *waiting = (size_t *)w->shared;
  barrow_ccs *before = barrow_ccs_enter(m, &centres[w->number]);
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 7, 1);
  all_come(w, m, waiting);
  if (w->number == 0) {
    MUST(w, barrow_census(m) == BARROW_OK);
    __atomic_add_fetch(waiting, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, waiting, w->count + 1);
  BARROW_LEAVE(m, r);
  barrow_ccs_leave(m, before);
}

static const char *sampled(size_t threads, const char *flags) {
  toy t = profiled(flags);
  task like = task_of(0);
  size_t waiting = 0;
  like.shared = &waiting;
  in_threads(t, threads, like, hold);
  toy_free(t);
  return last_of(".hp");
}

/* The sum of the bands of the first sample behind the empty one. */
static long sum_of_sample(const char *hp) {
  const char *at = strstr(hp, "\nEND_SAMPLE"), *end = at ? strstr(at + 1, "\nEND_SAMPLE") : NULL;
  long sum = 0;
  CHECK(end != NULL);
  for (at = at ? strchr(at, '\t') : NULL; at && at < end; at = strchr(at + 1, '\t')) sum += atol(at + 1);
  return sum;
}

static void samples_of_threads(size_t threads) {
  static const char *const all[][2] = {{"-hd -i0 -A1m -DS", "node_info"}, {"-hm -i0 -A256k", "Main"},
                                       {"-hi -i0 -A256k", "c-tests.node_info"}, {"-hy -i0 -A256k", "node_info"}};
  const long held = (long)(HELD * sizeof(node));
  const char *hp;
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    const char *at = strstr(sampled(threads, all[i][0]), all[i][1]);
    CHECK(at != NULL && atol(strchr(at, '\t') + 1) == (long)threads * held);
  }
  CHECK_EQ(sum_of_sample(sampled(threads, "-hT -i0 -A256k")), (long)threads * held);
  hp = sampled(threads, "-hc -i0 -A256k");
  for (i = 0; i < threads; i++) CHECK_EQ(labelled(hp, 1, centres[i].label), held);
  CHECK_EQ(line_of(sampled(threads, "-hd -hcc00 -i0 -A256k"), 1, "node_info"), held);
  /* Places in the code that allocate: every allocation comes out of line. */
  CHECK_EQ(sum_of_sample(sampled(threads, "-ha -i0 -A256k")), (long)threads * held);
  CHECK_EQ(line_of(sampled(threads, "-hr -i0 -A256k"), 1, "(2)shadow_stack"), (long)threads * held);
}

static void samples_count_all_mutators(void) {
  size_t n;
  for (n = 0; n < few(); n++) samples_of_threads(counts[n]);
}

/* Samples by time and by bytes, of threads that run; the profile is started and stopped in the middle. */
static void busy_and_profiled(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  const char *flags = (const char *)w->shared;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 10, 1);
  for (i = 0; i < w->rounds; i++) {
    if (w->number == 1 && i == w->rounds / 4) MUST(w, barrow_profile_start(m, flags) == BARROW_OK);
    if (w->number == 2 && i == w->rounds / 2) {
      barrow_status marked = barrow_profile_mark(m);
      MUST(w, marked == BARROW_OK || marked == BARROW_E_STATE); /* before the start, or behind the end */
    }
    tree(w, m, 3 + i % 7, 1);
    if (w->number == 1 && i == w->rounds / 4 * 3) MUST(w, barrow_profile_stop(m) == BARROW_OK);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 1023);
  BARROW_LEAVE(m, r);
}

static void runs_are_sampled(const char *heap_flags, const char *flags, int at_least) {
  toy t = profiled(heap_flags);
  task like = task_of(slow_share(8000));
  const char *hp;
  int i, samples;
  like.shared = (void *)flags;
  in_threads(t, 5, like, busy_and_profiled);
  toy_free(t);
  hp = file(".hp");
  samples = (int)times(hp, "BEGIN_SAMPLE") - 2;
  CHECK(samples >= (getenv("BARROW_TEST_SLOW") ? 0 : at_least));
  /* What is sampled is at least the trees that threads keep; before all have made theirs, at least one. */
  for (i = 1, hp = strstr(hp, "BEGIN_SAMPLE"); i <= samples && hp; i++, hp = strstr(hp + 1, "BEGIN_SAMPLE"))
    CHECK(line_of(hp, 0, "node_info") >= (long)(1023 * sizeof(node)));
  removed(".hp");
}

static void profiles_of_running_threads(void) {
  runs_are_sampled("-A256k", "-hd -ib500k", 3);
  runs_are_sampled("-A256k -DS", "-hd -i0.002", 1);
  runs_are_sampled("-A1m -c", "-hd -iw0.002", 1);
  runs_are_sampled("-A256k -G3", "-hd -in", 0);
}

/* ---- samples of allocation ------------------------------------------------------------------------------------------ */

/* Samples come at random, 256 bytes apart on average: a hundred thousand of them, whose number has a deviation of three in a
 * thousand; in small sizes ten thousand, and one in a hundred. */
static void estimates_are_near(const char *flags, size_t threads) {
  toy t = profiled(flags);
  barrow_word made = in_threads(t, threads, task_of(slow_share(2000) / threads), trees);
  double estimate;
  int found;
  CHECK_OK(barrow_samples_write(t.m, STEM ".pprof"));
  estimate = sums_of(STEM ".pprof", "node_info", &found).allocated_bytes;
  CHECK(found);
  CHECK(fabs(estimate / (double)made - 1) < (toy_is_slow() ? 0.06 : 0.02));
  toy_free(t);
  removed(".pprof");
}

static void samples_of_all_threads(void) {
  size_t n;
  for (n = 0; n < few(); n++) estimates_are_near("-A256k --sample-every=256", counts[n]);
  estimates_are_near("-A4m --sample-every=256 -c", 5);
  estimates_are_near("-A256k --sample-every=256 --source=chunks --stress=100", 5);
}

/* Of a mean distance of one byte, no object of four words is missed: the chance is exp(-32). Each sample stands for one object then,
 * so sums are what is counted here, to the byte. */
enum { MADE, LIVE };
typedef struct sampling {
  size_t waiting;
  size_t objects[2][MOST], bytes[2][MOST]; /* of all that was made, and of what lives while all are there */
} sampling;

static void make_and_hold(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; barrow_word *words; } r;
  sampling *all = (sampling *)w->shared;
  barrow_ccs *before = barrow_ccs_enter(m, &centres[w->number]);
  size_t words = 0, i, depth = 4 + w->number % 4;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, depth, 1);
  for (i = 0; i < w->rounds; i++) {
    tree(w, m, 3 + i % 3, 1);
    if (w->number % 4 == i) MUST(w, barrow_collect(m, i % 2 == 1) == BARROW_OK);
    r.words = (barrow_word *)barrow_allocate(m, barrow_bytes_words(100)); /* a call's, and the last one stays */
    MUST(w, r.words != NULL);
    r.words[0] = (barrow_word)&bytes_info, r.words[1] = 100;
    words++;
  }
  all->objects[MADE][w->number] = w->made / sizeof(node) + words;
  all->bytes[MADE][w->number] = w->made + words * 8 * barrow_bytes_words(100);
  all->objects[LIVE][w->number] = ((size_t)1 << depth) - 1 + 1;
  all->bytes[LIVE][w->number] = (((size_t)1 << depth) - 1) * sizeof(node) + 8 * barrow_bytes_words(100);
  all_come(w, m, &all->waiting);
  if (w->number == w->count - 1) {
    MUST(w, barrow_collect(m, true) == BARROW_OK);
    MUST(w, barrow_samples_write(m, STEM ".pprof") == BARROW_OK);
    __atomic_add_fetch(&all->waiting, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, &all->waiting, w->count + 1);
  MUST(w, nodes_of(w, r.kept, 1) == ((size_t)1 << depth) - 1 && r.words[1] == 100);
  BARROW_LEAVE(m, r);
  barrow_ccs_leave(m, before);
}

static void samples_are(const sampling *all, size_t threads, bool live) {
  size_t length = profile_read(STEM ".pprof"), i;
  sums whole = sums_labelled(length, 0);
  for (i = 0; i < threads; i++) {
    uint64_t label = text_number(length, centres[i].label);
    sums one = sums_labelled(length, label);
    CHECK(label != 0);
    CHECK_EQ(one.allocated, all->objects[MADE][i]);
    CHECK_EQ(one.allocated_bytes, all->bytes[MADE][i]);
    CHECK_EQ(one.live, live ? all->objects[LIVE][i] : 0);
    CHECK_EQ(one.live_bytes, live ? all->bytes[LIVE][i] : 0);
    whole.allocated -= one.allocated, whole.live_bytes -= one.live_bytes;
  }
  /* Nothing else was made. */
  CHECK_EQ(whole.allocated, 0);
  CHECK_EQ(whole.live_bytes, 0);
  removed(".pprof");
}

static void samples_in_use_of(size_t threads, const char *flags) {
  static sampling all;
  toy t = profiled(flags);
  task like = task_of(8);
  memset(&all, 0, sizeof all);
  like.shared = &all;
  in_threads(t, threads, like, make_and_hold);
  samples_are(&all, threads, true);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_samples_write(t.m, STEM ".pprof"));
  samples_are(&all, threads, false);
  toy_free(t);
}

static void samples_in_use_are_what_lives(void) {
  static const char *const flags[] = {"-A256k --sample-every=1", "-A256k --sample-every=1 -c", "-A256k --sample-every=1 -G3 -T3 --old=copy",
                                      "-A256k --sample-every=1 --source=chunks -G1", "-A4m --sample-every=1 -DS"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(); n++) samples_in_use_of(counts[n], flags[f]);
}

int main(void) {
  make_centres();
  RUN(costs_without_a_report);
  RUN(costs_with_a_report);
  RUN(parts_of_ticks_add_up);
  RUN(ticks_add_up);
  RUN(samples_count_all_mutators);
  RUN(profiles_of_running_threads);
  RUN(samples_of_all_threads);
  RUN(samples_in_use_are_what_lives);
  return DONE;
}
