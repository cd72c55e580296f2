/* Random programs of 1 to 8 mutators beside a model of their objects. The program and who runs when are drawn from a seed: one
 * thread at a time has the baton, and hands it on. So what fails mostly fails again; and where all wait in foreign code and one thread
 * collects, two runs of a seed have the same heap. */
#include "baton.h"
#include "seeds.h"

static world all;
static size_t steps_left;
static barrow_stats_t in_turns; /* when the first player has come to its end */

static void play_turns(player *p) {
  while (steps_left > 0 && check_failures == 0) {
    unsigned count = 1 + draw(&all, 12);
    int away, to;
    for (; count > 0 && steps_left > 0; count--) {
      steps_left--; /* before others play in the middle of this one */
      step(p);
    }
    compare(p, false);
    away = draw_away(p);
    to = who_can_play((int)draw(&all, (unsigned)mutators));
    if (to == p->me) continue;
    saw(SAW_TURNS);
    hand_on(to);
    await_turn(p->m, p->me, away);
  }
}

static void *play(void *given) {
  toy t = {heap, NULL};
  player p;
  int i;
  memset(&p, 0, sizeof p);
  p.me = (int)(size_t)given;
  p.w = &all;
  players[p.me] = &p;
  /* The first turn goes round, so that all attach in one order. */
  pthread_mutex_lock(&lock);
  while (turn != p.me) pthread_cond_wait(&turned, &lock);
  pthread_mutex_unlock(&lock);
  come(&p);
  hand_on(p.me + 1 == mutators ? 0 : p.me + 1);
  await_turn(p.m, p.me, 1);
  play_turns(&p);
  /* Everybody comes to the end in turn. When a thread's end detaches it, and so in which order objects are met then, is the system's to
   * say. */
  if (in_turns.size == 0) in_turns = toy_stats(t);
  take_census(&p);
  WITHIN_LIMIT(heap, barrow_check(p.m));
  barrow_frames_restore(p.m, p.frame.up);
  for (i = 0; i < ROOTS; i++) all.roots[p.me][i] = 0;
  if (p.me % 2 == 0) CHECK_OK(barrow_detach(p.m)); /* the others are detached by their end */
  players[p.me] = NULL;
  hand_on(who_can_play(0));
  return NULL;
}

/* A number that tells the run: what was made, how often turns have collected and how much they have copied, and what the shared array has.
 * Of several workers, the first that finds an object chooses its generation, so where the whole run asks for them copies are not compared. */
static uint64_t digest(toy t) {
  uint64_t sum = toy_stats(t).allocated_bytes;
  const char *of_all = getenv("BARROW_TEST_FLAGS");
  int i;
  sum = sum * 1000003 + in_turns.collections;
  if (!of_all || !strstr(of_all, "--workers")) sum = sum * 1000003 + in_turns.copied_bytes;
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
  char line[200];
  toy t;
  uint64_t told;
  int i;
  sprintf(line, "%.80s %.80s", flags, is_repeated && strstr(more_flags_of(seed), "-iw") ? "" : more_flags_of(seed));
  seed_begins("threads_model", seed, n, line);
  t = begin_heap(line, n);
  begin_world(&all, 0, seed * 2654435761u + (uint64_t)n);
  mutators = n;
  memset(players, 0, sizeof players);
  turn = 0;
  steps_left = steps;
  memset(&in_turns, 0, sizeof in_turns);
  all_wait_away = away;
  runs_alone = true;
  hands_on = hand_on_in_the_middle;
  waits_in_turn = wait_in_turn;
  is_awaited = has_waiter;
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
                                         "-A128k -hT -i0 --workers=3!", "-A64k -hb -hd -i0 -c --workers=2!", "-A64k -hr -hy -ib400k",
                                         "--workers=2!", "-A1m", "-A4m -n64k --workers=3!",
                                         "-A64k -M64m --workers=2!", "-A64k -c -M48m", "-A64k -M64m --source=chunks"};

enum { FLAGS = sizeof many_flags / sizeof *many_flags };

/* Every number of threads with all flags, one after the other; under valgrind, where all of them take an hour, one in seven, which still has
 * all flags. */
static void random_programs_are_like_their_model(void) {
  seeds s = seeds_to_run(THREADS * FLAGS, 1);
  for (; s.first < s.end && check_failures == 0; s.first += toy_under_valgrind() ? 7 : 1) {
    const char *flags = many_flags[s.first % FLAGS];
    run(flags, 1 + (int)(s.first / FLAGS % THREADS), s.first, strstr(flags, "-DS") ? much(400) : much(6000), 0);
  }
}

/* All wait in foreign code. A player that waits at safepoints begins a collection which is due for the sake of another's large object before
 * that one comes to its own, or does not, as the system has them run; and who collects keeps the chunk that it fills. Nor do samples at
 * times of a clock (-iw) come at the same steps. */
static void a_seed_gives_the_same_heap_again(void) {
  seeds s = seeds_to_run(toy_under_valgrind() ? 2 : 12, 6);
  is_repeated = true;
  for (; s.first < s.end && check_failures == 0; s.first++) {
    int n = 3 + (int)(s.first % 6);
    CHECK_EQ(run("-A128k", n, s.first, much(4000), 1), run("-A128k", n, s.first, much(4000), 1));
    seed_ends();
  }
}

int main(void) {
  RUN(random_programs_are_like_their_model);
  RUN(a_seed_gives_the_same_heap_again);
  match_sights(toy_under_valgrind() ? ~0u : (unsigned)SAW_RARELY, 0);
  return DONE;
}
