/* How threads stand still for a collection: in foreign code, at safepoints, one that comes late, in callbacks, in a census. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* ---- stopping ------------------------------------------------------------------------------------------------------- */

/* In and out of foreign code, with a reference in a frame; others collect meanwhile. */
static void in_and_out(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 5, 1);
  for (i = 0; i < w->rounds; i++) {
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    if (i % 3 == 0) sched_yield();
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    MUST(w, nodes_of(w, r.kept, 1) == 31);
    if (w->number == 0 && i % 4 == 0) MUST(w, barrow_collect(m, i % 8 == 0) == BARROW_OK);
  }
  BARROW_LEAVE(m, r);
}

static void collections_pass_foreign_code(void) {
  toy t = shared_heap("-A1m");
  in_threads(t, 4, task_of(slow_share(3000)), in_and_out);
  toy_free(t);
}

/* The signals that this process handles, as /proc says it. */
static void handled(char *line, int room) {
  FILE *status = fopen("/proc/self/status", "r");
  CHECK(status != NULL);
  while (status && fgets(line, room, status) && strncmp(line, "SigCgt:", 7) != 0) {}
  if (status) fclose(status);
  CHECK(strncmp(line, "SigCgt:", 7) == 0);
}

/* A signal that was sent to a thread that blocks all would wait for it. */
static void trees_without_a_signal(task *w, barrow_mutator *m) {
  sigset_t waiting;
  int number;
  trees(w, m);
  MUST(w, sigpending(&waiting) == 0);
  for (number = 1; number <= SIGRTMAX; number++) MUST(w, sigismember(&waiting, number) != 1);
}

/* Threads are stopped, called and woken without signals: none is handled, and none is sent to threads that block them. */
static void no_signal_is_used(void) {
  char before[100], after[100];
  sigset_t all, ours;
  toy t;
  handled(before, sizeof before);
  sigfillset(&all);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &all, &ours), 0);
  t = shared_heap("-A128k --workers=3! --slow-stop=1");
  in_threads(t, 8, task_of(slow_share(300)), trees_without_a_signal);
  CHECK(toy_stats(t).collections > 0);
  handled(after, sizeof after);
  CHECK(strcmp(before, after) == 0);
  toy_free(t);
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, &ours, NULL), 0);
}

/* A loop that does not allocate comes by safepoints, at its poll or at each turn. */
static void spin(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  int *done = (int *)w->shared;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 6, 1);
  if (w->number == 0) {
    size_t i;
    for (i = 0; i < w->rounds; i++) MUST(w, barrow_collect(m, false) == BARROW_OK);
    __atomic_store_n(done, 1, __ATOMIC_RELEASE);
  }
  while (!__atomic_load_n(done, __ATOMIC_ACQUIRE)) {
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    MUST(w, r.kept->value == 1 && r.kept->left->value == 2);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 63);
  BARROW_LEAVE(m, r);
}

static void loops_without_allocation_stop(void) {
  toy t = shared_heap("-A1m");
  task like = task_of(slow_share(100));
  int done = 0;
  like.shared = &done;
  in_threads(t, 3, like, spin);
  toy_free(t);
}

/* A heap whose thread does nothing keeps no other heap waiting. */
static void heaps_do_not_wait_for_each_other(void) {
  toy busy = shared_heap("-A1m"), other = shared_heap("-A1m");
  /* The mutator of the first heap runs: it is neither at a safepoint nor in foreign code. */
  CHECK_OK(barrow_enter_foreign(other.m));
  CHECK_OK(barrow_leave_foreign(other.m));
  in_threads(other, 2, task_of(slow_share(50)), trees);
  CHECK_EQ(toy_stats(busy).collections, 0);
  toy_free(other);
  toy_free(busy);
}

static void *collected_by_another(void *given, bool major) {
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach((barrow_heap *)given, &m));
  CHECK_OK(barrow_collect(m, major));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static void *collect_young(void *given) { return collected_by_another(given, false); }

static void *collect_once(void *given) { return collected_by_another(given, true); }

