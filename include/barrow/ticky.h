/* barrow/ticky.h: increments that compiled code contains when everything is to be counted (docs/ticky.md).
 *
 * The macros count only where BARROW_TICKY is defined before the first header of ours; elsewhere they compile to
 * nothing and do not even evaluate their arguments, so that each module may have them or not. Sizes are in words.
 * Compiles as C99, C11 and C++17. Each mutator has counters of its own, which are added up in reports.
 * Threads: the mutator's own, outside callbacks and foreign code.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_TICKY_H
#define BARROW_TICKY_H

#include "inline.h"

/* The initialiser of a function, thunk or constructor that is counted by itself, which is static data, best not const:
 *   static barrow_ticky_function map = BARROW_TICKY_FUNCTION("map", "List", 2, ">L", "fun", NULL, BARROW_TICKY_EXPORTED);
 * `arguments` has a letter for each argument; `parent` is the function that it is local to, or NULL. */
#define BARROW_TICKY_FUNCTION(name, module, arity, arguments, what, parent, flags)                                 \
  { (uint16_t)sizeof(barrow_ticky_function), (flags), 0, (arity), 0, (name), (module), (arguments), (what), (parent), NULL }

#ifdef BARROW_TICKY

#ifdef __cplusplus
extern "C" {
#endif

/* Where sizes of 2, 3, 4, 5, and 6 or more words are counted. */
static inline size_t barrow_ticky_size_(size_t words) { return words < 2 ? 0 : words > 6 ? 4 : words - 2; }
static inline size_t barrow_ticky_nth_(size_t n) { return n > 8 ? 8 : n; }

#define BARROW_TICKY_ALLOC_KIND_(kind, counter, admin)                                                             \
  static inline void barrow_ticky_alloc_##counter##_(barrow_mutator *m, size_t words, size_t slop) {               \
    barrow_ticky *t = barrow_window_of(m)->ticky;                                                                  \
    t->alloc_##counter##_ctr++;                                                                                    \
    t->alloc_##kind##_adm += (admin) * sizeof(barrow_word);                                                        \
    t->alloc_##kind##_gds += words * sizeof(barrow_word);                                                          \
    t->alloc_##kind##_slp += slop * sizeof(barrow_word);                                                           \
    t->alloc_##kind##_hst[barrow_ticky_size_(words + slop)]++;                                                     \
  }
/* Objects of a thunk's form keep a word for the result; arrays, partial applications and the like have a length. */
BARROW_TICKY_ALLOC_KIND_(fun, fun, 1)
BARROW_TICKY_ALLOC_KIND_(thk, up_thk, 2)
BARROW_TICKY_ALLOC_KIND_(thk, se_thk, 2)
BARROW_TICKY_ALLOC_KIND_(con, con, 1)
BARROW_TICKY_ALLOC_KIND_(bh, bh, 2)
BARROW_TICKY_ALLOC_KIND_(prim, prim, 2)
BARROW_TICKY_ALLOC_KIND_(pap, pap, 2)
BARROW_TICKY_ALLOC_KIND_(tso, tso, 1)

static inline void barrow_ticky_alloc_tup_(barrow_mutator *m, size_t words, size_t slop) {
  barrow_ticky *t = barrow_window_of(m)->ticky;
  t->alloc_tup_ctr++;
  t->alloc_tup_adm += sizeof(barrow_word);
  t->alloc_tup_gds += words * sizeof(barrow_word);
  t->alloc_tup_slp += slop * sizeof(barrow_word);
}

static inline void barrow_ticky_alloc_heap_(barrow_mutator *m, size_t words) {
  barrow_ticky *t = barrow_window_of(m)->ticky;
  t->alloc_heap_ctr++;
  t->alloc_heap_tot += words * sizeof(barrow_word);
}

#ifdef __cplusplus
}
#endif

/* Any number added to a counter, by its member's name; BARROW_TICKY_COUNT adds 1. */
#define BARROW_TICKY_ADD(m, counter, n) ((void)(barrow_window_of(m)->ticky->counter += (n)))

/* A function is entered; code of a function allocates; a closure of a function is made. */
#define BARROW_TICKY_ENTER(m, function) ((void)++barrow_ticky_row_((m), (function))->entries)
#define BARROW_TICKY_ALLOC_BY(m, function, words) \
  ((void)(barrow_ticky_row_((m), (function))->allocated_by += (words) * sizeof(barrow_word)))
#define BARROW_TICKY_ALLOC_OF(m, function, words) \
  ((void)(barrow_ticky_row_((m), (function))->allocated_of += (words) * sizeof(barrow_word)))

/* A heap check took so many words: at barrow_alloc for one object, at barrow_reserve for those of a block of code. */
#define BARROW_TICKY_ALLOC_HEAP(m, words) barrow_ticky_alloc_heap_((m), (words))
/* An object of so many words, its header included, and behind it `slop` unused words. */
#define BARROW_TICKY_ALLOC_FUN(m, words, slop) barrow_ticky_alloc_fun_((m), (words), (slop))
/* The same for a thunk that will be updated, and for one that is entered once. */
#define BARROW_TICKY_ALLOC_UP_THK(m, words, slop) barrow_ticky_alloc_up_thk_((m), (words), (slop))
#define BARROW_TICKY_ALLOC_SE_THK(m, words, slop) barrow_ticky_alloc_se_thk_((m), (words), (slop))
/* A constructor, and a big tuple. */
#define BARROW_TICKY_ALLOC_CON(m, words, slop) barrow_ticky_alloc_con_((m), (words), (slop))
#define BARROW_TICKY_ALLOC_TUP(m, words, slop) barrow_ticky_alloc_tup_((m), (words), (slop))
/* A blackhole; a primitive object, as an array; a partial application; a thread. */
#define BARROW_TICKY_ALLOC_BH(m, words, slop) barrow_ticky_alloc_bh_((m), (words), (slop))
#define BARROW_TICKY_ALLOC_PRIM(m, words, slop) barrow_ticky_alloc_prim_((m), (words), (slop))
#define BARROW_TICKY_ALLOC_PAP(m, words, slop) barrow_ticky_alloc_pap_((m), (words), (slop))
#define BARROW_TICKY_ALLOC_TSO(m, words, slop) barrow_ticky_alloc_tso_((m), (words), (slop))

/* A counter and the column `n` of its histogram, the last column for all that is greater: ret_new, ret_old,
 * ret_unboxed_tup, ret_vec_return, upd_con_in_new, upd_pap_in_new. */
#define BARROW_TICKY_COUNT_N(m, counter, n)                           \
  ((void)(barrow_window_of(m)->ticky->counter##_ctr++,                \
          barrow_window_of(m)->ticky->counter##_hst[barrow_ticky_nth_(n)]++))

#else

#define BARROW_TICKY_ADD(m, counter, n) ((void)0)
#define BARROW_TICKY_ENTER(m, function) ((void)0)
#define BARROW_TICKY_ALLOC_BY(m, function, words) ((void)0)
#define BARROW_TICKY_ALLOC_OF(m, function, words) ((void)0)
#define BARROW_TICKY_ALLOC_HEAP(m, words) ((void)0)
#define BARROW_TICKY_ALLOC_FUN(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_UP_THK(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_SE_THK(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_CON(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_TUP(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_BH(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_PRIM(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_PAP(m, words, slop) ((void)0)
#define BARROW_TICKY_ALLOC_TSO(m, words, slop) ((void)0)
#define BARROW_TICKY_COUNT_N(m, counter, n) ((void)0)

#endif

#endif
