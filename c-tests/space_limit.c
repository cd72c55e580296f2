/* The limit of the space profiler is one: what it holds never passes it. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "space.h"
#include "tasks.h"
#include <time.h>

static void used_by(uint32_t manner, size_t limit, size_t words) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_totals_t totals;
  uint32_t profile = 0;
  size_t i;
  options.manner = manner;
  options.limit_bytes = limit;
  options.live = 1;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 1; i <= words; i++) {
    barrow_window_of(t.m)->function = (void *)(16 * i);
    toy_node(t.m, NULL, NULL, i);
    if (i % (words / 8) == 0) CHECK_OK(barrow_collect(t.m, true));
  }
  barrow_window_of(t.m)->function = NULL;
  CHECK_OK(barrow_space_end(t.m, profile));
  totals = totals_of(t);
  CHECK_EQ(totals.allocated_bytes, words * 32);
  CHECK_EQ(totals.complete, 0);
  CHECK(totals.functions > 100);
  CHECK(totals.used_bytes <= limit && totals.used_bytes > limit / 4);
  toy_free(t);
}

static void the_limit_holds(void) {
  static const uint32_t manners[2] = {BARROW_MANNER_SPACE, BARROW_MANNER_SPACE | BARROW_MANNER_KINDS};
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t profile = 0;
  const char *least;
  unsigned long bytes;
  int i;
  for (i = 0; i < 2; i++) {
    used_by(manners[i], (size_t)1 << 18, 20000);
    used_by(manners[i], (size_t)1 << 20, 40000);
  }
  /* What it begins with is the least. */
  for (i = 1; i <= 10000; i *= 100) {
    options.limit_bytes = (size_t)i;
    REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  }
  least = strstr(barrow_last_error(), "must be at least ");
  CHECK(least != NULL);
  bytes = least ? strtoul(least + strlen("must be at least "), NULL, 10) : 0;
  CHECK(bytes > 10000 && bytes < 100000);
  options.limit_bytes = bytes - 1;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options.limit_bytes = bytes;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 0; i < 10; i++) CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK_EQ(totals_of(t).used_bytes, bytes);
  CHECK_EQ(totals_of(t).allocated_bytes, 320);
  toy_free(t);
}

/* ---- mutators that come while a profile runs ---------------------------------------------------------------------------- */

#define LATE 32
static int come;

static void *allocates_late(void *heap) {
  barrow_mutator *m;
  size_t i;
  CHECK_OK(barrow_attach((barrow_heap *)heap, &m));
  CHECK_OK(barrow_enter_foreign(m));
  __atomic_add_fetch(&come, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&come, __ATOMIC_SEQ_CST) < LATE) sched_yield();
  CHECK_OK(barrow_leave_foreign(m));
  for (i = 0; i < 100; i++) CHECK(toy_node(m, NULL, NULL, i) != NULL);
  CHECK(barrow_reserve(m, 40));
  for (i = 0; i < 10; i++) {
    node *n = (node *)barrow_bump(m, 4);
    memset(n, 0, 4 * sizeof(barrow_word));
    n->header = (barrow_word)&node_info;
  }
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* Without room for a table of its own, a mutator's objects are counted one by one. */
static void of_late_mutators(void) {
  toy t = toy_new("--mutators=64");
  barrow_space_options options = wish();
  barrow_space_totals_t totals;
  uint32_t profile = 0;
  pthread_t threads[LATE];
  size_t i;
  options.manner = BARROW_MANNER_SPACE;
  options.limit_bytes = 400u << 10;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < LATE; i++) CHECK_EQ(pthread_create(&threads[i], NULL, allocates_late, t.heap), 0);
  for (i = 0; i < LATE; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  totals = totals_of(t);
  CHECK(totals.used_bytes <= options.limit_bytes);
  CHECK_EQ(totals.allocated_bytes, LATE * 110 * 32);
  CHECK_EQ(totals.complete, 1);
  toy_free(t);
}

static uint32_t even_ones(void *client, void *function, void *site) {
  (void)client, (void)site;
  return (size_t)function % 32 ? 0 : BARROW_MANNER_SPACE;
}

static uint32_t all_for_time(void *client, void *function, void *site) {
  (void)client, (void)function, (void)site;
  return BARROW_MANNER_TIME;
}

/* The manner of a function is its own where it has no row of its own. */
static void manners_at_the_limit(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t profile = 0;
  clock_t begun;
  size_t i;
  options.manner_of = even_ones;
  options.limit_bytes = (size_t)1 << 18;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 1; i <= 20000; i++) {
    barrow_window_of(t.m)->function = (void *)(16 * i);
    toy_node(t.m, NULL, NULL, i);
  }
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK_EQ(totals_of(t).complete, 0);
  CHECK_EQ(totals_of(t).allocated_objects, 10000);
  CHECK_EQ(totals_of(t).unprofiled_objects, 10000);
  options.manner_of = all_for_time;
  options.tick_us = 1000;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 1; i <= 20000; i++) {
    barrow_window_of(t.m)->function = (void *)(16 * i);
    toy_node(t.m, NULL, NULL, i);
  }
  begun = clock();
  while (clock() - begun < CLOCKS_PER_SEC / 10) {}
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK_EQ(totals_of(t).unprofiled_objects, 20000);
  CHECK(totals_of(t).ticks + totals_of(t).ticks_lost > 50);
  barrow_window_of(t.m)->function = NULL;
  toy_free(t);
}

/* Counted functions that come up while an inner profile runs, which may hold more than the outer one: when it ends, calls of
 * the outer one cannot go on. The inner one has ended well; the outer one says that it is not complete. */
#define MANY 20000
static barrow_ticky_function many[MANY];

static void calls_without_room(void) {
  static const barrow_ticky_function one = BARROW_COUNTED_FUNCTION("one of many", "Space", NULL);
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t outer = 0, inner = 0;
  int i;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_CALLS;
  options.limit_bytes = 120000;
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  options.limit_bytes = 0;
  CHECK_OK(barrow_space_begin(t.m, &options, &inner));
  for (i = 0; i < MANY; i++) {
    many[i] = one;
    barrow_count_call(t.m, &many[i]);
  }
  CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  CHECK_OK(barrow_space_end(t.m, inner));
  CHECK_EQ(totals_of(t).allocated_objects, 1);
  CHECK_OK(barrow_space_suspend(t.m));
  CHECK_OK(barrow_space_resume(t.m));
  CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  CHECK_OK(barrow_space_end(t.m, outer));
  CHECK_EQ(totals_of(t).allocated_objects, 2);
  CHECK_EQ(totals_of(t).complete, 0);
  toy_free(t);
}

int main(void) {
  RUN(the_limit_holds);
  RUN(of_late_mutators);
  RUN(manners_at_the_limit);
  RUN(calls_without_room);
  return DONE;
}
