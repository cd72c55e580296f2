#ifndef BARROW_INLINE_H
#define BARROW_INLINE_H
#include "../barrow.h"
#include <string.h>
#define BARROW_BLOCK_BYTES 4096u
#define BARROW_LOG_BLOCK_BYTES 12
#define BARROW_MEGABLOCK_BYTES 1048576u
#define BARROW_DESCRIPTOR_BYTES 64u
#define BARROW_LOG_DESCRIPTOR_BYTES 6
#define BARROW_MAX_INLINE_WORDS 256u
#define BARROW_MAX_RESERVE_WORDS 4096u
#define BARROW_MIN_OBJECT_WORDS 2u
#define BARROW_CARD_ELEMENTS 128u
#define BARROW_FRAME_TAGGED ((size_t)1 << 63)
#define BARROW_CODE_GENERATION(code) ((((unsigned)(code) - 1u) >> 3) & 7u)
#define BARROW_CODE_AGE(code) (((unsigned)(code) - 1u) & 0x38u)
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_LIKELY(x) __builtin_expect(!!(x), 1)
#define BARROW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BARROW_LOAD_RELAXED(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#else
#define BARROW_LIKELY(x) (x)
#define BARROW_UNLIKELY(x) (x)
#define BARROW_LOAD_RELAXED(p) (*(p))
#endif
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_BORROWS_(a, b, c) __builtin_sub_overflow((a), (b), (c))
#define BARROW_COLD_ __attribute__((cold))
#else
#define BARROW_BORROWS_(a, b, c) (*(c) = (a) - (b), (a) < (b))
#define BARROW_COLD_
#endif
typedef size_t barrow_word;
#ifdef __cplusplus
extern "C" {
#endif
extern BARROW_COLD_ barrow_word *barrow_alloc_slow(barrow_mutator *m, size_t words);
extern BARROW_COLD_ barrow_ccs *barrow_ccs_enter_slow(barrow_mutator *m, barrow_cc *centre);
extern BARROW_COLD_ barrow_status barrow_ccs_leave_slow(barrow_mutator *m, const barrow_ccs *to);
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
static inline barrow_window *barrow_window_of(barrow_mutator *m) { return (barrow_window *)(void *)m; }
#ifdef BARROW_TICKY
#define BARROW_TICKY_COUNT(m, counter) ((void)++barrow_window_of(m)->ticky->counter)
#else
#define BARROW_TICKY_COUNT(m, counter) ((void)0)
#endif
static inline barrow_word *barrow_alloc(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  if (BARROW_UNLIKELY(words > BARROW_MAX_INLINE_WORDS || at + words > BARROW_LOAD_RELAXED(&w->hp_lim)))
    return barrow_alloc_slow(m, words);
  w->hp = at + words;
  return at;
}
static inline barrow_word *barrow_try_alloc(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  if (BARROW_UNLIKELY(words > BARROW_MAX_INLINE_WORDS || at + words > BARROW_LOAD_RELAXED(&w->hp_lim))) return NULL;
  w->hp = at + words;
  return at;
}
static inline bool barrow_reserve(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(words <= BARROW_MAX_RESERVE_WORDS && w->hp + words <= BARROW_LOAD_RELAXED(&w->hp_lim)))
    return true;
  return barrow_reserve_slow(m, words);
}
static inline barrow_word *barrow_bump(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  barrow_word *at = w->hp;
  w->hp = at + words;
  return at;
}
static inline const barrow_info *barrow_info_of(const void *object) {
  return (const barrow_info *)(*(const barrow_word *)object & ~(barrow_word)7);
}
static inline void barrow_set_header(void *object, const barrow_info *info) {
  *(barrow_word *)object = (barrow_word)info;
}
static inline size_t barrow_array_words(size_t length) {
  return 2 + length + (length < BARROW_CARD_ELEMENTS ? 0 : (length + 1023) / 1024);
}
static inline size_t barrow_bytes_words(size_t length) { return 2 + (length + 7) / 8; }
static inline size_t barrow_structs_words(size_t length, size_t words) { return 2 + length * words; }
static inline size_t barrow_array_length(const void *array) { return ((const barrow_word *)array)[1]; }
static inline void **barrow_array_elements(void *array) { return (void **)((barrow_word *)array + 2); }
static inline void *barrow_bytes_start(void *bytes) { return (barrow_word *)bytes + 2; }
static inline void *barrow_array_init(barrow_word *at, const barrow_info *info, size_t length) {
  if (at) {
    at[0] = (barrow_word)info;
    at[1] = length;
    memset(at + 2, 0, (barrow_array_words(length) - 2) * sizeof(barrow_word));
  }
  return at;
}
static inline void barrow_remember_(barrow_mutator *m, void *field, barrow_word kind) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_UNLIKELY(w->remember == w->remember_lim)) {
    barrow_remember_slow(m, (barrow_word)field | kind);
  } else {
    *w->remember++ = (barrow_word)field | kind;
  }
}
static inline void barrow_barrier(barrow_mutator *m, void *owner, void *field, const void *value) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)owner - w->heap_base;
  if (BARROW_LIKELY(o < w->heap_length)) {
    unsigned age = BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]);
    size_t v;
    if (BARROW_LIKELY(age == 0)) return;
    v = ((size_t)value & ~(size_t)7) - w->heap_base;
    if (v < w->heap_length && BARROW_CODE_AGE(w->codes[v >> BARROW_LOG_BLOCK_BYTES]) < age)
      barrow_remember_(m, field, 0);
  } else if (w->heap_length == 0) {
    barrow_wrote(m, owner, field);
  }
}
static inline void barrow_write(barrow_mutator *m, void *owner, void *field, void *value) {
  memcpy(field, &value, sizeof value);
  barrow_barrier(m, owner, field, value);
}
#define BARROW_WRITE(m, owner, field, value) \
  ((owner)->field = (value), barrow_barrier((m), (owner), &(owner)->field, (owner)->field))
