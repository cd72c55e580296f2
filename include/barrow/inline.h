/* barrow/inline.h: the fast paths that compiled code contains.
 *
 * Everything here uses only the window (barrow_window, the first part of a mutator) and the constants of barrow/portable.h,
 * which barrow_heap_new compares with the library's own. Compiles as C99, C11 and C++17.
 *
 * The comment below the heading of a part says which threads may call its forms, and when; a form that differs says it itself.
 * Forms give no order between threads but the one that docs/threads.md has for them.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_INLINE_H
#define BARROW_INLINE_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- heaps ----------------------------------------------------------------------------------------------------- */
/* Threads: any, one at a time for the same object. */

/* Fills a configuration with the sizes that this client was compiled for, and zero for everything else. */
static inline void barrow_config_init(barrow_config *config) {
  memset(config, 0, sizeof *config);
  config->size = (uint32_t)sizeof *config;
  config->abi_major = BARROW_ABI_MAJOR;
  config->geometry.block_bytes = BARROW_BLOCK_BYTES;
  config->geometry.megablock_bytes = BARROW_MEGABLOCK_BYTES;
  config->geometry.descriptor_bytes = BARROW_DESCRIPTOR_BYTES;
  config->geometry.max_inline_words = BARROW_MAX_INLINE_WORDS;
  config->geometry.max_reserve_words = BARROW_MAX_RESERVE_WORDS;
  config->geometry.card_elements = BARROW_CARD_ELEMENTS;
}

/* ---- allocation ------------------------------------------------------------------------------------------------ */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* Sizes are in words. With object_alignment 16 they are even: the inline forms do not round them up. An odd one is told by -DS
 * and by compactions, which end the program with a sentence.
 *
 * `words` words for one object, at least 2 (BARROW_MIN_OBJECT_WORDS); may collect, so every live reference must be in a root.
 * NULL when there is no memory and no overflow hook, or the hook refused, or the size is impossible: barrow_last_error() says which.
 * The object is filled before the next call that may collect. */
static inline barrow_word *barrow_alloc(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  if (BARROW_UNLIKELY(words > BARROW_MAX_INLINE_WORDS || at + words > BARROW_LOAD_RELAXED(&w->hp_lim)))
    return barrow_alloc_slow_(m, words);
  w->hp = at + words;
  return at;
}

/* The fast path alone: NULL when it has no room. Never collects, so values may stay in registers; code that gets NULL
 * puts them into its frame and calls barrow_alloc_slow for as many words. */
static inline barrow_word *barrow_try_alloc(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  if (BARROW_UNLIKELY(words > BARROW_MAX_INLINE_WORDS || at + words > BARROW_LOAD_RELAXED(&w->hp_lim)))
    return barrow_try_counted_(m, words);
  w->hp = at + words;
  return at;
}

/* One check for a whole block of code: after true, `words` words can be taken by barrow_bump, with no collection in
 * between, whatever attention is asked for. */
static inline bool barrow_reserve(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(words <= BARROW_MAX_RESERVE_WORDS && w->hp + words <= BARROW_LOAD_RELAXED(&w->hp_lim)))
    return true;
  return barrow_reserve_slow(m, words);
}

/* Takes words that were reserved, for one object of at most BARROW_MAX_INLINE_WORDS. */
static inline barrow_word *barrow_bump(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  w->hp = at + words;
  return at;
}

/* ---- objects --------------------------------------------------------------------------------------------------- */
/* Threads: those with a mutator of the heap, outside foreign code, several at the same time. */

/* Initialisers of info tables, which are static data, best not const:
 *   static barrow_info cons = BARROW_INFO(BARROW_CONSTR, 0, 1, 1, "Cons");       one pointer, then one plain word
 *   static barrow_info text = BARROW_INFO_BYTES(0, "Text");
 * `flags` is the or of BARROW_FLAG_MUTABLE and its like, or 0. In C++ they need C++11, and make an initialiser that runs
 * when the program starts. BARROW_INFO is for kinds that are told by numbers of pointers and plain words: BARROW_CONSTR,
 * BARROW_MUT_VAR, BARROW_TAGGED, BARROW_THUNK, BARROW_THREAD, static constructors and frames. */
