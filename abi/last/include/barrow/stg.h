#ifndef BARROW_STG_H
#define BARROW_STG_H
#include "inline.h"
#include "ticky.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef barrow_word StgWord;
typedef StgWord *StgPtr;
typedef uint32_t StgWord32;
typedef uint16_t StgWord16;
typedef uint8_t StgWord8;
typedef unsigned int nat;
typedef bool rtsBool;
enum { rtsFalse = 0, rtsTrue = 1 };
typedef barrow_info StgInfoTable;
typedef struct StgHeader_ { const StgInfoTable *info; } StgHeader;
typedef struct StgClosure_ {
  StgHeader header;
  struct StgClosure_ *payload[1];
} StgClosure;
typedef StgClosure StgMutClosure;
#define BLOCK_SIZE BARROW_BLOCK_BYTES
#define BLOCK_SIZE_W (BARROW_BLOCK_BYTES / sizeof(StgWord))
#define MBLOCK_SIZE BARROW_MEGABLOCK_BYTES
#define LARGE_OBJECT_THRESHOLD ((nat)(BLOCK_SIZE * 8 / 10))
typedef struct _bdescr {
  StgPtr start;
  StgPtr free;
  StgWord32 blocks;
  StgWord8 gen_no;
  StgWord8 step_no;
  StgWord16 flags;
  struct _bdescr *link;
  struct _bdescr *back;
  StgPtr scanned;
  StgWord32 slot_words;
  StgWord32 spare;
  StgWord aux;
} bdescr;
typedef struct _step {
  unsigned int no;
  bdescr *blocks;
  unsigned int n_blocks;
  bdescr *large_objects;
} step;
typedef struct _generation {
  unsigned int no;
  step *steps;
  unsigned int n_steps;
  unsigned int max_blocks;
  StgMutClosure *mut_list;
  StgMutClosure *mut_once_list;
  size_t n_remembered;
} generation;
static inline void barrow_stg_fatal_(void) {
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(251);
}
static inline barrow_mutator *barrow_stg_m_(void) {
  barrow_mutator *m = barrow_default_mutator();
  if (!m) barrow_stg_fatal_();
  return m;
}
static inline void barrow_stg_must_(barrow_status status) {
  if (status != BARROW_OK) barrow_stg_fatal_();
}
static inline void initStorage(void) { (void)barrow_stg_m_(); }
static inline void initBlockAllocator(void) { initStorage(); }
static inline void allocNurseries(void) { initStorage(); }
static inline void resetNurseries(void) { initStorage(); }
static inline void *getMBlocks(nat n) {
  void *at;
  initStorage();
  at = barrow_get_megablocks(barrow_default_heap(), n);
  if (!at) barrow_stg_fatal_();
  return at;
}
static inline void *getMBlock(void) { return getMBlocks(1); }
static inline bdescr *allocGroup(nat n) {
  barrow_bdescr *group = NULL;
  initStorage();
  barrow_stg_must_(barrow_alloc_group(barrow_default_heap(), n, &group));
  return (bdescr *)(void *)group;
}
static inline bdescr *allocBlock(void) { return allocGroup(1); }
static inline void freeGroup(bdescr *p) {
  barrow_stg_must_(barrow_free_group(barrow_default_heap(), (barrow_bdescr *)(void *)p));
}
static inline bdescr *Bdescr(StgPtr p) { return (bdescr *)(void *)barrow_bdescr_of(p); }
static inline StgPtr allocate(nat n) {
  StgPtr at = barrow_allocate(barrow_stg_m_(), n);
  if (!at) barrow_stg_fatal_();
  return at;
}
static inline void barrow_stg_open_(StgPtr *hp, StgPtr *hplim) {
  barrow_stg_must_(barrow_open_nursery(barrow_stg_m_(), hp, hplim));
  (*hp)--;
  (*hplim)--;
}
static inline rtsBool barrow_stg_extend_(StgPtr *hp, StgPtr *hplim) {
  StgPtr next = *hp + 1, limit = *hplim + 1;
  if (!barrow_extend_nursery(barrow_stg_m_(), &next, &limit)) return rtsFalse;
  *hp = next - 1;
  *hplim = limit - 1;
  return rtsTrue;
}
#define OpenNursery(hp, hplim) barrow_stg_open_(&(hp), &(hplim))
#define CloseNursery(hp) barrow_stg_must_(barrow_close_nursery(barrow_stg_m_(), (hp) + 1))
#define ExtendNursery(hp, hplim) barrow_stg_extend_(&(hp), &(hplim))
typedef void (*evac_fn)(StgClosure **);
typedef struct { void (*get_roots)(evac_fn); } barrow_stg_roots;
static inline void mark_root(StgClosure **root) {
  barrow_visitor *visitor = (barrow_visitor *)barrow_window_of(barrow_stg_m_())->client[3];
  barrow_visit(visitor, (void **)(void *)root);
}
static inline void barrow_stg_visit_(void *client, barrow_visitor *visitor) {
  barrow_window *w = barrow_window_of(barrow_stg_m_());
  w->client[3] = visitor;
  ((barrow_stg_roots *)client)->get_roots(mark_root);
  w->client[3] = NULL;
}
static inline void GarbageCollect(void (*get_roots)(evac_fn), rtsBool force_major_gc) {
  barrow_stg_roots roots;
  roots.get_roots = get_roots;
  barrow_stg_must_(barrow_collect_with(barrow_stg_m_(), force_major_gc, barrow_stg_visit_, &roots));
}
static inline rtsBool doYouWantToGC(void) { return barrow_wants_gc(barrow_stg_m_()); }
static inline void recordMutable(StgMutClosure *p) { barrow_stg_must_(barrow_record_mutable(barrow_stg_m_(), p)); }
static inline void recordOldToNewPtrs(StgMutClosure *p) {
  barrow_stg_must_(barrow_record_old_to_new(barrow_stg_m_(), p));
}
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
#ifndef PROF_HDR_SIZE
#define PROF_HDR_SIZE 0
#endif
#define LDV_SHIFT BARROW_BIOGRAPHY_SHIFT
#define LDV_STATE_MASK BARROW_BIOGRAPHY_STATE_MASK
#define LDV_CREATE_MASK BARROW_BIOGRAPHY_CREATE_MASK
#define LDV_LAST_MASK BARROW_BIOGRAPHY_LAST_MASK
#define LDV_STATE_CREATE BARROW_BIOGRAPHY_CREATED
#define LDV_STATE_USE BARROW_BIOGRAPHY_USED
#define LDV_STATE_BEFORE BARROW_BIOGRAPHY_BEFORE
#define ldvTime ((nat)barrow_window_of(barrow_stg_m_())->era)
static inline StgWord *barrow_stg_ldvw_(const void *c) {
  static StgWord dummy;
  barrow_mutator *m = barrow_stg_m_();
  StgWord *word = barrow_window_of(m)->era ? barrow_biography_at_(m, c) : NULL;
  if (word) return word;
  dummy = 0;
  return &dummy;
}
static inline void barrow_stg_dead_(const void *c, size_t size) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_window_of(m)->era) barrow_stg_must_(barrow_record_dead(m, c, size));
}
static inline void barrow_stg_dead_fill_(void *c) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_window_of(m)->era) barrow_stg_must_(barrow_record_dead_fill_slop(m, c));
}
#define LDVW(c) (*barrow_stg_ldvw_(c))
#define LDV_recordCreate(c) ((void)(LDVW(c) = ((StgWord)ldvTime << LDV_SHIFT) | LDV_STATE_CREATE))
#define LDV_recordUse(c) barrow_use(barrow_stg_m_(), (c))
#define LDV_ENTER(c) LDV_recordUse(c)
#define LDV_recordDead(c, size) barrow_stg_dead_((c), (size))
#define LDV_recordDead_FILL_SLOP_DYNAMIC(c) barrow_stg_dead_fill_(c)
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
#ifdef BARROW_TICKY
#define BARROW_STG_TICK_(counter) BARROW_TICKY_COUNT(barrow_stg_m_(), counter)
#define BARROW_STG_TICK_N_(counter, n) BARROW_TICKY_COUNT_N(barrow_stg_m_(), counter, (n))
#define BARROW_STG_ALLOC_(KIND, words, slop) BARROW_TICKY_ALLOC_##KIND(barrow_stg_m_(), (words), (slop))
#else
#define BARROW_STG_TICK_(counter) ((void)0)
#define BARROW_STG_TICK_N_(counter, n) ((void)0)
#define BARROW_STG_ALLOC_(KIND, words, slop) ((void)0)
#endif
#define TICK_ALLOC_HEAP(words) BARROW_TICKY_ALLOC_HEAP(barrow_stg_m_(), (words))
#define TICK_HEAP_CHK() BARROW_STG_TICK_(heap_chk_ctr)
#define TICK_STK_CHK() BARROW_STG_TICK_(stk_chk_ctr)
#define TICK_ALLOC_FUN(g, s) BARROW_STG_ALLOC_(FUN, 1 + (g), s)
#define TICK_ALLOC_UP_THK(g, s) BARROW_STG_ALLOC_(UP_THK, 2 + (g), s)
#define TICK_ALLOC_SE_THK(g, s) BARROW_STG_ALLOC_(SE_THK, 2 + (g), s)
#define TICK_ALLOC_CON(g, s) BARROW_STG_ALLOC_(CON, 1 + (g), s)
#define TICK_ALLOC_TUP(g, s) BARROW_STG_ALLOC_(TUP, 1 + (g), s)
#define TICK_ALLOC_BH(g, s) BARROW_STG_ALLOC_(BH, 2 + (g), s)
#define TICK_ALLOC_PRIM(hdr, g, s) BARROW_STG_ALLOC_(PRIM, (hdr) + (g), s)
#define TICK_ALLOC_PAP(g, s) BARROW_STG_ALLOC_(PAP, 2 + (g), s)
#define TICK_ALLOC_TSO(g, s) BARROW_STG_ALLOC_(TSO, 1 + (g), s)
#define TICK_ENTER_FUN(f) BARROW_TICKY_ENTER(barrow_stg_m_(), (f))
#define TICK_ENT_VIA_NODE() BARROW_STG_TICK_(ent_via_node_ctr)
#define TICK_ENT_STATIC_CON() BARROW_STG_TICK_(ent_static_con_ctr)
#define TICK_ENT_DYN_CON() BARROW_STG_TICK_(ent_dyn_con_ctr)
#define TICK_ENT_STATIC_FUN_DIRECT() BARROW_STG_TICK_(ent_static_fun_direct_ctr)
#define TICK_ENT_DYN_FUN_DIRECT() BARROW_STG_TICK_(ent_dyn_fun_direct_ctr)
#define TICK_ENT_LNE() BARROW_STG_TICK_(ent_lne_ctr)
#define TICK_ENT_STATIC_IND() BARROW_STG_TICK_(ent_static_ind_ctr)
#define TICK_ENT_DYN_IND() BARROW_STG_TICK_(ent_dyn_ind_ctr)
#define TICK_ENT_PERM_IND() BARROW_STG_TICK_(ent_perm_ind_ctr)
#define TICK_ENT_AP() BARROW_STG_TICK_(ent_ap_ctr)
#define TICK_ENT_PAP() BARROW_STG_TICK_(ent_pap_ctr)
#define TICK_ENT_AP_STACK() BARROW_STG_TICK_(ent_ap_stack_ctr)
#define TICK_ENT_BH() BARROW_STG_TICK_(ent_bh_ctr)
#define TICK_ENT_STATIC_THK_SINGLE() BARROW_STG_TICK_(ent_static_thk_single_ctr)
#define TICK_ENT_STATIC_THK_MANY() BARROW_STG_TICK_(ent_static_thk_many_ctr)
#define TICK_ENT_DYN_THK_SINGLE() BARROW_STG_TICK_(ent_dyn_thk_single_ctr)
#define TICK_ENT_DYN_THK_MANY() BARROW_STG_TICK_(ent_dyn_thk_many_ctr)
#define TICK_UPD_CAF_BH_UPDATABLE() BARROW_STG_TICK_(upd_caf_bh_updatable_ctr)
#define TICK_UPD_CAF_BH_SINGLE_ENTRY() BARROW_STG_TICK_(upd_caf_bh_single_entry_ctr)
#define TICK_VERY_SLOW_CALL() BARROW_STG_TICK_(very_slow_call_ctr)
#define TICK_UNKNOWN_CALL() BARROW_STG_TICK_(unknown_call_ctr)
#define TICK_KNOWN_CALL() BARROW_STG_TICK_(known_call_ctr)
#define TICK_KNOWN_CALL_TOO_FEW_ARGS() BARROW_STG_TICK_(known_call_too_few_args_ctr)
#define TICK_KNOWN_CALL_EXTRA_ARGS() BARROW_STG_TICK_(known_call_extra_args_ctr)
#define TICK_SLOW_CALL() BARROW_STG_TICK_(slow_call_ctr)
#define TICK_SLOW_CALL_FUN_TOO_FEW() BARROW_STG_TICK_(slow_call_fun_too_few_ctr)
#define TICK_SLOW_CALL_FUN_CORRECT() BARROW_STG_TICK_(slow_call_fun_correct_ctr)
#define TICK_SLOW_CALL_FUN_TOO_MANY() BARROW_STG_TICK_(slow_call_fun_too_many_ctr)
#define TICK_SLOW_CALL_PAP_TOO_FEW() BARROW_STG_TICK_(slow_call_pap_too_few_ctr)
#define TICK_SLOW_CALL_PAP_CORRECT() BARROW_STG_TICK_(slow_call_pap_correct_ctr)
#define TICK_SLOW_CALL_PAP_TOO_MANY() BARROW_STG_TICK_(slow_call_pap_too_many_ctr)
#define TICK_SLOW_CALL_UNEVALD() BARROW_STG_TICK_(slow_call_unevald_ctr)
#define TICK_UPDF_OMITTED() BARROW_STG_TICK_(updf_omitted_ctr)
#define TICK_UPDF_PUSHED() BARROW_STG_TICK_(updf_pushed_ctr)
#define TICK_SEQF_PUSHED() BARROW_STG_TICK_(seqf_pushed_ctr)
#define TICK_CATCHF_PUSHED() BARROW_STG_TICK_(catchf_pushed_ctr)
#define TICK_UPDF_RCC_PUSHED() BARROW_STG_TICK_(updf_rcc_pushed_ctr)
#define TICK_UPDF_RCC_OMITTED() BARROW_STG_TICK_(updf_rcc_omitted_ctr)
#define TICK_UPD_SQUEEZED() BARROW_STG_TICK_(upd_squeezed_ctr)
#define TICK_UPD_CON_IN_PLACE() BARROW_STG_TICK_(upd_con_in_place_ctr)
#define TICK_UPD_PAP_IN_PLACE() BARROW_STG_TICK_(upd_pap_in_place_ctr)
#define TICK_SLOW_CALL_fast_v16() BARROW_STG_TICK_(slow_call_fast_v16_ctr)
#define TICK_SLOW_CALL_fast_v() BARROW_STG_TICK_(slow_call_fast_v_ctr)
#define TICK_SLOW_CALL_fast_f() BARROW_STG_TICK_(slow_call_fast_f_ctr)
#define TICK_SLOW_CALL_fast_d() BARROW_STG_TICK_(slow_call_fast_d_ctr)
#define TICK_SLOW_CALL_fast_l() BARROW_STG_TICK_(slow_call_fast_l_ctr)
#define TICK_SLOW_CALL_fast_n() BARROW_STG_TICK_(slow_call_fast_n_ctr)
#define TICK_SLOW_CALL_fast_p() BARROW_STG_TICK_(slow_call_fast_p_ctr)
#define TICK_SLOW_CALL_fast_pv() BARROW_STG_TICK_(slow_call_fast_pv_ctr)
#define TICK_SLOW_CALL_fast_pp() BARROW_STG_TICK_(slow_call_fast_pp_ctr)
#define TICK_SLOW_CALL_fast_ppv() BARROW_STG_TICK_(slow_call_fast_ppv_ctr)
#define TICK_SLOW_CALL_fast_ppp() BARROW_STG_TICK_(slow_call_fast_ppp_ctr)
#define TICK_SLOW_CALL_fast_pppv() BARROW_STG_TICK_(slow_call_fast_pppv_ctr)
#define TICK_SLOW_CALL_fast_pppp() BARROW_STG_TICK_(slow_call_fast_pppp_ctr)
#define TICK_SLOW_CALL_fast_ppppp() BARROW_STG_TICK_(slow_call_fast_ppppp_ctr)
#define TICK_SLOW_CALL_fast_pppppp() BARROW_STG_TICK_(slow_call_fast_pppppp_ctr)
#define TICK_MULTI_CHUNK_SLOW_CALL(chunks)            \
  (BARROW_STG_TICK_(multi_chunk_slow_call_ctr),       \
   BARROW_TICKY_ADD(barrow_stg_m_(), multi_chunk_slow_call_chunks_ctr, (chunks)))
