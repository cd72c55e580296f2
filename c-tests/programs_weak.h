/* programs_weak.h: steps of random programs (programs.h) with weak pointers, weak arrays and finalizers. */
#ifndef PROGRAMS_WEAK_H
#define PROGRAMS_WEAK_H
#include "players.h"

/* Objects that a finalizer keeps longer than the model does. No other weak pointer has them as its key, and no weak array. */
static inline bool is_kept(const world *w, unsigned number) {
  return w->kind[number] == GUARDED || (w->kind[number] == WEAK && w->kind[w->left[number]] == GUARDED);
}

/* Collects nothing, as barrow_weak_new. */
static inline void make_weak_of(player *p, node *key, unsigned key_number, node *value, unsigned value_number) {
  world *w = p->w;
  node *n = (node *)barrow_weak_new(p->m, key, value, NULL);
  unsigned number = ++w->count;
  CHECK(n != NULL);
  w->kind[number] = WEAK;
  w->left[number] = key_number;
  w->right[number] = value_number;
  put(p, n, number);
}

static inline void make_weak(player *p) {
  unsigned key, value;
  node *k = some(p, &key), *v = some(p, &value);
  if (k && !is_selector(k) && !is_kept(p->w, key) && p->w->count + 1 < MOST_NODES) make_weak_of(p, k, key, v, value);
}

/* Most have a few elements, some have cards; some have tagged words. All elements but the last are `left`. */
static inline void make_weak_array(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1, i;
  size_t length = draw(w, 16) ? 2 + draw(w, 30) : 300 + draw(w, 1000);
  barrow_word *at;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = WEAK_ARRAY;
  w->length[number] = (unsigned)length;
  w->sort[number] = draw(w, 4) == 0;
  at = barrow_alloc(p->m, barrow_weak_array_words(length));
  barrow_weak_array_init(at, w->sort[number] ? &tagged_weak_info : &weak_array_info, length);
  for (i = 0; w->sort[number] && i < length; i++) at[3 + i] = tag_word(NULL, number);
  if (barrow_weak_array_words(length) * sizeof *at > LARGE_BYTES) w->place[number] = at;
  put(p, (node *)at, number);
}

/* Elements of a weak array, old or new. A selector may die before what it selects. */
static inline void link_weakly(player *p, node *n, unsigned number, node *v, unsigned value) {
  world *w = p->w;
  unsigned right = draw(w, 2), last = w->length[number] - 1, i, how = draw(w, 2);
  if (v && (is_selector(v) || is_kept(w, value))) return;
  for (i = right ? last : 0; i < (right ? last + 1 : last); i++) {
    if (w->sort[number]) barrow_weak_array_write_word(p->m, n, i, tag_word(v, number));
    else if (how) barrow_weak_array_write(p->m, n, i, v);
    else CHECK_OK(barrow_weak_array_set(p->m, n, i, v));
  }
  *(right ? &w->right[number] : &w->left[number]) = value;
  w->died[number] &= (unsigned char)~(1u << right);
}

static inline node *make_plain(player *p, node *left, unsigned left_number) {
  world *w = p->w;
  unsigned number = ++w->count;
  node *n = (node *)barrow_allocate(p->m, 4);
  barrow_set_header(n, &cell_info);
  n->left = left;
  n->right = NULL;
  n->value = number;
  w->left[number] = left_number;
  return n;
}

/* A value that leads to its own key, and is another one's key: all of it dies together, and rarely comes of itself. */
static inline void make_ephemeron(player *p) {
  unsigned key = p->w->count + 1, value = key + 1;
  node *k, *v;
  if (p->w->count + 4 >= MOST_NODES) return;
  k = make_plain(p, NULL, 0);
  v = make_plain(p, k, key);
  make_weak_of(p, k, key, v, value);
  make_weak_of(p, v, value, NULL, 0);
  if (draw(p->w, 3) == 0) put(p, k, key);
}

/* A key that the model does not reach may be dead at any time, so only others are asked for. */
static inline void read_weak(player *p) {
  world *w = p->w;
  unsigned number;
  node *n = some(p, &number);
  void *value;
  if (n && w->kind[number] == WEAK_ARRAY) {
    reach_all(w);
    if (w->left[number] && is_reached(w, w->left[number])) put(p, weak_element(w, n, number, 0), w->left[number]);
    return;
  }
  if (!n || w->kind[number] != WEAK || w->ended[number]) return;
  reach_all(w);
  if (!is_reached(w, w->left[number])) return;
  CHECK(barrow_weak_deref(n, &value));
  put(p, (node *)value, w->right[number]);
}

