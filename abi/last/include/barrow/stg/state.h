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
static generation *barrow_stg_generations_[1];
struct barrow_stg_gc_flags { nat barrow_stg_generations_[1]; };
static struct barrow_stg_rts_flags { struct barrow_stg_gc_flags GcFlags; } barrow_stg_flags_;
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
  barrow_stg_steps_[0][0].blocks = (bdescr *)(void *)state.nursery;
  barrow_stg_steps_[0][0].n_blocks = (unsigned)state.nursery_blocks;
  return 0;
}
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
#ifdef __cplusplus
}
#endif
#endif
