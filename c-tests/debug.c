/* What debuggers ask: why something is alive, and who moved it; the flags that look for mistakes. */
#include "toy.h"

INFO(tagged_info, BARROW_TAGGED, 0, 0, 3, 0, 0, NULL, NULL);

static node *global_node;

static size_t asked(toy t, const void *address, const barrow_held **steps) {
  size_t count = 0;
  CHECK_OK(barrow_why(t.m, address, steps, &count));
  return count;
}

static void the_way_to_an_object(void) {
  toy t = toy_new("-A1m");
  const barrow_held *steps = NULL;
  struct { barrow_frame frame; node *list, *lost; } r;
  size_t i;
  CHECK_OK(barrow_root_add(t.heap, "the global", &global_node, 1, false));
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 4; i++) r.list = toy_node(t.m, r.list, NULL, i);
  CHECK_OK(barrow_collect(t.m, true));
  /* The last of four, by its third word, from a local variable. */
  CHECK_EQ(asked(t, &r.list->left->left->left->right, &steps), 5);
  CHECK(steps[0].object == NULL && strcmp(steps[0].name, "shadow stack") == 0 && steps[0].slot == &r.list);
  CHECK(steps[1].object == r.list && steps[1].slot == &r.list->left && steps[1].words == 4);
  CHECK(strcmp(steps[1].name, "node_info") == 0 && steps[1].hold == BARROW_HELD_BY_FIELD && steps[1].generation >= 0);
  CHECK(steps[4].object == r.list->left->left->left && steps[4].slot == &r.list->left->left->left->right);
  /* A shorter way is found. */
  global_node = r.list->left->left;
  CHECK_EQ(asked(t, r.list->left->left->left, &steps), 3);
  CHECK(strcmp(steps[0].name, "the global") == 0 && steps[0].slot == &global_node);
  global_node = NULL;
  r.lost = toy_node(t.m, NULL, NULL, 7);
  {
    node *lost = r.lost;
    size_t count = 99;
    r.lost = NULL;
    REFUSED(BARROW_E_ARG, barrow_why(t.m, lost, &steps, &count));
    CHECK(strstr(barrow_last_error(), "no root leads to it") != NULL);
    REFUSED(BARROW_E_ARG, barrow_why(t.m, &t, &steps, &count));
    CHECK_EQ(count, 99);
    REFUSED(BARROW_E_ARG, barrow_why(NULL, lost, &steps, &count));
    REFUSED(BARROW_E_ARG, barrow_why(t.m, r.list, NULL, &count));
    REFUSED(BARROW_E_ARG, barrow_why(t.m, r.list, &steps, NULL));
  }
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_root_remove(t.heap, &global_node));
  toy_free(t);
}

