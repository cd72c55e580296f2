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

/* The function of this word in the last profile; all 0 when it has none. */
static inline barrow_space_function_t function_of(toy t, const void *word) {
  barrow_space_function_t function;
  size_t count = (size_t)totals_of(t).functions, i;
  for (i = 0; i < count; i++) {
    memset(&function, 0, sizeof function);
    function.size = (uint32_t)sizeof function;
    CHECK_OK(barrow_space_function(t.heap, i, &function, NULL, 0));
    if (function.word == (size_t)word) return function;
  }
  memset(&function, 0, sizeof function);
  return function;
}

#endif
