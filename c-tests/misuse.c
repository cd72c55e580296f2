/* Misuse of heaps, mutators, objects and roots: bad handles and bad arguments give a code and a sentence, never a crash.
 * misuse_profilers.c and misuse_others.c have the rest of the exports; tests/misuse.rs holds them against the list of all. */
#include "toy.h"
#include <pthread.h>

/* A void function: a new sentence is all that it can say. */
#define SAYS(call) (check_forget(), (call), check_sentence(__FILE__, __LINE__, #call))

static void no_roots(void *client, barrow_visitor *visitor) {
  (void)client;
  (void)visitor;
}

static void no_finalizer(barrow_mutator *m, void *data, void *key, void *value) {
  (void)m;
  (void)data;
  (void)key;
  (void)value;
}

/* Every function that takes a mutator, with one that cannot be used. */
static void all_with_mutator(barrow_mutator *m, barrow_status code) {
  static barrow_word thing[4];
  barrow_word *hp = thing, *hp_lim = thing;
  barrow_handle *handle = NULL;
  ANSWERS((size_t)0, (size_t)barrow_alloc_slow(m, 2));
  ANSWERS((size_t)0, (size_t)barrow_alloc_slow_for(m, 2, thing));
  ANSWERS(false, barrow_reserve_slow(m, 2));
  ANSWERS((size_t)0, (size_t)barrow_allocate(m, 2));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(m, 2, 8, 0));
  ANSWERS(false, barrow_wants_gc(m));
  REFUSED(code, barrow_open_nursery(m, &hp, &hp_lim));
  REFUSED(code, barrow_close_nursery(m, thing));
  ANSWERS(false, barrow_extend_nursery(m, &hp, &hp_lim));
  SAYS(barrow_remember_slow(m, (barrow_word)thing));
  SAYS(barrow_wrote(m, thing, thing + 1));
  SAYS(barrow_wrote_word(m, thing, thing + 1));
  REFUSED(code, barrow_record_slot(m, thing));
  REFUSED(code, barrow_record_word_slot(m, thing));
  REFUSED(code, barrow_record_mutable(m, thing));
  REFUSED(code, barrow_record_old_to_new(m, thing));
  REFUSED(code, barrow_become(m, thing, &node_info));
  REFUSED(code, barrow_shrink(m, thing, 0));
  REFUSED(code, barrow_array_copy(m, thing, 0, thing, 0, 1));
  REFUSED(code, barrow_array_fill(m, thing, 0, 1, NULL));
  REFUSED(code, barrow_collect(m, true));
  REFUSED(code, barrow_collect(m, false));
  REFUSED(code, barrow_collect_with(m, true, no_roots, NULL));
  REFUSED(code, barrow_check(m));
  REFUSED(code, barrow_external_bytes(m, 1));
  REFUSED(code, barrow_detach(m));
  ANSWERS((size_t)0, (size_t)barrow_heap_of(m));
  REFUSED(code, barrow_safepoint(m));
  REFUSED(code, barrow_enter_foreign(m));
  REFUSED(code, barrow_leave_foreign(m));
  REFUSED(code, barrow_attach_llvm_frames(m, NULL));
  REFUSED(code, barrow_check_frames(m));
  REFUSED(code, barrow_stack_maps_unregister(m, thing));
  REFUSED(code, barrow_stack_call(m, NULL, 0, 0, 0, NULL));
  REFUSED(code, barrow_stack_save(m, NULL));
  REFUSED(code, barrow_stack_restore(m, NULL));
  ANSWERS((size_t)0, (size_t)barrow_gc_alloc_slow(m, 2));
  ANSWERS(false, barrow_gc_reserve_slow(m, 2));
  SAYS(barrow_gc_collect(m, true));
  SAYS(barrow_gc_safepoint(m));
  REFUSED(code, barrow_module_unregister(m, thing, sizeof thing));
  REFUSED(code, barrow_handle_new(m, NULL, &handle));
  CHECK(handle == NULL);
  REFUSED(code, barrow_handle_set(m, handle, NULL));
  REFUSED(code, barrow_handle_free(m, handle));
  ANSWERS((size_t)0, (size_t)barrow_identity_hash(m, thing));
  ANSWERS((size_t)0, (size_t)barrow_stable_name(m, thing));
  ANSWERS((size_t)0, (size_t)barrow_stack_new(m, NULL, 64));
  REFUSED(code, barrow_stack_enter(m, NULL));
  ANSWERS(false, barrow_stack_grow(m, 4));
  CHECK_EQ(barrow_last_status(), code);
  ANSWERS(false, barrow_stack_reserve(m, 4));
  ANSWERS(false, barrow_stack_underflow(m));
  REFUSED(code, barrow_stack_check(m, thing));
  ANSWERS((size_t)0, (size_t)barrow_stack_find(m, &node_info, NULL));
  REFUSED(code, barrow_stack_cut(m, NULL));
  ANSWERS((size_t)0, (size_t)barrow_stack_capture(m, NULL));
  ANSWERS(false, barrow_stack_reinstate(m, thing));
  REFUSED(code, barrow_thread_enter(m, thing));
  REFUSED(code, barrow_thread_leave(m, thing));
  ANSWERS((size_t)0, (size_t)barrow_weak_new(m, thing, NULL, NULL));
  REFUSED(code, barrow_weak_set_function(m, thing, no_finalizer, NULL, NULL));
  REFUSED(code, barrow_weak_finalize(m, thing, NULL));
  REFUSED(code, barrow_weak_array_set(m, thing, 0, NULL));
  ANSWERS((size_t)0, barrow_run_finalizers(m, NULL, NULL, 0));
  ANSWERS(false, barrow_finalizers_due(m));
  ANSWERS((size_t)0, barrow_weak_count(m));
  ANSWERS((size_t)0, barrow_stable_new(m, NULL));
  ANSWERS((size_t)0, (size_t)barrow_stable_get(m, 1));
  REFUSED(code, barrow_stable_free(m, 1));
}

