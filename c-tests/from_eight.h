/* Eight threads that call the same functions at once, each with a mutator of its own in one heap. */
#ifndef BARROW_TEST_FROM_EIGHT_H
#define BARROW_TEST_FROM_EIGHT_H
#include "tasks.h"

#define THREADS 8
#define DID(call) MUST(w, (call) == BARROW_OK)
/* Refused, and the heap goes on. */
#define NOT(call) MUST(w, (call) != BARROW_OK)

static const char *const few_flags[] = {"-A256k", "-DS -A256k --stress=499", "-c -A128k --source=chunks", "-A128k -G3 --old=copy"};

/* What eight threads do, once all of them are there. */
static void (*body_of_eight)(task *, barrow_mutator *);
static size_t come_of_eight;
static void when_all_are_there(task *w, barrow_mutator *m) {
  all_come(w, m, &come_of_eight);
  body_of_eight(w, m);
}

/* A heap for eight more mutators than the caller's, of this configuration. */
static inline toy heap_of_eight(barrow_config *config, const char *flags) {
  char line[200];
  sprintf(line, "--mutators=%d %.100s", THREADS + 1, flags);
  return toy_new_with(config, line);
}

static void eight_in(toy t, task like, void (*body)(task *, barrow_mutator *)) {
  body_of_eight = body, come_of_eight = 0;
  in_threads(t, THREADS, like, when_all_are_there);
  CHECK_OK(barrow_collect(t.m, true));
}

static inline void from_eight(const char *flags, size_t rounds, void (*body)(task *, barrow_mutator *)) {
  barrow_config config;
  size_t counted = 0;
  task like = task_of(rounds);
  toy t;
  barrow_config_init(&config);
  t = heap_of_eight(&config, flags);
  like.shared = &counted;
  eight_in(t, like, body);
  toy_free(t);
}

static inline void in_each_heap(size_t rounds, void (*body)(task *, barrow_mutator *)) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++)
    from_eight(few_flags[i], strstr(few_flags[i], "-DS") ? rounds / 10 + 1 : slow_share(rounds), body);
}

/* Calls whose answer depends on what others do meanwhile: a profile has ended, or sets are gone. Each has its line's count of successes,
 * of which there are some by the end: one that is always refused would show nothing. */
static struct { const char *call, *file; size_t successes; } maybes[500];

/* Whether it is an answer that such a call may give. */
static inline bool is_noted(barrow_status status, const char *call, const char *file, size_t line) {
  __atomic_store_n(&maybes[line].file, file, __ATOMIC_RELAXED);
  __atomic_store_n(&maybes[line].call, call, __ATOMIC_RELAXED);
  if (status == BARROW_OK) __atomic_add_fetch(&maybes[line].successes, 1, __ATOMIC_RELAXED);
  return status == BARROW_OK || status == BARROW_E_STATE || status == BARROW_E_ARG;
}

static inline void each_call_succeeds(void) {
  size_t line;
  for (line = 0; line < sizeof maybes / sizeof *maybes; line++)
    if (maybes[line].call && maybes[line].successes == 0) check_failed(maybes[line].file, (int)line, maybes[line].call, "never succeeds");
}

#endif
