/* programs_lazy.h: steps of random programs (programs.h) with thunks and selectors. A player hands on in the middle of an evaluation, which may need
 * any other thunk: so others wait, in rings too, and wait for one whose mutator has gone. */
#ifndef PROGRAMS_LAZY_H
#define PROGRAMS_LAZY_H
#include "players.h"

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

/* ---- claims and waiting ------------------------------------------------------------------------------------------------ */

static inline void claim_begins(player *p, claim *c, node **object) {
  c->object = object;
  c->is_sure = true;
  c->up = p->claims;
  p->claims = c;
  __atomic_add_fetch(&claiming, 1, __ATOMIC_RELAXED);
}

/* With the outermost claim, a player that was told of a ring has given all of its thunks a value. */
static inline void claim_ends(player *p) {
  p->claims = p->claims->up;
  __atomic_sub_fetch(&claiming, 1, __ATOMIC_RELAXED);
  if (!p->claims) p->goes_back = false;
}

static inline barrow_status wait_for_value(player *p, node **object) {
  barrow_status status = waits_in_turn ? waits_in_turn(p, object) : barrow_wait_for(p->m, *object);
  saw(SAW_WAITS);
  if (status == BARROW_OK) CHECK(!is_under_evaluation(*object));
  return status;
}

static inline bool is_lazy_now(const node *n) {
  unsigned kind = barrow_info_now(n)->kind;
  return kind == BARROW_THUNK || kind == BARROW_AP || kind == BARROW_BLACKHOLE;
}

/* A thunk of this world has its value, with these fields. */
static inline void has_value(world *w, unsigned number, unsigned left, unsigned right) {
  w->kind[number] = CELL;
  w->left[number] = left;
  w->right[number] = right;
  w->black[number] = w->gone[number] = 0;
}

/* Who has claimed the thunk is gone, with what the thunk referred to. The first of those who wait gives it a value. */
static inline void give_value(player *p, node **object, unsigned number) {
  node *value;
  CHECK(number > FIXED && (p->w->gone[number] || barrow_info_now(*object)->kind != BARROW_BLACKHOLE));
  if (!p->w->gone[number]) return;
  value = make_cell(p, number);
  CHECK_OK(barrow_update(p->m, *object, value));
  has_value(p->w, number, 0, 0);
}

static inline void meet_blackhole(player *p, node **object, unsigned number) {
  barrow_status status;
  if (number > FIXED && p->w->gone[number] == OF_NOBODY) {
    give_value(p, object, number);
    return;
  }
  status = wait_for_value(p, object);
  if (status == BARROW_E_STATE) {
    saw(SAW_GONE);
    give_value(p, object, number);
  } else if (status == BARROW_E_LOOP) {
    saw(SAW_RINGS);
    CHECK(p->claims != NULL);
    p->goes_back = p->claims != NULL;
  } else CHECK_OK(status);
}

