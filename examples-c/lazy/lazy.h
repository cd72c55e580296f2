/* lazy.h: what the runtime of a small lazy language adds to the heap: evaluation and application.
 *
 * An object's info table has its entry code. A thunk's code loads what it needs into its frame, blackholes the thunk, so
 * that it keeps nothing alive meanwhile, and gives a value; `eval` then updates the thunk. */
#ifndef LAZY_H
#define LAZY_H

#include "../start.h"

typedef barrow_word *ref;
typedef ref (*code)(barrow_mutator *m, ref self);
typedef ref (*code2)(barrow_mutator *m, ref a, ref b);

#define INFO(name, kind, field, ptrs, words, bitmap, srt, entry)                                         \
  static const barrow_names name##_names = {#name, NULL, "Main", __FILE__};                              \
  static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, (void (*)(void))(entry), kind, 0, \
                             field, ptrs, words, 0, bitmap, NULL, NULL, srt, &name##_names}

/* Static objects. */
typedef struct { const barrow_info *info; barrow_word value, link, saved; } caf;
typedef struct { const barrow_info *info; barrow_word link; } fun;

static inline ref bump(barrow_mutator *m, const barrow_info *info, size_t words) {
  ref at = barrow_bump(m, words);
  at[0] = (barrow_word)info;
  return at;
}

static inline void reserve(barrow_mutator *m, size_t words) {
  if (!barrow_reserve(m, words)) die(barrow_last_error());
}

static inline unsigned kind_of(ref x) { return barrow_info_of(x)->kind; }
static ref eval(barrow_mutator *m, ref x);

/* What the field of a constructor is worth. */
static ref eval_selector(barrow_mutator *m, ref self) {
  unsigned field = barrow_info_of(self)->field;
  ref from = (ref)self[2];
  must(barrow_blackhole(m, self));
  from = eval(m, from);
  return eval(m, (ref)from[1 + field]);
}

/* The weak head normal form of x. */
static ref eval(barrow_mutator *m, ref x) {
  for (;;) {
    switch (kind_of(x)) {
      case BARROW_IND:
      case BARROW_IND_PERM:
      case BARROW_IND_OLDGEN:
      case BARROW_IND_OLDGEN_PERM:
      case BARROW_IND_STATIC:
        x = (ref)barrow_indirectee(x);
        break;
      case BARROW_BLACKHOLE:
      case BARROW_CAF_BLACKHOLE:
        die("<<loop>>");
        break;
      case BARROW_THUNK:
      case BARROW_SELECTOR: {
        struct { barrow_frame frame; ref thunk; } r;
        ref value;
        r.thunk = x;
        BARROW_PUSH(m, r);
        value = kind_of(x) == BARROW_SELECTOR ? eval_selector(m, x) : ((code)barrow_info_of(x)->entry)(m, x);
        BARROW_LEAVE(m, r);
        must(barrow_update(m, r.thunk, value));
        return value;
      }
      case BARROW_THUNK_STATIC: {
        /* A blackhole in the heap stands for the value until there is one. */
        struct { barrow_frame frame; ref hole; } r;
        code entry = (code)barrow_info_of(x)->entry;
        ref value;
        BARROW_ENTER(m, r);
        reserve(m, 2);
        r.hole = bump(m, barrow_table(barrow_heap_of(m), BARROW_CAF_BLACKHOLE), 2);
        r.hole[1] = 0;
        must(barrow_new_caf(m, x, r.hole));
        value = entry(m, x);
        BARROW_LEAVE(m, r);
        must(barrow_update(m, r.hole, value));
        return value;
      }
      default: return x;
    }
  }
}

/* Applies a function of two arguments, or one that has had the first already, to one more. */
INFO(pap_info, BARROW_PAP, 0, 0, 0, 0, NULL, NULL);

static inline ref apply(barrow_mutator *m, ref f, ref x) {
  struct { barrow_frame frame; ref f, x; } r;
  ref made;
  r.f = f;
  r.x = x;
  BARROW_PUSH(m, r);
  r.f = eval(m, r.f);
  if (kind_of(r.f) == BARROW_PAP) {
    made = ((code2)barrow_info_of((ref)r.f[2])->entry)(m, (ref)r.f[3], r.x);
  } else {
    reserve(m, barrow_pap_words(1));
    made = bump(m, &pap_info, barrow_pap_words(1));
    made[1] = 1;
    made[2] = (barrow_word)r.f;
    made[3] = (barrow_word)r.x;
  }
  BARROW_LEAVE(m, r);
  return made;
}

/* Data that every program has. */
INFO(int_info, BARROW_CONSTR, 0, 0, 1, 0, NULL, NULL);

INFO(nil_info, BARROW_CONSTR, 0, 0, 1, 0, NULL, NULL);
static barrow_word nil[2];

static inline bool is_nil(ref x) { return barrow_info_of(x) == &nil_info; }

/* Makes the heap, and the data. */
static barrow_heap *begin(int *argc, char **argv, const char *own, barrow_mutator **m) {
  nil[0] = (barrow_word)&nil_info;
  return start(argc, argv, own, m);
}

#endif
