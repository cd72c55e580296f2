/* model.h: a model of the objects of random programs (programs.h): what they hold, what is reachable, and whether an object is as
 * the model has it. A world is what one source of random numbers decides on: all threads play in one (threads_model.c), or each in
 * its own (threads_parallel.c). */
#ifndef MODEL_H
#define MODEL_H
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "model_applied.h"
#include "model_odd.h"

/* Of a world's part of the shared array so many elements are used; the whole is a large object, which has cards. */
enum { PART = 64, SHARED = 12 };
enum { THREADS = 8, MOST_OPEN = 40, ROOTS = 6, HANDLES = 4, STABLES = 2, NAMES = 20, FIXED = 120, MOST_NODES = 40000, LARGE_WORDS = 700 };

/* An object with more bytes than these has a group of blocks for itself, and does not move. */
enum { LARGE_BYTES = 4096 };

/* What the model takes a number for. A thunk that was evaluated is a cell. The end of a guarded cell, which leads to nothing, is
 * told to a finalizer. */
enum { CELL, PINNED, LARGE, THUNK, WEAK, WEAK_ARRAY, GUARDED, BYTES, SHORT, TAGGED, ARRAY, GREEN, ODD, CAPTURED, FUNCTION, PARTIAL };
enum { APPLIED = 1 }; /* the sort of a thunk that is a suspended application */

/* Of a thunk under evaluation: whose mutator was detached, or that only captured frames (programs_frames.h) would update. */
enum { OF_GONE = 1, OF_NOBODY };

