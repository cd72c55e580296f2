/* A part of barrow/stg.h: closures of lazy languages: their tables, updates, blackholes, CAFs. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_CLOSURES_H
#define BARROW_STG_CLOSURES_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds, by the documents' names. */
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
  /* One blackhole serves for all: here it always has room for those who wait. */
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
/* Of any address that may be read. */
#define LOOKS_LIKE_GHC_INFO(info_) (barrow_info_check(info_) == BARROW_OK)
#define get_itbl(c) ((StgInfoTable *)(size_t)barrow_info_of(c))

static inline const StgInfoTable *barrow_stg_table_(unsigned kind) {
  initStorage();
  return barrow_table(barrow_default_heap(), kind);
}

/* The runtime's own tables. */
#define stg_IND_info (*barrow_stg_table_(BARROW_IND))
#define stg_IND_PERM_info (*barrow_stg_table_(BARROW_IND_PERM))
#define stg_IND_OLDGEN_info (*barrow_stg_table_(BARROW_IND_OLDGEN))
#define stg_IND_OLDGEN_PERM_info (*barrow_stg_table_(BARROW_IND_OLDGEN_PERM))
#define stg_IND_STATIC_info (*barrow_stg_table_(BARROW_IND_STATIC))
#define stg_BLACKHOLE_info (*barrow_stg_table_(BARROW_BLACKHOLE))
#define stg_BLACKHOLE_BQ_info stg_BLACKHOLE_info
#define stg_CAF_BLACKHOLE_info (*barrow_stg_table_(BARROW_CAF_BLACKHOLE))

/* p1 becomes an indirection to p2, remembered when p1 is old. */
static inline void updateWithIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update(barrow_stg_m_(), p1, p2));
}

/* An indirection that collections keep. */
static inline void updateWithPermIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update_permanent(barrow_stg_m_(), p1, p2));
}

#define UPD_IND(updclosure, heapptr) updateWithIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))
#define UPD_PERM_IND(updclosure, heapptr) updateWithPermIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))

/* The thunk is under evaluation. Its fields are to be read before. */
#define UPD_BH_UPDATABLE(thunk) barrow_stg_must_(barrow_blackhole(barrow_stg_m_(), (thunk)))
#define UPD_BH_SINGLE_ENTRY(thunk) UPD_BH_UPDATABLE(thunk)

/* A CAF that the heap was not told of by barrow_statics_add is told here. */
static inline void barrow_stg_caf_(void *caf, void *value) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_new_caf(m, caf, value) == BARROW_OK) return;
  barrow_stg_must_(barrow_statics_add(barrow_default_heap(), &caf, 1, false));
  barrow_stg_must_(barrow_new_caf(m, caf, value));
}

/* The CAF becomes a static indirection to a blackhole in the heap: newCAF and both stores. */
#define UPD_CAF(cafptr, bhptr) barrow_stg_caf_((cafptr), (bhptr))

/* Lists the CAF, and makes it a static indirection to nothing: its indirectee is stored before the next collection. */
static inline void newCAF(StgClosure *caf) { barrow_stg_caf_(caf, NULL); }

/* The first CAF that is kept until it is reverted; barrow_kept_caf gives them all. */
#define caf_list ((StgClosure *)barrow_kept_caf(barrow_default_heap(), 0))

#ifdef __cplusplus
}
#endif

#endif
