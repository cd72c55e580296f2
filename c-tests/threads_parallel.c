/* Random programs of 2 to 8 mutators that all run at once, each beside a model of its own objects. A thread's objects are its
 * own, and lie in its slots of a table that all share. So what it sees does not depend on who runs when. Fixed objects are
 * everybody's: whoever comes first evaluates a thunk among them, and its value is the same whoever it was. */
#include "programs.h"
#include "seeds.h"

static world worlds[THREADS];
static size_t steps_each;
static pthread_barrier_t meeting;

/* Nobody waits for others inside the heap. */
static void meet(barrow_mutator *m) {
  CHECK_OK(barrow_enter_foreign(m));
  pthread_barrier_wait(&meeting);
  CHECK_OK(barrow_leave_foreign(m));
}

static void *play(void *given) {
  player p;
  size_t i;
  memset(&p, 0, sizeof p);
  p.me = (int)(size_t)given;
  p.w = &worlds[p.me];
  come(&p);
  meet(p.m);
  for (i = 0; i < steps_each && check_failures == 0; i++) {
    step(&p);
    if (i % 50 == 49) compare(&p, false);
    if (i % 300 == 299) WITHIN_LIMIT(heap, barrow_check(p.m));
    WITHIN_LIMIT(heap, barrow_safepoint(p.m));
  }
  meet(p.m); /* all are at their end: the main thread collects */
  meet(p.m);
  compare(&p, true);
  barrow_frames_restore(p.m, p.frame.up);
  for (i = 0; i < ROOTS; i++) p.w->roots[p.me][i] = 0;
  if (p.me % 2 == 0) CHECK_OK(barrow_detach(p.m)); /* the others are detached by their end */
  return NULL;
}

/* All threads stand: what lives is what all worlds say, when no finalizer waits. */
static void compare_census(toy t, int n) {
  counts due;
  int i;
  WITHIN_LIMIT(t.heap, barrow_collect(t.m, true));
  barrow_run_finalizers(t.m, run_object, NULL, 0);
  memset(&due, 0, sizeof due);
  count_fixed(&due);
  for (i = 0; i < n; i++) count_world(&worlds[i], &due);
  WITHIN_LIMIT(t.heap, barrow_census(t.m));
  match_census(t.heap, &due, false);
}

/* What is left when the threads have gone: each one's part of the table, and what its handles hold. */
static void compare_what_is_left(toy t, int n) {
  int i;
  WITHIN_LIMIT(t.heap, barrow_collect(t.m, true));
  WITHIN_LIMIT(t.heap, barrow_check(t.m));
  barrow_run_finalizers(t.m, run_object, NULL, 0);
  for (i = 0; i < n; i++) {
    reach_all(&worlds[i]);
    compare_shared(&worlds[i], t.m, true);
    match_finalizers(&worlds[i], true);
    end_world(&worlds[i], t.m);
  }
}

static void run(const char *flags, int n, uint64_t seed, size_t steps) {
  pthread_t thread[THREADS];
  char line[200];
  toy t;
  int i;
  sprintf(line, "%.80s %.80s", flags, more_flags_of(seed));
  seed_begins("threads_parallel", seed, n, line);
  t = begin_heap(line, n);
  steps_each = steps;
  for (i = 0; i < n; i++) begin_world(&worlds[i], (size_t)i * PART, seed * 2654435761u + (uint64_t)i * 40503u);
  CHECK_EQ(pthread_barrier_init(&meeting, NULL, (unsigned)n + 1), 0);
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < n; i++) CHECK_EQ(pthread_create(&thread[i], NULL, play, (void *)(size_t)i), 0);
  pthread_barrier_wait(&meeting);
  pthread_barrier_wait(&meeting);
  CHECK_OK(barrow_leave_foreign(t.m));
  compare_census(t, n);
  WITHIN_LIMIT(t.heap, barrow_check(t.m));
  CHECK_OK(barrow_enter_foreign(t.m));
  pthread_barrier_wait(&meeting);
  for (i = 0; i < n; i++) CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  pthread_barrier_destroy(&meeting);
  compare_what_is_left(t, n);
  end_heap(t);
  for (i = 0; i < n; i++) match_what_ran(&worlds[i]);
  seed_ends();
}

static const char *const many_flags[] = {"-A128k", "-A64k --workers=1", "-A64k -c --workers=2!", "-A128k --source=chunks --workers=3!",
                                         "-A64k -G3 -T3 --old=copy --workers=4!", "-A128k -G1 --workers=2!", "-A128k --old=copy --workers=3!",
                                         "-A64k -DS --stress=20", "-A64k -DS -c --workers=4! --stress=9",
                                         "-A128k -hT -i0 --workers=3!", "-A64k -hb -hd -i0 -c --workers=2!", "-A64k -hr -hy -ib400k",
                                         "--workers=2!", "-A1m", "-A4m -n64k --workers=3!",
                                         "-A64k -M64m --workers=2!", "-A64k -c -M48m", "-A64k -M64m --source=chunks"};

enum { FLAGS = sizeof many_flags / sizeof *many_flags };

/* Each number of threads with all flags. Who runs when is the system's to say: a seed that has failed may want many tries. */
static void all_at_once(void) {
  static const int mutators[] = {2, 4, 8};
  seeds s = seeds_to_run(3 * FLAGS, 1);
  for (; s.first < s.end && check_failures == 0; s.first++) {
    const char *flags = many_flags[s.first % FLAGS];
    run(flags, mutators[s.first / FLAGS % 3], s.first, much(strstr(flags, "-DS") ? 400 : 4000));
  }
}

int main(void) {
  RUN(all_at_once);
  match_sights(SAW_RARELY | 1u << SAW_WAITS, 1u << SAW_TURNS | 1u << SAW_TURNS_IN_THE_MIDDLE);
  return DONE;
}
