/* Calls on objects, roots and the heap that several threads may make at once, from eight of them at once; and others, which refuse.
 * threads_reports.c has those of profilers and of no heap. Their counterpart is tests/header_threads.rs, which reads the names that
 * stand here. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#include "from_eight.h"
#include "stack_map.h"

INFO(cell_bytes_info, BARROW_BYTES, 0, 0, 0, 0, 0, NULL, NULL);
INFO(weak_array_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(lazy_info, BARROW_THUNK, 0, 0, 0, 1, 0, NULL, NULL);
INFO(caf_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, NULL, NULL);

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

/* Moves of which a checked heap has told. */
static size_t moves_told;

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
    barrow_status status;
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
    /* The last census of anybody: each thread has had one. */
    DID(barrow_census_totals(w->heap, &totals));
    MUST(w, totals.number > 0 && totals.live_objects >= 63 && totals.live_bytes >= 63 * 32);
    DID(barrow_census_count(w->heap, 'y', &count));
    MUST(w, count > 0);
    DID(barrow_census_band(w->heap, 'y', 0, &band, text, sizeof text));
    MUST(w, text[0] != 0 && band.bytes > 0);
    DID(barrow_flag_value(w->heap, "-DS", text, sizeof text));
    if (strcmp(text, "on") == 0) {
      DID(barrow_moved_here(m, r.kept, &moved));
      MUST(w, moved.collection == 0 || moved.to == (void *)r.kept);
      if (moved.collection > 0) __atomic_add_fetch(&moves_told, 1, __ATOMIC_SEQ_CST);
      DID(barrow_moved_away(m, r.kept, &moved));
      MUST(w, moved.collection == 0 || moved.from == (void *)r.kept);
    } else {
      NOT(barrow_moved_here(m, r.kept, &moved));
      NOT(barrow_moved_away(m, r.kept, &moved));
    }
    status = barrow_why(m, r.kept, &steps, &count);
    MUST(w, status == BARROW_OK ? count == 2 : status == BARROW_E_STATE); /* others may have collected first */
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
    NOT(barrow_stack_maps_unregister(m, &caf_info));
    NOT(barrow_stack_maps_register(w->heap, "no maps", 8, false));
    NOT(barrow_use_table(w->heap, &lazy_info));
    NOT(barrow_heap_free(w->heap));
    NOT(barrow_biography_samples(w->heap, 'T', &count));
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
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

static void objects_from_eight(void) { in_each_heap(100, objects); }
static void roots_told_from_eight(void) { from_eight("-A256k", 200, tells); }
static void references_from_eight(void) { in_each_heap(100, references); }
static void lazies_from_eight(void) { in_each_heap(100, lazies); }
static void figures_from_eight(void) {
  in_each_heap(16, figures);
  CHECK(moves_told > 0);
}
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

/* The chains of LLVM's code: a list of the main thread's, and one of another thread's. */
static void *llvm_chains[2];

static bool is_refused(barrow_status status) {
  bool refused = status == BARROW_E_STATE && strstr(barrow_last_error(), "is attached to another mutator, 0x") != NULL;
  check_forget();
  return refused;
}

/* The main thread has the first chain. */
static void takes_another(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < 2; i++) {
    MUST(w, is_refused(barrow_attach_llvm_frames(m, &llvm_chains[0])));
    MUST(w, barrow_attach_llvm_frames(m, i == 0 ? &llvm_chains[1] : NULL) == BARROW_OK);
  }
  MUST(w, barrow_collect(m, true) == BARROW_OK);
}

static void takes_it(task *w, barrow_mutator *m) {
  MUST(w, barrow_attach_llvm_frames(m, &llvm_chains[0]) == BARROW_OK);
  MUST(w, barrow_collect(m, true) == BARROW_OK);
}

/* LLVM has one chain for all threads, so one mutator of a heap has it, until it detaches it or goes. */
static void one_has_the_chain(void) {
  toy t = toy_new("--mutators=2"), alone = toy_new("");
  size_t i;
  for (i = 0; i < 2; i++) {
    CHECK_OK(barrow_attach_llvm_frames(t.m, &llvm_chains[0]));
    CHECK_OK(barrow_attach_llvm_frames(t.m, &llvm_chains[0]));
    in_threads(t, 1, task_of(0), takes_another);
    CHECK_OK(barrow_attach_llvm_frames(t.m, i == 0 ? NULL : &llvm_chains[1]));
    in_threads(t, 1, task_of(0), takes_it);
  }
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  CHECK_OK(barrow_attach_llvm_frames(alone.m, &llvm_chains[0]));
  CHECK_OK(barrow_attach_llvm_frames(alone.m, NULL));
  toy_free(alone);
  toy_free(t);
}

int main(void) {
  RUN(objects_from_eight);
  RUN(roots_told_from_eight);
  RUN(references_from_eight);
  RUN(lazies_from_eight);
  RUN(figures_from_eight);
  RUN(heaps_from_eight);
  RUN(refused_from_eight);
  RUN(one_asks_why);
  RUN(one_has_the_chain);
  return DONE;
}