#define TICK_RET_NEW(n) BARROW_STG_TICK_N_(ret_new, n)
#define TICK_RET_OLD(n) BARROW_STG_TICK_N_(ret_old, n)
#define TICK_RET_UNBOXED_TUP(n) BARROW_STG_TICK_N_(ret_unboxed_tup, n)
#define TICK_RET_VEC_RETURN(n) BARROW_STG_TICK_N_(ret_vec_return, n)
#define TICK_UPD_CON_IN_NEW(n) BARROW_STG_TICK_N_(upd_con_in_new, n)
#define TICK_UPD_PAP_IN_NEW(n) BARROW_STG_TICK_N_(upd_pap_in_new, n)
enum {
  WEAK = BARROW_WEAK,
  STACK = BARROW_STACK,
  TSO = BARROW_THREAD,
  STABLE_NAME = BARROW_STABLE_NAME,
  RET_SMALL = BARROW_RETURN_FRAME,
  RET_BIG = BARROW_RETURN_FRAME,
  UPDATE_FRAME = BARROW_UPDATE_FRAME,
  CATCH_FRAME = BARROW_CATCH_FRAME,
  STOP_FRAME = BARROW_STOP_FRAME
};
typedef struct StgWeak_ {
  StgHeader header;
  StgClosure *key;
  StgClosure *value;
  StgClosure *finalizer;
  struct StgWeak_ *link;
  StgWord function[2];
} StgWeak;
typedef struct { StgHeader header; StgClosure *updatee; } StgUpdateFrame;
typedef struct { StgHeader header; StgClosure *handler; } StgCatchFrame;
typedef struct { StgHeader header; StgClosure *next; } StgStopFrame;
typedef struct { StgHeader header; StgClosure *stackobj; } StgTSO;
#define Sp (barrow_window_of(barrow_stg_m_())->sp)
#define SpLim (barrow_window_of(barrow_stg_m_())->sp_lim)
static inline void barrow_stg_push_upd_(const StgInfoTable *info, StgClosure *target) {
  StgUpdateFrame *frame;
  if (!barrow_stack_need(barrow_stg_m_(), sizeof *frame / sizeof(StgWord))) barrow_stg_fatal_();
  frame = (StgUpdateFrame *)(void *)barrow_stack_push(barrow_stg_m_(), info, sizeof *frame / sizeof(StgWord));
  frame->updatee = target;
}
#define PUSH_UPD_FRAME(info, target) barrow_stg_push_upd_((info), (target))
static inline StgWeak *mkWeakzh(StgClosure *key, StgClosure *value, StgClosure *finalizer) {
  void *weak = barrow_weak_new(barrow_stg_m_(), key, value, finalizer);
  if (!weak) barrow_stg_fatal_();
  return (StgWeak *)weak;
}
static inline StgWeak *mkWeakNoFinalizzerzh(StgClosure *key, StgClosure *value) { return mkWeakzh(key, value, NULL); }
static inline StgClosure *deRefWeakzh(StgWeak *w) {
  void *value;
  barrow_weak_deref(w, &value);
  return (StgClosure *)value;
}
static inline StgClosure *finalizzeWeakzh(StgWeak *w) {
  void *finalizer = NULL;
  barrow_stg_must_(barrow_weak_finalize(barrow_stg_m_(), w, &finalizer));
  return (StgClosure *)finalizer;
}
static inline nat scheduleFinalizers(void (*run)(void *client, barrow_mutator *m, void *finalizer, void *key, void *value),
                                     void *client) {
  return (nat)barrow_run_finalizers(barrow_stg_m_(), run, client, 0);
}
static inline void finalizeWeakPointersNow(void) { (void)barrow_run_finalizers(barrow_stg_m_(), NULL, NULL, 0); }
static inline StgWord lookupStableName(StgClosure *p) {
  void *name = barrow_stable_name(barrow_stg_m_(), p);
  if (!name) barrow_stg_fatal_();
  return barrow_stable_name_number(name);
}
#define dirty_STACK(stack) barrow_stack_dirty(barrow_stg_m_(), (stack))
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