/* A collection passes a thread that has been in foreign code since the last one. What it makes when it is back is looked at again. */
static void what_comes_back_is_looked_at(void) {
  toy t = shared_heap("-A1m");
  struct { barrow_frame frame; node *old, *young; } r;
  int turn;
  BARROW_ENTER(t.m, r);
  r.young = NULL;
  r.old = toy_list(t.m, 1);
  CHECK_OK(barrow_collect(t.m, true));
  for (turn = 0; turn < 6; turn++) {
    CHECK_OK(barrow_enter_foreign(t.m));
    in_another_thread(collect_young, t.heap);
    in_another_thread(collect_young, t.heap);
    CHECK_OK(barrow_leave_foreign(t.m));
    CHECK(r.old->left == r.young);
    r.young = toy_list(t.m, 1);
    barrow_write(t.m, r.old, (void **)&r.old->left, r.young);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static char read_back[4096];

static const char *text_of(const char *name) {
  FILE *file = fopen(name, "r");
  size_t length = file ? fread(read_back, 1, sizeof read_back - 1, file) : 0;
  if (file) fclose(file);
  read_back[length] = 0;
  return read_back;
}

/* The buckets count each stop once, the longest in the last. */
static void check_waits(barrow_stats_t stats) {
  uint64_t all = 0;
  size_t i, last = 0;
  for (i = 0; i < 32; i++) {
    all += stats.stop_waits[i];
    if (stats.stop_waits[i] > 0) last = i;
  }
  CHECK_EQ(all, stats.stops);
  CHECK(stats.max_stop_ns <= stats.stop_ns);
  CHECK(stats.max_stop_ns / 1000 < (uint64_t)1 << last || last == 31);
}

static int words_begin(void) {
  int before = dup(2);
  CHECK(freopen("slow_stop_words", "w", stderr) != NULL);
  return before;
}

static bool is_named(void) { return strstr(text_of("slow_stop_words"), "safepoint") != NULL; }

/* Another thread collects while this one is at no safepoint, but does this until it is named. */
static void be_late(toy t, void (*until_named)(toy)) {
  pthread_t thread;
  int before = words_begin();
  CHECK_EQ(pthread_create(&thread, NULL, collect_once, t.heap), 0);
  until_named(t);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  fflush(stderr);
  dup2(before, 2);
  close(before);
  CHECK(strstr(text_of("slow_stop_words"), "barrow: a collection has waited") == read_back);
}

/* It waits for the words, and not for the collection. */
static void sleep_on(toy t) {
  struct timespec a_moment = {0, 1000000};
  size_t turns = 0;
  (void)t;
  while (!is_named() && turns++ < 60000) nanosleep(&a_moment, NULL);
}

/* A thread that does not come is named, with its place, and the collection goes on when it does. The summary has the stop. */
static void a_slow_thread_is_named(void) {
  static barrow_cc parse = BARROW_CC("parse", "Main", "main.src:3:1-20");
  toy t = toy_new("--mutators=2 -A1m --slow-stop=5 -sslow_stop_figures");
  barrow_ccs *outer = barrow_ccs_enter(t.m, &parse);
  be_late(t, sleep_on);
  barrow_ccs_leave(t.m, outer);
  {
    const char *words = strstr(read_back, "of thread ");
    barrow_stats_t stats = toy_stats(t);
    CHECK(words != NULL);
    CHECK(strstr(read_back, " in parse at main.src:3:1-20, which comes to no safepoint") != NULL);
#ifdef __linux__
    CHECK(strstr(read_back, ", in system call ") != NULL || strstr(read_back, ", running)") != NULL);
    CHECK((strstr(read_back, ", in system call ") != NULL) ==
          (strstr(read_back, " safepoint: barrow_enter_foreign comes before what waits\n") != NULL));
#endif
    CHECK_EQ(stats.stops, 1);
    CHECK(stats.stop_ns >= 5000000 && stats.max_stop_ns == stats.stop_ns);
    if (words) CHECK_EQ(stats.max_stop_thread, strtoul(words + strlen("of thread "), NULL, 10));
    check_waits(stats);
  }
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK(strstr(text_of("slow_stop_figures"), "Stops         1, threads came in") != NULL);
  remove("slow_stop_words");
  remove("slow_stop_figures");
}

/* Calls that come by no safepoint. */
static void make_handles(toy t) {
  time_t end = time(NULL) + 6;
  size_t i;
  while (!is_named() && time(NULL) < end)
    for (i = 0; i < 1000; i++) {
      barrow_handle *handle = NULL;
      CHECK_OK(barrow_handle_new(t.m, NULL, &handle));
      CHECK_OK(barrow_handle_free(t.m, handle));
    }
}

static void *ask_for_figures(void *given) {
  struct timespec pause = {0, 20000000};
  size_t turns = 0;
  toy t = {NULL, NULL};
  t.heap = (barrow_heap *)given;
  while (!is_named() && turns++ < 300) {
    CHECK_EQ(toy_stats(t).stops, 0);
    nanosleep(&pause, NULL);
  }
  return NULL;
}

/* The figures are another thread's wish, which has no mutator. */
static void let_another_ask(toy t) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, ask_for_figures, t.heap), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* It is named, once and in time, when calls of its own and of others are served while the collection waits. */
static void a_slow_thread_with_calls_is_named(void) {
  void (*const manners[])(toy) = {make_handles, let_another_ask};
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = toy_new("--mutators=2 -A1m --slow-stop=100");
    const char *words;
    CHECK(toy_node(t.m, NULL, NULL, 1) != NULL);
    be_late(t, manners[i]);
    words = strstr(read_back, "waited ");
    CHECK(words != NULL && strtoul(words + strlen("waited "), NULL, 10) >= 100);
    CHECK(words != NULL && strstr(words + 1, "waited ") == NULL);
    CHECK(toy_stats(t).max_stop_ns >= 100000000);
    toy_free(t);
  }
  remove("slow_stop_words");
}

