/* The library's own walkers for the space profiler's clock: the machine's stack, shadow frames, stack objects. */
#include "toy.h"
#include <time.h>

/* Found by their names, which C++ would change. */
#ifdef __cplusplus
#define NAMED extern "C"
#else
#define NAMED static
#endif
#if defined(__GNUC__)
#define ALONE __attribute__((noinline))
#else
#define ALONE
#endif

INFO(loop_frame, BARROW_RETURN_FRAME, 0, 0, 0, 1, 0, NULL, NULL);
INFO(call_frame, BARROW_RETURN_FRAME, 0, 0, 0, 2, 0, NULL, NULL);

static volatile size_t work;

typedef size_t walker(void *client, barrow_mutator *m, void **functions, size_t room);
static walker *chosen;
static volatile int walks;

/* A client's own walk may ask the library's. */
static size_t counted(void *client, barrow_mutator *m, void **functions, size_t room) {
  walks++;
  return chosen(client, m, functions, room);
}

/* On a busy machine the clock may come late. */
static int goes_on(clock_t begun, int milliseconds) {
  clock_t taken = (clock() - begun) / (CLOCKS_PER_SEC / 1000);
  return taken < milliseconds || (walks < 20 && taken < 300 * milliseconds);
}

/* Allocates now and then, so that the mutator can be asked. What follows the allocation keeps it from being a jump. */
NAMED ALONE void burn(barrow_mutator *m, int milliseconds) {
  clock_t begun = clock();
  while (goes_on(begun, milliseconds)) {
    int i;
    node *n;
    for (i = 0; i < 1000; i++) work = work + (size_t)i;
    n = (node *)barrow_alloc(m, 4);
    n->header = (barrow_word)&node_info;
    n->left = n->right = NULL;
    n->value = work;
  }
}

NAMED ALONE void with_a_frame(barrow_mutator *m, int milliseconds, int depth) {
  struct { barrow_frame frame; node *kept; } r;
  BARROW_ENTER(m, r);
  if (depth > 0) with_a_frame(m, milliseconds, depth - 1);
  else burn(m, milliseconds);
  work = work + (r.kept != NULL);
  BARROW_LEAVE(m, r);
}

/* Stops at a safepoint only: nothing is allocated. */
NAMED ALONE void stop_only(barrow_mutator *m, int milliseconds) {
  clock_t begun = clock();
  while (goes_on(begun, milliseconds)) {
    int i;
    for (i = 0; i < 1000; i++) work = work + (size_t)i;
    CHECK_OK(barrow_safepoint(m));
  }
}

static uint32_t begin(toy t, walker *walk, int tells_code) {
  barrow_space_options options;
  uint32_t profile = 0;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.manner = BARROW_MANNER_TIME;
  options.tick_us = 1000;
  options.depth = 10;
  options.walk = counted;
  chosen = walk;
  walks = 0;
  options.walk_tells_code = (uint32_t)tells_code;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  return profile;
}

/* Ticks at the top and elsewhere on the stack of the function of this name; 0 and 0 when it was not seen. */
static void ticks_of(toy t, const char *wanted, uint64_t *top, uint64_t *elsewhere) {
  barrow_space_totals_t totals;
  size_t i;
  memset(&totals, 0, sizeof totals);
  totals.size = (uint32_t)sizeof totals;
  CHECK_OK(barrow_space_totals(t.heap, &totals));
  CHECK(totals.ticks > 0);
  *top = *elsewhere = 0;
  for (i = 0; i < totals.functions; i++) {
    barrow_space_function_t f;
    char name[256];
    memset(&f, 0, sizeof f);
    f.size = (uint32_t)sizeof f;
    CHECK_OK(barrow_space_function(t.heap, i, &f, name, sizeof name));
    if (strcmp(name, wanted) != 0) continue;
    /* Nothing else runs: all ticks, or all but those between the loops. */
    *top = 100 * f.ticks_top / totals.ticks;
    *elsewhere = 100 * f.ticks_elsewhere / totals.ticks;
  }
}

static void the_machines_stack(void) {
  toy t = toy_new("");
  uint64_t top, elsewhere;
  uint32_t profile = begin(t, barrow_walk_code, 1);
  with_a_frame(t.m, 80, 3);
  CHECK_OK(barrow_space_end(t.m, profile));
  ticks_of(t, "burn", &top, &elsewhere);
  CHECK(top > 90 && elsewhere == 0);
  /* Once each, however often it is there. */
  ticks_of(t, "with_a_frame", &top, &elsewhere);
  CHECK(top == 0 && elsewhere > 90 && elsewhere <= 100);
  ticks_of(t, "main", &top, &elsewhere);
  CHECK(top == 0 && elsewhere > 90);
  profile = begin(t, barrow_walk_code, 1);
  stop_only(t.m, 80);
  CHECK_OK(barrow_space_end(t.m, profile));
  ticks_of(t, "stop_only", &top, &elsewhere);
  CHECK(top > 90 && elsewhere == 0);
  toy_free(t);
}

