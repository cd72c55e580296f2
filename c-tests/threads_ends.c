/* Threads with mutators in two heaps that end without detaching them, while other threads wait for them in both. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <signal.h>
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

/* Each leaves the heap that it works in first, so that the collection there goes on. */
static void ends_do_not_wait_for_each_other(void) {
  toy a = toy_new("-A256k --mutators=8"), b = toy_new("-A256k --mutators=8");
  pthread_t threads[4];
  size_t i;
  heaps[0] = a.heap;
  heaps[1] = b.heap;
  CHECK_OK(barrow_enter_foreign(a.m));
  CHECK_OK(barrow_enter_foreign(b.m));
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_create(&threads[i], NULL, i < 2 ? collect : attach_and_end, (void *)(i % 2)), 0);
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(b.m));
  toy_free(b);
  CHECK_OK(barrow_leave_foreign(a.m));
  toy_free(a);
}

int main(void) {
  signal(SIGALRM, time_is_over);
  alarm(60);
  RUN(ends_do_not_wait_for_each_other);
  return DONE;
}
