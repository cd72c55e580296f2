/* Every call that several threads may make at once, from eight of them at once; and the others, which refuse. Its counterpart
 * is tests/header_threads.rs, which reads the names that stand here. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#include "stack_map.h"
#include "tasks.h"
#include <barrow/ticky.h>
#include <unistd.h>

#define THREADS 8
#define DID(call) MUST(w, (call) == BARROW_OK)
/* Refused, and the heap goes on. */
#define NOT(call) MUST(w, (call) != BARROW_OK)

INFO(cell_bytes_info, BARROW_BYTES, 0, 0, 0, 0, 0, NULL, NULL);
INFO(weak_array_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(lazy_info, BARROW_THUNK, 0, 0, 0, 1, 0, NULL, NULL);
INFO(caf_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, NULL, NULL);

static const char *const few_flags[] = {"-A256k", "-DS -A256k --stress=499", "-c -A128k --source=chunks", "-A128k -G3 --old=copy"};

/* ---- objects, stores, the nursery ------------------------------------------------------------------------------------ */

static void tell_a_root(void *client, barrow_visitor *visitor) { barrow_visit(visitor, (void **)client); }

static void objects(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; void *array, *bytes, *cell, *more; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 4, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_word *at;
    size_t *hp, *hp_lim;
    void *callback_root;
    r.array = barrow_array_init(barrow_alloc(m, barrow_array_words(200)), &array_info, 200);
    r.bytes = toy_bytes(m, 80);
    r.cell = barrow_alloc_slow(m, 4);
    memcpy(r.cell, r.kept, 32);
    barrow_set_header(r.cell, &cell_info);
    at = barrow_alloc_slow_for(m, 4, (const void *)few_flags);
    memcpy(at, r.kept, 32);
    MUST(w, barrow_reserve_slow(m, 8));
    at = barrow_bump(m, 8);
    memcpy(at, r.kept, 32);
    memcpy(at + 4, r.kept, 32);
    MUST(w, barrow_heap_of(m) == w->heap);
    MUST(w, barrow_object_words(w->heap, r.kept) == 4 && barrow_in_heap(w->heap, r.kept));
    MUST(w, barrow_generation_of(w->heap, r.kept) >= 0);
    DID(barrow_array_fill(m, r.array, 0, 200, r.kept));
    DID(barrow_array_copy(m, r.array, 100, r.array, 50, 50));
    MUST(w, barrow_array_elements(r.array)[149] == (void *)r.kept);
    ((node *)r.cell)->left = r.kept->right;
    barrow_wrote(m, r.cell, &((node *)r.cell)->left);
    ((node *)r.cell)->right = r.kept->left;
    DID(barrow_record_slot(m, &((node *)r.cell)->right));
    DID(barrow_record_mutable(m, r.cell));
    DID(barrow_record_old_to_new(m, r.array));
    barrow_remember_slow(m, (barrow_word)&((node *)r.cell)->left);
    barrow_wrote_word(m, r.cell, (barrow_word *)&((node *)r.cell)->left);
    DID(barrow_record_word_slot(m, (size_t *)&((node *)r.cell)->left));
    DID(barrow_shrink(m, r.bytes, 8));
    DID(barrow_become(m, r.bytes, &cell_bytes_info));
    MUST(w, barrow_object_words(w->heap, r.bytes) == 3);
    DID(barrow_open_nursery(m, &hp, &hp_lim));
    if (hp + 4 <= hp_lim) memcpy(hp, r.kept, 32), hp += 4;
    if (i % 2 && barrow_extend_nursery(m, &hp, &hp_lim)) DID(barrow_close_nursery(m, hp));
    if (i % 2 == 0) DID(barrow_close_nursery(m, hp));
    callback_root = r.kept;
    if (barrow_wants_gc(m) || i % 4 == 3) DID(barrow_collect_with(m, i % 32 == 3, tell_a_root, &callback_root));
    else callback_root = r.kept;
    MUST(w, callback_root == (void *)r.kept);
    DID(barrow_check_frames(m));
    DID(barrow_attach_llvm_frames(m, NULL));
    DID(barrow_external_bytes(m, 64));
    DID(barrow_external_bytes(m, -64));
    MUST(w, nodes_of(w, r.kept, 1) == 15 && nodes_of(w, (node *)((node *)r.cell)->left, 3) == 7);
  }
  BARROW_LEAVE(m, r);
}

