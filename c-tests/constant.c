/* Info tables, cost centres and functions in read-only memory: their numbers stand beside. Every profile that numbers them. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#define STEM "constant-test"
#include "toy.h"
#include "files.h"
#include <sys/mman.h>

/* The linker puts what needs no relocation into read-only memory, and the rest where it becomes so before main. */
static const barrow_names pair_names = {"Pair", "Tuple", "Constant", "constant.c"};
static const barrow_info pair_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0,
                                      NULL, NULL, NULL, &pair_names};
static const barrow_info nameless = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0,
                                     NULL, NULL, NULL, NULL};
static const barrow_cc outer = BARROW_CC("outer", "Constant", "constant.c:1:1-2");
static const barrow_cc inner = BARROW_CC("inner", "Constant", NULL);
static const barrow_cc both[2] = {BARROW_CC("one", "Constant", NULL), BARROW_CC("two", "Constant", NULL)};
static barrow_cc writable = BARROW_CC("writable", "Constant", NULL);
static const barrow_ticky_function counted = BARROW_COUNTED_FUNCTION("counted", "Constant", NULL);
static uint64_t counters[3];
static const barrow_coverage_module module = BARROW_COVERAGE_MODULE("Constant", 11, counters);

static node *pairs(barrow_mutator *m, const barrow_info *info, size_t length) {
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(m, r);
  for (; length > 0; length--) {
    node *n = toy_node(m, r.list, NULL, length);
    barrow_set_header(n, info);
    r.list = n;
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

static uint64_t bytes_of(toy t, char by, const char *name) {
  size_t count = 0, i;
  uint64_t found = 0;
  CHECK_OK(barrow_census_count(t.heap, by, &count));
  for (i = 0; i < count; i++) {
    barrow_census_band_t band;
    char said[500];
    band.size = (uint32_t)sizeof band;
    CHECK_OK(barrow_census_band(t.heap, by, i, &band, said, sizeof said));
    if (strcmp(said, name) == 0) found += band.bytes;
  }
  return found;
}

static void info_tables(void) {
  toy t = toy_new(""), other = toy_new("");
  struct { barrow_frame frame; node *named, *plain; } r;
  struct { barrow_frame frame; node *named; } s;
  int round;
  BARROW_ENTER(t.m, r);
  BARROW_ENTER(other.m, s);
  for (round = 1; round <= 3; round++) {
    r.named = pairs(t.m, &pair_info, 100 * (size_t)round);
    r.plain = pairs(t.m, &nameless, 50);
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(bytes_of(t, 'd', "Pair"), 100 * (size_t)round * sizeof(node));
    CHECK_EQ(bytes_of(t, 'y', "Tuple"), 100 * (size_t)round * sizeof(node));
    CHECK_EQ(bytes_of(t, 'd', "CONSTR_2_1"), 50 * sizeof(node));
  }
  s.named = pairs(other.m, &pair_info, 7);
  CHECK_OK(barrow_census(other.m));
  CHECK_EQ(bytes_of(other, 'd', "Pair"), 7 * sizeof(node));
  CHECK(pair_info.id == 0 && nameless.id == 0);
  BARROW_LEAVE(other.m, s);
  BARROW_LEAVE(t.m, r);
  toy_free(other);
  toy_free(t);
}

static void every_profile(void) {
  static const char *flags[] = {"-hd", "-hy", "-hr", "-hb", "-hm -xt", "-hi"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    char line[100];
    toy t;
    struct { barrow_frame frame; node *named; } r;
    sprintf(line, "%s -po" STEM, flags[i]);
    t = toy_new(line);
    BARROW_ENTER(t.m, r);
    r.named = pairs(t.m, &pair_info, 1000);
    barrow_use(t.m, r.named);
    CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_snapshot(t.m, STEM ".snapshot"));
    removed(".snapshot");
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    CHECK(times(file(".hp"), "BEGIN_SAMPLE") > 0);
    removed(".hp");
  }
}

static void cost_centres(void) {
  toy t = toy_new("-P -V0 -po" STEM);
  barrow_ccs *main_stack = barrow_ccs_current(t.m), *before, *now;
  uint32_t centres;
  int i;
  CHECK_OK(barrow_cc_register((barrow_cc *)both, 2));
  CHECK_OK(barrow_cc_register((barrow_cc *)both, 2));
  for (i = 0; i < 100; i++) {
    before = barrow_ccs_enter(t.m, (barrow_cc *)&outer);
    CHECK(before == main_stack);
    now = barrow_ccs_current(t.m);
    barrow_ccs_leave(t.m, barrow_ccs_enter(t.m, (barrow_cc *)&inner));
    CHECK(barrow_ccs_current(t.m) == now);
    barrow_ccs_leave(t.m, barrow_ccs_enter(t.m, &writable));
    barrow_ccs_leave(t.m, before);
    CHECK(now == barrow_ccs_push(main_stack, (barrow_cc *)&outer));
  }
  centres = now->centre;
  CHECK(centres != 0 && outer.id == 0 && inner.id == 0 && both[0].id == 0 && writable.id != 0);
  CHECK_OK(barrow_cost_tick(t.m, 5));
  toy_free(t);
  CHECK(strstr(last_of(".prof"), "inner") != NULL);
  CHECK(times(text, "outer") > 0 && times(text, "100") > 0);
}

static void functions(void) {
  toy t = toy_new("-r" STEM ".ticky");
  int i;
  for (i = 0; i < 10; i++) barrow_count_call(t.m, (barrow_ticky_function *)&counted);
  CHECK_OK(barrow_ticky_register((barrow_ticky_function *)&counted, 1));
  CHECK_EQ(barrow_ticky_row(t.m, (barrow_ticky_function *)&counted)->entries, 10);
  CHECK_EQ(counted.id, 0);
  toy_free(t);
  CHECK(strstr(last_of(".ticky"), "counted") != NULL);
}

static void coverage(void) {
  barrow_coverage_options options;
  barrow_coverage *c = NULL;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.file = STEM ".tix";
  CHECK_OK(barrow_coverage_new(&options, &c));
  CHECK_OK(barrow_coverage_register(c, &module, 1));
  BARROW_TICK(counters, 1);
  CHECK_OK(barrow_coverage_free(c));
  CHECK(strstr(last_of(".tix"), "[0,1,0]") != NULL);
}

/* Code that is generated: written, numbered, made read-only, forgotten, and other code at the same place. */
static void generated(void) {
  enum { PAGE = 65536 };
  typedef struct { barrow_info info; barrow_cc cc; } made;
  static const barrow_names names[2] = {{"First", "First", "Jit", "jit"}, {"Second", "Second", "Jit", "jit"}};
  toy t = toy_new("");
  made *page = (made *)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint32_t first = 0;
  int round;
  CHECK(page != MAP_FAILED);
  for (round = 0; round < 6; round++) {
    const bool second = round & 1, numbered_first = round & 2;
    barrow_cc cc = BARROW_CC("generated", "Jit", NULL);
    struct { barrow_frame frame; node *list; } r;
    BARROW_ENTER(t.m, r);
    CHECK(mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
    page->info = pair_info;
    page->info.names = &names[second];
    page->cc = cc;
    if (!numbered_first) CHECK(mprotect(page, PAGE, PROT_READ) == 0);
    r.list = pairs(t.m, &page->info, 10);
    barrow_ccs_leave(t.m, barrow_ccs_enter(t.m, &page->cc));
    CHECK_OK(barrow_census(t.m));
    CHECK(mprotect(page, PAGE, PROT_READ) == 0);
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(bytes_of(t, 'd', names[second].description), 10 * sizeof(node));
    CHECK_EQ(bytes_of(t, 'd', names[!second].description), 0);
    if (round == 0) first = barrow_ccs_push(barrow_ccs_current(t.m), &page->cc)->centre;
    CHECK_EQ(barrow_ccs_push(barrow_ccs_current(t.m), &page->cc)->centre, first);
    ANSWERS(BARROW_E_STATE, barrow_module_unregister(t.m, page, PAGE));
    r.list = NULL;
    CHECK_OK(barrow_module_unregister(t.m, page, PAGE));
    /* It stays after all. */
    CHECK_EQ(barrow_ccs_push(barrow_ccs_current(t.m), &page->cc)->centre, first);
    CHECK_OK(barrow_module_unregister(t.m, page, PAGE));
    BARROW_LEAVE(t.m, r);
  }
  toy_free(t);
  munmap(page, PAGE);
}

int main(void) {
  RUN(info_tables);
  RUN(every_profile);
  RUN(cost_centres);
  RUN(functions);
  RUN(coverage);
  RUN(generated);
  return DONE;
}