/* A million objects one behind the other: no stack is used up. */
static void a_long_way(void) {
  toy t = toy_new("-A1m");
  const barrow_held *steps = NULL;
  struct { barrow_frame frame; node *list, *last; } r;
  size_t i, most = 200000;
  BARROW_ENTER(t.m, r);
  r.last = r.list = toy_node(t.m, NULL, NULL, 0);
  for (i = 1; i < most; i++) r.list = toy_node(t.m, r.list, NULL, i);
  {
    node *last = r.last;
    r.last = NULL;
    CHECK_EQ(asked(t, last, &steps), most + 1);
    CHECK(steps[most].object == last && steps[1].object == r.list);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The value of a weak pointer lives by its key, also when it refers to the key. */
static void a_value_lives_by_its_key(void) {
  toy t = toy_new("-A1m");
  const barrow_held *steps = NULL;
  struct { barrow_frame frame; node *key, *value; } r;
  node *value;
  BARROW_ENTER(t.m, r);
  r.key = toy_node(t.m, NULL, NULL, 1);
  r.value = toy_node(t.m, r.key, NULL, 2);
  CHECK(barrow_weak_new(t.m, r.key, r.value, NULL) != NULL);
  value = r.value;
  r.value = NULL;
  CHECK_EQ(asked(t, value, &steps), 3);
  CHECK(steps[1].object == r.key && steps[1].hold == BARROW_HELD_BY_KEY);
  {
    size_t count;
    r.key = NULL;
    REFUSED(BARROW_E_ARG, barrow_why(t.m, value, &steps, &count));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void who_moved_it(void) {
  enum { OTHERS = 200 };
  static const char *const flags[] = {"-A1m -DZ", "-A1m -DZ -c", "-A1m -DZ -c --workers=3!"};
  toy t = toy_new(flags[0]);
  struct { barrow_frame frame; node *one; } r;
  barrow_moved moved;
  node *before, *others[OTHERS], *other;
  int kind;
  for (kind = 0; kind < 3; kind++) {
    uint64_t first;
    int i;
    toy_free(t);
    t = toy_new(flags[kind]);
    BARROW_ENTER(t.m, r);
    for (i = 0; i < 3000; i++) toy_node(t.m, NULL, NULL, 0); /* what dies leaves room to slide to */
    r.one = NULL;
    for (i = 0; i < OTHERS; i++) r.one = others[i] = toy_node(t.m, r.one, NULL, 0);
    r.one = toy_node(t.m, r.one, NULL, 5);
    before = r.one;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(r.one != before);
    memset(&moved, 0, sizeof moved);
    moved.size = (uint32_t)sizeof moved;
    CHECK_OK(barrow_moved_here(t.m, r.one, &moved));
    first = moved.collection;
    CHECK_EQ(moved.collection, toy_stats(t).collections);
    CHECK(moved.from == before && moved.to == r.one && moved.generation == 1 && strlen(moved.reason) > 5);
    {
      /* A client that knows a later library's. */
      struct { barrow_moved known; uint64_t unknown[2]; } later;
      memset(&later, 0x5a, sizeof later);
      later.known.size = (uint32_t)sizeof later;
      CHECK_OK(barrow_moved_here(t.m, r.one, &later.known));
      CHECK(later.known.from == before && later.known.to == r.one && later.unknown[1] == 0x5a5a5a5a5a5a5a5au);
    }
    CHECK_OK(barrow_moved_away(t.m, before, &moved));
    CHECK(moved.collection == first && moved.to == r.one);
    for (other = r.one->left, i = OTHERS; i-- > 0; other = other->left) {
      CHECK_OK(barrow_moved_here(t.m, other, &moved));
      CHECK(moved.from == others[i] && moved.to == other);
    }
    /* Nothing that is known. */
    CHECK_OK(barrow_moved_away(t.m, &t, &moved));
    CHECK(moved.collection == 0 && moved.reason == NULL);
    BARROW_LEAVE(t.m, r);
  }
  moved.size = 3;
  REFUSED(BARROW_E_ARG, barrow_moved_here(t.m, before, &moved));
  REFUSED(BARROW_E_ARG, barrow_moved_here(t.m, before, NULL));
  REFUSED(BARROW_E_ARG, barrow_moved_away(NULL, before, &moved));
  toy_free(t);
  if (getenv("BARROW_TEST_FLAGS") && strstr(getenv("BARROW_TEST_FLAGS"), "-D")) return;
  t = toy_new("-A1m");
  moved.size = (uint32_t)sizeof moved;
  REFUSED(BARROW_E_STATE, barrow_moved_away(t.m, before, &moved));
  toy_free(t);
}

/* In checking mode under stress, addresses of what died are not used again at once. */
static void stale_references_are_told(void) {
  toy t = toy_new("-A1m -DS --stress=1000000");
  node *first, *second;
  first = toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  second = toy_node(t.m, NULL, NULL, 2);
  CHECK(first != second);
  toy_free(t);
}

/* Numbers that look like addresses are no mistake, except where an object was. */
static void hidden_references_are_told(void) {
  barrow_config config;
  toy t;
  struct { barrow_frame frame; node *one, *other; } r;
  barrow_config_init(&config);
  config.tagged_pointers = 0x0202;
  config.address_mask = ~(size_t)7;
  t = toy_new_with(&config, "-A1m -DL");
  BARROW_ENTER(t.m, r);
  r.one = toy_node(t.m, NULL, NULL, 0);
  r.one->value = (barrow_word)&t;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  r.other = toy_node(t.m, NULL, NULL, 0);
  r.one->value = (barrow_word)r.other;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, true));
  CHECK(strstr(barrow_last_error(), "word 3 of the object") != NULL);
  /* Where an object has died; in a part of the heap without objects; and a reference in a tagged word. */
  r.one->value = (barrow_word)toy_node(t.m, NULL, NULL, 0);
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, true));
  CHECK(strstr(barrow_last_error(), "left no object") != NULL);
  r.one->value = ((barrow_word)r.one & ~(barrow_word)0xfffff) + 64;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, true));
  CHECK(strstr(barrow_last_error(), "left no object") != NULL);
  r.one->value = 0;
  r.other = toy_node(t.m, r.one, NULL, 0);
  barrow_set_header(r.other, &tagged_info);
  r.other->left = (node *)((char *)r.one + 1);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.other->left == (node *)((char *)r.one + 1));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(the_way_to_an_object);
  RUN(a_long_way);
  RUN(a_value_lives_by_its_key);
  RUN(who_moved_it);
  RUN(stale_references_are_told);
  RUN(hidden_references_are_told);
  return DONE;
}
