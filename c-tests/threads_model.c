/* Random programs of 1 to 8 mutators beside a model of their objects. The program and who runs when are drawn from a seed: one
 * thread at a time has the baton, and hands it on. So a run can be repeated, and two runs of a seed have the same heap. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "toy.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS = 8, ROOTS = 6, SHARED = 12, MOST_NODES = 40000 };

typedef struct roots {
  barrow_frame frame;
  node *at[ROOTS];
} roots;

/* The model: nodes are numbers from 1, and 0 is NULL. */
typedef struct model {
  unsigned left[MOST_NODES], right[MOST_NODES], seen[MOST_NODES];
  unsigned count, walk;
  unsigned roots[THREADS][ROOTS], shared[SHARED];
} model;

static model all;
static uint64_t state;
static barrow_heap *heap;
static node *table; /* a registered root: an array with SHARED elements */
static int threads, turn, all_wait_away, done[THREADS];
static size_t steps_left;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;

static unsigned draw(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------ */

static void match(const node *n, unsigned number) {
  for (;;) {
    if (!n || !number) {
      CHECK_EQ(n == NULL, number == 0);
      return;
    }
    CHECK(barrow_info_of(n) == &cell_info);
    CHECK_EQ(n->value, number);
    if (check_failures || all.seen[number] == all.walk) return;
    all.seen[number] = all.walk;
    match(n->left, all.left[number]);
    n = n->right;
    number = all.right[number];
  }
}

static void compare(const roots *r, int me) {
  int i;
  all.walk++;
  for (i = 0; i < ROOTS; i++) match(r->at[i], all.roots[me][i]);
  for (i = 0; i < SHARED; i++) match((node *)barrow_array_elements(table)[i], all.shared[i]);
}

/* ---- steps ---------------------------------------------------------------------------------------------------------- */

/* Any node that this thread sees: of its roots, or of the shared array. */
static node *some(const roots *r, int me, unsigned *number) {
  unsigned i = draw(ROOTS + SHARED);
  if (i < ROOTS) {
    *number = all.roots[me][i];
    return r->at[i];
  }
  *number = all.shared[i - ROOTS];
  return (node *)barrow_array_elements(table)[i - ROOTS];
}

static void make(barrow_mutator *m, roots *r, int me) {
  unsigned to = draw(ROOTS), left, right, number;
  node *n;
  if (all.count + 1 >= MOST_NODES) return;
  number = ++all.count;
  n = (node *)(draw(4) ? barrow_alloc(m, 4) : barrow_allocate(m, 4));
  CHECK(n != NULL);
  if (!n) return;
  barrow_set_header(n, &cell_info);
  n->left = some(r, me, &left);
  n->right = some(r, me, &right);
  n->value = number;
  all.left[number] = left;
  all.right[number] = right;
  r->at[to] = n;
  all.roots[me][to] = number;
}

static void link_one(barrow_mutator *m, roots *r, int me) {
  unsigned owner, value;
  node *o = some(r, me, &owner), *v = some(r, me, &value);
  if (!o) return;
  if (draw(2)) {
    barrow_write(m, o, &o->left, v);
    all.left[owner] = value;
  } else {
    CHECK(barrow_cas(m, o, &o->right, o->right, v));
    all.right[owner] = value;
  }
}

/* Comes, with nothing in its roots. */
static barrow_mutator *come(roots *r, int me) {
  barrow_mutator *m = NULL;
  int i;
  CHECK_OK(barrow_attach(heap, &m));
  memset(r, 0, sizeof *r);
  for (i = 0; i < ROOTS; i++) all.roots[me][i] = 0;
  r->frame.count = ROOTS;
  r->frame.up = barrow_frames_save(m);
  barrow_frames_restore(m, &r->frame);
  return m;
}

static barrow_mutator *step(barrow_mutator *m, roots *r, int me) {
  unsigned i, number;
  node *n;
  switch (draw(24)) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8:
      make(m, r, me);
      break;
    case 9: case 10: case 11: case 12:
      link_one(m, r, me);
      break;
    case 13: case 14:
      i = draw(SHARED);
      n = some(r, me, &number);
      barrow_write(m, table, &barrow_array_elements(table)[i], n);
      all.shared[i] = number;
      break;
    case 15: case 16:
      i = draw(ROOTS);
      r->at[i] = some(r, me, &number);
      all.roots[me][i] = number;
      break;
    case 17:
      i = draw(ROOTS);
      if (r->at[i]) {
        all.roots[me][i] = all.left[all.roots[me][i]];
        r->at[i] = r->at[i]->left;
      }
      break;
    case 18:
      i = draw(SHARED);
      barrow_write(m, table, &barrow_array_elements(table)[i], NULL);
      all.shared[i] = 0;
      break;
    case 19:
      i = draw(ROOTS);
      r->at[i] = NULL;
      all.roots[me][i] = 0;
      break;
    case 20:
      if (draw(4) == 0) CHECK_OK(barrow_collect(m, draw(3) == 0));
      break;
    case 21: /* garbage, so that the nursery fills */
      for (i = draw(200); i > 0; i--) barrow_set_header(barrow_alloc(m, 4), &cell_info), barrow_window_of(m)->hp[-1] = 0,
          barrow_window_of(m)->hp[-2] = 0, barrow_window_of(m)->hp[-3] = 0;
      break;
    case 22:
      compare(r, me);
      break;
    default:
      if (draw(8) == 0) {
        CHECK_OK(barrow_detach(m));
        m = come(r, me);
      }
  }
  return m;
}

