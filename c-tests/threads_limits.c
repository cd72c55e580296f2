/* Several threads of one heap with -M: one of them runs out of memory while others go on, the hook frees or gives up a reserve
 * while others run, and all run out at the same time. limits.c has what one mutator sees. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, HELD = 100, MOST_HELD = 1 << 20 };

/* A heap that is checked at each of its collections is smaller. */
static const char *const limited_flags[] = {"-M8m",         "-M8m --workers=2!", "-M8m -c", "-M8m --source=chunks",
                                            "-M8m --old=copy", "-M4m -DS -A128k"};
/* Far more than the limit. */
static const size_t too_many_bytes = (size_t)64 << 20;

/* A thread of a case, as its hook knows it. */
typedef struct member {
  barrow_mutator *m;
  node **drop;  /* let go by the hook */
  size_t bytes; /* asked for now */
  size_t calls, turns, held;
  int wrong; /* the hook was told of other bytes */
} member;

static struct {
  member of[THREADS];
  barrow_handle *reserve;
  size_t come, steps;
  int over;
} all;

/* ---- lists that count ------------------------------------------------------------------------------------------------ */

static node *push(barrow_mutator *m, node **list, barrow_word value) {
  node *n = (node *)barrow_alloc(m, 4);
  if (!n) return NULL;
  barrow_set_header(n, &node_info);
  n->left = *list;
  n->right = NULL;
  n->value = value;
  return *list = n;
}

/* Whether the values count down to 1. */
static bool counts(const node *list, barrow_word length) {
  for (; list && length > 0; list = list->left, length--)
    if (barrow_info_of(list) != &node_info || list->value != length) return false;
  return !list && length == 0;
}

static bool says_overflow(size_t bytes) {
  char words[60];
  sprintf(words, "heap overflow: %lu bytes asked", (unsigned long)bytes);
  return strstr(barrow_last_error(), words) && strstr(barrow_last_error(), " MiB (-M)") && barrow_last_status() == BARROW_E_LIMIT;
}

/* ---- threads --------------------------------------------------------------------------------------------------------- */

static void pause_in_foreign_code(barrow_mutator *m) {
  const struct timespec pause = {0, 5000000};
  CHECK_OK(barrow_enter_foreign(m));
  nanosleep(&pause, NULL);
  CHECK_OK(barrow_leave_foreign(m));
}

static void come(task *w, barrow_mutator *m) {
  all.of[w->number].bytes = sizeof(node);
  __atomic_store_n(&all.of[w->number].m, m, __ATOMIC_SEQ_CST);
  all_come(w, m, &all.come);
}

/* Comes to a point that all threads pass together, the n-th of its case. */
static void meet(task *w, barrow_mutator *m, size_t n) {
  __atomic_add_fetch(&all.come, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, &all.come, (n + 1) * w->count);
}

/* Waits until every other thread has made another list. */
static void until_others_go_on(task *w, barrow_mutator *m) {
  size_t i, before[THREADS];
  for (i = 0; i < w->count; i++) before[i] = __atomic_load_n(&all.of[i].turns, __ATOMIC_SEQ_CST);
  for (i = 0; i < w->count; i++)
    while (i != w->number && __atomic_load_n(&all.of[i].turns, __ATOMIC_SEQ_CST) == before[i]) pause_in_foreign_code(m);
}

/* Holds a short list and makes others, each a turn, until the case is over. A heap that another thread has filled is full for all:
 * where that may be, this waits. */
static void hold_little(task *w, barrow_mutator *m, bool may_be_full) {
  struct { barrow_frame frame; node *kept, *made; } r;
  barrow_word length;
  BARROW_ENTER(m, r);
  for (length = 1; length <= HELD; length++) MUST(w, push(m, &r.kept, length) != NULL);
  come(w, m);
  while (!__atomic_load_n(&all.over, __ATOMIC_ACQUIRE)) {
    r.made = NULL;
    for (length = 0; length < 10 * HELD;) {
      __atomic_add_fetch(&all.steps, 1, __ATOMIC_SEQ_CST);
      if (push(m, &r.made, length + 1)) {
        length++;
        continue;
      }
      MUST(w, may_be_full && says_overflow(sizeof(node)));
      pause_in_foreign_code(m);
    }
    MUST(w, counts(r.made, length) && counts(r.kept, HELD));
    __atomic_add_fetch(&all.of[w->number].turns, 1, __ATOMIC_SEQ_CST);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
  MUST(w, !all.of[w->number].wrong);
  BARROW_LEAVE(m, r);
}

static member *member_of(const barrow_mutator *m) {
  size_t i = 0;
  while (i + 1 < THREADS && __atomic_load_n(&all.of[i].m, __ATOMIC_SEQ_CST) != m) i++;
  return &all.of[i];
}

static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  member *own = member_of(m);
  barrow_handle *reserve = __atomic_exchange_n(&all.reserve, NULL, __ATOMIC_SEQ_CST);
  size_t before = __atomic_load_n(&all.steps, __ATOMIC_SEQ_CST);
  own->calls++;
  if (client != &all || own->m != m || bytes != own->bytes) own->wrong++;
  if (reserve) {
    CHECK_OK(barrow_handle_free(m, reserve));
    __atomic_store_n(&all.over, 1, __ATOMIC_SEQ_CST);
    return true;
  }
  if (own->drop) {
    /* Others run meanwhile. */
    while (__atomic_load_n(&all.steps, __ATOMIC_SEQ_CST) == before) pause_in_foreign_code(m);
    *own->drop = NULL;
    own->drop = NULL;
    CHECK_OK(barrow_collect(m, true));
    return true;
  }
  return false;
}

