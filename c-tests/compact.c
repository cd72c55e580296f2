/* Compaction: -c, -c<percent>, the way out when copies have no room; what it needs; who takes part. */
#define _POSIX_C_SOURCE 200809L
#include "toy.h"
#include <unistd.h>

static const char *const generations[] = {"-G1", "-G2", "-G3 -T1", "-G8"};
#define EACH_OF(i, flags) for (i = 0; i < sizeof generations / sizeof *generations; i++)

static void set_element(barrow_mutator *m, void **array, size_t index, void *value) {
  barrow_write(m, array, &barrow_array_elements(array)[index], value);
}
static void *element(void **array, size_t index) { return barrow_array_elements(array)[index]; }

static toy compacting(const char *first, const char *more) {
  char line[200];
  sprintf(line, "%.90s %.90s", first, more);
  return toy_new(line);
}

/* Lists, trees, arrays, bytes, large and pinned objects survive; what is dead between them goes. */
static void everything_takes_part(void) {
  size_t i, j;
  EACH_OF(i, generations) {
    toy t = compacting("-c", generations[i]);
    struct { barrow_frame frame; node *list, *tree; void **array; unsigned char *bytes; node *pinned; void *handle; } r;
    void *large, *fixed;
    barrow_handle *handle = NULL;
    barrow_stats_t before, after;
    BARROW_ENTER(t.m, r);
    for (j = 1; j <= 20000; j++) {
      node *n = toy_node(t.m, r.list, NULL, j);
      r.list = n;
      if (j % 4) CHECK(toy_node(t.m, NULL, NULL, 0) != NULL);
    }
    r.tree = toy_tree(t.m, 12);
    r.array = (void **)toy_array(t.m, 3000);
    r.bytes = (unsigned char *)toy_bytes(t.m, 100);
    memset(toy_bytes_at(r.bytes), 7, 100);
    r.pinned = (node *)barrow_allocate_pinned(t.m, 4, 64, 0);
    r.pinned->header = (barrow_word)&node_info;
    r.pinned->left = r.list;
    r.pinned->right = NULL;
    r.pinned->value = 5;
    for (j = 0; j < 3000; j += 7) {
      node *n = toy_node(t.m, NULL, NULL, j);
      set_element(t.m, r.array, j, n);
    }
    CHECK_OK(barrow_handle_new(t.m, r.tree, &handle));
    large = r.array, fixed = r.pinned;
    before = toy_stats(t);
    for (j = 0; j < 5; j++) CHECK_OK(barrow_collect(t.m, true));
    after = toy_stats(t);
    CHECK_EQ(after.compactions, before.compactions + 5);
    CHECK_EQ(after.compactions, after.major_collections);
    CHECK(after.live_bytes < before.live_bytes + before.nursery_bytes);
    CHECK(r.array == large && (void *)r.pinned == fixed);
    CHECK_EQ(toy_sum(r.list), (size_t)20000 * 20001 / 2);
    CHECK_EQ(toy_count(r.tree), 8191);
    CHECK(r.pinned->left == r.list && r.pinned->value == 5);
    CHECK(barrow_handle_get(handle) == (void *)r.tree);
    for (j = 0; j < 3000; j++) {
      node *n = (node *)element(r.array, j);
      CHECK(j % 7 ? n == NULL : n && n->value == j);
    }
    for (j = 0; j < 100; j++) CHECK_EQ(toy_bytes_at(r.bytes)[j], 7);
    barrow_handle_free(t.m, handle);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* With nothing dead nothing moves, and with everything dead nothing is left. */
static void all_and_nothing(void) {
  toy t = toy_new("-c");
  struct { barrow_frame frame; node *list; } r;
  node *was;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 50000);
  CHECK_OK(barrow_collect(t.m, true));
  was = r.list;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(was == r.list);
  CHECK_EQ(toy_sum(r.list), (size_t)50000 * 50001 / 2);
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static node *shared[3];
static void name_thrice(void *client, barrow_visitor *visitor) {
  int i;
  (void)client;
  for (i = 0; i < 3; i++) barrow_visit(visitor, (void **)&shared[0]);
  barrow_visit(visitor, (void **)&shared[1]);
  barrow_visit(visitor, (void **)&shared[2]);
}

/* A root that is named several times is rewritten once. */
static void roots_named_twice(void) {
  barrow_config config;
  toy t;
  int i;
  barrow_config_init(&config);
  config.roots = name_thrice;
  t = toy_new_with(&config, "-c");
  for (i = 0; i < 3; i++) shared[i] = NULL;
  for (i = 0; i < 20; i++) {
    int j;
    for (j = 0; j < 3; j++) {
      node *n;
      CHECK(toy_list(t.m, 100) != NULL);
      n = toy_node(t.m, NULL, NULL, 0);
      n->left = shared[j], n->value = (barrow_word)(j + 1);
      shared[j] = n;
    }
    CHECK_OK(barrow_collect(t.m, true));
  }
  for (i = 0; i < 3; i++) CHECK_EQ(toy_sum(shared[i]), 20 * (i + 1));
  toy_free(t);
  for (i = 0; i < 3; i++) shared[i] = NULL;
}

/* Roots in a form of the client's own, beside more roots than there is room to note. */
#define MANY ((size_t)1 << 14)
static struct { barrow_word hidden[3]; size_t count, calls; node *many[MANY]; } own;
/* Hands one in as a local variable; the thread has a second stack for these with the address sanitizer. */
static void *in_a_variable(barrow_visitor *visitor, void *p) {
  barrow_visit(visitor, &p);
  return p;
}
static void *in_a_word(barrow_visitor *visitor, void *p) {
  size_t word = (size_t)p;
  barrow_visit_word(visitor, &word);
  return (void *)word;
}
static void *as_a_word(barrow_visitor *visitor, void *p) { return (void *)barrow_visit_value_word(visitor, (size_t)p); }
static void *(*const hand_in[])(barrow_visitor *, void *) = {in_a_variable, in_a_word, barrow_visit_value, as_a_word};
static void name_hidden(void *client, barrow_visitor *visitor) {
  void *(*const *hand)(barrow_visitor *, void *) = (void *(*const *)(barrow_visitor *, void *))client;
  size_t i;
  own.calls++;
  for (i = 0; i < 3; i++) own.hidden[i] = ~(barrow_word)(*hand)(visitor, (void *)~own.hidden[i]);
  for (i = 0; i < own.count; i++) barrow_visit(visitor, (void **)(void *)&own.many[i]);
}

static void roots_in_another_form(void) {
  static const char *const flags[] = {"-A64k", "-A64k -G1", "-A64k --old=copy", "-A64k -c", "-A64k -c -DS", "-A64k -c --source=chunks"};
  size_t f, i;
  for (f = 0; f < 4 * (sizeof flags / sizeof *flags); f++) {
    barrow_config config;
    toy t;
    struct { barrow_frame frame; node *before; } r;
    int round;
    barrow_config_init(&config);
    config.roots = name_hidden;
    config.client = (void *)&hand_in[f % 4];
    config.tagged_pointers = 0x0101;
    config.address_mask = ~(size_t)7;
    own.count = 0;
    for (i = 0; i < 3; i++) own.hidden[i] = ~(barrow_word)0;
    t = toy_new_with(&config, flags[f / 4]);
    BARROW_ENTER(t.m, r);
    for (i = 0; i < MANY; i++) own.many[i] = NULL;
    own.count = MANY;
    for (round = 0; round < 3; round++) {
      /* What lies before them when all are old dies, so that they slide. */
      r.before = toy_list(t.m, 100);
      CHECK_OK(barrow_collect(t.m, false));
      for (i = 0; i < 3; i++) own.hidden[i] = ~(barrow_word)toy_node(t.m, NULL, NULL, 42 + i);
      own.many[0] = toy_node(t.m, NULL, NULL, 41);
      for (i = 1; i < MANY; i++) own.many[i] = own.many[0];
      CHECK_OK(barrow_collect(t.m, false));
      r.before = NULL;
      own.calls = 0;
      CHECK_OK(barrow_collect(t.m, true));
      /* Once to mark; then what has no room is visited again. */
      if (f / 4 == 3 && round > 0) CHECK(own.calls >= 3);
      CHECK(toy_list(t.m, 3000) != NULL);
      CHECK_OK(barrow_check(t.m));
      for (i = 0; i < 3; i++) CHECK_EQ(((node *)~own.hidden[i])->value, 42 + i);
      for (i = 0; i < MANY; i++) CHECK_EQ(own.many[i]->value, 41);
    }
    own.count = 0;
    for (i = 0; i < 3; i++) own.hidden[i] = ~(barrow_word)0;
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Roots at equal distances, all of which hold one object. */
static struct { char *first; size_t count, distance; int calls; } spread;
static void name_spread(void *client, barrow_visitor *visitor) {
  size_t i;
  (void)client;
  spread.calls++;
  for (i = 0; i < spread.count; i++) barrow_visit(visitor, (void **)(void *)(spread.first + i * spread.distance));
}

/* How often a compaction of a small heap asks for them. */
static int calls_for(void *first, size_t count, size_t distance) {
  barrow_config config;
  toy t;
  node *n;
  size_t i;
  int calls;
  barrow_config_init(&config);
  config.roots = name_spread;
  t = toy_new_with(&config, "-c -A64k");
  CHECK(toy_list(t.m, 100) != NULL);
  n = toy_node(t.m, NULL, NULL, 42);
  spread.first = (char *)first, spread.distance = distance, spread.count = count, spread.calls = 0;
  for (i = 0; i < count; i++) *(node **)(void *)(spread.first + i * distance) = n;
  CHECK_OK(barrow_collect(t.m, true));
  calls = spread.calls;
  CHECK(*(node **)first != n && (*(node **)first)->value == 42);
  for (i = 0; i < count; i++) CHECK(*(node **)(void *)(spread.first + i * distance) == *(node **)first);
  spread.count = 0;
  toy_free(t);
  return calls;
}

/* Many more roots than a small heap has room to note take a few passes. Some distances are bad for a hash by multiplication. */
static void many_roots_of_a_small_heap(void) {
  static void *adjacent[1 << 20];
  static struct { void *root; char rest[7488]; } apart[4096];
  size_t count = toy_is_slow() ? 1 << 16 : 1 << 20;
  alarm(300);
  CHECK(calls_for(adjacent, count, sizeof *adjacent) < 10);
  CHECK(calls_for(adjacent, 1, sizeof *adjacent) < 5);
  CHECK(calls_for(apart, sizeof apart / sizeof *apart, sizeof *apart) < 10);
  alarm(0);
}

/* Roots that are fields of a static are rewritten once, however the static is reached. */
typedef struct fixture { const barrow_info *info; void *field, *more; barrow_word link; } fixture;
INFO(fixture_info, BARROW_CONSTR_STATIC, 0, 0, 2, 0, 0, NULL, NULL);
static void fields_of_statics_as_roots(void) {
  static fixture statics[3];
  static void *const list[] = {&statics[0], &statics[1], &statics[2]};
  toy t = toy_new("-c");
  struct { barrow_frame frame; void *top; } r;
  size_t i;
  for (i = 0; i < 3; i++) {
    memset(&statics[i], 0, sizeof statics[i]);
    statics[i].info = &fixture_info;
  }
  CHECK_OK(barrow_statics_add(t.heap, list, 3, false));
  CHECK_OK(barrow_root_add(t.heap, "field", &statics[0].field, 1, false));
  CHECK_OK(barrow_root_add(t.heap, "fields", &statics[1].field, 2, false));
  BARROW_ENTER(t.m, r);
  r.top = &statics[2];
  statics[2].field = &statics[0], statics[2].more = &statics[1];
  for (i = 0; i < 20; i++) {
    node **fields[3];
    int j;
    fields[0] = (node **)&statics[0].field, fields[1] = (node **)&statics[1].field, fields[2] = (node **)&statics[1].more;
    for (j = 0; j < 3; j++) {
      node *n;
      CHECK(toy_list(t.m, 100) != NULL);
      n = toy_node(t.m, NULL, NULL, (barrow_word)(j + 1));
      n->left = *fields[j];
      *fields[j] = n;
    }
    CHECK_OK(barrow_collect(t.m, true));
    for (j = 0; j < 3; j++) CHECK_EQ(toy_sum(*fields[j]), (i + 1) * (size_t)(j + 1));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* -c<percent> engages above its share of -M, and 30 % is what is meant without it. */
static uint64_t compactions_with(const char *flags, size_t nodes) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list; } r;
  uint64_t count;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, nodes);
  CHECK_OK(barrow_collect(t.m, true)); /* learns what lives */
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), nodes * (nodes + 1) / 2);
  count = toy_stats(t).compactions;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return count;
}

static void a_share_of_the_limit(void) {
  size_t mib = 32768; /* nodes */
  CHECK_EQ(compactions_with("--old=copy -M100m", 20 * mib), 0);
  CHECK(compactions_with("--old=copy -M100m", 36 * mib) > 0);
  CHECK(compactions_with("--old=copy -M100m -c10", 20 * mib) > 0);
  CHECK_EQ(compactions_with("--old=copy -M100m -c50", 36 * mib), 0);
  CHECK(compactions_with("--old=copy -M100m -c50%", 60 * mib) > 0);
  CHECK_EQ(compactions_with("--old=copy", 36 * mib), 0);
  CHECK(compactions_with("-c", mib) > 0);
}

/* What lives at most is L; with -M 1.3 L the program completes, whatever it throws away meanwhile. */
static void completes_with(const char *flags, size_t nodes, size_t rounds) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void **array; } r;
  size_t i, j;
  size_t slots = nodes / 100;
  barrow_stats_t stats;
  BARROW_ENTER(t.m, r);
  r.array = (void **)toy_array(t.m, slots);
  CHECK(r.array != NULL);
  for (i = 0; r.array && i < slots * rounds; i++) {
    size_t slot = i < slots ? i : i * 7919 % slots;
    node *list;
    /* The list that it replaces dies first. */
    set_element(t.m, r.array, slot, NULL);
    list = toy_list(t.m, 100);
    if (!list) {
      printf("%s: %s after %zu of %zu lists\n", flags, barrow_last_error(), i, slots * rounds);
      CHECK(!"out of memory");
      break;
    }
    set_element(t.m, r.array, slot, list);
  }
  for (j = 0; r.array && j < slots; j++) CHECK_EQ(toy_sum((node *)element(r.array, j)), 5050);
  stats = toy_stats(t);
  CHECK(stats.compactions > 0);
  printf("%s: %lu collections, %lu major, %lu compactions, %lu MiB at most\n", flags, (unsigned long)stats.collections,
         (unsigned long)stats.major_collections, (unsigned long)stats.compactions,
         (unsigned long)(stats.peak_resident_bytes >> 20));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void one_and_a_third(void) {
  size_t nodes = 1000000; /* 30.5 MiB, and 80 KB for the array: L is 31 MiB */
  if (toy_is_slow()) return;
  completes_with("-M40m", nodes, 3);
  completes_with("-M40m --source=chunks", nodes, 3);
  completes_with("-M40m -c", nodes, 3);
  completes_with("-M40m -c90", nodes, 3); /* too late for a copy of everything: it compacts anyway */
  completes_with("-M40m -G1", nodes, 3);
  completes_with("-M40m -G3", nodes, 3);
}