/* Roots that only the call's own function tells, while all collect: most of them wait for the collection of another. */
static void tells(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    node *kept = tree(w, m, 3, 1);
    DID(barrow_collect_with(m, i % 8 == 0, tell_a_root, &kept));
    MUST(w, nodes_of(w, kept, 1) == 7);
  }
}

/* ---- handles, names, weak pointers ------------------------------------------------------------------------------------ */

static void ended(barrow_mutator *m, void *data, void *key, void *value) {
  (void)m, (void)key, (void)value;
  __atomic_add_fetch((size_t *)data, 1, __ATOMIC_SEQ_CST);
}
static void run_one(void *client, barrow_mutator *m, void *finalizer, void *key, void *value) {
  (void)m, (void)finalizer, (void)key, (void)value;
  __atomic_add_fetch((size_t *)client, 1, __ATOMIC_SEQ_CST);
}

static void references(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; void *weak, *other, *array, *name; } r;
  size_t *functions = (size_t *)w->shared, i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 3, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_handle *handle = NULL;
    void *finalizer = NULL;
    bool added = false;
    uint64_t hash = barrow_identity_hash(m, r.kept);
    size_t stable = barrow_stable_new(m, r.kept);
    void *named[1];
    DID(barrow_handle_new(m, r.kept, &handle));
    r.name = barrow_stable_name(m, r.kept);
    r.array = barrow_weak_array_init(barrow_alloc(m, barrow_weak_array_words(9)), &weak_array_info, 9);
    DID(barrow_weak_array_set(m, r.array, 8, r.kept));
    r.weak = barrow_weak_new(m, r.kept, NULL, NULL);
    r.other = barrow_weak_new(m, r.name, r.kept, r.kept);
    DID(barrow_weak_set_function(m, r.weak, ended, functions, &added));
    MUST(w, added);
    if (i % 8 == 1) DID(barrow_collect(m, i % 16 == 1));
    MUST(w, barrow_identity_hash(m, r.kept) == hash && barrow_stable_name(m, r.kept) == r.name);
    MUST(w, barrow_stable_get(m, stable) == (void *)r.kept && (node *)barrow_handle_get(handle) == r.kept);
    DID(barrow_handle_set(m, handle, r.array));
    MUST(w, barrow_weak_array_get(r.array, 8) == (void *)r.kept);
    DID(barrow_weak_finalize(m, r.weak, &finalizer));
    DID(barrow_weak_finalize(m, r.other, &finalizer));
    MUST(w, finalizer == (void *)r.kept);
    DID(barrow_stable_free(m, stable));
    DID(barrow_handle_free(m, handle));
    if (barrow_finalizers_due(m) > 0 || i % 2 == 0) barrow_run_finalizers(m, run_one, functions, 2);
    MUST(w, barrow_weak_count(m) < 100000);
    named[0] = r.kept;
    DID(barrow_root_add(w->heap, "one", named, 1, false));
    DID(barrow_root_remove(w->heap, named));
    MUST(w, nodes_of(w, r.kept, 1) == 7);
  }
  BARROW_LEAVE(m, r);
}

/* ---- lazy evaluation, statics ------------------------------------------------------------------------------------------- */

static void *lazy_one(barrow_mutator *m) {
  barrow_word *at = barrow_alloc(m, 3);
  at[0] = (barrow_word)&lazy_info, at[1] = 0, at[2] = 7;
  return at;
}

