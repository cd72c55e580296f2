/* Per-function space: who allocates, by the window's word and by return address; nested, suspended, reported; misuse. */
#include "space.h"
#include <time.h>

/* Found by their names, which C++ would change. */
#ifdef __cplusplus
#define NAMED extern "C"
#else
#define NAMED static
#endif

static barrow_space_function_t function_at(toy t, size_t index, char *name, size_t room) {
  barrow_space_function_t function;
  memset(&function, 0, sizeof function);
  function.size = (uint32_t)sizeof function;
  CHECK_OK(barrow_space_function(t.heap, index, &function, name, room));
  return function;
}

/* The function of this name, and whether there is one. */
static int find(toy t, const char *wanted, barrow_space_function_t *out) {
  size_t count = (size_t)totals_of(t).functions, i;
  for (i = 0; i < count; i++) {
    char name[256];
    *out = function_at(t, i, name, sizeof name);
    if (strcmp(name, wanted) == 0) return 1;
  }
  return 0;
}

#if defined(__GNUC__)
#define ALONE __attribute__((noinline))
#else
#define ALONE
#endif

/* Two functions of the client's, of internal linkage, that know nothing of profiles. Work behind the allocation keeps it
 * from being the last call, which would return to the caller. */
NAMED ALONE size_t make_nodes(barrow_mutator *m, size_t count) {
  size_t i, made = 0;
  for (i = 0; i < count; i++) {
    node *n = (node *)barrow_alloc(m, 4);
    n->header = (barrow_word)&node_info;
    n->left = n->right = NULL;
    n->value = i;
    made++;
  }
  return made;
}

NAMED ALONE size_t make_bytes(barrow_mutator *m, size_t count) {
  size_t i, made = 0;
  for (i = 0; i < count; i++) {
    barrow_word *b = barrow_alloc(m, 6);
    b[0] = (barrow_word)&bytes_info;
    b[1] = 30;
    b[2] = b[3] = b[4] = b[5] = 0;
    made++;
  }
  return made;
}

static void by_return_address(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  barrow_space_kind_t kind;
  uint32_t profile = 0;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  make_nodes(t.m, 100);
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  CHECK(profile != 0);
  make_nodes(t.m, 1000);
  make_bytes(t.m, 10);
  CHECK_OK(barrow_space_suspend(t.m));
  make_nodes(t.m, 50);
  make_bytes(t.m, 50);
  CHECK_OK(barrow_space_resume(t.m));
  make_bytes(t.m, 5);
  CHECK_OK(barrow_space_end(t.m, profile));
  make_nodes(t.m, 100);
  CHECK(find(t, "make_nodes", &f));
  CHECK_EQ(f.allocated_bytes, 1000 * 32);
  CHECK_EQ(f.allocated_objects, 1000);
  CHECK(f.has_kinds && f.offset != 0);
  CHECK(find(t, "make_bytes", &f));
  CHECK_EQ(f.allocated_bytes, 15 * 48);
  CHECK_EQ(totals_of(t).allocated_bytes, 1000 * 32 + 15 * 48);
  CHECK_EQ(totals_of(t).allocated_objects, 1015);
  memset(&kind, 0, sizeof kind);
  kind.size = (uint32_t)sizeof kind;
  CHECK_OK(barrow_space_kind(t.heap, 1, 0, BARROW_SPACE_COLUMN_BYTE_ARRAYS, &kind));
  CHECK_EQ(kind.objects, 15);
  CHECK_EQ(kind.bytes, 15 * 48);
  CHECK_EQ(kind.overhead, 15 * 18);
  toy_free(t);
}

/* Allocates with values in registers; with a frame when that does not go, which is counted. */
static size_t came_slowly;
NAMED ALONE node *try_node(barrow_mutator *m, node *left, node *right, size_t value) {
  node *n = (node *)barrow_try_alloc(m, 4);
  if (!n) {
    struct { barrow_frame frame; node *left, *right; } r;
    r.left = left;
    r.right = right;
    BARROW_PUSH(m, r);
    came_slowly++;
    n = (node *)barrow_alloc_slow(m, 4);
    BARROW_LEAVE(m, r);
    left = r.left;
    right = r.right;
  }
  n->header = (barrow_word)&node_info;
  n->left = left;
  n->right = right;
  n->value = value;
  return n;
}

