/* tasks.h: threads with a mutator each, and trees that they build. */
#ifndef TASKS_H
#define TASKS_H
#include "toy.h"
#include <pthread.h>
#include <sched.h>
#include <time.h>

#define MOST 64

static inline size_t slow_share(size_t n) { return getenv("BARROW_TEST_SLOW") ? n / 10 + 1 : n; }

/* One thread of a case: its number, and what its function takes. */
typedef struct task {
  barrow_heap *heap;
  size_t number, count, rounds;
  void (*body)(struct task *, barrow_mutator *);
  node **table;    /* a registered root: an array with a slot for each thread */
  barrow_word made; /* bytes */
  int failures;
  int stays; /* ends without detaching */
  void *shared;
} task;

static inline void task_failed(task *w, const char *what) {
  fprintf(stderr, "%s: thread %lu: %s: %s\n", check_case, (unsigned long)w->number, what, barrow_last_error());
  w->failures++;
}
#define MUST(w, condition) ((condition) ? (void)0 : task_failed(w, #condition))

static inline void task_runs(task *w) {
  barrow_mutator *m = NULL;
  if (barrow_attach(w->heap, &m) != BARROW_OK) {
    task_failed(w, "barrow_attach");
    return;
  }
  w->body(w, m);
  if (!w->stays && barrow_detach(m) != BARROW_OK) task_failed(w, "barrow_detach");
}

static size_t tasks_over;

/* Where callers are counted (ci/callers.sh), threads that have ended would not count beside those that begin later: so all wait
 * for the last. */
static inline void *run_task(void *given) {
  task *w = (task *)given;
  task_runs(w);
  __atomic_add_fetch(&tasks_over, 1, __ATOMIC_SEQ_CST);
  if (getenv("BARROW_CALLERS") && !w->stays)
    while (__atomic_load_n(&tasks_over, __ATOMIC_SEQ_CST) < w->count) sched_yield();
  return NULL;
}

/* Runs a body in n threads, which this one waits for in foreign code. Gives the bytes that they made. */
static inline barrow_word in_threads(toy t, size_t n, task like, void (*body)(task *, barrow_mutator *)) {
  static task tasks[MOST];
  pthread_t threads[MOST];
  size_t i;
  barrow_word made = 0;
  tasks_over = 0;
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < n; i++) {
    tasks[i] = like;
    tasks[i].heap = t.heap;
    tasks[i].number = i;
    tasks[i].count = n;
    tasks[i].body = body;
    CHECK_EQ(pthread_create(&threads[i], NULL, run_task, &tasks[i]), 0);
  }
  for (i = 0; i < n; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  for (i = 0; i < n; i++) {
    check_failures += tasks[i].failures;
    made += tasks[i].made;
  }
  return made;
}

static inline task task_of(size_t rounds) {
  task w;
  memset(&w, 0, sizeof w);
  w.rounds = rounds;
  return w;
}

/* 1, 2, ..., length, of objects with this table. */
static inline node *task_list(task *w, barrow_mutator *m, size_t length, const barrow_info *info) {
  struct { barrow_frame frame; node *list; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = length; i > 0; i--) {
    node *n = (node *)barrow_alloc(m, sizeof *n / sizeof(barrow_word));
    MUST(w, n != NULL);
    barrow_set_header(n, info);
    n->left = r.list;
    n->right = NULL;
    n->value = i;
    r.list = n;
    w->made += sizeof *n;
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

/* Waits until so many have come: at safepoints first, then in foreign code, so that many who wait take no processor. */
static inline void await_all(task *w, barrow_mutator *m, const size_t *come, size_t many) {
  const struct timespec pause = {0, 100000};
  size_t looks;
  for (looks = 0; __atomic_load_n(come, __ATOMIC_SEQ_CST) < many; looks++) {
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    if (looks < 50) continue;
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    nanosleep(&pause, NULL);
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  }
}

/* Comes, and waits until all of its threads have. */
static inline void all_come(task *w, barrow_mutator *m, size_t *come) {
  __atomic_add_fetch(come, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, come, w->count);
}

/* A tree whose values tell their place; its parts are in frames while others collect. */
static inline node *tree(task *w, barrow_mutator *m, size_t depth, barrow_word value) {
  struct { barrow_frame frame; node *left, *right, *made; } r;
  node *n;
  if (depth == 0) return NULL;
  BARROW_ENTER(m, r);
  r.left = tree(w, m, depth - 1, 2 * value);
  r.right = tree(w, m, depth - 1, 2 * value + 1);
  n = (node *)barrow_alloc(m, 4);
  if (!n) {
    task_failed(w, "barrow_alloc");
    BARROW_LEAVE(m, r);
    return NULL;
  }
  barrow_set_header(n, &node_info);
  n->left = r.left;
  n->right = r.right;
  n->value = value;
  w->made += 4 * sizeof(barrow_word);
  BARROW_LEAVE(m, r);
  return n;
}

static inline size_t nodes_of(task *w, const node *n, barrow_word value) {
  if (!n) return 0;
  MUST(w, barrow_info_of(n) == &node_info && n->value == value);
  return 1 + nodes_of(w, n->left, 2 * value) + nodes_of(w, n->right, 2 * value + 1);
}

static inline void trees(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept, *made; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 10, 1);
  for (i = 0; i < w->rounds; i++) {
    r.made = tree(w, m, 4 + i % 8, 1);
    MUST(w, nodes_of(w, r.made, 1) == ((size_t)1 << (4 + i % 8)) - 1);
    if (i % 16 == 0) MUST(w, nodes_of(w, r.kept, 1) == 1023);
    if (i % 64 == 63) MUST(w, barrow_collect(m, i % 128 == 127) == BARROW_OK);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 1023);
  BARROW_LEAVE(m, r);
}

/* A heap that takes as many mutators as there are tasks. */
static inline toy shared_heap(const char *flags) {
  char line[200];
  sprintf(line, "--mutators=%d %.150s", MOST, flags);
  return toy_new(line);
}

static inline void in_another_thread(void *(*call)(void *), void *with) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, call, with), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* A thread with a mutator that is in foreign code from stay_begins to stay_ends. */
typedef struct stayer {
  barrow_heap *heap;
  pthread_t thread;
  int is_there, may_go;
} stayer;

static inline void *stay(void *given) {
  stayer *s = (stayer *)given;
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach(s->heap, &m));
  CHECK_OK(barrow_enter_foreign(m));
  __atomic_store_n(&s->is_there, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&s->may_go, __ATOMIC_ACQUIRE)) sched_yield();
  CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static inline void stay_begins(stayer *s, toy t) {
  s->heap = t.heap;
  s->is_there = s->may_go = 0;
  CHECK_EQ(pthread_create(&s->thread, NULL, stay, s), 0);
  while (!__atomic_load_n(&s->is_there, __ATOMIC_ACQUIRE)) sched_yield();
}

static inline void stay_ends(stayer *s, toy t) {
  __atomic_store_n(&s->may_go, 1, __ATOMIC_RELEASE);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(s->thread, NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
}

#endif
