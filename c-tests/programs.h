/* programs.h: the steps of random programs over a heap, each of which the model takes too. */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include "model_census.h"
#include "programs_arrays.h"
#include "programs_become.h"
#include "programs_bytes.h"
#include "programs_stacks.h"
#include "programs_tagged.h"
#include "programs_weak.h"

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static inline void make(player *p) {
  world *w = p->w;
  unsigned sort = draw(w, 64), number = w->count + 1;
  size_t words = sort == 0 ? 3 + LARGE_WORDS : 4;
  node *n;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = sort == 0 ? LARGE : sort < 4 ? PINNED : CELL;
  if (w->kind[number] == PINNED) n = (node *)barrow_allocate_pinned(p->m, words, 8, 0);
  else n = (node *)(draw(w, 4) ? barrow_alloc(p->m, words) : barrow_allocate(p->m, words));
  CHECK(n != NULL);
  if (!n) return;
  barrow_set_header(n, sort == 0 ? &large_info : &cell_info);
  n->left = some(p, &w->left[number]);
  n->right = some(p, &w->right[number]);
  n->value = number;
  if (sort == 0) (&n->value)[LARGE_WORDS - 1] = 3 * number;
  if (sort < 4) w->place[number] = n;
  put(p, n, number);
}

static inline void make_thunk(player *p) {
  world *w = p->w;
  unsigned number = w->count + 1;
  thunk *t;
  if (number >= MOST_NODES) return;
  w->count = number;
  w->kind[number] = THUNK;
  t = (thunk *)barrow_alloc(p->m, barrow_thunk_words(3));
  barrow_set_header(t, &thunk_info);
  t->result = 0;
  t->left = some(p, &w->left[number]);
  t->right = some(p, &w->right[number]);
  t->value = number;
  put(p, (node *)t, number);
}

