/* programs_applied.h: steps of random programs (programs.h) with functions, their partial applications, and suspended applications, which
 * are evaluated as thunks. The function is told by a reference with a tag, or behind an indirection. */
#ifndef PROGRAMS_APPLIED_H
#define PROGRAMS_APPLIED_H
#include "programs_areas.h"
#include "programs_lazy.h"

static inline node *make_function(player *p, unsigned *number) {
  world *w = p->w;
  node *n;
  if ((*number = next_number(w, FUNCTION)) == 0) return NULL;
  w->sort[*number] = (unsigned char)draw(w, 2);
  n = (node *)barrow_alloc(p->m, 4);
  barrow_set_header(n, w->sort[*number] ? &many_info : &few_info);
  n->left = some(p, &w->left[*number]);
  n->right = some(p, &w->right[*number]);
  n->value = *number;
  put(p, n, *number);
  return n;
}

static inline node *some_function(player *p, unsigned *number) {
  unsigned i;
  for (i = 0; i < 6; i++) {
    node *n = some(p, number);
    if (n && p->w->kind[*number] == FUNCTION) return n;
  }
  return make_function(p, number);
}

static inline void fill_arguments(barrow_word *at, unsigned count, node *right, unsigned number) {
  unsigned i;
  for (i = 0; i < count; i++) at[i] = i % 2 ? number : (barrow_word)right;
}

/* The word for the function of an application. Nothing is collected. */
static inline barrow_word function_word(player *p, node *function, unsigned number) {
  barrow_word *at;
  if (draw(p->w, 3)) return (barrow_word)function | (number & 7);
  at = barrow_allocate(p->m, 2);
  at[0] = (barrow_word)barrow_table(heap, BARROW_IND);
  at[1] = (barrow_word)function;
  return (barrow_word)at;
}

static inline void make_application(player *p) {
  struct { barrow_frame frame; node *function, *right; } r;
  world *w = p->w;
  unsigned function, right, number, count, most;
  bool is_lazy = draw(w, 2);
  barrow_word *at;
  r.right = NULL;
  r.function = some_function(p, &function);
  if (!r.function || (number = next_number(w, is_lazy ? THUNK : PARTIAL)) == 0) return;
  r.right = some(p, &right);
  BARROW_PUSH(p->m, r);
  most = w->sort[function] ? MANY : FEW;
  count = is_lazy ? 2 + draw(w, most - 1) : draw(w, most + 1);
  w->length[number] = count;
  w->left[number] = function;
  w->right[number] = count ? right : 0;
  if (is_lazy) {
    w->sort[number] = APPLIED;
    at = barrow_alloc(p->m, barrow_ap_words(count));
    at[0] = (barrow_word)&apply_info;
    at[1] = 0;
    at[2] = count;
    fill_arguments(at + APPLY_ARGUMENTS, count, r.right, number);
    at[3] = (barrow_word)r.function;
  } else {
    at = barrow_alloc(p->m, barrow_pap_words(count));
    at[0] = (barrow_word)&partial_info;
    at[1] = count;
    fill_arguments(at + PARTIAL_ARGUMENTS, count, r.right, number);
    at[2] = (barrow_word)r.function;
  }
  at[is_lazy ? 3 : 2] = function_word(p, r.function, number);
  put(p, (node *)at, number);
  BARROW_LEAVE(p->m, r);
}

#endif
