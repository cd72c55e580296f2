/* centres.h: a cost centre for each thread. */
#ifndef CENTRES_H
#define CENTRES_H
#include "tasks.h"

static barrow_cc centres[MOST];

static inline void make_centres(void) {
  static char labels[MOST][8];
  size_t i;
  for (i = 0; i < MOST; i++) {
    barrow_cc fresh = BARROW_CC("", "Main", NULL);
    sprintf(labels[i], "c%02u", (unsigned)i);
    centres[i] = fresh;
    centres[i].label = labels[i];
  }
}

#endif