/* Every function that takes a heap, with one that cannot be used. */
static void all_with_heap(barrow_heap *heap, barrow_status code) {
  static barrow_word thing[4];
  barrow_bdescr *group = NULL;
  barrow_mutator *m = NULL;
  barrow_heap_state_t state;
  barrow_generation_state_t generation;
  barrow_step_state_t step;
  barrow_stats_t stats;
  char text[16] = "";
  state.size = (uint32_t)sizeof state;
  stats.size = (uint32_t)sizeof stats;
  REFUSED(code, barrow_stack_maps_register(heap, thing, sizeof thing, false));
  REFUSED(code, barrow_alloc_group(heap, 1, &group));
  CHECK(group == NULL);
  REFUSED(code, barrow_free_group(heap, (barrow_bdescr *)(void *)thing));
  ANSWERS((size_t)0, (size_t)barrow_get_megablocks(heap, 1));
  REFUSED(code, barrow_audit(heap));
  REFUSED(code, barrow_heap_free(heap));
  REFUSED(code, barrow_attach(heap, &m));
  /* Not since the thread has a mutator already. */
  CHECK(code == BARROW_E_ARG || strstr(barrow_last_error(), "callbacks must not") || strstr(barrow_last_error(), "no live heap"));
  CHECK(m == NULL);
  REFUSED(code, barrow_flag_value(heap, "-A", text, sizeof text));
  ANSWERS((size_t)0, barrow_object_words(heap, thing));
  ANSWERS(-1, barrow_generation_of(heap, thing));
  ANSWERS(false, barrow_in_heap(heap, thing));
  REFUSED(code, barrow_root_add(heap, NULL, thing, 1, false));
  REFUSED(code, barrow_root_remove(heap, thing));
  REFUSED(code, barrow_heap_state(heap, &state));
  REFUSED(code, barrow_generation_state(heap, 0, &generation));
  REFUSED(code, barrow_step_state(heap, 0, 0, &step));
  REFUSED(code, barrow_stats(heap, &stats));
}

static void null_handles(void) {
  all_with_mutator(NULL, BARROW_E_ARG);
  all_with_heap(NULL, BARROW_E_ARG);
}

static void wild_handles(void) {
  static barrow_word stack[64];
  toy t = toy_new("");
  all_with_mutator((barrow_mutator *)(void *)stack, BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)(size_t)0x1000, BARROW_E_ARG); /* nothing is mapped there */
  all_with_mutator((barrow_mutator *)~(size_t)7, BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)((char *)t.m + 8), BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)((char *)t.m + 1), BARROW_E_ARG);
  all_with_mutator((barrow_mutator *)t.heap, BARROW_E_ARG);
  all_with_heap((barrow_heap *)(void *)stack, BARROW_E_ARG);
  all_with_heap((barrow_heap *)(size_t)0x1000, BARROW_E_ARG);
  all_with_heap((barrow_heap *)((char *)t.heap + 64), BARROW_E_ARG);
  all_with_heap((barrow_heap *)t.m, BARROW_E_ARG);
  toy_free(t);
}

static void dead_handles(void) {
  toy t = toy_new(""), other;
  barrow_mutator *gone = t.m;
  CHECK_OK(barrow_detach(t.m));
  all_with_mutator(gone, BARROW_E_STATE);
  CHECK_OK(barrow_attach(t.heap, &t.m));
  CHECK(t.m != gone);
  other = toy_new("");
  toy_free(t);
  all_with_mutator(t.m, BARROW_E_STATE);
  all_with_heap(t.heap, BARROW_E_STATE);
  toy_free(other);
  all_with_mutator(t.m, BARROW_E_STATE);
  all_with_heap(t.heap, BARROW_E_STATE); /* a heap is not freed twice */
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
  CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
  toy_free(t);
}

