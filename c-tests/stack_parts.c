/* Stacks with a limit, chunks of the client's size, and parts of stacks: found, cut off, captured and put back. */
#include "frames.h"

INFO(other_info, BARROW_CATCH_FRAME, 0, 0, 1, 1, 0, NULL, NULL);
INFO(wide_stop_info, BARROW_STOP_FRAME, 0, 0, 2, 1, 0, NULL, NULL);

static barrow_window *window(toy t) { return barrow_window_of(t.m); }

/* The frames to the stack's end have these numbers; they are popped. */
static void pops(toy t, const barrow_word *numbers, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) CHECK_EQ(pop_frame(t.m), numbers[i]);
  CHECK_EQ(pop_frame(t.m), (barrow_word)-1);
}

static size_t chunks(toy t, size_t *largest) {
  barrow_stack *s = (barrow_stack *)window(t)->stack;
  size_t count = 0;
  for (*largest = 0; s; count++) {
    if (s->words > *largest) *largest = s->words;
    s = (barrow_stack *)((barrow_word *)(s + 1))[s->words - 1];
  }
  return count;
}

/* A recursion that does not end is stopped at the limit, again and again; the program goes on after each. */
static void limit(const char *flags, size_t bytes, size_t first) {
  toy t = toy_new(flags);
  size_t round, depth, before = 0, largest;
  barrow_word *frame;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, first)));
  CHECK(push_frame(t.m, &prompt_info, 7));
  for (round = 0; round < 5; round++) {
    for (depth = 0; push_frame(t.m, &call_info, depth); depth++) {}
    CHECK_EQ(barrow_last_status(), BARROW_E_STACK);
    CHECK(strstr(barrow_last_error(), "stack overflow: ") && strstr(barrow_last_error(), "(-K)"));
    CHECK(depth * FRAME * 8 <= bytes && depth * FRAME * 8 >= bytes - bytes / 4 - 512);
    CHECK(round == 0 || depth == before);
    before = depth;
    chunks(t, &largest);
    /* Where the exception is caught. */
    frame = barrow_stack_find(t.m, &prompt_info, NULL);
    CHECK(frame && frame[2] == 7);
    CHECK_OK(barrow_stack_cut(t.m, frame));
    CHECK(window(t)->sp == frame);
    CHECK_OK(barrow_collect(t.m, round % 2));
    CHECK_OK(barrow_stack_check(t.m, window(t)->stack));
  }
  CHECK_EQ(pop_frame(t.m), 7);
  CHECK_EQ(pop_frame(t.m), (barrow_word)-1);
  /* A new stack above the limit is refused too, and a smaller one is not. */
  ANSWERS((size_t)0, (size_t)barrow_stack_new(t.m, NULL, bytes / 8 + 1));
  CHECK_EQ(barrow_last_status(), BARROW_E_STACK);
  CHECK(barrow_stack_new(t.m, NULL, bytes / 8 - 1) != NULL);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

static void limits(void) {
  limit("-K64k -DS -A256k", 64 << 10, 100);
  limit("-K64k --stress=7 -G1", 64 << 10, 1000);
  limit("-K1m -kc8k", 1 << 20, 3);
  limit("-K200k -kc16m --source=chunks", 200 << 10, 10);
  limit("-K1k -kc1k -DZ", 1 << 10, 100);
}

static bool asked;
static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  (void)client, (void)m, (void)bytes;
  asked = true;
  return false;
}

/* The heap has room, so its hook is not asked; an odd size that is rounded up stays within the limit. */
static void nobody_asks_the_heap(void) {
  barrow_config config;
  toy t;
  size_t depth, words = 0;
  barrow_stack *s;
  barrow_config_init(&config);
  config.overflow = overflow;
  config.object_alignment = 16;
  t = toy_new_with(&config, "-K4k -kc1k");
  asked = false;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 12)));
  for (depth = 0; barrow_stack_need(t.m, FRAME); depth++) {
    barrow_stack_push(t.m, &call_info, FRAME)[1] = 0;
    window(t)->sp[2] = depth;
  }
  CHECK(!asked);
  for (s = (barrow_stack *)window(t)->stack; s; s = (barrow_stack *)((barrow_word *)(s + 1))[s->words - 1]) {
    size_t below = s->below;
    words += s->words;
    s->words % 2 == 0 ? (void)0 : (void)(CHECK(false));
    CHECK(below < 512);
  }
  CHECK(words <= 512 && words > 400);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