/* Calls no function that a compiler sees, so its variables may lie where nobody has reserved memory for them. */
NAMED ALONE size_t try_leaf(barrow_mutator *m, size_t count) {
  volatile size_t kept[8];
  size_t i, sum = 0;
  for (i = 0; i < 8; i++) kept[i] = i + count;
  for (i = 0; i < count; i++) {
    barrow_word *b = barrow_try_alloc(m, 2 + i % 3);
    if (!b) continue;
    b[0] = (barrow_word)&bytes_info;
    b[1] = (i % 3) * 8;
  }
  for (i = 0; i < 8; i++) sum += kept[i];
  return sum;
}

/* The place that tries is the one that allocates, also when it comes again because a collection is due. */
static void by_trying(void) {
  toy t = toy_new("-A64k");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  struct { barrow_frame frame; node *list, *last; } r;
  uint32_t profile = 0;
  size_t i, right = 0;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  came_slowly = 0;
  for (i = 0; i < 20000; i++) {
    if (i % 1000 == 0) r.list = NULL;
    r.list = r.last = try_node(t.m, r.list, r.last, i);
    if (i == 9999) {
      CHECK_OK(barrow_space_suspend(t.m));
      r.list = try_node(t.m, r.list, r.last, i);
      CHECK_OK(barrow_space_resume(t.m));
    }
  }
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(_WIN32)
  CHECK(came_slowly > 5 && came_slowly < 500);
#endif
  for (; r.list; r.list = r.list->left) right += r.list->value == --i;
  CHECK_EQ(right, 1000);
  CHECK_EQ(try_leaf(t.m, 30), 28 + 8 * 30);
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK(find(t, "try_node", &f));
  CHECK_EQ(f.allocated_objects, 20000);
  CHECK_EQ(f.allocated_bytes, 20000 * 32);
  CHECK_EQ(f.sites, 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static char one, two;

static const char *name_of(void *client, void *function) {
  ++*(int *)client;
  return function == &one ? "one" : function == &two ? "two" : NULL;
}

static uint32_t manner_of(void *client, void *function, void *site) {
  (void)client;
  (void)site;
  return function == &two ? 0 : BARROW_MANNER_SPACE;
}

static void nested(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  uint32_t outer = 0, inner = 0;
  int asked = 0;
  struct { barrow_frame frame; node *list; } r;
  options.client = &asked;
  options.name_of = name_of;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  barrow_window_of(t.m)->function = &one;
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_space_begin(t.m, &options, &inner));
  r.list = toy_node(t.m, r.list, NULL, 0);
  barrow_window_of(t.m)->function = &two;
  r.list = toy_node(t.m, r.list, NULL, 0);
  CHECK_OK(barrow_collect(t.m, true));
  REFUSED(BARROW_E_STATE, barrow_space_end(t.m, outer));
  CHECK_OK(barrow_space_end(t.m, inner));
  CHECK(find(t, "one", &f));
  CHECK_EQ(f.allocated_objects, 1);
  CHECK_EQ(f.copied_objects, 1);
  CHECK(find(t, "two", &f));
  CHECK_EQ(f.copied_bytes, 32);
  CHECK_OK(barrow_space_point(t.m));
  CHECK_OK(barrow_space_end(t.m, outer));
  CHECK(find(t, "one", &f));
  CHECK_EQ(f.allocated_objects, 101);
  CHECK_EQ(f.copied_objects, 202);
  CHECK_EQ(f.live_bytes, 101 * 32);
  CHECK(find(t, "two", &f));
  CHECK_EQ(f.copied_objects, 2);
  CHECK_EQ(f.copied_bytes_from[0] + f.copied_bytes_from[1], 64);
  CHECK(asked > 0);
  CHECK_EQ(totals_of(t).copied_objects, 204);
  barrow_window_of(t.m)->function = NULL;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void left_out(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  uint32_t profile = 0;
  int asked = 0;
  options.client = &asked;
  options.manner_of = manner_of;
  options.name_of = name_of;
  options.live = 1;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  barrow_window_of(t.m)->function = &one;
  toy_node(t.m, NULL, NULL, 1);
  barrow_window_of(t.m)->function = &two;
  toy_node(t.m, NULL, NULL, 1);
  toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_space_end(t.m, profile));
  barrow_window_of(t.m)->function = NULL;
  CHECK(find(t, "one", &f));
  CHECK(!find(t, "two", &f));
  CHECK_EQ(totals_of(t).allocated_bytes, 32);
  CHECK_EQ(totals_of(t).unprofiled_bytes, 64);
  toy_free(t);
}

/* Wherever the collector puts objects: what was made since the last collection is copied out of the youngest generation. */
static void from_which_generation(void) {
  static const char *const flags[] = {"-G2 -T1", "-G2 -T1 -c", "-G3 -T1 -c"};
  int f, i;
  for (f = 0; f < 3; f++) {
    toy t = toy_new(flags[f]);
    struct { barrow_frame frame; node *old, *young; } r;
    barrow_space_options options = wish();
    barrow_space_function_t function;
    uint32_t profile = 0;
    int asked = 0, oldest = flags[f][2] - '1';
    options.client = &asked;
    options.name_of = name_of;
    BARROW_ENTER(t.m, r);
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    barrow_window_of(t.m)->function = &one;
    r.old = toy_list(t.m, 100);
    for (i = 0; i < 2; i++) CHECK_OK(barrow_collect(t.m, true));
    r.young = toy_list(t.m, 10);
    CHECK_OK(barrow_collect(t.m, true));
    barrow_window_of(t.m)->function = NULL;
    CHECK_OK(barrow_space_end(t.m, profile));
    BARROW_LEAVE(t.m, r);
    CHECK(find(t, "one", &function));
    CHECK_EQ(function.copied_bytes, 310 * 32);
    CHECK_EQ(function.copied_bytes_from[0], 110 * 32);
    if (strstr(flags[f], "-c")) CHECK_EQ(function.copied_bytes_from[oldest], 200 * 32);
    toy_free(t);
  }
}

/* A profile inside another one tells of its own time alone, and none of what comes while the profiler is suspended. */
static void of_its_own_time(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t outer = 0, inner = 0;
  int asked = 0;
  options.client = &asked;
  options.manner_of = manner_of;
  options.name_of = name_of;
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  barrow_window_of(t.m)->function = &two;
  toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_space_begin(t.m, &options, &inner));
  toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_space_suspend(t.m));
  toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_space_resume(t.m));
  CHECK_OK(barrow_space_end(t.m, inner));
  CHECK_EQ(totals_of(t).unprofiled_bytes, 32);
  CHECK_EQ(totals_of(t).unprofiled_objects, 1);
  CHECK_EQ(totals_of(t).collections, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_space_end(t.m, outer));
  CHECK_EQ(totals_of(t).unprofiled_bytes, 64);
  CHECK_EQ(totals_of(t).collections, 3);
  barrow_window_of(t.m)->function = NULL;
  toy_free(t);
}

