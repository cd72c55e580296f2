/* Stacks as objects: frames of every kind, growth by chunks, clean and dirty chunks, threads, and malformed frames. */
#include "toy.h"

/* Words after the header: two pointers with a plain word between them. */
INFO(ret_info, BARROW_RETURN_FRAME, 0, 0, 2, 1, 5, NULL, NULL);
INFO(sum_info, BARROW_RETURN_FRAME, 0, 0, 0, 1, 0, NULL, NULL);
INFO(update_info, BARROW_UPDATE_FRAME, 0, 0, 1, 0, 0, NULL, NULL);
INFO(catch_info, BARROW_CATCH_FRAME, 0, 0, 1, 2, 0, NULL, NULL);
INFO(stop_info, BARROW_STOP_FRAME, 0, 0, 2, 1, 0, NULL, NULL);
INFO(thread_info, BARROW_THREAD, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);
static const barrow_word many_bits[2] = {(barrow_word)1 << 63 | 1, 2};
static const barrow_bitmap many = {sizeof(barrow_bitmap), 70, many_bits};
INFO(big_info, BARROW_RETURN_FRAME, 0, 0, 3, 67, 0, &many, NULL);
INFO(tagged_info, BARROW_RETURN_FRAME, BARROW_FLAG_TAIL_TAGGED, 0, 2, 0, 3, NULL, NULL);

static node *leaf(toy t, barrow_word value) { return toy_node(t.m, NULL, NULL, value); }

static void every_frame(const char *flags) {
  toy t = toy_new(flags);
  barrow_window *w = barrow_window_of(t.m);
  void *stack = barrow_stack_new(t.m, &stop_info, 300);
  barrow_word *f;
  int round;
  CHECK(stack != NULL);
  CHECK_OK(barrow_stack_enter(t.m, stack));
  CHECK(w->stack == stack && barrow_stack_top(t.m) == &stop_info && w->sp[1] == 0);
  w->sp[2] = (barrow_word)leaf(t, 1); /* the stop frame's second pointer */
  w->sp[3] = 12345;

  CHECK(barrow_stack_need(t.m, 4 + 71 + 2 + 4));
  f = barrow_stack_push(t.m, &ret_info, 4);
  f[1] = f[3] = 0;
  f[2] = 7;
  f = (barrow_word *)leaf(t, 2); /* collects, perhaps: sp is read again */
  w->sp[1] = (barrow_word)f;
  f = (barrow_word *)leaf(t, 3);
  w->sp[3] = (barrow_word)f | 1; /* with a tag */
  f = barrow_stack_push(t.m, &big_info, 71);
  memset(f + 1, 0, 70 * sizeof *f);
  f[2] = 1111; /* plain words may be anything */
  f = (barrow_word *)leaf(t, 4);
  w->sp[1] = (barrow_word)f;
  f = (barrow_word *)leaf(t, 5);
  w->sp[64] = (barrow_word)f;
  f = (barrow_word *)leaf(t, 6);
  w->sp[66] = (barrow_word)f;
  f = (barrow_word *)leaf(t, 7);
  barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)f;
  f = (barrow_word *)leaf(t, 8);
  barrow_stack_push(t.m, &catch_info, 4)[1] = (barrow_word)f;
  w->sp[2] = 3;
  w->sp[3] = 5;
  for (round = 0; round < 8; round++) {
    barrow_word *sp;
    CHECK_OK(barrow_collect(t.m, round == 5));
    CHECK_OK(barrow_stack_check(t.m, w->stack));
    sp = w->sp;
    CHECK(sp[0] == (barrow_word)&catch_info && ((node *)sp[1])->value == 8 && sp[2] == 3 && sp[3] == 5);
    sp += 4;
    CHECK(sp[0] == (barrow_word)&update_info && ((node *)sp[1])->value == 7);
    sp += 2;
    CHECK(sp[0] == (barrow_word)&big_info && ((node *)sp[1])->value == 4 && sp[2] == 1111);
    CHECK(((node *)sp[64])->value == 5 && ((node *)sp[66])->value == 6 && sp[70] == 0);
    sp += 71;
    CHECK(sp[0] == (barrow_word)&ret_info && ((node *)sp[1])->value == 2 && sp[2] == 7);
    CHECK(((node *)(sp[3] & ~(barrow_word)7))->value == 3 && (sp[3] & 7) == 1);
    sp += 4;
    CHECK(sp[0] == (barrow_word)&stop_info && sp[1] == 0 && ((node *)sp[2])->value == 1 && sp[3] == 12345);
    if (round % 3 == 0) { /* something young in an old stack, without a barrier */
      f = (barrow_word *)leaf(t, 7);
      w->sp[5] = (barrow_word)f;
    }
  }
  barrow_stack_pop(t.m, 4 + 2 + 71 + 4);
  CHECK(!barrow_stack_underflow(t.m)); /* the end */
  CHECK_OK(barrow_collect(t.m, true));
  w->sp[2] = 0;
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  CHECK(w->sp == NULL && w->stack == NULL);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

