/* programs_stacks.h: steps of random programs (programs.h) with threads of the client's, which have stacks: a thread's field is `left`,
 * and each frame of its stack has `right`. */
#ifndef PROGRAMS_STACKS_H
#define PROGRAMS_STACKS_H
#include "programs_lazy.h"

/* Takes so many frames off, and puts others there, each with the value. Garbage in between has the stack read while it is run on. Between
 * the two, and later, others play, and thunks are evaluated on this stack. */
static inline void change_frames(player *p, node *n, unsigned number, unsigned pops, unsigned pushes, node *value,
                                 unsigned value_number) {
  struct { barrow_frame frame; node *thread, *value; } r;
  unsigned i;
  r.thread = n;
  r.value = value;
  BARROW_PUSH(p->m, r);
  open_number(p, number);
  open_number(p, value_number);
  p->w->busy[number] = 1;
  CHECK_OK(barrow_thread_enter(p->m, r.thread));
  for (i = 0; i < pops && !check_failures; i++) {
    while (barrow_stack_top(p->m)->kind == BARROW_STOP_FRAME && !check_failures) CHECK(barrow_stack_underflow(p->m));
    if (!check_failures) barrow_stack_pop(p->m, GREEN_FRAME);
  }
  for (i = 0; i < pushes && !check_failures; i++) {
    barrow_word *at;
    CHECK(barrow_stack_need(p->m, GREEN_FRAME));
    at = barrow_stack_push(p->m, &green_frame, GREEN_FRAME);
    at[1] = (barrow_word)r.value;
    at[2] = number;
    if (i % 8 != 0) continue;
    make_cell(p, 0);
    maybe_hand_on(p);
  }
  maybe_hand_on(p);
  if (draw(p->w, 3) == 0) force(p);
  CHECK_OK(barrow_thread_leave(p->m, r.thread));
  p->w->busy[number] = 0;
  close_numbers(p, 2);
  BARROW_LEAVE(p->m, r);
}

static inline void make_green(player *p) {
  struct { barrow_frame frame; void *stack; node *left, *right; } r;
  world *w = p->w;
  unsigned number = w->count + 1, depth = draw(w, 40);
  barrow_word *at;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = GREEN;
  w->length[number] = depth;
  r.stack = NULL;
  r.left = some(p, &w->left[number]);
  r.right = some(p, &w->right[number]);
  BARROW_PUSH(p->m, r);
  CHECK((r.stack = barrow_stack_new(p->m, NULL, 20)) != NULL);
  at = barrow_alloc(p->m, 4);
  barrow_set_header(at, &green_info);
  at[1] = (barrow_word)r.stack;
  at[2] = (barrow_word)r.left;
  at[3] = number;
  r.left = (node *)at;
  if (depth == 0) w->right[number] = 0;
  change_frames(p, r.left, number, 0, depth, r.right, w->right[number]);
  put(p, r.left, number);
  BARROW_LEAVE(p->m, r);
}

static inline void link_green(player *p, node *n, unsigned number, node *v, unsigned value) {
  world *w = p->w;
  unsigned depth = w->length[number];
  if (w->busy[number]) return;
  if (draw(w, 3) == 0) {
    barrow_write(p->m, n, &((barrow_word *)n)[2], v);
    w->left[number] = value;
    return;
  }
  if (depth && draw(w, 2)) {
    unsigned pops = draw(w, depth), pushes = draw(w, 40);
    void *held;
    match_green(n, number, depth, false, &v, &held);
    w->length[number] += pushes - pops;
    change_frames(p, n, number, pops, pushes, (node *)held, w->right[number]);
    return;
  }
  w->length[number] = draw(w, 40);
  w->right[number] = w->length[number] ? value : 0;
  change_frames(p, n, number, depth, w->length[number], v, value);
}

#endif