static void is_held_up(int number) { _exit(number ? 1 : 2); } /* nobody reads what it would say */

/* Who reads the standard error stream may be slow: that keeps nobody from calls, nor from foreign code. */
static void a_slow_reader_keeps_nobody(void) {
  static char words[4096];
  struct timespec a_while = {0, 100000000};
  toy t = toy_new("--mutators=2 --slow-stop=1");
  pthread_t thread;
  size_t blocks = 0;
  int ends[2], before = dup(2);
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  while (write(ends[1], words, sizeof words) == (ssize_t)sizeof words) blocks++;
  CHECK_EQ(fcntl(ends[1], F_SETFL, 0), 0);
  CHECK_EQ(dup2(ends[1], 2), 2);
  signal(SIGALRM, is_held_up);
  alarm(30);
  CHECK_EQ(pthread_create(&thread, NULL, collect_once, t.heap), 0);
  while (!__atomic_load_n(&barrow_window_of(t.m)->poll, __ATOMIC_RELAXED)) sched_yield();
  nanosleep(&a_while, NULL); /* it is named now */
  CHECK_EQ(toy_stats(t).collections, 0);
  CHECK_OK(barrow_enter_foreign(t.m));
  alarm(0);
  while (blocks-- > 0) CHECK_EQ(read(ends[0], words, sizeof words), sizeof words);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  /* Nothing came where the other thread had no processor in that time, and so came too late to wait. */
  CHECK_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  memset(words, 0, sizeof words);
  CHECK(read(ends[0], words, sizeof words - 1) <= 0 || strstr(words, "barrow: a collection has waited") == words);
  CHECK_EQ(dup2(before, 2), 2);
  close(before), close(ends[0]), close(ends[1]);
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_EQ(toy_stats(t).collections, 1);
  toy_free(t);
}

/* A thread with a mutator in two heaps, which it has left in neither: it collects in the first one, and waits there. */
typedef struct between {
  barrow_heap *heaps[2];
  int collects;
} between;

static void *collects_in_the_first(void *given) {
  between *b = (between *)given;
  barrow_mutator *m[2];
  size_t i;
  for (i = 0; i < 2; i++) CHECK_OK(barrow_attach(b->heaps[i], &m[i]));
  __atomic_store_n(&b->collects, 1, __ATOMIC_RELEASE);
  CHECK_OK(barrow_collect(m[0], true));
  CHECK_OK(barrow_safepoint(m[1]));
  for (i = 0; i < 2; i++) CHECK_OK(barrow_detach(m[i]));
  return NULL;
}

