/* Why something lives, asked while other threads have mutators of the heap: their roots count, each mutator has an answer of its own, and
 * an address from before another one's collection is not looked for. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "from_eight.h"

/* ---- the roots of others --------------------------------------------------------------------------------------------- */

typedef struct holder {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  node *kept;   /* for who asks: no root */
  node **slot;  /* the root that holds it */
  bool is_over;
  bool is_away; /* waits in foreign code, or at safepoints */
} holder;

static void hold_until_over(task *w, barrow_mutator *m) {
  holder *h = (holder *)w->shared;
  struct { barrow_frame frame; node *kept; } r;
  BARROW_ENTER(m, r);
  r.kept = toy_node(m, toy_node(m, NULL, NULL, 7), NULL, 8);
  DID(barrow_enter_foreign(m));
  pthread_mutex_lock(&h->lock);
  h->slot = &r.kept;
  pthread_cond_signal(&h->changed);
  if (h->is_away)
    while (!h->is_over) pthread_cond_wait(&h->changed, &h->lock);
  pthread_mutex_unlock(&h->lock);
  DID(barrow_leave_foreign(m));
  while (!__atomic_load_n(&h->is_over, __ATOMIC_ACQUIRE)) {
    DID(barrow_safepoint(m));
    sched_yield();
  }
  BARROW_LEAVE(m, r);
}

static void ask_of_another(task *w, barrow_mutator *m) {
  holder *h = (holder *)w->shared;
  const barrow_held *steps = NULL;
  size_t count = 0;
  node *kept;
  DID(barrow_enter_foreign(m));
  pthread_mutex_lock(&h->lock);
  while (!h->slot) pthread_cond_wait(&h->changed, &h->lock);
  pthread_mutex_unlock(&h->lock);
  DID(barrow_leave_foreign(m));
  kept = *h->slot; /* nobody collects here */
  DID(barrow_why(m, kept->left, &steps, &count));
  MUST(w, count == 3 && steps[0].object == NULL && steps[0].slot == h->slot && steps[1].object == kept);
  MUST(w, count == 3 && steps[1].slot == &kept->left && steps[2].object == kept->left);
  MUST(w, count == 3 && strcmp(steps[0].name, "shadow stack") == 0);
  pthread_mutex_lock(&h->lock);
  __atomic_store_n(&h->is_over, true, __ATOMIC_RELEASE);
  pthread_cond_signal(&h->changed);
  pthread_mutex_unlock(&h->lock);
}

static void hold_or_ask(task *w, barrow_mutator *m) {
  if (w->number == 0) hold_until_over(w, m);
  else ask_of_another(w, m);
}

static void a_root_of_another_thread_is_found(void) {
  int away;
  for (away = 0; away < 2; away++) {
    toy t = toy_new("-A1m --mutators=3");
    task like = task_of(1);
    holder h;
    memset(&h, 0, sizeof h);
    CHECK_EQ(pthread_mutex_init(&h.lock, NULL), 0);
    CHECK_EQ(pthread_cond_init(&h.changed, NULL), 0);
    h.is_away = away;
    like.shared = &h;
    in_threads(t, 2, like, hold_or_ask);
    toy_free(t);
  }
}

/* ---- who waits for a collection -------------------------------------------------------------------------------------- */

/* The first thread asks when the other one waits for it in order to collect: that one's collection comes first. */
static void ask_or_collect(task *w, barrow_mutator *m) {
  enum { BEFORE, READY, OVER };
  int *stage = (int *)w->shared;
  struct { barrow_frame frame; node *kept; } r;
  BARROW_ENTER(m, r);
  r.kept = toy_node(m, NULL, NULL, 5);
  if (w->number == 0) {
    const barrow_held *steps = NULL;
    size_t count = 0;
    const node *before = r.kept;
    __atomic_store_n(stage, READY, __ATOMIC_RELEASE); /* it makes no call until the other one waits */
    while (!__atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_RELAXED)) sched_yield();
    MUST(w, barrow_why(m, before, &steps, &count) == BARROW_E_STATE);
    MUST(w, r.kept != before && steps == NULL && count == 0);
    DID(barrow_why(m, r.kept, &steps, &count));
    MUST(w, count == 2 && steps[1].object == r.kept);
    __atomic_store_n(stage, OVER, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(stage, __ATOMIC_ACQUIRE) == BEFORE) {
      DID(barrow_safepoint(m));
      sched_yield();
    }
    DID(barrow_collect(m, false));
    while (__atomic_load_n(stage, __ATOMIC_ACQUIRE) != OVER) {
      DID(barrow_safepoint(m));
      sched_yield();
    }
  }
  BARROW_LEAVE(m, r);
}

static void an_address_from_before_a_collection(void) {
  toy t = toy_new("-A1m --mutators=3");
  task like = task_of(1);
  int stage = 0;
  like.shared = &stage;
  in_threads(t, 2, like, ask_or_collect);
  toy_free(t);
}

/* ---- many ask -------------------------------------------------------------------------------------------------------- */

/* Lists of another length in each thread: an answer that were another's would show. */
static void ask_and_read(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  size_t length = 3 + w->number, i, n;
  BARROW_ENTER(m, r);
  for (i = 0; i < length; i++) r.list = toy_node(m, r.list, NULL, w->number);
  for (n = 0; n < w->rounds; n++) {
    const barrow_held *steps = NULL;
    size_t count = 0;
    const node *last, *at;
    barrow_status status;
    do {
      for (last = r.list; last->left; last = last->left) continue;
      status = barrow_why(m, last, &steps, &count);
    } while (status == BARROW_E_STATE && strstr(barrow_last_error(), "has collected"));
    MUST(w, status == BARROW_OK && count == length + 1);
    for (i = 0; i < 3; i++) sched_yield(); /* others ask, and stand when they want to collect */
    for (at = r.list, i = 1; status == BARROW_OK && i < count; i++, at = at->left)
      MUST(w, steps[i].object == at && ((const node *)steps[i].object)->value == w->number);
    MUST(w, status != BARROW_OK || steps[0].slot == &r.list);
    for (i = 0; i < 100; i++) toy_node(m, NULL, NULL, 0);
    if (n % 16 == w->number) DID(barrow_collect(m, n % 64 == w->number));
    if (w->failures) break;
  }
  BARROW_LEAVE(m, r);
}

static void each_has_its_own_answer(void) { in_each_heap(slow_share(400), ask_and_read); }

int main(void) {
  RUN(a_root_of_another_thread_is_found);
  RUN(an_address_from_before_a_collection);
  RUN(each_has_its_own_answer);
  return DONE;
}
