/* Heaps: a thousand made and freed without growth; several at once; from several threads. */
#include "toy.h"
#include <pthread.h>

static void work(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 500);
  memset(barrow_allocate_pinned(t.m, 8, 64, 0), 0, 64);
  memset(barrow_allocate(t.m, 1000), 0, 8000);
  CHECK(barrow_stable_new(t.m, r.list) != 0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), 125250);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
}

static void a_thousand(const char *flags) {
  int i, rounds = toy_is_slow() ? 20 : 1000;
  size_t before = 0, after;
  for (i = 0; i < rounds; i++) {
    work(flags);
    if (i == rounds / 10) before = toy_resident();
  }
  after = toy_resident();
  if (!toy_is_slow()) CHECK(after < before + (1 << 20));
}

static void a_thousand_ranges(void) { a_thousand("-A64k --source=range -xr64m"); }
static void a_thousand_chunks(void) { a_thousand("-A64k --source=chunks"); }

static void several_at_once(void) {
  enum { HEAPS = 20 };
  toy heaps[HEAPS];
  barrow_handle *handles[HEAPS];
  int i, round;
  for (i = 0; i < HEAPS; i++) {
    heaps[i] = toy_new(i % 2 ? "-A64k --source=chunks -DS" : "-A64k -xr64m -DS");
    CHECK_OK(barrow_handle_new(heaps[i].m, NULL, &handles[i]));
  }
  for (round = 0; round < 10; round++)
    for (i = 0; i < HEAPS; i++) {
      CHECK_OK(barrow_handle_set(heaps[i].m, handles[i], toy_list(heaps[i].m, (size_t)(100 * i + round))));
      CHECK_OK(barrow_collect(heaps[i].m, round % 3 == 0));
      CHECK(!barrow_handle_get(handles[i]) || barrow_in_heap(heaps[i].heap, barrow_handle_get(handles[i])));
      CHECK(!barrow_in_heap(heaps[(i + 1) % HEAPS].heap, barrow_handle_get(handles[i])));
    }
  for (i = 0; i < HEAPS; i += 2) toy_free(heaps[i]);
  for (i = 1; i < HEAPS; i += 2) {
    size_t n = (size_t)(100 * i + 9);
    CHECK_OK(barrow_collect(heaps[i].m, true));
    CHECK_EQ(toy_sum((node *)barrow_handle_get(handles[i])), n * (n + 1) / 2);
    toy_free(heaps[i]);
  }
}

/* The same handle in another heap is none. */
static void heaps_do_not_mix(void) {
  toy a = toy_new(""), b = toy_new("");
  barrow_handle *handle = NULL;
  CHECK_OK(barrow_handle_new(a.m, NULL, &handle));
  REFUSED(BARROW_E_ARG, barrow_handle_free(b.m, handle));
  CHECK_OK(barrow_handle_free(a.m, handle));
  CHECK(barrow_heap_of(a.m) == a.heap && barrow_heap_of(b.m) == b.heap);
  toy_free(a);
  toy_free(b);
}

static void *in_a_thread(void *unused) {
  int i;
  for (i = 0; i < 20; i++) work("-A64k -xr64m -DS");
  return unused;
}

static void a_heap_for_each_thread(void) {
  pthread_t threads[4];
  int i;
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_create(&threads[i], NULL, in_a_thread, NULL), 0);
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

/* The marks of a biography take a sixteenth of all addresses for each heap. Those that come later do without. */
static void many_with_biographies(void) {
  enum { MOST = 100 };
  static toy heaps[MOST];
  int i, count = toy_is_slow() ? 5 : MOST;
  for (i = 0; i < count; i++) {
    struct { barrow_frame frame; node *list; } r;
    char flags[100];
    sprintf(flags, "-hb -i1000 -A64k -poheaps-biography%d", i);
    heaps[i] = toy_new(flags);
    BARROW_ENTER(heaps[i].m, r);
    r.list = toy_list(heaps[i].m, 100);
    CHECK_OK(barrow_census(heaps[i].m));
    barrow_use(heaps[i].m, r.list);
    CHECK_OK(barrow_census(heaps[i].m));
    BARROW_LEAVE(heaps[i].m, r);
  }
  for (i = 0; i < count; i++) {
    char name[100];
    CHECK_OK(barrow_heap_free(heaps[i].heap));
    sprintf(name, "heaps-biography%d.hp", i);
    CHECK_EQ(remove(name), 0);
  }
}

int main(void) {
  RUN(a_thousand_ranges);
  RUN(a_thousand_chunks);
  RUN(several_at_once);
  RUN(many_with_biographies);
  RUN(heaps_do_not_mix);
  RUN(a_heap_for_each_thread);
  return DONE;
}
