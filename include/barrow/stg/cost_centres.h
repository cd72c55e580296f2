/* A part of barrow/stg.h: cost-centre stacks, and producers of objects. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_COST_CENTRES_H
#define BARROW_STG_COST_CENTRES_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef barrow_cc CostCentre;
typedef barrow_ccs CostCentreStack;

/* The current stack: to be read. ENTER_CCS and its like change it, since they book the allocation first. */
#define CCCS barrow_ccs_current(barrow_stg_m_())
#define CCS_MAIN barrow_ccs_special(BARROW_CCS_MAIN)
#define CCS_SYSTEM barrow_ccs_special(BARROW_CCS_SYSTEM)
#define CCS_GC barrow_ccs_special(BARROW_CCS_GC)
#define CCS_OVERHEAD barrow_ccs_special(BARROW_CCS_OVERHEAD)
#define CCS_DONT_CARE barrow_ccs_special(BARROW_CCS_DONT_CARE)

/* The stack that comes of pushing a centre; nothing is entered. */
static inline CostCentreStack *PushCostCentre(CostCentreStack *ccs, CostCentre *cc) {
  CostCentreStack *pushed = barrow_ccs_push(ccs, cc);
  if (!pushed) barrow_stg_fatal_();
  return pushed;
}

/* Another stack is current from now on: one that was saved, that of a thunk. */
#define ENTER_CCS(ccs) barrow_ccs_leave(barrow_stg_m_(), (ccs))
#define ENTER_CCS_T(c, ccs) ENTER_CCS(ccs)
/* That of a function, on top of the caller's. */
#define ENTER_CCS_F(ccs) ((void)barrow_ccs_enter_function(barrow_stg_m_(), (ccs)))
/* That of a CAF. */
#define ENTER_CCS_CAF(cc) ((void)barrow_ccs_enter_caf(barrow_stg_m_(), (cc)))
/* A centre on top of the current stack. */
#define SET_CCC(cc) ((void)barrow_ccs_enter(barrow_stg_m_(), (cc)))
/* Frames have no profiling words: their code keeps the stack that they restore. */
#define PUSH_STD_CCCS(frame) ((void)(frame))

/* A heap profile's note of an object's producer: the number of a cost-centre stack and 1, or 0 for an older object than
 * the profile. While no profile notes it, and of static objects, a dummy that reads as 0. */
static inline StgWord32 *barrow_stg_ccs_at_(const void *c) {
  static StgWord32 dummy;
  barrow_mutator *m = barrow_stg_m_();
  barrow_window *w = barrow_window_of(m);
  size_t at = (size_t)c;
  if (w->side[1] && (w->heap_length ? at - w->heap_base < w->heap_length : barrow_in_heap(barrow_heap_of(m), c))) {
    size_t megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
    StgWord32 *numbers = *(StgWord32 **)(megablock + w->side[1]);
    if (numbers) return numbers + ((at - megablock) >> 4);
  }
  dummy = 0;
  return &dummy;
}
#define CCS(c) (*barrow_stg_ccs_at_(c))

/* Objects made by allocate() have the current stack for their producer anyway, those of an open nursery when it is closed.
 * This says another one, of an object made by allocate(). */
#define SET_PROF_HDR(c, ccs_) ((void)(CCS(c) = (ccs_)->number + 1))

static inline void barrow_stg_hdr_(void *c, const StgInfoTable *info, const CostCentreStack *ccs) {
  barrow_set_header(c, info);
  if (barrow_window_of(barrow_stg_m_())->side[1]) SET_PROF_HDR(c, ccs);
}
/* SET_HDR(c, info), or SET_HDR(c, info, ccs). */
#define BARROW_STG_HDR_2_(c, info_, none) ((c)->header.info = (info_))
#define BARROW_STG_HDR_3_(c, info_, ccs_, none) barrow_stg_hdr_((c), (info_), (ccs_))
#define BARROW_STG_HDR_(c, info_, ccs_, which, ...) which
#define SET_HDR(c, ...) \
  BARROW_STG_HDR_(c, __VA_ARGS__, BARROW_STG_HDR_3_, BARROW_STG_HDR_2_, none)(c, __VA_ARGS__, none)

#ifdef __cplusplus
}
#endif

#endif