/* Burns CPU time; allocates now and then, so that the mutator can be asked. */
static size_t burn(barrow_mutator *m, int milliseconds) {
  clock_t until = clock() + (clock_t)milliseconds * CLOCKS_PER_SEC / 1000;
  volatile size_t work = 0;
  while (clock() < until) {
    int i;
    for (i = 0; i < 1000; i++) work = work + (size_t)i;
    barrow_window_of(m)->function = &one;
    toy_node(m, NULL, NULL, work);
  }
  return work;
}

static size_t walk(void *client, barrow_mutator *m, void **functions, size_t room) {
  (void)client;
  if (room < 4) return 0;
  /* one, called by two, called by one, called by main. */
  functions[0] = functions[2] = barrow_window_of(m)->function;
  functions[1] = &two;
  functions[3] = client;
  return 4;
}

/* The time of collections is nobody's, whoever caused them. */
static void time_of_collections(void) {
  toy t = toy_new("-T1");
  barrow_space_options options = wish();
  barrow_space_totals_t totals;
  struct { barrow_frame frame; node *list; } r;
  uint32_t profile = 0;
  int round, i, one = 1;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_TIME;
  options.tick_us = 1000;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100000);
  for (round = 0; round < 300; round++) {
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    barrow_window_of(t.m)->function = &one;
    for (i = 0; i < 20; i++) CHECK_OK(barrow_collect(t.m, true));
    barrow_window_of(t.m)->function = NULL;
    CHECK_OK(barrow_space_end(t.m, profile));
    totals = totals_of(t);
    if (totals.ticks_collecting + totals.ticks > 5) break;
  }
  /* With -DS the walks that check the heap take most of the time. */
  if (!toy_is_slow()) CHECK(totals.ticks_collecting > totals.ticks);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void time_by_function(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  barrow_space_totals_t totals;
  uint32_t profile = 0;
  enum { ENOUGH_ROUNDS = 300 };
  int asked = 0, rounds;
  size_t parent = 0, function = 0;
  uint64_t ticks = 0;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_TIME;
  options.client = &asked;
  options.name_of = name_of;
  options.tick_us = 1000;
  /* The clock is a thread, which a busy machine (or valgrind, which runs one at a time) may keep from running. */
  for (rounds = 0; rounds < ENOUGH_ROUNDS; rounds++) {
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    burn(t.m, 60);
    CHECK_OK(barrow_space_end(t.m, profile));
    totals = totals_of(t);
    if (totals.ticks > 0) break;
  }
  CHECK(totals.tick_us == 1000 && totals.ticks > 0 && totals.ticks < 1000);
  CHECK(find(t, "one", &f));
  CHECK(f.ticks_top > 0 && f.ticks_elsewhere == 0 && f.allocated_objects > 0);
  options.walk = walk;
  options.depth = 2;
  for (rounds = 0; rounds < ENOUGH_ROUNDS; rounds++) {
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    burn(t.m, 60);
    CHECK_OK(barrow_space_suspend(t.m));
    burn(t.m, 20);
    CHECK_OK(barrow_space_resume(t.m));
    CHECK_OK(barrow_space_end(t.m, profile));
    totals = totals_of(t);
    if (totals.ticks > 0) break;
  }
  barrow_window_of(t.m)->function = NULL;
  CHECK(find(t, "one", &f));
  CHECK(f.ticks_top > 0 && f.ticks_top == totals.ticks);
  CHECK_EQ(f.ticks_elsewhere, 0);
  CHECK(find(t, "two", &f));
  CHECK_EQ(f.ticks_top, 0);
  CHECK_EQ(f.ticks_elsewhere, totals.ticks);
  CHECK_EQ(f.allocated_objects, 0);
  /* one, its caller two, and that one's caller; not main, which is deeper. */
  CHECK_EQ(totals.callers, 3);
  CHECK_OK(barrow_space_caller(t.heap, 0, &parent, &function, &ticks));
  CHECK_EQ(parent, 0);
  CHECK_EQ(ticks, totals.ticks);
  CHECK_OK(barrow_space_caller(t.heap, 2, &parent, &function, &ticks));
  CHECK_EQ(parent, 2);
  CHECK_EQ(function, 0);
  REFUSED(BARROW_E_ARG, barrow_space_caller(t.heap, 3, &parent, &function, &ticks));
  REFUSED(BARROW_E_ARG, barrow_space_caller(t.heap, 0, NULL, &function, &ticks));
  toy_free(t);
}

