/* -DB: a reference that was stored without the write barrier is found at the next collection, whatever its age; stores with a
 * barrier of any form, and stores of no reference, are not told. */
#include "toy.h"

static void missed(const char *flags, bool collected_again, bool young) {
  struct { barrow_frame frame; node *holder, *held; } r;
  toy t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  r.held = toy_node(t.m, NULL, NULL, 1);
  r.holder = toy_node(t.m, NULL, NULL, 2);
  CHECK_OK(barrow_collect(t.m, true));
  if (collected_again) CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_check(t.m));
  if (young) r.held = toy_node(t.m, NULL, NULL, 3);
  r.holder->right = r.held; /* no barrier */
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "field 2 of the object at") != NULL);
  CHECK(strstr(barrow_last_error(), "(node_info, kind 1, generation") != NULL);
  CHECK(strstr(barrow_last_error(), "a write barrier is missing") != NULL);
  BARROW_WRITE(t.m, r.holder, right, r.held);
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void a_missing_barrier_is_found(void) {
  static const char *flags[] = {"-DB", "-DB --source=chunks", "-DB -G1", "-DB -G3 -T1", "-DB -c", "-DB --faults -A64k"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    missed(flags[i], false, false);
    missed(flags[i], true, false);
  }
  missed("-DB", false, true);
  missed("-DB", true, false);
}

/* At the end there is no further collection. */
static void it_is_found_at_the_end(void) {
  struct { barrow_frame frame; node *holder, *held; } r;
  toy t = toy_new("-DB");
  BARROW_ENTER(t.m, r);
  r.holder = toy_node(t.m, NULL, NULL, 1);
  r.held = toy_node(t.m, NULL, NULL, 2);
  CHECK_OK(barrow_collect(t.m, true));
  r.holder->left = r.held;
  BARROW_LEAVE(t.m, r);
  REFUSED(BARROW_E_DAMAGED, barrow_heap_free(t.heap));
  CHECK(strstr(barrow_last_error(), "a write barrier is missing") != NULL);
}

