/* programs_costs.h: a step of random programs (programs.h) that enters cost centres, which all threads share, and takes stacks of them from
 * others. Each mutator has costs of its own. */
#ifndef PROGRAMS_COSTS_H
#define PROGRAMS_COSTS_H
#include "programs_lazy.h"

enum { CENTRES = 24, DEEPEST_CENTRE = 6 };
static barrow_cc cost_centres[CENTRES];
static barrow_ccs *newest_stack; /* of whomever */

static inline void begin_centres(void) {
  static char labels[CENTRES][8];
  int i;
  if (cost_centres[0].label) return;
  for (i = 0; i < CENTRES; i++) {
    barrow_cc fresh = BARROW_CC("", "programs", NULL);
    sprintf(labels[i], "k%d", i);
    fresh.label = labels[i];
    cost_centres[i] = fresh;
  }
}

/* Whether the stack has a centre more than another, which may have been in it before. */
static inline bool is_in(const barrow_ccs *stack, uint32_t centre) {
  for (; stack; stack = stack->parent)
    if (stack->centre == centre) return true;
  return false;
}

static inline void enter_centres(player *p, unsigned depth) {
  world *w = p->w;
  barrow_cc *centre = &cost_centres[draw(w, CENTRES)];
  barrow_ccs *before = barrow_ccs_current(p->m), *taken = __atomic_load_n(&newest_stack, __ATOMIC_ACQUIRE), *now;
  bool takes = taken && !is_repeated && draw(w, 4) == 0;
  uint64_t entries;
  if (takes) CHECK(barrow_ccs_enter_function(p->m, taken) == before);
  else CHECK((draw(w, 8) ? barrow_ccs_enter(p->m, centre) : barrow_ccs_enter_caf(p->m, centre)) == before);
  now = barrow_ccs_current(p->m);
  if (!takes) CHECK(now->centre == __atomic_load_n(&centre->id, __ATOMIC_RELAXED));
  CHECK(takes ? is_in(now, taken->centre) : is_in(now, now->centre));
  __atomic_store_n(&newest_stack, now, __ATOMIC_RELEASE);
  entries = barrow_cost_of(p->m, now)->entries;
  make_cell(p, 0);
  maybe_hand_on(p);
  if (draw(w, 4) == 0) force(p);
  if (depth < DEEPEST_CENTRE && draw(w, 3)) enter_centres(p, depth + 1);
  maybe_hand_on(p);
  CHECK(barrow_ccs_current(p->m) == now);
  CHECK(barrow_cost_of(p->m, now)->entries >= entries);
  CHECK_OK(barrow_ccs_leave_slow(p->m, before));
  CHECK(barrow_ccs_current(p->m) == before);
  saw(SAW_CENTRES);
}

#endif