static void frames_of_every_kind(void) {
  every_frame("-DS");
  every_frame("-DS -G1");
  every_frame("-DS -G4 -T3");
  every_frame("-DS -G2 -T1");
  every_frame("--stress=1 -DS -G3");
  every_frame("-DZ --source=chunks");
}

/* Counts down on the stack: each level holds a node with its number; going back adds them up. */
static size_t deep(toy t, size_t levels) {
  barrow_window *w = barrow_window_of(t.m);
  size_t i, sum = 0;
  for (i = 0; i < levels; i++) {
    barrow_word *n;
    if (!barrow_stack_need(t.m, 4)) return 0;
    n = barrow_stack_push(t.m, &ret_info, 4);
    n[1] = n[3] = 0;
    n[2] = i;
    n = (barrow_word *)leaf(t, i);
    w->sp[1] = (barrow_word)n;
  }
  for (;;) {
    if (barrow_stack_top(t.m)->kind == BARROW_STOP_FRAME) {
      if (!barrow_stack_underflow(t.m)) return sum;
      continue;
    }
    CHECK_EQ(((node *)w->sp[1])->value, w->sp[2]);
    sum += w->sp[2];
    barrow_stack_pop(t.m, 4);
  }
}

static void depth(const char *flags, size_t first, size_t levels) {
  toy t = toy_new(flags);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, first)));
  CHECK_EQ(deep(t, levels), levels * (levels - 1) / 2);
  CHECK_EQ(deep(t, levels / 2), levels / 2 * (levels / 2 - 1) / 2);
  toy_free(t);
}

static void deep_stacks(void) {
  depth("-DS -A64k", 10, 3000);
  depth("-DS --stress=3 -G1", 8, 300);
  depth("--stress=2 -DZ -G3", 600, 400);
  depth("-A256k", 100, toy_is_slow() ? 20000 : 1000000);
  depth("-A256k -G1", 4096, toy_is_slow() ? 5000 : 100000);
}

/* Only the chunk that was written to is looked at in a minor collection. */
static void clean_chunks(void) {
  toy t = toy_new("-T1");
  barrow_window *w = barrow_window_of(t.m);
  barrow_generation_state_t old;
  size_t i, chunks = 1;
  void *chunk;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 4096)));
  for (i = 0; i < 100000; i++) {
    barrow_word *f;
    CHECK(barrow_stack_need(t.m, 4));
    f = barrow_stack_push(t.m, &ret_info, 4);
    f[1] = f[2] = f[3] = 0;
    f = (barrow_word *)leaf(t, i);
    w->sp[1] = (barrow_word)f;
  }
  for (chunk = w->stack; chunk; chunks++) {
    barrow_stack *s = (barrow_stack *)chunk;
    chunk = (void *)((barrow_word *)(s + 1))[s->words - 1];
  }
  CHECK(chunks > 90);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_generation_state(t.heap, 1, &old));
  CHECK_EQ(old.n_remembered, 1); /* the running chunk alone */
  chunk = (void *)((barrow_word *)((barrow_stack *)w->stack + 1))[((barrow_stack *)w->stack)->words - 1];
  CHECK_EQ(((barrow_stack *)chunk)->dirty, 0);
  barrow_stack_dirty(t.m, chunk);
  barrow_stack_dirty(t.m, chunk);
  ((barrow_word *)((barrow_stack *)chunk + 1))[((barrow_stack *)chunk)->top + 1] = (barrow_word)leaf(t, 99);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(((node *)((barrow_word *)((barrow_stack *)chunk + 1))[((barrow_stack *)chunk)->top + 1])->value, 99);
  CHECK_OK(barrow_stack_check(t.m, w->stack));
  toy_free(t);
}

static void *make_thread(toy t, size_t words) {
  struct { barrow_frame frame; void *stack; } r;
  barrow_word *thread;
  BARROW_ENTER(t.m, r);
  r.stack = barrow_stack_new(t.m, NULL, words);
  thread = barrow_alloc(t.m, 4);
  thread[0] = (barrow_word)&thread_info;
  thread[1] = (barrow_word)r.stack;
  thread[2] = thread[3] = 0;
  BARROW_LEAVE(t.m, r);
  return thread;
}

