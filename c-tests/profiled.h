/* profiled.h: heaps with profiles of 1, 2, 8 and 64 mutators, whose files begin with the program's STEM. */
#ifndef PROFILED_H
#define PROFILED_H
#include "tasks.h"

static const size_t counts[4] = {1, 2, 8, MOST};

/* How many of the counts are tried. Under valgrind one thread runs at a time. */
static inline size_t tried(void) { return toy_under_valgrind() ? 2 : 4; }

static inline toy profiled(const char *flags) {
  char line[200];
  sprintf(line, "--mutators=%d -po" STEM " %.150s", MOST + 1, flags);
  return toy_new(line);
}

#endif
