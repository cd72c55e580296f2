/* barrow/portable.h: the ground of the fast paths of barrow/inline.h: constants, compilers and machines, and calls of
 * the library. Programs include barrow/inline.h.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_PORTABLE_H
#define BARROW_PORTABLE_H

#include "../barrow.h"
#include <string.h>
#ifdef BARROW_CHECK_FRAMES
#include <stdio.h>
#include <stdlib.h>
#endif

/* ---- constants that are part of the ABI --------------------------------------------------------------------- */

/* Bytes in a block, the unit in which the heap gives memory to its parts, and the power of 2 that they are. */
#define BARROW_BLOCK_BYTES 4096u
#define BARROW_LOG_BLOCK_BYTES 12
/* Bytes in a megablock, which is aligned to its size. */
#define BARROW_MEGABLOCK_BYTES 1048576u
/* Bytes of a block's description, barrow_bdescr, and the power of 2 that they are. */
#define BARROW_DESCRIPTOR_BYTES 64u
#define BARROW_LOG_DESCRIPTOR_BYTES 6
/* Any size from BARROW_MIN_OBJECT_WORDS up to this may be taken by barrow_alloc from the allocation area. */
#define BARROW_MAX_INLINE_WORDS 256u
/* The most that barrow_reserve takes at once. */
#define BARROW_MAX_RESERVE_WORDS 4096u
/* The least: a header, and a word for the collector when the object has moved. */
#define BARROW_MIN_OBJECT_WORDS 2u
/* Elements of an array that share one mark of the write barrier, a card. */
#define BARROW_CARD_ELEMENTS 128u
/* Added to a frame's count: its values are tagged words. */
#define BARROW_FRAME_TAGGED ((size_t)1 << 63)

/* A code (one byte for each block, barrow_window.codes): 0 where nothing of the heap lies. */
#define BARROW_CODE_GENERATION(code) ((((unsigned)(code) - 1u) >> 3) & 7u)
/* Generations compare like these bits of their codes; code 0 compares as the oldest. */
#define BARROW_CODE_AGE(code) (((unsigned)(code) - 1u) & 0x38u)

#if defined(__GNUC__) || defined(__clang__)
/* A condition that nearly always holds, and one that hardly ever does. */
#define BARROW_LIKELY(x) __builtin_expect(!!(x), 1)
#define BARROW_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Another thread may zero the limit at any time, so it is read each time, and whole. */
#define BARROW_LOAD_RELAXED(p) __atomic_load_n((p), __ATOMIC_RELAXED)
/* A word or a byte that several threads may write, each whole. */
#define BARROW_STORE_RELAXED(p, word) __atomic_store_n((p), (word), __ATOMIC_RELAXED)
/* Words that another thread may have stored with release order: the data that they announce is there. */
#define BARROW_LOAD_ACQUIRE(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#else
#define BARROW_LIKELY(x) (x)
#define BARROW_UNLIKELY(x) (x)
#define BARROW_LOAD_RELAXED(p) (*(p))
#define BARROW_STORE_RELAXED(p, word) (*(p) = (word))
#define BARROW_LOAD_ACQUIRE(p) (*(p))
#endif

/* Whether a - b is below 0; else *c is a - b. */
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_BORROWS_(a, b, c) __builtin_sub_overflow((a), (b), (c))
#define BARROW_COLD_ __attribute__((cold))
#define BARROW_EXTENSION_ __extension__
#else
#define BARROW_EXTENSION_
#define BARROW_BORROWS_(a, b, c) (*(c) = (a) - (b), (a) < (b))
#define BARROW_COLD_
#endif

/* Stores that other threads may see at any moment: the data that they announce was written before. */
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_STORE_RELEASE(p, word) __atomic_store_n((p), (word), __ATOMIC_RELEASE)
/* A field of any pointer type. */
typedef void *barrow_field_ __attribute__((may_alias));
#define BARROW_STORE_FIELD_(field, value) BARROW_STORE_RELEASE((barrow_field_ *)(field), (value))
#else
#define BARROW_STORE_RELEASE(p, word) (*(p) = (word))
#define BARROW_STORE_FIELD_(field, value) memcpy((field), &(value), sizeof(value))
#endif

