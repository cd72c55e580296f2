/* What every function that our imaginary compiler emits stands on: the mutator, objects, frames. */
#ifndef BARROW_DEMO_EMIT_H
#define BARROW_DEMO_EMIT_H

#include "program.h"
#include <setjmp.h>

/* The program's state. A real compiler would keep the mutator in a register. */
typedef struct world {
  barrow_heap *heap;
  barrow_mutator *m;
  double scale;
  void (*progress)(size_t part, double done);
  size_t part;
  /* Where the program goes when there is no memory, and what is live there: frames, and the stack of
   * cost centres. */
  jmp_buf out_of_memory;
  barrow_frame *frames;
  barrow_ccs *ccs;
} world;

#define NAMES(id, description, type) \
  static const barrow_names id##_names = {description, type, "Demo", "tools/demo/program.c"}

/* An info table: size, version, number, entry code; kind, flags; pointers, plain words; names. */
#define INFO(id, kind, flags, ptrs, words, description, type)                                        \
  NAMES(id, description, type);                                                                      \
  static barrow_info id = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, (kind), (flags), 0,       \
                           (ptrs), (words), 0, 0, 0, 0, 0, &id##_names}

/* Allocation as emitted: a few instructions inline, and a call when the nursery is full. It may collect, and then
 * every object that is not in a frame is garbage and every one that is may have moved. */
static inline void *new_object(world *w, size_t words, const barrow_info *info) {
  barrow_word *at = barrow_alloc(w->m, words);
  if (BARROW_UNLIKELY(!at)) longjmp(w->out_of_memory, 1);
  at[0] = (barrow_word)info;
  return at;
}

#define NEW(w, type, info) ((type *)new_object((w), sizeof(type) / sizeof(barrow_word), &(info)))

/* Looking into an object, as emitted: a test, and nothing more unless a biography is taken. */
static inline void use(world *w, const void *object) { barrow_use(w->m, object); }

/* A string of bytes: header, length, contents. */
typedef struct text {
  barrow_word header;
  size_t length;
} text;

static inline char *text_bytes(text *t) { return (char *)(t + 1); }

text *new_text(world *w, const char *bytes, size_t length);
void **elements(void *array);
void *new_array(world *w, size_t length);

/* A random number below `below`; the same ones in each run. */
static inline uint64_t next_random(uint64_t *state, uint64_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) % below;
}

/* A cost centre, and entering it as emitted: the stack that was current is kept in the frame, and restored from there. */
#define COST_CENTRE(id, label, source) static barrow_cc id = BARROW_CC(label, "Demo", source)
static inline barrow_ccs *enter(world *w, barrow_cc *centre) { return barrow_ccs_enter(w->m, centre); }
static inline void leave(world *w, barrow_ccs *before) { barrow_ccs_leave(w->m, before); }

void count_words(world *w, demo_part *part);
void place_queens(world *w, demo_part *part);
void pass_messages(world *w, demo_part *part);

static inline void tell(world *w, size_t done, size_t all) {
  if (w->progress && (done & 4095) == 0) w->progress(w->part, (double)done / (double)all);
}

#endif