/* ---- inside callbacks ------------------------------------------------------------------------------------------- */

static toy running;
static int seen;

static void misusing_roots(void *client, barrow_visitor *visitor) {
  static void *root;
  (void)client;
  seen++;
  all_with_mutator(running.m, BARROW_E_STATE);
  all_with_heap(running.heap, BARROW_E_STATE);
  barrow_visit(visitor, &root); /* this alone is allowed */
  /* Roots that are no words. */
  SAYS(barrow_visit(visitor, NULL));
  SAYS(barrow_visit(visitor, (void **)(void *)((char *)&root + 1)));
  SAYS(barrow_visit_word(visitor, NULL));
  SAYS(barrow_visit_named(visitor, "none", NULL, 3));
  SAYS(barrow_visit_named(visitor, "many", &root, ~(size_t)0));
  SAYS(barrow_visit_words(visitor, NULL, (size_t *)8 + 1, ~(size_t)0 / 8));
  barrow_visit_named(visitor, "empty", NULL, 0);
  barrow_visit_words(visitor, "empty", NULL, 0);
}

static void misusing_event(void *client, const barrow_event *event) {
  (void)client;
  (void)event;
  seen++;
  all_with_mutator(running.m, BARROW_E_STATE);
  all_with_heap(running.heap, BARROW_E_STATE);
}

static void inside_callbacks(void) {
  barrow_config config;
  barrow_config_init(&config);
  config.roots = misusing_roots;
  config.event = misusing_event;
  running = toy_new_with(&config, "-DS");
  seen = 0;
  CHECK_OK(barrow_collect(running.m, false));
  CHECK_OK(barrow_collect_with(running.m, true, misusing_roots, NULL));
  CHECK(seen >= 7);
  toy_free(running);
}

static void odd_misused(const void *from, void *to) {
  (void)from;
  (void)to;
  seen++;
  all_with_mutator(running.m, BARROW_E_STATE);
}
static size_t odd_words(const void *object) {
  (void)object;
  return 2;
}
static void odd_visit(void *object, barrow_visitor *visitor) {
  (void)object;
  (void)visitor;
}
static const barrow_custom odd = {sizeof(barrow_custom), 0, odd_words, odd_visit, odd_misused, NULL};
INFO(odd_info, BARROW_CUSTOM, BARROW_FLAG_NOTIFY_MOVED, 0, 0, 0, 0, NULL, &odd);

static void inside_a_custom_kind(void) {
  struct { barrow_frame frame; barrow_word *odd; } r;
  running = toy_new("");
  BARROW_ENTER(running.m, r);
  r.odd = barrow_alloc(running.m, 2);
  r.odd[0] = (barrow_word)&odd_info;
  r.odd[1] = 0;
  seen = 0;
  CHECK_OK(barrow_collect(running.m, false));
  CHECK_EQ(seen, 1);
  BARROW_LEAVE(running.m, r);
  toy_free(running);
}

static void visitors(void) {
  void *root = NULL;
  size_t word = 0;
  SAYS(barrow_visit(NULL, &root));
  SAYS(barrow_visit_word(NULL, &word));
  SAYS(barrow_visit_named(NULL, "name", &root, 1));
  SAYS(barrow_visit_words(NULL, "name", &word, 1));
  SAYS(CHECK(barrow_visit_value(NULL, &word) == &word));
  SAYS(CHECK_EQ(barrow_visit_value_word(NULL, 8), 8));
}

/* ---- making heaps -------------------------------------------------------------------------------------------------- */

static void configurations(void) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  REFUSED(BARROW_E_ARG, barrow_heap_new(NULL, &heap, &m));
  barrow_config_init(&config);
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, NULL, &m));
  config.abi_major = BARROW_ABI_MAJOR + 1;
  REFUSED(BARROW_E_ABI, barrow_heap_new(&config, &heap, &m));
  barrow_config_init(&config);
  config.size = 8;
  REFUSED(BARROW_E_ABI, barrow_heap_new(&config, &heap, &m));
  REFUSED(BARROW_E_ARG, barrow_config_default(NULL, sizeof config));
  REFUSED(BARROW_E_ABI, barrow_config_default(&config, sizeof config - 1));
