/* parallel.c: system threads, each with an interpreter and a mutator of its own in the one heap, and mailboxes between them.
 *
 * Symbols, their values and all objects are shared. A thread that waits is in foreign code meanwhile, so that nobody's collection
 * waits for it. */
#include "scheme.h"
#include <stdlib.h>

/* Elements of the records that the prelude makes (prelude.c): element 0 is the type. */
enum { JOB_STATE = 1, JOB_RESULT = 2, BOX_FIRST = 1, BOX_LAST = 2 };
/* A job's state: it runs, has a value, has raised, had no memory. */
enum { RUNS, DONE, RAISED, STARVED };

/* ---- the lock ----------------------------------------------------------------------------------------------------------- */

/* Objects may move here, as in a call that allocates. With one thread there is nothing to lock. */
void share_lock(scheme *s) {
  if (s->shared->most < 2 || pthread_mutex_trylock(&s->shared->lock) == 0) return;
  barrow_enter_foreign(s->m);
  pthread_mutex_lock(&s->shared->lock);
  barrow_leave_foreign(s->m);
}

void share_unlock(scheme *s) {
  if (s->shared->most >= 2) pthread_mutex_unlock(&s->shared->lock);
}

/* Under the lock. */
static void tell_change(common *all) {
  all->changes++;
  all->waiting = 0;
  pthread_cond_broadcast(&all->changed);
}

/* Lets the lock go until something has changed; false when nothing will, since all threads wait. */
static bool await_change(scheme *s) {
  common *all = s->shared;
  size_t before = all->changes;
  if (all->waiting == all->threads) return false;
  all->waiting++;
  barrow_enter_foreign(s->m);
  while (all->changes == before) pthread_cond_wait(&all->changed, &all->lock);
  barrow_leave_foreign(s->m);
  return true;
}

static void fail_waiting(scheme *s) NORETURN;
static void fail_waiting(scheme *s) {
  share_unlock(s);
  fail(s, "every system thread waits for another one");
}

/* ---- threads ------------------------------------------------------------------------------------------------------------- */

/* The result is told to who waits, and nothing of the thread is left. */
static void end_thread(scheme *s, unsigned state, value result) {
  common *all = s->shared;
  scheme **at = &all->all;
  s->r.accumulator = result;
  share_lock(s);
  set_field(s, s->r.job, &elements(s->r.job)[JOB_RESULT], s->r.accumulator);
  set_field(s, s->r.job, &elements(s->r.job)[JOB_STATE], FIX(state));
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  /* Before the count: the heap may be freed when there is no other thread. */
  barrow_detach(s->m);
  all->threads--;
  tell_change(all);
  pthread_mutex_unlock(&all->lock);
  free(s->stack);
  free(s);
}

static void *run_thread(void *given) {
  scheme *s = (scheme *)given;
  value thunk;
  if (barrow_attach(s->heap, &s->m) != BARROW_OK || !enter_stack(s)) {
    fprintf(stderr, "scheme: a system thread cannot begin: %s\n", barrow_last_error());
    exit(2);
  }
  thunk = s->r.accumulator;
  if (execute(s, thunk)) end_thread(s, DONE, s->r.accumulator);
  else if (s->exiting) exit(s->exit_code); /* ends the program from any thread */
  else if (s->r.condition == UNDEFINED) end_thread(s, STARVED, FALSE_VALUE);
  else end_thread(s, RAISED, s->r.condition);
  return NULL;
}

/* (%spawn thunk job): the new interpreter has this one's registers, and no thread that takes turns. */
static value p_spawn(scheme *s, value *a, size_t n) {
  common *all = s->shared;
  scheme *other = new_interpreter((size_t)(s->stack_end - s->stack));
  pthread_t thread;
  bool begun;
  (void)n;
  if (!other) fail(s, "system-thread: there is no memory for a stack");
  share_lock(s);
  begun = all->threads + 1 < all->most;
  if (begun) {
    other->heap = s->heap;
    other->shared = all;
    other->form_line = s->form_line;
    other->r = s->r;
    other->r.accumulator = a[0];
    other->r.job = a[1];
    other->r.ready = other->r.handlers = other->r.winders = other->r.code = other->r.environment = other->r.reserve = NIL;
    other->next = all->all;
    all->all = other;
    begun = pthread_create(&thread, NULL, run_thread, other) == 0;
    if (begun) all->threads++, pthread_detach(thread);
    else all->all = other->next;
  }
  share_unlock(s);
  if (begun) return UNSPECIFIED;
  free(other->stack);
  free(other);
  fail(s, "system-thread: no more threads can be had: scheme --threads=8 lets eight run");
}

/* (%await job) */
static value p_await(scheme *s, value *a, size_t n) {
  (void)n;
  share_lock(s);
  while (elements(a[0])[JOB_STATE] == FIX(RUNS))
    if (!await_change(s)) fail_waiting(s);
  share_unlock(s);
  return UNSPECIFIED;
}

bool has_threads(scheme *s) {
  bool has;
  share_lock(s);
  has = s->shared->threads > 0;
  share_unlock(s);
  return has;
}

/* The program ends when all of its threads have. False: those that are left wait for each other. */
bool await_threads(scheme *s) {
  bool go_on = true;
  share_lock(s);
  while (go_on && s->shared->threads > 0) go_on = await_change(s);
  share_unlock(s);
  return go_on;
}

/* ---- mailboxes ------------------------------------------------------------------------------------------------------------ */

/* (%mailbox-put! box x) */
static value p_put(scheme *s, value *a, size_t n) {
  (void)n;
  a[1] = cons(s, a[1], NIL);
  share_lock(s);
  if (elements(a[0])[BOX_FIRST] == NIL) set_field(s, a[0], &elements(a[0])[BOX_FIRST], a[1]);
  else set_field(s, elements(a[0])[BOX_LAST], &AS(pair, elements(a[0])[BOX_LAST])->cdr, a[1]);
  set_field(s, a[0], &elements(a[0])[BOX_LAST], a[1]);
  tell_change(s->shared);
  share_unlock(s);
  return UNSPECIFIED;
}

/* (%mailbox-take! box) */
static value p_take(scheme *s, value *a, size_t n) {
  value first;
  (void)n;
  share_lock(s);
  while (elements(a[0])[BOX_FIRST] == NIL)
    if (!await_change(s)) fail_waiting(s);
  first = elements(a[0])[BOX_FIRST];
  set_field(s, a[0], &elements(a[0])[BOX_FIRST], cdr(first));
  share_unlock(s);
  return car(first);
}

static value p_ready(scheme *s, value *a, size_t n) {
  if (n == 1) s->r.ready = a[0];
  return s->r.ready;
}

void define_parallel(scheme *s) {
  define_primitive(s, "%spawn", p_spawn, 2, 2, false);
  define_primitive(s, "%await", p_await, 1, 1, false);
  define_primitive(s, "%mailbox-put!", p_put, 2, 2, false);
  define_primitive(s, "%mailbox-take!", p_take, 1, 1, false);
  define_primitive(s, "%ready-queue", p_ready, 0, 1, false);
}