static size_t lines_of(const char *path, const char *wanted, int *found) {
  char line[1024];
  size_t lines = 0;
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  *found = 0;
  while (file && fgets(line, sizeof line, file)) {
    lines++;
    if (strstr(line, wanted)) *found = 1;
  }
  if (file) fclose(file);
  return lines;
}

static void reports(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t profile = 0;
  int found;
  size_t simple;
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  options.live = 1;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  r.list = toy_list(t.m, 1000);
  make_bytes(t.m, 100);
  CHECK_OK(barrow_space_point(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK_OK(barrow_space_report(t.heap, "space-test.s", 's'));
  simple = lines_of("space-test.s", "make_bytes", &found);
  CHECK(found && simple >= 8);
  CHECK_OK(barrow_space_report(t.heap, "space-test.c", 'c'));
  CHECK(lines_of("space-test.c", "total profiled", &found) > simple && found);
  CHECK_OK(barrow_space_report(t.heap, "space-test.f", 'f'));
  CHECK(lines_of("space-test.f", "bytearrays", &found) > 2 * simple && found);
  CHECK_OK(barrow_space_report(t.heap, "space-test.json", 'j'));
  lines_of("space-test.json", "\"name\":\"make_bytes\"", &found);
  CHECK(found);
  CHECK_OK(barrow_space_report(t.heap, "space-test.hp", 'h'));
  lines_of("space-test.hp", "BEGIN_SAMPLE", &found);
  CHECK(found);
  REFUSED(BARROW_E_ARG, barrow_space_report(t.heap, "space-test.x", 'x'));
  REFUSED(BARROW_E_ARG, barrow_space_report(t.heap, NULL, 's'));
  REFUSED(BARROW_E_IO, barrow_space_report(t.heap, "no-such-directory/x", 's'));
  CHECK_OK(barrow_space_forget(t.heap));
  REFUSED(BARROW_E_STATE, barrow_space_report(t.heap, "space-test.s", 's'));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_totals_t totals;
  barrow_space_function_t function;
  barrow_space_kind_t kind;
  uint32_t profile = 0;
  const char *least;
  size_t i;
  memset(&totals, 0, sizeof totals);
  memset(&function, 0, sizeof function);
  memset(&kind, 0, sizeof kind);
  REFUSED(BARROW_E_STATE, barrow_space_end(t.m, 1));
  REFUSED(BARROW_E_STATE, barrow_space_suspend(t.m));
  REFUSED(BARROW_E_STATE, barrow_space_resume(t.m));
  REFUSED(BARROW_E_STATE, barrow_space_point(t.m));
  REFUSED(BARROW_E_ARG, barrow_space_begin(NULL, &options, &profile));
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, NULL, &profile));
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, NULL));
  options.size = 4;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options = wish();
  options.manner = BARROW_MANNER_TIME;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options = wish();
  options.tick_us = 1000;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options.manner = 64;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  options = wish();
  options.limit_bytes = 1000;
  options.points_bytes = 2000;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  totals.size = (uint32_t)sizeof totals;
  REFUSED(BARROW_E_STATE, barrow_space_totals(t.heap, &totals));
  options = wish();
  /* So little that most functions count for the others. */
  options.limit_bytes = 1;
  REFUSED(BARROW_E_ARG, barrow_space_begin(t.m, &options, &profile));
  least = strstr(barrow_last_error(), "at least ");
  CHECK(least != NULL);
  if (least) options.limit_bytes = strtoul(least + strlen("at least "), NULL, 10);
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  REFUSED(BARROW_E_STATE, barrow_space_resume(t.m));
  for (i = 1; i <= 10; i++) {
    barrow_window_of(t.m)->function = (void *)(16 * i);
    CHECK(toy_node(t.m, NULL, NULL, i) != NULL);
  }
  barrow_window_of(t.m)->function = NULL;
  REFUSED(BARROW_E_STATE, barrow_space_end(t.m, profile + 1));
  CHECK_OK(barrow_space_end(t.m, profile));
  totals = totals_of(t);
  CHECK_EQ(totals.allocated_objects, 10);
  CHECK_EQ(totals.complete, 0);
  CHECK(totals.functions < 10);
  CHECK(find(t, "(other functions)", &function) && function.allocated_objects > 5);
  totals.size = 8;
  REFUSED(BARROW_E_ARG, barrow_space_totals(t.heap, &totals));
  REFUSED(BARROW_E_ARG, barrow_space_totals(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_space_function(t.heap, 0, NULL, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_space_function(t.heap, 0, &function, NULL, 5));
  REFUSED(BARROW_E_ARG, barrow_space_function(t.heap, 1, &function, NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 0, 0, 0, &kind));
  kind.size = (uint32_t)sizeof kind;
  CHECK_OK(barrow_space_kind(t.heap, 0, 0, 0, &kind));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 0, 99, 0, &kind));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 0, 0, 8, &kind));
  REFUSED(BARROW_E_ARG, barrow_space_kind(t.heap, 9, 0, 0, &kind));
  REFUSED(BARROW_E_ARG, barrow_space_forget(NULL));
  /* A heap may go while a profile runs. */
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  make_nodes(t.m, 10);
  toy_free(t);
}

