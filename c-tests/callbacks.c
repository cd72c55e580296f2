/* Functions of the client that profilers call: each finds the heap busy, wherever it is called. */
#include "toy.h"

static barrow_space_options wish(void) {
  barrow_space_options options;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  return options;
}

static toy running;
static uint32_t running_profile;
static int tried;

/* What a callback may not do, whatever heap it is called for; none of it has an effect. */
static void try_everything(void) {
  static const char *const sentence = "callbacks must not allocate, collect or change the heap";
  barrow_space_options options = wish();
  barrow_stats_t stats;
  uint32_t inner = 0;
  barrow_mutator *other = NULL;
  static bool inside;
  tried++;
  /* A call that is not refused may call this function again, and so on. */
  if (inside) return;
  inside = true;
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  REFUSED(BARROW_E_STATE, barrow_space_end(running.m, running_profile));
  CHECK(strstr(barrow_last_error(), sentence) != NULL);
  REFUSED(BARROW_E_STATE, barrow_space_begin(running.m, &options, &inner));
  REFUSED(BARROW_E_STATE, barrow_space_suspend(running.m));
  REFUSED(BARROW_E_STATE, barrow_space_resume(running.m));
  REFUSED(BARROW_E_STATE, barrow_space_point(running.m));
  REFUSED(BARROW_E_STATE, barrow_space_forget(running.heap));
  REFUSED(BARROW_E_STATE, barrow_collect(running.m, true));
  REFUSED(BARROW_E_STATE, barrow_safepoint(running.m));
  REFUSED(BARROW_E_STATE, barrow_detach(running.m));
  /* Whether the heap would have room for another mutator or not. */
  REFUSED(BARROW_E_STATE, barrow_attach(running.heap, &other));
  CHECK(other == NULL && strstr(barrow_last_error(), sentence) != NULL);
  REFUSED(BARROW_E_STATE, barrow_heap_free(running.heap));
  REFUSED(BARROW_E_STATE, barrow_stats(running.heap, &stats));
  ANSWERS((size_t)0, (size_t)barrow_alloc_slow(running.m, 4));
  CHECK(strstr(barrow_last_error(), sentence) != NULL);
  ANSWERS((size_t)0, (size_t)barrow_allocate(running.m, 4));
  ANSWERS(false, barrow_reserve_slow(running.m, 4));
  /* In line, where nobody is asked. */
  ANSWERS((size_t)0, (size_t)barrow_alloc(running.m, 4));
  ANSWERS(false, barrow_reserve(running.m, 4));
  CHECK(barrow_try_alloc(running.m, 4) == NULL);
  inside = false;
}

static uint32_t busy_manner(void *client, void *function, void *site) {
  (void)client, (void)function, (void)site;
  try_everything();
  return BARROW_MANNER_SPACE | BARROW_MANNER_KINDS | BARROW_MANNER_TIME;
}
static uint32_t busy_column(void *client, const barrow_info *info) {
  (void)client, (void)info;
  try_everything();
  return BARROW_SPACE_COLUMN_RECORDS;
}
static const char *busy_name(void *client, void *function) {
  (void)client, (void)function;
  try_everything();
  return "busy";
}
static size_t busy_walk(void *client, barrow_mutator *m, void **functions, size_t room) {
  (void)client;
  try_everything();
  if (room == 0) return 0;
  functions[0] = barrow_window_of(m)->function;
  return 1;
}