/* The reserve, when a case has one, is a large object that the first call of the hook lets go. */
static void in_limited_heaps(size_t threads, size_t rounds, void (*body)(task *, barrow_mutator *), bool has_hook, size_t reserve) {
  size_t i;
  for (i = 0; i < sizeof limited_flags / sizeof *limited_flags; i++) {
    barrow_config config;
    char line[100];
    toy t;
    if (toy_is_checked() && !strstr(limited_flags[i], "-DS")) continue;
    sprintf(line, "--mutators=%d %s", THREADS + 1, limited_flags[i]);
    memset(&all, 0, sizeof all);
    barrow_config_init(&config);
    config.client = &all;
    if (has_hook) config.overflow = overflow;
    alarm(300); /* A thread that hangs ends the program. */
    t = toy_new_with(&config, line);
    if (reserve) CHECK_OK(barrow_handle_new(t.m, toy_bytes(t.m, reserve), &all.reserve));
    in_threads(t, threads, task_of(strstr(limited_flags[i], "-DS") ? 1 : slow_share(rounds)), body);
    /* All have let go what they had. */
    CHECK(counts(toy_list(t.m, 1000), 1000));
    CHECK_OK(barrow_collect(t.m, true));
    toy_free(t);
    alarm(0);
  }
}

/* ---- one runs out ---------------------------------------------------------------------------------------------------- */

static void fill_alone(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  size_t round;
  if (w->number != 0) {
    hold_little(w, m, true);
    return;
  }
  BARROW_ENTER(m, r);
  come(w, m);
  for (round = 0; round < w->rounds; round++) {
    barrow_word length = 0;
    while (length < MOST_HELD && push(m, &r.list, length + 1)) length++;
    MUST(w, says_overflow(sizeof(node)));
    MUST(w, length * sizeof(node) > 1 << 20 && counts(r.list, length));
    r.list = NULL;
    until_others_go_on(w, m);
  }
  __atomic_store_n(&all.over, 1, __ATOMIC_RELEASE);
  BARROW_LEAVE(m, r);
}

static void one_fills_the_heap(void) { in_limited_heaps(4, 2, fill_alone, false, 0); }

static void ask_too_much(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  member *own = &all.of[w->number];
  size_t round;
  if (w->number != 0) {
    hold_little(w, m, false);
    return;
  }
  BARROW_ENTER(m, r);
  MUST(w, push(m, &r.kept, 1) != NULL);
  come(w, m);
  own->bytes = too_many_bytes;
  for (round = 0; round < 8 * w->rounds; round++) {
    size_t calls = own->calls;
    MUST(w, barrow_alloc(m, too_many_bytes / sizeof(barrow_word)) == NULL);
    MUST(w, says_overflow(too_many_bytes));
    MUST(w, own->calls == calls + 1 && !own->wrong);
    MUST(w, counts(r.kept, 1));
    if (round % 8 == 0) until_others_go_on(w, m);
  }
  __atomic_store_n(&all.over, 1, __ATOMIC_RELEASE);
  BARROW_LEAVE(m, r);
}

/* Others notice nothing, and what one has asked for is told to that one alone. */
static void one_asks_for_too_much(void) { in_limited_heaps(4, 2, ask_too_much, true, 0); }

/* ---- the hook -------------------------------------------------------------------------------------------------------- */

