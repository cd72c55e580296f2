/* Weak pointers and weak arrays that several threads use at the same time: who reads one that another thread ends by hand finds it dead,
 * or has what it holds; elements that another thread stores are filled, and stored once. */
#define _DEFAULT_SOURCE
#include "tasks.h"

#include <sched.h>
#include <semaphore.h>

INFO(weak_array_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(weak_words_info, BARROW_WEAK_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);
static barrow_info *weak_info = &weak_array_info;

static const char *const many_flags[] = {"-A128k", "-A64k --workers=2!", "-A64k --stress=50", "-A64k -G1 --source=chunks"};

static node *filled(task *w, barrow_mutator *m, barrow_word value) {
  node *n = tree(w, m, 1, value);
  n->left = n->right = n;
  return n;
}

static void *shared(const task *w) { return BARROW_LOAD_ACQUIRE(&barrow_array_elements(*w->table)[0]); }

static void look_at(task *w, const node *n) { MUST(w, n != NULL && n->value >= 1 && n->left == n && n->right == n); }

static void read_weak(task *w, const void *weak) {
  void *value;
  if (barrow_weak_deref(weak, &value)) look_at(w, (const node *)value);
  else MUST(w, value == NULL);
  value = barrow_weak_key(weak);
  if (value) look_at(w, (const node *)value);
}

/* The first thread makes weak pointers and ends them, the others read what is there now. */
static void end_and_read(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *key; void *weak; } r;
  size_t i, k;
  void *finalizer;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    if (w->number == 0) {
      r.key = filled(w, m, i + 1);
      r.weak = barrow_weak_new(m, r.key, r.key, NULL);
      MUST(w, r.weak != NULL);
      barrow_write(m, *w->table, &barrow_array_elements(*w->table)[0], r.weak);
      for (k = i % 64; k > 0; k--) look_at(w, r.key);
      MUST(w, barrow_weak_finalize(m, r.weak, &finalizer) == BARROW_OK && finalizer == NULL);
    } else {
      for (k = 0; k < 20; k++)
        if (shared(w)) read_weak(w, shared(w));
    }
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
  BARROW_LEAVE(m, r);
}

/* All threads store into one weak array, by call and in line, and read what others have stored. */
static void store_and_read(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept[4]; } r;
  size_t i, k;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    node *n = filled(w, m, i + 1);
    r.kept[i % 4] = n;
    if (i % 3 == 0) MUST(w, barrow_weak_array_set(m, shared(w), i % 8, n) == BARROW_OK);
    else barrow_weak_array_write(m, shared(w), i % 8, n);
    for (k = 0; k < 8; k++) {
      const node *element = (const node *)barrow_weak_array_get(shared(w), k);
      if (element) look_at(w, element);
    }
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
  BARROW_LEAVE(m, r);
}

/* The first thread stores, the second takes each element out again, and the third keeps both waiting where a store takes a call. */
static size_t taken_out;
static void store_and_take_out(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 1; i <= w->rounds; i++) {
    if (w->number == 0) {
      r.kept = filled(w, m, i);
      if (barrow_info_of(shared(w)) == &weak_array_info) barrow_weak_array_write(m, shared(w), 0, r.kept);
      else barrow_weak_array_write_word(m, shared(w), 0, (barrow_word)r.kept);
      await_all(w, m, &taken_out, i);
      MUST(w, barrow_weak_array_get(shared(w), 0) == NULL);
    } else if (w->number == 1) {
      node *n;
      while (!(n = (node *)barrow_weak_array_get(shared(w), 0)) || n->value != i) {
        MUST(w, barrow_safepoint(m) == BARROW_OK);
        sched_yield();
      }
      MUST(w, barrow_cas(m, shared(w), (barrow_word *)shared(w) + 3, n, NULL));
      __atomic_store_n(&taken_out, i, __ATOMIC_SEQ_CST);
    } else {
      barrow_stats_t stats;
      stats.size = (uint32_t)sizeof stats;
      while (__atomic_load_n(&taken_out, __ATOMIC_SEQ_CST) < i) {
        MUST(w, barrow_stats(w->heap, &stats) == BARROW_OK && barrow_safepoint(m) == BARROW_OK);
        sched_yield();
      }
    }
  }
  BARROW_LEAVE(m, r);
}

