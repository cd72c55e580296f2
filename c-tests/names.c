/* Identity hashes and stable names: they stay with an object, and die with it. */
#define _DEFAULT_SOURCE
#include "toy.h"

#include <sys/mman.h>

typedef struct { barrow_frame frame; void *a, *b, *c; } three;
INFO(delayed_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);

static void hashes_survive_moves(void) {
  const char *flags[] = {"-DS", "-DS -G1", "-DS -G4 -T2", "-DS --stress=2 -G3", "-DS --source=chunks", "-DS -c",
                         "-DS -c -G1 --source=chunks"};
  size_t k;
  for (k = 0; k < sizeof flags / sizeof *flags; k++) {
    toy t = toy_new(flags[k]);
    three r;
    uint64_t a, b, c;
    barrow_word *pinned;
    int round;
    BARROW_ENTER(t.m, r);
    toy_list(t.m, 100); /* what dies, so that what follows slides down in a compaction */
    r.a = toy_node(t.m, NULL, NULL, 1);
    r.b = toy_array(t.m, 5000);
    pinned = barrow_allocate_pinned(t.m, 4, 8, 0);
    pinned[0] = (barrow_word)&node_info;
    pinned[1] = pinned[2] = pinned[3] = 0;
    r.c = pinned;
    a = barrow_identity_hash(t.m, r.a);
    b = barrow_identity_hash(t.m, r.b);
    c = barrow_identity_hash(t.m, r.c);
    CHECK(a && b && c && a != b && b != c && a != c);
    for (round = 0; round < 6; round++) {
      CHECK_OK(barrow_collect(t.m, round == 4));
      CHECK(barrow_identity_hash(t.m, r.a) == a);
      CHECK(barrow_identity_hash(t.m, (char *)r.a + 3) == a); /* with a tag */
      CHECK(barrow_identity_hash(t.m, r.b) == b);
      CHECK(barrow_identity_hash(t.m, r.c) == c);
      CHECK(barrow_identity_hash(t.m, toy_node(t.m, NULL, NULL, 2)) != a);
    }
    CHECK(barrow_identity_hash(t.m, &t) == barrow_identity_hash(t.m, &t)); /* outside of the heap */
    ANSWERS((size_t)0, (size_t)barrow_identity_hash(t.m, NULL));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void names(void) {
  toy t = toy_new("-DS -G3");
  three r;
  size_t number;
  int round;
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.b = barrow_stable_name(t.m, r.a);
  number = barrow_stable_name_number(r.b);
  CHECK_EQ(barrow_info_of(r.b)->kind, BARROW_STABLE_NAME);
  for (round = 0; round < 6; round++) {
    CHECK_OK(barrow_collect(t.m, round == 3));
    CHECK(barrow_stable_name(t.m, r.a) == r.b);
    CHECK_EQ(barrow_stable_name_number(r.b), number);
  }
  /* The name dies, and is made again with the same number. */
  r.b = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  r.b = barrow_stable_name(t.m, r.a);
  CHECK_EQ(barrow_stable_name_number(r.b), number);
  /* The object dies: the name does not keep it, and nobody else gets its number. */
  r.a = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(toy_stats(t).live_bytes <= 32);
  CHECK_EQ(barrow_stable_name_number(r.b), number);
  r.a = toy_node(t.m, NULL, NULL, 1);
  CHECK(barrow_stable_name(t.m, r.a) != r.b);
  CHECK(barrow_stable_name_number(barrow_stable_name(t.m, r.a)) != number);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A number passes from an old thunk to its value, which is young, and is looked after there. */
static void numbers_of_old_thunks_with(const char *flags) {
  enum { most = 300 };
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *all, *x; } r;
  uint64_t numbers[most];
  int i, round;
  BARROW_ENTER(t.m, r);
  r.all = toy_array(t.m, most);
  for (i = 0; i < most; i++) {
    barrow_word *thunk = barrow_alloc(t.m, barrow_thunk_words(1));
    thunk[0] = (barrow_word)&delayed_info, thunk[2] = 0;
    r.x = thunk;
    barrow_write(t.m, r.all, &barrow_array_elements(r.all)[i], r.x);
    numbers[i] = barrow_identity_hash(t.m, r.x);
  }
  for (round = 0; round < 4; round++) CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < most; i++) {
    r.x = toy_node(t.m, NULL, NULL, (unsigned)i);
    /* A value that has a number keeps it. */
    if (i == 0) numbers[0] = barrow_identity_hash(t.m, r.x);
    CHECK_OK(barrow_update(t.m, barrow_array_elements(r.all)[i], r.x));
  }
  /* A census leaves the last value, which a root leads to, younger than its thunk. */
  CHECK_OK(barrow_census(t.m));
  r.x = toy_node(t.m, NULL, NULL, most);
  for (round = 0; round < 3; round++) {
    for (i = 0; i < most; i++) {
      CHECK_EQ(((node *)barrow_array_elements(r.all)[i])->value, (unsigned)i);
      CHECK(barrow_identity_hash(t.m, barrow_array_elements(r.all)[i]) == numbers[i]);
    }
    CHECK_OK(barrow_collect(t.m, false));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void numbers_of_old_thunks_with_young_values(void) {
  numbers_of_old_thunks_with("-G2 -T2 -DS");
  numbers_of_old_thunks_with("-G3 -T2 -DS");
}

/* An eq table of a million objects; a third of them dies. */
/* A pinned thunk that is not reached itself, in a block that a neighbour saves, is replaced like any other: its value keeps its own
 * number and name. */
static void numbers_of_pinned_thunks_with(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; barrow_word *thunk, *neighbour; void *value, *name; } r;
  uint64_t first, value;
  BARROW_ENTER(t.m, r);
  r.thunk = barrow_allocate_pinned(t.m, 4, 8, 0);
  r.thunk[0] = (barrow_word)&delayed_info;
  r.thunk[1] = r.thunk[2] = r.thunk[3] = 0;
  r.neighbour = barrow_allocate_pinned(t.m, 4, 8, 0);
  r.neighbour[0] = (barrow_word)&node_info;
  r.neighbour[1] = r.neighbour[2] = r.neighbour[3] = 0;
  r.value = toy_node(t.m, NULL, NULL, 1);
  first = barrow_identity_hash(t.m, r.thunk);
  value = barrow_identity_hash(t.m, r.value);
  r.name = barrow_stable_name(t.m, r.value);
  CHECK(first != value);
  CHECK_OK(barrow_update(t.m, r.thunk, r.value));
  /* The neighbour is met first, and its block with it. */
  {
    barrow_word *neighbour = r.neighbour;
    r.neighbour = r.thunk;
    r.thunk = neighbour;
  }
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(barrow_identity_hash(t.m, r.value) == value);
  CHECK(barrow_stable_name(t.m, r.value) == r.name);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void numbers_of_pinned_thunks(void) {
  numbers_of_pinned_thunks_with("-DS -G1");
  numbers_of_pinned_thunks_with("-DS -G2");
  numbers_of_pinned_thunks_with("-DS -c");
}

/* Memory of the client's had numbers, and was given back to the system, which gave it to the heap: what lies there has nothing to do
 * with them. */
static void memory_that_was_the_clients(void) {
  enum { BYTES = 64 << 20, STEP = 1 << 12, PIECE = 1 << 16, PIECES = 1 << 11 };
  toy t = toy_new("--source=chunks -A1m");
  struct { barrow_frame frame; void *array; node *young; } r;
  size_t i, there = 0;
  char *memory = (char *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != (char *)MAP_FAILED);
  BARROW_ENTER(t.m, r);
  r.young = NULL;
  for (i = 0; i < BYTES; i += STEP) CHECK(barrow_identity_hash(t.m, memory + i) != 0);
  CHECK_EQ(munmap(memory, BYTES), 0);
  r.array = toy_array(t.m, PIECES);
  for (i = 0; i < PIECES; i++) {
    void *bytes = toy_bytes(t.m, PIECE);
    memset(toy_bytes_at(bytes), 0x2a, PIECE);
    there += (char *)bytes >= memory && (char *)bytes < memory + BYTES;
    toy_put(t.m, &r.array, i, bytes);
  }
  CHECK(there > 0 || toy_under_valgrind());
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < PIECES; i++) {
    uint64_t hash = barrow_identity_hash(t.m, barrow_array_elements(r.array)[i]);
    r.young = toy_node(t.m, NULL, NULL, 1);
    CHECK(hash != barrow_identity_hash(t.m, r.young));
  }
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_check(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A module that was loaded where another one was has other objects. */
static void statics_of_modules_that_went(void) {
  static barrow_word module[16];
  toy t = toy_new("-DS");
  uint64_t before, kept = barrow_identity_hash(t.m, &t);
  module[0] = (barrow_word)&node_info;
  before = barrow_identity_hash(t.m, module);
  CHECK(before == barrow_identity_hash(t.m, module));
  CHECK_OK(barrow_module_unregister(t.m, module, sizeof module));
  CHECK(barrow_identity_hash(t.m, module) != before);
  CHECK(barrow_identity_hash(t.m, &t) == kept);
  toy_free(t);
}

static void a_million(void) {
  size_t count = toy_is_slow() ? 20000 : 1000000;
  toy t = toy_new("-A1m");
  struct { barrow_frame frame; void *keys; } r;
  uint64_t *hashes = (uint64_t *)malloc(count * sizeof *hashes), sum = 0;
  size_t i, wrong = 0;
  int round;
  BARROW_ENTER(t.m, r);
  r.keys = toy_array(t.m, count);
  for (i = 0; i < count; i++) {
    toy_put(t.m, &r.keys, i, toy_node(t.m, NULL, NULL, i));
    hashes[i] = barrow_identity_hash(t.m, barrow_array_elements(r.keys)[i]);
    sum ^= hashes[i];
  }
  CHECK(sum != 0);
  for (round = 0; round < 4; round++) {
    CHECK_OK(barrow_collect(t.m, round % 2 == 1));
    for (i = round > 1 ? round - 1 : 0; i < count; i += round > 1 ? 3 : 1)
      wrong += barrow_identity_hash(t.m, barrow_array_elements(r.keys)[i]) != hashes[i];
    if (round == 1)
      for (i = 0; i < count; i += 3) barrow_array_elements(r.keys)[i] = NULL;
  }
  CHECK_EQ(wrong, 0);
  free(hashes);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(hashes_survive_moves);
  RUN(names);
  RUN(numbers_of_old_thunks_with_young_values);
  RUN(numbers_of_pinned_thunks);
  RUN(memory_that_was_the_clients);
  RUN(statics_of_modules_that_went);
  RUN(a_million);
  return DONE;
}