#define BARROW_INFO(kind, flags, ptrs, words, name) \
  BARROW_INFO_OF_(kind, flags, 0, ptrs, words, 0, NULL, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_INFO with all names: `names` is the address of a barrow_names. */
#define BARROW_INFO_NAMED(kind, flags, ptrs, words, names) BARROW_INFO_OF_(kind, flags, 0, ptrs, words, 0, NULL, NULL, NULL, names)
/* BARROW_BITMAP and BARROW_RETURN_FRAME: `words` words, of which those are pointers whose bits are set; at most 64. */
#define BARROW_INFO_BITMAP(kind, flags, words, bitmap, name) \
  BARROW_INFO_OF_(kind, flags, 0, 0, words, bitmap, NULL, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_BITMAP_LARGE: the same for any number of words, with the address of a barrow_bitmap. */
#define BARROW_INFO_BITMAP_LARGE(flags, words, large, name) \
  BARROW_INFO_OF_(BARROW_BITMAP_LARGE, flags, 0, 0, words, 0, large, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_SIZED: word `length` after the header, where 0 is the first, says how many words follow the fixed part. */
#define BARROW_INFO_SIZED(flags, ptrs, words, length, name) \
  BARROW_INFO_OF_(BARROW_SIZED, flags, length, ptrs, words, 0, NULL, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_ARRAY, BARROW_ARRAY_FROZEN and BARROW_WEAK_ARRAY. */
#define BARROW_INFO_ARRAY(kind, flags, name) BARROW_INFO(kind, flags, 0, 0, name)
/* BARROW_STRUCTS: structs of `words` words, of which those are pointers whose bits are set. */
#define BARROW_INFO_STRUCTS(flags, words, bitmap, name) \
  BARROW_INFO_OF_(BARROW_STRUCTS, flags, 0, 0, words, bitmap, NULL, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_BYTES: a length in bytes, then the bytes. */
#define BARROW_INFO_BYTES(flags, name) BARROW_INFO(BARROW_BYTES, flags, 0, 0, name)
/* BARROW_CUSTOM: with the address of a barrow_custom. */
#define BARROW_INFO_CUSTOM(flags, custom, name) \
  BARROW_INFO_OF_(BARROW_CUSTOM, flags, 0, 0, 0, 0, NULL, custom, NULL, BARROW_NAMES_(name))
/* BARROW_SELECTOR: of word `selected` after the header of a constructor, where 0 is the first. */
#define BARROW_INFO_SELECTOR(selected, name) \
  BARROW_INFO_OF_(BARROW_SELECTOR, 0, selected, 1, 0, 0, NULL, NULL, NULL, BARROW_NAMES_(name))
/* BARROW_FUN and BARROW_FUN_STATIC: of `arity` arguments, of which those are pointers whose bits are set; at most 64. `srt` is the
 * address of a barrow_srt, or NULL. */
#define BARROW_INFO_FUN(kind, ptrs, words, arity, bitmap, srt, name) \
  BARROW_INFO_OF_(kind, 0, arity, ptrs, words, bitmap, NULL, NULL, srt, BARROW_NAMES_(name))

/* The info table of an object. Bits 0 to 2 of a header belong to the collector. */
static inline const barrow_info *barrow_info_of(const void *object) {
  return (const barrow_info *)(*(const barrow_any_word_ *)object & ~(barrow_word)7);
}

/* Makes words that were just allocated an object of this table.
 * Threads: the one that made the object, before others know of it. */
static inline void barrow_set_header(void *object, const barrow_info *info) {
  *(barrow_any_word_ *)object = (barrow_word)info;
}

/* More words than any object may have. Sizes never wrap: a length that is too large for an object gives a size that is
 * refused, with a sentence, wherever one is asked for. */
#define BARROW_TOO_MANY_WORDS ((size_t)1 << 60)
static inline size_t barrow_words_(size_t fixed, size_t more) {
  return more >= BARROW_TOO_MANY_WORDS ? BARROW_TOO_MANY_WORDS : fixed + more;
}

/* Words of an array of `length` pointers: header, length, elements, and cards from 128 elements on.
 * Threads: any, several at the same time. */
static inline size_t barrow_array_words(size_t length) {
  if (length >= BARROW_TOO_MANY_WORDS) return BARROW_TOO_MANY_WORDS;
  return 2 + length + (length < BARROW_CARD_ELEMENTS ? 0 : (length + 1023) / 1024);
}

/* Words of an object of `length` bytes: header, length, bytes.
 * Threads: any, several at the same time. */
static inline size_t barrow_bytes_words(size_t length) { return 2 + length / 8 + (length % 8 != 0); }

/* Words of an array of `length` structs of `words` words. An object has fewer than 2^41 words, and a struct at most 64.
 * Threads: any, several at the same time. */
static inline size_t barrow_structs_words(size_t length, size_t words) {
  if (length >> 41 || words >> 16) return BARROW_TOO_MANY_WORDS;
  return 2 + length * words;
}

/* Words of an object of a BARROW_SIZED kind whose length field says `length`.
 * Threads: any, several at the same time. */
static inline size_t barrow_sized_words(const barrow_info *info, size_t length) {
  return barrow_words_((size_t)1 + info->ptrs + info->words, length);
}

/* Elements of an array (BARROW_ARRAY, BARROW_ARRAY_FROZEN). */
static inline size_t barrow_array_length(const void *array) { return ((const barrow_word *)array)[1]; }
/* The first element of an array. The address is good until the next call that may collect; stores go through the barrier. */
static inline void **barrow_array_elements(void *array) { return (void **)((barrow_word *)array + 2); }
/* The first byte of a BARROW_BYTES object; good until the next call that may collect, unless the object is pinned. */
static inline void *barrow_bytes_start(void *bytes) { return (barrow_word *)bytes + 2; }

/* Makes words into an array whose elements are null.
 * Threads: the one that made the object, before others know of it. */
static inline void *barrow_array_init(barrow_word *at, const barrow_info *info, size_t length) {
  if (at) {
    at[0] = (barrow_word)info;
    at[1] = length;
    memset(at + 2, 0, (barrow_array_words(length) - 2) * sizeof(barrow_word));
  }
  return at;
}

/* ---- the write barrier ------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. Others may use the object meanwhile: docs/threads.md has the
 * order. */

/* The kinds of a remembered slot, in the low bits of its entry: a pointer, a tagged word, and such elements of weak arrays. */
#define BARROW_SLOT_POINTER_ 0u
#define BARROW_SLOT_WORD_ 1u
#define BARROW_SLOT_WEAK_ 5u
#define BARROW_SLOT_WEAK_WORD_ 6u

static inline void barrow_remember_(barrow_mutator *m, void *field, barrow_word kind) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_UNLIKELY(w->remember == w->remember_lim)) {
    barrow_remember_slow(m, (barrow_word)field | kind);
  } else {
    *w->remember++ = (barrow_word)field | kind;
  }
}

/* barrow_stored_ for heaps in chunks, of which the window has no table of codes. */
static inline void barrow_stored_in_chunks_(barrow_mutator *m, void *owner, void *field, unsigned kind) {
  if (kind == BARROW_SLOT_WORD_) barrow_wrote_word(m, owner, (barrow_word *)field);
  else barrow_wrote(m, owner, field);
}

/* The barrier, of which every store below is a case with a constant kind: `word` was stored into `field` of `owner`. An owner
 * in the youngest generation is done with after one test; else the field is remembered when the word leads to a younger
 * generation than the owner's. */
static inline void barrow_stored_(barrow_mutator *m, void *owner, void *field, barrow_word word, unsigned kind) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)owner - w->heap_base;
  if (BARROW_LIKELY(o < w->heap_length)) {
    unsigned age = BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]);
    size_t v;
    if (BARROW_LIKELY(age == 0)) return;
    if (kind == BARROW_SLOT_WORD_ || kind == BARROW_SLOT_WEAK_WORD_) {
      if (!((unsigned)w->tagged_pointers >> (word & 15) & 1u)) return;
      v = (word & w->address_mask) + w->address_offset - w->heap_base;
    } else {
      v = (word & ~(barrow_word)7) - w->heap_base;
    }
    if (v < w->heap_length && BARROW_CODE_AGE(w->codes[v >> BARROW_LOG_BLOCK_BYTES]) < age) barrow_remember_(m, field, kind);
  } else if (w->heap_length == 0) {
    barrow_stored_in_chunks_(m, owner, field, kind);
  }
}

