/* Threads that end without detaching their mutators: with some in two heaps, while other threads wait for them in both; by the end of the
   process; and cancelled. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static barrow_heap *heaps[2];
static int ready;

static void time_is_over(int signal) {
  static const char said[] = "threads_ends: two threads that end wait for each other\n";
  (void)signal;
  _exit(write(2, said, sizeof said - 1) > 0 ? 1 : 2);
}

static void come_to(int many) {
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < many) sched_yield();
}

/* Attached to one heap, and then to the other, in which it works; it is in foreign code in the first. */
static void *attach_and_end(void *first) {
  size_t number = (size_t)first;
  barrow_mutator *away, *m;
  CHECK_OK(barrow_attach(heaps[number], &away));
  CHECK_OK(barrow_enter_foreign(away));
  CHECK_OK(barrow_attach(heaps[1 - number], &m));
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_SEQ_CST)) sched_yield(); /* a collection waits for this thread */
  come_to(4);                                                                          /* and one for the other thread */
  return NULL;
}

static void *collect(void *number) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(heaps[(size_t)number], &m));
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < 2) {
    CHECK_OK(barrow_safepoint(m));
    sched_yield();
  }
  CHECK_OK(barrow_collect(m, true));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* Neither waits for a collection that waits for the other. */
static void ends_do_not_wait_for_each_other(void) {
  toy a = toy_new("-A256k --mutators=8"), b = toy_new("-A256k --mutators=8");
  pthread_t threads[4];
  size_t i;
  heaps[0] = a.heap;
  heaps[1] = b.heap;
  ready = 0;
  CHECK_OK(barrow_enter_foreign(a.m));
  CHECK_OK(barrow_enter_foreign(b.m));
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_create(&threads[i], NULL, i < 2 ? collect : attach_and_end, (void *)(i % 2)), 0);
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(b.m));
  toy_free(b);
  CHECK_OK(barrow_leave_foreign(a.m));
  toy_free(a);
}

/* ---- the end of the process, while a collection waits for a thread that never stands ------------------------------------- */

static int is_stuck;

static void *never_stands(void *nothing) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(heaps[0], &m));
  __atomic_store_n(&is_stuck, 1, __ATOMIC_SEQ_CST);
  for (;;) pause();
  return nothing;
}

static void *waits_for_ever(void *nothing) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(heaps[0], &m));
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  CHECK_OK(barrow_collect(m, true));
  return nothing;
}

static void exits_beside_a_collection(bool is_away) {
  toy t = toy_new("-A256k --mutators=8");
  pthread_t threads[2];
  heaps[0] = t.heap;
  alarm(30);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_create(&threads[0], NULL, never_stands, NULL), 0);
  while (!__atomic_load_n(&is_stuck, __ATOMIC_SEQ_CST)) sched_yield();
  if (!is_away) CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_EQ(pthread_create(&threads[1], NULL, waits_for_ever, NULL), 0);
  while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) sched_yield();
  if (is_away) poll(NULL, 0, 50); /* as long as the collection may take to begin to wait */
  else while (!__atomic_load_n(&barrow_window_of(t.m)->poll, __ATOMIC_SEQ_CST)) sched_yield();
  exit(check_failures ? 1 : 0);
}

static void a_process_can_end(void) {
  int is_away, status;
  for (is_away = 0; is_away < 2; is_away++) {
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) exits_beside_a_collection(is_away);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

/* ---- the main thread ends, and others go on --------------------------------------------------------------------------------- */

static void *collects_and_exits(void *nothing) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(heaps[0], &m));
  CHECK_OK(barrow_collect(m, true));
  CHECK_OK(barrow_detach(m));
  while (barrow_heap_free(heaps[0]) == BARROW_E_STATE) sched_yield(); /* until the main thread has no mutator any more */
  _exit(check_failures ? 1 : 0); /* what the main thread's own variables hold is never dropped, and would count as lost */
  return nothing;
}

static void the_main_thread_can_end(void) {
  int is_away, status;
  for (is_away = 0; is_away < 2; is_away++) {
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
      toy t = toy_new("-A256k --mutators=8");
      pthread_t thread;
      heaps[0] = t.heap;
      alarm(30);
      if (is_away) CHECK_OK(barrow_enter_foreign(t.m));
      CHECK_EQ(pthread_create(&thread, NULL, collects_and_exits, NULL), 0);
      pthread_exit(NULL);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

/* ---- a thread that is cancelled while it waits for a thunk ------------------------------------------------------------------ */

INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 1, 0, NULL, NULL);
static barrow_word *claimed;
static int has_waited;

static void *waits_and_is_cancelled(void *nothing) {
  barrow_mutator *m;
  CHECK_OK(barrow_attach(heaps[0], &m));
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  CHECK_OK(barrow_wait_for(m, claimed));
  __atomic_store_n(&has_waited, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    CHECK_OK(barrow_safepoint(m));
    pthread_testcancel();
  }
  return nothing;
}

/* The wait is over when the thunk has its value, and the thread ends where the program has a place for it. */
static void a_wait_is_not_cancelled(void) {
  toy t = toy_new("-A256k --mutators=8");
  pthread_t thread;
  void *ended;
  heaps[0] = t.heap;
  ready = 0;
  claimed = (barrow_word *)barrow_alloc(t.m, 4);
  claimed[0] = (barrow_word)&thunk_info;
  claimed[1] = claimed[2] = claimed[3] = 0;
  CHECK_OK(barrow_root_add(t.heap, "claimed", &claimed, 1, false));
  CHECK(barrow_claim(t.m, claimed));
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_create(&thread, NULL, waits_and_is_cancelled, NULL), 0);
  while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) sched_yield();
  poll(NULL, 0, 50); /* the thread sleeps by then, most of the time */
  CHECK_EQ(pthread_cancel(thread), 0);
  poll(NULL, 0, 50);
  CHECK(!__atomic_load_n(&has_waited, __ATOMIC_SEQ_CST));
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_OK(barrow_update(t.m, claimed, toy_node(t.m, NULL, NULL, 1)));
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(thread, &ended), 0);
  CHECK(ended == PTHREAD_CANCELED && has_waited);
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_root_remove(t.heap, &claimed));
  toy_free(t); /* the thread has no mutator any more */
}

int main(void) {
  signal(SIGALRM, time_is_over);
  alarm(60);
  RUN(a_process_can_end);
  RUN(the_main_thread_can_end);
  RUN(a_wait_is_not_cancelled);
  RUN(ends_do_not_wait_for_each_other);
  return DONE;
}
