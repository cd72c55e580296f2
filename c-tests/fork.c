/* A process that is copied while its heap is in use: the heap goes on on both sides, files are the parent's. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "toy.h"
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "fork-test-XXXXXX";

static long size_of(const char *name) {
  struct stat seen;
  char path[200];
  sprintf(path, "%s/%s", folder, name);
  return stat(path, &seen) == 0 ? (long)seen.st_size : -1;
}

static node *list_of(barrow_mutator *m, barrow_word count) {
  struct { barrow_frame frame; node *list; } r;
  barrow_word i;
  BARROW_ENTER(m, r);
  for (i = 0; i < count; i++) r.list = toy_node(m, r.list, NULL, i);
  BARROW_LEAVE(m, r);
  return r.list;
}

static barrow_word length_of(node *n) {
  barrow_word count = 0;
  for (; n; n = n->left) count++;
  return count;
}

/* In the child: what failed there is told by its exit code. */
static pid_t copy(void) {
  pid_t child;
  fflush(NULL);
  barrow_fork_prepare();
  child = fork();
  if (child == 0) check_failures = 0;
  if (child == 0) barrow_fork_child(); else barrow_fork_parent();
  return child;
}

static void the_child_did_well(pid_t child) {
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

static void both_go_on(void) {
  static const char *flags[] = {"-A1m", "-A1m -DS", "--source=chunks -A1m", "-c -A1m"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    struct { barrow_frame frame; node *list; } r;
    pid_t child;
    BARROW_ENTER(t.m, r);
    r.list = list_of(t.m, 20000);
    child = copy();
    {
      /* Each goes its own way. */
      barrow_word more = child ? 10000 : 30000, k;
      for (k = 0; k < more; k++) r.list = toy_node(t.m, r.list, NULL, k);
      CHECK_OK(barrow_collect(t.m, true));
      CHECK_EQ(length_of(r.list), 20000 + more);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    if (child == 0) {
      /* A new heap as well. */
      toy_free(toy_new(""));
      _exit(DONE);
    }
    the_child_did_well(child);
  }
}

/* Every file that the flags ask for is written once, by the parent. */
static void files_are_the_parents(void) {
  char flags[500], name[200];
  toy t;
  pid_t child;
  long before;
  struct { barrow_frame frame; node *list; } r;
  sprintf(flags, "-A1m -p -V0.001 -hT -hbdrag,void -hy -i0 -S%s/S -t%s/t -r%s/ticky -po%s/out", folder, folder, folder, folder);
  t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  r.list = list_of(t.m, 1000);
  CHECK_OK(barrow_census(t.m));
  before = size_of("out.hT.hp");
  CHECK(before > 0);
  child = copy();
  if (child == 0) {
    r.list = list_of(t.m, 100000);
    CHECK_OK(barrow_collect(t.m, true));
    REFUSED(BARROW_E_STATE, barrow_profile_mark(t.m));
    CHECK_OK(barrow_profile_start(t.m, "-hT -i0"));
    CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_profile_stop(t.m));
    sprintf(name, "out.%ld.hp", (long)getpid());
    CHECK(size_of(name) > 0);
    sprintf(name, "%s/out.%ld.hp", folder, (long)getpid());
    CHECK(unlink(name) == 0);
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    CHECK_EQ(size_of("out.hT.hp"), before);
    CHECK_EQ(size_of("out.prof"), -1);
    CHECK_EQ(size_of("t"), -1);
    CHECK_EQ(size_of("ticky"), -1);
    CHECK(size_of("out.biography") > 0);
    _exit(DONE);
  }
  the_child_did_well(child);
  CHECK_EQ(size_of("out.hT.hp"), before);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK(size_of("out.hT.hp") > before);
  CHECK(size_of("out.prof") > 0 && size_of("t") > 0 && size_of("ticky") > 0 && size_of("S") > 0);
}

/* The report of --space is the parent's, also where the profile begins with the first mutator after the fork. */
static void space_is_the_parents(void) {
  barrow_config config;
  char flags[200];
  toy t;
  pid_t child;
  sprintf(flags, "-A1m --space=%s/space", folder);
  barrow_config_init(&config);
  config.flags = flags;
  CHECK_OK(barrow_heap_new(&config, &t.heap, NULL));
  child = copy();
  if (child) the_child_did_well(child);
  CHECK_OK(barrow_attach(t.heap, &t.m));
  (void)list_of(t.m, 1000);
  CHECK_OK(barrow_detach(t.m));
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK((size_of("space") > 0) == (child != 0));
  if (child == 0) _exit(DONE);
}

/* Ticks go on in the child, which has no thread for them at first. */
static void time_goes_on(void) {
  toy t;
  pid_t child;
  CHECK((t = toy_new("-A1m")).m != NULL);
  CHECK_OK(barrow_cost_ticks(t.m, 0.001));
  child = copy();
  {
    volatile double x = 1;
    barrow_cost_row row;
    size_t count = 0;
    uint64_t first = 0, ticks;
    int tries;
    memset(&row, 0, sizeof row);
    for (tries = 0; tries < 2000; tries++) {
      int i;
      for (i = 0; i < 200000; i++) x = x * 1.0000001;
      row.size = (uint32_t)sizeof row;
      CHECK_OK(barrow_costs(t.m, &row, 1, &count));
      ticks = row.ticks;
      if (tries == 0) first = ticks;
      if (ticks > first + 3) break;
    }
    CHECK(tries < 2000);
  }
  CHECK_OK(barrow_heap_free(t.heap));
  if (child == 0) _exit(DONE);
  the_child_did_well(child);
}

static int go, stop;

/* A thread that says by `go` that it is under way. */
static pthread_t started(void *(*run)(void *)) {
  pthread_t thread;
  go = stop = 0;
  CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
  while (!__atomic_load_n(&go, __ATOMIC_SEQ_CST)) sched_yield();
  return thread;
}

static void ended(pthread_t thread) {
  __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}
static barrow_heap *others;

static void *other_thread(void *unused) {
  toy t = toy_new("-A1m");
  barrow_word i;
  others = t.heap;
  __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST);
  for (i = 0; !__atomic_load_n(&stop, __ATOMIC_SEQ_CST); i++) {
    list_of(t.m, 100);
    if (i % 10 == 0) toy_free(toy_new("-A1m"));
  }
  CHECK_OK(barrow_heap_free(t.heap));
  return unused;
}

