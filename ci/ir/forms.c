/* Makes every inline form of barrow/inline.h a function, for ci/ir.sh, and adds functions for those that are macros.
 * With BARROW_GC, the forms for compiled code with stack maps instead: references are pointers in address space 1. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <barrow.h>
#define BARROW_FOR_IR
#ifndef BARROW_GC
/* The forms lose `static inline`, so the compiler writes each of them. */
#define static
#define inline
#endif
#include <barrow/inline.h>

#ifndef BARROW_GC

/* A frame followed by `count` roots, which the caller has given values (BARROW_PUSH). */
void barrow_frame_push(barrow_mutator *m, barrow_frame *frame, size_t count) {
  barrow_window *w = barrow_window_of(m);
  frame->up = w->frames;
  frame->count = count;
  w->frames = frame;
}

/* BARROW_LEAVE */
void barrow_frame_pop(barrow_mutator *m, const barrow_frame *frame) { barrow_window_of(m)->frames = frame->up; }

/* The test of a poll: whether somebody waits for a safepoint. */
bool barrow_wanted(barrow_mutator *m) {
  return __atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_RELAXED) != 0;
}

/* The pointer or the word at word `n` of an object (header first) or of a frame (roots from word 2 on). Stores have no
 * barrier: they are for roots, and for objects that were just allocated. */
void *barrow_get(void *object, size_t n) { return ((void **)object)[n]; }
barrow_word barrow_get_word(void *object, size_t n) { return ((barrow_word *)object)[n]; }
/* The same of a field where another thread may publish. */
void *barrow_get_published(void *object, size_t n) { return BARROW_LOAD_ACQUIRE((void **)object + n); }
barrow_word barrow_get_word_published(void *object, size_t n) { return BARROW_LOAD_ACQUIRE((barrow_word *)object + n); }
void barrow_set(void *object, size_t n, void *value) { ((void **)object)[n] = value; }
void barrow_set_word(void *object, size_t n, barrow_word value) { ((barrow_word *)object)[n] = value; }

void barrow_tick(uint64_t *counters, size_t n) { BARROW_TICK(counters, n); }
void barrow_tick_shared(uint64_t *counters, size_t n) { BARROW_TICK_SHARED(counters, n); }

#else

#define GC __attribute__((address_space(1)))
typedef barrow_word GC *reference;

#ifdef BARROW_LATE
/* Linked after the statepoints are there: they see through addresses, which change at each statepoint. */
#define PLAIN(p) ((void *)(p))

reference barrow_late_try_alloc(barrow_mutator *m, size_t words) { return (reference)barrow_try_alloc(m, words); }
reference barrow_late_bump(barrow_mutator *m, size_t words) { return (reference)barrow_bump(m, words); }
bool barrow_late_has(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  return words <= BARROW_MAX_RESERVE_WORDS && w->hp + words <= BARROW_LOAD_RELAXED(&w->hp_lim);
}
void barrow_late_write(barrow_mutator *m, reference owner, reference field, reference value) {
  barrow_write(m, PLAIN(owner), PLAIN(field), PLAIN(value));
}
void barrow_late_write_word(barrow_mutator *m, reference owner, reference field, reference value) {
  barrow_write_word(m, PLAIN(owner), (barrow_word *)PLAIN(field), (barrow_word)PLAIN(value));
}
void barrow_late_weak_array_write(barrow_mutator *m, reference array, size_t index, reference value) {
  barrow_weak_array_write(m, PLAIN(array), index, PLAIN(value));
}
void barrow_late_weak_array_write_word(barrow_mutator *m, reference array, size_t index, reference word) {
  barrow_weak_array_write_word(m, PLAIN(array), index, (barrow_word)PLAIN(word));
}
bool barrow_late_cas(barrow_mutator *m, reference owner, reference field, reference expected, reference value) {
  return barrow_cas(m, PLAIN(owner), PLAIN(field), PLAIN(expected), PLAIN(value));
}
bool barrow_late_cas_word(barrow_mutator *m, reference owner, reference field, reference expected, reference word) {
  return barrow_cas_word(m, PLAIN(owner), (barrow_word *)PLAIN(field), (barrow_word)PLAIN(expected), (barrow_word)PLAIN(word));
}
barrow_status barrow_late_update(barrow_mutator *m, reference thunk, reference value) {
  return barrow_update(m, PLAIN(thunk), PLAIN(value));
}
bool barrow_late_claim(barrow_mutator *m, reference thunk) { return barrow_claim(m, PLAIN(thunk)); }
/* A compiler writes atomic loads of references as loads of numbers, which it may keep as numbers. */
reference barrow_late_get_published(reference object, size_t n) { return BARROW_LOAD_ACQUIRE((reference GC *)object + n); }
barrow_ccs *barrow_late_ccs_enter(barrow_mutator *m, barrow_cc *centre) { return barrow_ccs_enter(m, centre); }
void barrow_late_ccs_leave(barrow_mutator *m, barrow_ccs *to) { barrow_ccs_leave(m, to); }
bool barrow_late_wanted(barrow_mutator *m) {
  return __atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_RELAXED) != 0;
}
#else
/* Linked with the program before it is optimised. What is only declared here never collects, and is opaque until the
 * statepoints are there. */
