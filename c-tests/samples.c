/* Samples of allocation: estimates are near the truth, in code as compilers emit it and in calls; what dies is in use no more;
 * places, types and cost centres are named; misuse. */
#define _DEFAULT_SOURCE
#define STEM "samples-test"
#include "files.h"
#include "pprof.h"
#include "toy.h"

static barrow_cc parse = BARROW_CC("parse", "Parser", "Main.src:3:1-20");

static int near(double estimate, double truth, double share) { return estimate > truth * (1 - share) && estimate < truth * (1 + share); }

/* Not in line, so that they are places of their own, and with the names that the symbol table has. */
#ifdef __cplusplus
extern "C" {
#endif
node *made_in_line(barrow_mutator *m, int length);
void made_by_calls(barrow_mutator *m, int count);
__attribute__((noinline)) node *made_in_line(barrow_mutator *m, int length) {
  return toy_list(m, length);
}

__attribute__((noinline)) void made_by_calls(barrow_mutator *m, int count) {
  while (count-- > 0) {
    barrow_word *object = (barrow_word *)barrow_allocate(m, 20);
    object[0] = (barrow_word)&bytes_info, object[1] = 144;
    object = (barrow_word *)barrow_allocate_pinned(m, 10, 8, 0);
    object[0] = (barrow_word)&bytes_info, object[1] = 64;
  }
}
#ifdef __cplusplus
}
#endif

static void estimates(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list; } r;
  sums all;
  int found, round;
  double made = 400000.0 * sizeof(node) + 20000.0 * (20 + 10) * 8, kept = 100000.0 * sizeof(node);
  barrow_ccs *before;
  BARROW_ENTER(t.m, r);
  for (round = 0; round < 3; round++) made_in_line(t.m, 100000);
  made_by_calls(t.m, 20000);
  before = barrow_ccs_enter(t.m, &parse);
  r.list = made_in_line(t.m, 100000);
  barrow_ccs_leave(t.m, before);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_samples_write(t.m, STEM ".first"));
  all = sums_of(STEM ".first", "parse", &found);
  /* Some 3,500 samples of what was made, and 780 of what is kept. */
  CHECK(near(all.allocated_bytes, made, 0.08));
  CHECK(near(all.live_bytes, kept, 0.15));
  CHECK(near(all.live, 100000, 0.15));
  CHECK(found && all.rows >= 4);
  sums_of(STEM ".first", "node_info", &found);
  CHECK(found);
  sums_of(STEM ".first", "inuse_space", &found);
  CHECK(found);
  sums_of(STEM ".first", "made_in_line", &found);
  CHECK(found);
  sums_of(STEM ".first", "made_by_calls", &found);
  CHECK(found);
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_samples_write(t.m, STEM ".second"));
  all = sums_of(STEM ".second", "parse", &found);
  CHECK(all.live == 0 && all.live_bytes == 0 && near(all.allocated_bytes, made, 0.08));
  REFUSED(BARROW_E_IO, barrow_samples_write(t.m, "/nowhere/at/all"));
  REFUSED(BARROW_E_ARG, barrow_samples_write(t.m, ""));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  unlink(STEM ".first"), unlink(STEM ".second");
}

static void in_line_and_by_calls(void) {
  estimates("-A1m --sample-every=4k");
  estimates("-A256k --sample-every=4k -c");
  estimates("-A256k --sample-every=4k -G3 --source=chunks");
}

/* A heap profile by bytes stops the fast path as well; each finds its own words. */
static void beside_a_heap_profile(void) {
  estimates("-A1m --sample-every=4k -hy -ib64k -po" STEM);
  CHECK(times(file(".hp"), "BEGIN_SAMPLE") > 100);
  removed(".hp");
}

static void at_the_end(void) {
  toy t = toy_new("--sample-every=16k --samples=" STEM ".end");
  sums all;
  int found;
  made_in_line(t.m, 100000);
  CHECK_OK(barrow_heap_free(t.heap));
  all = sums_of(STEM ".end", "node_info", &found);
  CHECK(found && near(all.allocated_bytes, 100000.0 * sizeof(node), 0.4));
  unlink(STEM ".end");
  t = toy_new("-po" STEM " --samples");
  {
    char text[40];
    CHECK_OK(barrow_flag_value(t.heap, "--sample-every", text, sizeof text));
    CHECK(strcmp(text, "524288") == 0);
  }
  toy_free(t);
  CHECK_EQ(sums_of(STEM ".pprof", "", &found).rows, 0);
  removed(".pprof");
}

static void only_where_they_are_asked_for(void) {
  toy t = toy_new("");
  REFUSED(BARROW_E_STATE, barrow_samples_write(t.m, STEM ".none"));
  toy_free(t);
  /* A file of samples, and none of them. */
  {
    barrow_config config;
    barrow_heap *heap = NULL;
    barrow_config_init(&config);
    config.flags = "--samples=" STEM ".off --sample-every=0";
    REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, NULL));
    CHECK(heap == NULL && access(STEM ".off", F_OK) != 0);
  }
}

int main(void) {
  RUN(in_line_and_by_calls);
  RUN(beside_a_heap_profile);
  RUN(at_the_end);
  RUN(only_where_they_are_asked_for);
  return DONE;
}
