/* model_kinds.h: objects of random programs (model.h) that refer to two others in ways of their own: tagged words, arrays that hold one
 * in all elements but the last, and threads of the client's, of which each frame holds one. */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H
#include "sights.h"

INFO(tagged_info, BARROW_TAGGED, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);
INFO(green_info, BARROW_THREAD, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);
INFO(green_frame, BARROW_RETURN_FRAME, 0, 0, 1, 1, 1, NULL, NULL);
enum { GREEN_FRAME = 3 };

/* Behind indirections. */
static inline node *value_of(void *n) {
  while (n && is_indirection(barrow_info_now(n)->kind)) n = barrow_indirectee(n);
  return (node *)n;
}

/* Two references to one object. A thread may evaluate it between two looks, and it has three states at most. */
static inline bool are_same(void *a, void *b) {
  int looks;
  for (looks = 0; looks < 4; looks++)
    if (value_of(a) == value_of(b)) return true;
  return false;
}

/* ---- tagged words: those that end in 1 are pointers ------------------------------------------------------------------- */

static inline void have_tags(barrow_config *config) {
  config->tagged_pointers = 0x0202;
  config->address_mask = ~(barrow_word)7;
}

/* In place of NULL a word that looks like an address, and is not one. */
static inline barrow_word tag_word(const void *object, barrow_word number) {
  return object ? (barrow_word)object | 1 : number * 64 + 4;
}

static inline node *untagged(barrow_word word, barrow_word number) {
  if ((word & 7) == 1) return (node *)(word - 1);
  CHECK_EQ(word, number * 64 + 4);
  return NULL;
}

static inline void match_tagged(const node *n, unsigned number, node **left, void **right) {
  const barrow_word *at = (const barrow_word *)n;
  CHECK(at[0] == (barrow_word)&tagged_info);
  CHECK_EQ(at[3], number);
  *left = untagged(at[1], number);
  *right = untagged(at[2], number);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------------ */

static inline void match_array(node *n, unsigned length, node **left, void **right) {
  void **all = barrow_array_elements(n);
  unsigned i;
  CHECK(n->header == (barrow_word)&array_info);
  CHECK_EQ(((const barrow_word *)n)[1], length);
  for (i = 1; i + 1 < length && !check_failures; i++) CHECK(all[i] == all[0] || (all[i] && all[0] && are_same(all[i], all[0])));
  *left = (node *)all[0];
  *right = all[length - 1];
}

/* ---- captured frames --------------------------------------------------------------------------------------------------- */

/* Frames of an evaluation (programs_frames.h): those that hold an object, those that update the thunk, and the oldest one. */
INFO(held_frame, BARROW_RETURN_FRAME, 0, 0, 1, 1, 1, NULL, NULL);
INFO(update_frame, BARROW_UPDATE_FRAME, 0, 0, 1, 1, 0, NULL, NULL);
INFO(base_frame, BARROW_RETURN_FRAME, 0, 0, 0, 1, 0, NULL, NULL);
enum { COURSE_FRAME = 3, BASE_FRAME = 2 };

/* The thunk is left, and what so many frames hold is right. */
static inline void match_captured(const node *n, unsigned thunk, unsigned count, node **left, void **right) {
  const barrow_stack *stack = (const barrow_stack *)n;
  const barrow_word *frame = (const barrow_word *)(stack + 1) + stack->top;
  unsigned held = 0, updates = 0;
  *left = NULL;
  *right = NULL;
  CHECK_EQ(barrow_info_now(n)->kind, BARROW_STACK);
  for (; !check_failures && (frame[0] == (barrow_word)&held_frame || frame[0] == (barrow_word)&update_frame); frame += COURSE_FRAME) {
    bool updates_now = frame[0] == (barrow_word)&update_frame;
    void *first = updates_now ? *left : *right, *object = (void *)frame[1];
    CHECK_EQ(frame[2], thunk);
    if (updates_now ? updates > 0 : held > 0) CHECK(object == first || (object && first && are_same(object, first)));
    if (updates_now) *left = (node *)object, updates++;
    else *right = object, held++;
  }
  if (check_failures) return;
  CHECK(updates > 0 && held == count);
  if (frame[0] == (barrow_word)&base_frame) frame += BASE_FRAME;
  CHECK(((const barrow_info *)frame[0])->kind == BARROW_STOP_FRAME && frame[1] == 0);
}

/* ---- threads ----------------------------------------------------------------------------------------------------------- */

/* While somebody runs on the thread's stack, it is not looked at. */
static inline void match_green(const node *n, unsigned number, unsigned depth, bool is_busy, node **left, void **right) {
  const barrow_word *at = (const barrow_word *)n;
  const barrow_stack *stack = (const barrow_stack *)at[1];
  unsigned found = 0;
  CHECK(at[0] == (barrow_word)&green_info);
  CHECK_EQ(at[3], number);
  *left = (node *)at[2];
  *right = NULL;
  if (is_busy) return;
  while (stack && !check_failures) {
    const barrow_word *frame = (const barrow_word *)(stack + 1) + stack->top;
    for (; frame[0] == (barrow_word)&green_frame && !check_failures; frame += GREEN_FRAME, found++) {
      void *held = (void *)frame[1];
      CHECK_EQ(frame[2], number);
      if (found == 0) *right = held;
      else CHECK(held == *right || (held && *right && are_same(held, *right)));
    }
    CHECK(((const barrow_info *)frame[0])->kind == BARROW_STOP_FRAME);
    stack = (const barrow_stack *)frame[1];
  }
  CHECK_EQ(found, depth);
}

#endif