/* The barrier alone: `value` was stored into `field` of `owner`, by a store that has the order which the program gives it.
 * Threads: the mutator's own, outside callbacks and foreign code. */
static inline void barrow_barrier(barrow_mutator *m, void *owner, void *field, const void *value) {
  barrow_stored_(m, owner, field, (barrow_word)value, BARROW_SLOT_POINTER_);
}

/* Stores a pointer into a field of an object that may be old. A thread that reads the field with acquire order sees the
 * object as it was filled before. */
static inline void barrow_write(barrow_mutator *m, void *owner, void *field, void *value) {
  BARROW_STORE_FIELD_(field, value);
  barrow_barrier(m, owner, field, value);
}

/* barrow_barrier for a tagged word.
 * Threads: the mutator's own, outside callbacks and foreign code. */
static inline void barrow_barrier_word(barrow_mutator *m, void *owner, barrow_word *field, barrow_word word) {
  barrow_stored_(m, owner, field, word, BARROW_SLOT_WORD_);
}

/* barrow_write with C's types: BARROW_WRITE(m, node, next, other). `owner` is evaluated twice. */
#define BARROW_WRITE(m, owner, field, value) \
  (barrow_write((m), (owner), &(owner)->field, (void *)(value)), (void)(0 ? ((owner)->field = (value)) : 0))

/* Stores a tagged word into a field of an object that may be old. */
static inline void barrow_write_word(barrow_mutator *m, void *owner, barrow_word *field, barrow_word word) {
  BARROW_STORE_RELEASE(field, word);
  barrow_barrier_word(m, owner, field, word);
}

