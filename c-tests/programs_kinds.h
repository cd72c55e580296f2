/* programs_kinds.h: steps of random programs (programs.h) with objects of kinds that are rarer than cells: variables, bitmaps, structs,
 * frozen and tagged arrays, vectors behind fields, and objects whose pointers only their client's function can read. All refer to two
 * others, and most have their number in the words between. */
#ifndef PROGRAMS_KINDS_H
#define PROGRAMS_KINDS_H
#include "players.h"

static inline size_t length_of(const world *w, unsigned number) { return w->length[number]; }

/* Makes an object that refers to two that the player sees. */
static inline void make_odd(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1, sort = draw(w, ODD_SORTS);
  barrow_word *at, left, right;
  size_t words, i;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = ODD;
  w->sort[number] = (unsigned char)sort;
  w->length[number] = 2 + draw(w, 30);
  words = odd_words_of(sort, w->length[number]);
  at = draw(w, 4) ? barrow_alloc(p->m, words) : barrow_allocate(p->m, words);
  CHECK(at != NULL);
  if (!at) return;
  left = (barrow_word)some(p, &w->left[number]);
  right = (barrow_word)some(p, &w->right[number]);
  at[0] = (barrow_word)odd_infos[sort];
  for (i = 1; i < words; i++) at[i] = number;
  if (sort == STRANGE) {
    at[1] = strange_word(w->first / PART, number);
    told[w->first / PART][number] = at;
  } else if (sort == STRUCTURES || sort == FROZEN || sort == TAGGED_ARRAY) {
    at[1] = length_of(w, number);
  } else if (sort == VECTOR) {
    at[2] = length_of(w, number);
  } else if (sort == VARIABLE) {
    w->right[number] = 0;
  }
  for (i = 0; i < odd_slots(sort, w->length[number]); i++) {
    bool is_right = odd_is_right(sort, w->length[number], i);
    at[odd_slot(sort, i)] = odd_word(sort, (void *)(is_right ? right : left), number);
  }
  put(p, (node *)at, number);
}

/* Writes to all slots that are left, or to those that are right, in any of the ways that the library has. */
static inline void link_odd(player *p, node *n, unsigned number, node *v, unsigned value) {
  world *w = p->w;
  barrow_word *at = (barrow_word *)n;
  unsigned sort = w->sort[number], how = draw(w, 4);
  bool right = sort != VARIABLE && draw(w, 2);
  size_t i, count = odd_slots(sort, w->length[number]);
  if (sort == FROZEN || sort == STRANGE) return;
  for (i = 0; i < count; i++) {
    barrow_word *slot = &at[odd_slot(sort, i)], word = odd_word(sort, v, number);
    if (odd_is_right(sort, w->length[number], i) != right) continue;
    if (sort == TAGGED_ARRAY) write_word_somehow(p, n, slot, word, how);
    else write_somehow(p, n, (node **)(void *)slot, v, how);
  }
  *(right ? &w->right[number] : &w->left[number]) = value;
}

#endif
