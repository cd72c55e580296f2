/* programs.h: the steps of random programs over a heap, each of which the model takes too. */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include "model_census.h"
#include "programs_applied.h"
#include "programs_areas.h"
#include "programs_arrays.h"
#include "programs_become.h"
#include "programs_bytes.h"
#include "programs_calls.h"
#include "programs_costs.h"
#include "programs_frames.h"
#include "programs_kinds.h"
#include "programs_lazy.h"
#include "programs_limits.h"
#include "programs_stacks.h"
#include "programs_tagged.h"
#include "programs_told.h"
#include "programs_weak.h"

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static inline void make(player *p) {
  world *w = p->w;
  unsigned sort = draw(w, 64), number = w->count + 1, i;
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
  for (i = 1; sort == 0 && i < LARGE_WORDS; i++) (&n->value)[i] = 3 * number;
  if (sort < 4) w->place[number] = n;
  put(p, n, number);
}

/* ---- others ----------------------------------------------------------------------------------------------------------- */

/* A cell that is recorded is looked at in every collection, and needs no barrier from then on. */
static inline void write_cell(player *p, node *owner, node **field, node *value, unsigned number) {
  world *w = p->w;
  unsigned how = draw(w, 6);
  if (how < 4) {
    write_somehow(p, owner, field, value, how);
  } else {
    *field = value;
    if (!w->recorded[number]) CHECK_OK(barrow_record_mutable(p->m, owner));
    w->recorded[number] = 1;
  }
}

static inline void link_one(player *p) {
  world *w = p->w;
  unsigned owner, value;
  node *o = some(p, &owner), *v = some(p, &value);
  if (!o) return;
  switch (w->kind[owner]) {
    case WEAK_ARRAY: link_weakly(p, o, owner, v, value); return;
    case ODD: link_odd(p, o, owner, v, value); return;
    case ARRAY: link_array(p, o, owner, v, value); return;
    case TAGGED: link_tagged(p, o, owner, v, value); return;
    case GREEN: link_green(p, o, owner, v, value); return;
  }
  if (!is_writable(w, owner)) return;
  if (draw(w, 2)) {
    write_cell(p, o, &o->left, v, owner);
    w->left[owner] = value;
  } else {
    write_cell(p, o, &o->right, v, owner);
    w->right[owner] = value;
  }
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

static inline void collect(player *p) {
  bool major = draw(p->w, 3) == 0;
  WITHIN_LIMIT(heap, barrow_collect(p->m, major));
  if (!major) return;
  saw_many(SAW_COLLECTIONS_MEANWHILE, __atomic_load_n(&claiming, __ATOMIC_RELAXED) > 0);
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
    WITHIN_LIMIT(heap, barrow_collect(p->m, true));
    barrow_run_finalizers(p->m, run_object, NULL, 0);
    count_fixed(&due);
  }
  count_world(p->w, &due);
  lock_outside(p->m, &reading_census);
  WITHIN_LIMIT(heap, barrow_census(p->m));
  match_census(heap, &due, !runs_alone);
  pthread_mutex_unlock(&reading_census);
  compare(p, true);
}

