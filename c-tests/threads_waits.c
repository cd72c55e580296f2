/* Threads whose calls could wait while another one collects: those that are said to stand do, with an open area they are refused
 * before they wait, the object that a call was given is found again after it, whatever the others have begun meanwhile, a thread
 * that ends waits as well, and one with mutators in two heaps leaves the one that it does not work in. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define STEM "threads_waits"
#include "files.h"
#include "tasks.h"
#include <signal.h>
#include <barrow/ticky.h>

/* ---- another thread, which waits until this one stands -------------------------------------------------------------------- */

typedef struct rival {
  barrow_heap *heap;
  pthread_t thread;
  barrow_status (*call)(barrow_mutator *); /* what waits for this thread */
  void (*after)(barrow_mutator *);         /* what it does directly after that */
  int is_done, may_go;
} rival;

static void *run_rival(void *given) {
  rival *one = (rival *)given;
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach(one->heap, &m));
  CHECK_OK(one->call(m));
  if (one->after) one->after(m);
  CHECK_OK(barrow_enter_foreign(m));
  __atomic_store_n(&one->is_done, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&one->may_go, __ATOMIC_ACQUIRE)) sched_yield();
  CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_profile_stop(m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* Returns when the rival waits for the calling thread, which comes to no safepoint. */
static void rival_waits(rival *one, toy t) {
  one->heap = t.heap;
  one->is_done = one->may_go = 0;
  CHECK_EQ(pthread_create(&one->thread, NULL, run_rival, one), 0);
  while (!__atomic_load_n(&barrow_window_of(t.m)->poll, __ATOMIC_RELAXED)) sched_yield();
}

static void rival_ends(rival *one, toy t) {
  __atomic_store_n(&one->may_go, 1, __ATOMIC_RELEASE);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(one->thread, NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_EQ(one->is_done, 1);
}

/* ---- calls with an open area ------------------------------------------------------------------------------------------------ */

static void *asked_of; /* an object that calls are given */

static void no_roots(void *client, barrow_visitor *visitor) { (void)client, (void)visitor; }

static barrow_status starts(barrow_mutator *m) { return barrow_profile_start(m, "-hd"); }
static barrow_status writes_costs(barrow_mutator *m) { return barrow_cost_report(m, STEM ".costs", BARROW_COST_ALL); }
static barrow_status reads_costs(barrow_mutator *m) {
  size_t count;
  return barrow_costs(m, NULL, 0, &count);
}
static barrow_status writes_samples(barrow_mutator *m) { return barrow_samples_write(m, STEM ".samples"); }
static barrow_status reads_counters(barrow_mutator *m) {
  barrow_ticky counters;
  memset(&counters, 0, sizeof counters), counters.size = (uint32_t)sizeof counters;
  return barrow_ticky_counters(m, &counters);
}
static barrow_status reads_functions(barrow_mutator *m) {
  size_t count;
  return barrow_ticky_functions(m, NULL, 0, &count);
}
static barrow_status writes_ticky(barrow_mutator *m) { return barrow_ticky_report(m, STEM ".ticky"); }
static barrow_status writes_snapshot(barrow_mutator *m) { return barrow_snapshot(m, STEM ".snapshot"); }
static barrow_status begins_space(barrow_mutator *m) {
  barrow_space_options options;
  uint32_t profile;
  memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options;
  options.manner = BARROW_MANNER_SPACE;
  return barrow_space_begin(m, &options, &profile);
}
static barrow_status ends_space(barrow_mutator *m) { return barrow_space_end(m, 1); }
static barrow_status asks_for_a_set(barrow_mutator *m) {
  uint32_t set;
  return barrow_retainer_set_of(m, &asked_of, &set);
}
static barrow_status waits(barrow_mutator *m) { return barrow_wait_for(m, asked_of); }
static barrow_status collects(barrow_mutator *m) { return barrow_collect(m, true); }
static barrow_status collects_young(barrow_mutator *m) { return barrow_collect(m, false); }
/* Frames that are broken refuse the collection. */
static barrow_status collects_in_vain(barrow_mutator *m) {
  static barrow_word odd[2] = {0, 1u << 30}; /* too many roots */
  barrow_window_of(m)->frames = (barrow_frame *)odd;
  REFUSED(BARROW_E_ARG, barrow_collect(m, true));
  barrow_window_of(m)->frames = NULL;
  return BARROW_OK;
}
static barrow_status collects_with(barrow_mutator *m) { return barrow_collect_with(m, true, no_roots, NULL); }
static barrow_status allocates(barrow_mutator *m) { return barrow_alloc(m, 4) ? BARROW_OK : barrow_last_status(); }
static barrow_status allocates_large(barrow_mutator *m) { return barrow_alloc(m, 4000) ? BARROW_OK : barrow_last_status(); }
static barrow_status reserves(barrow_mutator *m) { return barrow_reserve(m, 4) ? BARROW_OK : barrow_last_status(); }

/* All calls of the class `alone` (build/threads.txt), and others that collect or stand for a collection. */
static barrow_status (*const calls[])(barrow_mutator *) = {
    barrow_census, starts, barrow_profile_mark, barrow_profile_stop, writes_costs, reads_costs, writes_samples, reads_counters,
    reads_functions, writes_ticky, writes_snapshot, begins_space, ends_space, barrow_space_suspend, barrow_space_resume,
    asks_for_a_set, barrow_check, waits, collects, collects_young, collects_with, barrow_safepoint, allocates, allocates_large,
    reserves, barrow_enter_foreign, barrow_detach};

static void fills_chunks(barrow_mutator *m) { toy_list(m, 20000); }

/* A thread calls with an open area while another one waits for it. The area is its own until it has closed it. */
static void refused_with_an_open_area(const char *flags, size_t call) {
  toy t = shared_heap(flags);
  barrow_mutator *m = t.m;
  barrow_word *hp = NULL, *hp_lim = NULL;
  struct { barrow_frame frame; node *list; } r;
  node *made;
  rival other;
  uint64_t before;
  memset(&other, 0, sizeof other);
  other.call = collects, other.after = fills_chunks;
  BARROW_ENTER(m, r);
  r.list = toy_list(m, 100);
  asked_of = r.list;
  CHECK_OK(barrow_safepoint(m));
  before = toy_stats(t).collections;
  CHECK_OK(barrow_open_nursery(m, &hp, &hp_lim));
  CHECK(hp + sizeof *made / sizeof *hp <= hp_lim);
  rival_waits(&other, t);
  REFUSED(BARROW_E_STATE, calls[call](m));
  CHECK(strstr(barrow_last_error(), "barrow_close_nursery") != NULL);
  CHECK_EQ(toy_stats(t).collections, before);
  CHECK_EQ(__atomic_load_n(&other.is_done, __ATOMIC_ACQUIRE), 0);
  made = (node *)hp;
  barrow_set_header(made, &node_info);
  made->left = r.list, made->right = NULL, made->value = 7;
  r.list = made;
  CHECK_OK(barrow_close_nursery(m, (barrow_word *)(made + 1)));
  if (check_failures) {
    fprintf(stderr, "call %lu with %s\n", (unsigned long)call, flags);
    exit(1); /* the area is another's, and the heap broken */
  }
  rival_ends(&other, t);
  CHECK(toy_stats(t).collections > before);
  CHECK_EQ(toy_sum(r.list), 5057);
  BARROW_LEAVE(m, r);
  toy_free(t);
}

static void an_open_area_stays_the_clients(void) {
  size_t call;
  for (call = 0; call < sizeof calls / sizeof *calls && !check_failures; call++) {
    refused_with_an_open_area("-A1m", call);
    refused_with_an_open_area("-DS -A256k --sample-every=4k", call);
  }
}

/* ---- calls that stand ------------------------------------------------------------------------------------------------------- */

/* Registered roots. */
static struct { node *key, *finalizer; void *weak; } kept;
static size_t finalized;

static void function_runs(barrow_mutator *m, void *data, void *key, void *value) {
  (void)m;
  CHECK(data == &kept && value == NULL);
  CHECK(((node *)key)->value == 5 || ((node *)key)->value == 7);
  finalized++;
}
static void object_runs(void *client, barrow_mutator *m, void *finalizer, void *key, void *value) {
  CHECK(m != NULL && client == &kept && value == NULL);
  CHECK_EQ(((node *)key)->value, 6);
  CHECK_EQ(((node *)finalizer)->value, 8);
  finalized++;
}

static void *weak_to(barrow_mutator *m, node *key, node *finalizer, bool has_function) {
  void *weak = barrow_weak_new(m, key, NULL, finalizer);
  CHECK(weak != NULL);
  if (has_function) CHECK_OK(barrow_weak_set_function(m, weak, function_runs, &kept, NULL));
  return weak;
}

static barrow_status makes_bytes(barrow_mutator *m) { return toy_bytes(m, 16) ? BARROW_OK : barrow_last_status(); }
static barrow_status makes_many_bytes(barrow_mutator *m) { return toy_bytes(m, 20000) ? BARROW_OK : barrow_last_status(); }
static barrow_status reserves_stack(barrow_mutator *m) { return barrow_stack_reserve(m, 10) ? BARROW_OK : barrow_last_status(); }
static barrow_status runs_one(barrow_mutator *m) {
  CHECK_EQ(barrow_run_finalizers(m, object_runs, &kept, 1), 1);
  CHECK_EQ(finalized, 1);
  return BARROW_OK;
}
static barrow_status runs_all(barrow_mutator *m) {
  CHECK_EQ(barrow_run_finalizers(m, object_runs, &kept, 0), 2);
  CHECK_EQ(finalized, 2);
  return BARROW_OK;
}
static barrow_status ends_a_weak_pointer(barrow_mutator *m) {
  void *finalizer = NULL;
  barrow_status status = barrow_weak_finalize(m, kept.weak, &finalizer);
  CHECK(finalizer == kept.finalizer && kept.finalizer->value == 9);
  CHECK_EQ(finalized, 1);
  return status;
}

INFO(lazy_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);

/* Waits of which each is over at once. */
static barrow_status waits_for_a_value(barrow_mutator *m) { return barrow_wait_for(m, kept.key); }
static barrow_status waits_for_nothing(barrow_mutator *m) { return barrow_wait_for(m, NULL); }
static barrow_status waits_for_itself(barrow_mutator *m) {
  barrow_word *lazy = barrow_allocate(m, barrow_thunk_words(1)); /* no safepoint */
  lazy[0] = (barrow_word)&lazy_info;
  lazy[1] = lazy[2] = 0;
  CHECK(barrow_claim(m, lazy));
  return barrow_wait_for(m, lazy) == BARROW_E_LOOP ? BARROW_OK : BARROW_E_STATE;
}

static barrow_status (*const standing[])(barrow_mutator *) = {
    barrow_safepoint, barrow_check, barrow_census, makes_bytes, makes_many_bytes, reserves, reserves_stack, runs_one,
    runs_all, ends_a_weak_pointer, barrow_enter_foreign, waits_for_a_value, waits_for_nothing, waits_for_itself};

/* Another thread waits, and has collected when the call returns, or does while this thread is in foreign code. */
static void a_call_that_stands(size_t call) {
  toy t = shared_heap("-A64m");
  rival other;
  uint64_t before;
  memset(&other, 0, sizeof other);
  other.call = collects_young;
  finalized = 0;
  CHECK_OK(barrow_root_add(t.heap, "kept", &kept, 3, false));
  kept.key = toy_node(t.m, NULL, NULL, 5);
  weak_to(t.m, kept.key, NULL, true);
  kept.finalizer = toy_node(t.m, NULL, NULL, 8);
  kept.key = toy_node(t.m, NULL, NULL, 6);
  weak_to(t.m, kept.key, kept.finalizer, false);
  kept.key = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  kept.key = toy_node(t.m, NULL, NULL, 7);
  kept.finalizer = toy_node(t.m, NULL, NULL, 9);
  kept.weak = weak_to(t.m, kept.key, kept.finalizer, true);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, NULL, 100)));
  before = toy_stats(t).collections;
  rival_waits(&other, t);
  CHECK_OK(standing[call](t.m));
  if (standing[call] == barrow_enter_foreign) {
    while (!__atomic_load_n(&other.is_done, __ATOMIC_ACQUIRE)) sched_yield();
    CHECK_OK(barrow_leave_foreign(t.m));
  }
  if (toy_stats(t).collections == before) {
    fprintf(stderr, "call %lu did not stand\n", (unsigned long)call);
    check_failures++;
  }
  rival_ends(&other, t);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  CHECK_OK(barrow_root_remove(t.heap, &kept));
  memset(&kept, 0, sizeof kept);
  toy_free(t);
}

