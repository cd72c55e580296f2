/* Arrays of pointers: sizes, cards, bulk copy and fill, frozen ones. */
#include "toy.h"

INFO(sized, BARROW_SIZED, 0, 1, 1, 2, 0, NULL, NULL);
INFO(frozen_info, BARROW_ARRAY_FROZEN, 0, 0, 0, 0, 0, NULL, NULL);

static node *element(void *array, size_t i) { return (node *)barrow_array_elements(array)[i]; }

static void make_old(toy t) {
  int i;
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
}

static void sizes(void) {
  CHECK_EQ(barrow_array_words(0), 2);
  CHECK_EQ(barrow_array_words(127), 129);
  CHECK_EQ(barrow_array_words(128), 131);
  CHECK_EQ(barrow_array_words(1024), 1027);
  CHECK_EQ(barrow_array_words(1025), 1029);
  CHECK_EQ(barrow_bytes_words(0), 2);
  CHECK_EQ(barrow_bytes_words(9), 4);
  CHECK_EQ(barrow_structs_words(3, 4), 14);
  CHECK_EQ(barrow_sized_words(&sized, 7), 11); /* header, pointer, two words, and the tail */
  CHECK_EQ(barrow_sized_words(&sized, BARROW_TOO_MANY_WORDS), BARROW_TOO_MANY_WORDS);
}

