/* Processes that are copied while several threads use heaps: threads that fork at once take turns, and a thread forks while others
 * are in calls of the heap, or without a mutator of its own. fork.c has one thread; docs/decisions/0043-fork.md the rules. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <sys/wait.h>
#include <unistd.h>

enum { FORKERS = 8 };

static const char *const forked_flags[] = {"-A256k", "--workers=2! -A256k", "--source=chunks -A256k"};

/* In a child, which has this thread alone; what failed there is told by its exit code, and a child that waits for ever is ended. */
static void child_begins(void) {
  alarm(60);
  check_failures = 0;
}

/* Memory of threads that a child does not have would count as lost there: another program takes the child's place. */
static void child_ends(int failures) {
  execl("/bin/sh", "sh", "-c", failures ? "exit 1" : "exit 0", (char *)NULL);
  _exit(99);
}

static pid_t copy_process(void) {
  pid_t child;
  barrow_fork_prepare();
  child = fork();
  if (child == 0) {
    child_begins();
    barrow_fork_child();
  } else {
    barrow_fork_parent();
  }
  return child;
}

static bool did_well(pid_t child) {
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

/* A heap of a child's own: all of the library works. */
static void new_heap_in_a_child(void) {
  toy t = shared_heap("-A256k");
  CHECK_EQ(toy_sum(toy_list(t.m, 1000)), 500500);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

/* ---- several that fork ----------------------------------------------------------------------------------------------- */

static size_t between;

/* Each has a heap of its own, which goes on in its child, and all have mutators of another one, which does not. */
static void fork_in_turn(task *w, barrow_mutator *m) {
  toy own = shared_heap("-A256k");
  struct { barrow_frame frame; node *list; } r;
  size_t i;
  BARROW_ENTER(own.m, r);
  r.list = toy_list(own.m, 1000);
  all_come(w, m, (size_t *)w->shared);
  for (i = 0; i < w->rounds; i++) {
    pid_t child;
    MUST(w, nodes_of(w, tree(w, m, 6, 1), 1) == 63);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    barrow_fork_prepare();
    /* Nobody else is between the calls. */
    MUST(w, __atomic_add_fetch(&between, 1, __ATOMIC_SEQ_CST) == 1);
    child = fork();
    if (child == 0) {
      child_begins();
      barrow_fork_child();
      CHECK_OK(barrow_collect(own.m, true));
      CHECK_EQ(toy_sum(r.list), 500500);
      CHECK_EQ(toy_sum(toy_list(own.m, 100)), 5050);
      REFUSED(BARROW_E_STATE, barrow_collect(m, true));
      CHECK(strstr(barrow_last_error(), "is no live mutator: it was detached, left dead by a fork, or never was one") != NULL);
      REFUSED(BARROW_E_STATE, barrow_audit(w->heap));
      CHECK(strstr(barrow_last_error(), "is no live heap: it was freed, left dead by a fork, or never was one") != NULL);
      BARROW_LEAVE(own.m, r);
      toy_free(own);
      new_heap_in_a_child();
      child_ends(check_failures);
    }
    __atomic_sub_fetch(&between, 1, __ATOMIC_SEQ_CST);
    barrow_fork_parent();
    MUST(w, child > 0 && did_well(child));
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    MUST(w, barrow_collect(own.m, i % 2) == BARROW_OK);
    MUST(w, toy_sum(r.list) == 500500);
  }
  BARROW_LEAVE(own.m, r);
  toy_free(own);
}

static void threads_that_fork_take_turns(void) {
  size_t i, arrived;
  for (i = 0; i < sizeof forked_flags / sizeof *forked_flags; i++) {
    toy t = shared_heap(forked_flags[i]);
    task like = task_of(slow_share(5));
    arrived = 0;
    like.shared = &arrived;
    in_threads(t, FORKERS, like, fork_in_turn);
    toy_free(t);
  }
}

/* ---- while others are in calls --------------------------------------------------------------------------------------- */

typedef struct busy {
  size_t arrived;
  int over;
} busy;

/* Calls the heap all the time, makes and frees others, comes and goes. */
static void call_all_the_time(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  busy *b = (busy *)w->shared;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 8, 1);
  __atomic_add_fetch(&b->arrived, 1, __ATOMIC_SEQ_CST);
  for (i = 0; !__atomic_load_n(&b->over, __ATOMIC_SEQ_CST); i++) {
    barrow_handle *handle = NULL;
    MUST(w, nodes_of(w, tree(w, m, 7, 1), 1) == 127);
    MUST(w, barrow_handle_new(m, r.kept, &handle) == BARROW_OK);
    MUST(w, barrow_handle_free(m, handle) == BARROW_OK);
    if (i % 8 == w->number) MUST(w, barrow_collect(m, i % 3 == 0) == BARROW_OK);
    if (i % 16 == w->number) {
      toy other = shared_heap("-A256k");
      MUST(w, nodes_of(w, tree(w, other.m, 6, 1), 1) == 63);
      MUST(w, barrow_heap_free(other.heap) == BARROW_OK);
    }
  }
  MUST(w, nodes_of(w, r.kept, 1) == 255);
  BARROW_LEAVE(m, r);
}

/* A call of each kind that looks at the mutator in a few instructions, or takes memory without a call. */
static void refused_in_a_child(barrow_mutator *m) {
  REFUSED(BARROW_E_STATE, barrow_safepoint(m));
  REFUSED(BARROW_E_STATE, barrow_enter_foreign(m));
  /* A call that is not refused may wait for a thread that is gone. */
  if (check_failures > 0) return;
  REFUSED(BARROW_E_STATE, barrow_leave_foreign(m));
  REFUSED(BARROW_E_STATE, barrow_collect(m, true));
  REFUSED(BARROW_E_STATE, barrow_check(m));
  ANSWERS(0, barrow_alloc(m, 4));
  ANSWERS(0, barrow_alloc_slow(m, 4));
  ANSWERS(false, barrow_reserve(m, 4));
  ANSWERS(0, barrow_heap_of(m));
}

/* In a child the heap is dead, for any thread that may have been in it; a heap of the forking thread alone goes on. */
static void fork_beside_busy_threads(barrow_heap *heap, barrow_mutator *m, toy own, size_t children) {
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(own.m, r);
  r.list = toy_list(own.m, 1000);
  for (; children > 0 && check_failures == 0; children--) {
    /* Where this thread runs, collections of the others wait for it meanwhile. */
    const bool is_away = m && children % 2;
    pid_t child;
    if (is_away) CHECK_OK(barrow_enter_foreign(m));
    child = copy_process();
    if (child == 0) {
      barrow_mutator *another = NULL;
      if (m) refused_in_a_child(m);
      REFUSED(BARROW_E_STATE, barrow_audit(heap));
      REFUSED(BARROW_E_STATE, barrow_attach(heap, &another));
      CHECK_OK(barrow_collect(own.m, true));
      CHECK_EQ(toy_sum(r.list), 500500);
      new_heap_in_a_child();
      child_ends(check_failures);
    }
    CHECK(child > 0 && did_well(child));
    if (is_away) CHECK_OK(barrow_leave_foreign(m));
    if (m) CHECK_OK(barrow_collect(m, children % 2));
    CHECK_OK(barrow_collect(own.m, children % 2));
    CHECK_EQ(toy_sum(r.list), 500500);
  }
  BARROW_LEAVE(own.m, r);
}

typedef struct outsider {
  barrow_heap *heap;
  busy *b;
  size_t children;
} outsider;

/* A thread without a mutator of the heap forks. */
static void *fork_without_a_mutator(void *given) {
  outsider *o = (outsider *)given;
  toy own = shared_heap("-A256k");
  while (__atomic_load_n(&o->b->arrived, __ATOMIC_SEQ_CST) < 3) sched_yield();
  fork_beside_busy_threads(o->heap, NULL, own, o->children);
  toy_free(own);
  __atomic_store_n(&o->b->over, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void a_thread_without_a_mutator_forks(void) {
  size_t i;
  for (i = 0; i < sizeof forked_flags / sizeof *forked_flags; i++) {
    toy t = shared_heap(forked_flags[i]);
    busy b = {0, 0};
    outsider o;
    task like = task_of(0);
    pthread_t forker;
    like.shared = &b;
    o.heap = t.heap, o.b = &b, o.children = slow_share(10);
    CHECK_EQ(pthread_create(&forker, NULL, fork_without_a_mutator, &o), 0);
    in_threads(t, 3, like, call_all_the_time);
    CHECK_EQ(pthread_join(forker, NULL), 0);
    toy_free(t);
  }
}

/* A thread with a mutator forks while others are in calls: one of them may be inside the gate, or stand for a collection. */
static void fork_or_call(task *w, barrow_mutator *m) {
  busy *b = (busy *)w->shared;
  toy own;
  if (w->number != 0) {
    call_all_the_time(w, m);
    return;
  }
  own = shared_heap("-A256k");
  await_all(w, m, &b->arrived, w->count - 1);
  fork_beside_busy_threads(w->heap, m, own, w->rounds);
  toy_free(own);
  __atomic_store_n(&b->over, 1, __ATOMIC_SEQ_CST);
}

static void a_thread_forks_while_others_are_in_calls(void) {
  size_t i;
  for (i = 0; i < sizeof forked_flags / sizeof *forked_flags; i++) {
    toy t = shared_heap(forked_flags[i]);
    busy b = {0, 0};
    task like = task_of(slow_share(10));
    like.shared = &b;
    in_threads(t, 4, like, fork_or_call);
    toy_free(t);
  }
}

/* ---- a heap of a thread that the child does not have ------------------------------------------------------------------ */

typedef struct owner {
  toy t;
  int is_there, may_go;
} owner;

/* Has a heap that takes one mutator, while others fork. */
static void *own_a_heap(void *given) {
  owner *o = (owner *)given;
  o->t = toy_new("-A256k");
  CHECK_EQ(toy_sum(toy_list(o->t.m, 100)), 5050);
  __atomic_store_n(&o->is_there, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&o->may_go, __ATOMIC_SEQ_CST)) sched_yield();
  CHECK_EQ(toy_sum(toy_list(o->t.m, 100)), 5050);
  toy_free(o->t);
  return NULL;
}

#ifdef __SANITIZE_THREAD__ /* which lets no such child start threads */
static void refused_in_a_thread_of_the_child(barrow_mutator *m) { refused_in_a_child(m); }
#else
static void *use_the_others_mutator(void *given) {
  refused_in_a_child((barrow_mutator *)given);
  return NULL;
}

/* A thread that the child starts may have the stack of the one that is gone, and so its thread pointer. */
static void refused_in_a_thread_of_the_child(barrow_mutator *m) {
  pthread_t thread;
  if (toy_is_emulated()) return;
  CHECK_EQ(pthread_create(&thread, NULL, use_the_others_mutator, m), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}
#endif

static void nobody_has_the_mutator_of_a_thread_that_is_gone(void) {
  owner o;
  pthread_t thread;
  pid_t child;
  o.is_there = o.may_go = 0;
  CHECK_EQ(pthread_create(&thread, NULL, own_a_heap, &o), 0);
  while (!__atomic_load_n(&o.is_there, __ATOMIC_SEQ_CST)) sched_yield();
  child = copy_process();
  if (child == 0) {
    refused_in_a_child(o.t.m);
    refused_in_a_thread_of_the_child(o.t.m);
    REFUSED(BARROW_E_STATE, barrow_audit(o.t.heap));
    REFUSED(BARROW_E_STATE, barrow_heap_free(o.t.heap));
    new_heap_in_a_child();
    child_ends(check_failures);
  }
  CHECK(child > 0 && did_well(child));
  __atomic_store_n(&o.may_go, 1, __ATOMIC_SEQ_CST);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* ---- what goes on beside a fork -------------------------------------------------------------------------------------- */

typedef struct holder {
  size_t arrived;
  int holds, may_go, gave_up;
} holder;

/* Is between the calls for a fork, and holds the locks of the process, until it may go; or for two minutes, when somebody waits. */
static void *hold_all_locks(void *given) {
  holder *h = (holder *)given;
  const struct timespec pause = {0, 1000000};
  long pauses = 0;
  barrow_fork_prepare();
  __atomic_store_n(&h->holds, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&h->may_go, __ATOMIC_SEQ_CST) && pauses++ < 120000) nanosleep(&pause, NULL);
  h->gave_up = !__atomic_load_n(&h->may_go, __ATOMIC_SEQ_CST);
  barrow_fork_parent();
  return NULL;
}

static void meet(task *w, barrow_mutator *m, size_t *come, size_t meetings) {
  __atomic_add_fetch(come, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, come, meetings * w->count);
}

static void work_while_locks_are_held(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept, *grown; } r;
  holder *h = (holder *)w->shared;
  pthread_t thread;
  size_t i, k;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 8, 1);
  meet(w, m, &h->arrived, 1); /* all have been attached, which takes a lock */
  if (w->number == 0) {
    MUST(w, pthread_create(&thread, NULL, hold_all_locks, h) == 0);
    while (!__atomic_load_n(&h->holds, __ATOMIC_SEQ_CST)) sched_yield();
  }
  meet(w, m, &h->arrived, 2);
  for (i = 0; i < w->rounds; i++) {
    MUST(w, nodes_of(w, tree(w, m, 9, 1), 1) == 511);
    MUST(w, toy_bytes(m, 10000) != NULL); /* a large one */
    for (k = 0; k < 500; k++) MUST(w, (r.grown = toy_node(m, r.grown, NULL, 1)) != NULL);
    if (i % 4 == 0) MUST(w, barrow_collect(m, i % 8 == 0) == BARROW_OK);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    MUST(w, nodes_of(w, r.kept, 1) == 255);
  }
  MUST(w, toy_sum(r.grown) == 500 * w->rounds);
  meet(w, m, &h->arrived, 3);
  if (w->number == 0) {
    __atomic_store_n(&h->may_go, 1, __ATOMIC_SEQ_CST);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    MUST(w, pthread_join(thread, NULL) == 0);
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    MUST(w, !h->gave_up);
  }
  /* Detaching waits for such a lock, inside the heap. */
  meet(w, m, &h->arrived, 4);
  BARROW_LEAVE(m, r);
}

/* Allocations, collections and steps into foreign code wait for no lock of the process: a heap that was there before goes on, and
 * grows. Heaps that take chunks of addresses, and checks (-DS), ask which heap has an address, under a lock. */
static void heaps_go_on_while_a_process_is_copied(void) {
  static const char *const flags[] = {"-A256k", "-A1m --workers=2!", "-A256k -c", "-A256k --old=copy -G3"};
  const char *all = getenv("BARROW_TEST_FLAGS");
  size_t i;
  if (toy_is_checked() || (all && strstr(all, "chunks"))) return;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    holder h = {0, 0, 0, 0};
    task like = task_of(slow_share(40));
    like.shared = &h;
    in_threads(t, 4, like, work_while_locks_are_held);
    CHECK(toy_stats(t).collections > 0);
    toy_free(t);
  }
}

int main(void) {
  RUN(threads_that_fork_take_turns);
  RUN(a_thread_without_a_mutator_forks);
  RUN(a_thread_forks_while_others_are_in_calls);
  RUN(nobody_has_the_mutator_of_a_thread_that_is_gone);
  RUN(heaps_go_on_while_a_process_is_copied);
  return DONE;
}
