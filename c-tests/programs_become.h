/* programs_become.h: a step of random programs (programs.h) that changes an object's kind in place. */
#ifndef PROGRAMS_BECOME_H
#define PROGRAMS_BECOME_H
#include "players.h"

/* With -DL, words that are no references must not look so. */
static bool words_are_looked_at;

/* A cell, pinned and large ones too, becomes an object of three words. Its pointer may be another one. Where the old kind had its second
 * pointer, which the heap may just have remembered, the new one has a word that nobody changes: the bits of a pointer, or a number. */
static inline void become_short(player *p) {
  world *w = p->w;
  node *young = draw(w, 2) ? make_cell(p, 0) : NULL;
  unsigned number, value;
  node *n = some(p, &number), *v = some(p, &value);
  barrow_word word = number;
  if (!n || !is_writable(w, number)) return;
  if (draw(w, 2)) {
    n->left = v;
    w->left[number] = value;
  }
  if (young) barrow_write(p->m, n, &n->right, young);
  if (n->right && !words_are_looked_at) memcpy(&word, &n->right, sizeof word);
  else memcpy(&n->right, &word, sizeof word);
  w->word[number] = word;
  w->right[number] = 0;
  w->kind[number] = SHORT;
  CHECK_OK(barrow_become(p->m, n, &short_info));
}

#endif