/* ---- the baton ------------------------------------------------------------------------------------------------------ */

/* Waits for the baton at a safepoint, or in foreign code. */
static void await_turn(barrow_mutator *m, int me, int away) {
  if (!away) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {
      CHECK_OK(barrow_safepoint(m));
      sched_yield();
    }
    return;
  }
  CHECK_OK(barrow_enter_foreign(m));
  pthread_mutex_lock(&lock);
  while (turn != me) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
  CHECK_OK(barrow_leave_foreign(m));
}

static void hand_on(int to) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&turn, to, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
}

static void *play(void *given) {
  int me = (int)(size_t)given;
  roots r;
  barrow_mutator *m;
  int i;
  /* The first turn goes round, so that all attach in one order. */
  pthread_mutex_lock(&lock);
  while (turn != me) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
  m = come(&r, me);
  hand_on(me + 1 == threads ? 0 : me + 1);
  await_turn(m, me, 1);
  while (steps_left > 0 && check_failures == 0) {
    unsigned count = 1 + draw(12);
    int away;
    for (; count > 0 && steps_left > 0; count--, steps_left--) m = step(m, &r, me);
    compare(&r, me);
    away = all_wait_away || draw(3) != 0;
    i = (int)draw((unsigned)threads);
    if (i == me) continue;
    hand_on(i);
    await_turn(m, me, away);
  }
  /* Everybody comes to the end in turn. */
  compare(&r, me);
  CHECK_OK(barrow_check(m));
  barrow_frames_restore(m, r.frame.up);
  if (me % 2 == 0) CHECK_OK(barrow_detach(m)); /* the others are detached by their end */
  done[me] = 1;
  for (i = 0; i < threads && done[i]; i++) continue;
  hand_on(i);
  return NULL;
}

/* A number that tells the run: what was made, how often was collected, what was copied then, and what the shared array has. */
static uint64_t digest(toy t) {
  barrow_stats_t stats = toy_stats(t);
  uint64_t sum = stats.allocated_bytes;
  int i;
  sum = sum * 1000003 + stats.collections;
  sum = sum * 1000003 + stats.copied_bytes;
  for (i = 0; i < SHARED; i++) {
    const node *n = (node *)barrow_array_elements(table)[i];
    sum = sum * 31 + (n ? n->value * 7 + (n->left ? n->left->value : 0) : 1);
  }
  return sum;
}

/* Gives the digest of the run. */
static uint64_t run(const char *flags, int n, uint64_t seed, size_t steps, int away) {
  char line[200];
  pthread_t thread[THREADS];
  toy t;
  uint64_t told;
  int i;
  sprintf(line, "--mutators=%d %.150s", n + 1, flags);
  t = toy_new(line);
  heap = t.heap;
  memset(&all, 0, sizeof all);
  table = (node *)barrow_array_init(barrow_alloc(t.m, barrow_array_words(SHARED)), &array_info, SHARED);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  state = seed * 2654435761u + (uint64_t)n;
  threads = n;
  memset(done, 0, sizeof done);
  turn = 0;
  steps_left = steps;
  all_wait_away = away;
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < n; i++) CHECK_EQ(pthread_create(&thread[i], NULL, play, (void *)(size_t)i), 0);
  for (i = 0; i < n; i++) CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  told = digest(t);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
  if (check_failures) fprintf(stderr, "threads_model.c: %d mutators, seed %lu, %s\n", n, (unsigned long)seed, flags);
  return told;
}

static size_t much(size_t n) { return getenv("BARROW_TEST_SLOW") ? n / 10 + 1 : n; }

static const char *const many_flags[] = {"-A128k", "-A64k -DS --stress=20", "-A64k -c", "-A128k --source=chunks",
                                         "-A64k -G3 -T3 --old=copy", "-A128k -G1", "-A64k -DS -c --stress=9"};

static void random_programs_are_like_their_model(void) {
  uint64_t seed;
  size_t i;
  for (i = 0; i < sizeof many_flags / sizeof *many_flags; i++)
    for (seed = 1; seed <= 8 && check_failures == 0; seed++)
      run(many_flags[i], 1 + (int)((seed + i) % THREADS), 100 * i + seed,
          strstr(many_flags[i], "-DS") ? much(400) : much(6000), 0);
}

static void a_seed_gives_the_same_heap_again(void) {
  uint64_t seed;
  int n, away;
  for (seed = 1; seed <= 6 && check_failures == 0; seed++)
    for (away = 0; away < 2; away++) {
      n = 3 + (int)seed % 6;
      CHECK_EQ(run("-A128k", n, seed, much(4000), away), run("-A128k", n, seed, much(4000), away));
    }
}

int main(void) {
  RUN(random_programs_are_like_their_model);
  RUN(a_seed_gives_the_same_heap_again);
  return DONE;
}
