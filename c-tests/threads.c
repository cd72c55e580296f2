/* Several mutators in one heap, each in a thread of its own: they come and go, allocate and collect at the same time, and share
 * objects. threads_still.c has how they stand still for each other. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <sys/wait.h>
#include <unistd.h>

/* ---- each for itself ------------------------------------------------------------------------------------------------ */

static const char *const many_flags[] = {"", "-A256k", "-DS -A256k --stress=40", "-c -A256k", "--source=chunks -A256k",
                                         "--old=copy -A256k -G3", "-G1 -A256k", "-DS -c -A128k",
                                         "--source=chunks --workers=3! -A128k",
                                         /* Where there are two processors, each of the two takes part in the other's collections. */
                                         "--workers=2! -A256k"};

static void each_builds_trees(void) {
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++) {
    toy t = shared_heap(many_flags[i]);
    size_t rounds = strstr(many_flags[i], "-DS") ? 6 : slow_share(200);
    barrow_word before = toy_stats(t).allocated_bytes;
    barrow_word made = in_threads(t, i % 2 ? 2 : 5, task_of(rounds), trees);
    barrow_stats_t after = toy_stats(t);
    /* What threads have made adds up to the byte when they are gone. */
    CHECK_EQ(after.allocated_bytes - before, made);
    CHECK(after.collections > 0 || !*many_flags[i]); /* the default nursery may hold everything */
    toy_free(t);
  }
}

static void sixty_threads_build_trees(void) {
  toy t = shared_heap("-A4m");
  barrow_word made = in_threads(t, 60, task_of(slow_share(20)), trees);
  CHECK_EQ(toy_stats(t).allocated_bytes, made);
  toy_free(t);
}

/* ---- what threads share --------------------------------------------------------------------------------------------- */

/* Each thread stores lists of its own into its slot of an old array, and walks those of the others. */
static void publish(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *list; } r;
  size_t i, j;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    r.list = NULL;
    for (j = 0; j < 50; j++) {
      node *n = (node *)barrow_alloc(m, 4);
      barrow_set_header(n, &node_info);
      n->left = r.list;
      n->right = NULL;
      n->value = w->number * 1000 + j;
      r.list = n;
    }
    barrow_write(m, *w->table, &barrow_array_elements(*w->table)[w->number], r.list);
    for (j = 0; j < w->count; j++) {
      const node *n = (const node *)__atomic_load_n(&barrow_array_elements(*w->table)[j], __ATOMIC_ACQUIRE);
      size_t length = 0;
      for (; n; n = n->left) {
        MUST(w, barrow_info_of(n) == &node_info && n->value == j * 1000 + 49 - length);
        length++;
      }
      MUST(w, length == 0 || length == 50);
    }
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
  BARROW_LEAVE(m, r);
}

static node *table_of(toy t, size_t n) {
  barrow_word *at = barrow_alloc(t.m, barrow_array_words(n));
  return (node *)barrow_array_init(at, &array_info, n);
}

static void threads_share_an_old_array(void) {
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++) {
    toy t = shared_heap(many_flags[i]);
    static node *table;
    task like = task_of(strstr(many_flags[i], "-DS") ? 10 : slow_share(300));
    size_t j, n = 4;
    table = table_of(t, n);
    CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
    CHECK_OK(barrow_collect(t.m, true));
    like.table = &table;
    in_threads(t, n, like, publish);
    /* The threads are gone; what they stored is there, and lives on. */
    CHECK_OK(barrow_collect(t.m, true));
    for (j = 0; j < n; j++) {
      size_t length = 0;
      const node *x = (const node *)barrow_array_elements(table)[j];
      for (; x; x = x->left) length++;
      CHECK_EQ(length, 50);
    }
    CHECK_OK(barrow_root_remove(t.heap, &table));
    toy_free(t);
  }
}