static void lazies(task *w, barrow_mutator *m) {
  static barrow_word cafs[THREADS][4], sections[THREADS][4], code[THREADS][2];
  struct { barrow_frame frame; void *x, *hole, *value; } r;
  void *own[1] = {cafs[w->number]};
  map calls = map_of(code[w->number], 24, 5);
  size_t i;
  BARROW_ENTER(m, r);
  memset(cafs[w->number], 0, sizeof cafs[0]);
  memset(sections[w->number], 0, sizeof sections[0]);
  cafs[w->number][0] = sections[w->number][0] = (barrow_word)&caf_info;
  DID(barrow_statics_add(w->heap, own, 1, true));
  DID(barrow_statics_add_section(w->heap, sections[w->number], sizeof sections[0], true));
  NOT(barrow_statics_add_section(w->heap, sections[w->number], sizeof sections[0], true)); /* told already */
  DID(barrow_stack_maps_register(w->heap, &calls, sizeof calls, false));
  r.value = toy_node(m, NULL, NULL, w->number);
  r.hole = barrow_alloc(m, 2);
  ((barrow_word *)r.hole)[0] = (barrow_word)barrow_table(w->heap, BARROW_CAF_BLACKHOLE), ((barrow_word *)r.hole)[1] = 0;
  DID(barrow_new_caf(m, own[0], r.hole));
  MUST(w, barrow_cafs(w->heap) > 0 && barrow_kept_caf(w->heap, 0) != NULL);
  DID(barrow_update(m, r.hole, r.value));
  for (i = 0; i < w->rounds; i++) {
    r.x = lazy_one(m);
    DID(barrow_blackhole_slow(m, r.x));
    MUST(w, !barrow_claim_slow(m, r.x));
    DID(barrow_update_slow(m, r.x, r.value));
    DID(barrow_update_permanent(m, r.x, r.value));
    DID(barrow_wait_for(m, r.x));
    r.x = lazy_one(m);
    MUST(w, barrow_claim_slow(m, r.x));
    DID(barrow_update_permanent(m, r.x, r.value));
    if (i % 8 == 2) DID(barrow_collect(m, false));
    NOT(barrow_thread_enter(m, r.value)); /* no thread */
    NOT(barrow_thread_leave(m, r.value));
  }
  MUST(w, ((node *)barrow_indirectee(own[0])) != NULL);
  BARROW_LEAVE(m, r);
}

/* ---- the heap's parts, what tells of it ------------------------------------------------------------------------------- */

/* Each thread keeps all others still, at the same time as these do. */
static void looks_at_all(task *w, barrow_mutator *m, bool with_files) {
  char file[40];
  DID(barrow_census(m));
  DID(barrow_check(m));
  if (!with_files) return;
  sprintf(file, "threads_calls.%lu", (unsigned long)w->number);
  DID(barrow_snapshot(m, file));
  DID(barrow_ticky_report(m, file));
  remove(file);
}

static void figures(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 6, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_stats_t stats;
    barrow_heap_state_t state;
    barrow_generation_state_t generation;
    barrow_step_state_t step;
    barrow_census_totals_t totals;
    barrow_census_band_t band;
    barrow_moved moved;
    barrow_bdescr *group = NULL;
    const barrow_held *steps = NULL;
    char text[80];
    size_t count = 0;
    memset(&stats, 0, sizeof stats), stats.size = (uint32_t)sizeof stats;
    memset(&state, 0, sizeof state), state.size = (uint32_t)sizeof state;
    memset(&generation, 0, sizeof generation);
    memset(&step, 0, sizeof step);
    memset(&totals, 0, sizeof totals), totals.size = (uint32_t)sizeof totals;
    memset(&band, 0, sizeof band), band.size = (uint32_t)sizeof band;
    memset(&moved, 0, sizeof moved), moved.size = (uint32_t)sizeof moved;
    DID(barrow_stats(w->heap, &stats));
    DID(barrow_heap_state(w->heap, &state));
    DID(barrow_generation_state(w->heap, 0, &generation));
    DID(barrow_step_state(w->heap, 0, 0, &step));
    DID(barrow_flag_value(w->heap, "-A", text, sizeof text));
    MUST(w, text[0] != 0);
    DID(barrow_audit(w->heap));
    DID(barrow_alloc_group(w->heap, 3, &group));
    DID(barrow_free_group(w->heap, group));
    if (i == 0) MUST(w, barrow_get_megablocks(w->heap, 1) != NULL);
    if (i == 0 || i % 8 == w->number) looks_at_all(w, m, i == 0);
    (void)barrow_census_totals(w->heap, &totals); /* none is there yet, or the last one of anybody */
    (void)barrow_census_count(w->heap, 'y', &count);
    if (count > 0) (void)barrow_census_band(w->heap, 'y', 0, &band, text, sizeof text);
    (void)barrow_moved_here(m, r.kept, &moved);
    (void)barrow_moved_away(m, r.kept, &moved);
    NOT(barrow_why(m, r.kept, &steps, &count)); /* others have roots */
    MUST(w, nodes_of(w, r.kept, 1) == 63);
  }
  BARROW_LEAVE(m, r);
}

