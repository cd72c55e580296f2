/* A part of barrow/stg.h: the state of the storage manager: to be read, not written, and not inside get_roots. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_STATE_H
#define BARROW_STG_STATE_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline barrow_heap_state_t barrow_stg_state_(void) {
  barrow_heap_state_t state;
  memset(&state, 0, sizeof state);
  state.size = (uint32_t)sizeof state;
  initStorage();
  barrow_stg_must_(barrow_heap_state(barrow_default_heap(), &state));
  return state;
}

enum { barrow_stg_most_ = 8 };
static step barrow_stg_steps_[barrow_stg_most_][barrow_stg_most_];
static generation barrow_stg_each_[barrow_stg_most_];

/* These two have one name, so that `generations` may be the variable and the field of RtsFlags at once. */
static generation *barrow_stg_generations_[1];
struct barrow_stg_gc_flags { nat barrow_stg_generations_[1]; };
static struct barrow_stg_rts_flags { struct barrow_stg_gc_flags GcFlags; } barrow_stg_flags_;

/* Brings the copies up to date; gives 0. */
static inline int barrow_stg_refresh_(void) {
  barrow_heap_state_t state = barrow_stg_state_();
  barrow_heap *heap = barrow_default_heap();
  uint32_t g, s;
  barrow_stg_generations_[0] = barrow_stg_each_;
  barrow_stg_flags_.GcFlags.barrow_stg_generations_[0] = state.n_generations;
  for (g = 0; g < state.n_generations; g++) {
    barrow_generation_state_t from;
    generation *to = &barrow_stg_each_[g];
    barrow_stg_must_(barrow_generation_state(heap, g, &from));
    to->no = from.no;
    to->steps = barrow_stg_steps_[g];
    to->n_steps = from.n_steps;
    to->max_blocks = (unsigned)from.max_blocks;
    to->n_remembered = from.n_remembered;
    for (s = 0; s < from.n_steps; s++) {
      barrow_step_state_t part;
      step *into = &barrow_stg_steps_[g][s];
      barrow_stg_must_(barrow_step_state(heap, g, s, &part));
      into->no = part.no;
      into->blocks = (bdescr *)(void *)part.blocks;
      into->n_blocks = (unsigned)part.n_blocks;
      into->large_objects = (bdescr *)(void *)part.large_objects;
    }
  }
  /* Step 0 of generation 0 is the nursery. */
  barrow_stg_steps_[0][0].blocks = (bdescr *)(void *)state.nursery;
  barrow_stg_steps_[0][0].n_blocks = (unsigned)state.nursery_blocks;
  return 0;
}

/* The values of the mutator's registers now: a copy, so nothing is allocated by writing to it. As there, rHp is the
 * word before the first free one and rHpLim the last free one; they are equal while the slow path is asked for. */
typedef struct StgRegTable_ {
  StgPtr rHp;
  StgPtr rHpLim;
  bdescr *rNursery;
  bdescr *rCurrentNursery;
} StgRegTable;

static inline StgRegTable barrow_stg_registers_(void) {
  barrow_heap_state_t state = barrow_stg_state_();
  const barrow_window *w = barrow_window_of(barrow_stg_m_());
  StgRegTable registers;
  registers.rHp = w->hp ? w->hp - 1 : NULL;
  registers.rHpLim = w->hp_lim ? w->hp_lim - 1 : registers.rHp;
  registers.rNursery = (bdescr *)(void *)state.nursery;
  registers.rCurrentNursery = (bdescr *)(void *)state.current_nursery;
  return registers;
}

#define MainRegTable barrow_stg_registers_()
#define Hp (MainRegTable.rHp)
#define HpLim (MainRegTable.rHpLim)

#define RtsFlags barrow_stg_flags_
#define generations barrow_stg_generations_[barrow_stg_refresh_()]
#define g0 (&generations[0])
#define g0s0 (&generations[0].steps[0])
#define oldest_gen (&generations[RtsFlags.GcFlags.generations - 1])
#define mblocks_allocated (barrow_stg_state_().mblocks_allocated)
#define nursery_blocks ((nat)barrow_stg_state_().nursery_blocks)
#define alloc_blocks ((nat)barrow_stg_state_().alloc_blocks)
#define alloc_blocks_lim ((nat)barrow_stg_state_().alloc_blocks_lim)
#define small_alloc_list ((bdescr *)(void *)barrow_stg_state_().small_alloc_list)
#define alloc_Hp ((StgPtr)barrow_stg_state_().alloc_hp)
#define alloc_HpLim ((StgPtr)barrow_stg_state_().alloc_hp_lim)
/* The large object pool has three names: g0s0->large_objects, g0s0->large_blocks and this. */
#define large_blocks large_objects
#define large_alloc_list (g0s0->large_objects)

#ifdef __cplusplus
}
#endif

#endif