/* Large and pinned objects, handles, weak pointers, external bytes: calls that take turns. */
static void many_calls(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; void *weak, *large; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 3, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_handle *handle = NULL;
    barrow_word *pinned, *pooled;
    barrow_word *at = barrow_alloc(m, barrow_array_words(2000));
    r.large = barrow_array_init(at, &array_info, 2000);
    barrow_write(m, r.large, &barrow_array_elements(r.large)[i % 2000], r.kept);
    r.weak = barrow_weak_new(m, r.kept, NULL, NULL);
    MUST(w, r.weak != NULL);
    MUST(w, barrow_handle_new(m, r.kept, &handle) == BARROW_OK);
    pinned = barrow_allocate_pinned(m, 4, 64, 0);
    barrow_set_header(pinned, &node_info);
    ((node *)pinned)->left = r.kept;
    ((node *)pinned)->right = NULL;
    ((node *)pinned)->value = i;
    pooled = barrow_allocate(m, 4);
    barrow_set_header(pooled, &node_info);
    ((node *)pooled)->left = (node *)pinned;
    ((node *)pooled)->right = r.kept;
    ((node *)pooled)->value = i;
    r.kept = ((node *)pooled)->right;
    MUST(w, barrow_external_bytes(m, 4096) == BARROW_OK);
    if (i % 8 == 0) MUST(w, barrow_collect(m, i % 32 == 0) == BARROW_OK);
    MUST(w, barrow_external_bytes(m, -4096) == BARROW_OK);
    MUST(w, (node *)barrow_handle_get(handle) == r.kept);
    MUST(w, barrow_array_elements(r.large)[i % 2000] == (void *)r.kept);
    MUST(w, barrow_weak_alive(r.weak));
    MUST(w, barrow_handle_free(m, handle) == BARROW_OK);
    MUST(w, nodes_of(w, r.kept, 1) == 7);
  }
  BARROW_LEAVE(m, r);
}

static void calls_take_turns(void) {
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++) {
    toy t = shared_heap(many_flags[i]);
    in_threads(t, 8, task_of(strstr(many_flags[i], "-DS") ? 4 : slow_share(60)), many_calls);
    toy_free(t);
  }
}

/* ---- coming and going ----------------------------------------------------------------------------------------------- */

static void short_stay(task *w, barrow_mutator *m) {
  size_t i;
  MUST(w, nodes_of(w, tree(w, m, 3, 1), 1) == 7);
  for (i = 0; i < w->rounds; i++) {
    MUST(w, barrow_detach(m) == BARROW_OK);
    MUST(w, barrow_attach(w->heap, &m) == BARROW_OK);
    MUST(w, nodes_of(w, tree(w, m, 1 + i % 5, 1), 1) == ((size_t)2 << i % 5) - 1);
  }
  MUST(w, barrow_detach(m) == BARROW_OK);
}

static void mutators_come_and_go(void) {
  toy t = shared_heap("-A1m");
  task like = task_of(slow_share(300));
  barrow_word made;
  like.stays = 1; /* has detached by itself */
  made = in_threads(t, 6, like, short_stay);
  CHECK_EQ(toy_stats(t).allocated_bytes, made);
  toy_free(t);
}

/* Threads that end with a mutator: it is detached, and its objects stay where others refer to them. */
static void a_thread_ends_without_detaching(void) {
  toy t = shared_heap("-A1m");
  static node *table;
  task like = task_of(20);
  size_t round;
  table = table_of(t, 4);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  like.table = &table;
  like.stays = 1;
  for (round = 0; round < 40; round++) in_threads(t, 4, like, publish); /* more than may be attached at a time */
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(((node *)barrow_array_elements(table)[3])->value, 3049);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

/* Threads that end in foreign code: no collection waits for them, and what they alone held goes. */
static void leave_for_good(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 6, 1);
  BARROW_LEAVE(m, r);
  MUST(w, barrow_enter_foreign(m) == BARROW_OK);
}

static void a_thread_ends_in_foreign_code(void) {
  static const char *const flags[] = {"-A256k", "-DS -A256k"};
  size_t i, round;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    task like = task_of(0);
    barrow_word made = 0;
    like.stays = 1;
    for (round = 0; round < 20; round++) { /* more than may be attached at a time */
      made += in_threads(t, 4, like, leave_for_good);
      CHECK_OK(barrow_collect(t.m, round % 2));
    }
    CHECK_EQ(toy_stats(t).allocated_bytes, made);
    toy_free(t);
  }
}

static void *attach_in_vain(void *given) {
  barrow_mutator *m = NULL;
  REFUSED(BARROW_E_STATE, barrow_attach((barrow_heap *)given, &m));
  return NULL;
}

