/* Threads that attach while others collect, in a heap that has room for one of them: they have all looked, and waited, before one came. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"

enum { COME = 6 };
static size_t asking, coming, answered, attached;

static void wait_for(const size_t *word, size_t many) {
  const struct timespec pause = {0, 200000};
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < many) nanosleep(&pause, NULL);
}
static void add(size_t *word) { __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST); }

/* Whoever has a mutator keeps it until all have their answer. */
static void keeps_it(barrow_mutator *m) {
  CHECK_OK(barrow_enter_foreign(m));
  wait_for(&answered, COME);
  CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_detach(m));
}

static void *collects(void *heap) {
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach((barrow_heap *)heap, &m));
  add(&asking);
  CHECK_OK(barrow_collect(m, true));
  keeps_it(m);
  return NULL;
}

static void *comes(void *heap) {
  barrow_mutator *m = NULL;
  add(&coming);
  if (barrow_attach((barrow_heap *)heap, &m) == BARROW_OK) {
    add(&attached), add(&answered);
    keeps_it(m);
  } else {
    CHECK_EQ(barrow_last_status(), BARROW_E_STATE);
    add(&answered);
  }
  return NULL;
}

/* The other one cannot collect before this thread comes to a safepoint, and the others cannot attach before it has collected. */
static void one_comes_when_there_is_room_for_one(void) {
  const struct timespec a_while = {0, 20000000};
  int round;
  for (round = 0; round < 5; round++) {
    toy t = toy_new("--mutators=3 -A1m");
    pthread_t other, threads[COME];
    size_t i;
    asking = coming = answered = attached = 0;
    CHECK_EQ(pthread_create(&other, NULL, collects, t.heap), 0);
    wait_for(&asking, 1);
    nanosleep(&a_while, NULL);
    for (i = 0; i < COME; i++) CHECK_EQ(pthread_create(&threads[i], NULL, comes, t.heap), 0);
    wait_for(&coming, COME);
    nanosleep(&a_while, NULL);
    CHECK_OK(barrow_safepoint(t.m));
    CHECK_OK(barrow_enter_foreign(t.m));
    for (i = 0; i < COME; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_EQ(pthread_join(other, NULL), 0);
    CHECK_OK(barrow_leave_foreign(t.m));
    CHECK_EQ(attached, 1);
    CHECK_EQ(toy_stats(t).collections, 1);
    toy_free(t);
  }
}

int main(void) {
  RUN(one_comes_when_there_is_room_for_one);
  return DONE;
}