static inline void step(player *p) {
  world *w = p->w;
  unsigned i = draw(w, ROOTS), number;
  node *n;
  switch (draw(w, 89)) {
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
    case 65:
      if (draw(w, 2)) abandon(p);
      break;
    case 66: case 67: case 68: case 69: make_odd(p); break;
    case 70: case 71: case 72: case 73: case 74: call_something(p); break;
    case 75: case 76: case 77: fill_words(p); break;
    case 78: tell(p); break;
    case 84: case 85: make_application(p); break;
    case 86: enter_centres(p, 0); break;
    case 83:
      if (draw(w, has_limit ? 2 : 32) == 0) meet_limit(p);
      break;
    case 79: case 80: case 81: case 82: play_in_frames(p); break;
    default:
      if (draw(w, 16) == 0) {
        CHECK_OK(barrow_detach(p->m));
        come(p);
      }
  }
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------ */

static inline void fill_fixed(barrow_word *at, unsigned number, node *left, node *right) {
  node *n = (node *)at;
  thunk *t = (thunk *)(void *)at;
  if (is_applied(number)) {
    at[0] = (barrow_word)&apply_info;
    at[1] = 0;
    at[2] = 3;
    at[3] = (barrow_word)pair_function;
    at[4] = (barrow_word)left;
    at[5] = number;
    at[6] = (barrow_word)right;
  } else if (number % 2 == 0) {
    barrow_set_header(t, &thunk_info);
    t->result = 0;
    t->left = left;
    t->right = right;
    t->value = number;
  } else {
    barrow_set_header(n, &node_info);
    n->left = left;
    n->right = right;
    n->value = number;
  }
}

/* Object number i refers to those before it, so that its fields are there when it is made. Every other one is a thunk. */
static inline void make_fixed(barrow_mutator *m, unsigned number) {
  unsigned left = number / 2, right = number / 3;
  size_t words = is_applied(number) ? barrow_ap_words(3) : number % 2 == 0 ? barrow_thunk_words(3) : 4;
  barrow_word *at = barrow_alloc(m, words);
  node **all = (node **)barrow_array_elements(commons);
  fill_fixed(at, number, left ? all[left - 1] : NULL, right ? all[right - 1] : NULL);
  barrow_write(m, commons, &all[number - 1], at);
}

/* Flags that every second heap has besides its own, in turn: they change when things happen, and what is told. */
static const char *const more_flags[] = {"--samples=programs.pprof --sample-every=8k", "-F1.1 -O64k", "-DB", "-G4", "--stops=programs.stops --slow-stop=1000",
                                         "-DL", "-H8m", "-p -V0.001", "-DZ", "--marks=off -hT -iw0.01", "-T1 --selectors=off", "--faults",
                                         "-n32k -Fd0", "-M400m -m5", "--squeeze -kc2k", "-hc -ib300k"};

enum { MORE_FLAGS = sizeof more_flags / sizeof *more_flags };

static inline const char *more_flags_of(uint64_t seed) { return seed % 2 ? more_flags[seed / 2 % MORE_FLAGS] : ""; }

static inline toy begin_heap(const char *flags, int n) {
  char line[300];
  barrow_config config;
  toy t;
  unsigned number;
  sprintf(line, "--mutators=%d -t%s --machine-readable %.150s", n + 1, report_of_heap(), flags);
  barrow_config_init(&config);
  have_tags(&config);
  config.overflow = make_room;
  in_hook = move_in_hook;
  t = toy_new_with(&config, line);
  heap = t.heap;
  table = commons = NULL;
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  CHECK_OK(barrow_root_add(t.heap, "commons", &commons, 1, false));
  table = (node *)toy_array(t.m, THREADS * PART);
  commons = (node *)toy_array(t.m, FIXED);
  has_limit = strstr(flags, "-M") != NULL;
  pair_function[0] = (barrow_word)&pair_info;
  begin_centres();
  begin_crowd(t);
  begin_cafs(t);
  open_spaces = 0;
  words_are_looked_at = strstr(flags, "-DL") || (getenv("BARROW_TEST_FLAGS") && strstr(getenv("BARROW_TEST_FLAGS"), "-DL"));
  memset(evaluations, 0, sizeof evaluations);
  memset(several, 0, sizeof several);
  memset(black_fixed, 0, sizeof black_fixed);
  for (number = 1; number <= FIXED; number++) make_fixed(t.m, number);
  return t;
}

static inline void end_world(world *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < HANDLES; i++)
    if (w->handle[i]) CHECK_OK(barrow_handle_free(m, w->handle[i]));
  for (i = 0; i < STABLES; i++)
    if (w->stable[i]) CHECK_OK(barrow_stable_free(m, w->stable[i]));
  CHECK_OK(barrow_external_bytes(m, -w->external));
}

static inline void end_heap(toy t) {
  size_t i;
  for (i = 0; i < FIXED; i++) CHECK(evaluations[i] <= 1 || several[i]);
  end_crowd(t);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  CHECK_OK(barrow_root_remove(t.heap, &commons));
  give_groups_back(t.heap);
  toy_free(t);
  read_report();
}

#endif