static void *attach_once(void *given) {
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach((barrow_heap *)given, &m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static void too_many_are_refused(void) {
  toy t = toy_new("-A1m");
  toy two = toy_new("--mutators=2 -A1m");
  barrow_mutator *m = NULL;
  in_another_thread(attach_in_vain, t.heap);
  toy_free(t);
  REFUSED(BARROW_E_STATE, barrow_attach(two.heap, &m)); /* this thread has one */
  in_another_thread(attach_once, two.heap);
  in_another_thread(attach_once, two.heap);
  toy_free(two);
  t = toy_new("--mutators=2 -A1m");
  CHECK_OK(barrow_detach(t.m));
  CHECK_OK(barrow_attach(t.heap, &t.m));
  toy_free(t);
}

enum { CROWDED = 32 };
static size_t tried, attached;

/* Attaches when all do, collects, so that others wait for that before they attach, and stays until all have tried. */
static void *comes_with_others(void *given) {
  barrow_mutator *m = NULL;
  struct timespec a_moment = {0, 1000000};
  bool is_in;
  __atomic_add_fetch(&tried, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&tried, __ATOMIC_SEQ_CST) < 3 * CROWDED) sched_yield();
  is_in = barrow_attach((barrow_heap *)given, &m) == BARROW_OK;
  if (is_in) {
    __atomic_add_fetch(&attached, 1, __ATOMIC_SEQ_CST);
    CHECK_OK(barrow_collect(m, false));
    CHECK_OK(barrow_enter_foreign(m));
  }
  __atomic_add_fetch(&tried, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&tried, __ATOMIC_SEQ_CST) < 6 * CROWDED) nanosleep(&a_moment, NULL);
  if (!is_in) return NULL;
  CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* The limit holds for threads that come at the same moment, while others collect. */
static void the_limit_holds_in_a_crowd(void) {
  size_t rounds = slow_share(20), i;
  toy t = toy_new("--mutators=32 -A256k");
  pthread_t thread[3 * CROWDED];
  CHECK_OK(barrow_enter_foreign(t.m));
  while (rounds-- > 0) {
    tried = attached = 0;
    for (i = 0; i < 3 * CROWDED; i++) CHECK_EQ(pthread_create(&thread[i], NULL, comes_with_others, t.heap), 0);
    for (i = 0; i < 3 * CROWDED; i++) CHECK_EQ(pthread_join(thread[i], NULL), 0);
    CHECK_EQ(attached, CROWDED - 1);
  }
  CHECK_OK(barrow_leave_foreign(t.m));
  toy_free(t);
}

static void *build_and_detach(void *given) {
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach((barrow_heap *)given, &m));
  CHECK(toy_list(m, 100) != NULL);
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* How many collections it takes that this thread's mutator goes and comes again, with new objects. */
static barrow_word collections_of_a_detach(toy *t) {
  barrow_word before = toy_stats(*t).collections;
  CHECK(toy_list(t->m, 100) != NULL);
  CHECK_OK(barrow_detach(t->m));
  CHECK_OK(barrow_attach(t->heap, &t->m));
  return toy_stats(*t).collections - before;
}

/* The last mutator that goes collects nothing either; that of a heap with one does. */
static void detaching_collects_nothing(void) {
  toy several = shared_heap("-A1m"), one = toy_new("-A1m");
  in_another_thread(build_and_detach, several.heap);
  CHECK_EQ(toy_stats(several).collections, 0);
  CHECK_EQ(collections_of_a_detach(&several), 0);
  CHECK_EQ(collections_of_a_detach(&one), 1);
  toy_free(one);
  toy_free(several);
}

/* A heap is not freed, and tables do not change, while another thread has a mutator. */
static void others_keep_a_heap(void) {
  toy t = shared_heap("-A1m");
  stayer other;
  barrow_mutator *m = t.m;
  stay_begins(&other, t);
  REFUSED(BARROW_E_STATE, barrow_heap_free(t.heap));
  /* It is in foreign code, so collections do not wait for it. */
  CHECK_OK(barrow_collect(m, true));
  CHECK_OK(barrow_check(m));
  stay_ends(&other, t);
  CHECK_OK(barrow_enter_foreign(m));
  REFUSED(BARROW_E_STATE, barrow_collect(m, true)); /* in foreign code */
  CHECK(barrow_allocate(m, 4) == NULL);
  CHECK_OK(barrow_leave_foreign(m));
  REFUSED(BARROW_E_STATE, barrow_leave_foreign(m));
  toy_free(t);
}

/* ---- as many as there may be ---------------------------------------------------------------------------------------- */

enum { MANY = 1024 };

/* Valgrind takes 500 threads, and an emulator starts each for a long while. */
static size_t many_mutators(void) { return toy_under_valgrind() || toy_is_emulated() ? 100 : MANY; }

typedef struct hall {
  pthread_mutex_t door; /* locked while all are to stay */
  size_t come;
} hall;

/* Holds a tree, and waits at the door in foreign code. */
static void stay_in_the_hall(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  hall *h = (hall *)w->shared;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 2, 1);
  MUST(w, barrow_enter_foreign(m) == BARROW_OK);
  __atomic_add_fetch(&h->come, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&h->door);
  pthread_mutex_unlock(&h->door);
  MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  MUST(w, nodes_of(w, r.kept, 1) == 3);
  BARROW_LEAVE(m, r);
}

/* Threads with small stacks, each of which has come when the next one begins: a thousand that begin at once wait for each other
 * for seconds. */
