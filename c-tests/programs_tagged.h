/* programs_tagged.h: steps of random programs (programs.h) with fields that are tagged words. */
#ifndef PROGRAMS_TAGGED_H
#define PROGRAMS_TAGGED_H
#include "players.h"

static inline void make_tagged(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1;
  barrow_word *at;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = TAGGED;
  at = barrow_alloc(p->m, 4);
  barrow_set_header(at, &tagged_info);
  at[1] = tag_word(some(p, &w->left[number]), number);
  at[2] = tag_word(some(p, &w->right[number]), number);
  at[3] = number;
  put(p, (node *)at, number);
}

static inline void link_tagged(player *p, node *n, unsigned number, node *v, unsigned value) {
  barrow_word *at = (barrow_word *)n;
  bool right = draw(p->w, 2);
  write_word_somehow(p, n, &at[1 + right], tag_word(v, number), draw(p->w, 4));
  *(right ? &p->w->right[number] : &p->w->left[number]) = value;
}

#endif