static void inside_callbacks(void) {
  barrow_space_options options = wish();
  char name[16];
  int which, before;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  for (which = 0; which < 3; which++) {
    struct { barrow_frame frame; node *list; } r;
    running = toy_new("");
    options.manner_of = which == 0 ? busy_manner : NULL;
    options.column_of = which == 1 ? busy_column : NULL;
    options.name_of = which == 2 ? busy_name : NULL;
    tried = 0;
    BARROW_ENTER(running.m, r);
    CHECK_OK(barrow_space_begin(running.m, &options, &running_profile));
    /* From a place that was there before, too: such allocations go a short way. */
    toy_list(running.m, 100);
    barrow_window_of(running.m)->function = &tried;
    r.list = toy_list(running.m, 1000);
    toy_list(running.m, 100);
    CHECK_OK(barrow_collect(running.m, false));
    toy_node(running.m, NULL, NULL, 2);
    CHECK_OK(barrow_space_end(running.m, running_profile));
    barrow_window_of(running.m)->function = NULL;
    CHECK(tried > 0);
    if (which == 2) {
      barrow_space_function_t function;
      memset(&function, 0, sizeof function);
      function.size = (uint32_t)sizeof function;
      CHECK_OK(barrow_space_function(running.heap, 0, &function, name, sizeof name));
      CHECK(strcmp(name, "busy") == 0);
    }
    /* Afterwards everything is as ever. */
    before = tried;
    CHECK_OK(barrow_collect(running.m, true));
    CHECK(toy_node(running.m, NULL, NULL, 1) != NULL);
    CHECK_EQ(tried, before);
    BARROW_LEAVE(running.m, r);
    toy_free(running);
  }
}

/* Of a walk by the clock, which a busy machine may keep from ticking: it is given some time. */
static void inside_a_walk(void) {
  barrow_space_options options = wish();
  int rounds;
  running = toy_new("");
  options.manner = BARROW_MANNER_TIME;
  options.tick_us = 1000;
  options.walk = busy_walk;
  tried = 0;
  CHECK_OK(barrow_space_begin(running.m, &options, &running_profile));
  for (rounds = 0; rounds < 300 && tried == 0; rounds++) {
    volatile size_t work = 0;
    while (work < 1000000) work = work + 1;
    CHECK(toy_node(running.m, NULL, NULL, work) != NULL);
    CHECK_OK(barrow_safepoint(running.m));
  }
  CHECK_OK(barrow_space_end(running.m, running_profile));
  barrow_window_of(running.m)->function = NULL;
  CHECK(tried > 0);
  toy_free(running);
}

/* ---- of retainers ------------------------------------------------------------------------------------------------ */

static int32_t busy_is_retainer(void *client, const void *object) {
  (void)client, (void)object;
  try_everything();
  return -1;
}
static int32_t everything(void *client, const void *object) {
  (void)client, (void)object;
  return 1;
}
static uint32_t busy_identity(void *client, const void *object) {
  (void)client, (void)object;
  try_everything();
  return 7;
}
static size_t busy_text(void *client, uint32_t number, char *buffer, size_t bytes) {
  (void)client, (void)number;
  try_everything();
  if (bytes > 4) memcpy(buffer, "busy", 5);
  return 4;
}
static size_t busy_cost(void *client, const void *object, size_t bytes) {
  (void)client, (void)object, (void)bytes;
  try_everything();
  return ~(size_t)0;
}
static uint32_t busy_hash(void *client, uint32_t number) {
  (void)client;
  try_everything();
  return number;
}