static void with_flags(const char *flags, void (*body)(task *, barrow_mutator *), size_t threads, size_t rounds) {
  static node *table;
  toy t = shared_heap(flags);
  task like = task_of(slow_share(rounds));
  void *array;
  table = NULL;
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  table = (node *)toy_array(t.m, 1);
  array = barrow_weak_array_init(barrow_alloc(t.m, barrow_weak_array_words(8)), weak_info, 8);
  if (body != end_and_read) barrow_write(t.m, table, &barrow_array_elements(table)[0], array);
  like.table = &table;
  taken_out = 0;
  in_threads(t, threads, like, body);
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

static void one_ends_and_others_read(void) {
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++) with_flags(many_flags[i], end_and_read, 8, 5000);
}

static void all_store_and_read(void) {
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++) with_flags(many_flags[i], store_and_read, 8, 5000);
}

static void a_store_is_made_once(void) {
  with_flags("-A128k --source=chunks", store_and_take_out, 3, 4000);
  with_flags("-A128k", store_and_take_out, 3, 1000);
  weak_info = &weak_words_info;
  with_flags("-A128k --source=chunks", store_and_take_out, 3, 4000);
  weak_info = &weak_array_info;
}

/* A finalizer detaches its mutator, and another thread gets the place: its frames stay. */
static barrow_heap *heap_of_both;
static sem_t gone, back;
static barrow_mutator *second;
static int is_left_alone;

static void *comes_after(void *place) {
  struct { barrow_frame frame; node *kept; } r;
  barrow_mutator *m = NULL;
  int i;
  r.kept = NULL;
  /* Places rest before they are used again. */
  for (i = 0; i < 100000 && m != place; i++) {
    if (m) barrow_detach(m);
    if (barrow_attach(heap_of_both, &m) != BARROW_OK) return NULL;
  }
  second = m;
  BARROW_PUSH(m, r);
  sem_post(&gone);
  barrow_enter_foreign(m);
  sem_wait(&back);
  barrow_leave_foreign(m);
  is_left_alone = ((barrow_window *)m)->frames == &r.frame;
  BARROW_LEAVE(m, r);
  barrow_detach(m);
  return NULL;
}

static pthread_t later;

static void detaches(barrow_mutator *m, void *data, void *key, void *value) {
  (void)data, (void)key, (void)value;
  CHECK_OK(barrow_detach(m));
  CHECK_EQ(pthread_create(&later, NULL, comes_after, m), 0);
  sem_wait(&gone);
}

static void a_finalizer_detaches(void) {
  barrow_mutator *m = NULL;
  barrow_config config;
  struct { barrow_frame frame; void *weak; } r;
  barrow_config_init(&config);
  config.flags = "--mutators=2";
  CHECK_OK(barrow_heap_new(&config, &heap_of_both, &m));
  sem_init(&gone, 0, 0);
  sem_init(&back, 0, 0);
  BARROW_ENTER(m, r);
  r.weak = barrow_weak_new(m, toy_node(m, NULL, NULL, 1), NULL, NULL);
  CHECK_OK(barrow_weak_set_function(m, r.weak, detaches, NULL, NULL));
  CHECK_OK(barrow_collect(m, true));
  CHECK_EQ(barrow_run_finalizers(m, NULL, NULL, 0), 1);
  CHECK(second == m);
  sem_post(&back);
  pthread_join(later, NULL);
  CHECK(is_left_alone);
  CHECK_OK(barrow_heap_free(heap_of_both));
}

int main(void) {
  RUN(one_ends_and_others_read);
  RUN(all_store_and_read);
  RUN(a_finalizer_detaches);
  RUN(a_store_is_made_once);
  return DONE;
}