/* Stores `value` where `expected` is, as one step; false when something else is there. */
static inline bool barrow_cas(barrow_mutator *m, void *owner, void *field, void *expected, void *value) {
#if defined(__GNUC__) || defined(__clang__)
  void *want = expected;
  if (!__atomic_compare_exchange_n((void **)field, &want, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return false;
#else
  if (*(void **)field != expected) return false;
  *(void **)field = value;
#endif
  barrow_barrier(m, owner, field, value);
  return true;
}

/* barrow_cas for tagged words. */
static inline bool barrow_cas_word(barrow_mutator *m, void *owner, barrow_word *field, barrow_word expected, barrow_word word) {
#if defined(__GNUC__) || defined(__clang__)
  if (!__atomic_compare_exchange_n(field, &expected, word, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return false;
#else
  if (*field != expected) return false;
  *field = word;
#endif
  barrow_barrier_word(m, owner, field, word);
  return true;
}

/* ---- lazy evaluation ------------------------------------------------------------------------------------------------ */
/* Threads: the mutator's own, outside callbacks and foreign code. Others may use the object meanwhile: docs/threads.md has the
 * order. */

/* Words of a thunk with so many fields: header, a word for the result, the fields.
 * Threads: any, several at the same time. */
static inline size_t barrow_thunk_words(size_t fields) { return barrow_words_(2, fields); }
/* Words of a partial application: header, count, function, arguments.
 * Threads: any, several at the same time. */
static inline size_t barrow_pap_words(size_t arguments) { return barrow_words_(3, arguments); }
/* Words of a suspended application: header, a word for the result, count, function, arguments.
 * Threads: any, several at the same time. */
static inline size_t barrow_ap_words(size_t arguments) { return barrow_words_(4, arguments); }

/* barrow_update in a heap with several mutators. When another one was first, a collection may have put the value where the
 * thunk was, so it is looked at; of two updates at the same time either stays. NULL is refused out of line: a claim that runs
 * meanwhile would take it for the word of nobody. */
static inline barrow_status barrow_update_shared_(barrow_mutator *m, void *thunk, void *value) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)thunk - w->heap_base;
  if (BARROW_LIKELY(w->shared_ind != NULL && o < w->heap_length && ((size_t)thunk ^ (size_t)value) > 7 && value != NULL &&
                    ((size_t)thunk & 7) == 0 && BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]) == 0)) {
    barrow_any_word_ *words = (barrow_any_word_ *)thunk;
    barrow_word header = BARROW_LOAD_ACQUIRE(&words[0]);
    switch (((const barrow_info *)(header & ~(barrow_word)7))->kind) {
      case BARROW_THUNK:
      case BARROW_SELECTOR:
      case BARROW_AP:
      case BARROW_BLACKHOLE:
      case BARROW_CAF_BLACKHOLE: break;
      default: return BARROW_OK;
    }
    BARROW_STORE_RELEASE(&words[1], (barrow_word)value);
    BARROW_STORE_RELEASE(&words[0], (barrow_word)w->shared_ind | (header & 7));
    BARROW_TICKY_COUNT(m, upd_new_ind_ctr);
    return BARROW_OK;
  }
  return barrow_update_slow(m, thunk, value);
}

/* Replaces a thunk by an indirection to its value, which is not the thunk itself (BARROW_E_ARG): young ones in line. In a heap with
 * several mutators an object that has its value already stays as it is, and the value is not NULL: BARROW_E_ARG. */
static inline barrow_status barrow_update(barrow_mutator *m, void *thunk, void *value) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)thunk - w->heap_base;
  if (BARROW_LIKELY(w->ind != NULL && o < w->heap_length && ((size_t)thunk ^ (size_t)value) > 7 &&
                    BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]) == 0)) {
    barrow_any_word_ *words = (barrow_any_word_ *)thunk;
    words[1] = (barrow_word)value;
    BARROW_STORE_RELEASE(&words[0], (barrow_word)w->ind | (words[0] & 7));
    BARROW_TICKY_COUNT(m, upd_new_ind_ctr);
    return BARROW_OK;
  }
  return barrow_update_shared_(m, thunk, value);
}

/* Marks a thunk as under evaluation, so that it keeps nothing alive. Not in line in a heap with several mutators, where
 * barrow_claim is. */
static inline barrow_status barrow_blackhole(barrow_mutator *m, void *thunk) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(w->blackhole != NULL)) {
    barrow_any_word_ *words = (barrow_any_word_ *)thunk;
    words[1] = 0;
    BARROW_STORE_RELEASE(&words[0], (barrow_word)w->blackhole | (words[0] & 7));
    return BARROW_OK;
  }
  return barrow_blackhole_slow(m, thunk);
}

/* Makes a thunk, a selector or a suspended application a blackhole of this mutator's, in one step: of all mutators that claim
 * it one has true, evaluates and updates it. False for any other object: look at it again. Word 1 of a thunk that is claimed
 * was 0 when it was made. A claim on a stack object is the mutator's until it leaves that stack. Who finds a blackhole waits for it:
 *
 *   for (;;) {
 *     const barrow_info *info = barrow_info_now(r.x);
 *     switch (info->kind) {
 *       case BARROW_IND: case BARROW_IND_PERM: case BARROW_IND_OLDGEN: case BARROW_IND_OLDGEN_PERM: case BARROW_IND_STATIC:
 *         r.x = barrow_indirectee(r.x);
 *         break;
 *       case BARROW_THUNK: case BARROW_SELECTOR: case BARROW_AP:
 *         if (barrow_claim(m, r.x)) return evaluate_and_update(m, &r.x);
 *         break;
 *       case BARROW_BLACKHOLE: case BARROW_CAF_BLACKHOLE:
 *         if (barrow_wait_for(m, r.x) != BARROW_OK) return raise(m, ...);
 *         break;
 *       default: return r.x;                    -- but for a BARROW_THUNK_STATIC: barrow_new_caf
 *     }
 *   } */
