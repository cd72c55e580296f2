/* Calls with a heap and no mutator, from eight threads at once: four that have no mutator of the heap, and four whose mutator is in
 * foreign code. Two more threads allocate and collect, with profiles. tests/header_threads.rs looks for each such call here. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define STEM "threads-outside"
#include "files.h"
#include "from_eight.h"
#include "stack_map.h"

INFO(caf_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, NULL, NULL);

enum { STATICS = 40 };
static barrow_word cafs[THREADS][STATICS][4], sections[THREADS][STATICS][4];
static map maps[THREADS];
static int is_over;
static size_t laps[THREADS];

#define FRESH(name) memset(&name, 0, sizeof name), name.size = (uint32_t)sizeof name
#define EITHER(call) either((call), #call, __LINE__)
static bool either(barrow_status status, const char *call, int line) {
  if (!is_noted(status, call, __FILE__, (size_t)line)) check_failed(__FILE__, line, call, barrow_last_error());
  return status == BARROW_OK;
}

static void of_the_heap(barrow_heap *heap) {
  barrow_stats_t stats;
  barrow_heap_state_t state;
  barrow_generation_state_t generation;
  barrow_step_state_t step;
  barrow_bdescr *group = NULL;
  void *root[1] = {NULL};
  char text[80];
  FRESH(stats), FRESH(state);
  memset(&generation, 0, sizeof generation), memset(&step, 0, sizeof step);
  CHECK_OK(barrow_stats(heap, &stats));
  CHECK_OK(barrow_heap_state(heap, &state));
  CHECK_OK(barrow_generation_state(heap, 0, &generation));
  CHECK_OK(barrow_step_state(heap, 0, 0, &step));
  CHECK_OK(barrow_flag_value(heap, "-A", text, sizeof text));
  CHECK_OK(barrow_audit(heap));
  CHECK_OK(barrow_alloc_group(heap, 3, &group));
  CHECK(group != NULL);
  CHECK_OK(barrow_free_group(heap, group));
  CHECK_OK(barrow_root_add(heap, "root", root, 1, false));
  CHECK_OK(barrow_root_remove(heap, root));
  CHECK(!barrow_in_heap(heap, root) && barrow_generation_of(heap, root) == -1);
  CHECK_EQ(barrow_object_words(heap, root), 0);
  CHECK(barrow_table(heap, BARROW_CAF_BLACKHOLE) != NULL);
}

/* What is told once. */
static void of_statics(barrow_heap *heap, size_t number, size_t lap) {
  void *own[1];
  if (lap >= STATICS) return;
  own[0] = cafs[number][lap];
  cafs[number][lap][0] = sections[number][lap][0] = (barrow_word)&caf_info;
  CHECK_OK(barrow_statics_add(heap, own, 1, true));
  CHECK_OK(barrow_statics_add_section(heap, sections[number][lap], sizeof sections[0][0], true));
  /* None has been entered. */
  CHECK(barrow_cafs(heap) == 0 && barrow_kept_caf(heap, 0) == NULL);
  if (lap == 0) {
    maps[number] = map_of((const char *)(void *)cafs + number, 24, 5);
    EITHER(barrow_stack_maps_register(heap, &maps[number], sizeof maps[number], false));
    CHECK(barrow_get_megablocks(heap, 1) != NULL);
  }
}

static void of_the_last_census(barrow_heap *heap) {
  barrow_census_totals_t totals;
  barrow_census_band_t band;
  size_t count = 0, bands = 0;
  double seconds = 0;
  char text[80];
  FRESH(totals), FRESH(band);
  if (EITHER(barrow_census_totals(heap, &totals)) && EITHER(barrow_census_count(heap, 'y', &count)) && count > 0)
    EITHER(barrow_census_band(heap, 'y', count - 1, &band, text, sizeof text));
  if (EITHER(barrow_biography_samples(heap, 'b', &count)) && count > 0 && EITHER(barrow_biography_sample(heap, 'b', 0, &seconds, &bands)) && bands > 0)
    EITHER(barrow_biography_band(heap, 'b', 0, 0, &band, text, sizeof text));
}

static void of_retainers(barrow_heap *heap, size_t lap) {
  barrow_retainer_set_t set;
  size_t count = 0, length = 0;
  uint32_t member = 0, larger = 0;
  char text[80];
  FRESH(set);
  if (lap % 16 == 0) EITHER(barrow_retainers_by(heap, NULL));
  if (EITHER(barrow_retainer_sets(heap, &count)) && count > 2) {
    EITHER(barrow_retainer_set(heap, 2, &set));
    EITHER(barrow_retainer_name(heap, 2, 0, text, sizeof text, &length));
    if (EITHER(barrow_retainer_set_member(heap, 2, 0, &member))) {
      EITHER(barrow_retainer_text(heap, member, true, text, sizeof text, &length));
      if (EITHER(barrow_retainer_set_add(heap, 2, member, &larger))) (void)barrow_retainer_set_has(heap, larger, member);
    }
  }
  if (lap % 32 == 5) EITHER(barrow_retainer_sets_refresh(heap));
  if (lap % 64 == 9) EITHER(barrow_retainer_sets_free(heap));
}