/* Calls that compiled code counts: beside space, by the function's code, by the window's word, and of functions that make
 * nothing; not while the profile is suspended, and by profile. */
NAMED ALONE size_t counted_maker(barrow_mutator *m, barrow_ticky_function *self) {
  node *n;
  barrow_count_call(m, self);
  n = (node *)barrow_alloc(m, 4);
  n->header = (barrow_word)&node_info;
  n->left = n->right = NULL;
  n->value = 7;
  return n->value;
}
NAMED ALONE size_t counted_idler(barrow_mutator *m, barrow_ticky_function *self, size_t value) {
  barrow_count_call(m, self);
  return value + 1;
}
static int named_word;
static barrow_ticky_function calls_of_maker = BARROW_COUNTED_FUNCTION("counted_maker", "Space", counted_maker);
static barrow_ticky_function calls_of_idler = BARROW_COUNTED_FUNCTION("counted_idler", "Space", counted_idler);
static barrow_ticky_function calls_of_word = BARROW_COUNTED_FUNCTION("a word", "Space", &named_word);
static barrow_ticky_function calls_of_nobody = BARROW_COUNTED_FUNCTION("nobody", "Space", NULL);

static void call_some(barrow_mutator *m, int times) {
  size_t sum = 0;
  int k;
  for (k = 0; k < times; k++) {
    sum += counted_maker(m, &calls_of_maker);
    sum = counted_idler(m, &calls_of_idler, counted_idler(m, &calls_of_idler, sum));
    barrow_count_call(m, &calls_of_word);
    barrow_count_call(m, &calls_of_nobody);
  }
  CHECK(sum == 9 * (size_t)times);
}

