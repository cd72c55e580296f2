/* Updates that come late: of a thunk that has its value already, from another mutator's update or from a collection that evaluated a
 * selector, where that value is a thunk itself. They do nothing, and do not keep the other thunk from its evaluation. Steps of two
 * mutators that race are made here by one. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "lazy_tasks.h"

INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 1, 0, NULL, NULL);
INFO(first_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(update_info, BARROW_UPDATE_FRAME, 0, 0, 1, 0, 0, NULL, NULL);

static const char *const heaps[] = {"-A256k", "-DS -A256k --stress=97", "-c -A128k", "-A256k -G3 -T2", "-G1 -A256k", "--old=copy -A128k",
                                    "--source=chunks -A256k", "-A128k --workers=3!", "-A128k -c --workers=3!"};
enum { HEAPS = sizeof heaps / sizeof *heaps };

/* The thunk gets for its value one that nobody has evaluated, which has a value in the end. */
typedef struct roots {
  barrow_frame frame;
  barrow_word *thunk, *first, *unevaluated;
  node *value, *other;
} roots;

static barrow_word *make_thunk(barrow_mutator *m, bool pinned) {
  struct { barrow_frame frame; node *needs; } r;
  barrow_word *t;
  BARROW_ENTER(m, r);
  r.needs = toy_node(m, NULL, NULL, 77);
  t = pinned ? barrow_allocate_pinned(m, 4, 16, 0) : barrow_alloc(m, 4);
  t[0] = (barrow_word)&thunk_info;
  t[1] = 0;
  t[2] = (barrow_word)r.needs;
  t[3] = 9;
  BARROW_LEAVE(m, r);
  return t;
}

static void begin(toy t, roots *r, int old, bool pinned) {
  BARROW_ENTER(t.m, *r);
  r->thunk = make_thunk(t.m, pinned);
  r->unevaluated = make_thunk(t.m, false);
  for (; old > 0; old--) CHECK_OK(barrow_collect(t.m, true));
  r->first = r->thunk;
  r->value = toy_node(t.m, NULL, NULL, 5);
  r->other = toy_node(t.m, NULL, NULL, 6);
}

/* The thunk is where it was, and nobody has taken it for another: its fields are kept. */
static void is_unevaluated(const barrow_word *thunk) {
  CHECK(barrow_info_now(thunk) == &thunk_info);
  CHECK_EQ(thunk[3], 9);
  CHECK_EQ(((node *)thunk[2])->value, 77);
}

/* One indirection stays as long as its value is a thunk, and goes when that one has its own. */
static void end(toy t, roots *r) {
  CHECK(is_indirection(barrow_info_now(r->thunk)->kind));
  CHECK(barrow_indirectee(r->thunk) == r->unevaluated);
  is_unevaluated(r->unevaluated);
  CHECK(barrow_claim(t.m, r->unevaluated));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(barrow_indirectee(r->unevaluated) == (void *)barrow_window_of(t.m)->owner);
  /* Nor does a late update take what another has claimed. */
  CHECK_OK(barrow_update(t.m, r->thunk, r->other));
  CHECK_OK(barrow_update_slow(t.m, r->thunk, r->unevaluated));
  CHECK(is_blackhole(barrow_info_now(r->unevaluated)->kind));
  CHECK_OK(barrow_update(t.m, r->unevaluated, r->value));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r->unevaluated == (barrow_word *)r->value && r->value->value == 5 && r->other->value == 6);
  CHECK(r->thunk == (barrow_word *)r->value);
  BARROW_LEAVE(t.m, *r);
  toy_free(t);
}

static void late_updates(const char *flags, int old, bool major, bool pinned) {
  toy t = shared_heap(flags);
  roots r;
  begin(t, &r, old, pinned);
  CHECK_OK(barrow_update(t.m, r.thunk, r.unevaluated));
  CHECK_OK(barrow_collect(t.m, major));
  /* The other mutator came to the same value, or to another. */
  CHECK_OK(barrow_update(t.m, r.thunk, r.unevaluated));
  CHECK_OK(barrow_update_slow(t.m, r.thunk, r.unevaluated));
  is_unevaluated(r.unevaluated);
  CHECK_OK(barrow_update(t.m, r.thunk, r.other));
  CHECK_OK(barrow_update_permanent(t.m, r.thunk, r.other));
  CHECK(!barrow_claim(t.m, r.thunk));
  is_unevaluated(r.unevaluated);
  CHECK_OK(barrow_collect(t.m, true));
  end(t, &r);
}

static void late_updates_do_nothing(void) {
  size_t i;
  for (i = 0; i < HEAPS; i++) {
    late_updates(heaps[i], 0, false, false);
    late_updates(heaps[i], 0, true, false);
    late_updates(heaps[i], 3, true, false);
    late_updates(heaps[i], 0, false, true);
    late_updates(heaps[i], 3, true, true);
  }
}