static void shadow_frames(void) {
  toy t = toy_new("");
  uint64_t top, elsewhere;
  uint32_t profile = begin(t, barrow_walk_frames, 1);
  with_a_frame(t.m, 80, 1);
  CHECK_OK(barrow_space_end(t.m, profile));
  ticks_of(t, "with_a_frame", &top, &elsewhere);
  CHECK(top > 90 && elsewhere == 0);
  ticks_of(t, "burn", &top, &elsewhere);
  CHECK(top == 0 && elsewhere == 0);
  ticks_of(t, "main", &top, &elsewhere);
  CHECK(top == 0 && elsewhere == 0);
  toy_free(t);
}

static void stack_objects(void) {
  toy t = toy_new("");
  void *stack = barrow_stack_new(t.m, NULL, 40);
  uint64_t top, elsewhere;
  uint32_t profile;
  CHECK_OK(barrow_stack_enter(t.m, stack));
  barrow_stack_push(t.m, &call_frame, 3)[1] = 1;
  barrow_window_of(t.m)->sp[2] = 2;
  /* Into another chunk, and deeper. */
  CHECK(barrow_stack_grow(t.m, 100));
  barrow_stack_push(t.m, &loop_frame, 2)[1] = 3;
  profile = begin(t, barrow_walk_stack, 0);
  burn(t.m, 80);
  CHECK_OK(barrow_space_end(t.m, profile));
  ticks_of(t, "loop_frame", &top, &elsewhere);
  CHECK(top > 90 && elsewhere == 0);
  ticks_of(t, "call_frame", &top, &elsewhere);
  CHECK(top == 0 && elsewhere > 90);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  toy_free(t);
}

/* There is nobody to be told, and time passes all the same. */
static void without_a_stack(void) {
  toy t = toy_new("");
  uint64_t top, elsewhere;
  uint32_t profile = begin(t, barrow_walk_stack, 0);
  burn(t.m, 80);
  CHECK(walks > 0);
  CHECK_OK(barrow_space_end(t.m, profile));
  ticks_of(t, "(unknown)", &top, &elsewhere);
  CHECK(top == 100 && elsewhere == 0);
  toy_free(t);
}

/* Before a stack, on one, with a top that cannot be, and after it. */
static void stacks_by_hand(void) {
  toy t = toy_new("");
  barrow_window *w = barrow_window_of(t.m);
  void *functions[8], *stack = barrow_stack_new(t.m, NULL, 40);
  barrow_word *sp;
  CHECK(w->stack == NULL);
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0);
  CHECK_OK(barrow_stack_enter(t.m, stack));
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0); /* nothing but its stop frame */
  sp = barrow_stack_push(t.m, &loop_frame, 2);
  sp[1] = 0;
  barrow_stack_push(t.m, &call_frame, 3)[1] = 0;
  w->sp[2] = 0;
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 2);
  CHECK(functions[0] == (void *)&call_frame && functions[1] == (void *)&loop_frame);
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 1), 1);
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 0), 0);
  sp = w->sp;
  w->sp = NULL;
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0);
  w->sp = sp + 1000;
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0);
  w->sp = (barrow_word *)(void *)((char *)sp + 1);
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0);
  w->sp = sp;
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 2);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 8), 0);
  toy_free(t);
}

static void by_hand(void) {
  toy t = toy_new("");
  void *functions[100];
  CHECK(barrow_walk_code(NULL, t.m, functions, 100) > 0);
  CHECK_EQ(barrow_walk_code(NULL, t.m, functions, 1), 1);
  CHECK_EQ(barrow_walk_code(NULL, t.m, NULL, 100), 0);
  CHECK_EQ(barrow_walk_frames(NULL, NULL, functions, 100), 0);
  CHECK_EQ(barrow_walk_frames(NULL, t.m, functions, 100), 0);
  CHECK_EQ(barrow_walk_stack(NULL, NULL, functions, 100), 0);
  CHECK_EQ(barrow_walk_stack(NULL, t.m, functions, 100), 0);
  toy_free(t);
}

int main(void) {
  RUN(the_machines_stack);
  RUN(shadow_frames);
  RUN(stack_objects);
  RUN(without_a_stack);
  RUN(stacks_by_hand);
  RUN(by_hand);
  return DONE;
}
