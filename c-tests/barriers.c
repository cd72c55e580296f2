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

int main(void) {
  RUN(a_missing_barrier_is_found);
  RUN(it_is_found_at_the_end);
  RUN(each_form_of_the_barrier_is_seen);
  RUN(new_objects_are_filled_freely);
  return DONE;
}
