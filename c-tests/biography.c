/* Use-recording and biographies: the functions behind LDV_recordUse and its like, and their misuse. */
#include "toy.h"

/* While no biography is taken, everything is allowed and nothing happens. */
static void off(void) {
  toy t = toy_new("");
  node *n = toy_node(t.m, NULL, NULL, 1);
  static node outside;
  CHECK_EQ(barrow_window_of(t.m)->era, 0);
  barrow_use(t.m, n);
  barrow_use(t.m, &outside);
  barrow_use(t.m, NULL);
  barrow_used(t.m, n);
  barrow_used(t.m, &outside);
  CHECK(barrow_biography_slow(t.m, n) == NULL);
  CHECK(barrow_biography_slow(t.m, &outside) == NULL);
  CHECK_OK(barrow_record_dead(t.m, n, 4));
  CHECK_OK(barrow_record_dead(t.m, &outside, 4));
  CHECK_EQ(n->value, 1);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  node *n = toy_node(t.m, NULL, NULL, 1);
  REFUSED(BARROW_E_ARG, barrow_record_dead(NULL, n, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, NULL, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, (char *)n + 1, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, n, 5));
  REFUSED(BARROW_E_ARG, barrow_record_dead_fill_slop(NULL, n));
  REFUSED(BARROW_E_ARG, barrow_record_dead_fill_slop(t.m, NULL));
  ANSWERS(0, (size_t)barrow_biography_slow(NULL, n));
  barrow_used(NULL, n);
  barrow_used(t.m, (char *)n + 4);
  toy_free(t);
}

int main(void) {
  RUN(off);
  RUN(misuse);
  return DONE;
}