static void a_thread_between_heaps_is_named(void) {
  toy first = toy_new("--mutators=2"), second = toy_new("--mutators=3 --slow-stop=100");
  pthread_t threads[2];
  between b;
  int before = words_begin();
  b.heaps[0] = first.heap, b.heaps[1] = second.heap, b.collects = 0;
  CHECK_OK(barrow_enter_foreign(second.m));
  CHECK_EQ(pthread_create(&threads[0], NULL, collects_in_the_first, &b), 0);
  while (!__atomic_load_n(&b.collects, __ATOMIC_ACQUIRE)) sched_yield();
  while (BARROW_LOAD_RELAXED(&barrow_window_of(first.m)->poll) == 0) sched_yield();
  /* It waits for this thread, and now another one waits for it. */
  CHECK_EQ(pthread_create(&threads[1], NULL, collect_once, second.heap), 0);
  sleep_on(first);
  CHECK_OK(barrow_safepoint(first.m));
  CHECK_OK(barrow_enter_foreign(first.m));
  CHECK_EQ(pthread_join(threads[0], NULL), 0);
  CHECK_EQ(pthread_join(threads[1], NULL), 0);
  CHECK_OK(barrow_leave_foreign(first.m));
  CHECK_OK(barrow_leave_foreign(second.m));
  fflush(stderr);
  dup2(before, 2);
  close(before);
  CHECK(strstr(text_of("slow_stop_words"), "which comes to no safepoint: it is in a call of another heap") != NULL);
  remove("slow_stop_words");
  toy_free(first);
  toy_free(second);
}

/* ---- callbacks, censuses, what takes one mutator --------------------------------------------------------------------- */

typedef struct seen {
  barrow_heap *heap;
  /* The mutator of a thread while that collects for itself. */
  barrow_mutator *own;
  size_t begun, ended, refused, changed, kept, stayed;
  uint64_t stop_ns, thread, most_mutators;
} seen;

/* Refused because a collection runs, and for no other reason. */
static bool refused_in_a_callback(barrow_status status) {
  return status == BARROW_E_STATE && strstr(barrow_last_error(), "a collection is running: callbacks must not") != NULL;
}

/* No mutator comes or goes while the others stand: neither this thread's own, nor one more of it. */
static bool nobody_comes_or_goes(const seen *s) {
  barrow_mutator *another = NULL;
  check_forget();
  if (!refused_in_a_callback(barrow_attach(s->heap, &another)) || another) return false;
  check_forget();
  return refused_in_a_callback(barrow_detach(s->own));
}

static void on_event(void *client, const barrow_event *event) {
  seen *s = (seen *)client;
  if (event->kind == BARROW_EVENT_COLLECTION_BEGINS) s->begun++;
  if (event->kind == BARROW_EVENT_COLLECTION_ENDS) {
    s->ended++;
    s->stop_ns += event->stop_ns;
  }
  if (event->kind == BARROW_EVENT_COLLECTION_BEGINS) s->thread = event->thread;
  if (event->thread == 0 || event->thread != s->thread) s->changed++; /* in the middle of a collection */
  if (event->mutators > s->most_mutators) s->most_mutators = event->mutators;
  if (barrow_audit(s->heap) == BARROW_E_STATE) s->refused++;
  /* A thread in a callback cannot leave for foreign code: the collection that called it would go on without it. */
  if (s->own && barrow_enter_foreign(s->own) == BARROW_E_STATE && barrow_leave_foreign(s->own) == BARROW_E_STATE) s->kept++;
  if (s->own && nobody_comes_or_goes(s)) s->stayed++;
}

/* A heap whose events are seen. */
static toy watched_heap(seen *s, const char *flags) {
  barrow_config config;
  toy t;
  memset(s, 0, sizeof *s);
  barrow_config_init(&config);
  config.client = s;
  config.event = on_event;
  t = toy_new_with(&config, flags);
  s->heap = t.heap;
  return t;
}