static inline void make_selector(player *p) {
  unsigned by = 2 + draw(p->w, 2), pair = by + draw(p->w, FIXED - by + 1);
  barrow_word *at = barrow_alloc(p->m, 3);
  at[0] = (barrow_word)(by == 2 ? &left_info : &right_info);
  at[1] = 0;
  at[2] = (barrow_word)barrow_array_elements(commons)[pair - 1];
  put(p, (node *)at, pair / by);
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

/* What a thunk is replaced by has its number and its fields. A thunk that is being evaluated holds nothing. */
static inline void evaluate(player *p, node *n, unsigned number) {
  struct { barrow_frame frame; node *thunk, *left, *right; } r;
  node *value;
  r.thunk = n;
  r.left = ((thunk *)n)->left;
  r.right = ((thunk *)n)->right;
  BARROW_PUSH(p->m, r);
  if (number <= FIXED) {
    __atomic_fetch_add(&evaluations[number - 1], 1, __ATOMIC_RELAXED);
    sched_yield(); /* so that others find it claimed */
  }
  value = (node *)barrow_alloc(p->m, 4);
  barrow_set_header(value, number <= FIXED ? &node_info : &cell_info);
  value->left = r.left;
  value->right = r.right;
  value->value = number;
  CHECK_OK(barrow_update(p->m, r.thunk, value));
  BARROW_LEAVE(p->m, r);
}

static inline node *forced(player *p, node *n);

/* A claimed selector keeps nothing alive. */
static inline void evaluate_selector(player *p, node *n, bool right) {
  struct { barrow_frame frame; node *selector, *pair; } r;
  r.selector = n;
  r.pair = (node *)((void **)n)[2];
  BARROW_PUSH(p->m, r);
  r.pair = forced(p, r.pair);
  CHECK_OK(barrow_update(p->m, r.selector, right ? r.pair->right : r.pair->left));
  BARROW_LEAVE(p->m, r);
}

static inline node *forced(player *p, node *n) {
  struct { barrow_frame frame; node *n; } r;
  r.n = n;
  BARROW_PUSH(p->m, r);
  while (!check_failures) {
    const barrow_info *info = barrow_info_now(r.n);
    if (is_indirection(info->kind)) {
      r.n = (node *)barrow_indirectee(r.n);
    } else if (info->kind == BARROW_BLACKHOLE) {
      CHECK_OK(barrow_wait_for(p->m, r.n));
    } else if (info->kind == BARROW_THUNK) {
      unsigned number = (unsigned)((thunk *)r.n)->value;
      if (barrow_claim(p->m, r.n)) evaluate(p, r.n, number);
    } else if (info->kind == BARROW_SELECTOR) {
      if (barrow_claim(p->m, r.n)) evaluate_selector(p, r.n, info == &right_info);
    } else break;
  }
  BARROW_LEAVE(p->m, r);
  return r.n;
}

static inline void force(player *p) {
  world *w = p->w;
  unsigned number;
  node *n = some(p, &number);
  if (!n || (w->kind[number] != THUNK && !is_selector(n))) return;
  forced(p, n);
  if (w->kind[number] == THUNK) w->kind[number] = CELL;
}

static inline void link_one(player *p) {
  world *w = p->w;
  unsigned owner, value;
  node *o = some(p, &owner), *v = some(p, &value);
  if (!o) return;
  switch (w->kind[owner]) {
    case WEAK_ARRAY: link_weakly(p, o, owner, v, value); return;
    case ARRAY: link_array(p, o, owner, v, value); return;
    case TAGGED: link_tagged(p, o, owner, v, value); return;
    case GREEN: link_green(p, o, owner, v, value); return;
  }
  if (!is_writable(w, owner)) return;
  if (draw(w, 2)) {
    barrow_write(p->m, o, &o->left, v);
    w->left[owner] = value;
  } else {
    CHECK(barrow_cas(p->m, o, &o->right, o->right, v));
    w->right[owner] = value;
  }
}

static inline void share(player *p, node *n, unsigned number) {
  unsigned i = draw(p->w, SHARED);
  barrow_write(p->m, table, part(p->w) + i, n);
  p->w->shared[i] = number;
}

/* Ends what holds, begins anew, or has a handle hold another object. */
static inline void hold(player *p) {
  world *w = p->w;
  unsigned i = draw(w, HANDLES + STABLES), number;
  node *n = some(p, &number);
  if (i >= HANDLES) {
    size_t *stable = &w->stable[i - HANDLES];
    if (*stable) CHECK_OK(barrow_stable_free(p->m, *stable));
    CHECK((*stable = barrow_stable_new(p->m, n)) != 0);
  } else if (w->handle[i] && draw(w, 2)) {
    CHECK_OK(barrow_handle_set(p->m, w->handle[i], n));
  } else {
    if (w->handle[i]) CHECK_OK(barrow_handle_free(p->m, w->handle[i]));
    CHECK_OK(barrow_handle_new(p->m, n, &w->handle[i]));
  }
  w->held[i] = number;
}

/* So that the nursery fills. */
static inline void make_garbage(player *p) {
  unsigned i;
  for (i = draw(p->w, 200); i > 0; i--) make_cell(p, 0);
}

/* Comes, with nothing in its roots. */
static inline void come(player *p) {
  int i;
  CHECK_OK(barrow_attach(heap, &p->m));
  for (i = 0; i < ROOTS; i++) p->at[i] = NULL, p->w->roots[p->me][i] = 0;
  p->frame.count = ROOTS;
  p->frame.up = barrow_frames_save(p->m);
  barrow_frames_restore(p->m, &p->frame);
}

static inline void collect(player *p) {
  bool major = draw(p->w, 3) == 0;
  CHECK_OK(barrow_collect(p->m, major));
  if (!major) return;
  compare(p, true);
  if (!runs_alone) return;
  barrow_run_finalizers(p->m, run_object, NULL, 0);
  match_finalizers(p->w, true);
}

/* Whoever reads a census keeps others from taking one meanwhile. */
static pthread_mutex_t reading_census = PTHREAD_MUTEX_INITIALIZER;

/* Alone, a player knows all that lives when no finalizer waits; beside others, a part. */
static inline void take_census(player *p) {
  counts due;
  memset(&due, 0, sizeof due);
  if (runs_alone) {
    CHECK_OK(barrow_collect(p->m, true));
    barrow_run_finalizers(p->m, run_object, NULL, 0);
    count_fixed(&due);
  }
  count_world(p->w, &due);
  lock_outside(p->m, &reading_census);
  CHECK_OK(barrow_census(p->m));
  match_census(heap, &due, !runs_alone);
  pthread_mutex_unlock(&reading_census);
  compare(p, true);
}

static inline void step(player *p) {
  world *w = p->w;
  unsigned i = draw(w, ROOTS), number;
  node *n;
  switch (draw(w, 66)) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8: make(p); break;
    case 9: case 10: case 11: case 12: link_one(p); break;
    case 13: case 14:
      n = some(p, &number);
      share(p, n, number);
      break;
    case 15: case 16:
      p->at[i] = some(p, &number);
      w->roots[p->me][i] = number;
      break;
    case 17:
      number = w->roots[p->me][i];
      if (!p->at[i] || !is_writable(w, number)) break;
      p->at[i] = value_of(p->at[i])->left;
      w->roots[p->me][i] = w->left[number];
      break;
    case 18: share(p, NULL, 0); break;
    case 19: case 20:
      p->at[i] = NULL;
      w->roots[p->me][i] = 0;
      break;
    case 21: make_weak(p); break;
    case 22: make_ephemeron(p); break;
    case 23: case 24: read_weak(p); break;
    case 25: case 26: make_thunk(p); break;
    case 27: case 28: case 29: force(p); break;
    case 30: case 31: hold(p); break;
    case 32: make_garbage(p); break;
    case 33: compare(p, false); break;
    case 34:
      if (draw(w, 3) == 0) collect(p);
      break;
    case 35: case 36: make_weak_array(p); break;
    case 37: case 38: make_selector(p); break;
    case 39: case 40: make_guarded(p); break;
    case 41: end_weak(p); break;
    case 42: run_finalizers(p); break;
    case 43:
      if (draw(w, 8) == 0) take_census(p);
      break;
    case 44: case 45: make_bytes(p); break;
    case 46: case 47: shorten(p); break;
    case 48: case 49: case 50: swap_links(p); break;
    case 51: case 52: case 53: change_leaves(p); break;
    case 54: case 55: become_short(p); break;
    case 56: enter_cafs(p); break;
    case 57:
      if (runs_alone && draw(w, 8) == 0) revert_cafs(p->m);
      break;
    case 58:
      if ((n = some(p, &number)) != NULL) barrow_use(p->m, n);
      break;
    case 59: case 60: make_tagged(p); break;
    case 61: case 62: make_array(p); break;
    case 63: case 64: make_green(p); break;
    default:
      if (draw(w, 8) == 0) {
        CHECK_OK(barrow_detach(p->m));
        come(p);
      }
  }
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------ */

/* Object number i refers to those before it, so that its fields are there when it is made. Every other one is a thunk. */
static inline void make_fixed(barrow_mutator *m, unsigned number) {
  bool lazy = number % 2 == 0;
  unsigned left = number / 2, right = number / 3;
  node *n = (node *)barrow_alloc(m, lazy ? barrow_thunk_words(3) : 4), **all = (node **)barrow_array_elements(commons);
  node *l = left ? all[left - 1] : NULL, *r = right ? all[right - 1] : NULL;
  if (lazy) {
    thunk *t = (thunk *)n;
    t->result = 0;
    t->left = l;
    t->right = r;
    t->value = number;
  } else {
    n->left = l;
    n->right = r;
    n->value = number;
  }
  barrow_set_header(n, lazy ? &thunk_info : &node_info);
  barrow_write(m, commons, &all[number - 1], n);
}

static inline toy begin_heap(const char *flags, int n) {
  char line[200];
  barrow_config config;
  toy t;
  unsigned number;
  sprintf(line, "--mutators=%d %.150s", n + 1, flags);
  barrow_config_init(&config);
  have_tags(&config);
  t = toy_new_with(&config, line);
  heap = t.heap;
  table = commons = NULL;
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  CHECK_OK(barrow_root_add(t.heap, "commons", &commons, 1, false));
  table = (node *)toy_array(t.m, THREADS * PART);
  commons = (node *)toy_array(t.m, FIXED);
  begin_crowd(t);
  begin_cafs(t);
  memset(evaluations, 0, sizeof evaluations);
  for (number = 1; number <= FIXED; number++) make_fixed(t.m, number);
  return t;
}

static inline void end_world(world *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < HANDLES; i++)
    if (w->handle[i]) CHECK_OK(barrow_handle_free(m, w->handle[i]));
  for (i = 0; i < STABLES; i++)
    if (w->stable[i]) CHECK_OK(barrow_stable_free(m, w->stable[i]));
}

static inline void end_heap(toy t) {
  size_t i;
  for (i = 0; i < FIXED; i++) CHECK(evaluations[i] <= 1);
  end_crowd(t);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  CHECK_OK(barrow_root_remove(t.heap, &commons));
  toy_free(t);
}

#endif
