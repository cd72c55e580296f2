/* Changes in place: another kind, a smaller length. */
#include "toy.h"

INFO(small_info, BARROW_CONSTR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(plain_info, BARROW_CONSTR, 0, 0, 0, 3, 0, NULL, NULL);
INFO(huge_info, BARROW_CONSTR, 0, 0, 0, 99, 0, NULL, NULL);
INFO(vector_info, BARROW_SIZED, BARROW_FLAG_TAIL_POINTERS, 0, 0, 1, 0, NULL, NULL);

static void young_becomes_smaller(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 3);
  r.n->left = toy_node(t.m, NULL, NULL, 9);
  CHECK_OK(barrow_become(t.m, r.n, &small_info));
  CHECK_EQ(barrow_object_words(t.heap, r.n), 2);
  CHECK(barrow_info_of(r.n) == &small_info);
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(r.n->left->value, 9);
  CHECK_EQ(toy_stats(t).live_bytes, 2 * 8 + sizeof(node));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void an_old_one_becomes_young_pointer(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 3);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_generation_of(t.heap, r.n), 1);
  r.n->left = toy_node(t.m, NULL, NULL, 9); /* become remembers it */
  CHECK_OK(barrow_become(t.m, r.n, &small_info));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(r.n->left->value, 9);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A slot that was remembered is a plain word now, and must not be followed. */
