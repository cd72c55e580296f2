/* model_odd.h: layouts of rarer kinds (programs_kinds.h), and whether an object is as the model has it. */
#ifndef MODEL_ODD_H
#define MODEL_ODD_H
#include "model_kinds.h"

enum { VARIABLE, BITMAP, STRUCTURES, FROZEN, STRANGE, VECTOR, TAGGED_ARRAY, ODD_SORTS };
enum { STRUCT = 3, MOST_TOLD = 40000 };

/* ---- an object of the client's own kind -------------------------------------------------------------------------------- */

/* Header, a word with its world and number, two pointers with all bits inverted. The library tells each move. */
static void *told[8][MOST_TOLD];

static inline barrow_word strange_word(size_t of_world, unsigned number) { return (barrow_word)of_world << 32 | number; }
static inline void **told_of(const void *object) {
  barrow_word word = ((const barrow_word *)object)[1];
  return &told[word >> 32][word & 0xffffffff];
}

static size_t strange_words(const void *object) {
  (void)object;
  return 4;
}
static void strange_visit(void *object, barrow_visitor *visitor) {
  barrow_word *at = (barrow_word *)object;
  int i;
  for (i = 2; i < 4; i++) {
    void *to = (void *)~at[i];
    barrow_visit(visitor, &to);
    at[i] = ~(barrow_word)to;
  }
}
static void strange_moved(const void *from, void *to) {
  CHECK(*told_of(to) == from);
  *told_of(to) = to;
  saw(SAW_MOVES);
}
static const barrow_custom strange = {sizeof(barrow_custom), 0, strange_words, strange_visit, strange_moved, NULL};

/* ---- layouts ----------------------------------------------------------------------------------------------------------- */

INFO(variable_info, BARROW_MUT_VAR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(bitmap_info, BARROW_BITMAP, BARROW_FLAG_MUTABLE, 0, 0, 4, 10, NULL, NULL); /* words 1 and 3 */
INFO(structs_info, BARROW_STRUCTS, 0, 0, 0, STRUCT, 4, NULL, NULL);             /* the third word of each */
INFO(frozen_info, BARROW_ARRAY_FROZEN, 0, 0, 0, 0, 0, NULL, NULL);
INFO(strange_info, BARROW_CUSTOM, BARROW_FLAG_NOTIFY_MOVED, 0, 0, 0, 0, NULL, &strange);
INFO(vector_info, BARROW_SIZED, BARROW_FLAG_TAIL_POINTERS | BARROW_FLAG_MUTABLE, 1, 1, 2, 0, NULL, NULL);
INFO(tagged_array_info, BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);
static barrow_info *const odd_infos[ODD_SORTS] = {&variable_info, &bitmap_info, &structs_info, &frozen_info,
                                                  &strange_info, &vector_info, &tagged_array_info};

/* Of so many structs, elements, or pointers behind the fields. */
static inline size_t odd_words_of(unsigned sort, size_t length) {
  switch (sort) {
    case VARIABLE: return 2;
    case BITMAP: return 5;
    case STRUCTURES: return barrow_structs_words(length, STRUCT);
    case STRANGE: return 4;
    case VECTOR: return 4 + length;
    default: return barrow_array_words(length);
  }
}

/* The slots for pointers, and the word of each. */
static inline size_t odd_slots(unsigned sort, size_t length) {
  switch (sort) {
    case VARIABLE: return 1;
    case BITMAP: case STRANGE: return 2;
    case VECTOR: return 1 + length;
    default: return length;
  }
}
static inline size_t odd_slot(unsigned sort, size_t i) {
  switch (sort) {
    case VARIABLE: return 1;
    case BITMAP: return 2 + 2 * i;
    case STRUCTURES: return 2 + STRUCT * i + 2;
    case VECTOR: return i == 0 ? 1 : 3 + i;
    default: return 2 + i;
  }
}

/* All slots but the last are left, and of a vector the first alone. */
static inline bool odd_is_right(unsigned sort, size_t length, size_t i) {
  return sort == VECTOR ? i > 0 : sort != VARIABLE && i + 1 == odd_slots(sort, length);
}

static inline barrow_word odd_word(unsigned sort, void *object, unsigned number) {
  if (sort == TAGGED_ARRAY) return tag_word(object, number);
  return sort == STRANGE ? ~(barrow_word)object : (barrow_word)object;
}

static inline void *odd_object(unsigned sort, barrow_word word, unsigned number) {
  if (sort == TAGGED_ARRAY) return untagged(word, number);
  return (void *)(sort == STRANGE ? ~word : word);
}

static inline void match_odd(node *n, unsigned number, unsigned sort, size_t length, node **left, void **right) {
  const barrow_word *at = (const barrow_word *)n;
  size_t i;
  void *both[2] = {NULL, NULL};
  bool found[2] = {false, false};
  CHECK(at[0] == (barrow_word)odd_infos[sort]);
  if (check_failures) return;
  if (sort == STRANGE) CHECK(*told_of(n) == (void *)n && (at[1] & 0xffffffff) == number);
  if (sort == STRUCTURES || sort == FROZEN || sort == TAGGED_ARRAY) CHECK_EQ(at[1], length);
  if (sort == VECTOR) CHECK(at[2] == length && at[3] == number);
  if (sort == BITMAP) CHECK(at[1] == number && at[3] == number);
  for (i = 0; i < odd_slots(sort, length) && !check_failures; i++) {
    bool is_right = odd_is_right(sort, length, i);
    void *object = odd_object(sort, at[odd_slot(sort, i)], number);
    if (sort == STRUCTURES) CHECK(at[2 + STRUCT * i] == number && at[3 + STRUCT * i] == number);
    if (found[is_right]) CHECK(object == both[is_right] || (object && both[is_right] && are_same(object, both[is_right])));
    found[is_right] = true;
    both[is_right] = object;
  }
  *left = (node *)both[0];
  *right = both[1];
}

#endif
