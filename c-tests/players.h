/* players.h: the threads of random programs (programs.h), and what they see. */
#ifndef PLAYERS_H
#define PLAYERS_H
#include "model.h"
#include "shortage.h"
#include <pthread.h>
#include <sched.h>

static barrow_heap *heap;

/* Whether runs are to be the same: no profile runs then, whose work may depend on time. */
static bool is_repeated;

/* An object that a player is evaluating, in its root. */
typedef struct claim {
  node **object;
  struct claim *up;
  bool is_sure; /* the library knows of it */
} claim;

/* A thread, with its roots. A player that waits for the value of an object has it at `waits`. A player who was told that it waits for
 * itself goes back to its outermost claim, and waits for nothing meanwhile. */
typedef struct player {
  barrow_frame frame;
  node *at[ROOTS];
  world *w;
  barrow_mutator *m;
  int me;
  claim *claims;
  node **waits;
  bool goes_back;
} player;

static inline unsigned draw(world *w, unsigned below) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(w->state >> 33) % below;
}

static inline size_t much(size_t n) { return getenv("BARROW_TEST_SLOW") ? n / 10 + 1 : n; }

/* With `major`, nothing of the world has changed since a major collection. */
static inline void compare(player *p, bool major) {
  world *w = p->w;
  unsigned i;
  if (major) reach_all(w);
  else w->walk++;
  for (i = 0; i < ROOTS; i++) match(w, p->at[i], w->roots[p->me][i], major);
  compare_shared(w, p->m, major);
  if (major) match_finalizers(w, false);
  for (i = 1; major && i <= w->count; i++)
    CHECK(!((w->died[i] & 1 && is_reached(w, w->left[i])) || (w->died[i] & 2 && is_reached(w, w->right[i]))));
}

/* Any node that this player sees: of its roots, the shared array, what handles hold, or fixed. */
static inline node *some(const player *p, unsigned *number) {
  world *w = p->w;
  unsigned i = draw(w, ROOTS + SHARED + HANDLES + STABLES + 2);
  if (i < ROOTS) {
    *number = w->roots[p->me][i];
    return value_of(p->at[i]);
  }
  i -= ROOTS;
  if (i < SHARED) {
    *number = w->shared[i];
    return value_of(part(w)[i]);
  }
  i -= SHARED;
  if (i < HANDLES + STABLES) {
    *number = w->held[i];
    return value_of(held(w, p->m, i));
  }
  i = draw(w, FIXED);
  *number = i + 1;
  return value_of(barrow_array_elements(commons)[i]);
}

static inline void put(player *p, node *n, unsigned number) {
  unsigned to = draw(p->w, ROOTS);
  p->at[to] = n;
  p->w->roots[p->me][to] = number;
}

static inline void share(player *p, node *n, unsigned number) {
  unsigned i = draw(p->w, SHARED);
  barrow_write(p->m, table, part(p->w) + i, n);
  p->w->shared[i] = number;
}

static inline bool is_under_evaluation(const node *n) {
  unsigned kind = barrow_info_now(n)->kind;
  return kind == BARROW_BLACKHOLE || kind == BARROW_CAF_BLACKHOLE;
}

static inline bool is_writable(const world *w, unsigned number) { return number > FIXED && w->kind[number] < THUNK; }

static inline node *make_cell(player *p, barrow_word value) {
  node *n = (node *)barrow_alloc(p->m, 4);
  barrow_set_header(n, &cell_info);
  n->left = n->right = NULL;
  n->value = value;
  return n;
}

/* ---- writing ----------------------------------------------------------------------------------------------------------- */

/* In any of the ways that are the same. */
static inline void write_somehow(player *p, node *owner, node **field, node *value, unsigned how) {
  switch (how) {
    case 0: barrow_write(p->m, owner, field, value); break;
    case 1: CHECK(barrow_cas(p->m, owner, field, *field, value)); break;
    case 2:
      *field = value;
      barrow_barrier(p->m, owner, field, value);
      break;
    default:
      *field = value;
      CHECK_OK(barrow_record_slot(p->m, field));
  }
}

static inline void write_word_somehow(player *p, node *owner, barrow_word *field, barrow_word word, unsigned how) {
  switch (how) {
    case 0: barrow_write_word(p->m, owner, field, word); break;
    case 1: CHECK(barrow_cas_word(p->m, owner, field, *field, word)); break;
    case 2:
      *field = word;
      barrow_barrier_word(p->m, owner, field, word);
      break;
    default:
      *field = word;
      CHECK_OK(barrow_record_word_slot(p->m, field));
  }
}

/* ---- in the middle of a step ------------------------------------------------------------------------------------------- */

/* Where one plays at a time: hands the baton on, and waits for a value without the baton. Elsewhere all run at once. */
static void (*hands_on)(player *p);
static barrow_status (*waits_in_turn)(player *p, node **object);

/* Players that are evaluating something. */
static int claiming;

/* All that is live is in roots here, and open in the model (model.h). Others may play, and collect. */
static inline void maybe_hand_on(player *p) {
  if (draw(p->w, 4)) return;
  if (hands_on) hands_on(p);
  else WITHIN_LIMIT(heap, barrow_safepoint(p->m));
}

/* A number that a step holds, whatever becomes of other references to it. */
static inline void open_number(player *p, unsigned number) {
  world *w = p->w;
  CHECK(w->opened[p->me] < MOST_OPEN);
  if (w->opened[p->me] < MOST_OPEN) w->open[p->me][w->opened[p->me]++] = number;
}

static inline void close_numbers(player *p, unsigned count) { p->w->opened[p->me] -= count; }

/* Nobody waits for others inside the heap. */
static inline void lock_outside(barrow_mutator *m, pthread_mutex_t *lock) {
  CHECK_OK(barrow_enter_foreign(m));
  pthread_mutex_lock(lock);
  CHECK_OK(barrow_leave_foreign(m));
}

#endif