static void calls_that_stand(void) {
  size_t call;
  for (call = 0; call < sizeof standing / sizeof *standing; call++) a_call_that_stands(call);
}

/* ---- a collection that one thread has asked for, beside the stop of another ----------------------------------------------- */

/* Stops others, with a collection, without one, or with one that is refused, while this thread, which is away or stands, has asked for a collection. */
static void asked_before_a_stop(barrow_status (*call)(barrow_mutator *), bool is_away) {
  toy t = shared_heap("-A64m");
  bool collects_itself = call == collects_young;
  rival other;
  uint64_t before;
  memset(&other, 0, sizeof other);
  other.call = call;
  CHECK_OK(barrow_external_bytes(t.m, (int64_t)1 << 30));
  if (is_away) CHECK_OK(barrow_enter_foreign(t.m));
  rival_waits(&other, t);
  while (!__atomic_load_n(&other.is_done, __ATOMIC_ACQUIRE)) {
    if (is_away) sched_yield();
    else CHECK_OK(barrow_wait_for(t.m, NULL));
  }
  if (is_away) CHECK_OK(barrow_leave_foreign(t.m));
  rival_ends(&other, t);
  CHECK_EQ(barrow_wants_gc(t.m), !collects_itself);
  before = toy_stats(t).collections;
  CHECK_OK(barrow_safepoint(t.m));
  CHECK_EQ(toy_stats(t).collections - before, !collects_itself);
  CHECK(!barrow_wants_gc(t.m));
  toy_free(t);
}