/* One function at a time, in a census and outside. */
static void of_a_scheme(void) {
  int which;
  for (which = 0; which < 5; which++) {
    struct { barrow_frame frame; node *list; } r;
    barrow_retainer_scheme scheme;
    barrow_retainer_set_t told;
    bool is_retainer = false;
    uint32_t retainer = 0, set = 0;
    uint64_t cost = 0;
    size_t length = 0;
    char name[16];
    running = toy_new("-pocallbacks-test");
    memset(&scheme, 0, sizeof scheme);
    scheme.size = (uint32_t)sizeof scheme;
    scheme.is_retainer = which == 0 ? busy_is_retainer : which == 3 ? NULL : everything;
    scheme.identity = which == 0 ? NULL : busy_identity;
    scheme.name = which == 2 ? busy_text : NULL;
    scheme.cost = which == 3 ? busy_cost : NULL;
    scheme.hash = which == 4 ? busy_hash : NULL;
    CHECK_OK(barrow_retainers_by(running.heap, &scheme));
    BARROW_ENTER(running.m, r);
    r.list = toy_list(running.m, 20);
    tried = 0;
    CHECK_OK(barrow_retainer_of(running.m, r.list, &is_retainer, &retainer, &cost));
    CHECK(which != 3 || cost == UINT64_MAX);
    CHECK_OK(barrow_retainer_set_add(running.heap, 0, retainer, &set));
    CHECK_OK(barrow_retainer_text(running.heap, retainer, true, name, sizeof name, &length));
    CHECK(which != 2 || strcmp(name, "busy") == 0);
    CHECK(tried > 0);
    /* A census, its bands, and the members of sets when the profile ends. */
    tried = 0;
    CHECK_OK(barrow_profile_start(running.m, "-hr -i0"));
    CHECK_OK(barrow_census(running.m));
    if (which == 3) { /* the sum is bounded */
      memset(&told, 0, sizeof told);
      told.size = (uint32_t)sizeof told;
      CHECK_OK(barrow_retainer_set(running.heap, 2, &told));
      CHECK_EQ(told.objects, 20);
      CHECK(told.cost == UINT64_MAX);
    }
    CHECK_OK(barrow_profile_stop(running.m));
    CHECK(tried > 0);
    CHECK_OK(barrow_collect(running.m, true));
    BARROW_LEAVE(running.m, r);
    toy_free(running);
    remove("callbacks-test.hp");
    remove("callbacks-test.prof");
  }
}

/* Another scheme has its own hash, or none, for the sets that are there too: no function of the old one is called, whose code
 * may have gone. */
static uint32_t constant_hash(void *client, uint32_t number) {
  (void)number;
  tried++;
  return (uint32_t)(size_t)client;
}
static uint32_t hash_of_set(uint32_t set) {
  barrow_retainer_set_t told;
  memset(&told, 0, sizeof told);
  told.size = (uint32_t)sizeof told;
  CHECK_OK(barrow_retainer_set(running.heap, set, &told));
  return told.hash;
}
static void of_two_schemes(void) {
  enum { CLIENTS = 12 };
  struct { barrow_frame frame; node *list; } r;
  barrow_retainer_scheme scheme;
  uint32_t retainer = 0, one = 0, two = 0, set = 0;
  uint32_t library;
  uint64_t cost = 0;
  bool is_retainer = false;
  running = toy_new("");
  memset(&scheme, 0, sizeof scheme);
  scheme.size = (uint32_t)sizeof scheme;
  scheme.is_retainer = everything;
  scheme.identity = busy_identity;
  scheme.hash = constant_hash;
  scheme.client = (void *)(size_t)CLIENTS;
  CHECK_OK(barrow_retainers_by(running.heap, &scheme));
  BARROW_ENTER(running.m, r);
  r.list = toy_list(running.m, 20);
  CHECK_OK(barrow_retainer_of(running.m, r.list, &is_retainer, &retainer, &cost));
  tried = 0;
  CHECK_OK(barrow_retainer_set_add(running.heap, 0, retainer, &one));
  CHECK(tried > 0);
  CHECK_EQ(hash_of_set(one), CLIENTS);
  CHECK_OK(barrow_retainers_by(running.heap, NULL));
  tried = 0;
  library = hash_of_set(one);
  CHECK(library != CLIENTS);
  CHECK_OK(barrow_retainer_set_add(running.heap, one, retainer + 1, &two));
  CHECK_OK(barrow_retainer_set_add(running.heap, 0, retainer, &set));
  CHECK_EQ(set, one);
  CHECK_EQ(tried, 0);
  /* Back again. */
  CHECK_OK(barrow_retainers_by(running.heap, &scheme));
  CHECK_EQ(hash_of_set(one), CLIENTS);
  CHECK_EQ(hash_of_set(two), 2 * CLIENTS);
  CHECK_OK(barrow_retainer_set_add(running.heap, one, retainer + 1, &set));
  CHECK_EQ(set, two);
  BARROW_LEAVE(running.m, r);
  toy_free(running);
}

