/* Loaded before a program that is linked with the shared library: counts space by function in its first heap, from beginning
 * to end, and writes the report to $SPACE_REPORT. The program knows nothing of it and is not compiled again. */
#include <barrow/inline.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static barrow_heap *profiled;
static barrow_mutator *mutator;
static uint32_t profile;

barrow_status barrow_heap_new(const barrow_config *config, barrow_heap **heap, barrow_mutator **m) {
  barrow_status (*next)(const barrow_config *, barrow_heap **, barrow_mutator **);
  barrow_space_options options;
  barrow_status status;
  *(void **)&next = dlsym(RTLD_NEXT, "barrow_heap_new");
  status = next(config, heap, m);
  if (status != BARROW_OK || profiled) return status;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
  if (barrow_space_begin(*m, &options, &profile) == BARROW_OK) {
    profiled = *heap;
    mutator = *m;
  }
  return status;
}

barrow_status barrow_heap_free(barrow_heap *heap) {
  barrow_status (*next)(barrow_heap *);
  *(void **)&next = dlsym(RTLD_NEXT, "barrow_heap_free");
  if (heap == profiled && getenv("SPACE_REPORT")) {
    if (barrow_space_end(mutator, profile) != BARROW_OK ||
        barrow_space_report(heap, getenv("SPACE_REPORT"), 's') != BARROW_OK)
      fprintf(stderr, "%s\n", barrow_last_error());
    profiled = NULL;
  }
  return next(heap);
}
