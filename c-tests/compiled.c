/* Compiled code with stack maps, as far as C can be it: registration, calls in and out, and that what has no map ends in
 * a sentence. The real thing is ci/llvm-check.sh. */
#define _POSIX_C_SOURCE 200809L
#include "stack_map.h"
#include "toy.h"
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* One function of 24 bytes of frame, with one call that returns 5 bytes into it. */
static map good(void *function) { return map_of(function, 24, 5); }

/* Code that calls nothing has maps too: a header and no record. */
static void maps_of_no_call_come_and_go(void) {
  toy t = toy_new("");
  static barrow_word code[2];
  map some = good(code);
  static uint32_t none[4] = {3, 0, 0, 0}, others[4] = {3, 0, 0, 0};
  int round;
  for (round = 0; round < 3; round++) {
    CHECK_OK(barrow_stack_maps_register(t.heap, none, sizeof none, false));
    CHECK_OK(barrow_stack_maps_register(t.heap, &some, sizeof some, false));
    CHECK_OK(barrow_stack_maps_register(t.heap, others, sizeof others, false));
    REFUSED(BARROW_E_STATE, barrow_stack_maps_register(t.heap, none, sizeof none, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_stack_maps_unregister(t.m, none));
    REFUSED(BARROW_E_ARG, barrow_stack_maps_unregister(t.m, none));
    CHECK_OK(barrow_stack_maps_unregister(t.m, &some));
    /* A section goes with its module, whether it has calls or not. */
    CHECK_OK(barrow_module_unregister(t.m, others, sizeof others));
    REFUSED(BARROW_E_ARG, barrow_stack_maps_unregister(t.m, others));
  }
  toy_free(t);
}

static void maps_come_and_go(void) {
  toy t = toy_new("");
  static barrow_word code[4];
  map both[2], wrong;
  both[0] = good(code);
  both[1] = good(code + 2);
  CHECK_EQ(sizeof(map) % 8, 0);
  CHECK_OK(barrow_stack_maps_register(t.heap, both, sizeof both, false));
  REFUSED(BARROW_E_STATE, barrow_stack_maps_register(t.heap, both, sizeof both, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_stack_maps_unregister(t.m, both));
  REFUSED(BARROW_E_ARG, barrow_stack_maps_unregister(t.m, both));
  CHECK_OK(barrow_stack_maps_register(t.heap, both, sizeof both, false));
  CHECK_OK(barrow_module_unregister(t.m, code, sizeof code));
  CHECK_OK(barrow_stack_maps_register(t.heap, both, sizeof both, false));
  REFUSED(BARROW_E_ARG, barrow_stack_maps_register(t.heap, NULL, 8, false));
  REFUSED(BARROW_E_ARG, barrow_stack_maps_register(t.heap, both, 0, false));
  REFUSED(BARROW_E_ARG, barrow_stack_maps_register(t.heap, both, ~(size_t)0, false));
  wrong = good(code + 1);
  REFUSED(BARROW_E_ARG, barrow_stack_maps_register(t.heap, &wrong, sizeof wrong - 8, false));
  wrong.version = 2;
  REFUSED(BARROW_E_ABI, barrow_stack_maps_register(t.heap, &wrong, sizeof wrong, false));
  wrong = good(code + 1);
  wrong.frame = ~(uint64_t)0;
  REFUSED(BARROW_E_ARG, barrow_stack_maps_register(t.heap, &wrong, sizeof wrong, false));
  toy_free(t);
}

static size_t sum(barrow_mutator *m, size_t a, size_t b, size_t c) {
  CHECK(m != NULL);
  return a + 10 * b + 100 * c;
}

static size_t outer(barrow_mutator *m, size_t a, size_t b, size_t c) {
  size_t result = 0;
  (void)b;
  (void)c;
  /* C called directly: the frame of this function could not be found. */
  REFUSED(BARROW_E_STATE, barrow_stack_call(m, sum, 1, 2, 3, &result));
  return a;
}

static size_t again(barrow_mutator *m, size_t a, size_t b) {
  size_t result = 0;
  CHECK_OK(barrow_stack_call(m, sum, a, b, 0, &result));
  return result + 1;
}

static size_t inner(barrow_mutator *m, size_t a, size_t b, size_t c) {
  (void)c;
  return barrow_gc_call(m, again, a, b);
}

static void calls(void) {
  toy t = toy_new("");
  size_t result = 0;
  CHECK_OK(barrow_stack_call(t.m, sum, 1, 2, 3, &result));
  CHECK_EQ(result, 321);
  CHECK_OK(barrow_stack_call(t.m, sum, 1, 2, 3, NULL));
  REFUSED(BARROW_E_ARG, barrow_stack_call(t.m, NULL, 1, 2, 3, &result));
  CHECK_OK(barrow_stack_call(t.m, outer, 7, 0, 0, &result));
  CHECK_EQ(result, 7);
  CHECK_OK(barrow_stack_call(t.m, inner, 1, 2, 0, &result));
  CHECK_EQ(result, 22);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

/* This file's functions have no maps, so whatever collects below them is refused. */
static size_t collecting(barrow_mutator *m, size_t a, size_t b) {
  (void)a;
  (void)b;
  REFUSED(BARROW_E_DAMAGED, barrow_collect(m, true));
  CHECK(strstr(barrow_last_error(), "no stack map") != NULL);
  return 0;
}

static size_t unmapped(barrow_mutator *m, size_t a, size_t b, size_t c) {
  (void)a;
  (void)b;
  (void)c;
  barrow_word *object = barrow_gc_alloc_slow(m, barrow_bytes_words(8)); /* there is room */
  CHECK(object != NULL);
  if (object) object[0] = (barrow_word)&bytes_info, object[1] = 8;
  CHECK(barrow_gc_reserve_slow(m, 3));
  barrow_gc_safepoint(m);
  barrow_gc_call(m, collecting, 0, 0);
  /* And not even with one of the entries. */
  REFUSED(BARROW_E_DAMAGED, barrow_collect(m, true));
  CHECK(strstr(barrow_last_error(), "barrow_gc_") != NULL);
  return 0;
}

static void what_has_no_map_is_refused(void) {
  toy t = toy_new("");
  CHECK_OK(barrow_stack_call(t.m, unmapped, 0, 0, 0, NULL));
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

static jmp_buf out;

static size_t jumping(barrow_mutator *m, size_t a, size_t b, size_t c) {
  (void)m;
  (void)a;
  (void)b;
  (void)c;
  longjmp(out, 1);
}

static void jumps(void) {
  toy t = toy_new("");
  barrow_saved_stack saved;
  REFUSED(BARROW_E_ARG, barrow_stack_save(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_stack_restore(t.m, NULL));
  CHECK_OK(barrow_stack_save(t.m, &saved));
  if (setjmp(out) == 0) barrow_stack_call(t.m, jumping, 0, 0, 0, NULL);
  /* Forgotten: the library finds that out by a look at memory that the jump has freed, which valgrind tells too. */
  if (!toy_under_valgrind()) REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, true));
  CHECK_OK(barrow_stack_restore(t.m, &saved));
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
}

static int told;
static void fatal(void *client, const char *sentence) {
  if (client == &told && strlen(sentence) > 40 && write(told, "right", 5) != 5) _exit(1);
}

static size_t insisting(barrow_mutator *m, size_t a, size_t b, size_t c) {
  (void)b;
  (void)c;
  if (a == 0) barrow_gc_collect(m, true);
  while (a == 1) barrow_gc_alloc_slow(m, 200);
  while (a == 2) barrow_alloc(m, 200);
  return 0;
}

/* Compiled code cannot hear that a collection failed, so it does not go on. */
static void frames_that_cannot_be_found_end_the_process(void) {
  size_t how;
  for (how = 0; how < 3; how++) {
    int ends[2], status = 0;
    char text[6] = "";
    pid_t child;
    CHECK_EQ(pipe(ends), 0);
    fflush(stdout);
    child = fork();
    if (child == 0) {
      struct rlimit none = {0, 0};
      barrow_config config;
      toy t;
      setrlimit(RLIMIT_CORE, &none);
      told = ends[1];
      barrow_config_init(&config);
      config.client = &told;
      config.fatal = fatal;
      t = toy_new_with(&config, "-A64k");
      barrow_stack_call(t.m, insisting, how, 0, 0, NULL);
      _exit(0);
    }
    close(ends[1]);
    CHECK_EQ(read(ends[0], text, 5), 5);
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == 6);
  }
}

int main(void) {
  RUN(maps_of_no_call_come_and_go);
  RUN(maps_come_and_go);
  RUN(calls);
  RUN(what_has_no_map_is_refused);
  RUN(jumps);
  RUN(frames_that_cannot_be_found_end_the_process);
  return DONE;
}