/* A profile that runs when its heap is freed ends then. */
static void of_a_scheme_at_the_end(const char *flags) {
  struct { barrow_frame frame; node *list; } r;
  barrow_retainer_scheme scheme;
  running = toy_new(flags);
  memset(&scheme, 0, sizeof scheme);
  scheme.size = (uint32_t)sizeof scheme;
  scheme.is_retainer = everything;
  scheme.identity = busy_identity;
  scheme.name = busy_text;
  CHECK_OK(barrow_retainers_by(running.heap, &scheme));
  BARROW_ENTER(running.m, r);
  r.list = toy_list(running.m, 20);
  CHECK_OK(barrow_profile_start(running.m, "-hr -i0"));
  CHECK_OK(barrow_census(running.m));
  BARROW_LEAVE(running.m, r);
  tried = 0;
  CHECK_OK(barrow_heap_free(running.heap));
  CHECK(tried > 0);
  remove("callbacks-test.hp");
}

static void of_schemes_at_the_end(void) {
  of_a_scheme_at_the_end("-pocallbacks-test");
  of_a_scheme_at_the_end("-pocallbacks-test --mutators=2");
}

/* Sizes of a client's own kind are asked for outside collections too. */
static size_t busy_words(const void *object) {
  (void)object;
  try_everything();
  return 2;
}
static void busy_visit(void *object, barrow_visitor *visitor) {
  (void)object, (void)visitor;
  try_everything();
}
static const barrow_custom odd = {sizeof(barrow_custom), 0, busy_words, busy_visit, NULL, NULL};
INFO(odd_info, BARROW_CUSTOM, 0, 0, 0, 0, 0, NULL, &odd);
INFO(plain_info, BARROW_CONSTR, 0, 0, 0, 1, 0, NULL, NULL);

static void of_a_custom_kind(void) {
  struct { barrow_frame frame; barrow_word *odd; } r;
  barrow_space_options options = wish();
  running = toy_new("");
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  BARROW_ENTER(running.m, r);
  CHECK_OK(barrow_space_begin(running.m, &options, &running_profile));
  r.odd = barrow_alloc(running.m, 2);
  r.odd[0] = (barrow_word)&odd_info;
  r.odd[1] = 0;
  tried = 0;
  CHECK_EQ(barrow_object_words(running.heap, r.odd), 2);
  CHECK(tried > 0);
  CHECK_OK(barrow_collect(running.m, true));
  CHECK_OK(barrow_space_end(running.m, running_profile));
  BARROW_LEAVE(running.m, r);
  toy_free(running);
}

/* Whether the client was asked since the last time. */
static bool was_asked(void) {
  bool was = tried > 0;
  tried = 0;
  return was;
}

static barrow_word *odd_one_at(barrow_word *it) {
  it[0] = (barrow_word)&odd_info;
  it[1] = 0;
  return it;
}

static barrow_word *odd_one(void) { return odd_one_at((barrow_word *)barrow_alloc(running.m, 2)); }

/* In words of a block, whose objects a sample is looked for among; the samples are 8 words apart. */
static barrow_word *odd_ones(void) {
  barrow_word *first;
  size_t i;
  CHECK(barrow_reserve(running.m, 200));
  first = odd_one_at((barrow_word *)barrow_bump(running.m, 2));
  for (i = 1; i < 100; i++) odd_one_at((barrow_word *)barrow_bump(running.m, 2));
  return first;
}

