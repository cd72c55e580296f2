/* Weak pointers: ephemerons, finalizers of both sorts, resurrection, the queue, and what is refused. */
#include "toy.h"

static int called;
static barrow_word seen_key, seen_value;
static barrow_mutator *seen_m;

/* Counts, and allocates so much that the heap is collected. */
static void busy_function(barrow_mutator *m, void *data, void *key, void *value) {
  struct { barrow_frame frame; node *key, *value; } r;
  called += *(int *)data;
  seen_m = m;
  if (!m) return;
  r.key = (node *)key;
  r.value = (node *)value;
  BARROW_PUSH(m, r);
  CHECK_OK(barrow_collect(m, true));
  seen_key = r.key->value;
  seen_value = r.value ? r.value->value : 0;
  BARROW_LEAVE(m, r);
}

static void simple_function(barrow_mutator *m, void *data, void *key, void *value) {
  (void)m;
  (void)key;
  (void)value;
  called += *(int *)data;
}

static int one = 1;

typedef struct { barrow_frame frame; void *a, *b, *c, *weak; } four;

static void a_weak_pointer_follows_its_key(void) {
  const char *flags[] = {"-DS -G1", "-DS -G2", "-DS -G3 -T1", "-DS -G8 -T3"};
  size_t i;
  int round;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    four r;
    void *value;
    BARROW_ENTER(t.m, r);
    r.a = toy_node(t.m, NULL, NULL, 1);
    r.weak = barrow_weak_new(t.m, r.a, toy_node(t.m, NULL, NULL, 2), NULL);
    for (round = 0; round < 6; round++) {
      CHECK(barrow_weak_deref(r.weak, &value));
      CHECK_EQ(((node *)value)->value, 2);
      CHECK(barrow_weak_key(r.weak) == r.a);
      CHECK_OK(barrow_collect(t.m, round == 4));
    }
    CHECK_EQ(barrow_weak_count(t.m), 1);
    r.a = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(!barrow_weak_deref(r.weak, &value));
    CHECK(value == NULL && barrow_weak_key(r.weak) == NULL);
    CHECK_EQ(barrow_object_words(t.heap, r.weak), 7); /* as large as before */
    CHECK_EQ(barrow_weak_count(t.m), 0);
    CHECK(!barrow_finalizers_due(t.m));
    r.weak = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A value that reaches its own key does not keep it. */
static void an_ephemeron(void) {
  toy t = toy_new("-DS");
  four r;
  void *value;
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.weak = barrow_weak_new(t.m, r.a, toy_node(t.m, (node *)r.a, NULL, 2), NULL);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(barrow_weak_deref(r.weak, &value));
  CHECK(((node *)value)->left == r.a);
  r.a = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(!barrow_weak_deref(r.weak, &value));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Each value is the next one's key; `backwards` makes the list run against the chain. */
static void a_chain(size_t length, bool backwards, const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *first, *last, *weaks, *keys; } r;
  barrow_stats_t before, after;
  size_t i, alive = 0;
  void *value;
  BARROW_ENTER(t.m, r);
  r.weaks = toy_array(t.m, length);
  r.keys = toy_array(t.m, length + 1);
  for (i = 0; i <= length; i++) toy_put(t.m, &r.keys, i, toy_node(t.m, NULL, NULL, i));
  for (i = 0; i < length; i++) {
    size_t j = backwards ? length - 1 - i : i;
    void **keys = barrow_array_elements(r.keys);
    void *weak = barrow_weak_new(t.m, keys[j], keys[j + 1], NULL);
    CHECK(weak != NULL);
    barrow_write(t.m, r.weaks, &barrow_array_elements(r.weaks)[j], weak);
  }
  r.first = barrow_array_elements(r.keys)[0];
  r.keys = NULL;
  before = toy_stats(t);
  CHECK_OK(barrow_collect(t.m, true));
  after = toy_stats(t);
  for (i = 0; i < length; i++) {
    if (!barrow_weak_deref(barrow_array_elements(r.weaks)[i], &value)) break;
    if (((node *)value)->value != i + 1) break;
    alive++;
  }
  CHECK_EQ(alive, length);
  /* Quadratic work would take minutes. */
  CHECK(toy_is_slow() || after.gc_wall_ns - before.gc_wall_ns < 5000000000u);
  r.first = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < length; i++) alive -= !barrow_weak_alive(barrow_array_elements(r.weaks)[i]);
  CHECK_EQ(alive, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void chains(void) {
  a_chain(10, false, "-DS");
  a_chain(10, true, "-DS -G1");
  a_chain(100000, false, "");
  a_chain(100000, true, "-G1");
  a_chain(3000, true, "-DZ -G3");
}

static void functions(void) {
  toy t = toy_new("-DS");
  four r;
  bool added = false;
  void *weak, *out = &one;
  BARROW_ENTER(t.m, r);
  called = 0;
  /* Nobody refers to the weak pointer itself. */
  r.a = toy_node(t.m, NULL, NULL, 7);
  weak = barrow_weak_new(t.m, r.a, toy_node(t.m, (node *)r.a, NULL, 8), NULL);
  CHECK_OK(barrow_weak_set_function(t.m, weak, busy_function, &one, &added));
  CHECK(added);
  REFUSED(BARROW_E_STATE, barrow_weak_set_function(t.m, weak, busy_function, &one, NULL));
  REFUSED(BARROW_E_ARG, barrow_weak_set_function(t.m, weak, NULL, &one, NULL));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 0);
  r.a = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(called, 0); /* not in the pause */
  CHECK(barrow_finalizers_due(t.m));
  CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 1);
  CHECK_EQ(called, 1);
  CHECK_EQ(seen_key, 7);
  CHECK_EQ(seen_value, 8);
  CHECK(seen_m == t.m);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);

  /* By hand, and then never again. */
  r.a = toy_node(t.m, NULL, NULL, 5);
  r.b = toy_node(t.m, NULL, NULL, 6);
  r.weak = barrow_weak_new(t.m, r.a, NULL, r.b);
  CHECK_OK(barrow_weak_set_function(t.m, r.weak, busy_function, &one, NULL));
  CHECK_OK(barrow_weak_finalize(t.m, r.weak, &out));
  CHECK(out == r.b && ((node *)out)->value == 6); /* the function has collected meanwhile */
  CHECK_EQ(called, 2);
  CHECK_OK(barrow_weak_finalize(t.m, r.weak, &out));
  CHECK(out == NULL && called == 2 && !barrow_weak_alive(r.weak));
  CHECK_OK(barrow_weak_set_function(t.m, r.weak, busy_function, &one, &added));
  CHECK(!added);
  r.a = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(!barrow_finalizers_due(t.m));
  REFUSED(BARROW_E_ARG, barrow_weak_finalize(t.m, r.b, NULL));
  ANSWERS((size_t)0, (size_t)barrow_weak_new(t.m, NULL, NULL, NULL));

  /* By hand while it waits. */
  r.weak = barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 5), NULL, r.b);
  (void)barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 9), NULL, r.b);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(barrow_finalizers_due(t.m) && !barrow_weak_alive(r.weak));
  CHECK_OK(barrow_weak_finalize(t.m, r.weak, &out));
  CHECK(out == r.b);
  /* The other one is an object, and nobody says how to run it. */
  ANSWERS((size_t)0, barrow_run_finalizers(t.m, NULL, NULL, 0));
  CHECK(barrow_finalizers_due(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

typedef struct { node *kept; int runs; bool make_more; } runner;

/* Brings the key back to life, and makes a weak pointer to it. */
static void run_object(void *client, barrow_mutator *m, void *finalizer, void *key, void *value) {
  runner *state = (runner *)client;
  CHECK_EQ(((node *)finalizer)->value, 30);
  CHECK_EQ(((node *)value)->value, 20);
  CHECK(((node *)value)->left == key);
  state->kept = (node *)key;
  state->runs++;
  if (state->make_more) {
    void *weak = barrow_weak_new(m, key, value, finalizer);
    CHECK(weak != NULL);
  }
}

static void objects_and_resurrection(void) {
  const char *flags[] = {"-DS -G1", "-DS -G2", "-DS -G4 -T2"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    four r;
    runner state = {NULL, 0, true};
    CHECK_OK(barrow_root_add(t.heap, "kept", &state.kept, 1, false));
    BARROW_ENTER(t.m, r);
    r.a = toy_node(t.m, NULL, NULL, 10);
    r.b = toy_node(t.m, (node *)r.a, NULL, 20);
    r.weak = barrow_weak_new(t.m, r.a, r.b, toy_node(t.m, NULL, NULL, 30));
    r.a = r.b = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_run_finalizers(t.m, run_object, &state, 5), 1);
    CHECK_EQ(state.runs, 1);
    /* The key lives again, and the old weak pointer stays dead. The new one lives until the key dies again. */
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(!barrow_weak_alive(r.weak));
    CHECK_EQ(state.kept->value, 10);
    CHECK_EQ(barrow_run_finalizers(t.m, run_object, &state, 0), 0);
    state.kept = NULL;
    state.make_more = false;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_run_finalizers(t.m, run_object, &state, 0), 1);
    state.kept = NULL;
    r.weak = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* What only a finalizer reaches is dead for everybody else. */
static void all_die_at_once(void) {
  toy t = toy_new("-DS");
  four r;
  BARROW_ENTER(t.m, r);
  called = 0;
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.b = toy_node(t.m, (node *)r.a, NULL, 2);
  r.weak = barrow_weak_new(t.m, r.a, NULL, NULL);
  r.c = barrow_weak_new(t.m, r.b, NULL, NULL);
  CHECK_OK(barrow_weak_set_function(t.m, r.c, simple_function, &one, NULL));
  r.a = r.b = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(!barrow_weak_alive(r.weak) && !barrow_weak_alive(r.c));
  CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static int ready_calls;
static barrow_mutator *ready_m;
static void ready(void *client) {
  (void)client;
  ready_calls++;
  if (ready_m) REFUSED(BARROW_E_STATE, barrow_collect(ready_m, false));
}

static void the_hook_is_told(void) {
  barrow_config config;
  toy t;
  int i;
  barrow_config_init(&config);
  config.finalizers_ready = ready;
  t = toy_new_with(&config, "-DS");
  called = ready_calls = 0;
  ready_m = t.m;
  for (i = 0; i < 10; i++)
    CHECK_OK(barrow_weak_set_function(t.m, barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 1), NULL, NULL),
                                      simple_function, &one, NULL));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(ready_calls, 1);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(ready_calls, 1);
  CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 4), 4);
  CHECK_EQ(called, 4);
  CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 6);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(ready_calls, 1);
  CHECK(toy_stats(t).live_bytes == 0);
  ready_m = NULL;
  toy_free(t);
}

