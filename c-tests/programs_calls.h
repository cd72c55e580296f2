/* programs_calls.h: steps of random programs (programs.h) that call the library between others: names of objects, roots that a callback
 * names, roots that come and go, bytes outside the heap, and profiles that begin and end. */
#ifndef PROGRAMS_CALLS_H
#define PROGRAMS_CALLS_H
#include "players.h"

/* ---- names ------------------------------------------------------------------------------------------------------------- */

/* An object that is no thunk has one name and one hash as long as it lives, whoever asks and wherever it moves. Of the last names that
 * were asked for the array has the objects. */
static inline void ask_names(player *p) {
  world *w = p->w;
  unsigned number, i;
  node *n = some(p, &number), **names, *name;
  uint64_t hash;
  if (!n || is_selector(n) || (number <= FIXED && number % 2 == 0) || is_lazy_table(barrow_info_now(n)) ||
      is_under_evaluation(n))
    return;
  hash = barrow_identity_hash(p->m, n);
  CHECK(hash != 0 && (w->hash[number] == 0 || w->hash[number] == hash));
  w->hash[number] = hash;
  name = (node *)barrow_stable_name(p->m, n);
  CHECK(name != NULL);
  if (!name) return;
  names = part(w) + SHARED;
  for (i = 0; i < NAMES; i++) {
    if (w->named[i] == number) {
      CHECK(names[i] == name);
      saw(SAW_NAMES_AGAIN);
      return;
    }
    if (names[i]) CHECK(barrow_stable_name_number(names[i]) != barrow_stable_name_number(name));
  }
  i = draw(w, NAMES);
  w->named[i] = number;
  barrow_write(p->m, table, names + i, name);
}

/* ---- roots ------------------------------------------------------------------------------------------------------------- */

typedef struct extra {
  barrow_frame frame; /* never pushed */
  node *n;
} extra;
static inline void visit_extra(void *client, barrow_visitor *visitor) { barrow_visit(visitor, (void **)(void *)&((extra *)client)->n); }

/* A collection with a root that only the callback knows. */
static inline void collect_with(player *p) {
  extra e;
  unsigned number;
  e.n = some(p, &number);
  open_number(p, number);
  WITHIN_LIMIT(heap, barrow_collect_with(p->m, draw(p->w, 4) == 0, visit_extra, &e));
  close_numbers(p, 1);
  put(p, e.n, number);
}

/* A registered root that is there for a while, a pointer or a tagged word. */
static inline void add_root(player *p) {
  barrow_word at[2] = {0, 0};
  unsigned number;
  bool tagged = draw(p->w, 2);
  node *n;
  CHECK_OK(barrow_root_add(heap, "for a while", at, 2, tagged));
  n = some(p, &number);
  at[1] = tagged ? tag_word(n, number) : (barrow_word)n;
  open_number(p, number);
  maybe_hand_on(p);
  make_cell(p, 0);
  maybe_hand_on(p);
  close_numbers(p, 1);
  put(p, tagged ? untagged(at[1], number) : (node *)at[1], number);
  CHECK_OK(barrow_root_remove(heap, at));
}

/* ---- reports and profiles ------------------------------------------------------------------------------------------------ */

static inline void tell_external(player *p) {
  int64_t more = (int64_t)draw(p->w, 100000) - 40000;
  if (more < -p->w->external) more = -p->w->external;
  p->w->external += more;
  CHECK_OK(barrow_external_bytes(p->m, more));
}

/* A profile ends another one. Its files have the program's name. Samples are put off that would cost much time. */
static inline void profile(player *p) {
  static const char *const kinds[] = {"-hy -i0", "-hd -ib100k", "-hT -hy -ib300k", "-hr -ib200k", "-hy -hT -in"};
  barrow_status status;
  switch (draw(p->w, 4)) {
    case 0:
      status = barrow_profile_start(p->m, kinds[draw(p->w, sizeof kinds / sizeof *kinds)]);
      CHECK(status == BARROW_OK || status == BARROW_E_STATE); /* beside some profiles of space it cannot be */
      break;
    case 1: CHECK_OK(barrow_profile_stop(p->m)); break;
    default:
      status = barrow_profile_mark(p->m);
      CHECK(status == BARROW_OK || status == BARROW_E_STATE); /* none runs */
  }
}

/* Profiles of space, of which others may begin and end one between two of this player's. */
enum { SPACES = 3 };
static pthread_mutex_t at_spaces = PTHREAD_MUTEX_INITIALIZER;
static uint32_t spaces[SPACES];
static size_t open_spaces;

static inline void count_space(player *p) {
  barrow_space_options options;
  unsigned what = draw(p->w, 4);
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  options.live = draw(p->w, 2);
  lock_outside(p->m, &at_spaces);
  if (what < 2 && open_spaces < SPACES) {
    barrow_status status = barrow_space_begin(p->m, &options, &spaces[open_spaces]);
    CHECK(status == BARROW_OK || status == BARROW_E_STATE); /* beside some heap profiles it cannot be */
    if (status == BARROW_OK) open_spaces++;
  } else if (what < 3 && open_spaces) {
    open_spaces--;
    CHECK_OK(barrow_space_end(p->m, spaces[open_spaces]));
  } else if (open_spaces) {
    CHECK_OK(barrow_space_point(p->m));
  }
  pthread_mutex_unlock(&at_spaces);
}

static inline void call_something(player *p) {
  switch (draw(p->w, 8)) {
    case 0: case 1: case 2: ask_names(p); break;
    case 3: collect_with(p); break;
    case 4: add_root(p); break;
    case 5: tell_external(p); break;
    case 6: if (!is_repeated && draw(p->w, 8) == 0) profile(p); break;
    default: if (!is_repeated && draw(p->w, 4) == 0) count_space(p);
  }
}

#endif