/* ---- finalizers ------------------------------------------------------------------------------------------------------ */

static inline void count_run(unsigned char *times, barrow_word number, const void *key) {
  saw(SAW_FINALIZERS);
  CHECK_EQ(((const node *)key)->value, number);
  __atomic_add_fetch(times, 1, __ATOMIC_SEQ_CST);
}

/* A function that is a finalizer; `data` is where its runs are counted. */
static inline void ran_function(barrow_mutator *m, void *data, void *key, void *value) {
  (void)m;
  CHECK(value == NULL);
  count_run((unsigned char *)data, (barrow_word)((unsigned char *)data - ran) % MOST_NODES, key);
}

/* Runs an object that is a finalizer: its value says where its runs are counted. */
static inline void run_object(void *client, barrow_mutator *m, void *finalizer, void *key, void *value) {
  barrow_word at = ((node *)finalizer)->value;
  (void)client;
  (void)m;
  CHECK(value == NULL);
  count_run(ran + at, at % MOST_NODES, key);
}

/* A cell with a weak pointer that has a function, if the cell's number is odd, or an object. The weak pointer may be dropped. */
static inline void make_guarded(player *p) {
  struct { barrow_frame frame; node *key, *finalizer; } r;
  world *w = p->w;
  unsigned key = w->count + 1, weak = key + 1;
  barrow_word at = w->first / PART * MOST_NODES + key;
  node *n;
  if (weak >= MOST_NODES) return;
  w->count = weak;
  w->kind[key] = GUARDED;
  w->kind[weak] = WEAK;
  w->left[weak] = key;
  r.key = r.finalizer = NULL;
  BARROW_PUSH(p->m, r);
  r.key = make_cell(p, key);
  if (key % 2 == 0) r.finalizer = make_cell(p, at);
  n = (node *)barrow_weak_new(p->m, r.key, NULL, r.finalizer);
  CHECK(n != NULL);
  if (key % 2) {
    bool added = false;
    CHECK_OK(barrow_weak_set_function(p->m, n, ran_function, ran + at, &added));
    CHECK(added);
  }
  BARROW_LEAVE(p->m, r);
  if (draw(w, 4)) put(p, r.key, key);
  if (draw(w, 2)) put(p, n, weak);
}

/* Ends a weak pointer by hand, and runs the object that is its finalizer, unless that has run. */
static inline void end_weak(player *p) {
  world *w = p->w;
  unsigned number, key;
  node *n = some(p, &number);
  void *finalizer = NULL, *object;
  if (!n || w->kind[number] != WEAK || w->kind[w->left[number]] != GUARDED || w->ended[number]) return;
  key = w->left[number];
  reach_all(w);
  object = is_reached(w, key) ? barrow_weak_key(n) : NULL;
  CHECK_OK(barrow_weak_finalize(p->m, n, &finalizer));
  if (is_reached(w, key)) CHECK_EQ(finalizer != NULL, key % 2 == 0);
  if (finalizer && object) run_object(NULL, p->m, finalizer, object, NULL);
  else if (finalizer) __atomic_add_fetch(ran + ((node *)finalizer)->value, 1, __ATOMIC_SEQ_CST);
  w->ended[number] = w->ended[key] = 1;
}

/* With nobody beside it, this player can see that all have run that are due, and runs all: their order is the heap's to say. */
static bool runs_alone;

static inline void run_finalizers(player *p) {
  size_t most = draw(p->w, 4);
  if (barrow_finalizers_due(p->m)) barrow_run_finalizers(p->m, run_object, NULL, runs_alone ? 0 : most);
}

/* When all players have gone and the heap with them, every function has run. Objects are dropped with their heap. */
static inline void match_what_ran(const world *w) {
  unsigned i;
  for (i = FIXED + 1; i <= w->count && !check_failures; i++)
    if (w->kind[i] == GUARDED && i % 2) CHECK_EQ(*ran_of(w, i), 1);
}

#endif
