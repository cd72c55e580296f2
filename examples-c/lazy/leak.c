/* leak: break a long line off a lazy text, and look at its characters while the rest of the text waits.
 *
 *   break (c : cs) | c == newline = ([], cs)
 *                  | otherwise    = (c : ys, zs) where (ys, zs) = break cs
 *
 * zs is a selector thunk: it takes the second field of a pair whose first field is the line. Until somebody evaluates
 * it, it holds the whole line, though nobody wants that any more. The collector evaluates it.
 * leak [CHARACTERS] */
#include "lazy.h"

INFO(cons_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);
INFO(pair_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);

static ref text_entry(barrow_mutator *m, ref self);
static ref break_entry(barrow_mutator *m, ref self);

INFO(text_info, BARROW_THUNK, 0, 0, 1, 0, NULL, text_entry);
INFO(break_info, BARROW_THUNK, 0, 1, 0, 0, NULL, break_entry);
INFO(first_info, BARROW_SELECTOR, 0, 1, 0, 0, NULL, NULL);
INFO(second_info, BARROW_SELECTOR, 1, 1, 0, 0, NULL, NULL);

/* A text of n characters, then a newline, then one more. */
static ref text_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref self; } r;
  barrow_word left;
  ref c, rest, list;
  r.self = self;
  BARROW_PUSH(m, r);
  reserve(m, 2 + 3 + 3);
  BARROW_LEAVE(m, r);
  left = r.self[2];
  c = bump(m, &int_info, 2);
  c[1] = left == 1 ? '\n' : 'a' + left % 26;
  rest = bump(m, &text_info, 3);
  rest[2] = left - 1;
  list = bump(m, &cons_info, 3);
  list[1] = (barrow_word)c;
  list[2] = left == 0 ? (barrow_word)nil : (barrow_word)rest;
  return list;
}

static ref break_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref cs; } r;
  ref inner, ys, zs, line, pair;
  r.cs = (ref)self[2];
  BARROW_PUSH(m, r);
  must(barrow_blackhole(m, self));
  r.cs = eval(m, r.cs);
  reserve(m, 3 + 3 + 3 + 3 + 3);
  BARROW_LEAVE(m, r);
  pair = bump(m, &pair_info, 3);
  if (((ref)r.cs[1])[1] == '\n') {
    pair[1] = (barrow_word)nil;
    pair[2] = r.cs[2];
    return pair;
  }
  inner = bump(m, &break_info, 3);
  inner[2] = r.cs[2];
  ys = bump(m, &first_info, 3);
  ys[2] = (barrow_word)inner;
  zs = bump(m, &second_info, 3);
  zs[2] = (barrow_word)inner;
  line = bump(m, &cons_info, 3);
  line[1] = r.cs[1];
  line[2] = (barrow_word)ys;
  pair[1] = (barrow_word)line;
  pair[2] = (barrow_word)zs;
  return pair;
}

static size_t live_bytes(barrow_heap *heap) {
  barrow_stats_t stats;
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  must(barrow_stats(heap, &stats));
  return (size_t)stats.live_bytes;
}

static void run(int argc, char **argv, const char *flags, const char *what) {
  struct { barrow_frame frame; ref line, rest; } r;
  barrow_mutator *m;
  barrow_heap *heap;
  long characters = 4000, length = 0, round;
  size_t most = 0;
  char *arguments[64];
  /* start takes the flags out, so each run has arguments of its own. */
  for (round = 0; round < argc && round < 63; round++) arguments[round] = argv[round];
  arguments[round] = NULL;
  heap = begin(&argc, arguments, flags, &m);
  if (argc > 1) characters = atol(arguments[1]);
  BARROW_ENTER(m, r);
  reserve(m, 3 + 3 + 3 + 3);
  r.rest = bump(m, &text_info, 3);
  r.rest[2] = (barrow_word)characters + 1;
  r.line = bump(m, &break_info, 3);
  r.line[2] = (barrow_word)r.rest;
  r.rest = bump(m, &second_info, 3);
  r.rest[2] = (barrow_word)r.line;
  {
    ref line = bump(m, &first_info, 3);
    line[2] = (barrow_word)r.line;
    r.line = line;
  }
  for (;;) {
    r.line = eval(m, r.line);
    if (is_nil(r.line)) break;
    length++;
    r.line = (ref)r.line[2];
    if (length % (characters / 8 + 1) == 0) {
      size_t live;
      must(barrow_collect(m, true));
      live = live_bytes(heap);
      most = live > most ? live : most;
    }
  }
  r.rest = eval(m, r.rest);
  printf("%s: a line of %ld, then '%c'; %s\n", what, length, (char)((ref)r.rest[1])[1],
         most < 4096 ? "in constant space" : most > (size_t)characters * 24 ? "the whole line was held" : "in some space");
  BARROW_LEAVE(m, r);
  must(barrow_check(m));
  must(barrow_heap_free(heap));
}

int main(int argc, char **argv) {
  run(argc, argv, "", "selectors evaluated");
  run(argc, argv, "--selectors=off", "selectors left alone");
  return 0;
}