/* barrow_heap_free calls the functions of all weak pointers that are left: due ones and living ones. */
static void at_the_end(void) {
  toy t = toy_new("");
  static node *living;
  called = 0;
  seen_m = t.m;
  CHECK_OK(barrow_root_add(t.heap, "living", &living, 1, false));
  living = toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_weak_set_function(t.m, barrow_weak_new(t.m, living, NULL, NULL), busy_function, &one, NULL));
  CHECK_OK(barrow_weak_set_function(t.m, barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 2), NULL, NULL), busy_function,
                                    &one, NULL));
  (void)barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 3), NULL, living);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  CHECK_EQ(called, 2);
  CHECK(seen_m == NULL);
}

/* Keys that do not move, and keys outside the heap, which never die. */
static void keys_of_all_sorts(void) {
  toy t = toy_new("-DS -G3");
  four r;
  static barrow_word outside[2];
  barrow_word *pinned;
  int round;
  BARROW_ENTER(t.m, r);
  pinned = barrow_allocate_pinned(t.m, 4, 8, 0);
  pinned[0] = (barrow_word)&node_info;
  pinned[1] = pinned[2] = pinned[3] = 0;
  r.a = pinned;
  r.b = toy_array(t.m, 5000);
  r.c = toy_array(t.m, 3);
  toy_put(t.m, &r.c, 0, barrow_weak_new(t.m, r.a, r.b, NULL));
  toy_put(t.m, &r.c, 1, barrow_weak_new(t.m, r.b, r.c, NULL));
  toy_put(t.m, &r.c, 2, barrow_weak_new(t.m, outside, outside, NULL));
  r.b = NULL; /* the pinned key keeps it by the first weak pointer */
  for (round = 0; round < 4; round++) {
    CHECK_OK(barrow_collect(t.m, round == 3));
    CHECK(barrow_weak_alive(barrow_array_elements(r.c)[0]));
    CHECK(barrow_weak_alive(barrow_array_elements(r.c)[1]));
    CHECK(barrow_weak_alive(barrow_array_elements(r.c)[2]));
  }
  r.a = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(!barrow_weak_alive(barrow_array_elements(r.c)[0]));
  CHECK(!barrow_weak_alive(barrow_array_elements(r.c)[1]));
  CHECK(barrow_weak_alive(barrow_array_elements(r.c)[2]));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An old weak pointer with a young key loses it in a minor collection. */
static void young_keys_of_old_ones(void) {
  toy t = toy_new("-DS -T1");
  four r;
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.weak = barrow_weak_new(t.m, r.a, NULL, NULL);
  r.b = toy_array(t.m, 1);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_generation_of(t.heap, r.weak), 1);
  toy_put(t.m, &r.b, 0, barrow_weak_new(t.m, toy_node(t.m, NULL, NULL, 2), NULL, NULL));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(!barrow_weak_alive(*barrow_array_elements(r.b)));
  CHECK(barrow_weak_alive(r.weak));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void under_stress(void) {
  toy t = toy_new("-DS --stress=3 -G3");
  struct { barrow_frame frame; void *keys, *weaks; } r;
  size_t i, round;
  BARROW_ENTER(t.m, r);
  called = 0;
  r.keys = toy_array(t.m, 20);
  r.weaks = toy_array(t.m, 20);
  for (round = 0; round < 10; round++) {
    for (i = 0; i < 20; i++) {
      node *key;
      void *weak;
      toy_put(t.m, &r.keys, i, toy_node(t.m, NULL, NULL, round));
      key = (node *)barrow_array_elements(r.keys)[i];
      weak = barrow_weak_new(t.m, key, barrow_array_elements(r.keys)[(i + 1) % 20], NULL);
      CHECK_OK(barrow_weak_set_function(t.m, weak, simple_function, &one, NULL));
      barrow_write(t.m, r.weaks, &barrow_array_elements(r.weaks)[i], weak);
    }
    for (i = 0; i < 20; i++) CHECK(barrow_weak_alive(barrow_array_elements(r.weaks)[i]));
    barrow_run_finalizers(t.m, NULL, NULL, 0);
  }
  r.keys = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  barrow_run_finalizers(t.m, NULL, NULL, 0);
  CHECK_EQ(called, 200);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Children with weak references to their parents, which only the children's finalizers reach when they are closed. */
static size_t closed, right, ended;

static void close_child(barrow_mutator *m, void *data, void *key, void *value) {
  const node *child = (const node *)key;
  void *parent, *next;
  (void)data;
  (void)value;
  closed++;
  if (!m) return;
  /* To the parent, which lives; to a sibling that died with it; and to a weak pointer that this leads to. */
  right += barrow_weak_deref(child->left, &next) && barrow_weak_key(child->left) != NULL
           && ((node *)barrow_weak_key(child->left))->value == child->value && barrow_weak_deref(next, &parent)
           && ((node *)parent)->value == child->value + 1;
  ended += !barrow_weak_alive(child->right) && barrow_weak_key(child->right) == NULL;
}

static void only_a_finalizer_reaches(const char *flags, size_t count) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *parents, *child, *sibling, *back, *next; } r;
  size_t i, round;
  BARROW_ENTER(t.m, r);
  closed = right = ended = 0;
  r.parents = toy_array(t.m, count);
  for (i = 0; i < count; i++) toy_put(t.m, &r.parents, i, toy_node(t.m, NULL, NULL, 2 * i));
  for (round = 0; round < 3; round++) {
    for (i = 0; i < count; i++) {
      r.sibling = toy_node(t.m, NULL, NULL, 1);
      r.child = toy_node(t.m, NULL, NULL, 2 * i);
      r.next = toy_node(t.m, NULL, NULL, 2 * i + 1);
      r.next = barrow_weak_new(t.m, barrow_array_elements(r.parents)[i], r.next, NULL);
      r.back = barrow_weak_new(t.m, barrow_array_elements(r.parents)[i], r.next, NULL);
      ((node *)r.child)->left = (node *)r.back;
      barrow_wrote(t.m, r.child, &((node *)r.child)->left);
      r.back = barrow_weak_new(t.m, r.sibling, NULL, NULL);
      ((node *)r.child)->right = (node *)r.back;
      barrow_wrote(t.m, r.child, &((node *)r.child)->right);
      r.back = barrow_weak_new(t.m, r.child, NULL, NULL);
      CHECK_OK(barrow_weak_set_function(t.m, r.back, close_child, NULL, NULL));
    }
    r.child = r.sibling = r.back = r.next = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    /* Parents move on, and memory is used again, before the finalizers run. */
    CHECK_OK(barrow_collect(t.m, round == 2));
    CHECK_OK(barrow_check(t.m));
    barrow_run_finalizers(t.m, NULL, NULL, 0);
    CHECK_EQ(closed, (round + 1) * count);
    CHECK_EQ(right, closed);
    CHECK_EQ(ended, closed);
  }
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_weak_count(t.m), 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void finalizers_lead_to_weak_pointers(void) {
  only_a_finalizer_reaches("-DS", 20);
  only_a_finalizer_reaches("-DS -c -G3", 20);
  only_a_finalizer_reaches("-G1", 2000);
  only_a_finalizer_reaches("-A64k", 5000);
  only_a_finalizer_reaches("-A64k -c -DZ", 5000);
}

/* A weak pointer whose key was stored by the client, and one that is no weak pointer of the library. */
static void weak_pointers_of_the_client(void) {
  toy t = toy_new("-DS -T1");
  four r;
  void **key, *was;
  barrow_word header;
  BARROW_ENTER(t.m, r);
  r.a = toy_node(t.m, NULL, NULL, 1);
  r.weak = barrow_weak_new(t.m, r.a, NULL, NULL);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  r.b = toy_node(t.m, NULL, NULL, 2);
  for (key = (void **)r.weak + 1; *key != r.a; key++) continue;
  was = *key, *key = r.b;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "younger than the generation that the weak pointer is listed with") != NULL);
  *key = was;
  r.c = toy_bytes(t.m, 200);
  memset(toy_bytes_at(r.c), 0, 200);
  header = *(barrow_word *)r.c;
  memcpy(r.c, r.weak, barrow_object_words(t.heap, r.weak) * sizeof(barrow_word));
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "in no list") != NULL);
  ((barrow_word *)r.c)[0] = header, ((barrow_word *)r.c)[1] = 200;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(a_weak_pointer_follows_its_key);
  RUN(an_ephemeron);
  RUN(chains);
  RUN(functions);
  RUN(objects_and_resurrection);
  RUN(all_die_at_once);
  RUN(the_hook_is_told);
  RUN(at_the_end);
  RUN(keys_of_all_sorts);
  RUN(young_keys_of_old_ones);
  RUN(under_stress);
  RUN(finalizers_lead_to_weak_pointers);
  RUN(weak_pointers_of_the_client);
  return DONE;
}