static void each_form_of_the_barrier_is_seen(void) {
  struct { barrow_frame frame; node *a, *b, *c, *d, *e; void *array, *other; } r;
  toy t = toy_new("-DB");
  size_t i;
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.b = toy_node(t.m, NULL, NULL, 2);
  r.c = toy_cell(t.m, NULL, NULL, 3);
  r.d = toy_node(t.m, NULL, NULL, 4);
  r.e = toy_cell(t.m, NULL, NULL, 5);
  r.array = toy_array(t.m, 1000);
  r.other = toy_array(t.m, 10);
  CHECK_OK(barrow_collect(t.m, true));
  barrow_write(t.m, r.a, &r.a->left, r.b);
  r.b->left = r.a;
  CHECK_OK(barrow_record_slot(t.m, &r.b->left));
  r.c->left = r.a;
  CHECK_OK(barrow_record_mutable(t.m, r.c));
  r.d->right = r.a;
  CHECK_OK(barrow_record_old_to_new(t.m, r.d));
  CHECK(barrow_cas(t.m, r.e, &r.e->left, NULL, r.a));
  for (i = 0; i < 10; i++) barrow_write(t.m, r.other, &barrow_array_elements(r.other)[i], r.b);
  CHECK_OK(barrow_array_copy(t.m, r.array, 0, r.other, 0, 10));
  CHECK_OK(barrow_array_fill(t.m, r.array, 500, 300, r.a));
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  /* An object that is recorded needs no barrier later either; numbers and NULL never do. */
  r.c->right = r.d;
  r.a->left = NULL;
  r.a->value = (barrow_word)r.b;
  CHECK_OK(barrow_check(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Objects that no collection has seen are filled without barriers. */
static void new_objects_are_filled_freely(void) {
  struct { barrow_frame frame; node *a, *b; } r;
  toy t = toy_new("-DB");
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_collect(t.m, true));
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.b = toy_node(t.m, NULL, NULL, 2);
  r.a->left = r.b;
  r.b->right = r.a;
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_collect(t.m, false));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An object whose reference is kept with all bits inverted: its function hands in a word of its own. */
static size_t hidden_words(const void *object) { return object ? 2 : 0; }
static void hidden_visit(void *object, barrow_visitor *visitor) {
  barrow_word *at = (barrow_word *)object;
  static void *to; /* below the heap, as a rule */
  to = (void *)~at[1];
  barrow_visit(visitor, &to);
  at[1] = ~(barrow_word)to;
}
static const barrow_custom hidden = {sizeof(barrow_custom), 0, hidden_words, hidden_visit, NULL, NULL};
INFO(hidden_info, BARROW_CUSTOM, 0, 0, 0, 0, 0, NULL, &hidden);

static void words_elsewhere_are_left_alone(void) {
  static const char *flags[] = {"-DB", "-DB --source=chunks", "-DL", "-DL --source=chunks"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    struct { barrow_frame frame; node *n; barrow_word *hidden; } r;
    toy t = toy_new(flags[i]);
    BARROW_ENTER(t.m, r);
    r.n = toy_node(t.m, NULL, NULL, 1);
    r.hidden = barrow_alloc(t.m, 2);
    r.hidden[0] = (barrow_word)&hidden_info;
    r.hidden[1] = ~(barrow_word)r.n;
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_check(t.m));
    CHECK(r.hidden[1] == ~(barrow_word)r.n);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);

/* -DL walks over all objects, also where a thunk was longer than its indirection is. */
static void slop_is_walked_over(void) {
  struct { barrow_frame frame; barrow_word *thunk; node *a; } r;
  toy t = toy_new("-DL");
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.thunk = barrow_alloc(t.m, barrow_thunk_words(3));
  r.thunk[0] = (barrow_word)&thunk_info;
  r.thunk[1] = 0;
  r.thunk[2] = r.thunk[3] = (barrow_word)r.a;
  r.thunk[4] = 1;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_update(t.m, r.thunk, r.a));
  CHECK_OK(barrow_collect(t.m, false));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Words of a weak pointer that is dead are the library's: one leads to its neighbour in a list, which has moved since. */
static void dead_weak_pointers_are_not_looked_into(void) {
  struct { barrow_frame frame; void *weak[20]; node *key; } r;
  toy t = toy_new("-DL");
  void *finalizer = NULL;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.key = toy_node(t.m, NULL, NULL, 1);
  for (i = 0; i < 20; i++) r.weak[i] = barrow_weak_new(t.m, r.key, NULL, r.key);
  CHECK_OK(barrow_collect(t.m, false));
  for (i = 0; i < 20; i += 2) CHECK_OK(barrow_weak_finalize(t.m, r.weak[i], &finalizer));
  for (i = 0; i < 6; i++) {
    toy_list(t.m, 100);
    CHECK_OK(barrow_collect(t.m, i % 2));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A collection that leaves no room for the next one is followed by a major one at once. What the first has moved, nobody has stored. */
static void moves_before_a_major_collection_are_no_stores(void) {
  struct { barrow_frame frame; void *array; node *n; } r;
  static barrow_bdescr *groups[10000];
  size_t taken = 0, i;
  toy t = toy_new("-DB -M32m -A256k");
  BARROW_ENTER(t.m, r);
  r.array = toy_array(t.m, 2000);
  for (i = 0; i < 2000; i++) {
    r.n = toy_node(t.m, NULL, NULL, i);
    toy_put(t.m, &r.array, i, r.n);
  }
  CHECK_OK(barrow_collect(t.m, false));
  while (taken < 10000 && barrow_alloc_group(t.heap, 100, &groups[taken]) == BARROW_OK) taken++;
  while (taken < 10000 && barrow_alloc_group(t.heap, 1, &groups[taken]) == BARROW_OK) taken++;
  for (i = 0; i < 100000 && toy_node(t.m, NULL, NULL, i); i++) continue;
  CHECK(toy_stats(t).major_collections > 0);
  while (taken > 0) CHECK_OK(barrow_free_group(t.heap, groups[--taken]));
  for (i = 0; i < 2000; i++) CHECK_EQ(((node *)barrow_array_elements(r.array)[i])->value, i);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(slop_is_walked_over);
  RUN(dead_weak_pointers_are_not_looked_into);
  RUN(words_elsewhere_are_left_alone);
  RUN(a_missing_barrier_is_found);
  RUN(it_is_found_at_the_end);
  RUN(each_form_of_the_barrier_is_seen);
  RUN(new_objects_are_filled_freely);
  RUN(moves_before_a_major_collection_are_no_stores);
  return DONE;
}