static inline void barrow_write_word(barrow_mutator *m, void *owner, barrow_word *field, barrow_word word) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)owner - w->heap_base;
  *field = word;
  if (BARROW_LIKELY(o < w->heap_length)) {
    unsigned age = BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]);
    size_t v;
    if (BARROW_LIKELY(age == 0) || !((unsigned)w->tagged_pointers >> (word & 15) & 1u)) return;
    v = (word & w->address_mask) + w->address_offset - w->heap_base;
    if (v < w->heap_length && BARROW_CODE_AGE(w->codes[v >> BARROW_LOG_BLOCK_BYTES]) < age)
      barrow_remember_(m, field, 1);
  } else if (w->heap_length == 0) {
    barrow_wrote_word(m, owner, field);
  }
}
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
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_STORE_RELEASE(p, word) __atomic_store_n((p), (word), __ATOMIC_RELEASE)
#else
#define BARROW_STORE_RELEASE(p, word) (*(p) = (word))
#endif
static inline size_t barrow_thunk_words(size_t fields) { return 2 + fields; }
static inline size_t barrow_pap_words(size_t arguments) { return 3 + arguments; }
static inline size_t barrow_ap_words(size_t arguments) { return 4 + arguments; }
static inline barrow_status barrow_update(barrow_mutator *m, void *thunk, void *value) {
  barrow_window *w = barrow_window_of(m);
  size_t o = (size_t)thunk - w->heap_base;
  if (BARROW_LIKELY(w->ind != NULL && o < w->heap_length && thunk != value &&
                    BARROW_CODE_AGE(w->codes[o >> BARROW_LOG_BLOCK_BYTES]) == 0)) {
    barrow_word *words = (barrow_word *)thunk;
    words[1] = (barrow_word)value;
    BARROW_STORE_RELEASE(&words[0], (barrow_word)w->ind | (words[0] & 7));
    BARROW_TICKY_COUNT(m, upd_new_ind_ctr);
    return BARROW_OK;
  }
  return barrow_update_slow(m, thunk, value);
}
static inline barrow_status barrow_blackhole(barrow_mutator *m, void *thunk) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(w->blackhole != NULL)) {
    barrow_word *words = (barrow_word *)thunk;
    words[1] = 0;
    BARROW_STORE_RELEASE(&words[0], (barrow_word)w->blackhole | (words[0] & 7));
    return BARROW_OK;
  }
  return barrow_blackhole_slow(m, thunk);
}
static inline void *barrow_indirectee(const void *object) { return (void *)((const barrow_word *)object)[1]; }
#define BARROW_ENTER(m, roots)                                                                     \
  do {                                                                                             \
    memset(&(roots), 0, sizeof(roots));                                                            \
    BARROW_PUSH((m), (roots));                                                                     \
  } while (0)
