/* frames.h: frames with a number each, on the stack object that a mutator runs on. */
#ifndef FRAMES_H
#define FRAMES_H
#include "toy.h"

/* Words after the header: a pointer, a plain word. */
INFO(call_info, BARROW_RETURN_FRAME, 0, 0, 1, 1, 1, NULL, NULL);
INFO(prompt_info, BARROW_CATCH_FRAME, 0, 0, 1, 1, 0, NULL, NULL);
enum { FRAME = 3 };

/* A frame with a number, and a new node that has the same. */
static inline bool push_frame(barrow_mutator *m, barrow_info *info, barrow_word number) {
  barrow_word *f;
  if (!barrow_stack_need(m, FRAME)) return false;
  f = barrow_stack_push(m, info, FRAME);
  f[1] = 0;
  f[2] = number;
  f = (barrow_word *)toy_node(m, NULL, NULL, number);
  barrow_window_of(m)->sp[1] = (barrow_word)f;
  return true;
}

/* Takes the newest frame off; its number, or -1 at the end of the stack. */
static inline barrow_word pop_frame(barrow_mutator *m) {
  barrow_word *sp;
  while (barrow_stack_top(m)->kind == BARROW_STOP_FRAME)
    if (!barrow_stack_underflow(m)) return (barrow_word)-1;
  sp = barrow_window_of(m)->sp;
  CHECK_EQ(((node *)sp[1])->value, sp[2]);
  barrow_stack_pop(m, FRAME);
  return sp[2];
}

#endif
