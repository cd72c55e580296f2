/* The time line of --stops: a line for each collection and for each time that threads stood for another one, whose sums are
 * those of barrow_stats, and in which each of 8 threads is found. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define STEM "threads-stops"
#include "files.h"
#include "tasks.h"
#include <sys/wait.h>

enum { THREADS = 8, MOST_SPANS = 1 << 16 };

typedef struct span {
  unsigned long long asked, still, ended;
  unsigned long thread, workers;
} span;

/* What a file says. */
static struct found {
  size_t stops, collections, majors, attached, detached, unknown, ends;
  unsigned long long waited, collected;
  unsigned long most_workers;
  size_t stopped[64], asked[64]; /* by thread: the times that it stood, and that it kept others still */
  size_t fewest, most;           /* other threads in a stop */
  size_t outside;                /* collections in no stop of their thread while there were several */
} found;
static span spans[MOST_SPANS], runs[MOST_SPANS];

static void read_stop(const char *line) {
  span *one = &spans[found.stops % MOST_SPANS];
  int used = 0;
  size_t others = 0;
  unsigned long thread;
  unsigned long long at;
  char sign;
  CHECK_EQ(sscanf(line, "stop %llu %llu %llu thread %lu%n", &one->asked, &one->still, &one->ended, &one->thread, &used), 4);
  CHECK(one->asked <= one->still && one->still <= one->ended);
  found.stops++;
  found.waited += one->still - one->asked;
  if (one->thread < 64) found.asked[one->thread]++;
  for (line += used; *line == ' '; line += used, others++) {
    CHECK_EQ(sscanf(line, " %lu%c%llu%n", &thread, &sign, &at, &used), 3);
    CHECK((sign == '@' || sign == '~') && thread != one->thread);
    CHECK(one->asked <= at && at <= one->still);
    if (thread < 64) found.stopped[thread]++;
  }
  CHECK_EQ(*line, '\n');
  if (others < found.fewest) found.fewest = others;
  if (others > found.most) found.most = others;
}

static void read_collection(const char *line) {
  span *one = &runs[found.collections % MOST_SPANS];
  unsigned long number, generation;
  unsigned long long copied, live;
  char word[6];
  CHECK_EQ(sscanf(line, "collection %llu %llu thread %lu workers %lu number %lu generation %lu %5s copied %llu live %llu",
                  &one->asked, &one->ended, &one->thread, &one->workers, &number, &generation, word, &copied, &live), 9);
  CHECK(one->asked <= one->ended && generation <= 1);
  CHECK(strcmp(word, generation == 1 ? "major" : "minor") == 0);
  found.collections++;
  CHECK_EQ(number, found.collections);
  found.collected += one->ended - one->asked;
  found.majors += generation == 1;
  if (one->workers > found.most_workers) found.most_workers = one->workers;
}

static void read_lines(const char *whole) {
  size_t i, k;
  memset(&found, 0, sizeof found);
  found.fewest = 1000;
  CHECK(strncmp(whole, "barrow-stops 1\n", 15) == 0);
  for (whole = strchr(whole + 15, '\n') + 1; *whole; whole = strchr(whole, '\n') + 1) {
    if (strncmp(whole, "stop ", 5) == 0) read_stop(whole);
    else if (strncmp(whole, "collection ", 11) == 0) read_collection(whole);
    else if (strncmp(whole, "attach ", 7) == 0) found.attached++;
    else if (strncmp(whole, "detach ", 7) == 0) found.detached++;
    else if (strncmp(whole, "end ", 4) == 0) found.ends++;
    else found.unknown++;
  }
  CHECK(found.stops <= MOST_SPANS && found.collections <= MOST_SPANS);
  for (i = 0; i < found.collections; i++) {
    for (k = 0; k < found.stops; k++)
      if (spans[k].thread == runs[i].thread && spans[k].still <= runs[i].asked && runs[i].ended <= spans[k].ended) break;
    found.outside += k == found.stops;
  }
}

static void met(task *w, barrow_mutator *m) {
  size_t *come = (size_t *)w->shared;
  all_come(w, m, come);
  trees(w, m);
  /* Each asks once itself while all are there. */
  MUST(w, barrow_collect(m, false) == BARROW_OK);
  __atomic_add_fetch(come, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, come, 2 * w->count);
}