#define GEOMETRY(field, words)                                  \
  barrow_config_init(&config);                                  \
  config.geometry.field *= 2;                                   \
  REFUSED(BARROW_E_ABI, barrow_heap_new(&config, &heap, &m));   \
  CHECK(strstr(barrow_last_error(), words) != NULL)
  GEOMETRY(block_bytes, "8192 bytes in a block, where this library has 4096: compile");
  GEOMETRY(megablock_bytes, "2097152 bytes in a megablock, where this library has 1048576: ");
  GEOMETRY(descriptor_bytes, "128 bytes in a block's descriptor, where this library has 64: ");
  GEOMETRY(max_inline_words, "512 words in the largest inline object, where this library has 256: ");
  GEOMETRY(max_reserve_words, "8192 words in the largest reservation, where this library has 4096: ");
  config.geometry.card_elements *= 2; /* two differences in one sentence */
  REFUSED(BARROW_E_ABI, barrow_heap_new(&config, &heap, &m));
  CHECK(strstr(barrow_last_error(), "4096, and for 256 elements on a card, where this library has 128: ") != NULL);
  barrow_config_init(&config);
  config.object_alignment = 12;
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, &m));
  barrow_config_init(&config);
  config.tagged_pointers = 0x0002; /* says that bit 3 matters, which is address */
  config.address_mask = ~(size_t)7;
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, &m));
  config.tagged_pointers = 0x0202;
  config.address_mask = 0;
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, &m));
  CHECK(heap == NULL && m == NULL); /* out-pointers are written on success only */
}

static void flags(void) {
  static const char *const wrong[] = {"-Q", "-A", "-Ax", "-A1x", "-A-1m", "-A1", "-A1e99t", "-Anan", "-G0", "-G9", "-G2.5",
    "-T0", "-T8", "-F0", "-F1", "-Finf", "-m91", "-m-1", "-M1k", "-n1", "-n2m", "-O", "--stress=0", "--stress=x", "--seed=-1",
    "--source=disk", "--huge-pages=perhaps", "-xr1", "-DQ", "-DSx", "A1m", "-", "--", "-A1m -Q", "-Fdx", "\xff\xfe", "-Hx"};
  barrow_config config;
  barrow_heap *heap = NULL;
  size_t i;
  barrow_config_init(&config);
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    config.flags = wrong[i];
    check_case = wrong[i];
    REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, NULL));
  }
  check_case = "flags";
  CHECK(heap == NULL);
}

static void flag_values_and_command_lines(void) {
  toy t = toy_new("");
  char text[8] = "", program[] = "p", *argv[] = {program, NULL};
  int32_t argc = 1;
  REFUSED(BARROW_E_ARG, barrow_flag_value(t.heap, NULL, text, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_flag_value(t.heap, "-Q", text, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_flag_value(t.heap, "\xff", text, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_flag_value(t.heap, "-A", NULL, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_flag_value(t.heap, "-A", text, 0));
  CHECK_OK(barrow_flag_value(t.heap, "-A", text, 3)); /* what does not fit is cut */
  CHECK_EQ(strlen(text), 2);
  REFUSED(BARROW_E_ARG, barrow_take_flags(NULL, argv, text, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_take_flags(&argc, NULL, text, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_take_flags(&argc, argv, NULL, sizeof text));
  REFUSED(BARROW_E_ARG, barrow_take_flags(&argc, argv, text, 0));
  CHECK(strstr(barrow_flags_help(), "-A") != NULL);
  toy_free(t);
}

static void mutators(void) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL, *second = NULL;
  barrow_config_init(&config);
  CHECK_OK(barrow_heap_new(&config, &heap, NULL)); /* the mutator comes later */
  REFUSED(BARROW_E_ARG, barrow_attach(heap, NULL));
  CHECK_OK(barrow_attach(heap, &m));
  REFUSED(BARROW_E_STATE, barrow_attach(heap, &second));
  CHECK(second == NULL);
  REFUSED(BARROW_E_STATE, barrow_leave_foreign(m));
  CHECK_OK(barrow_heap_free(heap));
}

/* ---- sizes and places ------------------------------------------------------------------------------------------ */

static void sizes(void) {
  toy t = toy_new("-M1g");
  barrow_word *hp = NULL, *hp_lim = NULL;
  size_t i, huge[] = {0, ~(size_t)0, ~(size_t)0 / 8, (size_t)1 << 60, ((size_t)1 << 40) + 1};
  for (i = 0; i < 5; i++) {
    ANSWERS((size_t)0, (size_t)barrow_alloc_slow(t.m, huge[i]));
    ANSWERS((size_t)0, (size_t)barrow_alloc_slow_for(t.m, huge[i], NULL));
    ANSWERS((size_t)0, (size_t)barrow_allocate(t.m, huge[i]));
    ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, huge[i], 8, 0));
    if (i) ANSWERS(false, barrow_reserve_slow(t.m, huge[i]));
  }
  ANSWERS((size_t)0, (size_t)barrow_alloc(t.m, (size_t)1 << 39)); /* possible, but not within the limit */
  ANSWERS(false, barrow_reserve(t.m, BARROW_MAX_RESERVE_WORDS + 1));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, 4, 0, 0));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, 4, 3, 0));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, 4, 8192, 0));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, 4, 8, 32));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, 4, 8, 4));
  REFUSED(BARROW_E_ARG, barrow_open_nursery(t.m, NULL, &hp_lim));
  REFUSED(BARROW_E_ARG, barrow_open_nursery(t.m, &hp, NULL));
  REFUSED(BARROW_E_STATE, barrow_close_nursery(t.m, hp));
  CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
  REFUSED(BARROW_E_ARG, barrow_close_nursery(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_close_nursery(t.m, hp_lim + 1));
  REFUSED(BARROW_E_ARG, barrow_close_nursery(t.m, hp - 1));
  REFUSED(BARROW_E_ARG, barrow_close_nursery(t.m, (barrow_word *)((char *)hp + 1)));
  ANSWERS(false, barrow_extend_nursery(t.m, NULL, &hp_lim));
  ANSWERS(false, barrow_extend_nursery(t.m, &hp, NULL));
  hp = hp_lim + 1;
  ANSWERS(false, barrow_extend_nursery(t.m, &hp, &hp_lim));
  CHECK_OK(barrow_close_nursery(t.m, barrow_window_of(t.m)->hp));
  toy_free(t);
}

