/* What the demo's program tells whoever started it. src/cmd/demo.rs has the same declarations in Rust. */
#ifndef BARROW_DEMO_PROGRAM_H
#define BARROW_DEMO_PROGRAM_H

#include <barrow/inline.h>

enum { DEMO_PARTS = 3, DEMO_TOP = 8 };

/* One part of the program: what came out, and the heap's figures before and after. */
typedef struct demo_part {
  const char *name;
  char result[160];
  double seconds;
  bool right;
  barrow_stats_t before, after;
} demo_part;

/* A cost centre, with what all its stacks cost. */
typedef struct demo_centre {
  const char *label;
  uint64_t ticks, bytes, entries;
} demo_centre;

typedef struct demo_result {
  demo_part parts[DEMO_PARTS];
  size_t parts_done;
  /* The most costly centres, those that took most time first; ticks and bytes of the whole program. */
  demo_centre top[DEMO_TOP];
  size_t tops;
  uint64_t ticks, bytes;
  /* Why it ended early; empty when it did not. */
  char failure[400];
} demo_result;

/* Runs all of it. The heap's flags say which profiles are taken. `scale` is 1 for the usual amount of work. `progress`
 * is called now and then, may be NULL, and must not use the heap. */
void demo_run(const char *flags, double scale, void (*progress)(size_t part, double done), demo_result *out);

#endif