/* Several threads take turns; each pushes its own numbers. */
static void threads(void) {
  const char *flags[] = {"-DS", "-DS -G1", "-DS --stress=5 -G3"};
  size_t k;
  for (k = 0; k < 3; k++) {
    toy t = toy_new(flags[k]);
    barrow_window *w = barrow_window_of(t.m);
    struct { barrow_frame frame; void *threads[4]; } r;
    int i, turn;
    BARROW_ENTER(t.m, r);
    for (i = 0; i < 4; i++) r.threads[i] = make_thread(t, 30);
    for (turn = 0; turn < 40; turn++) {
      for (i = 0; i < 4; i++) {
        barrow_word *f;
        CHECK_OK(barrow_thread_enter(t.m, r.threads[i]));
        CHECK(barrow_stack_need(t.m, 4));
        f = barrow_stack_push(t.m, &ret_info, 4);
        f[1] = f[3] = 0;
        f[2] = (barrow_word)(turn * 4 + i);
        f = (barrow_word *)leaf(t, (barrow_word)(turn * 4 + i));
        w->sp[3] = (barrow_word)f;
        CHECK_OK(barrow_thread_leave(t.m, r.threads[i]));
        if (turn % 8 == i) CHECK_OK(barrow_collect(t.m, turn % 3 == 0));
      }
    }
    for (i = 0; i < 4; i++) {
      CHECK_OK(barrow_thread_enter(t.m, r.threads[i]));
      for (turn = 39; turn >= 0; turn--) {
        while (barrow_stack_top(t.m) != &ret_info) CHECK(barrow_stack_underflow(t.m));
        CHECK_EQ(w->sp[2], turn * 4 + i);
        CHECK_EQ(((node *)w->sp[3])->value, turn * 4 + i);
        barrow_stack_pop(t.m, 4);
      }
      CHECK(!barrow_stack_underflow(t.m));
      CHECK_OK(barrow_thread_leave(t.m, r.threads[i]));
    }
    memset(r.threads, 0, sizeof r.threads);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void tagged_frames(void) {
  barrow_config config;
  toy t;
  barrow_window *w;
  int round;
  barrow_config_init(&config);
  config.tagged_pointers = 0x2222;
  config.address_mask = ~(barrow_word)7;
  t = toy_new_with(&config, "-DS");
  w = barrow_window_of(t.m);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 40)));
  barrow_stack_push(t.m, &tagged_info, 3);
  w->sp[1] = 42; /* a number */
  w->sp[2] = 0;
  w->sp[2] = (barrow_word)leaf(t, 9) + 1;
  for (round = 0; round < 5; round++) {
    CHECK_OK(barrow_collect(t.m, round == 3));
    CHECK_EQ(w->sp[1], 42);
    CHECK_EQ(((node *)(w->sp[2] - 1))->value, 9);
  }
  toy_free(t);
}

INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);

static barrow_word *make_thunk(toy t, void *free_variable) {
  struct { barrow_frame frame; void *v; } r;
  barrow_word *thunk;
  r.v = free_variable;
  BARROW_PUSH(t.m, r);
  thunk = barrow_alloc(t.m, 3);
  thunk[0] = (barrow_word)&thunk_info;
  thunk[1] = 0;
  thunk[2] = (barrow_word)r.v;
  BARROW_LEAVE(t.m, r);
  return thunk;
}

/* What a thunk under evaluation refers to is not kept by it: the list dies as it is consumed. */
static void lazy_blackholing(void) {
  const char *flags[] = {"-DS", "-DS -G1", "-DS -G3 -T2"};
  size_t k;
  for (k = 0; k < 3; k++) {
    toy t = toy_new(flags[k]);
    barrow_window *w = barrow_window_of(t.m);
    barrow_word *thunk;
    CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
    thunk = make_thunk(t, toy_list(t.m, 1000));
    barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)thunk;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(toy_stats(t).live_bytes < 2000); /* the stack and the thunk, not the list */
    CHECK_EQ(barrow_info_of((void *)w->sp[1])->kind, BARROW_BLACKHOLE);
    barrow_update(t.m, (void *)w->sp[1], leaf(t, 5));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(((node *)w->sp[1])->value, 5);
    toy_free(t);
  }
}