static void what_was_asked_for_comes(void) {
  int is_away;
  for (is_away = 0; is_away < 2; is_away++) {
    asked_before_a_stop(reads_counters, is_away);
    asked_before_a_stop(collects_in_vain, is_away);
    asked_before_a_stop(collects_young, is_away);
  }
}

/* ---- the set of an object, beside biographies by retainers ------------------------------------------------------------------ */

static barrow_status begins_a_biography(barrow_mutator *m) {
  return barrow_profile_start(m, "-hr -hbdrag,void -i1000");
}

/* A profile without a sample is told on standard error. */
static void takes_a_sample(barrow_mutator *m) { CHECK_OK(barrow_census(m)); }

static void no_files(void) {
  char ending[30];
  int number;
  removed(".hp"), removed(".prof");
  for (number = 1; number < 4000; number++) {
    sprintf(ending, ".%d.hp", number), removed(ending);
    sprintf(ending, ".%d.prof", number), removed(ending);
  }
}

/* A biography by retainers begins while a thread waits that asks for a set: it is refused, and its object is where it was told. */
static void a_biography_begins_meanwhile(void) {
  static const char *const flags[] = {"-A1m -po" STEM, "-DS -A1m -po" STEM, "-A1m --old=copy --source=chunks -po" STEM};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    rival other;
    node *rubbish = toy_list(t.m, 100); /* what slides moves into its place */
    void *object = toy_list(t.m, 100), *before = object;
    uint32_t set = 1;
    CHECK(rubbish != NULL);
    memset(&other, 0, sizeof other);
    other.call = begins_a_biography, other.after = takes_a_sample;
    CHECK_OK(barrow_root_add(t.heap, "object", &asked_of, 1, false));
    asked_of = object;
    rival_waits(&other, t);
    REFUSED(BARROW_E_STATE, barrow_retainer_set_of(t.m, &object, &set));
    CHECK(strstr(barrow_last_error(), "biography") != NULL);
    CHECK(object == asked_of && object != before);
    CHECK_EQ(toy_sum((node *)object), 5050);
    CHECK_EQ(set, 0);
    rival_ends(&other, t); /* has collected once more */
    object = asked_of;
    CHECK_OK(barrow_retainer_set_of(t.m, &object, &set));
    CHECK(object == asked_of);
    CHECK_EQ(toy_sum((node *)object), 5050);
    CHECK_OK(barrow_root_remove(t.heap, &asked_of));
    toy_free(t);
  }
  no_files();
}