/* What takes one mutator, or a profile that does not run, is refused. */
static void refused(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    size_t count = 0;
    NOT(barrow_space_end(m, 1));
    NOT(barrow_module_unregister(m, &caf_info, sizeof caf_info));
    NOT(barrow_stack_maps_unregister(m, &caf_info));
    NOT(barrow_stack_maps_register(w->heap, "no maps", 8, false));
    NOT(barrow_use_table(w->heap, &lazy_info));
    NOT(barrow_heap_free(w->heap));
    NOT(barrow_biography_samples(w->heap, 'T', &count));
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

/* ---- profiles that threads share ---------------------------------------------------------------------------------------- */

/* Others may have ended the profile, forgotten its results, or begun another one meanwhile. */
static void maybe(task *w, barrow_status status, const char *call) {
  if (status != BARROW_OK && status != BARROW_E_STATE && status != BARROW_E_ARG) task_failed(w, call);
}
#define MAYBE(call) maybe(w, (call), #call)

/* How many marks found a profile to mark. */
static size_t marked;

/* One profile runs in a heap: a thread that starts one ends that of another, and any thread marks it or stops it. */
static void profiles(task *w, barrow_mutator *m) {
  static barrow_cc centre = BARROW_CC("profiles", "Calls", NULL);
  static barrow_cost_row costs[THREADS][100];
  struct { barrow_frame frame; node *kept; } r;
  char file[60];
  size_t i, count = 0;
  sprintf(file, "threads_calls.%lu.profile", (unsigned long)w->number);
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 5, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_ccs *before = barrow_ccs_enter(m, &centre);
    barrow_ticky counters;
    barrow_ticky_row_t functions[4];
    barrow_status mark;
    tree(w, m, 3, 1);
    barrow_ccs_leave(m, before);
    DID(barrow_profile_start(m, "-hd -i0.01"));
    tree(w, m, 4, 1);
    mark = barrow_profile_mark(m);
    MUST(w, mark == BARROW_OK || mark == BARROW_E_STATE); /* another has stopped it */
    if (mark == BARROW_OK) __atomic_add_fetch(&marked, 1, __ATOMIC_SEQ_CST);
    DID(barrow_profile_stop(m));
    costs[w->number][0].size = (uint32_t)sizeof costs[0][0];
    DID(barrow_costs(m, costs[w->number], 100, &count));
    MUST(w, count > 0);
    DID(barrow_cost_report(m, file, BARROW_COST_ALL));
    memset(&counters, 0, sizeof counters), counters.size = (uint32_t)sizeof counters;
    DID(barrow_ticky_counters(m, &counters));
    memset(functions, 0, sizeof functions), functions[0].size = (uint32_t)sizeof functions[0];
    DID(barrow_ticky_functions(m, functions, 4, &count));
    DID(barrow_samples_write(m, file));
    DID(barrow_cost_ticks(m, 0.01));
    DID(barrow_revert_cafs(m));
    remove(file);
    MUST(w, nodes_of(w, r.kept, 1) == 31);
  }
  BARROW_LEAVE(m, r);
}

static size_t callers_told;

/* A function of its own and a caller, at each tick. */
static size_t walk_two(void *client, barrow_mutator *m, void **functions, size_t room) {
  (void)m;
  if (room < 2) return 0;
  functions[0] = client;
  functions[1] = &callers_told;
  return 2;
}

static const char *name_of_walked(void *client, void *function) { return function == client ? "running" : "caller"; }

