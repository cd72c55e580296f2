/* What cost centres cost: a program that does nothing but allocate a node in each call. Every STEP-th call enters a
 * centre and leaves it; without STEP the program knows no cost centres. Prints nanoseconds of CPU time for a call. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct node {
  barrow_word header;
  struct node *left, *right;
  barrow_word value;
} node;
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0,
                                NULL, NULL, NULL, NULL};

static inline node *fill(barrow_mutator *m, barrow_word value) {
  node *n = (node *)barrow_alloc(m, sizeof *n / sizeof(barrow_word));
  n->header = (barrow_word)&node_info;
  n->left = n->right = NULL;
  n->value = value;
  return n;
}

static __attribute__((noinline)) node *make(barrow_mutator *m, barrow_word value) { return fill(m, value); }

#ifdef STEP
static barrow_cc centre = BARROW_CC("make", "Bench", "cost.c");
static __attribute__((noinline)) node *make_entering(barrow_mutator *m, barrow_word value) {
  barrow_ccs *before = barrow_ccs_enter(m, &centre);
  node *n = fill(m, value);
  barrow_ccs_leave(m, before);
  return n;
}
#else
#define STEP 1
#define make_entering make
#endif

int main(int argc, char **argv) {
  size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 50000000, i, k;
  barrow_word sum = 0;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct timespec begun, ended;
  barrow_config_init(&config);
  config.flags = argc > 2 ? argv[2] : "-A1m";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
  for (i = 0; i < calls; i += 20)
    for (k = 0; k < 20; k++) sum += (k % STEP ? make(m, i + k) : make_entering(m, i + k))->value;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  printf("%.3f %lu\n",
         ((double)(ended.tv_sec - begun.tv_sec) * 1e9 + (double)(ended.tv_nsec - begun.tv_nsec)) / (double)calls,
         (unsigned long)sum);
  return barrow_heap_free(heap) != BARROW_OK;
}