reference barrow_late_try_alloc(barrow_mutator *m, size_t words);
reference barrow_late_bump(barrow_mutator *m, size_t words);
bool barrow_late_has(barrow_mutator *m, size_t words);
void barrow_late_write(barrow_mutator *m, reference owner, reference field, reference value);
void barrow_late_write_word(barrow_mutator *m, reference owner, reference field, reference value);
void barrow_late_weak_array_write(barrow_mutator *m, reference array, size_t index, reference value);
void barrow_late_weak_array_write_word(barrow_mutator *m, reference array, size_t index, reference word);
bool barrow_late_cas(barrow_mutator *m, reference owner, reference field, reference expected, reference value);
bool barrow_late_cas_word(barrow_mutator *m, reference owner, reference field, reference expected, reference word);
barrow_status barrow_late_update(barrow_mutator *m, reference thunk, reference value);
bool barrow_late_claim(barrow_mutator *m, reference thunk);
reference barrow_late_get_published(reference object, size_t n);
barrow_ccs *barrow_late_ccs_enter(barrow_mutator *m, barrow_cc *centre);
void barrow_late_ccs_leave(barrow_mutator *m, barrow_ccs *to);
bool barrow_late_wanted(barrow_mutator *m);
/* The library's own entry, with its result in address space 1. */
reference barrow_gc_slow(barrow_mutator *m, size_t words) __asm__("barrow_gc_alloc_slow");

/* Words that barrow_gc_reserve has made sure of. */
reference barrow_gc_bump(barrow_mutator *m, size_t words) { return barrow_late_bump(m, words); }
/* NULL when there is no room; never collects. */
reference barrow_gc_try_alloc(barrow_mutator *m, size_t words) { return barrow_late_try_alloc(m, words); }
void barrow_gc_write(barrow_mutator *m, reference owner, reference field, reference value) {
  barrow_late_write(m, owner, field, value);
}
void barrow_gc_write_word(barrow_mutator *m, reference owner, reference field, reference word) {
  barrow_late_write_word(m, owner, field, word);
}
void barrow_gc_weak_array_write(barrow_mutator *m, reference array, size_t index, reference value) {
  barrow_late_weak_array_write(m, array, index, value);
}
void barrow_gc_weak_array_write_word(barrow_mutator *m, reference array, size_t index, reference word) {
  barrow_late_weak_array_write_word(m, array, index, word);
}
bool barrow_gc_cas(barrow_mutator *m, reference owner, reference field, reference expected, reference value) {
  return barrow_late_cas(m, owner, field, expected, value);
}
bool barrow_gc_cas_word(barrow_mutator *m, reference owner, reference field, reference expected, reference word) {
  return barrow_late_cas_word(m, owner, field, expected, word);
}

/* Lazy evaluation. A blackhole is waited for in C, through barrow_gc_call. */
barrow_status barrow_gc_update(barrow_mutator *m, reference thunk, reference value) {
  return barrow_late_update(m, thunk, value);
}
bool barrow_gc_claim(barrow_mutator *m, reference thunk) { return barrow_late_claim(m, thunk); }
const barrow_info *barrow_gc_info_now(reference object) {
  return (const barrow_info *)(BARROW_LOAD_ACQUIRE(object) & ~(barrow_word)7);
}
reference barrow_gc_indirectee(reference object) { return barrow_late_get_published(object, 1); }

/* Cost centres. No reference is in what they see. */
barrow_ccs *barrow_gc_ccs_enter(barrow_mutator *m, barrow_cc *centre) { return barrow_late_ccs_enter(m, centre); }
void barrow_gc_ccs_leave(barrow_mutator *m, barrow_ccs *to) { barrow_late_ccs_leave(m, to); }

reference barrow_gc_alloc(barrow_mutator *m, size_t words) {
  reference at = barrow_late_try_alloc(m, words);
  return BARROW_LIKELY(at != NULL) ? at : barrow_gc_slow(m, words);
}

bool barrow_gc_reserve(barrow_mutator *m, size_t words) {
  return BARROW_LIKELY(barrow_late_has(m, words)) || barrow_gc_reserve_slow(m, words);
}

void barrow_gc_poll(barrow_mutator *m) {
  if (BARROW_UNLIKELY(barrow_late_wanted(m))) barrow_gc_safepoint(m);
}

/* The field at word `n`, header first; and plain words. Stores are for objects that were just allocated. */
reference barrow_gc_get(reference object, size_t n) { return ((reference GC *)object)[n]; }
barrow_word barrow_gc_get_word(reference object, size_t n) { return object[n]; }
/* The field at word `n`, where another thread may publish, and a plain word there. */
reference barrow_gc_get_published(reference object, size_t n) { return barrow_late_get_published(object, n); }
barrow_word barrow_gc_get_word_published(reference object, size_t n) { return BARROW_LOAD_ACQUIRE(object + n); }
void barrow_gc_set(reference object, size_t n, reference value) { ((reference GC *)object)[n] = value; }
void barrow_gc_set_word(reference object, size_t n, barrow_word value) { object[n] = value; }
void barrow_gc_set_header(reference object, const barrow_info *info) { *object = (barrow_word)info; }
reference barrow_gc_at(reference object, size_t n) { return object + n; }
size_t barrow_gc_array_length(reference array) { return array[1]; }
#endif
#endif