/* An object that becomes one of such a kind, or stops being one: its size is asked for in the middle of the change. */
static void of_a_change(void) {
  struct { barrow_frame frame; barrow_word *object; } r;
  running = toy_new("");
  BARROW_ENTER(running.m, r);
  r.object = odd_one();
  tried = 0;
  REFUSED(BARROW_E_ARG, barrow_shrink(running.m, r.object, 0));
  CHECK(was_asked());
  CHECK_OK(barrow_become(running.m, r.object, &plain_info));
  CHECK(was_asked());
  CHECK_OK(barrow_become(running.m, r.object, &odd_info));
  CHECK(was_asked());
  CHECK(r.object[0] == (barrow_word)&odd_info);
  CHECK_OK(barrow_collect(running.m, true));
  CHECK(r.object[0] == (barrow_word)&odd_info);
  BARROW_LEAVE(running.m, r);
  toy_free(running);
}

static void of_a_biography(void) {
  struct { barrow_frame frame; barrow_word *object; } r;
  running = toy_new("-pocallbacks-test");
  BARROW_ENTER(running.m, r);
  r.object = odd_one();
  CHECK_OK(barrow_profile_start(running.m, "-hb -i0"));
  CHECK_OK(barrow_census(running.m));
  tried = 0;
  barrow_used(running.m, r.object);
  CHECK(was_asked());
  CHECK_OK(barrow_census(running.m));
  CHECK(barrow_biography_slow(running.m, r.object) != NULL);
  tried = 0;
  CHECK_OK(barrow_record_dead(running.m, r.object, 2));
  CHECK(was_asked());
  CHECK_OK(barrow_record_dead_fill_slop(running.m, r.object));
  CHECK(was_asked());
  CHECK_OK(barrow_profile_stop(running.m));
  BARROW_LEAVE(running.m, r);
  toy_free(running);
  remove("callbacks-test.hp");
}

static void of_samples(void) {
  struct { barrow_frame frame; barrow_word *object; } r;
  running = toy_new("--sample-every=8");
  BARROW_ENTER(running.m, r);
  r.object = odd_ones();
  tried = 0;
  CHECK_OK(barrow_samples_write(running.m, "callbacks-test.pprof"));
  CHECK(was_asked());
  r.object = odd_ones();
  CHECK_OK(barrow_collect(running.m, true));
  CHECK(was_asked());
  BARROW_LEAVE(running.m, r);
  toy_free(running);
  remove("callbacks-test.pprof");
}

static void of_a_look_for_barriers(void) {
  struct { barrow_frame frame; barrow_word *object; } r;
  running = toy_new("-DB");
  BARROW_ENTER(running.m, r);
  r.object = odd_one();
  CHECK_OK(barrow_collect(running.m, true));
  tried = 0;
  CHECK_OK(barrow_check(running.m));
  CHECK(was_asked());
  r.object = NULL;
  CHECK_OK(barrow_collect(running.m, true));
  BARROW_LEAVE(running.m, r);
  toy_free(running);
}

/* ---- of the heap and of kinds ---------------------------------------------------------------------------------------- */

/* Which of them have run since they were last asked for. */
static unsigned called;
static void call_of(unsigned bit) {
  called |= 1u << bit;
  try_everything();
}
enum { ROOTS, EVENT, READY, EXTRA_ROOTS, VISIT, MOVED, SHORTCUT, FINALIZER };

