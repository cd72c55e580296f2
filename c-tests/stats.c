/* Statistics: they count what happened, the parts add up, and memory goes back to the system. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "toy.h"
#include <pthread.h>
#include <time.h>

static void counts(void) {
  toy t = toy_new("-A256k");
  barrow_stats_t s = toy_stats(t);
  uint64_t sum = 0;
  int i;
  CHECK_EQ(s.generations, 2);
  CHECK_EQ(s.collections, 0);
  CHECK_EQ(s.allocated_bytes, 0);
  toy_list(t.m, 1000);
  memset(barrow_allocate(t.m, 10), 0, 80);
  memset(barrow_allocate(t.m, 1000), 0, 8000);
  CHECK_EQ(toy_stats(t).allocated_bytes, 1000 * sizeof(node) + 80 + 8000);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  s = toy_stats(t);
  CHECK_EQ(s.allocated_bytes, 1000 * sizeof(node) + 80 + 8000);
  CHECK_EQ(s.collections, 3);
  CHECK_EQ(s.major_collections, 2);
  for (i = 0; i < BARROW_PAUSE_BUCKETS; i++) sum += s.pauses[i];
  CHECK_EQ(sum, 3);
  CHECK(s.gc_wall_ns > 0 && s.max_pause_ns > 0 && s.max_pause_ns <= s.gc_wall_ns);
  CHECK(s.mutator_wall_ns > 0);
  CHECK_OK(barrow_external_bytes(t.m, 1000));
  CHECK_OK(barrow_external_bytes(t.m, -400));
  CHECK_EQ(toy_stats(t).external_bytes, 600);
  REFUSED(BARROW_E_ARG, barrow_external_bytes(t.m, -601));
  CHECK_EQ(toy_stats(t).external_bytes, 600);
  toy_free(t);
}

static void adds_up(toy t) {
  barrow_stats_t s = toy_stats(t);
  uint64_t parts = s.live_bytes + s.nursery_bytes + s.fragmentation_bytes + s.overhead_bytes + s.side_table_bytes +
                   s.free_bytes;
  CHECK_EQ(parts, s.resident_bytes);
  CHECK(s.large_bytes <= s.live_bytes);
  CHECK(s.resident_bytes <= s.peak_resident_bytes + s.free_bytes);
}

static void the_parts_add_up(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *tree; void *large; } r;
  int i;
  BARROW_ENTER(t.m, r);
  adds_up(t);
  r.tree = toy_tree(t.m, 14);
  adds_up(t);
  r.large = toy_bytes(t.m, 3000000);
  adds_up(t);
  for (i = 0; i < 3; i++) {
    CHECK_OK(barrow_collect(t.m, true));
    adds_up(t);
  }
  CHECK_EQ(toy_stats(t).live_bytes, 32767 * sizeof(node) + 8 * barrow_bytes_words(3000000));
  CHECK_EQ(toy_stats(t).max_live_bytes, toy_stats(t).live_bytes);
  memset(barrow_allocate_pinned(t.m, 8, 64, 0), 0, 64);
  adds_up(t);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Resident memory falls again after a large structure dies. */