static inline bool barrow_claim(barrow_mutator *m, void *thunk) {
#if defined(__GNUC__) || defined(__clang__)
  barrow_window *w = barrow_window_of(m);
  barrow_any_word_ *words = (barrow_any_word_ *)thunk;
  if (BARROW_LIKELY(w->claimed != NULL)) {
    barrow_word header = BARROW_LOAD_ACQUIRE(&words[0]), nobody = 0;
    unsigned kind = ((const barrow_info *)(header & ~(barrow_word)7))->kind;
    if (kind != BARROW_THUNK && kind != BARROW_SELECTOR && kind != BARROW_AP) return false;
    if (!__atomic_compare_exchange_n(&words[0], &header, (barrow_word)w->claimed | (header & 7), false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
      return false;
    /* Not 0 when an update that began before has its value there. */
    __atomic_compare_exchange_n(&words[1], &nobody, w->owner, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return true;
  }
#endif
  return barrow_claim_slow(m, thunk);
}

/* barrow_info_of for an object that another mutator may update now: what its indirection leads to is there.
 * Threads: those with a mutator of the heap, outside foreign code, several at the same time. */
static inline const barrow_info *barrow_info_now(const void *object) {
  return (const barrow_info *)(BARROW_LOAD_ACQUIRE((const barrow_any_word_ *)object) & ~(barrow_word)7);
}

/* The value of an indirection; the owner of a blackhole, when one is known, or what the client has put there.
 * Threads: those with a mutator of the heap, outside foreign code, several at the same time. */
static inline void *barrow_indirectee(const void *object) {
  return (void *)BARROW_LOAD_ACQUIRE((const barrow_any_word_ *)object + 1);
}

/* ---- roots -------------------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* A frame of the shadow stack holds the values themselves:
 *
 *   struct { barrow_frame frame; node *left, *right; } r;
 *   BARROW_ENTER(m, r);            -- all roots null, and the frame is the newest
 *   r.left = make(m, depth - 1);   -- the collector rewrites them when objects move
 *   BARROW_LEAVE(m, r);
 *
 * A non-local exit restores what barrow_frames_save gave. */
#define BARROW_ENTER(m, roots)                                                                     \
  do {                                                                                             \
    memset(&(roots), 0, sizeof(roots));                                                            \
    BARROW_PUSH((m), (roots));                                                                     \
  } while (0)

/* BARROW_ENTER when every root was given a value already. */
#define BARROW_PUSH(m, roots)                                                                      \
  (BARROW_FRAME_ENTERED_((m), (roots)),                                                            \
   (roots).frame.up = barrow_window_of(m)->frames,                                                 \
   (roots).frame.count = (sizeof(roots) - sizeof(barrow_frame)) / sizeof(void *),                  \
   barrow_window_of(m)->frames = &(roots).frame)

/* BARROW_PUSH for a frame of tagged words, all of which were given already: the heap's tag rule says which of them are
 * pointers. */
#define BARROW_PUSH_TAGGED(m, roots) (BARROW_PUSH((m), (roots)), (void)((roots).frame.count |= BARROW_FRAME_TAGGED))

/* BARROW_ENTER for a frame of tagged words, which are 0 at first: no tag rule takes that for an object. */
#define BARROW_ENTER_TAGGED(m, roots)                                                              \
  do {                                                                                             \
    memset(&(roots), 0, sizeof(roots));                                                            \
    BARROW_PUSH_TAGGED((m), (roots));                                                              \
  } while (0)

/* Takes a frame off, before its function returns. The roots can be read still, and are the collector's no more. */
#define BARROW_LEAVE(m, roots)                                                                     \
  (BARROW_FRAME_LEFT_((m), (roots)), barrow_window_of(m)->frames = (roots).frame.up)

/* The newest frame, to be restored where control arrives by longjmp or an exception. */
static inline barrow_frame *barrow_frames_save(barrow_mutator *m) { return barrow_window_of(m)->frames; }
/* Makes the frame that was saved the newest again: all that were pushed since are off. */
static inline void barrow_frames_restore(barrow_mutator *m, barrow_frame *frames) {
  barrow_window_of(m)->frames = frames;
}

/* The object that a handle holds.
 * Threads: those with a mutator of the heap, outside foreign code, several at the same time. */
static inline void *barrow_handle_get(const barrow_handle *handle) { return (void *)handle->object; }

/* ---- biography --------------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* The biography word of an object has its creation era in bits 30 to 59, the era of its last use in bits 0 to 29, and
 * its state in bits 60 and 61: created, used, or there before the profile and not used since. Bits 62 and 63 are the
 * library's: code that reads the word masks them off, code that writes it leaves them 0. */
#define BARROW_BIOGRAPHY_SHIFT 30
#define BARROW_BIOGRAPHY_LAST_MASK (((barrow_word)1 << BARROW_BIOGRAPHY_SHIFT) - 1)
#define BARROW_BIOGRAPHY_CREATE_MASK (BARROW_BIOGRAPHY_LAST_MASK << BARROW_BIOGRAPHY_SHIFT)
#define BARROW_BIOGRAPHY_STATE_MASK ((barrow_word)3 << 60)
#define BARROW_BIOGRAPHY_CREATED ((barrow_word)0)
#define BARROW_BIOGRAPHY_USED ((barrow_word)1 << 60)
#define BARROW_BIOGRAPHY_BEFORE ((barrow_word)2 << 60)

/* An object that was used in this era has a mark: a byte for each 16 bytes of all addresses. The library books it when it
 * collects the object, or is asked for its biography word. */
#define BARROW_MARK_USED 1

/* The address of an object's biography word, which knows of each use before; NULL for an object outside the heap. Only
 * while a biography is taken. */
static inline barrow_word *barrow_biography_at_(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  if (w->heap_length != 0 && (size_t)object - w->heap_base >= w->heap_length) return NULL;
  return barrow_biography_slow(m, object);
}

/* barrow_use where there are no marks: out of line once for each object and era. */
static inline BARROW_COLD_ void barrow_use_unmarked_(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  size_t at = (size_t)object, megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
  if (at - w->heap_base < w->heap_length) {
    barrow_word *words = *(barrow_word **)(megablock + w->side[0]);
    if (words && (BARROW_LOAD_RELAXED(words + ((at - megablock) >> 4)) & BARROW_BIOGRAPHY_LAST_MASK) != w->era) barrow_used(m, object);
  } else if (w->heap_length == 0) {
    barrow_used(m, object);
  }
}

/* Says that an object is used now: entered, looked into, compared. `object` is the address of an object of any kind,
 * static ones and those of other heaps included, without tag bits, or NULL. Costs two tests while no biography is
 * taken. While one is, the object is marked as used in this era: a test and a store, which goes astray only for an
 * address that no program can have. */
static inline void barrow_use(barrow_mutator *m, const void *object) {
  unsigned char *marks = barrow_window_of(m)->marks;
  if (BARROW_UNLIKELY(marks != NULL)) {
    BARROW_STORE_RELAXED(marks + ((size_t)object >> 4), BARROW_MARK_USED);
  } else if (BARROW_UNLIKELY(barrow_window_of(m)->era != 0)) {
    barrow_use_unmarked_(m, object);
  }
}

/* Says that an object is made here now, where no object or another one was. New memory needs no such word.
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the
 * object. */
static inline void barrow_record_create(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_UNLIKELY(w->era != 0)) {
    barrow_word *word = barrow_biography_at_(m, object);
    if (word) *word = (barrow_word)w->era << BARROW_BIOGRAPHY_SHIFT;
  }
}

/* ---- weak pointers --------------------------------------------------------------------------------------------------- */
/* Threads: those with a mutator of the heap, outside foreign code, several at the same time. */

/* Whether a weak pointer's key is alive, as far as is known, and it was not finalized. */
static inline bool barrow_weak_alive(const void *weak) { return barrow_info_now(weak)->kind == BARROW_WEAK; }

/* True and the value while the weak pointer is alive, else false and NULL. The value is alive as long as the key is:
 * hold the one or the other in a root before the next allocation. Another thread may end the weak pointer meanwhile. */
static inline bool barrow_weak_deref(const void *weak, void **out_value) {
  void *value = BARROW_LOAD_ACQUIRE(&((const barrow_weak *)weak)->value);
  bool alive = barrow_weak_alive(weak);
  *out_value = alive ? value : NULL;
  return alive;
}

/* The key, or NULL when the weak pointer is dead. */
static inline void *barrow_weak_key(const void *weak) {
  void *key = BARROW_LOAD_ACQUIRE(&((const barrow_weak *)weak)->key);
  return barrow_weak_alive(weak) ? key : NULL;
}

/* ---- weak arrays ------------------------------------------------------------------------------------------------------ */
/* Threads: those with a mutator of the heap, outside foreign code, several at the same time. */

/* Words of a weak array of `length` elements: header, length, a word of the collector's, elements.
 * Threads: any, several at the same time. */
static inline size_t barrow_weak_array_words(size_t length) { return barrow_words_(3, length); }

/* Elements of a weak array, those that died included. */
static inline size_t barrow_weak_array_length(const void *array) { return ((const barrow_word *)array)[1]; }
/* The first element of a weak array. The address is good until the next call that may collect. */
static inline void **barrow_weak_array_elements(void *array) { return (void **)((barrow_word *)array + 3); }

/* Makes words into a weak array whose elements are NULL.
 * Threads: the one that made the object, before others know of it. */
static inline void *barrow_weak_array_init(barrow_word *at, const barrow_info *info, size_t length) {
  if (at) {
    at[0] = (barrow_word)info;
    at[1] = length;
    memset(at + 2, 0, (1 + length) * sizeof(barrow_word));
  }
  return at;
}

/* The object of an element; NULL once it has died. The object lives on only if a root holds it. */
static inline void *barrow_weak_array_get(const void *array, size_t index) {
  return (void *)BARROW_LOAD_ACQUIRE((const barrow_word *)array + 3 + index);
}

/* Stores a pointer, or NULL, into an element of a weak array that may be old. barrow_write is allowed too, and keeps the
 * object alive for the element until its generation is collected with the array's.
 * Threads: the mutator's own, outside callbacks and foreign code. Others may use the object meanwhile: docs/threads.md has the
 * order. */
static inline void barrow_weak_array_write(barrow_mutator *m, void *array, size_t index, void *value) {
  void **element = barrow_weak_array_elements(array) + index;
  if (BARROW_UNLIKELY(barrow_window_of(m)->heap_length == 0)) {
    /* The call stores: a store before it would be seen, and then made once more over what others store. */
    barrow_weak_array_set(m, array, index, value);
    return;
  }
  BARROW_STORE_FIELD_(element, value);
  barrow_stored_(m, array, element, (barrow_word)value, BARROW_SLOT_WEAK_);
}

/* barrow_weak_array_write with a tagged word, for an array with BARROW_FLAG_TAIL_TAGGED.
 * Threads: the mutator's own, outside callbacks and foreign code. Others may use the object meanwhile: docs/threads.md has the
 * order. */
static inline void barrow_weak_array_write_word(barrow_mutator *m, void *array, size_t index, barrow_word word) {
  barrow_word *element = (barrow_word *)array + 3 + index;
  if (BARROW_UNLIKELY(barrow_window_of(m)->heap_length == 0)) {
    barrow_weak_array_set(m, array, index, (void *)word);
    return;
  }
  BARROW_STORE_RELEASE(element, word);
  barrow_stored_(m, array, element, word, BARROW_SLOT_WEAK_WORD_);
}

/* The number of a stable name: the same for the same object, and never another one's. */
static inline size_t barrow_stable_name_number(const void *name) { return ((const barrow_word *)name)[1]; }

/* ---- stacks ---------------------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* Whether `words` words can be pushed on the stack that the mutator runs on; makes room, in a further chunk, when there is
 * none. False when there is no memory for them, and the overflow hook, if there is one, refused. Never collects, as barrow_stack_reserve and that
 * hook may. */
static inline bool barrow_stack_need(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(w->sp_lim && (size_t)(w->sp - w->sp_lim) >= words)) return true;
  return barrow_stack_grow(m, words);
}

/* Pushes a frame of `words` words, its table's included, for which there is room; the rest of it is filled before the next
 * call that may collect. */
static inline barrow_word *barrow_stack_push(barrow_mutator *m, const barrow_info *frame, size_t words) {
  barrow_window *w = barrow_window_of(m);
  w->sp -= words;
  *(barrow_any_word_ *)w->sp = (barrow_word)frame;
  return w->sp;
}

/* Takes the newest frame off. */
static inline void barrow_stack_pop(barrow_mutator *m, size_t words) { barrow_window_of(m)->sp += words; }

/* The table of the newest frame, which returns next. */
static inline const barrow_info *barrow_stack_top(barrow_mutator *m) {
  return (const barrow_info *)*(const barrow_any_word_ *)barrow_window_of(m)->sp;
}

/* Before a word of a stack is written that is not the one the mutator runs on.
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the
 * object. */
static inline void barrow_stack_dirty(barrow_mutator *m, void *stack) {
  barrow_stack *s = (barrow_stack *)stack;
  if (s->dirty == 0) {
    s->dirty = 1;
    barrow_record_old_to_new(m, stack);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------- */
/* Threads: any, several at the same time. */

/* The descriptor of the block that an address is in (Bdescr). Not for the tail of a group larger than a megablock. */
static inline barrow_bdescr *barrow_bdescr_of(const void *p) {
  size_t at = (size_t)p;
  size_t megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
  size_t index = (at & (BARROW_MEGABLOCK_BYTES - 1)) >> BARROW_LOG_BLOCK_BYTES;
  return (barrow_bdescr *)(megablock + (index << BARROW_LOG_DESCRIPTOR_BYTES));
}

/* ---- cost centres ------------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* The initialiser of a cost centre, which is static data, best not const:
 *   static barrow_cc parse = BARROW_CC("parse", "Main", "Main.src:10:1-40");
 *   static barrow_cc main_caf = BARROW_CC_OF_CAF("CAF", "Main", "<entire-module>"); */
#define BARROW_CC(label, module, source) { (uint16_t)sizeof(barrow_cc), 0, 0, (label), (module), (source) }
/* BARROW_CC for costs that a definition has once: those of a module's top-level values, or of one of them. */
#define BARROW_CC_OF_CAF(label, module, source) \
  { (uint16_t)sizeof(barrow_cc), BARROW_CC_CAF, 0, (label), (module), (source) }

/* The stack to which costs go now: what a closure that is made keeps for barrow_ccs_enter_function. */
static inline barrow_ccs *barrow_ccs_current(barrow_mutator *m) { return barrow_window_of(m)->ccs; }

/* The costs that this mutator has booked to a stack, since the first centre was entered; reports add up those of all. Up to
 * date for the current stack after a change of stack. */
static inline barrow_cost *barrow_cost_of(barrow_mutator *m, const barrow_ccs *stack) {
  return (barrow_cost *)(barrow_window_of(m)->costs + (size_t)stack);
}

/* Enters a cost centre. Costs are those of the new stack until barrow_ccs_leave is given what this gives:
 *   barrow_ccs *before = barrow_ccs_enter(m, &parse);
 *   ...
 *   barrow_ccs_leave(m, before);
 * Code that keeps hp in a register stores it before it changes the stack. */
static inline barrow_ccs *barrow_ccs_enter(barrow_mutator *m, barrow_cc *centre) {
  barrow_window *w = barrow_window_of(m);
  barrow_ccs *before = w->ccs;
  uint32_t id = BARROW_LOAD_RELAXED(&centre->id);
  barrow_ccs *now = BARROW_LOAD_ACQUIRE(&before->memo[id % BARROW_CCS_MEMO]);
  if (BARROW_UNLIKELY(now->centre != id)) return barrow_ccs_enter_slow_(m, centre);
  if (w->hp != w->hp_at_ccs) {
    size_t bytes;
    if (BARROW_UNLIKELY(BARROW_BORROWS_((size_t)w->hp, (size_t)w->hp_at_ccs, &bytes)))
      return barrow_ccs_enter_slow_(m, centre);
    barrow_cost_of(m, before)->bytes += bytes;
    w->hp_at_ccs = w->hp;
  }
  barrow_cost_of(m, now)->entries++;
  w->ccs = now;
  return before;
}

/* Goes back to a stack that was current before: the caller's, or, after a longjmp or a throw, the one that was
 * current where it lands. Nothing is counted, so it does not matter how many leaves were skipped. */
static inline void barrow_ccs_leave(barrow_mutator *m, barrow_ccs *to) {
  barrow_window *w = barrow_window_of(m);
  size_t bytes;
  if (BARROW_UNLIKELY(BARROW_BORROWS_((size_t)w->hp, (size_t)w->hp_at_ccs, &bytes))) {
    barrow_ccs_leave_slow_(m, to);
    return;
  }
  barrow_cost_of(m, w->ccs)->bytes += bytes;
  w->hp_at_ccs = w->hp;
  w->ccs = to;
}

/* Enters a function that was made while `function` was current (a closure, an export): its lexical stack on top of the
 * caller's. Gives the caller's stack. No entry is counted: the function's own centre does that. */
static inline barrow_ccs *barrow_ccs_enter_function(barrow_mutator *m, const barrow_ccs *function) {
  barrow_ccs *before = barrow_window_of(m)->ccs;
  return before == function ? before : barrow_ccs_enter_function_slow(m, function);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */
/* Threads: the mutator's own, outside callbacks and foreign code. */

/* The initialiser of a function whose calls are counted, which is static data. `code` is the function itself, or
 * the word that stands for it in barrow_window.function:
 *   static barrow_ticky_function counted = BARROW_COUNTED_FUNCTION("parse", "Main", parse); */
#define BARROW_COUNTED_FUNCTION(name, module, code)                                                                \
  { (uint16_t)sizeof(barrow_ticky_function), 0, 0, 0, 0, (name), (module), NULL, NULL, NULL,                       \
    (BARROW_EXTENSION_ (const void *)(code)) }

/* This mutator's counts of a function. */
static inline barrow_entry_count *barrow_ticky_row_(barrow_mutator *m, barrow_ticky_function *f) {
  barrow_window *w = barrow_window_of(m);
  uint32_t id = BARROW_LOAD_RELAXED(&f->id);
  if (BARROW_UNLIKELY(id == 0 || w->entries == NULL)) return barrow_ticky_row(m, f);
  return &w->entries[id];
}

/* Counts a call of a function: at its beginning. Space profiles show calls beside space and time (docs/function-space.md),
 * and the report of -r as entries. */
static inline void barrow_count_call(barrow_mutator *m, barrow_ticky_function *f) { barrow_ticky_row_(m, f)->entries++; }

/* ---- coverage ----------------------------------------------------------------------------------------------------- */
/* Threads: any, several at the same time. */

/* Counts box `n` of a module: its counters, the object, are an array of uint64_t that the module's code owns.
 * Threads: any, one at a time for the same object. */
#define BARROW_TICK(counters, n) ((void)++(counters)[n])

/* BARROW_TICK for code that several threads run at once, or that runs while another writes the file; without it, ticks of two
 * threads at the same moment may count as one. */
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_TICK_SHARED(counters, n) ((void)__atomic_fetch_add(&(counters)[n], 1, __ATOMIC_RELAXED))
#else
#define BARROW_TICK_SHARED(counters, n) BARROW_TICK(counters, n)
#endif

/* Counts how a decision came out, and gives it: box `n` is for true, box n + 1 for false.
 *   if (barrow_tick_decision(counters, 3, x > y)) ...
 * Threads: any, one at a time for the same object. */
static inline bool barrow_tick_decision(uint64_t *counters, size_t n, bool outcome) {
  BARROW_TICK(counters, n + !outcome);
  return outcome;
}

/* barrow_tick_decision for code that several threads run at once. */
static inline bool barrow_tick_decision_shared(uint64_t *counters, size_t n, bool outcome) {
  BARROW_TICK_SHARED(counters, n + !outcome);
  return outcome;
}

/* The initialiser of a module's description, from its array of counters:
 *   static uint64_t counters[9];
 *   static const barrow_coverage_module module = BARROW_COVERAGE_MODULE("Main", 0x5eed, counters); */
#define BARROW_COVERAGE_MODULE(name, hash, counters) \
  { (uint32_t)sizeof(barrow_coverage_module), (hash), (name), (counters), sizeof(counters) / sizeof *(counters) }

#ifdef __cplusplus
}
#endif

#endif