static void chunk_sizes(void) {
  static const struct { const char *flags; size_t most; } runs[] = {{"-kc1k", 128}, {"", 4096}, {"-kc256k", 32768}};
  size_t k, depth, largest;
  for (k = 0; k < 3; k++) {
    toy t = toy_new(runs[k].flags);
    CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 10)));
    for (depth = 0; depth < 40000; depth++) {
      CHECK(barrow_stack_need(t.m, FRAME));
      barrow_stack_push(t.m, &call_info, FRAME)[1] = 0;
      window(t)->sp[2] = depth;
    }
    CHECK(chunks(t, &largest) >= 120000 / runs[k].most);
    CHECK_EQ(largest, runs[k].most);
    CHECK_OK(barrow_stack_enter(t.m, NULL));
    toy_free(t);
  }
}

/* 0 .. count - 1, with a prompt below each tenth. */
static void build(toy t, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    if (i % 10 == 0) CHECK(push_frame(t.m, &prompt_info, 1000 + i));
    CHECK(push_frame(t.m, &call_info, i));
  }
}

static void parts(const char *flags, size_t first, size_t count) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *part, *whole, *empty, *stack; } r;
  barrow_word *frame, numbers[400];
  size_t i, n = 0, round;
  memset(&r, 0, sizeof r);
  BARROW_PUSH(t.m, r);
  r.stack = barrow_stack_new(t.m, &wide_stop_info, first);
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  window(t)->sp[2] = 0;
  window(t)->sp[3] = 4711;
  build(t, count);
  for (i = count; i-- > 0;) {
    numbers[n++] = i;
    if (i % 10 == 0) numbers[n++] = 1000 + i;
  }
  /* The third newest prompt. */
  frame = barrow_stack_find(t.m, &prompt_info, NULL);
  frame = barrow_stack_find(t.m, &prompt_info, frame);
  frame = barrow_stack_find(t.m, &prompt_info, frame);
  CHECK(frame && frame[2] == 1000 + (count - 1) / 10 * 10 - 20);
  CHECK(barrow_stack_find(t.m, &other_info, NULL) == NULL && barrow_stack_find(t.m, &wide_stop_info, NULL) == NULL);
  r.part = barrow_stack_capture(t.m, frame);
  r.empty = barrow_stack_capture(t.m, window(t)->sp);
  r.whole = barrow_stack_capture(t.m, NULL);
  CHECK(r.part && r.empty && r.whole);
  for (i = 0; i < 3; i++) {
    CHECK_OK(barrow_collect(t.m, i == 1));
    CHECK_OK(barrow_stack_check(t.m, r.part));
    CHECK_OK(barrow_stack_check(t.m, r.whole));
  }
  /* The stack is as it was; then the part is on it twice, and goes down to the prompt. */
  CHECK(barrow_stack_reinstate(t.m, r.part) && barrow_stack_reinstate(t.m, r.empty) && barrow_stack_reinstate(t.m, r.part));
  CHECK_OK(barrow_collect(t.m, false));
  for (round = 0; round < 2; round++)
    for (i = 0; numbers[i] != 1000 + (count - 1) / 10 * 10 - 20; i++) CHECK_EQ(pop_frame(t.m), numbers[i]);
  pops(t, numbers, n);
  /* The whole, again and again; and from the middle of another recursion. */
  for (round = 0; round < 4; round++) {
    if (round == 2) {
      build(t, 200);
      CHECK_OK(barrow_stack_cut(t.m, NULL));
      CHECK_EQ(window(t)->sp[3], 4711);
    }
    CHECK(barrow_stack_reinstate(t.m, r.whole));
    CHECK_OK(barrow_collect(t.m, round % 2));
    pops(t, numbers, n);
  }
  /* A captured part is a stack that can be entered, once. */
  CHECK_OK(barrow_stack_enter(t.m, r.whole));
  CHECK(push_frame(t.m, &call_info, 77));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(pop_frame(t.m), 77);
  pops(t, numbers, n);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

static void parts_of_every_size(void) {
  parts("-DS -A64k", 10, 100);
  parts("-DS -kc1k -T1", 7, 300);
  parts("-DS -G1", 4000, 300);
  parts("--stress=3 -DZ -G3 -kc2k", 30, 50);
  parts("--source=chunks -kc1k --squeeze", 20, 120);
  parts("-DB -kc1k -T1", 20, 120);
}