/* Each thread begins profiles, one inside those of the others, and ends its own when those inside it have ended. */
static void spaces(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    barrow_space_options options;
    barrow_space_totals_t totals;
    barrow_space_function_t function;
    barrow_space_kind_t kind;
    size_t parent = 0, who = 0, tries = 0;
    uint64_t ticks = 0;
    uint32_t profile = 0;
    barrow_status caller;
    char file[60], name[40];
    memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options;
    options.manner = i % 2 ? BARROW_MANNER_SPACE : BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
    if (i % 2 == 0) options.manner |= BARROW_MANNER_TIME, options.tick_us = 200, options.depth = 1;
    options.walk = walk_two, options.name_of = name_of_walked, options.client = &marked;
    DID(barrow_space_begin(m, &options, &profile));
    r.kept = tree(w, m, 5, 1);
    DID(barrow_space_suspend(m));
    tree(w, m, 3, 1);
    DID(barrow_space_resume(m));
    if (i % 3 == w->number % 3) DID(barrow_space_point(m));
    while (barrow_space_end(m, profile) != BARROW_OK && tries++ < 100000) {
      DID(barrow_enter_foreign(m));
      usleep(100);
      DID(barrow_leave_foreign(m));
    }
    memset(&totals, 0, sizeof totals), totals.size = (uint32_t)sizeof totals;
    memset(&function, 0, sizeof function), function.size = (uint32_t)sizeof function;
    memset(&kind, 0, sizeof kind), kind.size = (uint32_t)sizeof kind;
    MAYBE(barrow_space_totals(w->heap, &totals));
    MAYBE(barrow_space_function(w->heap, 0, &function, name, sizeof name));
    MAYBE(barrow_space_kind(w->heap, 0, 0, 0, &kind));
    caller = barrow_space_caller(w->heap, 0, &parent, &who, &ticks);
    MAYBE(caller);
    if (caller == BARROW_OK) __atomic_add_fetch(&callers_told, 1, __ATOMIC_SEQ_CST);
    sprintf(file, "threads_calls.%lu.space", (unsigned long)w->number);
    MAYBE(barrow_space_report(w->heap, file, 'f'));
    remove(file);
    if (i % 8 == 7 || i == w->rounds - 1) DID(barrow_space_forget(w->heap));
    MUST(w, nodes_of(w, r.kept, 1) == 31);
  }
  BARROW_LEAVE(m, r);
}

static void biographies(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept, *dies, *fills; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 4, 1);
  for (i = 0; i < w->rounds; i++) {
    size_t count = 0, bands = 0;
    double seconds = 0;
    barrow_census_band_t band;
    char name[40];
    r.dies = tree(w, m, 1, 1);
    r.fills = tree(w, m, 1, 1);
    barrow_used(m, r.kept);
    MUST(w, barrow_biography_slow(m, r.kept) != NULL);
    DID(barrow_record_dead(m, r.dies, 4));
    DID(barrow_record_dead_fill_slop(m, r.fills));
    r.dies = r.fills = NULL;
    if (i % 8 == w->number || i == 0) DID(barrow_census(m));
    DID(barrow_biography_samples(w->heap, 'b', &count));
    memset(&band, 0, sizeof band), band.size = (uint32_t)sizeof band;
    if (count) DID(barrow_biography_sample(w->heap, 'b', count - 1, &seconds, &bands));
    if (bands) DID(barrow_biography_band(w->heap, 'b', count - 1, 0, &band, name, sizeof name));
    tree(w, m, 5, 1);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 15);
  BARROW_LEAVE(m, r);
}

/* The store of sets is the heap's: any thread empties it while others ask. */
static void retainers(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 4, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_retainer_set_t set;
    bool retains = false;
    uint32_t retainer = 0, number = 0, member = 0;
    uint64_t cost = 0;
    size_t count = 0, length = 0;
    char name[60];
    memset(&set, 0, sizeof set), set.size = (uint32_t)sizeof set;
    MAYBE(barrow_retainers_by(w->heap, NULL));
    MAYBE(barrow_retainer_sets_refresh(w->heap));
    MAYBE(barrow_retainer_of(m, r.kept, &retains, &retainer, &cost));
    MAYBE(barrow_retainer_set_add(w->heap, 0, retainer, &number));
    (void)barrow_retainer_set_has(w->heap, number, retainer);
    MAYBE(barrow_retainer_set_member(w->heap, number, 0, &member));
    MAYBE(barrow_retainer_sets(w->heap, &count));
    MAYBE(barrow_retainer_set(w->heap, number, &set));
    MAYBE(barrow_retainer_name(w->heap, number, 0, name, sizeof name, &length));
    MAYBE(barrow_retainer_text(w->heap, retainer, false, name, sizeof name, &length));
    MAYBE(barrow_retainer_set_of(m, (void **)&r.kept, &number));
    if (i % 16 == 15) MAYBE(barrow_retainer_sets_free(w->heap));
    tree(w, m, 4, 1);
    DID(barrow_safepoint(m));
  }
  MUST(w, nodes_of(w, r.kept, 1) == 15);
  BARROW_LEAVE(m, r);
}