static void roots_hook(void *client, barrow_visitor *visitor) { (void)client, (void)visitor, call_of(ROOTS); }
static void event_hook(void *client, const barrow_event *event) { (void)client, (void)event, call_of(EVENT); }
static void ready_hook(void *client) { (void)client, call_of(READY); }
static void extra_roots(void *client, barrow_visitor *visitor) { (void)client, (void)visitor, call_of(EXTRA_ROOTS); }
static void finalizer(barrow_mutator *m, void *data, void *key, void *value) {
  static void *root;
  barrow_mutator *another = NULL;
  barrow_handle *handle = NULL;
  (void)m, (void)data, (void)key, (void)value;
  called |= 1u << FINALIZER;
  /* A heap that is freed has a sentence of its own. */
  ANSWERS((size_t)0, (size_t)barrow_alloc(running.m, 4));
  CHECK(strstr(barrow_last_error(), "being freed") != NULL);
  ANSWERS(false, barrow_reserve(running.m, 4));
  CHECK(barrow_try_alloc(running.m, 4) == NULL);
  REFUSED(BARROW_E_STATE, barrow_handle_new(running.m, key, &handle));
  REFUSED(BARROW_E_STATE, barrow_root_add(running.heap, NULL, &root, 1, false));
  REFUSED(BARROW_E_STATE, barrow_safepoint(running.m));
  REFUSED(BARROW_E_STATE, barrow_enter_foreign(running.m));
  REFUSED(BARROW_E_STATE, barrow_attach(running.heap, &another));
  REFUSED(BARROW_E_STATE, barrow_detach(running.m));
  REFUSED(BARROW_E_STATE, barrow_heap_free(running.heap));
  CHECK(strstr(barrow_last_error(), "being freed") != NULL);
}
static size_t whole_words(const void *object) { (void)object; return 2; }
static void whole_visit(void *object, barrow_visitor *visitor) {
  barrow_visit(visitor, (void **)((barrow_word *)object + 1));
  call_of(VISIT);
}
static void whole_moved(const void *from, void *to) { (void)from, (void)to, call_of(MOVED); }
static void *whole_shortcut(const void *object, barrow_resolver *resolver) {
  (void)object, (void)resolver, call_of(SHORTCUT);
  return NULL;
}
static const barrow_custom whole = {sizeof(barrow_custom), 0, whole_words, whole_visit, whole_moved, whole_shortcut};
INFO(whole_info, BARROW_CUSTOM, BARROW_FLAG_NOTIFY_MOVED | BARROW_FLAG_SHORTCUT, 0, 0, 0, 0, NULL, &whole);

static void of_collections(const char *flags) {
  struct { barrow_frame frame; barrow_word *whole, *copy; } r;
  barrow_config config;
  void *weak;
  barrow_config_init(&config);
  config.roots = roots_hook;
  config.event = event_hook;
  config.finalizers_ready = ready_hook;
  running = toy_new_with(&config, flags);
  BARROW_ENTER(running.m, r);
  r.whole = barrow_alloc(running.m, 2);
  r.whole[0] = (barrow_word)&whole_info;
  r.whole[1] = 0;
  weak = barrow_weak_new(running.m, toy_node(running.m, NULL, NULL, 1), NULL, NULL);
  CHECK(weak && barrow_weak_set_function(running.m, weak, finalizer, NULL, NULL) == BARROW_OK);
  called = 0;
  CHECK_OK(barrow_collect_with(running.m, true, extra_roots, NULL));
  CHECK_EQ(called & ~(1u << MOVED | 1u << SHORTCUT), 1u << ROOTS | 1u << EVENT | 1u << READY | 1u << EXTRA_ROOTS | 1u << VISIT);
  CHECK(called >> MOVED & 1u);
  called = 0;
  CHECK(toy_sum(toy_list(running.m, 1000)) == 500500);
  CHECK_EQ(called, 0);
  BARROW_LEAVE(running.m, r);
  called = 0;
  CHECK_OK(barrow_heap_free(running.heap)); /* the finalizer was due, and nobody has run it */
  CHECK_EQ(called >> FINALIZER & 1u, 1);
}

static void of_the_heap(void) {
  of_collections("");
  of_collections("-c -DS");
  of_collections("-G1 --source=chunks");
  of_collections("--mutators=2");
}

int main(void) {
  RUN(of_the_heap);
  RUN(inside_callbacks);
  RUN(inside_a_walk);
  RUN(of_a_scheme);
  RUN(of_two_schemes);
  RUN(of_schemes_at_the_end);
  RUN(of_a_custom_kind);
  RUN(of_a_change);
  RUN(of_a_biography);
  RUN(of_samples);
  RUN(of_a_look_for_barriers);
  return DONE;
}
