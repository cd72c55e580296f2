/* programs_areas.h: steps of random programs (programs.h) that fill words themselves: words that were reserved, and the allocation area
 * while it is open. */
#ifndef PROGRAMS_AREAS_H
#define PROGRAMS_AREAS_H
#include "players.h"

/* The number of an object that is about to be made; 0 when there are no more. */
static inline unsigned next_number(world *w, unsigned kind) {
  if (w->count + 1 >= MOST_NODES) return 0;
  w->kind[++w->count] = (unsigned char)kind;
  return w->count;
}

static inline size_t some_bytes(world *w, unsigned number) {
  w->length[number] = draw(w, 64);
  return barrow_bytes_words(w->length[number]);
}

static inline void fill_bytes(world *w, barrow_word *at, unsigned number) {
  unsigned i;
  at[0] = (barrow_word)&bytes_info;
  at[1] = w->length[number];
  for (i = 0; i < w->length[number]; i++) toy_bytes_at(at)[i] = byte_of(number, i);
}

static inline void fill_cell(player *p, barrow_word *at, unsigned number) {
  node *n = (node *)at;
  barrow_set_header(n, &cell_info);
  n->left = some(p, &p->w->left[number]);
  n->right = some(p, &p->w->right[number]);
  n->value = number;
}

/* Several objects in words that one call has reserved, of which some may be left. */
static inline void fill_reserved(player *p) {
  world *w = p->w;
  size_t words = draw(w, 8) ? 4 + draw(w, 200) : 4 + draw(w, BARROW_MAX_RESERVE_WORDS - 3);
  CHECK(barrow_reserve(p->m, words));
  while (words >= 10 && draw(w, 16)) {
    unsigned is_bytes = draw(w, 2), number = next_number(w, is_bytes ? BYTES : CELL);
    size_t took = 4;
    barrow_word *at;
    if (!number) return;
    if (is_bytes) took = some_bytes(w, number);
    if (took > words) took = 4, w->kind[number] = CELL, is_bytes = 0;
    at = barrow_bump(p->m, took);
    if (is_bytes) fill_bytes(w, at, number);
    else fill_cell(p, at, number);
    words -= took;
    put(p, (node *)at, number);
  }
  saw(SAW_RESERVED);
}

/* Nothing else takes words of an area that is open, collects, or has this mutator stand, and what never collects goes on. */
static inline void use_open_area(player *p, node *n, unsigned number) {
  unsigned other;
  node *o = some(p, &other);
  switch (draw(p->w, 12)) {
    case 0: CHECK_EQ(barrow_collect(p->m, false), BARROW_E_STATE); break;
    case 1: CHECK(barrow_alloc(p->m, 4) == NULL); break;
    case 2: CHECK_EQ(barrow_detach(p->m), BARROW_E_STATE); break;
    case 3: CHECK_EQ(barrow_enter_foreign(p->m), BARROW_E_STATE); break;
    case 4: CHECK_EQ(barrow_safepoint(p->m), BARROW_E_STATE); break;
    case 5:
      if (o && p->w->kind[other] == CELL && is_writable(p->w, other)) {
        barrow_write(p->m, o, &o->left, n);
        p->w->left[other] = number;
      }
      break;
    case 6: share(p, n, number); break;
    default: break;
  }
}

/* Fills the area that is open, and those behind it, with many objects of which few are kept. */
static inline void fill_areas(player *p) {
  world *w = p->w;
  barrow_word *hp, *end;
  unsigned count = draw(w, 4) ? draw(w, 100) : draw(w, 6000), extended = 0;
  CHECK_OK(barrow_open_nursery(p->m, &hp, &end));
  while (count > 0 && !check_failures) {
    node *n = (node *)hp;
    unsigned number = 0;
    if (end - hp < 4) {
      if (!barrow_extend_nursery(p->m, &hp, &end)) return; /* and the area is closed */
      saw_many(SAW_EXTENDED, extended++ == 0);
      continue;
    }
    count--;
    if (draw(w, 16) == 0) number = next_number(w, CELL);
    hp += 4;
    if (number) {
      fill_cell(p, (barrow_word *)n, number);
      put(p, n, number);
      use_open_area(p, n, number);
    } else {
      barrow_set_header(n, &cell_info);
      n->left = n->right = NULL;
      n->value = 0;
    }
  }
  CHECK_OK(barrow_close_nursery(p->m, hp));
}

/* At any alignment, and with any offset; a few are large. */
static inline void make_pinned_bytes(player *p) {
  world *w = p->w;
  unsigned number = next_number(w, BYTES);
  size_t align = (size_t)8 << draw(w, 10), offset = 0, words;
  barrow_word *at;
  if (!number) return;
  some_bytes(w, number);
  if (draw(w, 16) == 0) w->length[number] = 2000 + draw(w, 4000);
  words = barrow_bytes_words(w->length[number]);
  if (draw(w, 2)) offset = 8 * draw(w, (unsigned)words);
  at = barrow_allocate_pinned(p->m, words, align, offset);
  CHECK(at != NULL);
  if (!at) return;
  CHECK_EQ(((size_t)at + offset) % align, 0);
  fill_bytes(w, at, number);
  w->place[number] = at;
  put(p, (node *)at, number);
}

static inline void fill_words(player *p) {
  switch (draw(p->w, 4)) {
    case 0: case 1: fill_reserved(p); break;
    case 2: fill_areas(p); break;
    default: make_pinned_bytes(p);
  }
}

#endif