static void maybe(task *w, barrow_status status) {
  if (status != BARROW_OK && status != BARROW_E_STATE) task_failed(w, "neither done nor refused");
}

/* Some threads begin biographies by retainers, take censuses and end them, and others ask for sets. */
static void sets_beside_biographies(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  void *object = NULL;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 5, 1);
  for (i = 0; i < w->rounds; i++) {
    uint32_t set;
    if (w->number % 4 == 0) {
      if (i % 4 == 0) maybe(w, begins_a_biography(m));
      MUST(w, barrow_census(m) == BARROW_OK);
      if (i % 4 == 2) MUST(w, barrow_profile_stop(m) == BARROW_OK);
    } else {
      object = tree(w, m, 3, 1);
      maybe(w, barrow_retainer_set_of(m, &object, &set));
      MUST(w, nodes_of(w, (node *)object, 1) == 7);
    }
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    MUST(w, nodes_of(w, r.kept, 1) == 31);
  }
  BARROW_LEAVE(m, r);
}

static void sets_are_asked_for_meanwhile(void) {
  static const char *const flags[] = {"-A256k -po" STEM, "-DS -A256k -po" STEM, "-A128k --old=copy --source=chunks -po" STEM};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    in_threads(t, 8, task_of(slow_share(60)), sets_beside_biographies);
    CHECK_OK(barrow_profile_stop(t.m));
    CHECK_OK(barrow_check(t.m));
    toy_free(t);
  }
  no_files();
}