#define BARROW_PUSH(m, roots)                                                                      \
  ((roots).frame.up = barrow_window_of(m)->frames,                                                 \
   (roots).frame.count = (sizeof(roots) - sizeof(barrow_frame)) / sizeof(void *),                  \
   barrow_window_of(m)->frames = &(roots).frame)
#define BARROW_LEAVE(m, roots) (barrow_window_of(m)->frames = (roots).frame.up)
static inline barrow_frame *barrow_frames_save(barrow_mutator *m) { return barrow_window_of(m)->frames; }
static inline void barrow_frames_restore(barrow_mutator *m, barrow_frame *frames) {
  barrow_window_of(m)->frames = frames;
}
static inline void *barrow_handle_get(const barrow_handle *handle) { return (void *)handle->object; }
#define BARROW_BIOGRAPHY_SHIFT 30
#define BARROW_BIOGRAPHY_LAST_MASK (((barrow_word)1 << BARROW_BIOGRAPHY_SHIFT) - 1)
#define BARROW_BIOGRAPHY_CREATE_MASK (BARROW_BIOGRAPHY_LAST_MASK << BARROW_BIOGRAPHY_SHIFT)
#define BARROW_BIOGRAPHY_STATE_MASK ((barrow_word)3 << 60)
#define BARROW_BIOGRAPHY_CREATED ((barrow_word)0)
#define BARROW_BIOGRAPHY_USED ((barrow_word)1 << 60)
#define BARROW_BIOGRAPHY_BEFORE ((barrow_word)2 << 60)
static inline barrow_word *barrow_biography_at_(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  size_t at = (size_t)object;
  if (BARROW_LIKELY(at - w->heap_base < w->heap_length)) {
    size_t megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
    barrow_word *words = *(barrow_word **)(megablock + w->side[0]);
    return words ? words + ((at - megablock) >> 4) : NULL;
  }
  return w->heap_length == 0 ? barrow_biography_slow(m, object) : NULL;
}
static inline void barrow_use(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_UNLIKELY(w->era != 0)) {
    barrow_word *word = barrow_biography_at_(m, object);
    if (word && (BARROW_LOAD_RELAXED(word) & BARROW_BIOGRAPHY_LAST_MASK) != w->era) barrow_used(m, object);
  }
}
static inline void barrow_record_create(barrow_mutator *m, const void *object) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_UNLIKELY(w->era != 0)) {
    barrow_word *word = barrow_biography_at_(m, object);
    if (word) *word = (barrow_word)w->era << BARROW_BIOGRAPHY_SHIFT;
  }
}
static inline bool barrow_weak_alive(const void *weak) { return barrow_info_of(weak)->kind == BARROW_WEAK; }
static inline bool barrow_weak_deref(const void *weak, void **out_value) {
  bool alive = barrow_weak_alive(weak);
  *out_value = alive ? ((const barrow_weak *)weak)->value : NULL;
  return alive;
}
static inline void *barrow_weak_key(const void *weak) {
  return barrow_weak_alive(weak) ? ((const barrow_weak *)weak)->key : NULL;
}
static inline size_t barrow_stable_name_number(const void *name) { return ((const barrow_word *)name)[1]; }
static inline bool barrow_stack_need(barrow_mutator *m, size_t words) {
  barrow_window *w = barrow_window_of(m);
  if (BARROW_LIKELY(w->sp_lim && (size_t)(w->sp - w->sp_lim) >= words)) return true;
  return barrow_stack_grow(m, words);
}
static inline barrow_word *barrow_stack_push(barrow_mutator *m, const barrow_info *frame, size_t words) {
  barrow_window *w = barrow_window_of(m);
  w->sp -= words;
  w->sp[0] = (barrow_word)frame;
  return w->sp;
}
static inline void barrow_stack_pop(barrow_mutator *m, size_t words) { barrow_window_of(m)->sp += words; }
static inline const barrow_info *barrow_stack_top(barrow_mutator *m) {
  return (const barrow_info *)barrow_window_of(m)->sp[0];
}
static inline void barrow_stack_dirty(barrow_mutator *m, void *stack) {
  barrow_stack *s = (barrow_stack *)stack;
  if (s->dirty == 0) {
    s->dirty = 1;
    barrow_record_old_to_new(m, stack);
  }
}
static inline barrow_bdescr *barrow_bdescr_of(const void *p) {
  size_t at = (size_t)p;
  size_t megablock = at & ~(size_t)(BARROW_MEGABLOCK_BYTES - 1);
  size_t index = (at & (BARROW_MEGABLOCK_BYTES - 1)) >> BARROW_LOG_BLOCK_BYTES;
  return (barrow_bdescr *)(megablock + (index << BARROW_LOG_DESCRIPTOR_BYTES));
}
#define BARROW_CC(label, module, source) { (uint16_t)sizeof(barrow_cc), 0, 0, (label), (module), (source) }
#define BARROW_CC_OF_CAF(label, module, source) \
  { (uint16_t)sizeof(barrow_cc), BARROW_CC_CAF, 0, (label), (module), (source) }
