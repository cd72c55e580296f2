/* programs_arrays.h: steps of random programs (programs.h) with arrays of pointers, small and large, that belong to one world. All
 * elements but the last are `left`. */
#ifndef PROGRAMS_ARRAYS_H
#define PROGRAMS_ARRAYS_H
#include "players.h"

static inline void make_array(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1;
  size_t length = draw(w, 8) ? 2 + draw(w, 40) : draw(w, 32) ? 500 + draw(w, 1000) : 33000 + draw(w, 9000);
  size_t words = barrow_array_words(length);
  barrow_word *at;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = ARRAY;
  w->length[number] = (unsigned)length;
  at = draw(w, 2) ? barrow_alloc(p->m, words) : barrow_allocate(p->m, words);
  CHECK(at != NULL);
  if (!at) return;
  barrow_array_init(at, &array_info, length);
  if (words * sizeof *at > LARGE_BYTES) w->place[number] = at;
  put(p, (node *)at, number);
}

/* The first half is written, and copied to the second, from which it may overlap. */
static inline void write_and_copy(player *p, node *n, size_t many, node *v) {
  size_t half = (many + 1) / 2, i;
  for (i = 0; i < half; i++) barrow_write(p->m, n, &barrow_array_elements(n)[i], v);
  CHECK_OK(barrow_array_copy(p->m, n, many - half, n, 0, half));
}

/* From an array that is as long or longer. */
static inline bool copy_other(player *p, node *n, unsigned number) {
  world *w = p->w;
  unsigned other;
  node *o = some(p, &other);
  if (!o || w->kind[other] != ARRAY || w->length[other] < w->length[number]) return false;
  CHECK_OK(barrow_array_copy(p->m, n, 0, o, 0, w->length[number] - 1));
  w->left[number] = w->left[other];
  return true;
}

static inline void link_array(player *p, node *n, unsigned number, node *v, unsigned value) {
  world *w = p->w;
  size_t many = w->length[number] - 1;
  void **last = &barrow_array_elements(n)[many];
  switch (draw(w, 6)) {
    case 0: barrow_write(p->m, n, last, v); break;
    case 1: CHECK(barrow_cas(p->m, n, last, *last, v)); break;
    case 2:
      if (copy_other(p, n, number)) return;
      /* fall through */
    case 3:
      CHECK_OK(barrow_array_fill(p->m, n, 0, many, v));
      w->left[number] = value;
      return;
    default:
      write_and_copy(p, n, many, v);
      w->left[number] = value;
      return;
  }
  w->right[number] = value;
}

#endif
