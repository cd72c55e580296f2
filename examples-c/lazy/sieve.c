/* sieve: primes = sieve [2..] where sieve (p : xs) = p : sieve (filter (indivisible p) xs)
 *
 * The infinite list of primes is a CAF: it grows as far as somebody looks, lives as long as code that mentions it, and
 * is collected after that. sieve [COUNT] */
#include "lazy.h"

INFO(cons_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);

static ref primes_entry(barrow_mutator *m, ref self);
static ref main_entry(barrow_mutator *m, ref self);
static ref from_entry(barrow_mutator *m, ref self);
static ref sieve_entry(barrow_mutator *m, ref self);
static ref filter_entry(barrow_mutator *m, ref self);
static ref indivisible(barrow_mutator *m, ref p, ref n);

/* Static closures, and which of them the code of each mentions. */
INFO(primes_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, NULL, primes_entry);
static caf primes = {&primes_info, 0, 0, 0};
static void *const main_mentions[] = {&primes};
static const barrow_srt main_srt = {sizeof(barrow_srt), 1, main_mentions};
INFO(main_info, BARROW_FUN_STATIC, 0, 0, 0, 0, &main_srt, main_entry);
static fun main_closure = {&main_info, 0};
INFO(indivisible_info, BARROW_FUN_STATIC, 2, 0, 0, 3, NULL, indivisible);
static fun indivisible_closure = {&indivisible_info, 0};
static void *statics[] = {&primes, &main_closure, &indivisible_closure};

INFO(from_info, BARROW_THUNK, 0, 0, 1, 0, NULL, from_entry);
INFO(sieve_info, BARROW_THUNK, 0, 1, 0, 0, NULL, sieve_entry);
INFO(filter_info, BARROW_THUNK, 0, 2, 0, 0, NULL, filter_entry);

/* from n = n : from (n + 1) */
static ref from_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref self; } r;
  ref n, rest, list;
  r.self = self;
  BARROW_PUSH(m, r);
  reserve(m, 2 + 3 + 3);
  BARROW_LEAVE(m, r);
  n = bump(m, &int_info, 2);
  n[1] = r.self[2];
  rest = bump(m, &from_info, 3);
  rest[2] = n[1] + 1;
  list = bump(m, &cons_info, 3);
  list[1] = (barrow_word)n;
  list[2] = (barrow_word)rest;
  return list;
}

/* sieve (p : xs) = p : sieve (filter (indivisible p) xs) */
static ref sieve_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref xs, test; } r;
  ref filtered, rest, list;
  r.xs = (ref)self[2];
  r.test = NULL;
  BARROW_PUSH(m, r);
  must(barrow_blackhole(m, self));
  r.xs = eval(m, r.xs);
  r.test = apply(m, (ref)(void *)&indivisible_closure, (ref)r.xs[1]);
  reserve(m, 4 + 3 + 3);
  BARROW_LEAVE(m, r);
  filtered = bump(m, &filter_info, 4);
  filtered[2] = (barrow_word)r.test;
  filtered[3] = r.xs[2];
  rest = bump(m, &sieve_info, 3);
  rest[2] = (barrow_word)filtered;
  list = bump(m, &cons_info, 3);
  list[1] = r.xs[1];
  list[2] = (barrow_word)rest;
  return list;
}

/* filter test (x : xs) = if test x then x : filter test xs else filter test xs */
static ref filter_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref test, xs; } r;
  ref rest, list;
  r.test = (ref)self[2];
  r.xs = (ref)self[3];
  BARROW_PUSH(m, r);
  must(barrow_blackhole(m, self));
  for (;;) {
    r.xs = eval(m, r.xs);
    if (apply(m, r.test, (ref)r.xs[1])[1]) break;
    r.xs = (ref)r.xs[2];
  }
  reserve(m, 4 + 3);
  BARROW_LEAVE(m, r);
  rest = bump(m, &filter_info, 4);
  rest[2] = (barrow_word)r.test;
  rest[3] = r.xs[2];
  list = bump(m, &cons_info, 3);
  list[1] = r.xs[1];
  list[2] = (barrow_word)rest;
  return list;
}

static ref indivisible(barrow_mutator *m, ref p, ref n) {
  /* Numbers here are evaluated already. */
  barrow_word answer = n[1] % p[1] != 0;
  ref made;
  reserve(m, 2);
  made = bump(m, &int_info, 2);
  made[1] = answer;
  return made;
}

/* primes = sieve (from 2) */
static ref primes_entry(barrow_mutator *m, ref self) {
  ref numbers, list;
  (void)self;
  reserve(m, 3 + 3);
  numbers = bump(m, &from_info, 3);
  numbers[2] = 2;
  list = bump(m, &sieve_info, 3);
  list[2] = (barrow_word)numbers;
  return eval(m, list);
}

static long wanted = 100;

static ref main_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref list; } r;
  long i;
  (void)self;
  BARROW_ENTER(m, r);
  r.list = (ref)(void *)&primes;
  for (i = 1; i <= wanted; i++) {
    r.list = eval(m, r.list);
    if (i <= 10 || i == wanted) printf("prime %ld is %ld\n", i, (long)((ref)r.list[1])[1]);
    r.list = (ref)r.list[2];
  }
  BARROW_LEAVE(m, r);
  return nil;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; void *code; } r;
  barrow_mutator *m;
  barrow_heap *heap = begin(&argc, argv, "", &m);
  if (argc > 1) wanted = atol(argv[1]);
  must(barrow_statics_add(heap, statics, sizeof statics / sizeof *statics, false));
  BARROW_ENTER(m, r);
  r.code = &main_closure; /* its code runs, so what it mentions lives */
  main_entry(m, NULL);
  must(barrow_collect(m, true));
  printf("while main runs: %lu CAF entered\n", (unsigned long)barrow_cafs(heap));
  r.code = NULL;
  must(barrow_collect(m, true));
  printf("after main: %lu\n", (unsigned long)barrow_cafs(heap));
  BARROW_LEAVE(m, r);
  must(barrow_check(m));
  must(barrow_heap_free(heap));
  return 0;
}