static void sizes_of_aligned_objects(void) {
  barrow_config config;
  toy t;
  barrow_config_init(&config);
  config.object_alignment = 16;
  t = toy_new_with(&config, "");
  ANSWERS((size_t)0, (size_t)barrow_alloc_slow(t.m, ~(size_t)0));
  ANSWERS((size_t)0, (size_t)barrow_allocate(t.m, ~(size_t)0));
  ANSWERS((size_t)0, (size_t)barrow_allocate_pinned(t.m, ~(size_t)0, 8, 0));
  toy_free(t);
}

static void objects(void) {
  static barrow_word outside[4];
  toy t = toy_new("");
  struct { barrow_frame frame; node *n; } r;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 1);
  outside[0] = (barrow_word)&node_info;
  REFUSED(BARROW_E_ARG, barrow_record_slot(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_record_slot(t.m, outside));
  REFUSED(BARROW_E_ARG, barrow_record_slot(t.m, (char *)&r.n->left + 1));
  REFUSED(BARROW_E_ARG, barrow_record_word_slot(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_record_word_slot(t.m, outside));
  REFUSED(BARROW_E_ARG, barrow_record_mutable(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_record_mutable(t.m, outside));
  REFUSED(BARROW_E_ARG, barrow_record_mutable(t.m, (char *)r.n + 4));
  REFUSED(BARROW_E_ARG, barrow_record_old_to_new(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_record_old_to_new(t.m, outside));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, NULL, &node_info));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, outside, &node_info));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, NULL));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.n, (char *)&node_info + 4));
  REFUSED(BARROW_E_ARG, barrow_shrink(t.m, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_shrink(t.m, outside, 0));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, NULL, 0, r.n, 0, 1));
  REFUSED(BARROW_E_ARG, barrow_array_fill(t.m, NULL, 0, 1, NULL));
  ANSWERS((size_t)0, barrow_object_words(t.heap, NULL));
  ANSWERS((size_t)0, barrow_object_words(t.heap, outside));
  ANSWERS(-1, barrow_generation_of(t.heap, NULL));
  ANSWERS(-1, barrow_generation_of(t.heap, outside));
  CHECK(!barrow_in_heap(t.heap, NULL) && !barrow_in_heap(t.heap, outside));
  CHECK(!barrow_in_heap(t.heap, (void *)~(size_t)0));
  /* Out of line barriers take whatever is outside the heap for nothing of theirs. */
  barrow_wrote(t.m, NULL, NULL);
  barrow_wrote(t.m, outside, &outside[1]);
  barrow_wrote_word(t.m, outside, &outside[1]);
  REFUSED(BARROW_E_ARG, barrow_collect_with(t.m, true, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_external_bytes(t.m, -1));
  REFUSED(BARROW_E_ARG, barrow_external_bytes(t.m, -0x7fffffffffffffffLL - 1));
  CHECK(strstr(barrow_last_error(), "are taken back of 0") != NULL);
  CHECK_OK(barrow_external_bytes(t.m, 0x7fffffffffffffffLL));
  CHECK_OK(barrow_external_bytes(t.m, 0x7fffffffffffffffLL));
  REFUSED(BARROW_E_ARG, barrow_external_bytes(t.m, 0x7fffffffffffffffLL));
  CHECK(strstr(barrow_last_error(), "are added to 18446744073709551614") != NULL);
  CHECK_OK(barrow_external_bytes(t.m, -0x7fffffffffffffffLL));
  CHECK_OK(barrow_external_bytes(t.m, -0x7fffffffffffffffLL));
  CHECK_OK(barrow_safepoint(t.m));
  CHECK_EQ(r.n->value, 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void info_tables(void) {
  barrow_info info, good = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 1, 1, 0, 0, NULL, NULL,
                            NULL, NULL};
  static const size_t bits[2] = {1, 1};
  barrow_bitmap large = {sizeof(barrow_bitmap), 100, bits}, without = {sizeof(barrow_bitmap), 100, NULL};
  barrow_custom half = {sizeof(barrow_custom), 0, odd_words, NULL, NULL, NULL},
                whole = {sizeof(barrow_custom), 0, odd_words, odd_visit, NULL, NULL};
#define TABLE(change) (info = good, change, REFUSED(BARROW_E_ARG, barrow_info_check(&info)))
  CHECK_OK(barrow_info_check(&good));
  REFUSED(BARROW_E_ARG, barrow_info_check(NULL));
  REFUSED(BARROW_E_ARG, barrow_info_check((const barrow_info *)(const void *)((const char *)&good + 4)));
  TABLE(info.size = 8);
  TABLE(info.version = 2);
  TABLE(info.kind = 0);
  TABLE(info.kind = 6);
  TABLE(info.kind = 14);
  TABLE(info.kind = 255);
  TABLE(info.flags = 128);
  TABLE((info.kind = BARROW_BITMAP, info.words = 64));
  TABLE((info.kind = BARROW_BITMAP, info.bitmap = 4));
  TABLE((info.kind = BARROW_BITMAP_LARGE, info.ptrs = 0, info.words = 100));
  TABLE((info.kind = BARROW_BITMAP_LARGE, info.ptrs = 0, info.words = 99, info.large = &large));
  TABLE((info.kind = BARROW_BITMAP_LARGE, info.ptrs = 0, info.words = 100, info.large = &without));
  TABLE((info.kind = BARROW_SIZED, info.field = 0)); /* a pointer */
  TABLE((info.kind = BARROW_SIZED, info.field = 2)); /* not there */
  TABLE((info.kind = BARROW_SIZED, info.field = 1, info.flags = BARROW_FLAG_TAIL_POINTERS | BARROW_FLAG_TAIL_TAGGED));
  TABLE((info.kind = BARROW_STRUCTS, info.words = 0));
  TABLE((info.kind = BARROW_STRUCTS, info.words = 65));
  TABLE((info.kind = BARROW_STRUCTS, info.words = 2, info.bitmap = 4));
  TABLE((info.kind = BARROW_CUSTOM));
  TABLE((info.kind = BARROW_CUSTOM, info.custom = &half));
  TABLE((info.flags = BARROW_FLAG_NOTIFY_MOVED));
  TABLE((info.flags = BARROW_FLAG_NOTIFY_MOVED, info.custom = &whole));
  TABLE((info.ptrs = ~0u, info.words = ~0u, info.kind = BARROW_BITMAP));
}

static void handles(void) {
  static barrow_handle wild;
  toy t = toy_new("");
  barrow_handle *handle = NULL, *other = NULL;
  REFUSED(BARROW_E_ARG, barrow_handle_new(t.m, NULL, NULL));
  CHECK_OK(barrow_handle_new(t.m, NULL, &handle));
  CHECK_OK(barrow_handle_new(t.m, NULL, &other));
  REFUSED(BARROW_E_ARG, barrow_handle_free(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_handle_free(t.m, &wild));
  REFUSED(BARROW_E_ARG, barrow_handle_free(t.m, (barrow_handle *)(void *)((char *)handle + 8)));
  REFUSED(BARROW_E_ARG, barrow_handle_free(t.m, handle + 1000)); /* never given */
  REFUSED(BARROW_E_ARG, barrow_handle_set(t.m, &wild, NULL));
  REFUSED(BARROW_E_ARG, barrow_handle_set(t.m, (barrow_handle *)(size_t)0x1000, NULL));
  CHECK_OK(barrow_handle_free(t.m, handle));
  REFUSED(BARROW_E_ARG, barrow_handle_free(t.m, handle));
  REFUSED(BARROW_E_ARG, barrow_handle_set(t.m, handle, NULL));
  CHECK_OK(barrow_handle_free(t.m, other));
  ANSWERS((size_t)0, (size_t)barrow_stable_get(t.m, 0));
  ANSWERS((size_t)0, (size_t)barrow_stable_get(t.m, ~(size_t)0));
  ANSWERS((size_t)0, (size_t)barrow_stable_get(t.m, 99));
  REFUSED(BARROW_E_ARG, barrow_stable_free(t.m, 0));
  REFUSED(BARROW_E_ARG, barrow_stable_free(t.m, (size_t)1 << 33));
  REFUSED(BARROW_E_ARG, barrow_stable_free(t.m, ~(size_t)0));
  CHECK(strstr(barrow_last_error(), "18446744073709551615 is no stable pointer") != NULL);
  CHECK(barrow_stable_new(t.m, NULL) != 0);
  toy_free(t);
}

static void roots(void) {
  static void *root;
  toy t = toy_new("");
  REFUSED(BARROW_E_ARG, barrow_root_add(t.heap, NULL, NULL, 1, false));
  REFUSED(BARROW_E_ARG, barrow_root_add(t.heap, NULL, (char *)&root + 1, 1, false));
  REFUSED(BARROW_E_ARG, barrow_root_add(t.heap, NULL, &root, ~(size_t)0, false));
  REFUSED(BARROW_E_ARG, barrow_root_remove(t.heap, &root));
  CHECK_OK(barrow_root_add(t.heap, NULL, &root, 1, false));
  CHECK_OK(barrow_root_remove(t.heap, &root));
  REFUSED(BARROW_E_ARG, barrow_root_remove(t.heap, &root));
  CHECK_OK(barrow_check_frames(t.m));
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  toy_free(t);
}

/* A field would be rewritten twice, and an object that moves takes its memory along. */
static void fields_as_roots(void) {
  static const char *const flags[] = {"", "--source=chunks"};
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = toy_new(flags[i]);
    node *moving = toy_node(t.m, NULL, NULL, 1), *pinned = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
    barrow_bdescr *group = NULL;
    void *memory;
    barrow_set_header(pinned, &node_info);
    pinned->left = pinned->right = NULL;
    REFUSED(BARROW_E_ARG, barrow_root_add(t.heap, NULL, &moving->left, 1, false));
    CHECK(strstr(barrow_last_error(), "objects") != NULL);
    REFUSED(BARROW_E_ARG, barrow_root_add(t.heap, NULL, &pinned->left, 2, true));
    REFUSED(BARROW_E_ARG, barrow_root_remove(t.heap, &pinned->left));
    /* Memory of the heap that holds no objects is the client's. */
    CHECK_OK(barrow_alloc_group(t.heap, 1, &group));
    memory = (void *)group->start;
    memset(memory, 0, 64);
    CHECK_OK(barrow_root_add(t.heap, NULL, memory, 2, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_root_remove(t.heap, memory));
    CHECK_OK(barrow_free_group(t.heap, group));
    toy_free(t);
  }
}

static void groups(void) {
  static barrow_bdescr wild;
  toy t = toy_new(""), u = toy_new("");
  barrow_bdescr *group = NULL, *large = NULL;
  REFUSED(BARROW_E_ARG, barrow_alloc_group(t.heap, 1, NULL));
  REFUSED(BARROW_E_ARG, barrow_alloc_group(t.heap, 0, &group));
  REFUSED(BARROW_E_ARG, barrow_alloc_group(t.heap, ~(size_t)0, &group));
  CHECK(group == NULL);
  CHECK_OK(barrow_alloc_group(t.heap, 3, &group));
  CHECK_OK(barrow_alloc_group(t.heap, 600, &large));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, &wild));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, (barrow_bdescr *)(void *)((char *)group + 8)));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, (barrow_bdescr *)group->start)); /* its memory */
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, group + 1)); /* not its head */
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, (barrow_bdescr *)(large->start + (1 << 20))));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, toy_state(t).nursery)); /* not the client's */
  REFUSED(BARROW_E_ARG, barrow_free_group(u.heap, group));
  CHECK_OK(barrow_free_group(t.heap, group));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, group));
  CHECK_OK(barrow_free_group(t.heap, large));
  REFUSED(BARROW_E_ARG, barrow_free_group(t.heap, large));
  ANSWERS((size_t)0, (size_t)barrow_get_megablocks(t.heap, 0));
  ANSWERS((size_t)0, (size_t)barrow_get_megablocks(t.heap, ~(size_t)0));
  CHECK_OK(barrow_audit(t.heap));
  toy_free(t);
  toy_free(u);
}