/* ---- several heaps ------------------------------------------------------------------------------------------------------------ */

/* A thread's mutator in each of two heaps. It is in foreign code in all but the one that it works in. */
typedef struct both {
  task tasks[2];
  barrow_mutator *m[2];
  size_t rounds;
} both;

static void too_long(int number) {
  static const char words[] = "heaps wait for each other\n";
  if (write(2, words, sizeof words - 1) < 0) _exit(3);
  _exit(number ? 1 : 2);
}

static void *works_in_turns(void *given) {
  both *b = (both *)given;
  struct { barrow_frame frame; node *kept; } r[2];
  size_t i, which;
  for (which = 0; which < 2; which++) {
    task *w = &b->tasks[which];
    MUST(w, barrow_attach(w->heap, &b->m[which]) == BARROW_OK);
    BARROW_ENTER(b->m[which], r[which]);
    r[which].kept = tree(w, b->m[which], 6, 1);
    MUST(w, barrow_enter_foreign(b->m[which]) == BARROW_OK);
  }
  for (i = 0; i < b->rounds; i++) {
    task *w;
    barrow_mutator *m;
    which = (i + b->tasks[0].number) % 2;
    w = &b->tasks[which];
    m = b->m[which];
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    MUST(w, nodes_of(w, tree(w, m, 8, 1), 1) == 255);
    MUST(w, barrow_collect(m, i % 4 == 0) == BARROW_OK);
    MUST(w, nodes_of(w, r[which].kept, 1) == 63);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
  }
  for (which = 0; which < 2; which++) {
    MUST(&b->tasks[which], barrow_leave_foreign(b->m[which]) == BARROW_OK);
    BARROW_LEAVE(b->m[which], r[which]);
    MUST(&b->tasks[which], barrow_detach(b->m[which]) == BARROW_OK);
  }
  return NULL;
}

/* Two threads collect in two heaps, by turns, and neither waits for the other's mutator in the heap that it does not work in. */
static void threads_work_in_two_heaps(void) {
  static both all[2];
  toy heaps[2];
  pthread_t threads[2];
  size_t i, which;
  bool slow = getenv("BARROW_TEST_VALGRIND") || getenv("BARROW_TEST_FLAGS");
  signal(SIGALRM, too_long);
  alarm(slow ? 1000 : 60);
  for (which = 0; which < 2; which++) {
    heaps[which] = toy_new("--mutators=3 -A256k");
    CHECK_OK(barrow_enter_foreign(heaps[which].m));
  }
  for (i = 0; i < 2; i++) {
    all[i].rounds = slow_share(2000);
    for (which = 0; which < 2; which++) {
      all[i].tasks[which] = task_of(0);
      all[i].tasks[which].heap = heaps[which].heap;
      all[i].tasks[which].number = i;
    }
    CHECK_EQ(pthread_create(&threads[i], NULL, works_in_turns, &all[i]), 0);
  }
  for (i = 0; i < 2; i++) {
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
    for (which = 0; which < 2; which++) check_failures += all[i].tasks[which].failures;
  }
  alarm(0);
  for (which = 0; which < 2; which++) {
    CHECK_OK(barrow_leave_foreign(heaps[which].m));
    toy_free(heaps[which]);
  }
}

/* ---- roots of a thread that waits for its own collection ---------------------------------------------------------------------- */