/* At most 1.05 times what was held when it started, plus the bitmap. */
static void memory_while_it_runs(void) {
  size_t i;
  EACH_OF(i, generations) {
    toy t = compacting("-c", generations[i]);
    struct { barrow_frame frame; node *tree, *list; } r;
    barrow_stats_t stats;
    BARROW_ENTER(t.m, r);
    r.tree = toy_tree(t.m, 19);
    r.list = toy_list(t.m, 300000);
    CHECK_OK(barrow_collect(t.m, true));
    stats = toy_stats(t);
    CHECK(stats.compaction_held_bytes > (20 << 20));
    CHECK(stats.compaction_peak_bytes >= stats.compaction_held_bytes);
    CHECK(stats.compaction_peak_bytes * 100 <= stats.compaction_held_bytes * 105);
    CHECK(stats.compaction_bitmap_bytes * 60 <= stats.compaction_held_bytes);
    CHECK_EQ(toy_count(r.tree), (1 << 20) - 1);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A list that hangs by its last field, with something to look at in the first one of each cell: the mark stack of a
   small heap is full at once. */
static void the_mark_stack_is_bounded(void) {
  toy t = toy_new("-c -A1m");
  struct { barrow_frame frame; node *list, *head; void **array; } r;
  size_t i, length = toy_is_slow() ? 20000 : 400000, seen = 0;
  node *n;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < length; i++) {
    r.head = toy_node(t.m, NULL, NULL, i);
    r.head = toy_node(t.m, r.head, NULL, i);
    n = toy_node(t.m, r.head, r.list, i);
    r.list = n;
  }
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  for (n = r.list; n; n = n->right) {
    seen++;
    CHECK_EQ(n->value, length - seen);
    CHECK_EQ(n->left->left->value, length - seen);
  }
  CHECK_EQ(seen, length);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Half of everything dies: its memory goes back. */
static void memory_goes_back(void) {
  toy t = toy_new("-c -Fd0 -A1m");
  struct { barrow_frame frame; node *list, *other; } r;
  size_t held;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000000);
  r.other = toy_list(t.m, 10000);
  CHECK_OK(barrow_collect(t.m, true));
  held = toy_stats(t).resident_bytes;
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(toy_stats(t).resident_bytes < held / 3);
  CHECK_EQ(toy_sum(r.other), (size_t)10000 * 10001 / 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The square root of what lives: a large heap is collected more often than with a factor. */
static uint64_t majors_with(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list, *more; } r;
  uint64_t majors;
  int i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000000);
  CHECK_OK(barrow_collect(t.m, true));
  majors = toy_stats(t).major_collections;
  for (i = 0; i < 30; i++) {
    r.more = toy_list(t.m, 50000);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, false));
  }
  majors = toy_stats(t).major_collections - majors;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return majors;
}