/* Runs of update frames become one each; the frames between them, and what is above, stay as they are. */
static void squeezing(const char *flags, bool squeezes) {
  toy t = toy_new(flags);
  barrow_window *w = barrow_window_of(t.m);
  struct { barrow_frame frame; void *thunks[9]; } r;
  barrow_word *sp, *f;
  size_t i;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 9; i++) r.thunks[i] = make_thunk(t, NULL);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  for (i = 0; i < 4; i++) barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)r.thunks[i];
  f = barrow_stack_push(t.m, &ret_info, 4);
  f[1] = (barrow_word)r.thunks[0];
  f[2] = 11;
  f[3] = 0;
  for (i = 4; i < 7; i++) barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)r.thunks[i];
  barrow_stack_push(t.m, &sum_info, 2)[1] = 22;
  barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)r.thunks[7];
  barrow_stack_push(t.m, &sum_info, 2)[1] = 33;
  for (i = 0; i < 3; i++) {
    CHECK_OK(barrow_collect(t.m, i == 1));
    CHECK_OK(barrow_stack_check(t.m, w->stack));
  }
  sp = w->sp;
  CHECK(sp[0] == (barrow_word)&sum_info && sp[1] == 33);
  CHECK(sp[2] == (barrow_word)&update_info && sp[3] == (barrow_word)r.thunks[7]);
  CHECK(sp[4] == (barrow_word)&sum_info && sp[5] == 22);
  sp += 6;
  for (i = squeezes ? 4 : 6;; i--) {
    CHECK(sp[0] == (barrow_word)&update_info && sp[1] == (barrow_word)r.thunks[i]);
    sp += 2;
    if (i == 4) break;
  }
  CHECK(sp[0] == (barrow_word)&ret_info && sp[2] == 11 && sp[1] == (barrow_word)r.thunks[0]);
  sp += 4;
  for (i = squeezes ? 0 : 3;; i--) {
    CHECK(sp[0] == (barrow_word)&update_info && sp[1] == (barrow_word)r.thunks[i]);
    sp += 2;
    if (i == 0) break;
  }
  CHECK(barrow_info_of(sp)->kind == BARROW_STOP_FRAME);
  if (squeezes) { /* they all wait for the same value now */
    CHECK(r.thunks[1] == r.thunks[0] && r.thunks[3] == r.thunks[0]);
    CHECK(r.thunks[6] == r.thunks[4] && r.thunks[7] != r.thunks[4]);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Update frames in many chunks: all but one of each chunk go, not those of the newest alone. */
static void squeezed_in_all_chunks(const char *flags) {
  toy t = toy_new(flags);
  barrow_window *w = barrow_window_of(t.m);
  const size_t count = toy_is_slow() ? 3000 : 60000;
  struct { barrow_frame frame; void *last; } r;
  size_t i, left = 0, chunks = 1;
  BARROW_ENTER(t.m, r);
  r.last = NULL;
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  for (i = 0; i < count; i++) {
    r.last = make_thunk(t, NULL);
    CHECK(barrow_stack_need(t.m, 2));
    barrow_stack_push(t.m, &update_info, 2)[1] = (barrow_word)r.last;
  }
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_stack_check(t.m, w->stack));
  for (;;) {
    while (barrow_info_of(w->sp)->kind == BARROW_UPDATE_FRAME) {
      left++;
      w->sp += 2;
    }
    CHECK(barrow_info_of(w->sp)->kind == BARROW_STOP_FRAME);
    if (!barrow_stack_underflow(t.m)) break;
    chunks++;
  }
  CHECK(left <= chunks);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void squeezed(void) {
  squeezed_in_all_chunks("--squeeze");
  squeezed_in_all_chunks("--squeeze -G1 -A256k");
  squeezed_in_all_chunks("--squeeze -G3 -A64k");
  squeezing("-DS", false);
  squeezing("-DS --squeeze", true);
  squeezing("-DS --squeeze -G1", true);
  squeezing("-DZ --squeeze -G3", true);
}

static void misuse(void) {
  toy t = toy_new("-DS");
  barrow_window *w = barrow_window_of(t.m);
  barrow_word *sp, *object;
  barrow_info wrong = ret_info;
  barrow_stack *damaged, was;
  void *stack;
  ANSWERS((size_t)0, (size_t)barrow_stack_new(t.m, &ret_info, 100));
  ANSWERS((size_t)0, (size_t)barrow_stack_new(t.m, NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_stack_enter(t.m, leaf(t, 1)));
  REFUSED(BARROW_E_ARG, barrow_thread_enter(t.m, leaf(t, 1)));
  ANSWERS(false, barrow_stack_grow(t.m, 10));
  ANSWERS(false, barrow_stack_underflow(t.m));
  wrong.bitmap = 8;
  REFUSED(BARROW_E_ARG, barrow_info_check(&wrong));
  wrong.bitmap = 5;
  CHECK_OK(barrow_info_check(&wrong));
  wrong.words = 63;
  REFUSED(BARROW_E_ARG, barrow_info_check(&wrong));
  wrong = thread_info;
  wrong.ptrs = 0;
  REFUSED(BARROW_E_ARG, barrow_info_check(&wrong));
  wrong.ptrs = 1;
  wrong.flags = 0;
  REFUSED(BARROW_E_ARG, barrow_info_check(&wrong));
  wrong = thread_info;
  wrong.kind = BARROW_STACK;
  REFUSED(BARROW_E_ARG, barrow_info_check(&wrong));
  object = (barrow_word *)leaf(t, 1);
  REFUSED(BARROW_E_ARG, barrow_become(t.m, object, &update_info));

  stack = barrow_stack_new(t.m, NULL, 60);
  CHECK_OK(barrow_stack_enter(t.m, stack));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, w->stack, &node_info));
  sp = w->sp;
  /* A bitmap that its number of words does not have. */
  wrong = ret_info;
  wrong.bitmap = (barrow_word)1 << 40;
  barrow_stack_push(t.m, &wrong, 4)[1] = 0;
  w->sp[2] = w->sp[3] = 0;
  REFUSED(BARROW_E_ARG, barrow_stack_check(t.m, stack));
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false));
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  /* A frame that is longer than the rest of the stack. */
  wrong = ret_info;
  wrong.words = 60;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false));
  /* An object's table; no table at all; no stop frame. */
  w->sp[0] = (barrow_word)&node_info;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false));
  w->sp[0] = 12345;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false));
  w->sp = sp + 2;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false));
  /* A top outside the stack. */
  w->sp = sp + 3;
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, false));
  w->sp = w->sp_lim - 1;
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, false));
  w->sp = sp;
  CHECK_OK(barrow_collect(t.m, false));
  barrow_stack_push(t.m, &sum_info, 2)[1] = 3;
  REFUSED(BARROW_E_STATE, (barrow_status)(barrow_stack_underflow(t.m) ? BARROW_OK : BARROW_E_STATE));
  CHECK_OK(barrow_collect(t.m, true));
  barrow_stack_pop(t.m, 2);
  /* Two stop frames; a stop frame whose table is not there; a top behind the end. */
  memset(barrow_stack_push(t.m, &stop_info, 4) + 1, 0, 3 * sizeof *sp);
  REFUSED(BARROW_E_ARG, barrow_stack_check(t.m, w->stack));
  CHECK(strstr(barrow_last_error(), "a stop frame that ends at word") != NULL);
  barrow_stack_pop(t.m, 4);
  damaged = (barrow_stack *)w->stack;
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  was = *damaged;
  damaged->stop = (const barrow_info *)8;
  REFUSED(BARROW_E_ARG, barrow_stack_check(t.m, damaged));
  CHECK(strstr(barrow_last_error(), "nothing can be read at 0x8") != NULL);
  damaged->stop = was.stop;
  damaged->top = was.words + 1;
  REFUSED(BARROW_E_ARG, barrow_stack_check(t.m, damaged));
  CHECK(strstr(barrow_last_error(), "behind its end") != NULL);
  damaged->top = was.top;
  CHECK_OK(barrow_stack_check(t.m, damaged));
  toy_free(t);
  /* More words than there are. */
  t = toy_new("");
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 60)));
  sp = barrow_window_of(t.m)->sp;
  ANSWERS(false, barrow_stack_reserve(t.m, ~(size_t)0));
  ANSWERS(false, barrow_stack_reserve(t.m, ~(size_t)0 / 2));
  ANSWERS(false, barrow_stack_grow(t.m, ~(size_t)0));
  CHECK(barrow_window_of(t.m)->sp == sp);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
  /* Nothing is noted of a heap whose stack cannot be read. */
  t = toy_new("--faults");
  w = barrow_window_of(t.m);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 60)));
  sp = w->sp;
  w->sp = sp + 3;
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, false));
  w->sp = sp;
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

int main(void) {
  RUN(frames_of_every_kind);
  RUN(deep_stacks);
  RUN(clean_chunks);
  RUN(threads);
  RUN(tagged_frames);
  RUN(lazy_blackholing);
  RUN(squeezed);
  RUN(misuse);
  return DONE;
}
