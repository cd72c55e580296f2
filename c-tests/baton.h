/* baton.h: one player of random programs (programs.h) plays at a time, and hands the baton on: between its steps, and in the middle of
 * them. A player that waits for a value does so without the baton, and plays on when it has both. */
#ifndef BATON_H
#define BATON_H
#include "programs.h"

enum { NOBODY = -1 };
static int mutators, turn, all_wait_away;
static player *players[THREADS]; /* who plays, and has not come to its end */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;

/* Waits for the baton at a safepoint, or in foreign code. */
static inline void await_turn(barrow_mutator *m, int me, int away) {
  if (!away) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {
      WITHIN_LIMIT(heap, barrow_safepoint(m));
      sched_yield();
    }
    return;
  }
  CHECK_OK(barrow_enter_foreign(m));
  pthread_mutex_lock(&lock);
  while (turn != me) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
  CHECK_OK(barrow_leave_foreign(m));
}

static inline void hand_on(int to) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&turn, to, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
}

/* ---- who can play ------------------------------------------------------------------------------------------------------ */

/* The player that has claimed it, or else one that evaluates it without a claim. NULL: none that is there. */
static inline const player *claimant_of(const node *n) {
  int i;
  const claim *c;
  const player *unsure = NULL;
  for (i = 0; i < mutators; i++)
    for (c = players[i] ? players[i]->claims : NULL; c; c = c->up)
      if (*c->object == n && c->is_sure) return players[i];
      else if (*c->object == n) unsure = players[i];
  return unsure;
}

static inline bool has_waiter(const node *n) {
  int i;
  for (i = 0; i < mutators; i++)
    if (players[i] && players[i]->waits && value_of(*players[i]->waits) == n) return true;
  return false;
}

/* The player that it waits for. NULL: none. */
static inline const player *waits_for(const player *p) {
  return p->waits && is_under_evaluation(*p->waits) ? claimant_of(*p->waits) : NULL;
}

/* This player or the next one who can play. There is one: of those in a ring one is told, and plays. */
static inline int who_can_play(int from) {
  int i;
  for (i = 0; i < mutators; i++) {
    const player *p = players[(from + i) % mutators];
    if (p && !waits_for(p)) return (from + i) % mutators;
  }
  return NOBODY;
}

static inline bool is_ring(const player *p) {
  const player *other = waits_for(p);
  int passed;
  for (passed = 0; other && other != p && passed < mutators; passed++) other = waits_for(other);
  return other == p;
}

/* ---- in the middle ----------------------------------------------------------------------------------------------------- */

static inline int draw_away(player *p) { return all_wait_away || draw(p->w, 3) != 0; }

static inline void hand_on_in_the_middle(player *p) {
  int away = draw_away(p), to = who_can_play((int)draw(p->w, (unsigned)mutators));
  if (draw(p->w, 4) == 0) compare(p, false);
  if (to == p->me) {
    WITHIN_LIMIT(heap, barrow_safepoint(p->m));
    return;
  }
  saw(SAW_TURNS_IN_THE_MIDDLE);
  hand_on(to);
  await_turn(p->m, p->me, away);
}

/* A player that closes a ring gives the baton to the one that is told of it, which is the library's to say. Where runs are to be the
 * same, it goes back untold. */
static inline barrow_status wait_in_turn(player *p, node **object) {
  const player *claimant = claimant_of(*object);
  barrow_status status;
  int away = draw_away(p), to = (int)draw(p->w, (unsigned)mutators);
  if (!claimant || claimant == p) return barrow_wait_for(p->m, *object);
  p->waits = object;
  if (is_repeated && is_ring(p)) {
    p->waits = NULL;
    return BARROW_E_LOOP;
  }
  hand_on(is_ring(p) ? NOBODY : who_can_play(to));
  status = barrow_wait_for(p->m, *object);
  if (status == BARROW_E_LOOP) {
    CHECK_EQ(__atomic_load_n(&turn, __ATOMIC_ACQUIRE), NOBODY);
    hand_on(p->me);
  } else await_turn(p->m, p->me, away);
  p->waits = NULL;
  return status;
}

#endif