static void of_space(barrow_heap *heap, size_t number, size_t lap) {
  barrow_space_totals_t totals;
  barrow_space_function_t function;
  barrow_space_kind_t kind;
  size_t parent = 0, who = 0;
  uint64_t ticks = 0;
  char text[80];
  FRESH(totals), FRESH(function), FRESH(kind);
  EITHER(barrow_space_totals(heap, &totals));
  EITHER(barrow_space_function(heap, 0, &function, text, sizeof text));
  EITHER(barrow_space_kind(heap, 0, 0, 0, &kind));
  (void)barrow_space_caller(heap, 0, &parent, &who, &ticks); /* there are callers where a walk found some */
  if (lap % 16 == 3) {
    sprintf(text, STEM ".%lu", (unsigned long)number);
    EITHER(barrow_space_report(heap, text, 'f'));
    remove(text);
  }
  if (lap % 32 == 7) EITHER(barrow_space_forget(heap));
}

static toy of_all;
static void *calls_from_outside(void *given) {
  size_t number = (size_t)given, lap;
  barrow_mutator *m = NULL;
  if (number >= THREADS / 2) {
    CHECK_OK(barrow_attach(of_all.heap, &m));
    CHECK_OK(barrow_enter_foreign(m));
  }
  for (lap = 0; lap < 4 || !__atomic_load_n(&is_over, __ATOMIC_SEQ_CST); lap++) {
    of_the_heap(of_all.heap);
    of_statics(of_all.heap, number, lap);
    of_the_last_census(of_all.heap);
    of_retainers(of_all.heap, lap);
    of_space(of_all.heap, number, lap);
  }
  laps[number] = lap;
  if (m) {
    CHECK_OK(barrow_leave_foreign(m));
    CHECK_OK(barrow_detach(m));
  }
  return NULL;
}

static bool has_own_profiles;

/* Allocates, and takes samples and ends profiles in between. */
static void works(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    struct { barrow_frame frame; node *kept; } r;
    const bool profiles = has_own_profiles && w->number == 0 && i % 8 == 2;
    barrow_space_options options;
    uint32_t profile = 0;
    FRESH(options);
    options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
    if (profiles) MUST(w, barrow_space_begin(m, &options, &profile) == BARROW_OK);
    BARROW_ENTER(m, r);
    r.kept = tree(w, m, 6, 1);
    if (i % 8 == 0) MUST(w, barrow_collect(m, i % 32 == 0) == BARROW_OK);
    if (i % 16 == 4) MUST(w, barrow_census(m) == BARROW_OK);
    MUST(w, nodes_of(w, r.kept, 1) == 63);
    BARROW_LEAVE(m, r);
    if (profiles) MUST(w, barrow_space_end(m, profile) == BARROW_OK);
  }
}

static void calls_beside_collections(void) {
  static const char *const flags[] = {"-A256k", "-DS -A256k", "-A256k -c --workers=2!", "-A128k --source=chunks -G3",
                                      "-hb -hy -i0 -A256k -po" STEM, "-hr -i0 -A256k -po" STEM, "--space -A256k -po" STEM};
  size_t f, i;
  for (f = 0; f < sizeof flags / sizeof *flags; f++) {
    pthread_t threads[THREADS];
    of_all = shared_heap(flags[f]);
    is_over = 0, has_own_profiles = *flags[f] == '-' && flags[f][1] == 'A';
    memset(cafs, 0, sizeof cafs), memset(sections, 0, sizeof sections);
    for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, calls_from_outside, (void *)i), 0);
    in_threads(of_all, 2, task_of(20 + slow_share(400)), works);
    CHECK_OK(barrow_check(of_all.m));
    CHECK_OK(barrow_enter_foreign(of_all.m));
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    for (i = 0; i < THREADS; i++) {
      CHECK_EQ(pthread_join(threads[i], NULL), 0);
      CHECK(laps[i] >= 4);
    }
    CHECK_OK(barrow_leave_foreign(of_all.m));
    CHECK_OK(barrow_collect(of_all.m, true));
    toy_free(of_all);
    removed(".hp"), removed(".prof"), removed(".biography"), removed(".space");
  }
}

int main(void) {
  alarm(240);
  RUN(calls_beside_collections);
  each_call_succeeds();
  return DONE;
}