/* A length that no object can have never becomes a size that one has. */
static void sizes_that_are_too_large(void) {
  static const size_t lengths[] = {~(size_t)0, ~(size_t)0 - 1, ~(size_t)0 - 1023, (size_t)1 << 63, (size_t)1 << 62,
                                   (size_t)1 << 61, (size_t)1 << 60, ((size_t)1 << 44) + 1};
  toy t = toy_new("");
  size_t k;
  for (k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    size_t length = lengths[k];
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_array_words(length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_bytes_words(length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_structs_words(length, 1)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_structs_words(length, 8)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_structs_words(8, length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_structs_words(length, length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_weak_array_words(length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_thunk_words(length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_pap_words(length)));
    ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, barrow_ap_words(length)));
    CHECK(barrow_array_init(NULL, &array_info, length) == NULL);
  }
  toy_free(t);
}

/* Every length around the limits of cards and of large objects, written at random while old. */
static void writes_to_old_arrays(void) {
  static const size_t lengths[] = {1, 2, 127, 128, 129, 400, 408, 409, 1023, 1025, 5000, 131070, 131073, 300000};
  size_t k;
  for (k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    size_t length = lengths[k], i, seed = 1;
    toy t = toy_new(length > 10000 ? "-A256k" : "-A256k -DS");
    struct { barrow_frame frame; void *array; } r;
    int round;
    BARROW_ENTER(t.m, r);
    r.array = toy_array(t.m, length);
    CHECK_EQ(barrow_object_words(t.heap, r.array), barrow_array_words(length));
    make_old(t);
    for (round = 0; round < 4; round++) {
      size_t writes = round == 2 ? 3 * length % 5000 + 10 : 5;
      for (i = 0; i < writes; i++) {
        node *young;
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        young = toy_node(t.m, NULL, NULL, seed % length);
        barrow_write(t.m, r.array, &barrow_array_elements(r.array)[seed % length], young);
      }
      CHECK_OK(barrow_collect(t.m, round == 3));
      for (i = 0; i < length; i++)
        if (element(r.array, i)) CHECK_EQ(element(r.array, i)->value, i);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void copy_and_fill(void) {
  size_t sizes[3] = {50, 200, 3000}, k, i;
  for (k = 0; k < 3; k++) {
    size_t n = sizes[k];
    toy t = toy_new("-A256k -DS");
    struct { barrow_frame frame; void *old, *young; node *one; } r;
    BARROW_ENTER(t.m, r);
    r.old = toy_array(t.m, n);
    make_old(t);
    r.young = toy_array(t.m, n);
    for (i = 0; i < n; i++)
      toy_put(t.m, &r.young, i, toy_node(t.m, NULL, NULL, i));
    CHECK_OK(barrow_array_copy(t.m, r.old, 0, r.young, 0, n));
    CHECK_OK(barrow_array_fill(t.m, r.young, 0, n, NULL));
    CHECK_OK(barrow_collect(t.m, false));
    for (i = 0; i < n; i++) CHECK_EQ(element(r.old, i)->value, i);
    /* Within one array, overlapping, both ways. */
    CHECK_OK(barrow_array_copy(t.m, r.old, 1, r.old, 0, n - 1));
    for (i = 1; i < n; i++) CHECK_EQ(element(r.old, i)->value, i - 1);
    CHECK_OK(barrow_array_copy(t.m, r.old, 0, r.old, 1, n - 1));
    for (i = 0; i < n - 1; i++) CHECK_EQ(element(r.old, i)->value, i);
    r.one = toy_node(t.m, NULL, NULL, 111);
    CHECK_OK(barrow_array_fill(t.m, r.old, n / 2, n / 4, r.one));
    r.one = NULL;
    CHECK_OK(barrow_collect(t.m, false));
    for (i = 0; i < n / 4; i++) CHECK_EQ(element(r.old, n / 2 + i)->value, 111);
    CHECK_EQ(element(r.old, n / 2 - 1)->value, n / 2 - 1);
    CHECK_OK(barrow_array_copy(t.m, r.old, n, r.young, n, 0)); /* nothing, at the end */
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void ranges_outside(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *array; node *n; } r;
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 10);
  r.n = toy_node(t.m, NULL, NULL, 1);
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.array, 5, r.array, 0, 6));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.array, 0, r.array, 5, 6));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.array, 1, r.array, 0, ~(size_t)0));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.n, 0, r.array, 0, 1));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.array, 0, r.n, 0, 1));
  REFUSED(BARROW_E_ARG, barrow_array_fill(t.m, r.array, 11, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_array_fill(t.m, r.n, 0, 1, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void freeze_and_thaw(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *array; } r;
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 300);
  toy_put(t.m, &r.array, 7, toy_node(t.m, NULL, NULL, 7));
  CHECK_OK(barrow_become(t.m, r.array, &frozen_info));
  make_old(t);
  CHECK_EQ(element(r.array, 7)->value, 7);
  CHECK_OK(barrow_become(t.m, r.array, &array_info));
  toy_put(t.m, &r.array, 8, toy_node(t.m, NULL, NULL, 8));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(element(r.array, 8)->value, 8);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Many arrays of bytes in an old array, with other objects and one that comes again and again among them. */
static void bytes_among_others(void) {
  enum { most = 20000 };
  toy t = toy_new("-A16m");
  struct { barrow_frame frame; void *all, *one, *young; } r;
  size_t i, round, wrong = 0;
  BARROW_ENTER(t.m, r);
  r.all = toy_array(t.m, most);
  CHECK_OK(barrow_collect(t.m, true));
  r.young = toy_array(t.m, most);
  r.one = toy_bytes(t.m, 100);
  for (i = 0; i < most; i++) {
    void *made = i % 16 == 7 ? (void *)toy_node(t.m, NULL, NULL, i) : i % 16 == 9 ? r.one : toy_bytes(t.m, 100);
    if (i % 16 != 7) *toy_bytes_at(made) = i % 16 == 9 ? 9 : (unsigned char)i;
    toy_put(t.m, &r.young, i, made);
  }
  CHECK_OK(barrow_array_copy(t.m, r.all, 0, r.young, 0, most));
  r.young = NULL;
  for (round = 0; round < 2; round++) {
    CHECK_OK(barrow_collect(t.m, round == 1));
    for (i = 0; i < most; i++) {
      void *at = barrow_array_elements(r.all)[i];
      wrong += i % 16 == 7 ? ((node *)at)->value != i : *toy_bytes_at(at) != (i % 16 == 9 ? 9 : (unsigned char)i);
    }
  }
  CHECK_EQ(wrong, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(sizes);
  RUN(sizes_that_are_too_large);
  RUN(writes_to_old_arrays);
  RUN(copy_and_fill);
  RUN(ranges_outside);
  RUN(freeze_and_thaw);
  RUN(bytes_among_others);
  return DONE;
}
