/* threads.h: threads with a mutator each, and channels through which they hand each other references.
 *
 * A thread that may wait for another one leaves for foreign code first, so that collections do not wait for it; before, it
 * puts every reference that it needs afterwards into a root. */
#ifndef THREADS_H
#define THREADS_H

#include "../start.h"
#include <pthread.h>

#define MOST_THREADS 16

static inline barrow_word *make(barrow_mutator *m, barrow_info *info, size_t words) {
  barrow_word *at = barrow_alloc(m, words);
  if (!at) die(barrow_last_error());
  at[0] = (barrow_word)info;
  return at;
}

/* ---- threads -------------------------------------------------------------------------------------------------------- */

typedef struct thread {
  barrow_heap *heap;
  size_t number;
  void (*body)(barrow_mutator *m, size_t number);
  pthread_t thread;
} thread;

static void *run_thread(void *given) {
  thread *t = (thread *)given;
  barrow_mutator *m;
  must(barrow_attach(t->heap, &m));
  t->body(m, t->number);
  must(barrow_detach(m));
  return NULL;
}

static inline void start_thread(thread *t, barrow_heap *heap, size_t number, void (*body)(barrow_mutator *, size_t)) {
  t->heap = heap;
  t->number = number;
  t->body = body;
  if (pthread_create(&t->thread, NULL, run_thread, t) != 0) die("no thread could be started");
}

static inline void join_threads(barrow_mutator *m, thread *threads, size_t count) {
  must(barrow_enter_foreign(m));
  while (count > 0) pthread_join(threads[--count].thread, NULL);
  must(barrow_leave_foreign(m));
}

/* ---- channels ------------------------------------------------------------------------------------------------------- */

/* A queue of references with room for some. Its slots are roots. */
#define CHANNEL_ROOM 8
typedef struct channel {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t first, count;
  bool closed;
  void *slots[CHANNEL_ROOM];
} channel;

static inline void channel_open(channel *c, barrow_heap *heap, const char *name) {
  memset(c, 0, sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->changed, NULL);
  must(barrow_root_add(heap, name, c->slots, CHANNEL_ROOM, false));
}

/* Waits outside the heap as long as the channel has just so many references. */
static inline void channel_wait(barrow_mutator *m, channel *c, size_t while_it_has) {
  must(barrow_enter_foreign(m));
  pthread_mutex_lock(&c->lock);
  while (c->count == while_it_has && !c->closed) pthread_cond_wait(&c->changed, &c->lock);
  pthread_mutex_unlock(&c->lock);
  must(barrow_leave_foreign(m));
}

/* Sends the reference in a root: it is read there after each wait. False: the channel is closed. The lock is held for a moment
 * only, and never at a safepoint, so nobody has to leave before taking it. */
static inline bool channel_send(barrow_mutator *m, channel *c, void *const *root) {
  for (;;) {
    bool closed;
    pthread_mutex_lock(&c->lock);
    closed = c->closed;
    if (!closed && c->count < CHANNEL_ROOM) break;
    pthread_mutex_unlock(&c->lock);
    if (closed) return false;
    channel_wait(m, c, CHANNEL_ROOM);
  }
  c->slots[(c->first + c->count++) % CHANNEL_ROOM] = *root;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
  return true;
}

/* The next reference, or NULL when the channel is closed and empty. The caller puts it into a root. */
static inline void *channel_receive(barrow_mutator *m, channel *c) {
  void *value = NULL;
  for (;;) {
    bool closed;
    pthread_mutex_lock(&c->lock);
    if (c->count > 0) break;
    closed = c->closed;
    pthread_mutex_unlock(&c->lock);
    if (closed) return NULL;
    channel_wait(m, c, 0);
  }
  value = c->slots[c->first];
  c->slots[c->first] = NULL;
  c->first = (c->first + 1) % CHANNEL_ROOM;
  c->count--;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
  return value;
}

/* Nothing more will be sent. */
static inline void channel_close(channel *c) {
  pthread_mutex_lock(&c->lock);
  c->closed = true;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

#endif
