/* programs_frames.h: steps of random programs (programs.h) that evaluate thunks by frames of a stack: with or without a claim, so that a
 * collection marks the thunk as under evaluation. Frames are returned through, cut off, or captured: then whoever has the part goes on with it,
 * as often as he likes, and the thunk has no known owner meanwhile. The first update counts. */
#ifndef PROGRAMS_FRAMES_H
#define PROGRAMS_FRAMES_H
#include "programs_areas.h"
#include "programs_lazy.h"

/* An evaluation: frames that hold an object are above and below those that update the thunk, and `left` and `right` are of its value. */
typedef struct course {
  barrow_frame frame;
  void *stack, *part;
  node *thunk, *left, *right, *held, *fields[2]; /* fields: those of the thunk, while it is one */
  unsigned number, left_number, right_number, held_number, field_numbers[2], pushed;
  bool claims;
  claim c;
} course;
enum { COURSE_ROOTS = 8, COURSE_OPEN = 6 };

/* Whether a player waits for the value of an object, where they take turns. */
static bool (*is_awaited)(const node *n);

static inline void enter_new_stack(player *p, course *r) {
  CHECK((r->stack = barrow_stack_new(p->m, NULL, 20)) != NULL);
  CHECK_OK(barrow_stack_enter(p->m, r->stack));
}

/* ---- the model ---------------------------------------------------------------------------------------------------------- */

static inline void course_begins(player *p, course *r) {
  world *w = p->w;
  r->frame.count = COURSE_ROOTS;
  r->frame.up = barrow_frames_save(p->m);
  barrow_frames_restore(p->m, &r->frame);
  open_number(p, r->number);
  open_number(p, r->left_number);
  open_number(p, r->right_number);
  open_number(p, r->held_number);
  open_number(p, r->field_numbers[0]);
  open_number(p, r->field_numbers[1]);
  claim_begins(p, &r->c, &r->thunk);
  r->c.is_sure = r->claims;
  if (r->number > FIXED) {
    if (r->claims) w->black[r->number] = 1;
    else w->lazily[r->number]++;
  } else if (is_lazy_now(r->thunk)) {
    set_black(w, r->number, 1);
    __atomic_fetch_add(&evaluations[r->number - 1], 1, __ATOMIC_RELAXED);
    if (!r->claims) __atomic_store_n(&several[r->number - 1], 1, __ATOMIC_RELAXED);
  }
}

static inline void course_ends(player *p, course *r) {
  if (r->number > FIXED && !r->claims) p->w->lazily[r->number]--;
  CHECK_OK(barrow_stack_enter(p->m, NULL));
  claim_ends(p);
  close_numbers(p, COURSE_OPEN);
  barrow_frames_restore(p->m, r->frame.up);
}

/* The player leaves the thunk as it is, but that leaving a stack marks what its frames update. A blackhole that nobody evaluates any more
 * holds nothing, and nobody waits for it. */
static inline void leave_thunk(player *p, course *r) {
  world *w = p->w;
  bool is_black;
  CHECK_OK(barrow_stack_enter(p->m, NULL));
  is_black = is_under_evaluation(value_of(r->thunk));
  if (r->claims && is_black) w->black[r->number] = 0;
  course_ends(p, r);
  if (!is_black || w->black[r->number]) return;
  w->left[r->number] = w->right[r->number] = 0;
  if (w->lazily[r->number]) return;
  w->black[r->number] = 1;
  w->gone[r->number] = OF_NOBODY;
}

/* ---- frames ------------------------------------------------------------------------------------------------------------- */

static inline void push_held(player *p, course *r, unsigned count) {
  for (; count > 0; count--, r->pushed++) {
    barrow_word *at;
    CHECK(barrow_stack_need(p->m, COURSE_FRAME));
    at = barrow_stack_push(p->m, &held_frame, COURSE_FRAME);
    at[1] = (barrow_word)r->held;
    at[2] = r->number;
  }
}