static void eight_threads_stand_and_collect(void) {
  toy t = toy_new("--mutators=9 --stops -A1m --workers=2! -po" STEM);
  barrow_stats_t stats;
  task like = task_of(slow_share(400));
  size_t come = 0, thread, stood = 0, asked = 0;
  like.shared = &come;
  in_threads(t, THREADS, like, met);
  CHECK_OK(barrow_collect(t.m, true));
  stats = toy_stats(t);
  CHECK_OK(barrow_heap_free(t.heap));
  read_lines(last_of(".stops"));
  CHECK_EQ(found.unknown, 0);
  CHECK_EQ(found.ends, 1);
  CHECK_EQ(found.attached, THREADS + 1);
  CHECK(found.detached >= THREADS);
  CHECK_EQ(found.stops, stats.stops);
  CHECK_EQ(found.waited, stats.stop_ns);
  CHECK_EQ(found.collections, stats.collections);
  CHECK_EQ(found.majors, stats.major_collections);
  CHECK_EQ(found.collected, stats.gc_wall_ns);
  CHECK_EQ(found.most_workers, 2);
  CHECK_EQ(found.most, THREADS);
  CHECK(found.fewest >= 1);
  /* All but those at the end, when this thread is alone. */
  CHECK(found.outside <= 1);
  for (thread = 0; thread < 64; thread++) {
    stood += found.stopped[thread] > 0;
    asked += found.asked[thread] > 0;
  }
  CHECK_EQ(stood, THREADS + 1);
  CHECK(asked >= THREADS);
}

static void one_thread_has_collections_alone(void) {
  toy t = toy_new("--stops -po" STEM);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, false));
  toy_free(t);
  read_lines(last_of(".stops"));
  CHECK_EQ(found.stops, 0);
  CHECK(found.collections >= 2 && found.majors >= 1);
  CHECK_EQ(found.most_workers, 1);
  CHECK_EQ(found.attached, 1);
  CHECK_EQ(found.ends, 1);
}

/* The file is the parent's: the child of a fork adds nothing to it. */
static void a_fork_has_none(void) {
  toy t = toy_new("--stops -po" STEM);
  pid_t child;
  int status = -1;
  CHECK_OK(barrow_collect(t.m, true));
  fflush(NULL);
  barrow_fork_prepare();
  child = fork();
  if (child == 0) {
    barrow_fork_child();
    check_failures = 0;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_heap_free(t.heap));
    _exit(check_failures);
  }
  barrow_fork_parent();
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_heap_free(t.heap));
  read_lines(last_of(".stops"));
  CHECK_EQ(found.attached, 1);
  CHECK_EQ(found.ends, 1);
  CHECK_EQ(found.majors, 2);
}

/* Turns of two threads that wait for each other: one makes an object in each of its own, the other one looks at counters in its. */
enum { TURNS = 80 };

static void makes_little(task *w, barrow_mutator *m) {
  size_t *turn = (size_t *)w->shared, k;
  for (k = 0; k < TURNS; k += 2) {
    await_all(w, m, turn, k);
    MUST(w, tree(w, m, 1, 1) != NULL);
    /* Half of the stops find it in foreign code. */
    if (k >= TURNS / 2) MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    __atomic_add_fetch(turn, 1, __ATOMIC_SEQ_CST);
    while (k >= TURNS / 2 && __atomic_load_n(turn, __ATOMIC_SEQ_CST) < k + 2) sched_yield();
    if (k >= TURNS / 2) MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  }
}

static void looks(task *w, barrow_mutator *m) {
  size_t *turn = (size_t *)w->shared, k;
  barrow_ticky counters;
  for (k = 1; k < TURNS; k += 2) {
    await_all(w, m, turn, k);
    memset(&counters, 0, sizeof counters);
    counters.size = (uint32_t)sizeof counters;
    MUST(w, barrow_ticky_counters(m, &counters) == BARROW_OK);
    __atomic_add_fetch(turn, 1, __ATOMIC_SEQ_CST);
  }
}

static void makes_or_looks(task *w, barrow_mutator *m) { (w->number == 0 ? makes_little : looks)(w, m); }

static void stops_without_collections_cost_no_nursery(void) {
  toy t = toy_new("--mutators=3 -A1m");
  size_t before, turn = 0;
  task like = task_of(0);
  like.shared = &turn;
  CHECK_OK(barrow_collect(t.m, false));
  before = toy_stats(t).collections;
  in_threads(t, 2, like, makes_or_looks);
  CHECK_EQ(turn, TURNS);
  CHECK_EQ(toy_stats(t).collections, before);
  toy_free(t);
}

