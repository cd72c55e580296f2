/* Stacks that grow and shrink in programs that allocate nothing: chunks are used again, and what is asked for is told. */
#include "toy.h"

INFO(frame_info, BARROW_RETURN_FRAME, 0, 0, 1, 6, 1, NULL, NULL);
INFO(wide_stop_info, BARROW_STOP_FRAME, 0, 0, 3, 2, 0, NULL, NULL);
enum { FRAME = 8 };

typedef bool (*room)(barrow_mutator *m, size_t words);

/* `depth` frames down, and up again; each holds its number. */
static bool recursion(barrow_mutator *m, size_t depth, room need) {
  barrow_window *w = barrow_window_of(m);
  size_t i;
  for (i = 0; i < depth; i++) {
    barrow_word *f;
    if (!need(m, FRAME)) return false;
    f = barrow_stack_push(m, &frame_info, FRAME);
    memset(f + 1, 0, 7 * sizeof *f);
    f[2] = i;
  }
  while (i-- > 0) {
    while (barrow_stack_top(m) != &frame_info) {
      CHECK(barrow_stack_underflow(m));
      if (check_failures > 10) return false;
    }
    if (w->sp[2] != i) return false;
    barrow_stack_pop(m, FRAME);
  }
  return true;
}

static bool need(barrow_mutator *m, size_t words) { return barrow_stack_need(m, words); }

static size_t held(toy t) { return toy_state(t).mblocks_allocated << 20; }

/* 160 KB of stack, thousands of times, under a limit. */
static void up_and_down(const char *flags, size_t first, size_t depth, room how) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *stack; } r;
  size_t round, rounds = getenv("BARROW_TEST_SLOW") ? 500 : 8000, before = 0;
  BARROW_ENTER(t.m, r);
  r.stack = barrow_stack_new(t.m, NULL, first);
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  for (round = 0; round < rounds; round++) {
    if (!recursion(t.m, depth, how)) {
      CHECK_EQ(fprintf(stderr, "round %lu: %s\n", (unsigned long)round, barrow_last_error()), 0);
      break;
    }
    if (round == 3) before = held(t);
  }
  CHECK(held(t) <= before + (2 << 20));
  CHECK_OK(barrow_stack_check(t.m, barrow_window_of(t.m)->stack));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Two threads of a program take turns, with stop frames of their own. */
static void by_turns(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *one, *other; } r;
  size_t round, before = 0;
  BARROW_ENTER(t.m, r);
  r.one = barrow_stack_new(t.m, NULL, 300);
  r.other = barrow_stack_new(t.m, &wide_stop_info, 500);
  for (round = 0; round < 2000; round++) {
    CHECK_OK(barrow_stack_enter(t.m, round % 2 ? r.one : r.other));
    if (!recursion(t.m, 2500, need)) {
      CHECK_EQ(fprintf(stderr, "round %lu: %s\n", (unsigned long)round, barrow_last_error()), 0);
      break;
    }
    if (round == 9) before = held(t);
    if (round % 512 == 511) CHECK_OK(barrow_collect(t.m, round % 1024 == 1023));
  }
  CHECK(held(t) <= before + (4 << 20));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A stack of its own for each call: nothing can be used again, and only collections know what is left over. */
static void stacks_that_are_thrown_away(const char *flags) {
  toy t = toy_new(flags);
  size_t round;
  for (round = 0; round < 3000; round++) {
    CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 300)));
    if (!recursion(t.m, 2000, barrow_stack_reserve)) {
      CHECK_EQ(fprintf(stderr, "round %lu: %s\n", (unsigned long)round, barrow_last_error()), 0);
      break;
    }
    CHECK_OK(barrow_stack_enter(t.m, NULL));
  }
  CHECK(toy_stats(t).collections > 0);
  toy_free(t);
}