/* Two of them side by side may become one. */
static inline void push_update(player *p, const course *r) {
  barrow_word *at;
  CHECK(barrow_stack_need(p->m, COURSE_FRAME));
  at = barrow_stack_push(p->m, &update_frame, COURSE_FRAME);
  at[1] = (barrow_word)r->thunk;
  at[2] = r->number;
}

static inline void push_base(player *p) {
  CHECK(barrow_stack_need(p->m, BASE_FRAME));
  barrow_stack_push(p->m, &base_frame, BASE_FRAME)[1] = 0;
}

/* Of several evaluations the first gives the value. */
static inline void update_thunk(player *p, course *r) {
  world *w = p->w;
  node *value = (node *)barrow_alloc(p->m, 4);
  bool counts = is_lazy_now(value_of(r->thunk));
  barrow_set_header(value, r->number <= FIXED ? &node_info : &cell_info);
  value->left = r->left;
  value->right = r->right;
  value->value = r->number;
  if (draw(w, 4)) CHECK_OK(barrow_update(p->m, r->thunk, value));
  else CHECK_OK(barrow_update_permanent(p->m, r->thunk, value));
  if (r->number <= FIXED) set_black(w, r->number, 0);
  else if (counts) has_value(w, r->number, r->left_number, r->right_number);
}

/* Through all frames of the stack. */
static inline void return_through(player *p, course *r) {
  while (!check_failures) {
    const barrow_info *top = barrow_stack_top(p->m);
    const barrow_word *sp = barrow_window_of(p->m)->sp;
    if (top->kind == BARROW_STOP_FRAME) {
      if (!barrow_stack_underflow(p->m)) return;
    } else if (top == &base_frame) {
      barrow_stack_pop(p->m, BASE_FRAME);
    } else {
      CHECK(top == &held_frame || top == &update_frame);
      CHECK_EQ(sp[2], r->number);
      if (top == &update_frame) r->thunk = (node *)sp[1];
      else CHECK((void *)sp[1] == r->held || (sp[1] && r->held && are_same((void *)sp[1], r->held)));
      barrow_stack_pop(p->m, COURSE_FRAME);
      if (top == &update_frame) update_thunk(p, r);
    }
    if (draw(p->w, 16) == 0) maybe_hand_on(p);
  }
}

/* ---- steps -------------------------------------------------------------------------------------------------------------- */

static inline void capture(player *p, const course *r, unsigned frames) {
  world *w = p->w;
  unsigned part = next_number(w, CAPTURED);
  const barrow_word *until = draw(w, 2) ? barrow_stack_find(p->m, &base_frame, NULL) : NULL;
  node *n;
  if (!part) return;
  n = (node *)barrow_stack_capture(p->m, until);
  CHECK(n != NULL);
  w->left[part] = r->number;
  w->right[part] = frames ? r->held_number : 0;
  w->length[part] = frames;
  put(p, n, part);
  saw(SAW_CAPTURED);
}

static inline bool may_leave(const course *r) {
  return r->number > FIXED && !(is_awaited && is_awaited(value_of(r->thunk)));
}

static inline void go_on(player *p, course *r) {
  world *w = p->w;
  unsigned frames = r->pushed;
  maybe_hand_on(p);
  if (draw(w, 2)) make_cell(p, 0);
  if (draw(w, 16) == 0) WITHIN_LIMIT(heap, barrow_collect(p->m, false));
  maybe_hand_on(p);
  if (r->claims && draw(w, 3) == 0) force(p);
  switch (draw(w, 6)) {
    case 0: CHECK_OK(barrow_stack_cut(p->m, barrow_stack_find(p->m, &update_frame, NULL))); break;
    case 1: capture(p, r, frames); break;
    case 2: case 3:
      if (p->goes_back || !may_leave(r)) break;
      capture(p, r, frames);
      leave_thunk(p, r);
      return;
    default: break;
  }
  return_through(p, r);
  course_ends(p, r);
}

