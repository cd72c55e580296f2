/* lazy-accumulator.c: a leak of lazy programs. A sum that nobody ever asks for is kept as a chain of computations.
 *
 *   cc -I include examples-c/lazy-accumulator.c -L target/release -lbarrow -o lazy-accumulator
 *   ./lazy-accumulator +RTS -hd -hbvoid -ib4m
 *   barrow top lazy-accumulator.hp
 *
 * The profile shows the `sum` thunks as void: made, held to the end, never used. With `strict` as first argument the
 * sum is computed at each step, and the band is gone. With `print` the sum is asked for at the end: then the thunks were
 * lag. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { barrow_word header, result; void *before; barrow_word number; } sum;
typedef struct { barrow_word header, value; } integer;

static const barrow_names sum_names = {"sum", "Int", "Main", "lazy-accumulator.c:30"};
static barrow_info sum_info = BARROW_INFO_NAMED(BARROW_THUNK, 0, 1, 1, &sum_names);
static const barrow_names int_names = {"I#", "Int", "Main", "lazy-accumulator.c:14"};
static barrow_info int_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 0, 1, &int_names);

static void *must(void *at) {
  if (at) return at;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(251);
}

/* The computation `before + number`; nothing is added yet. */
static void *lazily(barrow_mutator *m, void *before, barrow_word number) {
  struct { barrow_frame frame; void *before; } r;
  sum *s;
  r.before = before;
  BARROW_PUSH(m, r);
  s = (sum *)must(barrow_alloc(m, 4));
  s->header = (barrow_word)&sum_info;
  s->result = 0;
  s->before = r.before;
  s->number = number;
  BARROW_LEAVE(m, r);
  return s;
}

static void *boxed(barrow_mutator *m, barrow_word value) {
  integer *i = (integer *)must(barrow_alloc(m, 2));
  i->header = (barrow_word)&int_info;
  i->value = value;
  return i;
}

/* Walks the chain in a loop: a compiled program would need a stack as deep as the chain is long. */
static barrow_word forced(barrow_mutator *m, const void *at) {
  barrow_word total = 0;
  while (barrow_info_of(at)->kind == BARROW_THUNK) {
    barrow_use(m, at);
    total += ((const sum *)at)->number;
    at = ((const sum *)at)->before;
  }
  barrow_use(m, at);
  return total + ((const integer *)at)->value;
}

int main(int argc, char **argv) {
  char flags[300];
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; void *total; } r;
  barrow_word i;
  int strict;
  barrow_config_init(&config);
  if (barrow_take_flags(&argc, argv, flags, sizeof flags) != BARROW_OK) flags[0] = 0;
  config.flags = flags;
  config.environment = 1;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) must(NULL);
  strict = argc > 1 && strcmp(argv[1], "strict") == 0;
  BARROW_ENTER(m, r);
  r.total = boxed(m, 0);
  for (i = 1; i <= 1000000; i++)
    r.total = strict ? boxed(m, forced(m, r.total) + i) : lazily(m, r.total, i);
  if (argc > 1 && strcmp(argv[1], "print") == 0) printf("%lu\n", (unsigned long)forced(m, r.total));
  printf("%lu steps\n", (unsigned long)i - 1);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