static inline barrow_ccs *barrow_ccs_current(barrow_mutator *m) { return barrow_window_of(m)->ccs; }
static inline barrow_cost *barrow_cost_of(barrow_mutator *m, const barrow_ccs *stack) {
  return (barrow_cost *)(barrow_window_of(m)->costs + (size_t)stack);
}
static inline barrow_ccs *barrow_ccs_enter(barrow_mutator *m, barrow_cc *centre) {
  barrow_window *w = barrow_window_of(m);
  barrow_ccs *before = w->ccs;
  uint32_t id = BARROW_LOAD_RELAXED(&centre->id);
  barrow_ccs *now = BARROW_LOAD_RELAXED(&before->memo[id % BARROW_CCS_MEMO]);
  if (BARROW_UNLIKELY(now->centre != id)) return barrow_ccs_enter_slow(m, centre);
  if (w->hp != w->hp_at_ccs) {
    size_t bytes;
    if (BARROW_UNLIKELY(BARROW_BORROWS_((size_t)w->hp, (size_t)w->hp_at_ccs, &bytes)))
      return barrow_ccs_enter_slow(m, centre);
    barrow_cost_of(m, before)->bytes += bytes;
    w->hp_at_ccs = w->hp;
  }
  barrow_cost_of(m, now)->entries++;
  w->ccs = now;
  return before;
}
static inline void barrow_ccs_leave(barrow_mutator *m, barrow_ccs *to) {
  barrow_window *w = barrow_window_of(m);
  size_t bytes;
  if (BARROW_UNLIKELY(BARROW_BORROWS_((size_t)w->hp, (size_t)w->hp_at_ccs, &bytes))) {
    barrow_ccs_leave_slow(m, to);
    return;
  }
  barrow_cost_of(m, w->ccs)->bytes += bytes;
  w->hp_at_ccs = w->hp;
  w->ccs = to;
}
static inline barrow_ccs *barrow_ccs_enter_function(barrow_mutator *m, const barrow_ccs *function) {
  barrow_ccs *before = barrow_window_of(m)->ccs;
  return before == function ? before : barrow_ccs_enter_function_slow(m, function);
}
#define BARROW_TICK(counters, n) ((void)++(counters)[n])
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_TICK_SHARED(counters, n) ((void)__atomic_fetch_add(&(counters)[n], 1, __ATOMIC_RELAXED))
#else
#define BARROW_TICK_SHARED(counters, n) BARROW_TICK(counters, n)
#endif
static inline bool barrow_tick_decision(uint64_t *counters, size_t n, bool outcome) {
  BARROW_TICK(counters, n + !outcome);
  return outcome;
}
#define BARROW_COVERAGE_MODULE(name, hash, counters) \
  { (uint32_t)sizeof(barrow_coverage_module), (hash), (name), (counters), sizeof(counters) / sizeof *(counters) }
#ifdef __cplusplus
}
#endif
#endif