enum { LOOKS = 12 };
static inline node *some_thunk(player *p, unsigned *number, const barrow_info **info) {
  unsigned i;
  for (i = 0; i < LOOKS; i++) {
    node *n = some(p, number);
    if (n && is_lazy_table(*info = barrow_info_now(n))) return n;
  }
  return NULL;
}

static inline node *some_captured(player *p, unsigned *number) {
  unsigned i;
  for (i = 0; i < LOOKS; i++) {
    node *n = some(p, number);
    if (n && p->w->kind[*number] == CAPTURED) return n;
  }
  return NULL;
}

static inline void evaluate_in_frames(player *p) {
  world *w = p->w;
  course r;
  const barrow_info *info = NULL;
  unsigned how;
  memset(&r, 0, sizeof r);
  r.thunk = some_thunk(p, &r.number, &info);
  r.held = some(p, &r.held_number);
  if (!r.thunk) {
    make_thunk(p);
    return;
  }
  lazy_fields(r.thunk, info, &r.left, &r.right);
  r.left_number = w->left[r.number];
  r.right_number = w->right[r.number];
  how = draw(w, 4);
  r.claims = how < 2;
  /* A claim is the mutator's own without a stack, and else the stack's. A fixed thunk may be another's by now. */
  if (how == 0 && !barrow_claim(p->m, r.thunk)) return;
  enter_new_stack(p, &r);
  if (how == 1 && !barrow_claim(p->m, r.thunk)) {
    CHECK_OK(barrow_stack_enter(p->m, NULL));
    return;
  }
  course_begins(p, &r);
  push_base(p);
  push_held(p, &r, draw(w, 20));
  push_update(p, &r);
  if (draw(w, 3) == 0) push_update(p, &r);
  push_held(p, &r, draw(w, 20));
  go_on(p, &r);
}

/* Once or twice on the same stack. What the thunk would have had is not known any more, but of fixed ones. */
static inline void resume(player *p) {
  world *w = p->w;
  course r;
  unsigned part;
  node *n = some_captured(p, &part);
  void *held;
  if (!n) return;
  memset(&r, 0, sizeof r);
  r.part = n;
  match_captured(n, w->left[part], w->length[part], &r.thunk, &held);
  r.held = (node *)held;
  r.number = w->left[part];
  r.held_number = r.right_number = w->right[part];
  r.right = r.held;
  if (r.number <= FIXED) {
    r.left = r.number / 2 ? (node *)barrow_array_elements(commons)[r.number / 2 - 1] : NULL;
    r.right = r.number / 3 ? (node *)barrow_array_elements(commons)[r.number / 3 - 1] : NULL;
    r.left_number = w->left[r.number];
    r.right_number = w->right[r.number];
  }
  if (r.number > FIXED && is_lazy_table(barrow_info_now(value_of(r.thunk)))) {
    n = value_of(r.thunk);
    lazy_fields(n, barrow_info_now(n), &r.fields[0], &r.fields[1]);
    r.field_numbers[0] = w->left[r.number];
    r.field_numbers[1] = w->right[r.number];
  }
  enter_new_stack(p, &r);
  course_begins(p, &r);
  push_base(p);
  CHECK(barrow_stack_reinstate(p->m, r.part));
  if (draw(w, 3) == 0) CHECK(barrow_stack_reinstate(p->m, r.part));
  maybe_hand_on(p);
  if (draw(w, 2)) make_cell(p, 0);
  maybe_hand_on(p);
  return_through(p, &r);
  course_ends(p, &r);
  saw(SAW_RESUMED);
}

static inline void play_in_frames(player *p) {
  if (p->w->opened[p->me] + 12 > MOST_OPEN) return;
  if (draw(p->w, 2)) evaluate_in_frames(p);
  else resume(p);
}

#endif
