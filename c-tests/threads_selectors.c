/* Pairs that several mutators evaluate, with selectors of both fields and suspended applications: mutators evaluate selectors
 * while collections, of several workers too, replace those whose pairs have values. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "lazy_tasks.h"

/* A thunk for a pair. Its second field is the value of the application of the pair before, and one more. */
typedef struct pair_thunk {
  barrow_word header, result;
  void *before; /* or none */
  barrow_word n;
} pair_thunk;
INFO(pair_info, BARROW_THUNK, 0, 0, 1, 1, 0, NULL, NULL);
INFO(first_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(second_info, BARROW_SELECTOR, 0, 1, 1, 0, 0, NULL, NULL);
INFO(apply_info, BARROW_AP, 0, 0, 0, 0, 0, NULL, NULL);
/* Of three arguments, the first and the third are pointers. */
INFO(sum_info, BARROW_FUN_STATIC, 0, 3, 0, 0, 5, NULL, NULL);
static barrow_word sum[2];

/* Table: of each pair its thunk, a selector of the first field, and an application of all. */
enum { PAIRS = THUNKS / 3, IN_A_ROW = 12, ADDED = 7 };

static barrow_word first_of(barrow_word n) { return 10 * n + 1; }
static barrow_word applied_to(barrow_word n);
static barrow_word second_of(barrow_word n) { return n % IN_A_ROW ? applied_to(n - 1) + 1 : 1; }
static barrow_word applied_to(barrow_word n) { return first_of(n) + ADDED + second_of(n); }

static void *application(barrow_mutator *m, void *one, barrow_word added, void *other) {
  struct { barrow_frame frame; void *one, *other; } r;
  barrow_word *made;
  r.one = one;
  r.other = other;
  BARROW_PUSH(m, r);
  made = barrow_alloc(m, barrow_ap_words(3));
  made[0] = (barrow_word)&apply_info;
  made[1] = 0;
  made[2] = 3;
  made[3] = (barrow_word)sum;
  made[4] = (barrow_word)r.one;
  made[5] = added;
  made[6] = (barrow_word)r.other;
  BARROW_LEAVE(m, r);
  return made;
}

static barrow_word value_of(task *w, barrow_mutator *m, void *x) {
  const node *value = force(w, m, x);
  MUST(w, value != NULL && barrow_info_of(value) == &node_info);
  return value ? value->value : 0;
}

static node *run_pair(task *w, barrow_mutator *m, const pair_thunk *t) {
  struct { barrow_frame frame; void *first, *second; } r;
  barrow_word n = t->n, before = 0;
  void *needs = t->before;
  node *made;
  add_one(&((lazy_case *)w->shared)->evaluations[n]);
  r.first = r.second = NULL;
  BARROW_PUSH(m, r);
  if (needs) before = value_of(w, m, needs);
  if (n % 3 == 0) sched_yield();
  r.first = toy_node(m, NULL, NULL, first_of(n));
  r.second = toy_node(m, NULL, NULL, before + 1);
  made = toy_node(m, (node *)r.first, (node *)r.second, n);
  BARROW_LEAVE(m, r);
  return made;
}

static node *run_selector(task *w, barrow_mutator *m, const barrow_word *t, int second) {
  const node *pair = force(w, m, (void *)t[2]);
  if (!pair) return NULL;
  return force(w, m, second ? pair->right : pair->left);
}

static node *run_application(task *w, barrow_mutator *m, const barrow_word *t) {
  struct { barrow_frame frame; void *one, *other; } r;
  barrow_word added = t[5], one;
  node *made;
  MUST(w, t[2] == 3 && t[3] == (barrow_word)sum);
  r.one = (void *)t[4];
  r.other = (void *)t[6];
  BARROW_PUSH(m, r);
  one = value_of(w, m, r.one);
  made = toy_node(m, NULL, NULL, one + added + value_of(w, m, r.other));
  BARROW_LEAVE(m, r);
  return made;
}

/* A claimed object does not tell its table any more, so that was looked at before. */
static node *run_lazy(task *w, barrow_mutator *m, void *lazy, const barrow_info *was) {
  if (was == &pair_info) return run_pair(w, m, (const pair_thunk *)lazy);
  if (was == &apply_info) return run_application(w, m, (const barrow_word *)lazy);
  MUST(w, was == &first_info || was == &second_info);
  return run_selector(w, m, (const barrow_word *)lazy, was == &second_info);
}

/* ---- many threads ------------------------------------------------------------------------------------------------------ */

/* Each thread asks for parts of pairs in an order of its own. Of every fifth pair nobody asks for the selector in the table. */
static void asks_for_parts(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  barrow_word random = w->number * 7919 + 1;
  size_t i;
  all_come(w, m, &c->come);
  for (i = 0; i < w->rounds; i++) {
    size_t n = draw(&random, PAIRS);
    if (i % 3 == 0) MUST(w, value_of(w, m, at(w, 3 * n + 2)) == applied_to(n));
    else if (i % 3 == 1 && n % 5) MUST(w, value_of(w, m, at(w, 3 * n + 1)) == first_of(n));
    else MUST(w, value_of(w, m, at(w, 3 * n)) == n);
    if (i % 50 == 5 * w->number % 50) MUST(w, barrow_collect(m, i % 100 < 50) == BARROW_OK);
  }
}

/* A table of new pairs, whose applications lead to the selector of the first field in the table and to one of the second. */
static void fill(toy t, node **table) {
  struct { barrow_frame frame; void *pair, *first, *second; } r;
  size_t n;
  BARROW_ENTER(t.m, r);
  for (n = 0; n < PAIRS; n++) {
    pair_thunk *made = (pair_thunk *)barrow_alloc(t.m, barrow_thunk_words(2));
    made->header = (barrow_word)&pair_info;
    made->result = 0;
    made->before = n % IN_A_ROW ? barrow_array_elements(*table)[3 * n - 1] : NULL;
    made->n = n;
    r.pair = made;
    toy_put(t.m, (void **)table, 3 * n, r.pair);
    r.first = toy_selector(t.m, &first_info, r.pair);
    toy_put(t.m, (void **)table, 3 * n + 1, r.first);
    r.second = toy_selector(t.m, &second_info, r.pair);
    toy_put(t.m, (void **)table, 3 * n + 2, application(t.m, r.first, ADDED, r.second));
  }
  BARROW_LEAVE(t.m, r);
}

/* Selectors of pairs that have values are gone after a major collection, and the others are there. */
static size_t left_to_collections(node *table, int claims) {
  size_t n, replaced = 0;
  for (n = 0; n < PAIRS; n++) {
    const node *pair = (const node *)barrow_array_elements(table)[3 * n];
    const node *first = (const node *)barrow_array_elements(table)[3 * n + 1];
    if (barrow_info_of(pair) == &pair_info) {
      CHECK(barrow_info_of(first) == &first_info);
    } else {
      CHECK(barrow_info_of(pair) == &node_info && pair->value == n);
      /* Without claims threads may have evaluated a pair twice, and of its values the selector has one. */
      CHECK(!claims || first == pair->left);
      CHECK(barrow_info_of(first) == &node_info && first->value == first_of(n));
      CHECK(pair->right->value == second_of(n));
      replaced += n % 5 == 0;
    }
  }
  return replaced;
}

static void shared_pairs(const char *flags, size_t threads, int claims, int old) {
  toy t = shared_heap(flags);
  static node *table;
  static lazy_case c;
  task like = task_of(toy_under_valgrind() ? 12 : slow_share(strstr(flags, "-DS") ? 60 : 200));
  size_t i;
  begin_lazily(&c, run_lazy, claims);
  table = (node *)toy_array(t.m, THUNKS);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  fill(t, &table);
  while (old-- > 0) CHECK_OK(barrow_collect(t.m, true));
  like.table = &table;
  like.shared = &c;
  in_threads(t, threads, like, asks_for_parts);
  CHECK_EQ(c.told, 0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(left_to_collections(table, claims) > 0);
  for (i = 0; i < PAIRS; i++) CHECK(!claims || c.evaluations[i] <= 1);
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

static void in_heaps_of_all_kinds(int claims) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) {
    shared_pairs(many_flags[i], 2, claims, 0);
    shared_pairs(many_flags[i], 8, claims, 3);
  }
  shared_pairs("-A1m", many_threads(), claims, 3);
  shared_pairs("-A128k --workers=3!", 8, claims, 0);
  shared_pairs("-A128k -c --workers=3!", 8, claims, 3);
}

static void claimed_selectors_and_applications(void) { in_heaps_of_all_kinds(1); }
static void unclaimed_selectors_and_applications(void) { in_heaps_of_all_kinds(0); }

int main(void) {
  bool slow = toy_is_slow() || getenv("BARROW_TEST_VALGRIND") || getenv("BARROW_TEST_FLAGS");
  sum[0] = (barrow_word)&sum_info;
  waits_end_within(slow ? 2000 : 300);
  RUN(claimed_selectors_and_applications);
  RUN(unclaimed_selectors_and_applications);
  return DONE;
}
