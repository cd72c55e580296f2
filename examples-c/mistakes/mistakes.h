/* What the mistaken programs share: a pair, a heap whose flags are the command line, and the end of the program when the
 * library says that something is wrong. The mistakes themselves are in the programs, each in one marked line. */
#ifndef MISTAKES_H
#define MISTAKES_H
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair { barrow_word header; struct pair *left, *right; barrow_word number; } pair;
static const barrow_names pair_names = {"Pair", "Pair", "Mistakes", 0};
static barrow_info pair_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 1, &pair_names);

static inline void say_and_stop(void) {
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(1);
}

static inline barrow_mutator *start(int count, char **words, barrow_heap **heap) {
  barrow_config config;
  barrow_mutator *m;
  char flags[400] = "-A1m";
  size_t used = strlen(flags);
  int i;
  for (i = 1; i < count; i++) {
    size_t room = sizeof flags - used;
    used += (size_t)snprintf(flags + used, room, " %s", words[i]);
    if (used >= sizeof flags) {
      fprintf(stderr, "the flags are too long\n");
      exit(1);
    }
  }
  barrow_config_init(&config);
  config.flags = flags;
  if (barrow_heap_new(&config, heap, &m)) say_and_stop();
  return m;
}

/* A pair with nothing in it. */
static inline pair *make(barrow_mutator *m, barrow_word number) {
  pair *p = (pair *)barrow_alloc(m, 4);
  if (!p) say_and_stop();
  p->header = (barrow_word)&pair_info;
  p->left = p->right = NULL;
  p->number = number;
  return p;
}

static inline void stop_when_damaged(barrow_status status) {
  if (status != BARROW_OK) say_and_stop();
}
#endif
