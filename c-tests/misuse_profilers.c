/* Misuse of profilers, and of all handles that misuse.c does not misuse: bad ones and bad arguments give a code and a
 * sentence, never a crash. tests/misuse.rs holds misuse*.c against the list of exports. */
#include "toy.h"
#include <pthread.h>

/* A void function: a new sentence is all that it can say. */
#define SAYS(call) (check_forget(), (call), check_sentence(__FILE__, __LINE__, #call))
#define WILD(type) ((type *)(void *)wild)

static barrow_word wild[64]; /* zeroes: nothing that the library made */
static barrow_info static_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 0, 1, 0, 0, NULL,
                                  NULL, NULL, NULL};

/* Every function that takes a mutator, with one that cannot be used. */
static void all_with_mutator(barrow_mutator *m, barrow_status code) {
  barrow_cc centre;
  barrow_ticky_function function;
  barrow_cost_row row;
  barrow_ticky counters;
  barrow_ticky_row_t ticky;
  barrow_moved moved;
  barrow_space_options options;
  const barrow_held *steps = NULL;
  barrow_ccs *stack = barrow_ccs_special(0);
  size_t count = 7;
  uint32_t profile = 7;
  void *place = wild;
  memset(&centre, 0, sizeof centre);
  memset(&function, 0, sizeof function);
  memset(&options, 0, sizeof options);
  row.size = (uint32_t)sizeof row;
  ticky.size = (uint32_t)sizeof ticky;
  moved.size = (uint32_t)sizeof moved;
  counters.size = (uint32_t)sizeof counters;
  options.size = (uint32_t)sizeof options;
  SAYS(barrow_used(m, wild));
  ANSWERS((size_t)0, (size_t)barrow_biography_slow(m, wild));
  REFUSED(code, barrow_record_dead(m, wild, 2));
  REFUSED(code, barrow_record_dead_fill_slop(m, wild));
  REFUSED(code, barrow_blackhole_slow(m, wild));
  REFUSED(code, barrow_update_slow(m, wild, NULL));
  ANSWERS(false, barrow_claim_slow(m, wild));
  REFUSED(code, barrow_wait_for(m, wild));
  REFUSED(code, barrow_update_permanent(m, wild, NULL));
  REFUSED(code, barrow_new_caf(m, wild, NULL));
  REFUSED(code, barrow_revert_cafs(m));
  ANSWERS((size_t)stack, (size_t)barrow_ccs_enter_slow(m, &centre));
  ANSWERS((size_t)stack, (size_t)barrow_ccs_enter_caf(m, &centre));
  ANSWERS((size_t)stack, (size_t)barrow_ccs_enter_function_slow(m, stack));
  REFUSED(code, barrow_ccs_leave_slow(m, stack));
  REFUSED(code, barrow_ccs_print(m, NULL));
  REFUSED(code, barrow_exception(m, "error", NULL, 0));
  REFUSED(code, barrow_cost_report(m, NULL, BARROW_COST_ALL));
  REFUSED(code, barrow_cost_tick(m, 1));
  REFUSED(code, barrow_cost_ticks(m, 0));
  REFUSED(code, barrow_costs(m, &row, 1, &count));
  REFUSED(code, barrow_census(m));
  REFUSED(code, barrow_profile_start(m, "-hT"));
  REFUSED(code, barrow_profile_stop(m));
  REFUSED(code, barrow_profile_mark(m));
  REFUSED(code, barrow_snapshot(m, "misuse.snapshot"));
  REFUSED(code, barrow_samples_write(m, "misuse.samples"));
  REFUSED(code, barrow_retainer_of(m, wild, NULL, NULL, NULL));
  REFUSED(code, barrow_retainer_set_of(m, &place, &profile));
  REFUSED(code, barrow_why(m, wild, &steps, &count));
  REFUSED(code, barrow_moved_here(m, wild, &moved));
  REFUSED(code, barrow_moved_away(m, wild, &moved));
  REFUSED(code, barrow_space_begin(m, &options, &profile));
  REFUSED(code, barrow_space_end(m, 1));
  REFUSED(code, barrow_space_suspend(m));
  REFUSED(code, barrow_space_resume(m));
  REFUSED(code, barrow_space_point(m));
  REFUSED(code, barrow_ticky_counters(m, &counters));
  REFUSED(code, barrow_ticky_functions(m, &ticky, 1, &count));
  REFUSED(code, barrow_ticky_report(m, NULL));
  check_forget();
  CHECK(barrow_ticky_row(m, &function) != NULL); /* a place whose counts are lost */
  check_sentence(__FILE__, __LINE__, "barrow_ticky_row");
  CHECK(count == 7 && profile == 7 && steps == NULL); /* out-pointers are written on success only */
}