static const char *word_name(void *client, void *function) {
  (void)client;
  return function == &named_word ? "a word" : NULL;
}

static void calls(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  barrow_space_function_t f;
  uint32_t outer, inner;
  int found;
  call_some(t.m, 5);
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_CALLS;
  options.name_of = word_name;
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  call_some(t.m, 10);
  CHECK_OK(barrow_space_begin(t.m, &options, &inner));
  call_some(t.m, 3);
  CHECK_OK(barrow_space_suspend(t.m));
  call_some(t.m, 100);
  CHECK_OK(barrow_space_resume(t.m));
  barrow_window_of(t.m)->function = &named_word;
  toy_node(t.m, NULL, NULL, 1);
  barrow_window_of(t.m)->function = NULL;
  call_some(t.m, 4);
  CHECK_OK(barrow_space_end(t.m, inner));
  CHECK(find(t, "counted_maker", &f) && f.calls == 7 && f.allocated_objects == 7);
  CHECK(find(t, "counted_idler", &f) && f.calls == 14 && f.allocated_objects == 0);
  CHECK(find(t, "a word", &f) && f.calls == 7 && f.allocated_objects == 1);
  CHECK(!find(t, "nobody", &f));
  CHECK_OK(barrow_space_end(t.m, outer));
  CHECK(find(t, "counted_maker", &f) && f.calls == 17 && f.allocated_objects == 17);
  CHECK(find(t, "counted_idler", &f) && f.calls == 34);
  /* In a section of their own, those that were called most first; without calls it is not there. */
  CHECK_OK(barrow_space_report(t.heap, "space-calls.s", 's'));
  lines_of("space-calls.s", "       calls  name\n", &found);
  CHECK(found);
  lines_of("space-calls.s", "          34  counted_idler\n", &found);
  CHECK(found);
  lines_of("space-calls.s", "          17  counted_maker\n", &found);
  CHECK(found);
  remove("space-calls.s");
  CHECK_OK(barrow_space_report(t.heap, "space-calls.json", 'j'));
  remove("space-calls.json");
  /* Nobody asked: none are shown. */
  options.manner = BARROW_MANNER_SPACE;
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  call_some(t.m, 2);
  CHECK_OK(barrow_space_end(t.m, outer));
  CHECK(find(t, "counted_maker", &f) && f.calls == 0);
  CHECK(!find(t, "counted_idler", &f));
  toy_free(t);
}

/* Who made what is noted for one profiler at a time; the second one is told what to do, and what it can have instead. */
static void beside_heap_profiles(void) {
  struct { barrow_frame frame; node *list; } r;
  toy t = toy_new("-pospace-beside");
  barrow_space_options options = wish();
  uint32_t profile;
  CHECK_OK(barrow_profile_start(t.m, "-hc -i0"));
  options.manner = BARROW_MANNER_SPACE;
  REFUSED(BARROW_E_STATE, barrow_space_begin(t.m, &options, &profile));
  CHECK(strstr(barrow_last_error(), "barrow_profile_stop") != NULL);
  options.manner = BARROW_MANNER_CALLS;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_space_end(t.m, profile));
  /* What the other profile notes of objects is none of this one's. */
  CHECK_EQ(totals_of(t).copied_objects, 0);
  CHECK_OK(barrow_profile_stop(t.m));
  options.manner = BARROW_MANNER_SPACE;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  REFUSED(BARROW_E_STATE, barrow_profile_start(t.m, "-ha -i0"));
  CHECK(strstr(barrow_last_error(), "barrow_space_end") != NULL);
  CHECK_OK(barrow_profile_start(t.m, "-hd -i0"));
  toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  toy_free(t);
  remove("space-beside.hp");
  remove("space-beside.2.hp");
  remove("space-beside.3.hp");
}