/* Threads make and free heaps of their own at the same time. */
static void heaps(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    barrow_config config;
    barrow_heap *heap = NULL;
    barrow_mutator *own = NULL;
    barrow_config_init(&config);
    config.flags = i % 2 ? "-A256k --mutators=3" : "-A256k";
    DID(barrow_heap_new(&config, &heap, &own));
    tree(w, own, 8, 1);
    DID(barrow_collect(own, true));
    DID(barrow_heap_free(heap));
    DID(barrow_safepoint(m));
  }
}

/* ---- what belongs to no heap -------------------------------------------------------------------------------------------- */

static barrow_cc centres[3] = {BARROW_CC("one", "Calls", NULL), BARROW_CC("two", "Calls", NULL), BARROW_CC_OF_CAF("caf", "Calls", NULL)};
static barrow_ticky_function entered = BARROW_TICKY_FUNCTION("entered", "Calls", 0, "", "fun", "", 0);

static void names(task *w, barrow_mutator *m) {
  static uint64_t counters[THREADS][2];
  char file[60];
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    const char *label = NULL, *module = NULL, *source = NULL;
    barrow_config config;
    barrow_coverage *coverage = NULL;
    barrow_coverage_options options;
    barrow_coverage_module own = BARROW_COVERAGE_MODULE("Calls", 5, counters[w->number]);
    barrow_mix_options mix_options;
    barrow_mix *mix = NULL;
    barrow_box box;
    barrow_ccs *pushed;
    uint32_t minor = 99, hash = 0;
    size_t boxes = 0;
    int32_t argc = 3;
    char program[] = "p", rts[] = "+RTS", flag[] = "-A1m", line[40], *argv[4];
    argv[0] = program, argv[1] = rts, argv[2] = flag, argv[3] = NULL;
    DID(barrow_cc_register(centres, 3));
    pushed = barrow_ccs_push(barrow_ccs_special(BARROW_CCS_MAIN), &centres[i % 2]);
    MUST(w, pushed != NULL && barrow_ccs_of_number(pushed->number) == pushed && barrow_ccs_count() > pushed->number);
    DID(barrow_cc_names(centres[0].id, &label, &module, &source));
    MUST(w, strcmp(label, "one") == 0 && strcmp(module, "Calls") == 0);
    (void)barrow_retainer_of_ccs(pushed);
    barrow_ccs_enter_slow(m, &centres[0]);
    DID(barrow_ccs_leave_slow(m, barrow_ccs_special(BARROW_CCS_MAIN)));
    barrow_ccs_enter_caf(m, &centres[2]);
    barrow_ccs_enter_function_slow(m, pushed);
    DID(barrow_ccs_leave_slow(m, barrow_ccs_special(BARROW_CCS_MAIN)));
    DID(barrow_cost_tick(m, 1));
    DID(barrow_exception(m, "none", NULL, 0));
    DID(barrow_ticky_register(&entered, 1));
    MUST(w, barrow_ticky_row(m, &entered) != NULL && barrow_ticky_offset("ent_fun") != 0);
    MUST(w, barrow_window_offset("hp") == 0 && barrow_version() != NULL);
    MUST(w, barrow_abi_version(&minor) == BARROW_ABI_MAJOR && barrow_function_table(BARROW_ABI_MAJOR, 0) != NULL);
    DID(barrow_config_default(&config, sizeof config));
    NOT(barrow_info_check((const barrow_info *)1));
    MUST(w, barrow_last_status() == BARROW_E_ARG && strstr(barrow_last_error(), "info table") != NULL);
    MUST(w, strcmp(barrow_status_name(9), "BARROW_E_LOOP") == 0);
    DID(barrow_take_flags(&argc, argv, line, sizeof line));
    MUST(w, argc == 1 && strcmp(line, "-A1m") == 0);
    sprintf(file, "threads_calls.%lu.tix", (unsigned long)w->number);
    memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options, options.file = file;
    DID(barrow_coverage_new(&options, &coverage));
    DID(barrow_coverage_register(coverage, &own, 1));
    counters[w->number][1]++;
    DID(barrow_coverage_check(coverage));
    DID(barrow_coverage_write(coverage));
    MUST(w, strstr(barrow_coverage_file(coverage), file) != NULL);
    DID(barrow_coverage_unregister(coverage, &own, 1));
    barrow_coverage_forget(coverage);
    DID(barrow_coverage_free(coverage));
    remove(file);
    sprintf(file, "threads_calls.%lu.mix", (unsigned long)w->number);
    memset(&mix_options, 0, sizeof mix_options), mix_options.size = (uint32_t)sizeof mix_options;
    mix_options.file = file, mix_options.source = "a.toy", mix_options.tab_width = 4;
    DID(barrow_mix_begin(&mix_options, &mix));
    memset(&box, 0, sizeof box), box.size = (uint32_t)sizeof box, box.kind = BARROW_BOX_EXPRESSION;
    box.first_line = box.first_column = box.last_line = box.last_column = 1;
    DID(barrow_mix_add(mix, &box, &boxes));
    if (i % 2) {
      DID(barrow_mix_cancel(mix));
    } else {
      DID(barrow_mix_end(mix, &hash, &boxes));
    }
    remove(file);
    DID(barrow_safepoint(m));
  }
}