/* Every function that takes a heap, with one that cannot be used. */
static void all_with_heap(barrow_heap *heap, barrow_status code) {
  barrow_census_band_t band;
  barrow_census_totals_t totals;
  barrow_retainer_set_t set;
  barrow_space_totals_t space;
  barrow_space_function_t function;
  barrow_space_kind_t kind;
  void *objects[1];
  size_t count = 7, other = 7;
  uint32_t number = 7;
  uint64_t ticks = 7;
  double seconds = 7;
  char name[8] = "";
  objects[0] = wild;
  band.size = (uint32_t)sizeof band;
  totals.size = (uint32_t)sizeof totals;
  set.size = (uint32_t)sizeof set;
  space.size = (uint32_t)sizeof space;
  function.size = (uint32_t)sizeof function;
  kind.size = (uint32_t)sizeof kind;
  REFUSED(code, barrow_biography_samples(heap, 'b', &count));
  REFUSED(code, barrow_biography_sample(heap, 'b', 0, &seconds, &count));
  REFUSED(code, barrow_biography_band(heap, 'b', 0, 0, &band, name, sizeof name));
  REFUSED(code, barrow_census_totals(heap, &totals));
  REFUSED(code, barrow_census_count(heap, 'T', &count));
  REFUSED(code, barrow_census_band(heap, 'T', 0, &band, name, sizeof name));
  REFUSED(code, barrow_retainers_by(heap, NULL));
  REFUSED(code, barrow_retainer_sets(heap, &count));
  REFUSED(code, barrow_retainer_set(heap, 1, &set));
  REFUSED(code, barrow_retainer_name(heap, 1, 0, name, sizeof name, &count));
  REFUSED(code, barrow_retainer_set_add(heap, 0, 1, &number));
  ANSWERS(false, barrow_retainer_set_has(heap, 1, 1));
  REFUSED(code, barrow_retainer_set_member(heap, 1, 0, &number));
  REFUSED(code, barrow_retainer_text(heap, 1, true, name, sizeof name, &count));
  REFUSED(code, barrow_retainer_sets_refresh(heap));
  REFUSED(code, barrow_retainer_sets_free(heap));
  REFUSED(code, barrow_space_forget(heap));
  REFUSED(code, barrow_space_totals(heap, &space));
  REFUSED(code, barrow_space_function(heap, 0, &function, name, sizeof name));
  REFUSED(code, barrow_space_kind(heap, 0, 0, 0, &kind));
  REFUSED(code, barrow_space_caller(heap, 0, &count, &other, &ticks));
  REFUSED(code, barrow_space_report(heap, "misuse.space", 't'));
  REFUSED(code, barrow_statics_add(heap, objects, 1, false));
  REFUSED(code, barrow_statics_add_section(heap, wild, sizeof wild, false));
  ANSWERS((size_t)0, (size_t)barrow_kept_caf(heap, 0));
  ANSWERS((size_t)0, barrow_cafs(heap));
  REFUSED(code, barrow_use_table(heap, &static_info));
  ANSWERS((size_t)0, (size_t)barrow_table(heap, BARROW_IND));
  CHECK(count == 7 && other == 7 && number == 7 && ticks == 7 && seconds == 7);
}

static void handles_that_are_none(void) {
  toy t = toy_new("");
  all_with_mutator(NULL, BARROW_E_ARG);
  all_with_mutator(WILD(barrow_mutator), BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)(size_t)0x1000, BARROW_E_ARG); /* nothing is mapped there */
  all_with_mutator((barrow_mutator *)((char *)t.m + 8), BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)t.heap, BARROW_E_ARG);
  all_with_heap(NULL, BARROW_E_ARG);
  all_with_heap(WILD(barrow_heap), BARROW_E_ARG);
  all_with_heap((barrow_heap *)(size_t)0x1000, BARROW_E_ARG);
  all_with_heap((barrow_heap *)t.m, BARROW_E_ARG);
  toy_free(t);
}