static void makes_one(task *w, barrow_mutator *m) { MUST(w, tree(w, m, 1, 1) != NULL); }

static void threads_that_end_cost_no_nursery(void) {
  toy t = toy_new("--mutators=2 -A1m");
  size_t before, k;
  CHECK_OK(barrow_collect(t.m, false));
  before = toy_stats(t).collections;
  for (k = 0; k < 100; k++) in_threads(t, 1, task_of(0), makes_one);
  CHECK_EQ(toy_stats(t).collections, before);
  toy_free(t);
}

/* Comes to its safepoint 20 ms after it was asked for, each time. */
enum { LATE = 3 };
static void comes_late(task *w, barrow_mutator *m) {
  const struct timespec twenty = {0, 20000000};
  int i;
  for (i = 0; i < LATE; i++) {
    MUST(w, tree(w, m, 1, 1) != NULL); /* who has no chunk has no end of one */
    __atomic_add_fetch((size_t *)w->shared, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&barrow_window_of(m)->hp_lim, __ATOMIC_RELAXED) != NULL) sched_yield();
    nanosleep(&twenty, NULL);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

static void waits_for_the_late(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 1; i <= LATE; i++) {
    await_all(w, m, (size_t *)w->shared, i);
    MUST(w, barrow_collect(m, false) == BARROW_OK);
  }
}

static void late_and_waiting(task *w, barrow_mutator *m) { (w->number == 0 ? comes_late : waits_for_the_late)(w, m); }

/* The line of -s, in seconds with four digits, is what barrow_stats says, and that is what was waited for. */
static void figures_of_the_summary(void) {
  toy t = toy_new("--mutators=3 -A64m -s" STEM ".figures");
  barrow_stats_t s;
  task like = task_of(0);
  size_t come = 0;
  char line[100];
  const char *said;
  like.shared = &come;
  CHECK_OK(barrow_enter_foreign(t.m));
  in_threads(t, 2, like, late_and_waiting);
  CHECK_OK(barrow_leave_foreign(t.m));
  s = toy_stats(t);
  CHECK(s.stops >= LATE && s.max_stop_ns >= 20000000 && s.stop_ns >= LATE * (uint64_t)20000000);
  CHECK(s.max_stop_ns <= s.stop_ns);
  toy_free(t);
  sprintf(line, "\n  Stops         %lu, threads came in %.4fs, the slowest in %.4fs\n", (unsigned long)s.stops,
          (double)s.stop_ns / 1e9, (double)s.max_stop_ns / 1e9);
  said = last_of(".figures");
  CHECK(strstr(said, line) != NULL);
  if (!strstr(said, line)) fprintf(stderr, "expected:%sin:\n%s", line, said);
}

static void names_and_refusals(void) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  char value[100];
  toy t = toy_new("-po" STEM);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  CHECK_EQ(strlen(file(".stops")), 0);
  t = toy_new("--stops=" STEM ".line");
  CHECK_OK(barrow_flag_value(t.heap, "--stops", value, sizeof value));
  CHECK(strcmp(value, STEM ".line") == 0);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  read_lines(last_of(".line"));
  CHECK(found.collections >= 1);
  barrow_config_init(&config);
  config.flags = "--stops=no/such/folder/file";
  REFUSED(BARROW_E_IO, barrow_heap_new(&config, &heap, &m));
}

/* A reader of the file of a quiet program finds all lines but those of the last moment. */
static void lines_come_as_the_program_runs(void) {
  const struct timespec pause = {0, 20 * 1000 * 1000};
  toy t = toy_new("--stops -A64k -po" STEM);
  size_t i;
  for (i = 1; i <= 3; i++) {
    nanosleep(&pause, NULL);
    CHECK_OK(barrow_collect(t.m, true));
    read_lines(file(".stops"));
    CHECK_EQ(found.collections, i);
    CHECK_EQ(found.attached, 1);
  }
  toy_free(t);
  removed(".stops");
}

int main(void) {
  RUN(lines_come_as_the_program_runs);
  RUN(eight_threads_stand_and_collect);
  RUN(one_thread_has_collections_alone);
  RUN(a_fork_has_none);
  RUN(stops_without_collections_cost_no_nursery);
  RUN(threads_that_end_cost_no_nursery);
  RUN(figures_of_the_summary);
  RUN(names_and_refusals);
  return DONE;
}