static void fill_the_hall(hall *h, task *tasks, pthread_t *threads, size_t n) {
  const struct timespec pause = {0, 20000};
  pthread_attr_t small;
  size_t i;
  CHECK_EQ(pthread_attr_init(&small), 0);
  CHECK_EQ(pthread_attr_setstacksize(&small, 256 << 10), 0);
  for (i = 0; i < n; i++) {
    size_t looks = 0;
    CHECK_EQ(pthread_create(&threads[i], &small, run_task, &tasks[i]), 0);
    while (__atomic_load_n(&h->come, __ATOMIC_SEQ_CST) <= i && looks++ < 100000) nanosleep(&pause, NULL);
    CHECK_EQ(h->come, i + 1);
  }
  CHECK_EQ(pthread_attr_destroy(&small), 0);
}

static void *attach_one_too_many(void *given) {
  barrow_mutator *m = NULL;
  char words[60];
  sprintf(words, "this heap has %lu mutators already", (unsigned long)many_mutators());
  REFUSED(BARROW_E_STATE, barrow_attach((barrow_heap *)given, &m));
  CHECK(strstr(barrow_last_error(), words) != NULL);
  CHECK(m == NULL);
  return NULL;
}

static void as_many_as_there_may_be(void) {
  static task tasks[MANY];
  static pthread_t threads[MANY];
  hall h = {PTHREAD_MUTEX_INITIALIZER, 0};
  size_t n = many_mutators() - 1, i; /* this thread has one too */
  char line[60];
  toy t;
  sprintf(line, "--mutators=%lu -A1m", (unsigned long)many_mutators());
  t = toy_new(line);
  for (i = 0; i < n; i++) {
    tasks[i] = task_of(0);
    tasks[i].heap = t.heap, tasks[i].number = i;
    tasks[i].body = stay_in_the_hall, tasks[i].shared = &h;
  }
  pthread_mutex_lock(&h.door);
  CHECK_OK(barrow_enter_foreign(t.m));
  fill_the_hall(&h, tasks, threads, n);
  CHECK_OK(barrow_leave_foreign(t.m));
  in_another_thread(attach_one_too_many, t.heap);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_enter_foreign(t.m));
  pthread_mutex_unlock(&h.door);
  for (i = 0; i < n; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  for (i = 0; i < n; i++) check_failures += tasks[i].failures;
  in_another_thread(attach_once, t.heap); /* there is room again */
  toy_free(t);
}

/* ---- processes ------------------------------------------------------------------------------------------------------ */

static pid_t copy_process(void) {
  pid_t child;
  fflush(NULL);
  barrow_fork_prepare();
  child = fork();
  if (child == 0) check_failures = 0;
  if (child == 0) barrow_fork_child(); else barrow_fork_parent();
  return child;
}

static void the_child_did_well(pid_t child) {
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

/* A heap whose other threads are gone goes on in a child, and takes mutators there. */
static void a_child_goes_on_alone(void) {
  toy t = shared_heap("-A1m");
  pid_t child;
  in_threads(t, 3, task_of(5), trees);
  child = copy_process();
  if (child == 0) {
    in_threads(t, 2, task_of(5), trees);
    CHECK_OK(barrow_check(t.m));
    _exit(check_failures != 0);
  }
  the_child_did_well(child);
  in_threads(t, 2, task_of(5), trees);
  toy_free(t);
}

/* A heap in which another thread has a mutator is refused in a child, and goes on in the parent. */
static void a_child_has_no_threads(void) {
  toy t = shared_heap("-A1m");
  stayer other;
  pid_t child;
  stay_begins(&other, t);
  child = copy_process();
  if (child == 0) {
    REFUSED(BARROW_E_STATE, barrow_collect(t.m, true));
    _exit(check_failures != 0);
  }
  the_child_did_well(child);
  CHECK_OK(barrow_collect(t.m, true));
  stay_ends(&other, t);
  toy_free(t);
}

int main(void) {
  RUN(too_many_are_refused);
  RUN(the_limit_holds_in_a_crowd);
  RUN(each_builds_trees);
  RUN(sixty_threads_build_trees);
  RUN(threads_share_an_old_array);
  RUN(calls_take_turns);
  RUN(mutators_come_and_go);
  RUN(a_thread_ends_without_detaching);
  RUN(a_thread_ends_in_foreign_code);
  RUN(detaching_collects_nothing);
  RUN(others_keep_a_heap);
  RUN(as_many_as_there_may_be);
  RUN(a_child_goes_on_alone);
  /* Memory of threads that a child does not have counts as lost there. */
  if (!getenv("BARROW_TEST_VALGRIND")) RUN(a_child_has_no_threads);
  return DONE;
}