INFO(lazy_info, BARROW_THUNK, 0, 0, 1, 2, 0, NULL, NULL);
INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 1, 0, NULL, NULL);

/* A thunk of a block that was reserved changes before the next call looks at what was made of the words. */
static void thunks_change_in_a_block(void) {
  static const char *const flags[] = {"", "--mutators=2"};
  size_t i, way;
  for (i = 0; i < 2; i++)
    for (way = 0; way < 4; way++) {
      toy t = toy_new(flags[i]);
      barrow_space_options options = wish();
      struct { barrow_frame frame; barrow_word *lazy; node *value; } r;
      uint32_t profile = 0;
      BARROW_ENTER(t.m, r);
      options.manner = BARROW_MANNER_SPACE;
      CHECK_OK(barrow_space_begin(t.m, &options, &profile));
      r.value = toy_node(t.m, NULL, NULL, 5);
      CHECK(barrow_reserve(t.m, 20));
      r.lazy = barrow_bump(t.m, barrow_thunk_words(3));
      r.lazy[0] = (barrow_word)&lazy_info;
      r.lazy[1] = r.lazy[2] = 0;
      r.lazy[3] = 1; /* no table lies there */
      r.lazy[4] = 2;
      if (way == 0) CHECK_OK(barrow_update(t.m, r.lazy, r.value));
      if (way == 1) CHECK_OK(barrow_blackhole(t.m, r.lazy));
      if (way >= 2) CHECK(barrow_claim(t.m, r.lazy) && r.lazy[3] == 1 && r.lazy[4] == 2);
      if (way == 3) CHECK_OK(barrow_update(t.m, r.lazy, r.value));
      r.value = toy_node(t.m, NULL, NULL, 6);
      CHECK_OK(barrow_collect(t.m, true));
      CHECK_OK(barrow_space_end(t.m, profile));
      CHECK_EQ(totals_of(t).allocated_objects, 3);
      CHECK_EQ(totals_of(t).allocated_bytes, (4 + 5 + 4) * 8);
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

/* A profile neither begins nor goes on while the client fills the area by itself: thunks there may have changed in line, whose
 * words nobody has cleared. */
static void not_in_an_open_area(void) {
  static const char *const flags[] = {"", "--mutators=2"};
  size_t i, later;
  for (i = 0; i < 2; i++)
    for (later = 0; later < 2; later++) {
      toy t = toy_new(flags[i]);
      barrow_space_options options = wish();
      struct { barrow_frame frame; node *value; } r;
      barrow_word *hp, *hp_lim, *lazy;
      uint32_t profile = 0;
      BARROW_ENTER(t.m, r);
      r.value = toy_node(t.m, NULL, NULL, 5);
      options.manner = BARROW_MANNER_SPACE;
      if (later) CHECK_OK(barrow_space_begin(t.m, &options, &profile));
      if (later) CHECK_OK(barrow_space_suspend(t.m));
      CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
      lazy = hp;
      hp += barrow_thunk_words(2);
      lazy[0] = (barrow_word)&thunk_info;
      lazy[1] = lazy[2] = 0;
      lazy[3] = 9; /* no table lies there */
      CHECK_OK(barrow_update(t.m, lazy, r.value));
      if (later)
        REFUSED(BARROW_E_STATE, barrow_space_resume(t.m));
      else
        REFUSED(BARROW_E_STATE, barrow_space_begin(t.m, &options, &profile));
      CHECK_OK(barrow_close_nursery(t.m, hp));
      if (later)
        CHECK_OK(barrow_space_resume(t.m));
      else
        CHECK_OK(barrow_space_begin(t.m, &options, &profile));
      toy_node(t.m, NULL, NULL, 6);
      CHECK_OK(barrow_collect(t.m, true));
      CHECK_OK(barrow_space_end(t.m, profile));
      CHECK_EQ(totals_of(t).allocated_objects, 1);
      CHECK_EQ(r.value->value, 5);
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

int main(void) {
  RUN(by_return_address);
  RUN(by_trying);
  RUN(nested);
  RUN(left_out);
  RUN(from_which_generation);
  RUN(of_its_own_time);
  RUN(time_of_collections);
  RUN(time_by_function);
  RUN(reports);
  RUN(misuse);
  RUN(calls);
  RUN(thunks_change_in_a_block);
  RUN(not_in_an_open_area);
  RUN(beside_heap_profiles);
  return DONE;
}