/* Selectors of a fixed object's fields, which nobody writes to: the model takes them for what is there. */
INFO(left_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(right_info, BARROW_SELECTOR, 0, 1, 1, 0, 0, NULL, NULL);
INFO(weak_array_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(tagged_weak_info, BARROW_WEAK_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);
/* What a cell has become. */
INFO(short_info, BARROW_CONSTR, 0, 0, 1, 1, 0, NULL, NULL);
INFO(large_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, LARGE_WORDS, 0, NULL, NULL);

/* Nodes are numbers from 1, and 0 is NULL. The first FIXED of them are the same objects in all worlds, and always reachable. Of a
 * weak pointer, left is the key and right the value; of a weak array, these are the two elements. */
typedef struct world {
  unsigned left[MOST_NODES], right[MOST_NODES], seen[MOST_NODES], reached[MOST_NODES], stack[2 * MOST_NODES], waiting[MOST_NODES];
  /* died: 1 for a weak pointer or the left element of an array, 2 for the right one. ended: a weak pointer
   * that was ended by hand, and its key. */
  unsigned char kind[MOST_NODES], died[MOST_NODES], ended[MOST_NODES];
  /* sort: of an odd kind; of a weak array, whether it is tagged. busy: a client's thread that somebody runs on. black: a thunk that is under evaluation. gone: by
   * nobody who would end it. lazily: how many evaluate it without a claim; it is a thunk until a collection sees that. */
  unsigned char sort[MOST_NODES], busy[MOST_NODES], black[MOST_NODES], gone[MOST_NODES], lazily[MOST_NODES], recorded[MOST_NODES];
  const void *place[MOST_NODES]; /* of objects that do not move */
  void *where[MOST_NODES];       /* where a comparison has met it first */
  unsigned length[MOST_NODES];   /* of arrays and the like; frames of a thread */
  barrow_word word[MOST_NODES];  /* in what a cell has become */
  unsigned count, walk;
  unsigned open[THREADS][MOST_OPEN], opened[THREADS]; /* what steps hold that are under way */
  unsigned roots[THREADS][ROOTS], shared[SHARED], held[HANDLES + STABLES];
  unsigned named[NAMES]; /* behind the shared ones in the array */
  uint64_t hash[MOST_NODES];
  int64_t external;
  barrow_handle *handle[HANDLES];
  size_t stable[STABLES];
  size_t first; /* its part of the shared array */
  uint64_t state;
} world;

/* How often the finalizer of a guarded cell has run, for each world. Any thread may run it. */
static unsigned char ran[THREADS * MOST_NODES];
static node *table;   /* a registered root: an array with PART elements for each world */
static node *commons; /* a registered root: an array with the FIXED objects */
static int evaluations[FIXED];
static unsigned char several[FIXED]; /* evaluated by somebody without a claim, so that others may have done so too */
static unsigned char black_fixed[FIXED]; /* under evaluation, by whomever */

/* Of fixed objects, every other thunk. */
static inline bool is_applied(unsigned number) { return number % 4 == 0; }

static inline void begin_world(world *w, size_t first, uint64_t seed) {
  unsigned number, walk = w->walk;
  memset(w, 0, sizeof *w);
  w->walk = walk; /* what earlier walks have noted is of no walk to come */
  memset(ran + first / PART * MOST_NODES, 0, MOST_NODES);
  w->first = first;
  w->state = seed;
  w->count = FIXED;
  for (number = 1; number <= FIXED; number++) {
    w->kind[number] = number % 2 == 0 ? THUNK : CELL;
    if (is_applied(number)) w->sort[number] = APPLIED, w->length[number] = 3;
    w->left[number] = number / 2;
    w->right[number] = number / 3;
  }
}

/* ---- what is reachable ----------------------------------------------------------------------------------------------- */

static inline void reach(world *w, unsigned number, size_t *top) {
  if (number == 0 || w->reached[number] == w->walk) return;
  w->reached[number] = w->walk;
  w->stack[(*top)++] = number;
}

/* Fields of a weak pointer wait: its value is reached when its key is. */
static inline void reach_from_stack(world *w, size_t *top, size_t *waiting) {
  while (*top > 0) {
    unsigned number = w->stack[--*top];
    if (w->kind[number] == WEAK) {
      w->waiting[(*waiting)++] = number;
    } else if (w->kind[number] != WEAK_ARRAY) {
      reach(w, w->left[number], top);
      reach(w, w->right[number], top);
    }
  }
}

static inline void reach_all(world *w) {
  size_t top = 0, waiting = 0, before, i;
  unsigned k;
  w->walk++;
  for (k = 1; k <= FIXED; k++) reach(w, k, &top);
  for (i = 0; i < THREADS * ROOTS; i++) reach(w, w->roots[i / ROOTS][i % ROOTS], &top);
  for (i = 0; i < THREADS; i++)
    for (k = 0; k < w->opened[i]; k++) reach(w, w->open[i][k], &top);
  for (i = 0; i < SHARED; i++) reach(w, w->shared[i], &top);
  for (i = 0; i < HANDLES + STABLES; i++) reach(w, w->held[i], &top);
  do {
    reach_from_stack(w, &top, &waiting);
    before = waiting;
    for (i = waiting = 0; i < before; i++) {
      unsigned weak = w->waiting[i];
      if (w->reached[w->left[weak]] == w->walk) reach(w, w->right[weak], &top);
      else w->waiting[waiting++] = weak;
    }
  } while (top > 0);
}

static inline bool is_reached(const world *w, unsigned number) { return w->reached[number] == w->walk; }

/* ---- comparing ------------------------------------------------------------------------------------------------------- */

/* A weak pointer that has died stays dead; after a major collection it is alive just when its key is reached. */
static inline void match_weak(world *w, const node *n, unsigned number, bool major) {
  bool alive = barrow_weak_alive(n);
  if (w->died[number] || w->ended[number]) CHECK(!alive);
  if (w->ended[number]) return;
  if (!alive && !w->died[number]) saw(SAW_WEAK_DEATHS);
  if (!alive) w->died[number] = 1;
  if (major) CHECK_EQ(alive, is_reached(w, w->left[number]));
}

static inline node *weak_element(const world *w, const node *n, unsigned number, unsigned i) {
  barrow_word word = (barrow_word)barrow_weak_array_get(n, i);
  return w->sort[number] && word ? untagged(word, number) : (node *)word;
}

/* As match_weak, of the last element of a weak array, or of all others. These die together. */
static inline node *match_elements(world *w, const node *n, unsigned number, int right, bool major) {
  unsigned last = w->length[number] - 1, value = right ? w->right[number] : w->left[number], i;
  node *element = weak_element(w, n, number, right ? last : 0), *other;
  for (i = 1; !right && i < last && !check_failures; i++) {
    other = weak_element(w, n, number, i);
    CHECK(other == element || (other && element && are_same(other, element)));
  }
  if (w->died[number] >> right & 1) CHECK(!element);
  if (value && !element) w->died[number] |= (unsigned char)(1 << right);
  if (major) CHECK_EQ(element != NULL, value != 0 && is_reached(w, value));
  return element;
}

static inline bool is_selector(const node *n) { return barrow_info_now(n)->kind == BARROW_SELECTOR; }

/* Another thread may evaluate the pair meanwhile, which then has another table. */
static inline void match_selector(const node *n, unsigned number, const barrow_info *info) {
  const node *pair = value_of(((void *const *)n)[2]);
  const barrow_info *of_pair = barrow_info_now(pair);
  node *left, *right;
  unsigned from = is_lazy_table(of_pair) ? lazy_fields(pair, of_pair, &left, &right) : (unsigned)pair->value;
  if (is_lazy_table(of_pair) || of_pair == &node_info) CHECK_EQ(from / (info == &left_info ? 2 : 3), number);
}

/* Only this world writes to its objects, but to thunks that are fixed: others may be evaluating them, or have done it. */
static inline bool match_thunk(world *w, const node *n, unsigned number, const barrow_info *info) {
  node *left, *right;
  if (number <= FIXED) {
    if (!is_lazy_table(info)) return true;
    CHECK_EQ(w->kind[number], THUNK);
    return false;
  }
  if (info->kind == BARROW_BLACKHOLE) {
    CHECK(w->black[number] || w->lazily[number]);
    return false;
  }
  CHECK_EQ(is_lazy_table(info), w->kind[number] == THUNK);
  CHECK(!w->black[number]);
  if (!is_lazy_table(info) || check_failures) return true;
  CHECK_EQ(info == &apply_info, w->sort[number] == APPLIED);
  CHECK_EQ(lazy_fields(n, info, &left, &right), number);
  if (info == &apply_info) match_suspended(n, number, w->length[number]);
  return true;
}

static inline void match_short(const world *w, const node *n, unsigned number, const barrow_info *info) {
  CHECK(info == &short_info);
  CHECK_EQ(((const barrow_word *)n)[2], w->word[number]);
  if (w->place[number]) CHECK(n == w->place[number]);
}

static inline void match_plain(world *w, const node *n, unsigned number, const barrow_info *info) {
  CHECK(info == (number <= FIXED ? &node_info : w->kind[number] == LARGE ? &large_info : &cell_info));
  CHECK_EQ(n->value, number);
  if (w->place[number]) CHECK(n == w->place[number]);
  if (w->kind[number] == LARGE) CHECK_EQ((&n->value)[LARGE_WORDS - 1], 3 * number);
}

/* Bytes differ from place to place and from object to object. */
static inline unsigned char byte_of(unsigned number, unsigned i) { return (unsigned char)(37 * number + i + (i >> 8)); }

static inline void match_bytes(const world *w, node *n, unsigned number, const barrow_info *info) {
  const unsigned char *at = toy_bytes_at(n);
  unsigned i, length = w->length[number];
  CHECK(info == &bytes_info);
  CHECK_EQ(((const barrow_word *)n)[1], length);
  if (w->place[number]) CHECK(n == w->place[number]);
  for (i = 0; i < length && !check_failures && at[i] == byte_of(number, i);) i++;
  CHECK_EQ(i, length);
}

/* Whether the object is of those that refer to two others in a way of their own. */
static inline bool match_two(const world *w, node *n, unsigned number, node **left, void **right) {
  switch (w->kind[number]) {
    case TAGGED: match_tagged(n, number, left, right); break;
    case ODD: match_odd(n, number, w->sort[number], w->length[number], left, right); break;
    case ARRAY: match_array(n, w->length[number], left, right); break;
    case FUNCTION: match_function(n, number, w->sort[number] != 0, left, right); break;
    case PARTIAL: match_partial(n, number, w->length[number], left, right); break;
    case CAPTURED: match_captured(n, w->left[number], w->length[number], left, right); break;
    case GREEN: match_green(n, number, w->length[number], w->busy[number], left, right); break;
    default: return false;
  }
  if (w->place[number]) CHECK(n == w->place[number]);
  return true;
}

/* Which number is at an address, of each comparison anew: two numbers are two objects, though both hold the same. */
enum { LOG_MET = 17 };
typedef struct met {
  const void *at;
  const world *by;
  unsigned number, walk;
} met;
static met met_at[THREADS][1 << LOG_MET];

static inline bool is_alone_there(const world *w, const void *n, unsigned number) {
  met *all = met_at[w->first / PART];
  uint64_t hash = (uint64_t)(size_t)n * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> (64 - LOG_MET));
  for (; all[i].walk == w->walk && all[i].by == w; i = (i + 1) & ((1 << LOG_MET) - 1))
    if (all[i].at == n) return all[i].number == number;
  all[i].at = n;
  all[i].by = w;
  all[i].number = number;
  all[i].walk = w->walk;
  return true;
}

/* Whether a comparison has met the number before: then this is the same object. Another thread may evaluate a thunk between the
 * two looks. */
static inline bool is_met(world *w, node *n, unsigned number) {
  if (w->seen[number] == w->walk) {
    saw(SAW_COMPARED_TWICE);
    CHECK(n == w->where[number] || are_same(n, w->where[number]));
    return true;
  }
  w->seen[number] = w->walk;
  w->where[number] = n;
  CHECK(is_alone_there(w, n, number));
  return false;
}

static inline void match(world *w, void *object, unsigned number, bool major) {
  for (;;) {
    node *n = value_of(object), *left, *right;
    const barrow_info *info;
    if (!n || !number) {
      CHECK_EQ(n == NULL, number == 0);
      return;
    }
    info = barrow_info_now(n);
    if (is_indirection(info->kind)) continue; /* evaluated since */
    if (info->kind == BARROW_SELECTOR) {
      match_selector(n, number, info);
      return;
    }
    if (info->kind == BARROW_BLACKHOLE && number <= FIXED) return; /* a thunk, or a selector of it */
    if (check_failures || is_met(w, n, number) || check_failures) return;
    if (w->kind[number] == BYTES) {
      match_bytes(w, n, number, info);
      return;
    } else if (w->kind[number] == SHORT) {
      match_short(w, n, number, info);
      object = n->left;
      number = w->left[number];
      continue;
    } else if (w->kind[number] == WEAK) {
      match_weak(w, n, number, major);
      if (check_failures || w->died[number] || w->ended[number]) return;
      left = (node *)barrow_weak_key(n);
      barrow_weak_deref(n, &object);
    } else if (w->kind[number] == WEAK_ARRAY) {
      CHECK(info == (w->sort[number] ? &tagged_weak_info : &weak_array_info));
      CHECK_EQ(barrow_weak_array_length(n), w->length[number]);
      if (w->place[number]) CHECK(n == w->place[number]);
      if (check_failures) return;
      left = match_elements(w, n, number, 0, major);
      object = match_elements(w, n, number, 1, major);
      if (left) match(w, left, w->left[number], major);
      if (!object) return;
      number = w->right[number];
      continue;
    } else if (!match_two(w, n, number, &left, &object)) {
      if (!match_thunk(w, n, number, info)) return;
      right = n->right;
      left = n->left;
      if (is_lazy_table(info)) lazy_fields(n, info, &left, &right);
      else match_plain(w, n, number, info);
      if (check_failures) return;
      object = right;
    }
    match(w, left, w->left[number], major);
    if (w->busy[number]) return;
    number = w->right[number];
  }
}

static inline unsigned char *ran_of(const world *w, unsigned number) { return ran + w->first / PART * MOST_NODES + number; }

/* A finalizer runs once, and never while its key is reached. With `all`, each that is due has run. */
static inline void match_finalizers(world *w, bool all) {
  unsigned i;
  for (i = FIXED + 1; i <= w->count && !check_failures; i++) {
    unsigned times = __atomic_load_n(ran_of(w, i), __ATOMIC_SEQ_CST);
    if (w->kind[i] != GUARDED) continue;
    if (is_reached(w, i) && !w->ended[i]) CHECK_EQ(times, 0);
    else if (all) CHECK_EQ(times, 1);
    else CHECK(times <= 1);
  }
}

static inline node **part(const world *w) { return (node **)barrow_array_elements(table) + w->first; }

static inline node *held(const world *w, barrow_mutator *m, size_t i) {
  if (i >= HANDLES) return w->stable[i - HANDLES] ? (node *)barrow_stable_get(m, w->stable[i - HANDLES]) : NULL;
  return w->handle[i] ? (node *)barrow_handle_get(w->handle[i]) : NULL;
}

/* What all players of a world see. */
static inline void compare_shared(world *w, barrow_mutator *m, bool major) {
  size_t i;
  for (i = 0; i < SHARED; i++) match(w, part(w)[i], w->shared[i], major);
  for (i = 0; i < HANDLES + STABLES; i++) match(w, held(w, m, i), w->held[i], major);
  for (i = 0; i < FIXED; i++) match(w, barrow_array_elements(commons)[i], (unsigned)i + 1, major);
}

#endif
