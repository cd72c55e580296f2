/* What a heap with several mutators asks the system for: threads FLAGS, which say that it takes four. Threads come and go, one after
 * the other and then by turns, so that the n-th call is the same one each time, and at last all at once. Ends as program.c does. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
enum { LARGE = 6000 };
#include "lists.h"
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3, STAYS = 2, STEPS = 4, LENGTH = 3000 };

static struct {
  barrow_heap *heap;
  void *table; /* a root: the list of each thread */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t turn, come, attached;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

typedef struct member {
  pthread_t thread;
  size_t number;
  barrow_mutator *m; /* null while it has none */
  roots r;
} member;

static member members[THREADS];

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

/* Waits until the others have come so far, in foreign code where it has a mutator. */
static void await(const member *w, const size_t *count, size_t many) {
  if (w->m) CHECK_OK(barrow_enter_foreign(w->m));
  pthread_mutex_lock(&all.lock);
  while (*count < many) pthread_cond_wait(&all.changed, &all.lock);
  pthread_mutex_unlock(&all.lock);
  if (w->m) CHECK_OK(barrow_leave_foreign(w->m));
}

static void add_one(size_t *count) {
  pthread_mutex_lock(&all.lock);
  ++*count;
  pthread_cond_broadcast(&all.changed);
  pthread_mutex_unlock(&all.lock);
}

/* A mutator that could not be attached is not there: the heap has those that came in, and no other. */
static void count_mutators(void *client, const barrow_event *event) {
  (void)client;
  if (all.come == 0) CHECK_EQ(event->mutators, all.attached);
}

/* ---- what each thread does ------------------------------------------------------------------------------------------- */

static void come_in(member *w) {
  if (w->m || !may(barrow_attach(all.heap, &w->m))) return;
  __atomic_add_fetch(&all.attached, 1, __ATOMIC_SEQ_CST);
  BARROW_ENTER(w->m, w->r);
}

static void go_out(member *w, bool detaches) {
  if (!w->m) return;
  forget(&w->r);
  BARROW_LEAVE(w->m, w->r);
  __atomic_sub_fetch(&all.attached, 1, __ATOMIC_SEQ_CST);
  if (detaches) CHECK_OK(barrow_detach(w->m));
  w->m = NULL;
}

static void make_and_show(member *w) {
  if (!w->m) return;
  if (!make(w->m, &w->r, LENGTH)) forget(&w->r);
  look(&w->r);
  barrow_write(w->m, all.table, &barrow_array_elements(all.table)[w->number], w->r.list);
}

/* The lists that are shown are whole, those of threads that have gone among them. */
static void look_at_all(member *w) {
  size_t i, length;
  if (!w->m) return;
  look(&w->r);
  for (i = 0; i < THREADS; i++) {
    const node *n = (const node *)barrow_array_elements(all.table)[i];
    for (length = 0; n; n = n->left, length++) CHECK_EQ(n->value, LENGTH - KEPT * length);
    CHECK(length == 0 || length == LENGTH / KEPT);
  }
}

static void collect(member *w, bool major) {
  if (!w->m) return;
  may(barrow_collect(w->m, major));
  look_at_all(w);
}

/* A thread that tries once, and ends as it is. */
static void *visit(void *given) {
  member *w = (member *)given;
  come_in(w);
  make_and_show(w);
  go_out(w, false);
  return NULL;
}

static void *by_turns_and_at_once(void *given) {
  member *w = (member *)given;
  size_t turn;
  for (turn = 0; turn < STAYS * STEPS; turn++) {
    await(w, &all.turn, turn * THREADS + w->number);
    come_in(w);
    switch (turn % STEPS) {
      case 0: make_and_show(w); break;
      case 1: collect(w, false); break;
      case 2: collect(w, true); break;
      default:
        look_at_all(w);
        go_out(w, true);
    }
    add_one(&all.turn);
  }
  add_one(&all.come);
  await(w, &all.come, THREADS);
  for (turn = 0; turn < STAYS; turn++) {
    come_in(w);
    make_and_show(w);
    collect(w, turn == 0);
    /* The end of a thread detaches its mutator. */
    go_out(w, turn + 1 < STAYS || w->number > 0);
  }
  return NULL;
}

/* All threads, which this one waits for in foreign code. */
static void run_threads(void) {
  size_t i;
  for (i = 0; i < THREADS; i++) {
    members[i].number = i;
    CHECK_EQ(pthread_create(&members[i].thread, NULL, visit, &members[i]), 0);
    CHECK_EQ(pthread_join(members[i].thread, NULL), 0);
  }
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&members[i].thread, NULL, by_turns_and_at_once, &members[i]), 0);
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_join(members[i].thread, NULL), 0);
}

int main(int argc, char **argv) {
  barrow_config config;
  barrow_mutator *m = NULL;
  roots r;
  size_t i;
  barrow_word *table;
  CHECK_EQ(argc, 2);
  alarm(60); /* A thread that hangs ends the program. */
  barrow_config_init(&config);
  config.flags = argv[1];
  config.event = count_mutators;
  all.attached = 1;
  if (!may(barrow_heap_new(&config, &all.heap, &m))) return check_failures ? 1 : 3;
  BARROW_ENTER(m, r);
  table = barrow_alloc(m, barrow_array_words(THREADS));
  if (table) all.table = barrow_array_init(table, &array_info, THREADS);
  if ((table || was_refused(barrow_last_status())) && may(barrow_root_add(all.heap, "table", &all.table, 1, false))) {
    if (!make(m, &r, LENGTH)) forget(&r);
    CHECK_OK(barrow_enter_foreign(m));
    run_threads();
    CHECK_OK(barrow_leave_foreign(m));
    look(&r);
    all.table = NULL;
  }
  forget(&r);
  for (i = 0; i < 4; i++) may(barrow_collect(m, true));
  may(barrow_check(m));
  CHECK_OK(barrow_audit(all.heap));
  BARROW_LEAVE(m, r);
  may(barrow_heap_free(all.heap));
  return check_failures ? 1 : refusals ? 3 : 0;
}
