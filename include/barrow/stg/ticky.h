/* A part of barrow/stg.h: ticky counters: nothing unless BARROW_TICKY is defined. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_TICKY_H
#define BARROW_STG_TICKY_H

#include "../ticky.h"
#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef BARROW_TICKY
#define BARROW_STG_TICK_(counter) BARROW_TICKY_COUNT(barrow_stg_m_(), counter)
#define BARROW_STG_TICK_N_(counter, n) BARROW_TICKY_COUNT_N(barrow_stg_m_(), counter, (n))
#define BARROW_STG_ALLOC_(KIND, words, slop) BARROW_TICKY_ALLOC_##KIND(barrow_stg_m_(), (words), (slop))
#else
#define BARROW_STG_TICK_(counter) ((void)0)
#define BARROW_STG_TICK_N_(counter, n) ((void)0)
#define BARROW_STG_ALLOC_(KIND, words, slop) ((void)0)
#endif

/* Sizes: g words of an object without its header (a thunk's has two words, a partial application's too), and s unused ones. */
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
/* Of a barrow_ticky_function. */
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
/* A slow call in so many chunks. */
#define TICK_MULTI_CHUNK_SLOW_CALL(chunks)            \
  (BARROW_STG_TICK_(multi_chunk_slow_call_ctr),       \
   BARROW_TICKY_ADD(barrow_stg_m_(), multi_chunk_slow_call_chunks_ctr, (chunks)))
/* By the number of fields. */
#define TICK_RET_NEW(n) BARROW_STG_TICK_N_(ret_new, n)
#define TICK_RET_OLD(n) BARROW_STG_TICK_N_(ret_old, n)
#define TICK_RET_UNBOXED_TUP(n) BARROW_STG_TICK_N_(ret_unboxed_tup, n)
#define TICK_RET_VEC_RETURN(n) BARROW_STG_TICK_N_(ret_vec_return, n)
#define TICK_UPD_CON_IN_NEW(n) BARROW_STG_TICK_N_(upd_con_in_new, n)
#define TICK_UPD_PAP_IN_NEW(n) BARROW_STG_TICK_N_(upd_pap_in_new, n)

#ifdef __cplusplus
}
#endif

#endif
