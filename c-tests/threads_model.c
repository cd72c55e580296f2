/* Random programs of 1 to 8 mutators beside a model of their objects. The program and who runs when are drawn from a seed: one
 * thread at a time has the baton, and hands it on. So a run can be repeated, and two runs of a seed have the same heap. */
#include "programs.h"
#include "seeds.h"

static world all;
static int threads, turn, all_wait_away, done[THREADS];
static size_t steps_left;
static uint64_t copied_in_turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;

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

static void play_turns(player *p) {
  while (steps_left > 0 && check_failures == 0) {
    unsigned count = 1 + draw(&all, 12);
    int away, to;
    for (; count > 0 && steps_left > 0; count--, steps_left--) step(p);
    compare(p, false);
    away = all_wait_away || draw(&all, 3) != 0;
    to = (int)draw(&all, (unsigned)threads);
    if (to == p->me) continue;
    hand_on(to);
    await_turn(p->m, p->me, away);
  }
}

static uint64_t bytes_copied(void) {
  toy t = {heap, NULL};
  return toy_stats(t).copied_bytes;
}

static void *play(void *given) {
  player p;
  int i;
  memset(&p, 0, sizeof p);
  p.me = (int)(size_t)given;
  p.w = &all;
  /* The first turn goes round, so that all attach in one order. */
  pthread_mutex_lock(&lock);
  while (turn != p.me) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
  come(&p);
  hand_on(p.me + 1 == threads ? 0 : p.me + 1);
  await_turn(p.m, p.me, 1);
  play_turns(&p);
  /* Everybody comes to the end in turn. When a thread's end detaches it, and so in which order objects are met then, is the system's to
   * say. */
  if (copied_in_turns == 0) copied_in_turns = bytes_copied();
  take_census(&p);
  CHECK_OK(barrow_check(p.m));
  barrow_frames_restore(p.m, p.frame.up);
  for (i = 0; i < ROOTS; i++) all.roots[p.me][i] = 0;
  if (p.me % 2 == 0) CHECK_OK(barrow_detach(p.m)); /* the others are detached by their end */
  done[p.me] = 1;
  for (i = 0; i < threads && done[i]; i++) continue;
  hand_on(i);
  return NULL;
}

/* A number that tells the run: what was made, how often was collected, what turns had copied, and what the shared array has. */
static uint64_t digest(toy t) {
  barrow_stats_t stats = toy_stats(t);
  uint64_t sum = stats.allocated_bytes;
  int i;
  sum = sum * 1000003 + stats.collections;
  sum = sum * 1000003 + copied_in_turns;
  for (i = 0; i < SHARED; i++) {
    unsigned kind = all.kind[all.shared[i]];
    const node *n = value_of(part(&all)[i]);
    if (n && kind < THUNK && !is_selector(n)) sum = sum * 31 + n->value * 7 + (n->left != NULL);
    else sum = sum * 31 + kind + (n != NULL);
  }
  return sum;
}

/* Gives the digest of the run. */
static uint64_t run(const char *flags, int n, uint64_t seed, size_t steps, int away) {
  pthread_t thread[THREADS];
  toy t;
  uint64_t told;
  int i;
  seed_begins("threads_model", seed, n, flags);
  t = begin_heap(flags, n);
  begin_world(&all, 0, seed * 2654435761u + (uint64_t)n);
  threads = n;
  memset(done, 0, sizeof done);
  turn = 0;
  steps_left = steps;
  copied_in_turns = 0;
  all_wait_away = away;
  runs_alone = true;
  CHECK_OK(barrow_enter_foreign(t.m));
  for (i = 0; i < n; i++) CHECK_EQ(pthread_create(&thread[i], NULL, play, (void *)(size_t)i), 0);
  for (i = 0; i < n; i++) CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  told = digest(t);
  end_world(&all, t.m);
  end_heap(t);
  match_what_ran(&all);
  seed_ends();
  return told;
}

static const char *const many_flags[] = {"-A128k", "-A64k -DS --stress=20", "-A64k -c", "-A128k --source=chunks",
                                         "-A64k -G3 -T3 --old=copy", "-A128k -G1", "-A64k -DS -c --stress=9",
                                         "-A64k --workers=3!", "-A64k -DS --stress=20 --old=copy --workers=2!",
                                         "-A128k -hT -i0 --workers=3!", "-A64k -hb -hd -i0 -c --workers=2!", "-A64k -hr -hy -ib400k"};

enum { FLAGS = sizeof many_flags / sizeof *many_flags };

/* Every number of threads with all flags, one after the other. */
static void random_programs_are_like_their_model(void) {
  seeds s = seeds_to_run(THREADS * FLAGS, 1);
  for (; s.first < s.end && check_failures == 0; s.first++) {
    const char *flags = many_flags[s.first % FLAGS];
    run(flags, 1 + (int)(s.first / FLAGS % THREADS), s.first, strstr(flags, "-DS") ? much(400) : much(6000), 0);
  }
}

static void a_seed_gives_the_same_heap_again(void) {
  seeds s = seeds_to_run(6, 12);
  for (; s.first < s.end && check_failures == 0; s.first++) {
    int n = 3 + (int)(s.first % 6), away;
    for (away = 0; away < 2; away++)
      CHECK_EQ(run("-A128k", n, s.first, much(4000), away), run("-A128k", n, s.first, much(4000), away));
    seed_ends();
  }
}

int main(void) {
  RUN(random_programs_are_like_their_model);
  RUN(a_seed_gives_the_same_heap_again);
  return DONE;
}