/* One coverage for all threads, and one module that all count in. */
static barrow_coverage *covered;
static uint64_t all_counted[2];

/* Each thread tells and takes back a module of its own, counts in both, and writes the file of all. */
static void covers(task *w, barrow_mutator *m) {
  static const char *const modules[THREADS] = {"A", "B", "C", "D", "E", "F", "G", "H"};
  static uint64_t counters[THREADS][2];
  barrow_coverage_module own = BARROW_COVERAGE_MODULE("", 7, counters[w->number]);
  size_t i;
  own.name = modules[w->number];
  for (i = 0; i < w->rounds; i++) {
    DID(barrow_coverage_register(covered, &own, 1));
    BARROW_TICK_SHARED(counters[w->number], 1);
    BARROW_TICK_SHARED(all_counted, 0);
    DID(barrow_coverage_check(covered));
    if (i % 4 == w->number % 4) DID(barrow_coverage_write(covered));
    MUST(w, strstr(barrow_coverage_file(covered), "threads_calls.tix") != NULL);
    DID(barrow_coverage_unregister(covered, &own, 1));
    DID(barrow_safepoint(m));
  }
}

/* What eight threads do, once all of them are there. */
static void (*body_of_eight)(task *, barrow_mutator *);
static size_t come_of_eight;
static void when_all_are_there(task *w, barrow_mutator *m) {
  all_come(w, m, &come_of_eight);
  body_of_eight(w, m);
}

static void from_eight(const char *flags, size_t rounds, void (*body)(task *, barrow_mutator *)) {
  char line[200];
  size_t counted = 0;
  task like = task_of(rounds);
  toy t;
  sprintf(line, "--mutators=%d %.100s", THREADS + 1, flags);
  t = toy_new(line);
  like.shared = &counted;
  body_of_eight = body, come_of_eight = 0;
  in_threads(t, THREADS, like, when_all_are_there);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

static void in_each_heap(size_t rounds, void (*body)(task *, barrow_mutator *)) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++)
    from_eight(few_flags[i], strstr(few_flags[i], "-DS") ? rounds / 10 + 1 : slow_share(rounds), body);
}

static void objects_from_eight(void) { in_each_heap(100, objects); }
static void roots_told_from_eight(void) { from_eight("-A256k", 200, tells); }
static void references_from_eight(void) { in_each_heap(100, references); }
static void lazies_from_eight(void) { in_each_heap(100, lazies); }
static void figures_from_eight(void) { in_each_heap(16, figures); }
static void names_from_eight(void) { from_eight("-A1m", slow_share(50), names); }

/* What was written to the standard error stream, but for words on profiles that were too short for a sample. */
static void pass_words_on(const char *path) {
  char line[300];
  FILE *words = fopen(path, "r");
  CHECK(words != NULL);
  while (words && fgets(line, sizeof line, words))
    if (!strstr(line, "profile has no")) fputs(line, stderr);
  if (words) fclose(words);
  remove(path);
}

