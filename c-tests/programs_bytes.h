/* programs_bytes.h: steps of random programs (programs.h) with arrays of bytes, small, large and pinned, which become shorter. */
#ifndef PROGRAMS_BYTES_H
#define PROGRAMS_BYTES_H
#include "players.h"

static inline void make_bytes(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1, sort = draw(w, 16), i;
  /* A few reach over several megablocks. */
  size_t length = sort >= 2 ? draw(w, 300) : draw(w, 64) ? 3000 + draw(w, 7000) : 2000000 + draw(w, 2000000);
  size_t words = barrow_bytes_words(length);
  barrow_word *at;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = BYTES;
  w->length[number] = (unsigned)length;
  at = sort == 2 ? barrow_allocate_pinned(p->m, words, 8, 0) : sort == 3 ? barrow_allocate(p->m, words) : barrow_alloc(p->m, words);
  CHECK(at != NULL);
  if (!at) return;
  at[0] = (barrow_word)&bytes_info;
  at[1] = length;
  for (i = 0; i < length; i++) toy_bytes_at(at)[i] = byte_of(number, i);
  if (sort == 2 || length > LARGE_BYTES) w->place[number] = at;
  put(p, (node *)at, number);
}

/* To any smaller length, or to what it has. */
static inline void shorten(player *p) {
  world *w = p->w;
  unsigned number;
  node *n = some(p, &number);
  if (!n || w->kind[number] != BYTES) return;
  w->length[number] = draw(w, w->length[number] + 1);
  CHECK_OK(barrow_shrink(p->m, n, w->length[number]));
}

#endif
