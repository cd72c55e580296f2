/* Misuse of thunks, statics, coverage, what debuggers ask, the default heap and the table of functions: bad arguments give a
 * code and a sentence, never a crash. Bad heaps and mutators are in misuse.c and misuse_profilers.c. */
#include "toy.h"
#include <barrow/table.h>

static barrow_word wild[64]; /* zeroes: nothing that the library made */
static barrow_info static_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 0, 1, 0, 0, NULL,
                                  NULL, NULL, NULL};

static size_t called(barrow_mutator *m, size_t a, size_t b) {
  (void)m;
  return a + b;
}

static void thunks_and_statics(void) {
  toy t = toy_new("");
  void *objects[1] = {NULL};
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, wild, NULL));
  REFUSED(BARROW_E_ARG, barrow_update_permanent(t.m, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_blackhole_slow(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_blackhole_slow(t.m, wild));
  ANSWERS(false, barrow_claim_slow(t.m, NULL));
  ANSWERS(false, barrow_claim_slow(t.m, wild));
  CHECK_OK(barrow_wait_for(t.m, NULL)); /* nothing is waited for */
  CHECK_OK(barrow_wait_for(t.m, wild));
  REFUSED(BARROW_E_ARG, barrow_use_table(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_use_table(t.heap, &static_info)); /* the library makes none of this kind */
  ANSWERS((size_t)0, (size_t)barrow_table(t.heap, 99999));
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, NULL, 1, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, objects, 1, false));
  objects[0] = wild;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, objects, 1, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add_section(t.heap, NULL, 8, false));
  REFUSED(BARROW_E_ARG, barrow_new_caf(t.m, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_new_caf(t.m, wild, NULL));
  CHECK(barrow_kept_caf(t.heap, 99) == NULL && barrow_cafs(t.heap) == 0);
  CHECK(barrow_resolve(NULL, wild) == (void *)wild);
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, NULL, 2));
  REFUSED(BARROW_E_ARG, barrow_record_dead_fill_slop(t.m, NULL));
  barrow_used(t.m, NULL); /* what is outside the heap is nothing of ours */
  barrow_used(t.m, wild);
  CHECK(barrow_biography_slow(t.m, wild) == NULL);
  toy_free(t);
}

static void questions(void) {
  toy t = toy_new("");
  const barrow_held *steps = NULL;
  barrow_moved moved;
  size_t count = 7;
  moved.size = 4;
  REFUSED(BARROW_E_ARG, barrow_why(t.m, wild, &steps, NULL));
  REFUSED(BARROW_E_ARG, barrow_why(t.m, wild, &steps, &count)); /* no object of this heap */
  CHECK(count == 7 && steps == NULL);
  check_forget();
  CHECK(barrow_moved_here(t.m, wild, &moved) != BARROW_OK && barrow_moved_away(t.m, wild, NULL) != BARROW_OK);
  check_sentence(__FILE__, __LINE__, "barrow_moved_away");
  toy_free(t);
}

static void coverage(void) {
  barrow_coverage *nothing = NULL;
  barrow_mix *mix = NULL;
  barrow_box box;
  uint32_t hash;
  size_t number = 7;
  memset(&box, 0, sizeof box);
  REFUSED(BARROW_E_ARG, barrow_coverage_new(NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_coverage_register(NULL, NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_coverage_unregister(NULL, NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_coverage_check(nothing));
  REFUSED(BARROW_E_ARG, barrow_coverage_write(nothing));
  REFUSED(BARROW_E_ARG, barrow_coverage_forget(nothing));
  ANSWERS((size_t)0, (size_t)barrow_coverage_file(nothing));
  REFUSED(BARROW_E_ARG, barrow_coverage_free(nothing));
  REFUSED(BARROW_E_ARG, barrow_mix_begin(NULL, &mix));
  CHECK(mix == NULL);
  REFUSED(BARROW_E_ARG, barrow_mix_add(mix, &box, &number));
  REFUSED(BARROW_E_ARG, barrow_mix_end(mix, &hash, &number));
  REFUSED(BARROW_E_ARG, barrow_mix_cancel(mix));
  CHECK_EQ(number, 7);
}

static void the_default_heap_and_the_table(void) {
  REFUSED(BARROW_E_ARG, barrow_default_flags(NULL));
  REFUSED(BARROW_E_ARG, barrow_default_flags("-Q"));
  CHECK(barrow_default_heap() != NULL && barrow_default_mutator() != NULL);
  REFUSED(BARROW_E_STATE, barrow_default_flags("-A1m")); /* it exists */
  REFUSED(BARROW_E_STATE, barrow_heap_free(barrow_default_heap()));
  ANSWERS((size_t)0, (size_t)barrow_function_table(BARROW_ABI_MAJOR + 1, 0));
  ANSWERS((size_t)0, (size_t)barrow_function_table(BARROW_ABI_MAJOR, ~0u));
  CHECK_EQ(barrow_gc_call(barrow_default_mutator(), called, 1, 2), 3);
}

int main(void) {
  RUN(thunks_and_statics);
  RUN(questions);
  RUN(coverage);
  RUN(the_default_heap_and_the_table);
  return DONE;
}