static void remembered_slots_are_forgotten(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  node *young;
  int i;
  BARROW_ENTER(t.m, r);
  r.n = toy_cell(t.m, NULL, NULL, 3);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  young = toy_node(t.m, NULL, NULL, 9);
  barrow_write(t.m, r.n, &r.n->left, young);
  r.n->left = (node *)0x5;
  r.n->right = (node *)~(size_t)0;
  CHECK_OK(barrow_become(t.m, r.n, &plain_info));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(r.n->left == (node *)0x5 && r.n->right == (node *)~(size_t)0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Nor when the plain word is the address of a young object, which moves. */
static void plain_words_with_addresses_stay_with(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *n, *young; } r;
  barrow_word bait;
  int i;
  BARROW_ENTER(t.m, r);
  r.n = toy_cell(t.m, NULL, NULL, 3);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  r.young = toy_node(t.m, NULL, NULL, 9);
  barrow_write(t.m, r.n, &r.n->left, r.young);
  barrow_write(t.m, r.n, &r.n->right, r.young);
  bait = (barrow_word)r.young;
  CHECK_OK(barrow_become(t.m, r.n, &plain_info));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ((barrow_word)r.n->left, bait);
  CHECK_EQ((barrow_word)r.n->right, bait);
  CHECK((barrow_word)r.young != bait);
  CHECK_EQ(r.young->value, 9);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void plain_words_with_addresses_stay(void) {
  plain_words_with_addresses_stay_with("-DS");
  plain_words_with_addresses_stay_with("--workers=2!");
}

static void shrink_young_and_old(void) {
  int old;
  for (old = 0; old < 2; old++) {
    toy t = toy_new("-DS");
    struct { barrow_frame frame; void *bytes; barrow_word *vector; } r;
    int i;
    BARROW_ENTER(t.m, r);
    r.bytes = toy_bytes(t.m, 1000);
    memset(barrow_bytes_start(r.bytes), 5, 1000);
    r.vector = barrow_alloc(t.m, 2 + 50);
    memset(r.vector, 0, 52 * 8);
    r.vector[0] = (barrow_word)&vector_info, r.vector[1] = 50;
    for (i = 0; i < 3 * old; i++) CHECK_OK(barrow_collect(t.m, true));
    for (i = 0; i < 50; i++) {
      node *young = toy_node(t.m, NULL, NULL, (barrow_word)i);
      barrow_write(t.m, r.vector, &r.vector[2 + i], young);
    }
    CHECK_OK(barrow_shrink(t.m, r.bytes, 10));
    CHECK_OK(barrow_shrink(t.m, r.vector, 5));
    CHECK_EQ(barrow_object_words(t.heap, r.bytes), barrow_bytes_words(10));
    CHECK_EQ(barrow_object_words(t.heap, r.vector), 7);
    CHECK_OK(barrow_check(t.m));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_bytes_at(r.bytes)[9], 5);
    for (i = 0; i < 5; i++) CHECK_EQ(((node *)r.vector[2 + i])->value, i);
    CHECK_EQ(toy_stats(t).live_bytes, 8 * barrow_bytes_words(10) + 7 * 8 + 5 * sizeof(node));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void shrink_large(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *array; } r;
  size_t lengths[5] = {4000, 1000, 128, 127, 0};
  int i, j;
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 5000);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < 5; i++) {
    for (j = 0; j < 20 && j < (int)lengths[i]; j++)
      toy_put(t.m, &r.array, j, toy_node(t.m, NULL, NULL, (barrow_word)j));
    CHECK_OK(barrow_shrink(t.m, r.array, lengths[i]));
    CHECK_EQ(barrow_array_length(r.array), lengths[i]);
    CHECK_OK(barrow_collect(t.m, i % 2));
    for (j = 0; j < 20 && j < (int)lengths[i]; j++)
      CHECK_EQ(((node *)barrow_array_elements(r.array)[j])->value, j);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An old object that is shortened step by step is remembered once: the next collection looks at it once. */
static void shrink_step_by_step(void) {
  enum { STEPS = 50000 };
  toy t = toy_new("");
  struct { barrow_frame frame; void *array; } r;
  barrow_word before;
  int i;
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, STEPS + 100);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  before = toy_stats(t).overhead_bytes;
  for (i = 1; i <= STEPS; i++) CHECK_OK(barrow_shrink(t.m, r.array, STEPS + 100 - (size_t)i));
  CHECK(toy_stats(t).overhead_bytes - before < STEPS);
  toy_put(t.m, &r.array, 9, toy_node(t.m, NULL, NULL, 9));
  CHECK_OK(barrow_shrink(t.m, r.array, 10));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(((node *)barrow_array_elements(r.array)[9])->value, 9);
  CHECK_OK(barrow_check(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* However many objects change however often by turns, each is listed and looked at once. */
static void changes_by_turns(void) {
  enum { LARGE = 40, SMALL = 40, ROUNDS = 5000 };
  toy t = toy_new("");
  struct { barrow_frame frame; void *large[LARGE], *small[SMALL]; } r;
  barrow_word before;
  int i, k;
  BARROW_ENTER(t.m, r);
  for (k = 0; k < LARGE; k++) r.large[k] = toy_array(t.m, ROUNDS + 500);
  for (k = 0; k < SMALL; k++) {
    r.small[k] = toy_cell(t.m, NULL, NULL, 3);
  }
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  before = toy_stats(t).overhead_bytes;
  for (i = 1; i <= ROUNDS; i++)
    for (k = 0; k < LARGE; k++) {
      CHECK_OK(barrow_shrink(t.m, r.large[k], ROUNDS + 500 - (size_t)i));
      CHECK_OK(barrow_array_fill(t.m, r.large[k], 0, 1, r.large[k]));
      CHECK_OK(barrow_become(t.m, r.small[k], i % 2 ? &plain_info : &cell_info));
    }
  CHECK(toy_stats(t).overhead_bytes - before < 64 << 10);
  for (k = 0; k < LARGE; k++) toy_put(t.m, &r.large[k], 499, toy_node(t.m, NULL, NULL, (barrow_word)k));
  for (k = 0; k < LARGE; k++) CHECK_OK(barrow_shrink(t.m, r.large[k], 500));
  CHECK_OK(barrow_collect(t.m, false));
  for (k = 0; k < LARGE; k++) CHECK_EQ(((node *)barrow_array_elements(r.large[k])[499])->value, k);
  /* The next collection knows nothing of these changes: cards are marked anew. */
  for (k = 0; k < LARGE; k++) toy_put(t.m, &r.large[k], 3, toy_node(t.m, NULL, NULL, (barrow_word)k));
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, false));
  for (k = 0; k < LARGE; k++) CHECK_EQ(((node *)barrow_array_elements(r.large[k])[3])->value, k);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A large array that is none any more has no cards, whatever it was before. */
enum { BITMAP_WORDS = 1400 };
static const size_t pointers_but_in_word_1[BITMAP_WORDS / 64 + 1] = {6}; /* words 2 and 3 */
static const barrow_bitmap but_in_word_1 = {sizeof(barrow_bitmap), BITMAP_WORDS, pointers_but_in_word_1};
INFO(bitmap_info, BARROW_BITMAP_LARGE, 0, 0, 0, BITMAP_WORDS, 0, &but_in_word_1, NULL);

static void an_array_becomes_none(void) {
  size_t shortened;
  for (shortened = 0; shortened < 2; shortened++) {
    toy t = toy_new("-DS");
    struct { barrow_frame frame; barrow_word *array; node *young; } r;
    int i;
    BARROW_ENTER(t.m, r);
    r.young = NULL;
    r.array = (barrow_word *)toy_array(t.m, 2000);
    for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
    if (shortened) CHECK_OK(barrow_shrink(t.m, r.array, 1500));
    r.young = toy_node(t.m, NULL, NULL, 9);
    CHECK_OK(barrow_array_fill(t.m, r.array, 0, 1000, r.young));
    CHECK_OK(barrow_become(t.m, r.array, &bitmap_info));
    r.array[1] = (barrow_word)1 << 44;
    for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(t.m, false));
    CHECK(((node *)r.array[2])->value == 9);
    r.array[3] = (barrow_word)toy_node(t.m, NULL, NULL, 8);
    REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
    CHECK(strstr(barrow_last_error(), "a write barrier is missing") != NULL);
    barrow_write(t.m, r.array, &r.array[3], (void *)r.array[3]);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(((node *)r.array[3])->value == 8);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* What a large object no longer needs is no live byte any more, and the next major collection gives its pages back. */
static void shrunk_objects_give_back(void) {
  static const char *const flags[] = {"-DS", "-DS -c", "-DS -G1", "-DS --source=chunks", "-DZ -G3"};
  static const size_t shrunk[] = {200000, 140000, 5000, 100};
  size_t f, i, j;
  for (f = 0; f < sizeof flags / sizeof *flags; f++) {
    toy t = toy_new(flags[f]);
    struct { barrow_frame frame; void *array, *bytes; } r;
    size_t held;
    BARROW_ENTER(t.m, r);
    r.array = r.bytes = NULL;
    r.array = toy_array(t.m, 1000000);
    r.bytes = toy_bytes(t.m, 400000);
    toy_put(t.m, &r.array, 50, toy_node(t.m, NULL, NULL, 7));
    memset(toy_bytes_at(r.bytes), 9, 400000);
    if (f % 2) CHECK_OK(barrow_collect(t.m, true));
    held = toy_stats(t).live_bytes;
    CHECK(held > 8400000);
    CHECK_OK(barrow_shrink(t.m, r.bytes, 10000));
    CHECK(toy_stats(t).live_bytes < held - 380000);
    CHECK(toy_stats(t).fragmentation_bytes > 380000);
    for (i = 0; i < sizeof shrunk / sizeof *shrunk; i++) {
      CHECK_OK(barrow_shrink(t.m, r.array, shrunk[i]));
      CHECK(toy_stats(t).live_bytes < shrunk[i] * 9 + 12000);
      CHECK_OK(barrow_collect(t.m, false));
      CHECK_OK(barrow_collect(t.m, true));
      CHECK(toy_stats(t).live_bytes < shrunk[i] * 9 + 12000);
      CHECK(toy_stats(t).fragmentation_bytes < (2u << 20));
      CHECK_EQ(((node *)barrow_array_elements(r.array)[50])->value, 7);
      for (j = 51; j < shrunk[i]; j++) CHECK(barrow_array_elements(r.array)[j] == NULL);
      CHECK_EQ(toy_bytes_at(r.bytes)[9999], 9);
      CHECK_OK(barrow_audit(t.heap));
      /* What was given back is used again. */
      for (j = 0; j < 3; j++) toy_array(t.m, 300000);
      CHECK_OK(barrow_collect(t.m, true));
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* With these lengths sizes would be those of small objects again, beyond the largest word. */
INFO(structs_info, BARROW_STRUCTS, 0, 0, 0, 64, 1, NULL, NULL);
INFO(sized_info, BARROW_SIZED, 0, 2, 1, 2, 0, NULL, NULL);
INFO(far_info, BARROW_SIZED, 0, 4000, 1, 4000, 0, NULL, NULL);
INFO(pap_info, BARROW_PAP, 0, 0, 0, 0, 0, NULL, NULL);
INFO(ap_info, BARROW_AP, 0, 0, 0, 0, 0, NULL, NULL);

static void impossible_lengths(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *n; } r;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 3);
  r.n->left = (node *)((barrow_word)1 << 58);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &structs_info));
  barrow_set_header(r.n, &node_info);
  r.n->left = (node *)(~(barrow_word)0 - 1);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &pap_info));
  barrow_set_header(r.n, &node_info);
  r.n->left = NULL;
  r.n->right = (node *)(~(barrow_word)0 - 1);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &ap_info));
  barrow_set_header(r.n, &node_info);
  r.n->right = NULL;
  r.n->value = ~(barrow_word)0;
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &sized_info));
  barrow_set_header(r.n, &node_info);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &far_info));
  r.n->value = 0;
  CHECK_OK(barrow_become(t.m, r.n, &sized_info));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Of bytes too, which are fewer words than their length says; and what does not fit is not shortened either. */
