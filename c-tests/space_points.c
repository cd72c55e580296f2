/* The points of a profile of space come in the order of their times, those that a program asks for beside those of collections. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "space.h"

/* Seconds of samples do not decrease, as hp2ps asks. */
static void match_order(const char *name, int least) {
  char line[200];
  double last = -1;
  int samples = 0;
  FILE *file = fopen(name, "r");
  CHECK(file != NULL);
  while (file && fgets(line, sizeof line, file)) {
    double at;
    if (sscanf(line, "BEGIN_SAMPLE %lf", &at) != 1) continue;
    CHECK(at >= last);
    last = at, samples++;
  }
  if (file) fclose(file);
  remove(name);
  CHECK(samples >= least);
}

/* At the collection of a point the profiler looks at a whole nursery first, which is no time of the program. */
static void points_are_in_order(void) {
  static const char *const flags[] = {"-A64m", "-A64m --mutators=2"};
  size_t i, made = toy_is_slow() ? 100000 : 400000;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    barrow_space_options options = wish();
    uint32_t profile = 0;
    size_t k, n;
    struct { barrow_frame frame; node *list; } r;
    BARROW_ENTER(t.m, r);
    options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
    options.live = 1;
    CHECK_OK(barrow_space_begin(t.m, &options, &profile));
    for (k = 0; k < 8; k++) {
      for (n = 0; n < made; n++) r.list = toy_node(t.m, NULL, n % 100 ? r.list : NULL, n);
      CHECK_OK(barrow_space_point(t.m));
    }
    CHECK_OK(barrow_space_end(t.m, profile));
    CHECK_OK(barrow_space_report(t.heap, "space-points.hp", 'h'));
    match_order("space-points.hp", 8);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  RUN(points_are_in_order);
  return DONE;
}