static void handles_that_are_dead(void) {
  toy t = toy_new("");
  barrow_mutator *gone = t.m;
  CHECK_OK(barrow_detach(t.m));
  all_with_mutator(gone, BARROW_E_STATE);
  CHECK_OK(barrow_attach(t.heap, &t.m));
  toy_free(t);
  all_with_mutator(t.m, BARROW_E_STATE);
  all_with_heap(t.heap, BARROW_E_STATE);
}

static void *in_another_thread(void *m) {
  all_with_mutator((barrow_mutator *)m, BARROW_E_STATE);
  return NULL;
}

static void the_wrong_thread(void) {
  toy t = toy_new("");
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, in_another_thread, t.m), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  toy_free(t);
}

static toy running;
static int seen;

static void misusing_roots(void *client, barrow_visitor *visitor) {
  (void)client, (void)visitor;
  seen++;
  all_with_mutator(running.m, BARROW_E_STATE);
  all_with_heap(running.heap, BARROW_E_STATE);
}

static void inside_callbacks(void) {
  barrow_config config;
  barrow_config_init(&config);
  config.roots = misusing_roots;
  running = toy_new_with(&config, "");
  seen = 0;
  CHECK_OK(barrow_collect(running.m, true));
  CHECK(seen > 0);
  toy_free(running);
}

/* ---- arguments of a live heap -------------------------------------------------------------------------------------- */

static void cost_centres(void) {
  toy t = toy_new("");
  static barrow_cc centre; /* its size is 0 */
  barrow_ccs *current = barrow_ccs_special(0);
  const barrow_ccs *none[1] = {NULL};
  barrow_cost_row row;
  size_t count = 7;
  uint32_t stacks = barrow_ccs_count();
  REFUSED(BARROW_E_ARG, barrow_cc_register(NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_cc_register(&centre, 1));
  REFUSED(BARROW_E_ARG, barrow_cc_names(~0u, NULL, NULL, NULL));
  ANSWERS((size_t)0, (size_t)barrow_ccs_special(99));
  ANSWERS((size_t)0, (size_t)barrow_ccs_of_number(~0u));
  ANSWERS((size_t)0, (size_t)barrow_ccs_push(current, NULL));
  ANSWERS((size_t)0, (size_t)barrow_ccs_push(NULL, &centre));
  ANSWERS((size_t)current, (size_t)barrow_ccs_enter_slow(t.m, NULL));
  ANSWERS((size_t)current, (size_t)barrow_ccs_enter_slow(t.m, &centre));
  ANSWERS((size_t)current, (size_t)barrow_ccs_enter_caf(t.m, NULL));
  ANSWERS((size_t)current, (size_t)barrow_ccs_enter_function_slow(t.m, WILD(barrow_ccs)));
  REFUSED(BARROW_E_ARG, barrow_ccs_leave_slow(t.m, WILD(barrow_ccs)));
  REFUSED(BARROW_E_ARG, barrow_ccs_print(t.m, WILD(barrow_ccs)));
  REFUSED(BARROW_E_ARG, barrow_exception(t.m, NULL, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_exception(t.m, "error", NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_exception(t.m, "error", none, 1));
  REFUSED(BARROW_E_ARG, barrow_cost_report(t.m, "misuse.prof", 99));
  REFUSED(BARROW_E_ARG, barrow_cost_report(t.m, "", BARROW_COST_ALL));
  REFUSED(BARROW_E_ARG, barrow_cost_ticks(t.m, -1));
  REFUSED(BARROW_E_ARG, barrow_cost_ticks(t.m, 1e9));
  REFUSED(BARROW_E_ARG, barrow_costs(t.m, NULL, 1, &count));
  row.size = 4;
  REFUSED(BARROW_E_ABI, barrow_costs(t.m, &row, 1, &count));
  CHECK_EQ(count, 7);
  CHECK_EQ(barrow_ccs_count(), stacks); /* nothing was made on the way */
  CHECK_EQ(barrow_retainer_of_ccs(NULL), 0);
  CHECK_EQ(barrow_retainer_of_ccs(WILD(barrow_ccs)), 0);
  toy_free(t);
}

static void censuses_and_profiles(void) {
  toy t = toy_new("");
  barrow_census_band_t band;
  barrow_census_totals_t totals;
  double seconds;
  size_t count = 7;
  char name[4];
  band.size = totals.size = 4;
  CHECK_OK(barrow_census(t.m));
  REFUSED(BARROW_E_ARG, barrow_census_totals(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_census_totals(t.heap, &totals));
  REFUSED(BARROW_E_ARG, barrow_census_count(t.heap, 'T', NULL));
  REFUSED(BARROW_E_ARG, barrow_census_count(t.heap, '?', &count));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'T', 0, NULL, name, sizeof name));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'T', 0, &band, name, sizeof name));
  band.size = (uint32_t)sizeof band;
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'T', 99, &band, name, sizeof name));
  check_forget();
  CHECK(barrow_biography_samples(t.heap, 'b', &count) != BARROW_OK); /* none was taken */
  check_sentence(__FILE__, __LINE__, "barrow_biography_samples");
  CHECK(barrow_biography_sample(t.heap, '?', 0, &seconds, &count) != BARROW_OK);
  CHECK(barrow_biography_band(t.heap, 'b', 0, 0, NULL, name, sizeof name) == BARROW_E_ARG);
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hQ"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-A1m"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, ""));
  REFUSED(BARROW_E_STATE, barrow_profile_mark(t.m));
  CHECK_OK(barrow_profile_stop(t.m)); /* without one nothing happens */
  REFUSED(BARROW_E_ARG, barrow_snapshot(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_samples_write(t.m, NULL));
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, "/nowhere/at/all"));
  CHECK_EQ(count, 7);
  toy_free(t);
}