static void answers(void) {
  toy t = toy_new("");
  barrow_heap_state_t state;
  barrow_generation_state_t generation;
  barrow_step_state_t step;
  barrow_stats_t stats;
  state.size = 4;
  stats.size = 4;
  REFUSED(BARROW_E_ARG, barrow_heap_state(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_heap_state(t.heap, &state));
  REFUSED(BARROW_E_ARG, barrow_stats(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_stats(t.heap, &stats));
  REFUSED(BARROW_E_ARG, barrow_generation_state(t.heap, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_generation_state(t.heap, 99, &generation));
  REFUSED(BARROW_E_ARG, barrow_step_state(t.heap, 0, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_step_state(t.heap, 99, 0, &step));
  REFUSED(BARROW_E_ARG, barrow_step_state(t.heap, 0, 99, &step));
  toy_free(t);
}

static void names(void) {
  CHECK(strcmp(barrow_status_name(99), "(no such status)") == 0);
  CHECK(strcmp(barrow_status_name(~0u), "(no such status)") == 0);
  CHECK_EQ(barrow_window_offset("hp"), 0);
  CHECK_EQ(barrow_window_offset("nothing"), -1);
  ANSWERS(-1, barrow_window_offset(NULL));
  ANSWERS(-1, barrow_window_offset("\xff"));
  CHECK_EQ(barrow_abi_version(NULL), BARROW_ABI_MAJOR);
  CHECK(barrow_version()[0] != 0);
  CHECK(barrow_last_error()[0] != 0);
}

static void modules(void) {
  toy t = toy_new("");
  static barrow_word data[4];
  REFUSED(BARROW_E_ARG, barrow_module_unregister(t.m, NULL, 10));
  REFUSED(BARROW_E_ARG, barrow_module_unregister(t.m, data, 0));
  REFUSED(BARROW_E_ARG, barrow_module_unregister(t.m, data, ~(size_t)0));
  CHECK_OK(barrow_module_unregister(t.m, data, sizeof data));
  toy_free(t);
}

static void no_news(void *client) { (void)client; }

/* Each thing that leads into a module keeps it, and the sentence says which. */
static void modules_in_use(void) {
  static struct { barrow_names names; barrow_info frame; void *chain; } module;
  static barrow_info named;
  void (*function)(barrow_mutator *, void *, void *, void *) = no_finalizer;
  void (*hook)(void *) = no_news;
  void *code, *weak;
  barrow_config config;
  struct { barrow_frame frame; node *n; } r;
  toy t;
#define STAYS(words, base, bytes)                                         \
  (REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, base, bytes)), \
   CHECK(strstr(barrow_last_error(), words) != NULL))
  barrow_config_init(&config);
  config.finalizers_ready = hook;
  t = toy_new_with(&config, "");
  memcpy(&code, &hook, sizeof code);
  STAYS("finalizers_ready callback", code, 1);
  BARROW_ENTER(t.m, r);
  STAYS("shadow-stack frame", &r, sizeof r);
  CHECK_OK(barrow_attach_llvm_frames(t.m, &module.chain));
  STAYS("chain of LLVM", &module, sizeof module);
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  /* A table outside, with names inside, which say nothing. */
  named = node_info;
  named.names = &module.names;
  r.n = toy_node(t.m, NULL, NULL, 1);
  barrow_set_header(r.n, &named);
  STAYS("((no name)) is alive, and its info table refers to", &module, sizeof module);
  barrow_set_header(r.n, &node_info);
  weak = barrow_weak_new(t.m, r.n, NULL, NULL);
  CHECK_OK(barrow_weak_set_function(t.m, weak, function, NULL, NULL));
  memcpy(&code, &function, sizeof code);
  STAYS("function of the weak pointer", code, 1);
  barrow_set_header(r.n, &node_info);
  /* The table of objects that the heap will change. */
  named = module.frame = node_info;
  named.kind = module.frame.kind = BARROW_IND;
  named.ptrs = module.frame.ptrs = 1;
  named.words = module.frame.words = 0;
  CHECK_OK(barrow_use_table(t.heap, &module.frame));
  STAYS("which barrow_use_table named", &module, sizeof module);
  CHECK_OK(barrow_use_table(t.heap, &named));
  /* A stack lets a module go of which it has no frame. */
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  module.frame = node_info;
  module.frame.kind = BARROW_RETURN_FRAME;
  module.frame.ptrs = 0;
  barrow_stack_push(t.m, &module.frame, 2)[1] = 5;
  STAYS("has a frame (node_info)", &module, sizeof module);
  barrow_stack_pop(t.m, 2);
  CHECK_OK(barrow_module_unregister(t.m, &module, sizeof module));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
#undef STAYS
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(null_handles);
  RUN(wild_handles);
  RUN(dead_handles);
  RUN(the_wrong_thread);
  RUN(inside_callbacks);
  RUN(inside_a_custom_kind);
  RUN(visitors);
  RUN(configurations);
  RUN(flags);
  RUN(flag_values_and_command_lines);
  RUN(mutators);
  RUN(sizes);
  RUN(sizes_of_aligned_objects);
  RUN(objects);
  RUN(info_tables);
  RUN(handles);
  RUN(roots);
  RUN(fields_as_roots);
  RUN(groups);
  RUN(answers);
  RUN(names);
  RUN(modules);
  RUN(modules_in_use);
  return DONE;
}