static void the_square_root(void) {
  uint64_t factor, root, small;
  if (toy_is_slow()) return;
  factor = majors_with("-A1m -G2"), root = majors_with("-A1m -G2 --square-root-above=2m");
  small = majors_with("-A1m -G2 --square-root-above=1g");
  printf("major collections: %lu with a factor, %lu with the square root\n", (unsigned long)factor, (unsigned long)root);
  CHECK(root >= 2 * factor);
  CHECK_EQ(small, factor); /* below the size it is the factor */
}

/* Memory outside the heap brings collections, and more of it a major one. */
static void external_memory(void) {
  toy t = toy_new("-A1m");
  barrow_stats_t before = toy_stats(t), after;
  int i;
  for (i = 0; i < 100; i++) {
    CHECK_OK(barrow_external_bytes(t.m, 1 << 20));
    CHECK_OK(barrow_safepoint(t.m));
  }
  after = toy_stats(t);
  CHECK_EQ(after.external_bytes, 100 << 20);
  CHECK(after.collections >= before.collections + 50);
  CHECK(after.major_collections > before.major_collections);
  CHECK_OK(barrow_external_bytes(t.m, -(100 << 20)));
  CHECK_EQ(toy_stats(t).external_bytes, 0);
  REFUSED(BARROW_E_ARG, barrow_external_bytes(t.m, -1));
  toy_free(t);
}

/* Pieces that are smaller than a block add up: half a nursery of them asks for a collection. */
static void external_memory_in_pieces(void) {
  toy t = toy_new("-A1m");
  int pieces;
  CHECK_OK(barrow_collect(t.m, true));
  for (pieces = 0; pieces < 1000 && !barrow_wants_gc(t.m); pieces++) CHECK_OK(barrow_external_bytes(t.m, 1000));
  CHECK(pieces > 500 && pieces < 550);
  CHECK_OK(barrow_safepoint(t.m));
  CHECK(!barrow_wants_gc(t.m));
  CHECK_OK(barrow_external_bytes(t.m, -1000 * pieces));
  toy_free(t);
}

int main(void) {
  RUN(everything_takes_part);
  RUN(all_and_nothing);
  RUN(roots_named_twice);
  RUN(roots_in_another_form);
  RUN(many_roots_of_a_small_heap);
  RUN(fields_of_statics_as_roots);
  RUN(a_share_of_the_limit);
  RUN(one_and_a_third);
  RUN(memory_while_it_runs);
  RUN(the_mark_stack_is_bounded);
  RUN(memory_goes_back);
  RUN(the_square_root);
  RUN(external_memory);
  RUN(external_memory_in_pieces);
  return DONE;
}
