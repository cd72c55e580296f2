/* Allocation: the bump, the slow path, reserve, allocate. */
#include "toy.h"

static void neighbours(void) {
  toy t = toy_new("-A1m");
  barrow_word *a = barrow_alloc(t.m, 4), *b;
  a[0] = (barrow_word)&node_info, a[1] = a[2] = a[3] = 0;
  b = barrow_alloc(t.m, 4);
  b[0] = (barrow_word)&node_info, b[1] = b[2] = b[3] = 0;
  CHECK(b == a + 4);
  CHECK(barrow_window_of(t.m)->hp == b + 4);
  CHECK(barrow_in_heap(t.heap, a));
  CHECK_EQ(barrow_generation_of(t.heap, a), 0);
  CHECK_EQ(barrow_object_words(t.heap, a), 4);
  toy_free(t);
}

static void a_list_over_many_nurseries(void) {
  toy t = toy_new("-A256k");
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100000);
  CHECK_EQ(toy_sum(r.list), 5000050000);
  CHECK(toy_stats(t).collections > 5);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void every_size(void) {
  toy t = toy_new("-A1m");
  struct { barrow_frame frame; void *array; } r;
  size_t i, j, length;
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 1000);
  for (i = 0; i < 1000; i++) {
    void *bytes;
    length = i < 600 ? i * 8 : i * 97;
    bytes = toy_bytes(t.m, length);
    memset(barrow_bytes_start(bytes), (int)i, length);
    barrow_write(t.m, r.array, &barrow_array_elements(r.array)[i], bytes);
    CHECK_EQ(barrow_object_words(t.heap, bytes), barrow_bytes_words(length));
  }
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < 1000; i++) {
    void *bytes = barrow_array_elements(r.array)[i];
    length = i < 600 ? i * 8 : i * 97;
    CHECK_EQ(((barrow_word *)bytes)[1], length);
    for (j = 0; j < length; j += 61) CHECK_EQ(toy_bytes_at(bytes)[j], (unsigned char)i);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void larger_than_megablocks(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *bytes; } r;
  void *before;
  BARROW_ENTER(t.m, r);
  before = r.bytes = toy_bytes(t.m, 5000000);
  memset(barrow_bytes_start(r.bytes), 7, 5000000);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.bytes == before); /* large objects do not move */
  CHECK_EQ(toy_bytes_at(r.bytes)[4999999], 7);
  CHECK(toy_stats(t).large_bytes >= 5000000);
  r.bytes = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).large_bytes, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void reserve_then_bump(void) {
  toy t = toy_new("-A1m");
  int round;
  for (round = 0; round < 100; round++) {
    barrow_word *first, *last = NULL;
    uint64_t before;
    int i;
    CHECK(barrow_reserve(t.m, BARROW_MAX_RESERVE_WORDS));
    before = toy_stats(t).collections;
    first = barrow_window_of(t.m)->hp;
    /* Attention is asked for in between, and has to wait. */
    if (round == 50) CHECK_OK(barrow_external_bytes(t.m, 1 << 30));
    for (i = 0; i < (int)BARROW_MAX_RESERVE_WORDS / 4; i++) {
      last = barrow_bump(t.m, 4);
      last[0] = (barrow_word)&node_info, last[1] = last[2] = last[3] = 0;
    }
    CHECK(last == first + BARROW_MAX_RESERVE_WORDS - 4);
    CHECK_EQ(toy_stats(t).collections, before);
  }
  CHECK_OK(barrow_external_bytes(t.m, -(1 << 30)));
  toy_free(t);
}

static void the_attempt_alone(void) {
  toy t = toy_new("-A256k");
  uint64_t before = toy_stats(t).collections;
  barrow_word *at;
  size_t taken = 0;
  while ((at = barrow_try_alloc(t.m, 8)) != NULL && taken < 10000000) {
    memset(at, 0, 64);
    taken++;
  }
  CHECK(taken > 0 && taken < 10000000);
  CHECK_EQ(toy_stats(t).collections, before); /* the attempt never collects */
  at = barrow_alloc(t.m, 4);
  at[0] = (barrow_word)&node_info, at[1] = at[2] = at[3] = 0;
  toy_free(t);
}

static void allocate_never_collects(void) {
  toy t = toy_new("-A256k --stress=1000000000");
  uint64_t before = toy_stats(t).collections;
  int i;
  CHECK(!barrow_wants_gc(t.m));
  for (i = 0; i < 20000; i++) {
    barrow_word *at = barrow_allocate(t.m, 4);
    at[0] = (barrow_word)&node_info, at[1] = at[2] = at[3] = 0;
  }
  CHECK_EQ(toy_stats(t).collections, before);
  CHECK(barrow_wants_gc(t.m));
  CHECK(barrow_window_of(t.m)->hp_lim == NULL); /* and compiled code will notice */
  CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  CHECK_EQ(toy_stats(t).collections, before + 1);
  CHECK(!barrow_wants_gc(t.m));
  toy_free(t);
}

static void allocate_large_wants_a_collection(void) {
  toy t = toy_new("-A256k");
  barrow_word *at = barrow_allocate(t.m, 1 << 20);
  at[0] = (barrow_word)&bytes_info, at[1] = ((1 << 20) - 2) * 8;
  CHECK(barrow_wants_gc(t.m));
  CHECK_OK(barrow_safepoint(t.m));
  CHECK(!barrow_wants_gc(t.m));
  toy_free(t);
}

static void zero_words_are_no_object(void) {
  toy t = toy_new("-DS");
  barrow_word *gap = barrow_alloc(t.m, 100);
  memset(gap, 0, 800);
  CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  CHECK_OK(barrow_collect(t.m, false));
  toy_free(t);
}

static void aligned_to_sixteen(void) {
  barrow_config config;
  struct { barrow_frame frame; void *array; } r;
  toy t;
  int i;
  barrow_config_init(&config);
  config.object_alignment = 16;
  t = toy_new_with(&config, "-A256k -DS");
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 100);
  for (i = 0; i < 20000; i++) {
    void *bytes = toy_bytes(t.m, (size_t)(i % 5) * 16);
    CHECK_EQ((size_t)bytes % 16, 0);
    memset(barrow_bytes_start(bytes), 1, (size_t)(i % 5) * 16);
    if (i % 7 == 0) barrow_write(t.m, r.array, &barrow_array_elements(r.array)[i % 100], bytes);
  }
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < 100; i++) CHECK_EQ((size_t)barrow_array_elements(r.array)[i] % 16, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(neighbours);
  RUN(a_list_over_many_nurseries);
  RUN(every_size);
  RUN(larger_than_megablocks);
  RUN(reserve_then_bump);
  RUN(the_attempt_alone);
  RUN(allocate_never_collects);
  RUN(allocate_large_wants_a_collection);
  RUN(zero_words_are_no_object);
  RUN(aligned_to_sixteen);
  return DONE;
}