static void callbacks_run_one_at_a_time(void) {
  seen s;
  toy t = watched_heap(&s, "--mutators=8 -A256k");
  in_threads(t, 4, task_of(slow_share(200)), trees);
  CHECK_EQ(s.begun, s.ended);
  CHECK_EQ(s.refused, s.begun + s.ended);
  CHECK(s.begun > 0);
  CHECK_EQ(s.changed, 0);
  CHECK(s.most_mutators >= 2 && s.most_mutators <= 5);
  CHECK(s.stop_ns > 0 && s.stop_ns <= toy_stats(t).stop_ns);
  check_waits(toy_stats(t));
  s.own = t.m;
  CHECK_OK(barrow_collect(t.m, true));
  s.own = NULL;
  CHECK_EQ(s.kept, 2);
  toy_free(t);
}

static void mutators_stay_in_callbacks(void) {
  stayer other;
  seen s;
  toy t = watched_heap(&s, "--mutators=8 -A1m");
  stay_begins(&other, t);
  s.own = t.m;
  CHECK_OK(barrow_collect(t.m, true));
  s.own = NULL;
  CHECK_EQ(s.stayed, 2); /* as it begins, and as it ends */
  CHECK_EQ(s.most_mutators, 2);
  stay_ends(&other, t);
  CHECK_OK(barrow_detach(t.m)); /* outside it goes, and comes again */
  CHECK_OK(barrow_attach(t.heap, &t.m));
  toy_free(t);
}

/* A census counts what all mutators have in their roots. */
static void census_in_one(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t *waiting = (size_t *)w->shared;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 7, 1);
  all_come(w, m, waiting);
  if (w->number == 0) {
    MUST(w, barrow_census(m) == BARROW_OK);
    MUST(w, barrow_check(m) == BARROW_OK);
    __atomic_add_fetch(waiting, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, waiting, w->count + 1);
  BARROW_LEAVE(m, r);
}

static void a_census_counts_all_mutators(void) {
  toy t = shared_heap("-A1m");
  task like = task_of(0);
  size_t waiting = 0;
  barrow_census_totals_t all;
  like.shared = &waiting;
  in_threads(t, 5, like, census_in_one);
  memset(&all, 0, sizeof all);
  all.size = (uint32_t)sizeof all;
  CHECK_OK(barrow_census_totals(t.heap, &all));
  CHECK_EQ(all.live_objects, 5 * 127);
  toy_free(t);
}

/* Sixty threads wait in foreign code, and one collects: they hold no chunk then. */
typedef struct crowd {
  size_t come, before, after;
} crowd;

static void waits_in_a_crowd(task *w, barrow_mutator *m) {
  crowd *all = (crowd *)w->shared;
  tree(w, m, 6, 1);
  all_come(w, m, &all->come);
  if (w->number == 0) {
    MUST(w, barrow_collect(m, true) == BARROW_OK);
    all->after = toy_resident();
    __atomic_add_fetch(&all->come, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, &all->come, w->count + 1);
}

static void a_mutator_that_waits_holds_little(void) {
  toy t = shared_heap("-A1m");
  crowd all = {0, 0, 0};
  task like = task_of(0);
  node *rubbish = toy_list(t.m, 200000);
  CHECK(rubbish != NULL);
  CHECK_OK(barrow_collect(t.m, true));
  all.before = toy_resident();
  like.shared = &all;
  in_threads(t, 60, like, waits_in_a_crowd);
  /* The touched part of each thread's stack is in it. */
  CHECK(toy_is_slow() || all.after < all.before + 60 * (64 << 10));
  toy_free(t);
}

int main(void) {
  RUN(collections_pass_foreign_code);
  RUN(what_comes_back_is_looked_at);
  RUN(no_signal_is_used);
  RUN(loops_without_allocation_stop);
  RUN(heaps_do_not_wait_for_each_other);
  RUN(a_slow_thread_is_named);
  RUN(a_slow_thread_with_calls_is_named);
  RUN(a_slow_reader_keeps_nobody);
  RUN(a_thread_between_heaps_is_named);
  RUN(callbacks_run_one_at_a_time);
  RUN(mutators_stay_in_callbacks);
  RUN(a_census_counts_all_mutators);
  RUN(a_mutator_that_waits_holds_little);
  return DONE;
}