static void memory_goes_back(const char *flags) {
  const size_t megabyte = 1 << 20;
  size_t before, full, after, count = toy_is_slow() ? 100000 : 2000000;
  toy t;
  struct { barrow_frame frame; node *list; } r;
  if (toy_is_slow()) return; /* it moves memory about by rules of its own */
  t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  before = toy_resident();
  r.list = toy_list(t.m, count);
  CHECK_OK(barrow_collect(t.m, true));
  full = toy_resident();
  CHECK(full > before + count * sizeof(node));
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  after = toy_resident();
  printf("%s: resident %zu, %zu, %zu MiB\n", flags, before / megabyte, full / megabyte, after / megabyte);
  CHECK(after < before + (full - before) / 4);
  CHECK(toy_stats(t).returned_bytes > count * sizeof(node) / 2);
  adds_up(t);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void memory_goes_back_from_a_range(void) { memory_goes_back("-A1m --source=range"); }
static void memory_goes_back_from_chunks(void) { memory_goes_back("-A1m --source=chunks"); }

static void a_large_object_goes_back(void) {
  toy t;
  struct { barrow_frame frame; void *bytes; } r;
  size_t before, full, after;
  if (toy_is_slow()) return;
  t = toy_new("");
  BARROW_ENTER(t.m, r);
  before = toy_resident();
  r.bytes = toy_bytes(t.m, 100 << 20);
  memset(barrow_bytes_start(r.bytes), 1, 100 << 20);
  full = toy_resident();
  CHECK(full > before + (99 << 20));
  r.bytes = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  after = toy_resident();
  CHECK(after < before + (25 << 20));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static int stop_spinning;
static void *spin(void *unused) {
  while (!__atomic_load_n(&stop_spinning, __ATOMIC_RELAXED)) continue;
  return unused;
}

static uint64_t own_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void work_for(uint64_t ns) {
  uint64_t begun = own_ns();
  while (own_ns() < begun + ns) continue;
}

static void *goes_on(void *heap) {
  toy t;
  uint64_t before;
  t.heap = (barrow_heap *)heap;
  before = toy_stats(t).mutator_cpu_ns;
  CHECK_OK(barrow_attach(t.heap, &t.m));
  work_for(20000000);
  CHECK(toy_stats(t).mutator_cpu_ns >= before + 20000000);
  CHECK(toy_stats(t).mutator_cpu_ns < before + own_ns() + 5000000);
  CHECK_OK(barrow_detach(t.m));
  return NULL;
}

/* A heap's time is that of the thread that uses it, one after the other; not that of others beside it. */
static void time_is_the_mutators(void) {
  pthread_t others[3], next;
  uint64_t begun = own_ns(), used;
  toy t = toy_new("");
  int i;
  __atomic_store_n(&stop_spinning, 0, __ATOMIC_RELAXED);
  for (i = 0; i < 3; i++) CHECK_EQ(pthread_create(&others[i], NULL, spin, NULL), 0);
  work_for(50000000);
  used = toy_stats(t).mutator_cpu_ns;
  CHECK(used >= 50000000 && used <= own_ns() - begun);
  CHECK_OK(barrow_detach(t.m));
  CHECK_EQ(pthread_create(&next, NULL, goes_on, t.heap), 0);
  CHECK_EQ(pthread_join(next, NULL), 0);
  /* Another one, which may lie where that one lay. */
  CHECK_EQ(pthread_create(&next, NULL, goes_on, t.heap), 0);
  CHECK_EQ(pthread_join(next, NULL), 0);
  __atomic_store_n(&stop_spinning, 1, __ATOMIC_RELAXED);
  for (i = 0; i < 3; i++) CHECK_EQ(pthread_join(others[i], NULL), 0);
  /* The other threads' parts are in it, and do not go away. */
  CHECK(toy_stats(t).mutator_cpu_ns >= used + 40000000);
  CHECK_OK(barrow_heap_free(t.heap));
}

/* Programs that were compiled before there were stops give less room, and have the figures of that time. */
static void room_of_a_former_version(void) {
  toy t = toy_new("");
  barrow_stats_t now = toy_stats(t), before;
  memset(&before, 0x55, sizeof before);
  before.size = (uint32_t)offsetof(barrow_stats_t, stops);
  CHECK_OK(barrow_stats(t.heap, &before));
  CHECK_EQ(before.size, offsetof(barrow_stats_t, stops));
  CHECK_EQ(before.resident_bytes, now.resident_bytes);
  CHECK_EQ(before.stops, 0x5555555555555555);
  before.size--;
  REFUSED(BARROW_E_ARG, barrow_stats(t.heap, &before));
  toy_free(t);
}

int main(void) {
  RUN(counts);
  RUN(room_of_a_former_version);
  RUN(the_parts_add_up);
  RUN(time_is_the_mutators);
  RUN(memory_goes_back_from_a_range);
  RUN(memory_goes_back_from_chunks);
  RUN(a_large_object_goes_back);
  return DONE;
}