/* A word of an object: a reference, or plain data. */
typedef size_t barrow_word;
/* The same, for forms that read or write a word to which the client's code may give a type of its own. */
#if defined(__GNUC__) || defined(__clang__)
typedef barrow_word barrow_any_word_ __attribute__((may_alias));
#else
typedef barrow_word barrow_any_word_;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The window of a mutator, which is its first part. */
static inline barrow_window *barrow_window_of(barrow_mutator *m) { return (barrow_window *)(void *)m; }

/* Where fast paths lead rarely. Compilers that know it do not save registers for these calls on the way in. With
 * barrow/table.h these names are macros. */
#ifndef barrow_alloc_slow
extern BARROW_COLD_ barrow_word *barrow_alloc_slow(barrow_mutator *m, size_t words);
extern BARROW_COLD_ barrow_ccs *barrow_ccs_enter_slow(barrow_mutator *m, barrow_cc *centre);
extern BARROW_COLD_ barrow_status barrow_ccs_leave_slow(barrow_mutator *m, const barrow_ccs *to);
#endif

/* Clang can do better: a call that leaves registers as they are, so that values that live across it need none of the
 * registers that a function must save first. An unwinder would not give them back, so code that can be unwound calls as
 * usual. Clang before 17 also gives back the old value in the register of a result, so these have none. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(_WIN32) && !defined(__EXCEPTIONS)
#define BARROW_KEEPING_ static inline __attribute__((preserve_most, noinline, cold)) void
BARROW_KEEPING_ barrow_alloc_keeping_(barrow_mutator *m, size_t words, barrow_word **out) {
  *out = barrow_alloc_slow_for(m, words, __builtin_return_address(0));
}
BARROW_KEEPING_ barrow_ccs_enter_keeping_(barrow_mutator *m, barrow_cc *centre, barrow_ccs **out) {
  *out = barrow_ccs_enter_slow(m, centre);
}
BARROW_KEEPING_ barrow_ccs_leave_slow_(barrow_mutator *m, const barrow_ccs *to) { barrow_ccs_leave_slow(m, to); }
static inline barrow_word *barrow_alloc_slow_(barrow_mutator *m, size_t words) {
  barrow_word *at;
  barrow_alloc_keeping_(m, words, &at);
  return at;
}
static inline barrow_ccs *barrow_ccs_enter_slow_(barrow_mutator *m, barrow_cc *centre) {
  barrow_ccs *before;
  barrow_ccs_enter_keeping_(m, centre, &before);
  return before;
}
#else
#define barrow_alloc_slow_ barrow_alloc_slow
#define barrow_ccs_enter_slow_ barrow_ccs_enter_slow
#define barrow_ccs_leave_slow_ barrow_ccs_leave_slow
#endif

/* Adds 1 to a ticky counter, by its member's name in barrow_ticky; nothing unless BARROW_TICKY is defined (barrow/ticky.h). */
#ifdef BARROW_TICKY
#define BARROW_TICKY_COUNT(m, counter) ((void)++barrow_window_of(m)->ticky->counter)
#else
#define BARROW_TICKY_COUNT(m, counter) ((void)0)
#endif

/* ---- allocation while it is counted by function ------------------------------------------------------------------- */

