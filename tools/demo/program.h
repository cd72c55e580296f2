/* What the demo's program tells whoever started it. src/cmd/demo.rs has the same declarations in Rust. */
#ifndef BARROW_DEMO_PROGRAM_H
#define BARROW_DEMO_PROGRAM_H

#include <barrow/inline.h>

enum { DEMO_PARTS = 3 };

/* One part of the program: what came out, and the heap's figures before and after. */
typedef struct demo_part {
  const char *name;
  char result[160];
  double seconds;
  bool right;
  barrow_stats_t before, after;
} demo_part;

typedef struct demo_result {
  demo_part parts[DEMO_PARTS];
  size_t parts_done;
  /* Why it ended early; empty when it did not. */
  char failure[400];
} demo_result;

/* Runs all of it. `scale` is 1 for the usual amount of work. `progress` is called now and then, may be NULL, and
 * must not use the heap. */
void demo_run(const char *flags, double scale, void (*progress)(size_t part, double done), demo_result *out);

#endif