static void retainers(void) {
  toy t = toy_new("");
  barrow_retainer_scheme scheme;
  barrow_retainer_set_t set;
  uint32_t number = 7;
  size_t count = 7;
  char name[4];
  void *nowhere = NULL;
  memset(&scheme, 0, sizeof scheme);
  scheme.size = 4;
  set.size = 4;
  REFUSED(BARROW_E_ARG, barrow_retainers_by(t.heap, &scheme));
  REFUSED(BARROW_E_STATE, barrow_retainer_sets(t.heap, &count)); /* no census has made any */
  REFUSED(BARROW_E_ARG, barrow_retainer_of(t.m, NULL, NULL, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_of(t.m, NULL, &number));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_of(t.m, &nowhere, &number));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_of(t.m, &nowhere, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_add(t.heap, 99, 1, &number));
  CHECK_OK(barrow_retainer_set_add(t.heap, 0, 1, &number));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_add(t.heap, 0, 1, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_sets(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, 0, &set));
  REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, number, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, number, &set));
  ANSWERS(false, barrow_retainer_set_has(t.heap, 99, 1));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_member(t.heap, number, 99, &number));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_member(t.heap, number, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_name(t.heap, number, 99, name, sizeof name, &count));
  REFUSED(BARROW_E_ARG, barrow_retainer_text(t.heap, 1, false, NULL, 4, &count));
  REFUSED(BARROW_E_ARG, barrow_retainer_text(t.heap, 1, false, name, sizeof name, NULL));
  CHECK_EQ(count, 7);
  CHECK_OK(barrow_retainer_sets_refresh(t.heap));
  CHECK_OK(barrow_retainer_sets_free(t.heap));
  toy_free(t);
}