/* While space is counted by function, the fast path has no room. Then the library takes the words and counts them, if that
 * can be done without a collection. The call changes no registers but three, so compilers keep values in theirs and save
 * none for it on the way in; r10 and r11 pass no arguments of functions. Below the stack pointer a function without calls
 * may have variables. Forms as IR, which are for any machine, and other machines leave it to barrow_alloc_slow. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(__ILP32__) && !defined(_WIN32) && \
    !defined(BARROW_FOR_IR)
static inline barrow_word *barrow_try_counted_(barrow_mutator *m, size_t words) {
  const void *counted = barrow_window_of(m)->counted;
  barrow_word *at;
  if (!counted || words - BARROW_MIN_OBJECT_WORDS > BARROW_MAX_INLINE_WORDS - BARROW_MIN_OBJECT_WORDS) return NULL;
  __asm__ __volatile__("mov{q} {%[words], %%r10|r10, %[words]}\n\t"
                       "mov{q} {%[m], %%r11|r11, %[m]}\n\t"
                       "lea{q} {-128(%%rsp), %%rsp|rsp, [rsp - 128]}\n\t"
                       "call {*%[counted]|%[counted]}\n\t"
                       "lea{q} {128(%%rsp), %%rsp|rsp, [rsp + 128]}"
                       : "=a"(at)
                       : [counted] "r"(counted), [m] "r"(m), [words] "re"(words)
                       : "r10", "r11", "cc", "memory");
  return at;
}
#else
#define barrow_try_counted_(m, words) ((barrow_word *)NULL)
#endif

/* ---- frames that are compared ---------------------------------------------------------------------------------------- */

/* With BARROW_CHECK_FRAMES defined before this header, a function that returned past BARROW_LEAVE is told: when the frame
 * of its caller is left and is not the newest, or when a frame comes to lie where the newest one still is. Without it
 * nothing is compared. */
#ifdef BARROW_CHECK_FRAMES
static inline void barrow_frame_misplaced_(const char *function, const char *does, size_t frame, size_t newest) {
  fprintf(stderr, "barrow: %s %s its shadow-stack frame at 0x%lx, and the newest frame is at 0x%lx: a function that was called"
    " before returned without BARROW_LEAVE\n", function, does, (unsigned long)frame, (unsigned long)newest);
  abort();
}
/* The addresses are volatile: a compiler takes it for certain that a new variable lies where no old one was. */
static inline void barrow_frame_entered_(barrow_mutator *m, const void *roots, size_t bytes, const char *function) {
  volatile size_t from = (size_t)roots, newest = (size_t)barrow_window_of(m)->frames;
  if (newest - from < bytes) barrow_frame_misplaced_(function, "enters", from, newest);
}
static inline void barrow_frame_left_(barrow_mutator *m, const barrow_frame *frame, const char *function) {
  volatile size_t own = (size_t)frame, newest = (size_t)barrow_window_of(m)->frames;
  if (newest != own) barrow_frame_misplaced_(function, "leaves", own, newest);
}
#define BARROW_FRAME_ENTERED_(m, roots) barrow_frame_entered_((m), &(roots), sizeof(roots), __func__)
#define BARROW_FRAME_LEFT_(m, roots) barrow_frame_left_((m), &(roots).frame, __func__)
#else
#define BARROW_FRAME_ENTERED_(m, roots) ((void)0)
#define BARROW_FRAME_LEFT_(m, roots) ((void)0)
#endif

/* ---- info tables -------------------------------------------------------------------------------------------------------- */

#define BARROW_INFO_OF_(kind, flags, field, ptrs, words, bitmap, large, custom, srt, names)                         \
  { (uint16_t)sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, (uint8_t)(kind), (uint8_t)(flags), (uint16_t)(field), \
    (uint32_t)(ptrs), (uint32_t)(words), 0, (size_t)(bitmap), (large), (custom), (srt), (names) }
/* The address of names of which the description is the type as well. C++ has no literal of a struct that lives on. */
#ifdef __cplusplus
#define BARROW_NAMES_(name) ([]() -> const barrow_names * { static const barrow_names names_ = {(name), (name), NULL, NULL}; return &names_; }())
#else
#define BARROW_NAMES_(name) (&(const barrow_names){(name), (name), NULL, NULL})
#endif

#ifdef __cplusplus
}
#endif

#endif
