/* lazy_tasks.h: tasks that force lazy objects which they share. */
#ifndef LAZY_TASKS_H
#define LAZY_TASKS_H
#include "tasks.h"
#include <signal.h>
#include <unistd.h>

#define THUNKS 400

/* The code of a lazy object, which gives its value, and may collect; with the table that it had before it was claimed. */
typedef node *run_lazily(task *, barrow_mutator *, void *, const barrow_info *);

/* What the threads of a case share. */
typedef struct lazy_case {
  size_t come, told, waiting;
  int claims;
  run_lazily *run;
  barrow_word evaluations[THUNKS];
} lazy_case;

static inline void begin_lazily(lazy_case *c, run_lazily *run, int claims) {
  memset(c, 0, sizeof *c);
  c->run = run;
  c->claims = claims;
}

static const char *const many_flags[] = {"-A256k", "-DS -A256k --stress=97", "-c -A128k", "--source=chunks -A256k -G3",
                                         "-G1 -A256k", "--old=copy -A128k"};

/* Under valgrind one thread runs at a time, for a while, so few of the flags are tried there, with few threads. */
static inline size_t flags_tried(void) { return toy_under_valgrind() ? 2 : sizeof many_flags / sizeof *many_flags; }
static inline size_t many_threads(void) { return toy_under_valgrind() ? 12 : 60; }

static inline size_t add_one(size_t *word) { return __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST); }

static inline bool is_blackhole(unsigned kind) { return kind == BARROW_BLACKHOLE || kind == BARROW_CAF_BLACKHOLE; }
static inline bool is_lazy(unsigned kind) { return kind == BARROW_THUNK || kind == BARROW_SELECTOR || kind == BARROW_AP; }

/* The value of an object, as compiled code finds it; NULL when a wait is refused. */
static inline node *force(task *w, barrow_mutator *m, void *x) {
  lazy_case *c = (lazy_case *)w->shared;
  struct { barrow_frame frame; void *x, *value; } r;
  r.x = x;
  r.value = NULL;
  BARROW_PUSH(m, r);
  for (;;) {
    const barrow_info *info = barrow_info_now(r.x);
    unsigned kind = info->kind;
    if (is_indirection(kind)) {
      r.x = barrow_indirectee(r.x);
    } else if (is_lazy(kind)) {
      if (c->claims && !barrow_claim(m, r.x)) continue;
      r.value = c->run(w, m, r.x, info);
      MUST(w, barrow_update(m, r.x, r.value) == BARROW_OK);
    } else if (is_blackhole(kind)) {
      barrow_status status = barrow_wait_for(m, r.x);
      if (status == BARROW_E_LOOP) add_one(&c->told);
      if (status != BARROW_OK) break;
    } else {
      r.value = r.x;
      break;
    }
  }
  BARROW_LEAVE(m, r);
  return (node *)r.value;
}

static inline void *at(task *w, size_t i) {
  return __atomic_load_n(&barrow_array_elements(*w->table)[i], __ATOMIC_ACQUIRE);
}

/* A random order of its own for each thread: below `many`, from a word that begins as 7919 times the thread's number, and one. */
static inline size_t draw(barrow_word *random, size_t many) {
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (*random >> 33) % many;
}

static void too_long(int number) {
  static const char words[] = "a wait has not ended\n";
  if (write(2, words, sizeof words - 1) < 0) _exit(3);
  _exit(number ? 1 : 2);
}

/* A wait that never ends is a failure, after so many seconds. */
static inline void waits_end_within(unsigned seconds) {
  signal(SIGALRM, too_long);
  alarm(seconds);
}

#endif
