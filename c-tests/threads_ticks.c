/* Time of several mutators, by cost centre and by function: each whole tick of the CPU time of 1, 2, 8 and 64 threads goes to what the
 * thread that used it was at. The bounds are the threads' own clocks, so they hold on a busy machine too: a clock that comes late
 * charges all whole ticks since its last look at once. */
#define _DEFAULT_SOURCE
#define STEM "threads-ticks"
#include "centres.h"
#include "files.h"
#include "profiled.h"
#include "space.h"

enum { TICK = 1000000 }; /* nanoseconds */

static uint64_t clock_of(clockid_t which) {
  struct timespec now;
  CHECK_EQ(clock_gettime(which, &now), 0);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
static uint64_t own_time(void) { return clock_of(CLOCK_THREAD_CPUTIME_ID); }
static uint64_t whole_time(void) { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }
static uint64_t wall(void) { return clock_of(CLOCK_MONOTONIC); }

/* ---- threads that compute, and threads that wait ------------------------------------------------------------------------ */

/* The manner of a thread: it computes and comes by safepoints, computes in foreign code, waits there, or makes trees. */
enum { COMPUTES, IS_FOREIGN, WAITS, MAKES };

/* What the threads of a case share. `charged` waits until the clock has looked at all of them, or gives up. */
typedef struct timing {
  bool late, makes, walks; /* the clock begins when all have come; some make trees; stacks are walked */
  void (*begin)(struct timing *, task *, barrow_mutator *); /* for `late` */
  void (*charged)(struct timing *, task *, barrow_mutator *);
  void (*at)(task *, barrow_mutator *, bool); /* goes to what is the thread's own, or leaves it */
  size_t come, computed;
  pthread_mutex_t lock;
  pthread_cond_t woken;
  int stage; /* 1: the clock has begun; 2: all are charged */
  uint64_t before[MOST], worked[MOST], all[MOST]; /* CPU time before the clock; at least in its own; in all */
} timing;

static int manner_of(const timing *all, size_t number) { return all->makes && number % 2 == 0 ? MAKES : (int)(number % 3); }

static void compute(task *w, barrow_mutator *m, int manner, uint64_t end) {
  while (own_time() < end) {
    volatile size_t work = 0;
    size_t i;
    for (i = 0; i < 20000 && manner != MAKES; i++) work = work + i;
    if (manner == MAKES) tree(w, m, 6, 1);
    if (manner == COMPUTES) MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

/* How often the stack of each thread was walked; written by that thread alone. */
static size_t walks[MOST];

/* A tick waits for a walk of its thread, at a safepoint. The second walk from here on is owed to a look that came after the first. */
static void be_walked(task *w, barrow_mutator *m) {
  size_t enough = walks[w->number] + 2;
  while (walks[w->number] < enough) compute(w, m, COMPUTES, own_time() + TICK / 10);
}

/* Sleeps in foreign code until it is woken, without a look in between, so that it uses no time. */
static void sleep_until(timing *all, task *w, barrow_mutator *m, int stage) {
  MUST(w, barrow_enter_foreign(m) == BARROW_OK);
  pthread_mutex_lock(&all->lock);
  while (all->stage < stage) pthread_cond_wait(&all->woken, &all->lock);
  pthread_mutex_unlock(&all->lock);
  MUST(w, barrow_leave_foreign(m) == BARROW_OK);
}

/* The first thread waits until so many have come, and wakes all when it has done something for them. */
static void first_of_all(timing *all, task *w, barrow_mutator *m, const size_t *come, int stage,
                         void (*something)(struct timing *, task *, barrow_mutator *)) {
  if (w->number != 0) {
    sleep_until(all, w, m, stage);
    return;
  }
  await_all(w, m, come, w->count);
  something(all, w, m);
  pthread_mutex_lock(&all->lock);
  all->stage = stage;
  pthread_cond_broadcast(&all->woken);
  pthread_mutex_unlock(&all->lock);
}

/* Each computes as long as the others, but those that wait, and stays in its own until all are charged. */
static void time_passes(task *w, barrow_mutator *m) {
  timing *all = (timing *)w->shared;
  int manner = manner_of(all, w->number);
  uint64_t length = w->rounds * TICK, begun;
  all->at(w, m, true);
  if (all->late) {
    compute(w, m, COMPUTES, own_time() + length / 2);
    all->before[w->number] = own_time();
    __atomic_add_fetch(&all->come, 1, __ATOMIC_SEQ_CST);
    first_of_all(all, w, m, &all->come, 1, all->begin);
  }
  begun = own_time();
  if (manner == IS_FOREIGN) MUST(w, barrow_enter_foreign(m) == BARROW_OK);
  if (manner != WAITS) compute(w, m, manner, begun + length);
  if (manner != WAITS) all->worked[w->number] = own_time() - begun;
  if (manner == IS_FOREIGN) MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  if (all->walks && manner != WAITS) be_walked(w, m);
  __atomic_add_fetch(&all->computed, 1, __ATOMIC_SEQ_CST);
  first_of_all(all, w, m, &all->computed, 2, all->charged);
  all->at(w, m, false);
  all->all[w->number] = own_time();
}

static void pass_time(toy t, timing *all, size_t threads, uint64_t ticks) {
  task like = task_of((size_t)ticks);
  like.shared = all;
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->woken, NULL);
  in_threads(t, threads, like, time_passes);
  pthread_cond_destroy(&all->woken);
  pthread_mutex_destroy(&all->lock);
}

/* Few are enough: bounds are exact to the tick. */
static uint64_t ticks_each(size_t threads) { return threads < 16 ? 64 / threads : 4; }

/* ---- cost centres ------------------------------------------------------------------------------------------------------- */

/* Ticks of each thread's centre, of waiting, of all that is hidden but waiting, and of all that is not; what the root has of these. */
typedef struct charges {
  uint64_t of[MOST], idle, hidden, told, root;
} charges;

static charges charges_of(barrow_mutator *m) {
  static barrow_cost_row rows[200]; /* no thread but one asks at a time */
  charges all;
  size_t count = 0, i, number;
  memset(&all, 0, sizeof all);
  rows[0].size = (uint32_t)sizeof rows[0];
  CHECK_OK(barrow_costs(m, rows, 200, &count));
  CHECK(count <= 200);
  for (i = 0; i < count; i++) {
    if (strcmp(rows[i].label, "MAIN") == 0) all.root = rows[i].inherited_ticks;
    if (strcmp(rows[i].label, "IDLE") == 0) all.idle += rows[i].ticks;
    else if (rows[i].flags & BARROW_COST_HIDDEN) all.hidden += rows[i].ticks;
    else all.told += rows[i].ticks;
    for (number = 0; number < MOST; number++)
      if (strcmp(rows[i].label, centres[number].label) == 0) all.of[number] += rows[i].ticks;
  }
  return all;
}

static void in_its_centre(task *w, barrow_mutator *m, bool comes) {
  static barrow_ccs *before[MOST];
  if (comes) before[w->number] = barrow_ccs_enter(m, &centres[w->number]);
  else barrow_ccs_leave(m, before[w->number]);
}

static void clock_begins(timing *all, task *w, barrow_mutator *m) {
  (void)all;
  MUST(w, barrow_cost_ticks(m, 1e-9 * TICK) == BARROW_OK);
}

/* The last looks at threads that have computed come late on a busy machine, but they come. All threads but this one wait then, and
 * the main thread does: each millisecond of that is IDLE's, once a look has come in time. */
static void all_are_charged(timing *all, task *w, barrow_mutator *m) {
  const struct timespec pause = {0, 2 * TICK};
  static uint64_t seconds = 60; /* waited once */
  uint64_t begun = wall(), first = charges_of(m).idle, passed;
  bool are_charged = false, is_idle = false;
  size_t i;
  while (!(are_charged && is_idle) && wall() - begun < seconds * 1000000000) {
    charges now = charges_of(m);
    uint64_t used = now.hidden, worked = 0;
    passed = (wall() - begun) / TICK;
    is_idle = is_idle || (passed >= 30 && now.idle - first >= w->count * (passed - passed / 5));
    are_charged = true;
    for (i = 0; i < w->count; i++) {
      are_charged = are_charged && (all->makes || now.of[i] >= all->worked[i] / TICK);
      used += now.of[i], worked += all->worked[i] / TICK;
    }
    are_charged = are_charged && used >= worked;
    nanosleep(&pause, NULL);
  }
  if (!(are_charged && is_idle)) seconds = 1;
  MUST(w, are_charged);
  MUST(w, is_idle);
}

/* The ticks that a report has in all. */
static uint64_t ticks_of_report(toy t, uint32_t kind) {
  const char *at;
  CHECK_OK(barrow_cost_report(t.m, STEM ".between", kind));
  at = strstr(last_of(".between"), " secs   (");
  CHECK(at != NULL);
  return at ? strtoul(at + strlen(" secs   ("), NULL, 10) : 0;
}

/* The sums of reports are those of the rows: of some moment between two looks at these, since this thread is still charged. */
static void reports_add_up(toy t) {
  charges now = charges_of(t.m), then;
  uint64_t told = ticks_of_report(t, BARROW_COST_STANDARD), whole = ticks_of_report(t, BARROW_COST_ALL);
  then = charges_of(t.m);
  CHECK(told >= now.told && told <= then.told);
  CHECK(whole >= now.told + now.hidden + now.idle && whole <= then.told + then.hidden + then.idle);
}

static void costs_of(size_t threads, bool late, bool makes) {
  static timing all;
  uint64_t begun = wall(), begun_at = whole_time(), worked = 0, i;
  toy t = profiled(late ? "-A1m" : "-A1m -p -V0.001");
  charges now;
  memset(&all, 0, sizeof all);
  all.late = late, all.makes = makes, all.at = in_its_centre, all.begin = clock_begins, all.charged = all_are_charged;
  pass_time(t, &all, threads, ticks_each(threads));
  now = charges_of(t.m);
  for (i = 0; i < threads; i++) {
    /* Ticks are whole: a thread that has used 1.9 of them is charged one, or two, when it goes, with parts of those that have gone. The
     * clock may never have seen threads that wait, so some of their parts may make another. The time of collections is nobody's, and no
     * call tells which thread used it. */
    CHECK(now.of[i] <= (all.all[i] - all.before[i]) / TICK + 2);
    CHECK(now.of[i] + (makes ? now.hidden : 0) >= all.worked[i] / TICK);
    if (!makes && manner_of(&all, i) == WAITS) CHECK_EQ(all.worked[i], 0);
    worked += all.worked[i] / TICK;
  }
  for (i = threads; i < MOST; i++) CHECK_EQ(now.of[i], 0);
  /* Parts of a tick of threads that have gone are added up, and this thread is charged as well. */
  CHECK(now.told + now.hidden <= (whole_time() - begun_at) / TICK);
  CHECK(now.told + now.hidden >= worked);
  CHECK_EQ(now.told, now.root);
  CHECK(now.idle + now.told + now.hidden <= (threads + 1) * (wall() - begun) / TICK);
  reports_add_up(t);
  toy_free(t);
  removed(".prof");
}

/* The clock does not see all threads that live for less than a tick, and some while they wait for one another at their ends: these
 * get a part of the time. How large it is depends on when the system lets the clock look: in one round of many, it is no less than
 * one in so many. */
enum { FEW = 8, ROUNDS = 100 };

/* Lives for less than a tick, all but its ends in its own. */
static void lives_shortly(task *w, barrow_mutator *m) {
  timing *all = (timing *)w->shared;
  uint64_t begun = own_time();
  all->at(w, m, true);
  compute(w, m, IS_FOREIGN, begun + TICK * 6 / 10);
  all->worked[w->number] = own_time() - begun;
  all->at(w, m, false);
}

/* Gives the time of so many threads in all. */
static uint64_t live_shortly(toy t, void (*at)(task *, barrow_mutator *, bool)) {
  static timing all;
  task like = task_of(0);
  uint64_t worked = 0;
  size_t i;
  memset(&all, 0, sizeof all);
  all.at = at;
  like.shared = &all;
  in_threads(t, MOST, like, lives_shortly);
  for (i = 0; i < MOST; i++) worked += all.worked[i];
  return worked;
}

/* Whether enough of them were seen. */
static bool short_lives_cost(void) {
  uint64_t begun_at = whole_time(), worked, theirs = 0, i;
  toy t = profiled("-A1m -p -V0.001");
  charges now;
  worked = live_shortly(t, in_its_centre);
  now = charges_of(t.m);
  for (i = 0; i < MOST; i++) theirs += now.of[i];
  CHECK(now.told + now.hidden >= worked / TICK);
  CHECK(now.told + now.hidden <= (whole_time() - begun_at) / TICK);
  toy_free(t);
  removed(".prof");
  return theirs >= worked / TICK / FEW;
}

static void costs_of_short_lives(void) {
  size_t round = 0;
  while (!short_lives_cost() && round < ROUNDS) round++;
  CHECK(round < ROUNDS);
}

static void costs_from_the_beginning(void) {
  size_t n;
  for (n = 0; n < tried(); n++) costs_of(counts[n], false, false);
}
static void costs_from_a_later_time(void) {
  size_t n;
  for (n = 0; n < tried(); n++) costs_of(counts[n], true, false);
}
static void costs_beside_collections(void) {
  size_t n;
  for (n = 0; n < tried(); n++) costs_of(counts[n], false, true);
}

/* ---- functions ---------------------------------------------------------------------------------------------------------- */

/* Each is as large as a table of a frame: the profiler looks whether it is one. */
static char words[MOST][sizeof(barrow_info)];

static void at_its_function(task *w, barrow_mutator *m, bool comes) {
  barrow_window_of(m)->function = comes ? &words[w->number] : NULL;
}

static size_t walk_one(void *client, barrow_mutator *m, void **functions, size_t room) {
  char *function = (char *)barrow_window_of(m)->function;
  (void)client;
  if (!function || room < 1) return 0;
  functions[0] = function;
  walks[(size_t)(function - words[0]) / sizeof words[0]]++;
  return 1;
}

static uint32_t profile;
static uint64_t patience; /* nanoseconds */

static void profile_begins(timing *all, task *w, barrow_mutator *m) {
  barrow_space_options options = wish();
  options.manner = BARROW_MANNER_TIME;
  options.tick_us = TICK / 1000;
  if (all->walks) options.walk = walk_one;
  MUST(w, barrow_space_begin(m, &options, &profile) == BARROW_OK);
}

/* Nothing tells before the end whether the clock has looked: it has time for that while all sleep. */
static void the_clock_has_time(timing *all, task *w, barrow_mutator *m) {
  struct timespec pause;
  (void)all;
  pause.tv_sec = (time_t)(patience / 1000000000), pause.tv_nsec = (long)(patience % 1000000000);
  nanosleep(&pause, NULL);
  MUST(w, barrow_space_end(m, profile) == BARROW_OK);
}

/* Whether all is charged that is due; without `again`, it has to be. */
static bool space_of(size_t threads, const timing *like, bool again) {
  static timing all;
  toy t = profiled("-A1m");
  barrow_space_totals_t totals;
  uint64_t used = 0, worked = 0, sum = 0, apart, i;
  bool are_charged = true;
  all = *like;
  all.at = at_its_function, all.begin = profile_begins, all.charged = the_clock_has_time;
  if (!all.late) {
    task own = task_of(0);
    profile_begins(&all, &own, t.m);
    CHECK_EQ(own.failures, 0);
  }
  pass_time(t, &all, threads, ticks_each(threads));
  totals = totals_of(t);
  apart = totals.ticks_collecting + totals.ticks_profiling + totals.ticks_lost;
  CHECK(all.walks || totals.ticks_lost == 0); /* the last of a thread may wait for a walk at the end */
  CHECK(all.makes || totals.ticks_collecting == 0);
  for (i = 0; i < threads; i++) {
    barrow_space_function_t own = function_of(t, &words[i]);
    CHECK_EQ(own.ticks_elsewhere, 0);
    CHECK(own.ticks_top <= (all.all[i] - all.before[i]) / TICK);
    if (all.walks && manner_of(&all, i) == WAITS) CHECK_EQ(own.ticks_top, 0);
    are_charged = are_charged && own.ticks_top + apart >= all.worked[i] / TICK;
    sum += own.ticks_top;
    used += (all.all[i] - all.before[i]) / TICK;
    worked += all.worked[i] / TICK;
  }
  CHECK_EQ(totals.ticks, sum + function_of(t, NULL).ticks_top);
  CHECK(totals.ticks + apart <= used + own_time() / TICK);
  are_charged = are_charged && totals.ticks + apart >= worked;
  CHECK(are_charged || again);
  toy_free(t);
  return are_charged;
}

static void functions_of(bool late, bool walks_stacks, bool makes) {
  size_t n;
  for (n = 0; n < tried(); n++) {
    timing like;
    memset(&like, 0, sizeof like);
    like.late = late, like.walks = walks_stacks, like.makes = makes;
    patience = 10 * TICK;
    while (!space_of(counts[n], &like, patience < 2 * (uint64_t)1000000000)) patience *= 4;
  }
}

/* A thread that detaches is walked no more: ticks that wait for that are told as lost. Gives whether enough of the threads were seen. */
static bool short_lives_of(bool walks_stacks) {
  uint64_t begun_at = whole_time(), worked, sum, theirs = 0, i;
  toy t = profiled("-A1m");
  barrow_space_totals_t totals;
  task own = task_of(0);
  timing all;
  memset(&all, 0, sizeof all);
  all.walks = walks_stacks;
  profile_begins(&all, &own, t.m);
  CHECK_EQ(own.failures, 0);
  worked = live_shortly(t, at_its_function);
  CHECK_OK(barrow_space_end(t.m, profile));
  totals = totals_of(t);
  sum = totals.ticks + totals.ticks_collecting + totals.ticks_profiling + totals.ticks_lost;
  for (i = 0; i < MOST; i++) theirs += function_of(t, &words[i]).ticks_top;
  CHECK_EQ(totals.ticks_lost > 0, walks_stacks);
  CHECK(sum >= worked / TICK);
  CHECK(sum <= (whole_time() - begun_at) / TICK);
  toy_free(t);
  return theirs >= worked / TICK / FEW;
}

static void functions_of_short_lives(void) {
  size_t round = 0;
  while (!short_lives_of(false) && round < ROUNDS) round++;
  CHECK(round < ROUNDS);
  short_lives_of(true);
}

static void functions_from_the_beginning(void) { functions_of(false, false, false); }
static void functions_from_a_later_time(void) { functions_of(true, false, false); }
static void functions_whose_stacks_are_walked(void) { functions_of(false, true, false); }
static void functions_beside_collections(void) { functions_of(true, false, true); }

int main(void) {
  make_centres();
  RUN(costs_from_the_beginning);
  RUN(costs_from_a_later_time);
  RUN(costs_beside_collections);
  RUN(costs_of_short_lives);
  RUN(functions_from_the_beginning);
  RUN(functions_from_a_later_time);
  RUN(functions_whose_stacks_are_walked);
  RUN(functions_beside_collections);
  RUN(functions_of_short_lives);
  return DONE;
}