/* Whoever goes back to a chunk that was left finds it as it was, and nothing else has it. */
static void a_chunk_that_is_entered_again(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *stack, *chunk; } r;
  BARROW_ENTER(t.m, r);
  r.stack = barrow_stack_new(t.m, NULL, 100);
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  barrow_stack_push(t.m, &frame_info, FRAME)[1] = 0;
  memset(barrow_window_of(t.m)->sp + 2, 0, 48);
  CHECK(barrow_stack_need(t.m, 95));
  r.chunk = barrow_window_of(t.m)->stack;
  CHECK(r.chunk != r.stack);
  CHECK(barrow_stack_underflow(t.m));
  CHECK_OK(barrow_stack_enter(t.m, r.chunk));
  CHECK(barrow_stack_need(t.m, 5000));
  CHECK(barrow_window_of(t.m)->stack != r.chunk);
  CHECK_OK(barrow_stack_check(t.m, barrow_window_of(t.m)->stack));
  CHECK(barrow_stack_underflow(t.m) && barrow_window_of(t.m)->stack == r.chunk);
  CHECK(barrow_stack_underflow(t.m) && barrow_window_of(t.m)->stack == r.stack);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(recursion(t.m, 3000, barrow_stack_reserve));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static size_t asked_bytes;
static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  (void)client, (void)m;
  asked_bytes = bytes;
  return false;
}

/* Eight words are asked for and a chunk is needed: that is what the sentence and the hook name. */
static void what_was_asked_for_is_told(void) {
  barrow_config config;
  toy t;
  struct { barrow_frame frame; void *stack; } r;
  const char *sentence;
  barrow_config_init(&config);
  config.overflow = overflow;
  t = toy_new_with(&config, "-M16m -A1m");
  BARROW_ENTER(t.m, r);
  r.stack = barrow_stack_new(t.m, NULL, 300);
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  asked_bytes = 0;
  CHECK(!recursion(t.m, (size_t)1 << 22, barrow_stack_reserve));
  sentence = strstr(barrow_last_error(), "heap overflow: ");
  CHECK(sentence && strtoul(sentence + 15, NULL, 10) == asked_bytes);
  CHECK(asked_bytes >= 4096 * 8 && asked_bytes < 5000 * 8);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  r.stack = NULL;
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  ANSWERS(false, barrow_stack_reserve(t.m, 10));
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 300)));
  ANSWERS(false, barrow_stack_reserve(t.m, (size_t)1 << 60));
  CHECK(barrow_stack_reserve(t.m, 0));
  CHECK(barrow_stack_reserve(t.m, 100000));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

/* A chunk of which the stop frame is all, since nothing was asked for, is not put by; one that is too small is not taken. */
static void chunks_that_are_of_no_use(void) {
  toy t = toy_new("-DS -K1k");
  barrow_window *w = barrow_window_of(t.m);
  void *first = barrow_stack_new(t.m, NULL, 126), *spare;
  int i;
  CHECK_OK(barrow_stack_enter(t.m, first));
  for (i = 0; i < 2; i++) {
    CHECK(barrow_stack_grow(t.m, 0));
    CHECK_EQ(((barrow_stack *)w->stack)->words, 2);
    CHECK(barrow_stack_underflow(t.m));
  }
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
  t = toy_new("-DS -kc1k");
  w = barrow_window_of(t.m);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 4)));
  for (i = 0; i < 70; i++) CHECK(barrow_stack_grow(t.m, 4));
  spare = w->stack;
  CHECK(barrow_stack_underflow(t.m));
  CHECK(barrow_stack_grow(t.m, 1000));
  CHECK(w->stack != spare);
  CHECK(barrow_stack_underflow(t.m));
  /* A stack of more chunks than are looked at is entered: what was put by is forgotten. */
  CHECK_OK(barrow_stack_enter(t.m, w->stack));
  CHECK(barrow_stack_grow(t.m, 4));
  CHECK(w->stack != spare);
  CHECK_OK(barrow_stack_check(t.m, w->stack));
  /* Of many that are too small, not all are looked at. */
  while (barrow_stack_underflow(t.m)) continue;
  CHECK(barrow_stack_grow(t.m, 1000));
  CHECK(((barrow_stack *)w->stack)->words >= 1000);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

int main(void) {
  check_case = "up_and_down";
  up_and_down("-M64m", 300, 2500, need);
  up_and_down("-M64m", 10000, 2500, need);
  up_and_down("-M64m", 12, 100, barrow_stack_reserve);
  up_and_down("-M64m --source=chunks", 2, 2500, barrow_stack_reserve);
  check_case = "by_turns";
  by_turns("-M64m");
  by_turns("-M64m -G3 --source=chunks -A256k");
  check_case = "stacks_that_are_thrown_away";
  stacks_that_are_thrown_away("-M64m");
  stacks_that_are_thrown_away("");
  RUN(a_chunk_that_is_entered_again);
  RUN(what_was_asked_for_is_told);
  RUN(misuse);
  RUN(chunks_that_are_of_no_use);
  return DONE;
}
