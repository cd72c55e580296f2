/* start.h: how the programs of examples-c/lazy and examples-c/threads make their heap, and end when something fails. */
#ifndef START_H
#define START_H

#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static inline void must(barrow_status status) {
  if (status != BARROW_OK) die(barrow_last_error());
}

/* The flags are those after +RTS, behind the program's own. */
static barrow_heap *start(int *argc, char **argv, const char *own, barrow_mutator **m) {
  barrow_config config;
  barrow_heap *heap;
  static char flags[512], line[600];
  must(barrow_take_flags(argc, argv, flags, sizeof flags));
  sprintf(line, "%.80s %s", own, flags);
  barrow_config_init(&config);
  config.flags = line;
  must(barrow_heap_new(&config, &heap, m));
  return heap;
}

#endif