/* Takes steps in a heap of each kind, old thunks or young ones, and looks at the outcome. */
static void in_each_heap(void (*steps)(toy, roots *, bool)) {
  size_t i;
  for (i = 0; i < HEAPS; i++) {
    toy t = shared_heap(heaps[i]);
    roots r;
    begin(t, &r, i % 2 ? 3 : 0, false);
    steps(t, &r, i % 3 == 0);
    end(t, &r);
  }
}

static void update_one_by_the_next(toy t, roots *r, bool major) {
  size_t i;
  for (i = 0; i < 30; i++) {
    barrow_word *next = make_thunk(t.m, false);
    CHECK_OK(barrow_update(t.m, r->thunk, next));
    r->thunk = next;
    if (i % 7 == 6) CHECK_OK(barrow_collect(t.m, major));
  }
  CHECK_OK(barrow_update(t.m, r->thunk, r->unevaluated));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r->first == r->thunk);
}

/* A mutator evaluates selectors while a collection does, whose value is a field that is a thunk. */
static void evaluate_selectors_twice(toy t, roots *r, bool major) {
  r->thunk = (barrow_word *)toy_node(t.m, (node *)r->unevaluated, NULL, 1);
  r->thunk = (barrow_word *)toy_selector(t.m, &first_info, r->thunk);
  r->first = (barrow_word *)toy_selector(t.m, &first_info, toy_node(t.m, (node *)r->thunk, NULL, 2));
  CHECK_OK(barrow_collect(t.m, major));
  CHECK_OK(barrow_update(t.m, r->thunk, r->unevaluated));
  CHECK_OK(barrow_update(t.m, r->thunk, r->other));
  CHECK_OK(barrow_update(t.m, r->first, r->other));
  CHECK(barrow_indirectee(r->first) == r->unevaluated);
}

/* Collections take the object of an update frame for one under evaluation. This one has its value. */
static void have_a_late_frame(toy t, roots *r, bool major) {
  barrow_word *frame;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  CHECK(barrow_stack_need(t.m, 2));
  frame = barrow_stack_push(t.m, &update_info, 2);
  frame[1] = (barrow_word)r->thunk;
  CHECK_OK(barrow_update(t.m, r->thunk, r->unevaluated));
  CHECK_OK(barrow_collect(t.m, major));
  CHECK_OK(barrow_collect(t.m, true));
  is_unevaluated(r->unevaluated);
  CHECK_OK(barrow_update(t.m, (void *)barrow_window_of(t.m)->sp[1], r->other));
  barrow_stack_pop(t.m, 2);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
}

static void one_of_a_chain_stays(void) { in_each_heap(update_one_by_the_next); }
static void selectors_are_evaluated_twice(void) { in_each_heap(evaluate_selectors_twice); }
static void late_frames_blackhole_nothing(void) { in_each_heap(have_a_late_frame); }

/* A thunk under evaluation becomes a blackhole in a stop, whose collection moves it: nothing of it is cleared later, when others lie
 * there. */
static void a_stop_leaves_nothing_to_clear(void) {
  static const char *const flags[] = {"--mutators=2 -DS -A256k", "--mutators=2 -A256k --space=threads_late.space", "-DS -A256k"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    struct { barrow_frame frame; barrow_word *thunk; node *list; } r;
    BARROW_ENTER(t.m, r);
    r.thunk = make_thunk(t.m, false);
    CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
    barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)r.thunk;
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(barrow_info_now(r.thunk)->kind == BARROW_BLACKHOLE);
    r.list = toy_list(t.m, 5000);
    CHECK_OK(barrow_check(t.m));
    CHECK_EQ(toy_sum(r.list), 5000 * 5001 / 2);
    barrow_stack_pop(t.m, 2);
    CHECK_OK(barrow_stack_enter(t.m, NULL));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
  remove("threads_late.space");
}

/* A profile that ends with its heap walks over thunks that were claimed since the last collection. */
static void claims_at_the_end_are_walked_over(void) {
  size_t i;
  for (i = 0; i < 4; i++) {
    toy t = toy_new(i / 2 ? "--mutators=2 --space=threads_late.space" : "--space=threads_late.space");
    struct { barrow_frame frame; barrow_word *thunk; node *value; } r;
    BARROW_ENTER(t.m, r);
    r.value = toy_node(t.m, NULL, NULL, 1);
    r.thunk = make_thunk(t.m, false);
    r.thunk[2] = 0;
    CHECK(barrow_claim(t.m, r.thunk));
    if (i % 2) CHECK_OK(barrow_update(t.m, r.thunk, r.value));
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap)); /* no collection before */
  }
  remove("threads_late.space");
}

int main(void) {
  RUN(late_updates_do_nothing);
  RUN(one_of_a_chain_stays);
  RUN(selectors_are_evaluated_twice);
  RUN(late_frames_blackhole_nothing);
  RUN(a_stop_leaves_nothing_to_clear);
  RUN(claims_at_the_end_are_walked_over);
  return DONE;
}