static void space(void) {
  toy t = toy_new("");
  barrow_space_options options;
  barrow_space_totals_t totals;
  barrow_space_function_t function;
  barrow_space_kind_t kind;
  size_t index = 7;
  uint64_t ticks;
  uint32_t profile = 7;
  memset(&options, 0, sizeof options);
  totals.size = function.size = kind.size = 4;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, NULL, &profile));
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options.size = (uint32_t)sizeof options;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, NULL));
  options.manner = ~0u;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options.manner = 0;
  options.points_bytes = ~(size_t)0;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  CHECK_EQ(profile, 7);
  REFUSED(BARROW_E_STATE, barrow_space_end(t.m, 99));
  REFUSED(BARROW_E_STATE, barrow_space_suspend(t.m));
  REFUSED(BARROW_E_STATE, barrow_space_resume(t.m));
  REFUSED(BARROW_E_STATE, barrow_space_point(t.m));
  REFUSED(BARROW_E_ARG, barrow_space_totals(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_space_totals(t.heap, &totals));
  REFUSED(BARROW_E_ARG, barrow_space_function(t.heap, 0, NULL, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_space_function(t.heap, 0, &function, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 0, 0, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 0, 0, 0, &kind));
  REFUSED(BARROW_E_STATE, barrow_space_caller(t.heap, 0, &index, &index, &ticks)); /* there are no results */
  REFUSED(BARROW_E_ARG, barrow_space_report(t.heap, NULL, 't'));
  REFUSED(BARROW_E_STATE, barrow_space_report(t.heap, "misuse.space", 't'));
  CHECK_OK(barrow_space_forget(t.heap));
  CHECK_EQ(index, 7);
  CHECK_EQ(barrow_walk_code(NULL, NULL, NULL, 4), 0);
  CHECK_EQ(barrow_walk_frames(NULL, NULL, NULL, 4), 0);
  CHECK_EQ(barrow_walk_frames(NULL, WILD(barrow_mutator), NULL, 4), 0);
  CHECK_EQ(barrow_walk_stack(NULL, NULL, NULL, 4), 0);
  CHECK_EQ(barrow_walk_stack(NULL, WILD(barrow_mutator), NULL, 4), 0);
  toy_free(t);
}

static void ticky(void) {
  toy t = toy_new("");
  static barrow_ticky_function function; /* its size is 0 */
  barrow_ticky counters;
  barrow_ticky_row_t row;
  size_t count = 7;
  REFUSED(BARROW_E_ARG, barrow_ticky_register(NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&function, 1));
  SAYS((void)barrow_ticky_row(t.m, NULL));
  SAYS((void)barrow_ticky_row(t.m, &function));
  REFUSED(BARROW_E_ARG, barrow_ticky_counters(t.m, NULL));
  counters.size = 0;
  CHECK(barrow_ticky_counters(t.m, &counters) != BARROW_OK);
  REFUSED(BARROW_E_ARG, barrow_ticky_functions(t.m, NULL, 1, &count));
  row.size = 4;
  REFUSED(BARROW_E_ABI, barrow_ticky_functions(t.m, &row, 1, &count));
  CHECK_EQ(count, 7);
  REFUSED(BARROW_E_IO, barrow_ticky_report(t.m, "/nowhere/at/all"));
  ANSWERS(-1, barrow_ticky_offset(NULL));
  CHECK_EQ(barrow_ticky_offset("nothing"), -1);
  toy_free(t);
}

/* Functions that a profiler will call keep their module. */
static void functions_of_profilers_stay(void) {
  static struct { char code[64]; } module;
  barrow_retainer_scheme scheme;
  barrow_space_options options;
  uint32_t which, profile = 0;
  toy t = toy_new("");
#define GOES_AS(code) CHECK_EQ(barrow_module_unregister(t.m, &module, sizeof module), code)
#define IN_MODULE(field, at)                                     \
  do {                                                           \
    void *address = &module.code[at];                            \
    memcpy(&(field), &address, sizeof(field));                   \
  } while (0)
  for (which = 0; which < 5; which++) {
    memset(&scheme, 0, sizeof scheme);
    scheme.size = (uint32_t)sizeof scheme;
    if (which == 0) IN_MODULE(scheme.is_retainer, 0);
    if (which == 1) IN_MODULE(scheme.identity, 8);
    if (which == 2) IN_MODULE(scheme.name, 16);
    if (which == 3) IN_MODULE(scheme.cost, 24);
    if (which == 4) IN_MODULE(scheme.hash, 63);
    CHECK_OK(barrow_retainers_by(t.heap, &scheme));
    GOES_AS(BARROW_E_STATE);
    CHECK(strstr(barrow_last_error(), "barrow_retainers_by") != NULL);
    CHECK_OK(barrow_retainers_by(t.heap, NULL));
    GOES_AS(BARROW_OK);
  }
  for (which = 0; which < 4; which++) {
    memset(&options, 0, sizeof options);
    options.size = (uint32_t)sizeof options;
    if (which == 0) IN_MODULE(options.manner_of, 0);
    if (which == 1) IN_MODULE(options.column_of, 8);
    if (which == 2) IN_MODULE(options.name_of, 16);
    if (which == 3) IN_MODULE(options.walk, 24);
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    GOES_AS(BARROW_E_STATE);
    CHECK(strstr(barrow_last_error(), "space profile that runs") != NULL);
    CHECK_OK(barrow_space_end(t.m, profile));
    GOES_AS(BARROW_OK);
  }
#undef IN_MODULE
#undef GOES_AS
  check_forget();
  toy_free(t);
}

int main(void) {
  RUN(handles_that_are_none);
  RUN(handles_that_are_dead);
  RUN(the_wrong_thread);
  RUN(inside_callbacks);
  RUN(cost_centres);
  RUN(censuses_and_profiles);
  RUN(retainers);
  RUN(space);
  RUN(ticky);
  RUN(functions_of_profilers_stay);
  return DONE;
}
