/* model_applied.h: functions of random programs (programs_applied.h), what applies them to some of their arguments, and suspended applications,
 * which are thunks. Of an application the function is left, and all arguments that are pointers are right; the others are its number. */
#ifndef MODEL_APPLIED_H
#define MODEL_APPLIED_H
#include "model_kinds.h"

typedef struct thunk {
  barrow_word header, result;
  node *left, *right;
  barrow_word value;
} thunk;
INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);

/* Functions of few arguments and of many, of which every other one is a pointer. */
enum { FEW = 5, MANY = 70 };
static const size_t many_bits[2] = {0x5555555555555555u, 0x15};
static const barrow_bitmap many_bitmap = {sizeof(barrow_bitmap), MANY, many_bits};
INFO(few_info, BARROW_FUN, 0, FEW, 2, 1, 0x15, NULL, NULL);
INFO(many_info, BARROW_FUN, 0, MANY, 2, 1, 0, &many_bitmap, NULL);
INFO(partial_info, BARROW_PAP, 0, 0, 0, 0, 0, NULL, NULL);
INFO(apply_info, BARROW_AP, 0, 0, 0, 0, 0, NULL, NULL);

/* The function of fixed applications, in the program's data: of a pointer, a number, and another pointer, which are left and right. */
INFO(pair_info, BARROW_FUN_STATIC, 0, 3, 0, 0, 5, NULL, NULL);
static barrow_word pair_function[2];

/* The arguments begin there. */
enum { PARTIAL_ARGUMENTS = 3, APPLY_ARGUMENTS = 4 };

static inline bool is_lazy_table(const barrow_info *info) { return info == &thunk_info || info == &apply_info; }

/* A thunk's fields and number, or those of a suspended application, which has two arguments at least. */
static inline unsigned lazy_fields(const node *n, const barrow_info *info, node **left, node **right) {
  const barrow_word *at = (const barrow_word *)n;
  if (info == &thunk_info) {
    *left = ((const thunk *)n)->left;
    *right = ((const thunk *)n)->right;
    return (unsigned)((const thunk *)n)->value;
  }
  if (at[3] == (barrow_word)pair_function) {
    *left = (node *)at[APPLY_ARGUMENTS];
    *right = (node *)at[APPLY_ARGUMENTS + 2];
  } else {
    *left = (node *)(at[3] & ~(barrow_word)7);
    *right = (node *)at[APPLY_ARGUMENTS];
  }
  return (unsigned)at[APPLY_ARGUMENTS + 1];
}

/* So many arguments. */
static inline void match_arguments(const barrow_word *at, unsigned count, unsigned number, void **right) {
  unsigned i;
  *right = count ? (void *)at[0] : NULL;
  for (i = 0; i < count && !check_failures; i++) {
    void *object = (void *)at[i];
    if (i % 2) CHECK_EQ(at[i], number);
    else CHECK(object == *right || (object && *right && are_same(object, *right)));
  }
}

static inline void match_partial(const node *n, unsigned number, unsigned count, node **left, void **right) {
  const barrow_word *at = (const barrow_word *)n;
  CHECK(at[0] == (barrow_word)&partial_info);
  CHECK_EQ(at[1], count);
  *left = (node *)(at[2] & ~(barrow_word)7);
  match_arguments(at + PARTIAL_ARGUMENTS, count, number, right);
}

static inline void match_suspended(const node *n, unsigned number, unsigned count) {
  const barrow_word *at = (const barrow_word *)n;
  void *right;
  CHECK_EQ(at[2], count);
  match_arguments(at + APPLY_ARGUMENTS, count, number, &right);
}

static inline void match_function(const node *n, unsigned number, bool many, node **left, void **right) {
  CHECK(n->header == (barrow_word)(many ? &many_info : &few_info));
  CHECK_EQ(n->value, number);
  *left = n->left;
  *right = n->right;
}

#endif
