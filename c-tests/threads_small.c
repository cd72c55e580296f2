/* A small nursery, or one that is collected all the time, which several mutators share: objects are made at other places after each collection,
 * so that stale references are found, and each thread finds a chunk. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"

/* With a collection at each allocation, no object lies where the one before it did. */
static void stale_references_lead_to_nothing(void) {
  static const char *const flags[] = {"", "-A64k", "-A256k --mutators=8", "--source=chunks", "-G1", "-G1 -A64k", "-G3 -A128k", "--old=copy", "--old=copy -A64k",
                                      "-c", "-c -A64k", "-c -G1"};
  size_t i, k;
  for (i = 0; i < sizeof flags / sizeof *flags && check_failures == 0; i++) {
    char whole[100];
    toy t;
    uintptr_t last = 0;
    size_t again = 0;
    sprintf(whole, "-DS --stress=1 --mutators=2 %s", flags[i]);
    t = toy_new(whole);
    for (k = 0; k < 100 && check_failures == 0; k++) {
      uintptr_t at = (uintptr_t)toy_node(t.m, NULL, NULL, k);
      again += at == last;
      last = at;
    }
    CHECK_EQ(again, 0);
    toy_free(t);
  }
}

enum { THREADS = 4 };
static barrow_heap *heap;
static int came;

static void *make_lists(void *unused) {
  struct { barrow_frame frame; node *list; } r;
  barrow_mutator *m;
  size_t i;
  CHECK_OK(barrow_attach(heap, &m));
  CHECK_OK(barrow_enter_foreign(m));
  __atomic_add_fetch(&came, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&came, __ATOMIC_SEQ_CST) < THREADS) sched_yield();
  CHECK_OK(barrow_leave_foreign(m));
  BARROW_ENTER(m, r);
  for (i = 0; i < 20000; i++) r.list = toy_node(m, NULL, i % 10000 ? r.list : NULL, i);
  BARROW_LEAVE(m, r);
  CHECK_OK(barrow_detach(m));
  return unused;
}

/* A thread that comes to the nursery makes no collection due while others have filled next to nothing. */
static void each_finds_a_chunk(void) {
  toy t = toy_new("-A64k -DS --mutators=8");
  pthread_t threads[THREADS];
  barrow_stats_t stats;
  size_t i;
  heap = t.heap;
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, make_lists, NULL), 0);
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  stats = toy_stats(t);
  CHECK(stats.allocated_bytes >= THREADS * 20000 * sizeof(node));
  CHECK(stats.collections <= stats.allocated_bytes / (16 << 10));
  toy_free(t);
}

int main(void) {
  RUN(stale_references_lead_to_nothing);
  RUN(each_finds_a_chunk);
  return DONE;
}