/* Ends a child of a process with other threads. Memory that those held in the middle of their calls is nobody's in the child, and
 * a program that looks for leaks at the end would count it: another program takes the child's place. */
static void end_as(int status) {
  char command[40];
  sprintf(command, "exit %d", status);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(99);
}

/* Another thread makes and frees heaps all the time: the child is never left with a lock that is held. */
static void threads_do_not_hold_locks(void) {
  pthread_t thread;
  /* Valgrind looks for leaks at the end of each child. */
  int i, children = toy_is_slow() ? 3 : 20;
  thread = started(other_thread);
  for (i = 0; i < children; i++) {
    pid_t child = copy();
    if (child == 0) {
      alarm(20);
      REFUSED(BARROW_E_STATE, barrow_audit(others));
      toy_free(toy_new("-A1m"));
      end_as(DONE);
    }
    the_child_did_well(child);
  }
  ended(thread);
}

static barrow_heap *shared;

static void *collect_all_the_time(void *unused) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(shared, &m));
  __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) CHECK_OK(barrow_collect(m, true));
  CHECK_OK(barrow_detach(m));
  return unused;
}

/* Behind the ends of the thread's own variables, and before anybody looks for leaks. */
static void end_at_once(void) { _exit(0); }

/* A child that calls nothing of the library ends, though another thread of the parent's heap was in a collection. */
static void children_that_only_end(void) {
  toy t = toy_new("--mutators=4 -A64k");
  pthread_t thread;
  int i, children = toy_is_slow() ? 4 : 20;
  shared = t.heap;
  CHECK_OK(barrow_enter_foreign(t.m));
  thread = started(collect_all_the_time);
  for (i = 0; i < children; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      atexit(end_at_once);
      if (i % 2) exit(0);
      pthread_exit(NULL);
    }
    the_child_did_well(child);
  }
  ended(thread);
  CHECK_OK(barrow_leave_foreign(t.m));
  toy_free(t);
}

static uint64_t counters[2];

static void coverage_is_the_parents(void) {
  barrow_coverage_options options;
  barrow_coverage_module module = {sizeof module, 7, "Main", counters, 2};
  barrow_coverage *coverage = NULL;
  char name[100];
  pid_t child;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  sprintf(name, "%s/fork.tix", folder);
  options.file = name;
  CHECK_OK(barrow_coverage_new(&options, &coverage));
  CHECK_OK(barrow_coverage_register(coverage, &module, 1));
  counters[0] = 5;
  child = copy();
  counters[1] = 1;
  CHECK_OK(barrow_coverage_free(coverage));
  if (child == 0) _exit(DONE);
  the_child_did_well(child);
  {
    char text[200] = "";
    FILE *file = fopen(name, "r");
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fgets(text, sizeof text, file) != NULL);
    fclose(file);
    CHECK(strstr(text, "[5,2]") != NULL);
  }
}

/* Without the first call, the others do nothing; twice is as once; and the library's own type fits pthread_atfork. */
static void calls_in_any_order(void) {
  toy t;
  pid_t child;
  barrow_fork_parent();
  barrow_fork_child();
  barrow_fork_prepare();
  barrow_fork_prepare();
  barrow_fork_parent();
  t = toy_new("-A1m");
  CHECK_EQ(pthread_atfork(barrow_fork_prepare, barrow_fork_parent, barrow_fork_child), 0);
  fflush(NULL);
  child = fork();
  if (child == 0) check_failures = 0;
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  if (child == 0) _exit(DONE);
  the_child_did_well(child);
}

/* ---- a fork in a callback ---------------------------------------------------------------------------------------------- */

static pid_t forked;
static void fork_in_a_collection(void *client, const barrow_event *event) {
  (void)client;
  if (event->kind == BARROW_EVENT_COLLECTION_BEGINS && forked < 0) forked = copy();
}

/* The collection goes on on both sides; the child's heap has no other calls. */
static void callbacks_fork(void) {
  static const char *const flags[] = {"-A1m", "-A1m -DS", "--mutators=2 -A1m", "-G1 --source=chunks"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    struct { barrow_frame frame; node *list; } r;
    barrow_config config;
    toy t;
    barrow_config_init(&config);
    config.event = fork_in_a_collection;
    forked = 0;
    t = toy_new_with(&config, flags[i]);
    BARROW_ENTER(t.m, r);
    r.list = list_of(t.m, 1000);
    forked = -1;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(length_of(r.list), 1000);
    if (forked == 0) {
      REFUSED(BARROW_E_STATE, barrow_audit(t.heap));
      _exit(DONE);
    }
    the_child_did_well(forked);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(length_of(r.list), 1000);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  char command[100];
  CHECK(mkdtemp(folder) != NULL);
  RUN(both_go_on);
  if (!toy_is_emulated()) {
    RUN(files_are_the_parents);
    RUN(time_goes_on);
  }
  RUN(space_is_the_parents);
  RUN(threads_do_not_hold_locks);
  RUN(children_that_only_end);
  RUN(coverage_is_the_parents);
  RUN(calls_in_any_order);
  RUN(callbacks_fork);
  sprintf(command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
  return DONE;
}
