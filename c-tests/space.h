/* space.h: the beginning and the end of tests of the space profiler. */
#ifndef SPACE_H
#define SPACE_H
#include "toy.h"

static inline barrow_space_options wish(void) {
  barrow_space_options options;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  return options;
}

static inline barrow_space_totals_t totals_of(toy t) {
  barrow_space_totals_t totals;
  memset(&totals, 0, sizeof totals);
  totals.size = (uint32_t)sizeof totals;
  CHECK_OK(barrow_space_totals(t.heap, &totals));
  return totals;
}

#endif