/* Two coroutines on one stack: each is a part from its prompt on, and they change places. */
static void coroutines(void) {
  toy t = toy_new("-kc1k -DS");
  struct { barrow_frame frame; void *waiting; } r;
  size_t turn, i;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 40)));
  CHECK(push_frame(t.m, &other_info, 1));
  r.waiting = barrow_stack_capture(t.m, window(t)->sp);
  for (turn = 0; turn < 30; turn++) {
    void *now;
    CHECK(push_frame(t.m, &call_info, turn));
    CHECK(push_frame(t.m, &call_info, 100 + turn));
    now = barrow_stack_capture(t.m, barrow_stack_find(t.m, &other_info, NULL));
    CHECK(now != NULL);
    CHECK_OK(barrow_stack_cut(t.m, barrow_stack_find(t.m, &other_info, NULL)));
    CHECK(barrow_stack_reinstate(t.m, r.waiting));
    r.waiting = now;
    if (turn % 7 == 3) CHECK_OK(barrow_collect(t.m, turn % 2));
  }
  for (i = 28; i < 29; i -= 2) {
    CHECK_EQ(pop_frame(t.m), 100 + i);
    CHECK_EQ(pop_frame(t.m), i);
  }
  CHECK_EQ(pop_frame(t.m), 1);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A part that has no room below the limit changes nothing. */
static void parts_have_limits(void) {
  toy t = toy_new("-K4k -kc1k -DS");
  struct { barrow_frame frame; void *part; } r;
  barrow_word *sp;
  size_t i;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  for (i = 0; i < 80; i++) CHECK(push_frame(t.m, &call_info, i));
  r.part = barrow_stack_capture(t.m, NULL);
  sp = window(t)->sp;
  ANSWERS(false, barrow_stack_reinstate(t.m, r.part));
  CHECK_EQ(barrow_last_status(), BARROW_E_STACK);
  CHECK(window(t)->sp == sp);
  for (i = 80; i-- > 0;) CHECK_EQ(pop_frame(t.m), i);
  CHECK(barrow_stack_reinstate(t.m, r.part));
  for (i = 80; i-- > 0;) CHECK_EQ(pop_frame(t.m), i);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *part, *stack, *two; } r;
  barrow_word *sp;
  BARROW_ENTER(t.m, r);
  ANSWERS((size_t)0, (size_t)barrow_stack_find(t.m, &call_info, NULL));
  ANSWERS((size_t)0, (size_t)barrow_stack_capture(t.m, NULL));
  REFUSED(BARROW_E_STATE, barrow_stack_cut(t.m, NULL));
  r.stack = barrow_stack_new(t.m, NULL, 60);
  ANSWERS(false, barrow_stack_reinstate(t.m, r.stack));
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  CHECK(push_frame(t.m, &call_info, 1));
  CHECK(push_frame(t.m, &call_info, 2));
  sp = window(t)->sp;
  REFUSED(BARROW_E_ARG, barrow_stack_cut(t.m, sp + 1));
  REFUSED(BARROW_E_ARG, barrow_stack_cut(t.m, sp + 2 * FRAME)); /* the stop frame is none of the stack's frames */
  ANSWERS((size_t)0, (size_t)barrow_stack_capture(t.m, sp + 1));
  CHECK_EQ(barrow_last_status(), BARROW_E_ARG);
  ANSWERS((size_t)0, (size_t)barrow_stack_find(t.m, &call_info, sp + 1));
  ANSWERS(false, barrow_stack_reinstate(t.m, window(t)->stack));
  ANSWERS(false, barrow_stack_reinstate(t.m, toy_node(t.m, NULL, NULL, 1)));
  ANSWERS(false, barrow_stack_reinstate(t.m, NULL));
  ANSWERS(false, barrow_stack_reinstate(t.m, &call_info));
  sp = window(t)->sp;
  window(t)->sp = sp + 2 * FRAME + 1;
  REFUSED(BARROW_E_ARG, barrow_stack_cut(t.m, NULL));
  window(t)->sp = window(t)->sp_lim - 1;
  REFUSED(BARROW_E_ARG, barrow_stack_cut(t.m, NULL));
  window(t)->sp = sp;
  /* A stack of two chunks is no part. */
  CHECK(barrow_stack_need(t.m, 100));
  CHECK(push_frame(t.m, &call_info, 3));
  r.two = window(t)->stack;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 60)));
  ANSWERS(false, barrow_stack_reinstate(t.m, r.two));
  CHECK(barrow_stack_find(t.m, &call_info, NULL) == NULL);
  CHECK_OK(barrow_stack_cut(t.m, NULL));
  r.part = barrow_stack_capture(t.m, NULL);
  CHECK(r.part && barrow_stack_reinstate(t.m, r.part));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(limits);
  RUN(nobody_asks_the_heap);
  RUN(chunk_sizes);
  RUN(parts_of_every_size);
  RUN(coroutines);
  RUN(parts_have_limits);
  RUN(misuse);
  return DONE;
}