static void fill_until_the_hook_drops(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list, *kept; } r;
  member *own = &all.of[w->number];
  size_t round;
  if (w->number != 0) {
    hold_little(w, m, true);
    return;
  }
  BARROW_ENTER(m, r);
  MUST(w, push(m, &r.kept, 1) != NULL);
  come(w, m);
  for (round = 0; round < w->rounds; round++) {
    barrow_word length = 0;
    size_t calls = own->calls;
    r.list = NULL;
    own->drop = &r.list;
    while (own->calls == calls && length < MOST_HELD) MUST(w, push(m, &r.list, ++length) != NULL);
    /* The last object is there, and what was before it has gone. */
    MUST(w, own->calls == calls + 1 && !own->wrong);
    MUST(w, r.list && r.list->value == length && !r.list->left && counts(r.kept, 1));
    until_others_go_on(w, m);
  }
  __atomic_store_n(&all.over, 1, __ATOMIC_RELEASE);
  BARROW_LEAVE(m, r);
}

static void the_hook_frees_while_others_run(void) { in_limited_heaps(4, 2, fill_until_the_hook_drops, true, 0); }

static void fill_until_all_is_over(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  barrow_word length = 0;
  BARROW_ENTER(m, r);
  come(w, m);
  while (!__atomic_load_n(&all.over, __ATOMIC_SEQ_CST) && length < MOST_HELD) {
    if (push(m, &r.list, length + 1)) length++;
    else if (!__atomic_load_n(&all.over, __ATOMIC_SEQ_CST)) MUST(w, !"refused before there was a reserve to give up");
  }
  MUST(w, counts(r.list, length));
  MUST(w, !all.of[w->number].wrong);
  BARROW_LEAVE(m, r);
}

/* The thread whose call of the hook gives up the reserve goes on, and tells the others, which let go what they have. */
static void the_hook_gives_up_a_reserve(void) { in_limited_heaps(THREADS, 0, fill_until_all_is_over, true, (size_t)1 << 20); }

/* ---- all run out ----------------------------------------------------------------------------------------------------- */

static void fill_together(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  member *own = &all.of[w->number];
  size_t round, meetings = 0, i;
  BARROW_ENTER(m, r);
  come(w, m);
  for (round = 0; round < w->rounds; round++) {
    barrow_word length = 0;
    while (length < MOST_HELD && push(m, &r.list, length + 1)) length++;
    MUST(w, says_overflow(sizeof(node)));
    own->held = length;
    meet(w, m, ++meetings);
    MUST(w, counts(r.list, length));
    if (w->number == 0) {
      size_t held = 0;
      for (i = 0; i < w->count; i++) held += all.of[i].held;
      MUST(w, held * sizeof(node) > 1 << 20);
    }
    r.list = NULL;
    meet(w, m, ++meetings);
    for (length = 1; length <= 1000; length++) MUST(w, push(m, &r.list, length) != NULL);
    MUST(w, counts(r.list, 1000));
    meet(w, m, ++meetings);
    r.list = NULL;
  }
  BARROW_LEAVE(m, r);
}

static void all_run_out_at_the_same_time(void) { in_limited_heaps(THREADS, 2, fill_together, false, 0); }

/* ---- few addresses --------------------------------------------------------------------------------------------------- */

static barrow_cc work = BARROW_CC("work", "Main", "Main.src:1");

static void works(task *w, barrow_mutator *m) {
  barrow_ccs *before = barrow_ccs_enter(m, &work);
  MUST(w, barrow_last_status() == BARROW_OK);
  MUST(w, toy_node(m, NULL, NULL, 1) != NULL);
  barrow_ccs_leave(m, before);
  all_come(w, m, &all.come);
}

/* In a process of its own: as many threads as --mutators says, each with its costs. */
static int with_few_addresses(void) {
  task like = task_of(0);
  toy t;
  /* Those that came would wait for those that were refused. */
  alarm(60);
  t = toy_new("--mutators=65 -p -pothreads-limits-few -A64k");
  in_threads(t, MOST, like, works);
  toy_free(t);
  unlink("threads-limits-few.prof");
  return DONE;
}

static void few_addresses(void) {
  int status = 0;
  pid_t child;
  /* The sanitizers and valgrind need more for themselves. */
  if (getenv("BARROW_TEST_SLOW")) return;
  child = fork();
  if (child == 0) {
    struct rlimit limit;
    limit.rlim_cur = limit.rlim_max = (rlim_t)4 << 30;
    if (setrlimit(RLIMIT_AS, &limit) == 0) execl("/proc/self/exe", "threads_limits", "few", (char *)NULL);
    _exit(3);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) return with_few_addresses();
  RUN(few_addresses);
  RUN(one_fills_the_heap);
  RUN(one_asks_for_too_much);
  RUN(the_hook_frees_while_others_run);
  RUN(the_hook_gives_up_a_reserve);
  RUN(all_run_out_at_the_same_time);
  return DONE;
}
