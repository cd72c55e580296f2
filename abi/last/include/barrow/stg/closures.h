#ifndef BARROW_STG_CLOSURES_H
#define BARROW_STG_CLOSURES_H
#include "storage.h"
#ifdef __cplusplus
extern "C" {
#endif
enum {
  CONSTR = BARROW_CONSTR,
  MUT_VAR = BARROW_MUT_VAR,
  MUT_ARR_PTRS = BARROW_ARRAY,
  MUT_ARR_PTRS_FROZEN = BARROW_ARRAY_FROZEN,
  ARR_WORDS = BARROW_BYTES,
  THUNK = BARROW_THUNK,
  THUNK_SELECTOR = BARROW_SELECTOR,
  IND = BARROW_IND,
  IND_PERM = BARROW_IND_PERM,
  IND_OLDGEN = BARROW_IND_OLDGEN,
  IND_OLDGEN_PERM = BARROW_IND_OLDGEN_PERM,
  BLACKHOLE = BARROW_BLACKHOLE,
  BLACKHOLE_BQ = BARROW_BLACKHOLE,
  SE_BLACKHOLE = BARROW_BLACKHOLE,
  CAF_BLACKHOLE = BARROW_CAF_BLACKHOLE,
  FUN = BARROW_FUN,
  PAP = BARROW_PAP,
  AP_UPD = BARROW_AP,
  CONSTR_STATIC = BARROW_CONSTR_STATIC,
  CONSTR_NOCAF_STATIC = BARROW_CONSTR_NOCAF_STATIC,
  FUN_STATIC = BARROW_FUN_STATIC,
  THUNK_STATIC = BARROW_THUNK_STATIC,
  IND_STATIC = BARROW_IND_STATIC
};
typedef struct { StgHeader header; StgClosure *indirectee; } StgInd;
typedef struct {
  StgHeader header;
  StgClosure *indirectee;
  StgClosure *static_link;
  const StgInfoTable *saved_info;
} StgIndStatic;
#define sizeofW(type) (sizeof(type) / sizeof(StgWord))
#define SET_INFO(c, info_) ((c)->header.info = (info_))
#define get_itbl(c) ((StgInfoTable *)(size_t)barrow_info_of(c))
static inline const StgInfoTable *barrow_stg_table_(unsigned kind) {
  initStorage();
  return barrow_table(barrow_default_heap(), kind);
}
#define stg_IND_info (*barrow_stg_table_(BARROW_IND))
#define stg_IND_PERM_info (*barrow_stg_table_(BARROW_IND_PERM))
#define stg_IND_OLDGEN_info (*barrow_stg_table_(BARROW_IND_OLDGEN))
#define stg_IND_OLDGEN_PERM_info (*barrow_stg_table_(BARROW_IND_OLDGEN_PERM))
#define stg_IND_STATIC_info (*barrow_stg_table_(BARROW_IND_STATIC))
#define stg_BLACKHOLE_info (*barrow_stg_table_(BARROW_BLACKHOLE))
#define stg_BLACKHOLE_BQ_info stg_BLACKHOLE_info
#define stg_CAF_BLACKHOLE_info (*barrow_stg_table_(BARROW_CAF_BLACKHOLE))
static inline void updateWithIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update(barrow_stg_m_(), p1, p2));
}
static inline void updateWithPermIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update_permanent(barrow_stg_m_(), p1, p2));
}
#define UPD_IND(updclosure, heapptr) updateWithIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))
#define UPD_PERM_IND(updclosure, heapptr) updateWithPermIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))
#define UPD_BH_UPDATABLE(thunk) barrow_stg_must_(barrow_blackhole(barrow_stg_m_(), (thunk)))
#define UPD_BH_SINGLE_ENTRY(thunk) UPD_BH_UPDATABLE(thunk)
static inline void barrow_stg_caf_(void *caf, void *value) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_new_caf(m, caf, value) == BARROW_OK) return;
  barrow_stg_must_(barrow_statics_add(barrow_default_heap(), &caf, 1, false));
  barrow_stg_must_(barrow_new_caf(m, caf, value));
}
#define UPD_CAF(cafptr, bhptr) barrow_stg_caf_((cafptr), (bhptr))
static inline void newCAF(StgClosure *caf) { barrow_stg_caf_(caf, NULL); }
#define caf_list ((StgClosure *)barrow_kept_caf(barrow_default_heap(), 0))
#ifdef __cplusplus
}
#endif
#endif