static inline void set_black(world *w, unsigned number, unsigned char is_black) {
  if (number > FIXED) w->black[number] = is_black;
  else __atomic_store_n(&black_fixed[number - 1], is_black, __ATOMIC_RELAXED);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------------- */

static inline void force(player *p);

/* What a thunk is replaced by has its number and its fields. A thunk that is being evaluated holds nothing. Whoever evaluates it without a
 * claim may be first. */
static inline void evaluate(player *p, node *n, const barrow_info *info, unsigned number) {
  struct { barrow_frame frame; node *thunk, *left, *right; } r;
  claim c;
  node *value;
  unsigned left_number = p->w->left[number], right_number = p->w->right[number];
  r.thunk = n;
  lazy_fields(n, info, &r.left, &r.right);
  saw_many(SAW_APPLIED, info == &apply_info && number > FIXED);
  BARROW_PUSH(p->m, r);
  claim_begins(p, &c, &r.thunk);
  open_number(p, left_number);
  open_number(p, right_number);
  set_black(p->w, number, 1);
  if (number <= FIXED) {
    __atomic_fetch_add(&evaluations[number - 1], 1, __ATOMIC_RELAXED);
    sched_yield(); /* so that others find it claimed */
  } else if (draw(p->w, 4) == 0) {
    share(p, r.thunk, number); /* likewise */
  }
  maybe_hand_on(p);
  if (draw(p->w, 3) == 0) force(p);
  maybe_hand_on(p);
  value = (node *)barrow_alloc(p->m, 4);
  barrow_set_header(value, number <= FIXED ? &node_info : &cell_info);
  value->left = r.left;
  value->right = r.right;
  value->value = number;
  if (number > FIXED && is_lazy_now(value_of(r.thunk))) has_value(p->w, number, left_number, right_number);
  CHECK_OK(barrow_update(p->m, r.thunk, value));
  if (number <= FIXED) set_black(p->w, number, 0);
  close_numbers(p, 2);
  claim_ends(p);
  BARROW_LEAVE(p->m, r);
}

static inline node *forced(player *p, node *n, unsigned number);

/* A claimed selector keeps nothing alive. Its value is known without the pair too, which nobody evaluates who needs the selector. */
static inline void evaluate_selector(player *p, node *n, bool right, unsigned number) {
  struct { barrow_frame frame; node *selector, *pair; } r;
  claim c;
  r.selector = n;
  r.pair = (node *)((void **)n)[2];
  BARROW_PUSH(p->m, r);
  claim_begins(p, &c, &r.selector);
  maybe_hand_on(p);
  r.pair = forced(p, r.pair, 0);
  if (p->goes_back) r.pair = (node *)barrow_array_elements(commons)[number - 1];
  else r.pair = right ? r.pair->right : r.pair->left;
  CHECK_OK(barrow_update(p->m, r.selector, r.pair));
  claim_ends(p);
  BARROW_LEAVE(p->m, r);
}

/* The value, or the object as it is, when this player has to go back. */
static inline node *forced(player *p, node *n, unsigned number) {
  struct { barrow_frame frame; node *n; } r;
  r.n = n;
  BARROW_PUSH(p->m, r);
  while (!check_failures && !p->goes_back) {
    const barrow_info *info = barrow_info_now(r.n);
    if (is_indirection(info->kind)) {
      r.n = (node *)barrow_indirectee(r.n);
    } else if (info->kind == BARROW_BLACKHOLE) {
      meet_blackhole(p, &r.n, number);
    } else if (is_lazy_table(info)) {
      node *left, *right;
      unsigned found = lazy_fields(r.n, info, &left, &right);
      if (barrow_claim(p->m, r.n)) evaluate(p, r.n, info, found);
    } else if (info->kind == BARROW_SELECTOR) {
      if (barrow_claim(p->m, r.n)) evaluate_selector(p, r.n, info == &right_info, number);
    } else break;
  }
  BARROW_LEAVE(p->m, r);
  return r.n;
}

static inline void force(player *p) {
  world *w = p->w;
  unsigned number;
  node *n = some(p, &number);
  if (!n || (w->kind[number] != THUNK && !is_selector(n)) || w->opened[p->me] + 8 > MOST_OPEN) return;
  open_number(p, number);
  n = forced(p, n, number);
  close_numbers(p, 1);
  if (w->kind[number] == THUNK && (barrow_info_now(n) == &node_info)) w->kind[number] = CELL;
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

/* Goes away while it evaluates a thunk. */
static inline void abandon(player *p) {
  struct { barrow_frame frame; node *thunk; } r;
  claim c;
  unsigned number;
  world *w = p->w;
  r.thunk = some(p, &number);
  if (!r.thunk || number <= FIXED || !is_lazy_table(barrow_info_now(r.thunk))) return;
  CHECK(barrow_claim(p->m, r.thunk));
  BARROW_PUSH(p->m, r);
  claim_begins(p, &c, &r.thunk);
  share(p, r.thunk, number);
  open_number(p, number);
  w->left[number] = w->right[number] = 0;
  w->black[number] = 1;
  w->gone[number] = OF_GONE;
  maybe_hand_on(p);
  maybe_hand_on(p);
  close_numbers(p, 1);
  claim_ends(p);
  BARROW_LEAVE(p->m, r);
  CHECK_OK(barrow_detach(p->m));
  come(p);
}

#endif