static void impossible_bytes(void) {
  static const barrow_word lengths[] = {~(barrow_word)0, (barrow_word)1 << 63, (barrow_word)1 << 44, 1 << 22};
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *bytes; node *next; } r;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.bytes = r.next = NULL;
  r.bytes = toy_bytes(t.m, 8);
  r.next = toy_node(t.m, NULL, NULL, 7);
  for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    ((barrow_word *)r.bytes)[1] = lengths[i];
    REFUSED(BARROW_E_ARG, barrow_become(t.m, r.bytes, &node_info));
    REFUSED(BARROW_E_ARG, barrow_shrink(t.m, r.bytes, 8));
  }
  ((barrow_word *)r.bytes)[1] = 8;
  CHECK(barrow_become(t.m, r.bytes, &plain_info) != BARROW_OK);
  CHECK_OK(barrow_shrink(t.m, r.bytes, 0));
  CHECK_EQ(r.next->value, 7);
  CHECK_OK(barrow_check(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void impossible_changes(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *n; void *bytes; } r;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 3);
  r.bytes = toy_bytes(t.m, 8);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, &huge_info));
  REFUSED(BARROW_E_ARG, barrow_shrink(t.m, r.n, 1));
  REFUSED(BARROW_E_ARG, barrow_shrink(t.m, r.bytes, 9));
  CHECK_OK(barrow_shrink(t.m, r.bytes, 8));
  CHECK_EQ(r.n->value, 3);
  CHECK(barrow_info_of(r.n) == &node_info);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(young_becomes_smaller);
  RUN(an_old_one_becomes_young_pointer);
  RUN(remembered_slots_are_forgotten);
  RUN(plain_words_with_addresses_stay);
  RUN(shrink_young_and_old);
  RUN(shrink_large);
  RUN(shrink_step_by_step);
  RUN(changes_by_turns);
  RUN(shrunk_objects_give_back);
  RUN(an_array_becomes_none);
  RUN(impossible_changes);
  RUN(impossible_lengths);
  RUN(impossible_bytes);
  return DONE;
}
