#ifndef BARROW_STG_COST_CENTRES_H
#define BARROW_STG_COST_CENTRES_H
#include "storage.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef barrow_cc CostCentre;
typedef barrow_ccs CostCentreStack;
#define CCCS barrow_ccs_current(barrow_stg_m_())
#define CCS_MAIN barrow_ccs_special(BARROW_CCS_MAIN)
#define CCS_SYSTEM barrow_ccs_special(BARROW_CCS_SYSTEM)
#define CCS_GC barrow_ccs_special(BARROW_CCS_GC)
#define CCS_OVERHEAD barrow_ccs_special(BARROW_CCS_OVERHEAD)
#define CCS_DONT_CARE barrow_ccs_special(BARROW_CCS_DONT_CARE)
static inline CostCentreStack *PushCostCentre(CostCentreStack *ccs, CostCentre *cc) {
  CostCentreStack *pushed = barrow_ccs_push(ccs, cc);
  if (!pushed) barrow_stg_fatal_();
  return pushed;
}
#define ENTER_CCS(ccs) barrow_ccs_leave(barrow_stg_m_(), (ccs))
#define ENTER_CCS_T(c, ccs) ENTER_CCS(ccs)
#define ENTER_CCS_F(ccs) ((void)barrow_ccs_enter_function(barrow_stg_m_(), (ccs)))
#define ENTER_CCS_CAF(cc) ((void)barrow_ccs_enter_caf(barrow_stg_m_(), (cc)))
#define SET_CCC(cc) ((void)barrow_ccs_enter(barrow_stg_m_(), (cc)))
#define PUSH_STD_CCCS(frame) ((void)(frame))
static inline StgWord32 *barrow_stg_ccs_at_(const void *c) {
  static StgWord32 dummy;
  barrow_window *w = barrow_window_of(barrow_stg_m_());
  size_t at = (size_t)c;
  if (w->side[1] && at - w->heap_base < w->heap_length) {
    size_t megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
    StgWord32 *numbers = *(StgWord32 **)(megablock + w->side[1]);
    if (numbers) return numbers + ((at - megablock) >> 4);
  }
  dummy = 0;
  return &dummy;
}
#define CCS(c) (*barrow_stg_ccs_at_(c))
#define SET_PROF_HDR(c, ccs_) ((void)(CCS(c) = (ccs_)->number + 1))
static inline void barrow_stg_hdr_(void *c, const StgInfoTable *info, const CostCentreStack *ccs) {
  barrow_set_header(c, info);
  if (barrow_window_of(barrow_stg_m_())->side[1]) SET_PROF_HDR(c, ccs);
}
#define BARROW_STG_HDR_2_(c, info_, none) ((c)->header.info = (info_))
#define BARROW_STG_HDR_3_(c, info_, ccs_, none) barrow_stg_hdr_((c), (info_), (ccs_))
#define BARROW_STG_HDR_(c, info_, ccs_, which, ...) which
#define SET_HDR(c, ...) \
  BARROW_STG_HDR_(c, __VA_ARGS__, BARROW_STG_HDR_3_, BARROW_STG_HDR_2_, none)(c, __VA_ARGS__, none)
#ifdef __cplusplus
}
#endif
#endif
