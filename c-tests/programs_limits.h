/* programs_limits.h: a step of random programs (programs.h) that takes blocks for the client until the heap's limit is met. So others meet it
 * too, in whichever call, and the hook gives the blocks back. */
#ifndef PROGRAMS_LIMITS_H
#define PROGRAMS_LIMITS_H
#include "programs_weak.h"

static inline void take_groups(player *p) {
  world *w = p->w;
  unsigned blocks = 1 + draw(w, MOST_BLOCKS);
  barrow_status status = BARROW_OK;
  pthread_mutex_lock(&at_groups);
  while (taken < groups_at_most() && status == BARROW_OK) {
    status = barrow_alloc_group(heap, blocks, &groups[taken]);
    if (status == BARROW_OK) memset((void *)groups[taken++]->start, 255, 64);
    else if (blocks > 1) blocks = (blocks + 1) / 2, status = BARROW_OK;
  }
  CHECK(status == BARROW_OK || status == BARROW_E_LIMIT);
  pthread_mutex_unlock(&at_groups);
  saw(SAW_GROUPS);
}

/* ---- the hook collects ------------------------------------------------------------------------------------------------- */

/* The player of this thread, while it allocates with nothing live outside of roots, and how often the hook was its own. */
__extension__ static __thread player *prepared;
__extension__ static __thread unsigned hooks;

static inline void move_in_hook(void) {
  player *p = prepared;
  if (!p) return;
  hooks++;
  saw(SAW_HOOKS);
  if (draw(p->w, 2)) {
    WITHIN_LIMIT(heap, barrow_collect(p->m, draw(p->w, 2)));
    return;
  }
  CHECK_OK(barrow_enter_foreign(p->m));
  sched_yield();
  CHECK_OK(barrow_leave_foreign(p->m));
}

/* Calls that never collect but in the hook. Each finds its own arguments. */
static inline void allocate_something(player *p) {
  world *w = p->w;
  unsigned key, value;
  node *k, *v;
  switch (draw(w, 6)) {
    case 0: CHECK(barrow_stack_new(p->m, NULL, 500 + draw(w, 20000)) != NULL); break;
    case 1:
      k = some(p, &key), v = some(p, &value);
      if (!k || is_selector(k) || is_kept(w, key) || w->count + 1 >= MOST_NODES) break;
      open_number(p, key), open_number(p, value);
      make_weak_of(p, k, key, v, value);
      close_numbers(p, 2);
      break;
    default: {
      size_t words = barrow_bytes_words(1000 + draw(w, 200000));
      barrow_word *at = draw(w, 2) ? barrow_allocate(p->m, words) : draw(w, 2) ? barrow_alloc(p->m, words) : barrow_allocate_pinned(p->m, words, 64, 8);
      CHECK(at != NULL);
      if (!at) return;
      at[0] = (barrow_word)&bytes_info;
      at[1] = 8 * (words - 2);
    }
  }
}

static inline void meet_limit_prepared(player *p) {
  unsigned before = hooks, i;
  prepared = p;
  take_groups(p);
  for (i = 0; i < 60 && hooks == before && !check_failures; i++) allocate_something(p);
  prepared = NULL;
}

static inline void meet_limit(player *p) {
  if (is_repeated) return;
  switch (draw(p->w, 4)) {
    case 0: take_groups(p); break;
    case 1: give_groups_back(heap); break;
    default: meet_limit_prepared(p);
  }
}

#endif
