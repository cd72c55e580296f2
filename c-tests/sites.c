/* Who made it, in code that knows no cost centres: bands by the place that allocated, for static functions of optimised,
 * position-independent code. tools/tests/command/resolve.rs has the lines that they come from. */
#define _DEFAULT_SOURCE
#define STEM "sites-test"
#include "files.h"
#include "toy.h"

#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

/* An allocation that is the last thing which a function does may be a jump: then its caller allocates. */
static APART node *grow(barrow_mutator *m, node *list) {
  struct { barrow_frame frame; node *list; } r;
  node *n;
  r.list = list;
  BARROW_PUSH(m, r);
  n = (node *)barrow_alloc(m, 4); /* of grow */
  n->header = (barrow_word)&node_info;
  n->left = r.list;
  n->right = NULL;
  n->value = 1;
  BARROW_LEAVE(m, r);
  return n;
}

static APART void *bulk(barrow_mutator *m) {
  barrow_word *at = (barrow_word *)barrow_alloc(m, 12); /* of bulk */
  at[0] = (barrow_word)&bytes_info, at[1] = 80;
  return at;
}

static APART void *by_calls(barrow_mutator *m) {
  barrow_word *at = barrow_allocate(m, 22); /* of by_calls */
  at[0] = (barrow_word)&bytes_info, at[1] = 160;
  return at;
}

static APART void *reserved(barrow_mutator *m) {
  barrow_word *first, *second;
  CHECK(barrow_reserve(m, 64)); /* of reserved */
  first = barrow_bump(m, 32), second = barrow_bump(m, 32);
  first[0] = second[0] = (barrow_word)&bytes_info, first[1] = second[1] = 240;
  memset(first + 2, 0, 240);
  first[2] = (barrow_word)second;
  return first;
}

static barrow_cc parse = BARROW_CC("parse", "Parser", "Main.src:3:1-20");

/* Bands of this many bytes in a sample: how many, and they are places in this program. */
static int places(const char *hp, int sample, long bytes) {
  char line[40];
  const char *at = hp, *end;
  int count = 0;
  for (; sample >= 0 && at; sample--) at = strstr(at + 1, "BEGIN_SAMPLE");
  if (!at) return -1;
  end = strstr(at, "END_SAMPLE");
  sprintf(line, "\t%ld\n", bytes);
  for (; (at = strstr(at, line)) != NULL && at < end; at++) {
    const char *name = at;
    while (name[-1] != '\n') name--;
    count += strstr(name, "+0x") != NULL && strstr(name, "+0x") < at;
  }
  return count;
}

static void places_of_live_objects(void) {
  static const char *const flags[3] = {"", "-A64k -G3 --source=chunks -DS", "-A64k -c --stress=3"};
  int f, i;
  for (f = 0; f < 3; f++) {
    char line[200];
    toy t;
    struct { barrow_frame frame; node *before, *list; void *bulk, *called, *pair; } r;
    barrow_census_band_t one;
    size_t count = 0;
    char name[200];
    sprintf(line, "-posites-test %.150s", flags[f]);
    t = toy_new(line);
    BARROW_ENTER(t.m, r);
    for (i = 0; i < 50; i++) r.before = grow(t.m, r.before);
    CHECK_OK(barrow_census(t.m));
    REFUSED(BARROW_E_STATE, barrow_census_count(t.heap, 'a', &count));
    CHECK_OK(barrow_profile_start(t.m, "-ha -hc -hy -i0"));
    CHECK(barrow_window_of(t.m)->hp_lim == NULL);
    for (i = 0; i < 3000; i++) {
      r.list = grow(t.m, r.list);
      r.bulk = bulk(t.m);
      if (i % 100 == 0) r.called = by_calls(t.m), r.pair = reserved(t.m);
    }
    CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_census_count(t.heap, 'a', &count));
    CHECK_EQ(count, 5);
    memset(&one, 0, sizeof one);
    one.size = sizeof one;
    CHECK_OK(barrow_census_band(t.heap, 'a', 1, &one, name, sizeof name));
    CHECK(one.bytes > 0 && one.objects > 0);
    CHECK_OK(barrow_profile_stop(t.m));
    CHECK(f == 2 || barrow_window_of(t.m)->hp_lim != NULL);
    CHECK_EQ(band(file(".ha.hp"), 1, "(before_profiling)"), 50 * 32);
    CHECK_EQ(places(text, 1, 3000 * 32), 1);
    CHECK_EQ(places(text, 1, 96), 1);
    CHECK_EQ(places(text, 1, 176), 1);
    CHECK_EQ(places(text, 1, 256), 1); /* the second of the pair is bytes to the collector, and not alive */
    CHECK_EQ(band(file(".hc.hp"), 1, "(before_profiling)"), 50 * 32);
    CHECK_EQ(band(text, 1, "MAIN"), 3000 * 32 + 96 + 176 + 256);
    removed(".ha.hp"), removed(".hc.hp"), removed(".hy.hp");
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* With cost centres: one place in two stacks is one band, and restrictions on centres hold. */
static void with_centres(void) {
  toy t = toy_new("-posites-test -ha -hc -hcparse -i0");
  struct { barrow_frame frame; node *list; } r;
  barrow_ccs *before;
  int i, round;
  BARROW_ENTER(t.m, r);
  for (round = 0; round < 2; round++) {
    before = barrow_ccs_current(t.m);
    if (round) before = barrow_ccs_enter(t.m, &parse);
    for (i = 0; i < 100; i++) r.list = grow(t.m, r.list);
    barrow_ccs_leave(t.m, before);
  }
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_profile_start(t.m, "-ha -hr -hbvoid -i0"));
  r.list = NULL;
  for (i = 0; i < 10; i++) r.list = grow(t.m, r.list);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(places(file(".ha.hp"), 1, 3200), 1);
  CHECK_EQ(labelled(file(".hc.hp"), 1, "parse"), 3200);
  CHECK_EQ(places(file(".2.ha.hp"), 1, 320), 1);
  CHECK_EQ(labelled(file(".2.hr.hp"), 1, "shadow_stack"), 320);
  removed(".ha.hp"), removed(".hc.hp"), removed(".2.ha.hp"), removed(".2.hr.hp"), removed(".prof"), removed(".2.prof");
}

/* Without a test: the same allocations for a profile that stays, of which tools/tests/command/resolve.rs knows the lines. */
static int leave(const char *stem) {
  char line[300];
  toy t;
  struct { barrow_frame frame; node *list; void *bulk, *called, *pair; } r;
  int i;
  sprintf(line, "-po%.200s -ha -i0", stem);
  t = toy_new(line);
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 1000; i++) r.list = grow(t.m, r.list);
  r.bulk = bulk(t.m), r.called = by_calls(t.m), r.pair = reserved(t.m);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return DONE;
}

int main(int argc, char **argv) {
  if (argc == 2) return leave(argv[1]);
  RUN(places_of_live_objects);
  RUN(with_centres);
  return DONE;
}