/* A thread that asks for a collection with roots of its own, and stands there while another one keeps all still. */
typedef struct teller {
  barrow_heap *heap;
  pthread_t thread;
  int is_ready;
  void *object;
  int calls; /* of its function, from other threads */
} teller;

static void tells(void *client, barrow_visitor *visitor) {
  teller *one = (teller *)client;
  if (!pthread_equal(pthread_self(), one->thread)) one->calls++;
  barrow_visit(visitor, &one->object);
}

static void *run_teller(void *given) {
  teller *one = (teller *)given;
  barrow_mutator *m = NULL;
  one->thread = pthread_self();
  CHECK_OK(barrow_attach(one->heap, &m));
  one->object = toy_list(m, 100);
  asked_of = ((node *)one->object)->left;
  __atomic_store_n(&one->is_ready, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_RELAXED)) sched_yield();
  CHECK_OK(barrow_collect_with(m, false, tells, one));
  CHECK_EQ(toy_sum((node *)one->object), 5050);
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static uint32_t set_asked_for;
static barrow_status finds_a_set(barrow_mutator *m) { return barrow_retainer_set_of(m, &asked_of, &set_asked_for); }

/* Another thread calls, the teller waits in its collection, and this one comes last. How often others have asked for its roots. */
static int told_while(const char *flags, barrow_status (*call)(barrow_mutator *)) {
  toy t = shared_heap(flags);
  pthread_t thread;
  teller one;
  rival other;
  memset(&one, 0, sizeof one), memset(&other, 0, sizeof other);
  one.heap = t.heap;
  other.call = call;
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_create(&thread, NULL, run_teller, &one), 0);
  while (!__atomic_load_n(&one.is_ready, __ATOMIC_ACQUIRE)) sched_yield();
  CHECK_OK(barrow_leave_foreign(t.m));
  rival_waits(&other, t);
  CHECK_OK(barrow_safepoint(t.m));
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
  rival_ends(&other, t);
  asked_of = NULL;
  toy_free(t);
  return one.calls;
}

/* Samples by retainers, sets and snapshots have the roots that the collection had. */
static void roots_of_a_thread_that_waits(void) {
  static const char *const flags[] = {"-A1m -po" STEM, "-DS -A1m -po" STEM, "-A1m --old=copy --source=chunks -po" STEM};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    char line[100];
    int least = told_while(flags[i], barrow_census);
    sprintf(line, "%s -hr -i0", flags[i]);
    CHECK(least > 0);
    CHECK(told_while(line, barrow_census) > least);
    CHECK(strstr(file(".hp"), "BEGIN_SAMPLE") && strstr(text, "roots"));
    CHECK(strstr(text, "(unreached)") == NULL);
    set_asked_for = 0;
    CHECK(told_while(flags[i], finds_a_set) > least);
    CHECK(set_asked_for != 0);
    CHECK(told_while(flags[i], writes_snapshot) > least);
  }
  removed(".snapshot");
  no_files();
}

/* ---- ends --------------------------------------------------------------------------------------------------------------------- */

/* The first one collects, while the others end in foreign code. */
static void ends_beside_collections(task *w, barrow_mutator *m) {
  size_t i;
  tree(w, m, 5, 1);
  for (i = 0; w->number == 0 && i < w->rounds; i++) MUST(w, barrow_collect(m, i % 4 == 0) == BARROW_OK);
  MUST(w, barrow_enter_foreign(m) == BARROW_OK);
}

static void threads_end_while_others_collect(void) {
  toy t = shared_heap("-A128k");
  task like = task_of(20);
  barrow_word made = 0;
  size_t round;
  like.stays = 1;
  for (round = 0; round < slow_share(100); round++) made += in_threads(t, 8, like, ends_beside_collections);
  CHECK_EQ(toy_stats(t).allocated_bytes, made);
  toy_free(t);
}

int main(void) {
  RUN(calls_that_stand);
  if (check_failures) return DONE; /* what does not stand would be waited for */
  RUN(what_was_asked_for_comes);
  RUN(an_open_area_stays_the_clients);
  RUN(a_biography_begins_meanwhile);
  RUN(sets_are_asked_for_meanwhile);
  RUN(threads_work_in_two_heaps);
  RUN(roots_of_a_thread_that_waits);
  RUN(threads_end_while_others_collect);
  return DONE;
}