static void remove_profiles(void) {
  char file[60] = "threads_calls.hp";
  unsigned long number;
  for (number = 2; remove(file) == 0; number++) sprintf(file, "threads_calls.%lu.hp", number);
  remove("threads_calls.prof");
  remove("threads_calls.ticky");
  remove("threads_calls.pprof");
}

static void profiles_with(const char *flags, size_t rounds) {
  int before = dup(2);
  marked = 0;
  fflush(stderr);
  CHECK(freopen("threads_calls.words", "w", stderr) != NULL);
  from_eight(flags, rounds, profiles);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  pass_words_on("threads_calls.words");
  CHECK(marked > 0);
  remove_profiles();
}

static void profiles_from_eight(void) {
  profiles_with("-A256k -p -r -po./threads_calls --sample-every=4k", slow_share(40));
  profiles_with("-A256k -DS -p -r -po./threads_calls --sample-every=4k", slow_share(10));
}

/* No tick is lost, whoever writes it. */
static void one_coverage_for_eight(void) {
  static char written[2000];
  barrow_coverage_module all = BARROW_COVERAGE_MODULE("All", 5, all_counted);
  barrow_coverage_options options;
  size_t rounds = slow_share(40), length;
  char wanted[60], name;
  FILE *file;
  memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options, options.file = "threads_calls.tix";
  remove("threads_calls.tix");
  CHECK_OK(barrow_coverage_new(&options, &covered));
  CHECK_OK(barrow_coverage_register(covered, &all, 1));
  from_eight("-A1m", rounds, covers);
  CHECK_OK(barrow_coverage_free(covered));
  file = fopen("threads_calls.tix", "r");
  length = file ? fread(written, 1, sizeof written - 1, file) : 0;
  if (file) fclose(file);
  written[length] = 0;
  sprintf(wanted, "\"All\" 5 2 [%lu,0]", (unsigned long)(THREADS * rounds));
  CHECK(strstr(written, wanted) != NULL);
  for (name = 'A'; name < 'A' + THREADS; name++) {
    sprintf(wanted, "\"%c\" 7 2 [0,%lu]", name, (unsigned long)rounds);
    CHECK(strstr(written, wanted) != NULL);
  }
  remove("threads_calls.tix");
}

static void spaces_from_eight(void) {
  size_t more;
  callers_told = 0;
  in_each_heap(20, spaces);
  /* The clock is a thread, which a busy machine may keep from running. */
  for (more = 0; more < 50 && callers_told == 0; more++) from_eight("-A256k", 20, spaces);
  CHECK(callers_told > 0);
}
static void biographies_from_eight(void) {
  from_eight("-A256k -hb -i0 -po./threads_calls", slow_share(60), biographies);
  from_eight("-A256k -hb -i0 -DS -po./threads_calls", slow_share(20), biographies);
  remove("threads_calls.hp");
}
static void retainers_from_eight(void) { from_eight("-A256k", slow_share(200), retainers); }
static void heaps_from_eight(void) { from_eight("-A256k", slow_share(10), heaps); }
static void refused_from_eight(void) { from_eight("-A1m", slow_share(100), refused); }

/* With one mutator attached, the way from a root is found. */
static void one_asks_why(void) {
  toy t = toy_new("--mutators=2");
  struct { barrow_frame frame; node *kept; } r;
  const barrow_held *steps = NULL;
  size_t count = 0;
  BARROW_ENTER(t.m, r);
  r.kept = toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_why(t.m, r.kept, &steps, &count));
  CHECK(count > 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(objects_from_eight);
  RUN(roots_told_from_eight);
  RUN(references_from_eight);
  RUN(lazies_from_eight);
  RUN(figures_from_eight);
  RUN(names_from_eight);
  RUN(one_coverage_for_eight);
  RUN(profiles_from_eight);
  RUN(spaces_from_eight);
  RUN(biographies_from_eight);
  RUN(retainers_from_eight);
  RUN(heaps_from_eight);
  RUN(refused_from_eight);
  RUN(one_asks_why);
  return DONE;
}
