/* Thunks that several mutators evaluate: claims, updates that race, waiting, rings of mutators that wait for each other. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "lazy_tasks.h"

/* A thunk with the thunk that it needs, or none, and its place in the table. */
typedef struct thunk {
  barrow_word header, result;
  void *needs;
  barrow_word n, more;
} thunk;
INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 2, 0, NULL, NULL);
INFO(failed_info, BARROW_CONSTR, 0, 0, 2, 1, 0, NULL, NULL);

#define MORE 0x5eed

static size_t read_now(const size_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static thunk *make_thunk(barrow_mutator *m, void *needs, barrow_word n) {
  struct { barrow_frame frame; void *needs; } r;
  thunk *t;
  r.needs = needs;
  BARROW_PUSH(m, r);
  t = (thunk *)barrow_alloc(m, barrow_thunk_words(3));
  t->header = (barrow_word)&thunk_info;
  t->result = 0;
  t->needs = r.needs;
  t->n = n;
  t->more = MORE;
  BARROW_LEAVE(m, r);
  return t;
}

/* A thunk's code: it reads what it needs before anything that may collect. */
static node *run(task *w, barrow_mutator *m, void *lazy, const barrow_info *was) {
  const thunk *t = (const thunk *)lazy;
  lazy_case *c = (lazy_case *)w->shared;
  struct { barrow_frame frame; void *needs, *value; } r;
  barrow_word n = t->n, before = 0;
  MUST(w, was == &thunk_info && t->more == MORE);
  r.needs = t->needs;
  r.value = NULL;
  BARROW_PUSH(m, r);
  add_one(&c->evaluations[n]);
  if (r.needs) {
    const node *other = force(w, m, r.needs);
    before = other ? other->value : 0;
  }
  if (n % 3 == 0) sched_yield();
  r.value = toy_node(m, NULL, NULL, before + 1);
  BARROW_LEAVE(m, r);
  return (node *)r.value;
}

/* ---- many threads, many thunks ---------------------------------------------------------------------------------------- */

/* Each thread wants the values in an order of its own; thunk i needs thunk i - 1, so its value is its depth. */
static void forces_all(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  barrow_word random = w->number * 7919 + 1;
  size_t i;
  all_come(w, m, &c->come);
  for (i = 0; i < w->rounds; i++) {
    size_t n;
    const node *value;
    n = i + 1 < w->rounds ? draw(&random, THUNKS) : THUNKS - 1;
    value = force(w, m, at(w, n));
    MUST(w, value != NULL && value->value == n % 40 + 1);
    if (i % 50 == 5 * w->number % 50) MUST(w, barrow_collect(m, i % 100 < 50) == BARROW_OK);
  }
}

static void shared_thunks(const char *flags, size_t threads, int claims, int old) {
  toy t = shared_heap(flags);
  static node *table;
  static lazy_case c;
  task like = task_of(toy_under_valgrind() ? 10 : slow_share(strstr(flags, "-DS") ? 40 : 200));
  struct { barrow_frame frame; void *last; } r;
  size_t i;
  begin_lazily(&c, run, claims);
  table = (node *)toy_array(t.m, THUNKS);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  BARROW_ENTER(t.m, r);
  for (i = 0; i < THUNKS; i++) {
    r.last = make_thunk(t.m, i % 40 ? r.last : NULL, i);
    toy_put(t.m, (void **)&table, i, r.last);
  }
  BARROW_LEAVE(t.m, r);
  for (i = 0; (int)i < old; i++) CHECK_OK(barrow_collect(t.m, true));
  like.table = &table;
  like.shared = &c;
  in_threads(t, threads, like, forces_all);
  for (i = 0; i < THUNKS; i++) {
    if (claims) CHECK(c.evaluations[i] <= 1);
    if (i + 40 >= THUNKS) CHECK(c.evaluations[i] >= 1);
  }
  CHECK_EQ(c.told, 0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(((node *)barrow_array_elements(table)[THUNKS - 1])->value, 40);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

static void claimed_thunks_are_evaluated_once(void) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) {
    shared_thunks(many_flags[i], 2, 1, 0);
    shared_thunks(many_flags[i], 8, 1, 3);
  }
  shared_thunks("-A1m", many_threads(), 1, 0);
}

/* Without claims, threads evaluate the same thunks, and of their updates either may win. */
static void unclaimed_thunks_have_one_value(void) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) {
    shared_thunks(many_flags[i], 8, 0, 0);
    shared_thunks(many_flags[i], 2, 0, 3);
  }
  shared_thunks("-A1m", many_threads(), 0, 3);
}

/* ---- rings, and what waits -------------------------------------------------------------------------------------------- */

/* Each thread claims a thunk, and then needs that of the next. One of them is told, and fails; so the others go on. They run on no stack
 * object, or claim on one, or enter one when they have claimed. */
static void waits_for_the_next(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  struct { barrow_frame frame; void *own, *value; } r;
  const node *value;
  BARROW_ENTER(m, r);
  r.own = at(w, w->number);
  if (c->claims == 2) MUST(w, barrow_stack_enter(m, barrow_stack_new(m, NULL, 100)) == BARROW_OK);
  MUST(w, barrow_claim(m, r.own));
  MUST(w, !barrow_claim(m, r.own)); /* no thunk any more */
  if (c->claims == 3) MUST(w, barrow_stack_enter(m, barrow_stack_new(m, NULL, 100)) == BARROW_OK);
  all_come(w, m, &c->come);
  if (w->number == 1) MUST(w, barrow_collect(m, true) == BARROW_OK);
  value = force(w, m, at(w, (w->number + 1) % w->count));
  r.value = toy_node(m, NULL, NULL, value ? value->value : 999);
  MUST(w, barrow_update(m, r.own, r.value) == BARROW_OK);
  MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
  BARROW_LEAVE(m, r);
}

static void a_ring_of(size_t threads, const char *flags, size_t rounds) {
  toy t = shared_heap(flags);
  static node *table;
  table = (node *)toy_array(t.m, 8);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  while (rounds-- > 0) {
    static lazy_case c;
    task like = task_of(0);
    size_t i;
    begin_lazily(&c, run, 1 + rounds % 3);
    for (i = 0; i < threads; i++) toy_put(t.m, (void **)&table, i, make_thunk(t.m, NULL, i));
    if (rounds % 2) CHECK_OK(barrow_collect(t.m, true));
    like.table = &table;
    like.shared = &c;
    in_threads(t, threads, like, waits_for_the_next);
    CHECK_EQ(c.told, 1);
    CHECK_OK(barrow_collect(t.m, true));
    for (i = 0; i < threads; i++) CHECK_EQ(((node *)barrow_array_elements(table)[i])->value, 999);
  }
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

/* A thread claims a thunk on a stack, leaves it, and waits for the thunk, or goes. Another one goes on with the stack; a third waits. */
static void goes_on_elsewhere(task *w, barrow_mutator *m) {
  const struct timespec a_while = {0, 20000000};
  lazy_case *c = (lazy_case *)w->shared;
  if (w->number == 0) {
    MUST(w, barrow_stack_enter(m, at(w, 1)) == BARROW_OK);
    MUST(w, barrow_claim(m, at(w, 0)));
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_E_LOOP);
    MUST(w, barrow_stack_enter(m, at(w, 1)) == BARROW_OK); /* the same */
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_E_LOOP);
    MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
    add_one(&c->come);
    if (c->claims == 1) MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_OK);
  } else if (w->number == 1) {
    node *made;
    await_all(w, m, &c->come, 1);
    if (c->claims == 2) await_all(w, m, &tasks_over, 1);
    MUST(w, barrow_stack_enter(m, at(w, 1)) == BARROW_OK);
    add_one(&c->come);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    nanosleep(&a_while, NULL); /* others wait */
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    made = toy_node(m, NULL, NULL, 9);
    MUST(w, barrow_update(m, at(w, 0), made) == BARROW_OK);
    MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
  } else {
    await_all(w, m, &c->come, 2);
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_OK);
  }
}

/* The thread stays on its stack, from which the frames are captured and cut off. Another one goes on with these. */
INFO(update_info, BARROW_UPDATE_FRAME, 0, 0, 1, 0, 0, NULL, NULL);

static void part_goes_on_elsewhere(task *w, barrow_mutator *m) {
  const struct timespec a_while = {0, 20000000};
  lazy_case *c = (lazy_case *)w->shared;
  if (w->number == 0) {
    MUST(w, barrow_stack_enter(m, at(w, 1)) == BARROW_OK);
    MUST(w, barrow_claim(m, at(w, 2)));
    MUST(w, barrow_claim(m, at(w, 0)));
    MUST(w, barrow_stack_need(m, 2));
    barrow_stack_push(m, &update_info, 2)[1] = (barrow_word)at(w, 0);
    toy_put(m, (void **)w->table, 1, barrow_stack_capture(m, NULL));
    MUST(w, barrow_stack_cut(m, NULL) == BARROW_OK);
    add_one(&c->come);
    await_all(w, m, &c->come, 2);
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_OK);
    MUST(w, barrow_wait_for(m, at(w, 2)) == BARROW_E_LOOP); /* of which no frame was captured */
    MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
  } else if (w->number == 1) {
    node *made;
    await_all(w, m, &c->come, 1);
    MUST(w, barrow_stack_enter(m, barrow_stack_new(m, NULL, 100)) == BARROW_OK);
    MUST(w, barrow_stack_reinstate(m, at(w, 1)));
    add_one(&c->come);
    MUST(w, barrow_enter_foreign(m) == BARROW_OK);
    nanosleep(&a_while, NULL); /* others wait */
    MUST(w, barrow_leave_foreign(m) == BARROW_OK);
    made = toy_node(m, NULL, NULL, 9);
    MUST(w, barrow_update(m, (void *)barrow_window_of(m)->sp[1], made) == BARROW_OK);
    barrow_stack_pop(m, 2);
    MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
  } else {
    await_all(w, m, &c->come, 2);
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_OK);
  }
}

static void stacks_change_threads(void) {
  size_t i;
  int claims;
  for (i = 0; i < flags_tried(); i++)
    for (claims = 1; claims < 4; claims++) {
      toy t = shared_heap(many_flags[i]);
      static node *table;
      static lazy_case c;
      task like = task_of(0);
      begin_lazily(&c, run, claims);
      table = (node *)toy_array(t.m, 3);
      CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
      toy_put(t.m, (void **)&table, 0, make_thunk(t.m, NULL, 0));
      toy_put(t.m, (void **)&table, 1, barrow_stack_new(t.m, NULL, 100));
      toy_put(t.m, (void **)&table, 2, make_thunk(t.m, NULL, 2));
      like.table = &table;
      like.shared = &c;
      in_threads(t, 3, like, claims < 3 ? goes_on_elsewhere : part_goes_on_elsewhere);
      CHECK_OK(barrow_root_remove(t.heap, &table));
      toy_free(t);
    }
}

static void rings_are_told(void) {
  size_t threads, i;
  for (threads = 1; threads <= 3; threads++)
    for (i = 0; i < flags_tried(); i++) a_ring_of(threads, many_flags[i], slow_share(10));
  a_ring_of(8, "-A1m", slow_share(40));
}

/* Threads wait for a thunk that ends with an exception, while its owner allocates and collects. */
static void fails_while_others_wait(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  struct { barrow_frame frame; void *own, *failed; } r;
  BARROW_ENTER(m, r);
  r.own = at(w, 0);
  if (w->number == 0) {
    MUST(w, barrow_claim(m, r.own));
    add_one(&c->come);
    await_all(w, m, &c->waiting, w->count - 1);
    MUST(w, nodes_of(w, tree(w, m, 10, 1), 1) == 1023);
    MUST(w, barrow_collect(m, true) == BARROW_OK);
    r.failed = toy_node(m, NULL, NULL, 13);
    barrow_set_header(r.failed, &failed_info);
    MUST(w, barrow_update(m, r.own, r.failed) == BARROW_OK);
  } else {
    await_all(w, m, &c->come, 1);
    add_one(&c->waiting);
    r.failed = force(w, m, r.own);
    MUST(w, r.failed != NULL && barrow_info_of(r.failed) == &failed_info && ((node *)r.failed)->value == 13);
  }
  BARROW_LEAVE(m, r);
}

/* A thread that claims, and goes without an update: who waits is told. */
static void goes_with_a_claim(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  if (w->number == 0) {
    MUST(w, barrow_claim(m, at(w, 0)));
    add_one(&c->come);
    await_all(w, m, &c->waiting, w->count - 1);
    return;
  }
  await_all(w, m, &c->come, 1);
  add_one(&c->waiting);
  MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_E_STATE);
}

/* The owner of a blackhole without a claim is not known. It is waited for. */
static void blackholes_without_a_claim(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  if (w->number == 0) {
    struct { barrow_frame frame; void *own; } r;
    node *made;
    r.own = at(w, 0);
    BARROW_PUSH(m, r);
    MUST(w, barrow_blackhole(m, r.own) == BARROW_OK);
    MUST(w, barrow_blackhole(m, r.own) == BARROW_OK); /* as if another had been first */
    MUST(w, barrow_indirectee(r.own) == NULL);
    add_one(&c->come);
    await_all(w, m, &c->waiting, w->count - 1);
    made = toy_node(m, NULL, NULL, 5);
    MUST(w, barrow_update(m, r.own, made) == BARROW_OK);
    made = toy_node(m, NULL, NULL, 6);
    MUST(w, barrow_update(m, r.own, made) == BARROW_OK);    /* of two updates either may stay, and both are well */
    MUST(w, barrow_blackhole(m, r.own) == BARROW_OK);       /* takes no update back */
    MUST(w, !barrow_claim(m, r.own));
    BARROW_LEAVE(m, r);
  } else {
    await_all(w, m, &c->come, 1);
    add_one(&c->waiting);
    MUST(w, barrow_wait_for(m, at(w, 0)) == BARROW_OK);
  }
}

static void one_thunk(const char *flags, size_t threads, void (*body)(task *, barrow_mutator *)) {
  toy t = shared_heap(flags);
  static node *table;
  static lazy_case c;
  task like = task_of(0);
  begin_lazily(&c, run, 1);
  table = (node *)toy_array(t.m, 1);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  toy_put(t.m, (void **)&table, 0, make_thunk(t.m, NULL, 0));
  like.table = &table;
  like.shared = &c;
  in_threads(t, threads, like, body);
  CHECK_EQ(c.told, 0);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

static void exceptions_reach_who_waits(void) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) one_thunk(many_flags[i], 5, fails_while_others_wait);
  one_thunk("-A1m", many_threads(), fails_while_others_wait);
}
static void a_claim_without_its_mutator_is_told(void) { one_thunk("-A1m", 3, goes_with_a_claim); }
static void blackholes_of_nobody_are_waited_for(void) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) one_thunk(many_flags[i], 3, blackholes_without_a_claim);
}

/* ---- updates at the same moment ---------------------------------------------------------------------------------------- */

/* Waits for a moment that is near, if both threads have a processor. */
static void await_soon(const size_t *word, size_t more_than) {
  size_t looks;
  for (looks = 0; read_now(word) <= more_than; looks++)
    if (looks > 1000) sched_yield();
}

/* Thread 1 updates in line what thread 0 updates out of line, at many moments of its call: both are told that all is well. */
static void updates_beside_another(task *w, barrow_mutator *m) {
  static const barrow_word value[4] = {(barrow_word)&node_info, 0, 0, 7};
  lazy_case *c = (lazy_case *)w->shared;
  size_t i;
  all_come(w, m, &c->come);
  /* No safepoint: the thunks do not move. */
  for (i = 0; i < w->rounds; i++) {
    void *x = at(w, i);
    if (w->number == 0) {
      add_one(&c->waiting);
      if (i % 2 == 0) MUST(w, barrow_update_permanent(m, x, (void *)value) == BARROW_OK);
      if (i % 2 == 1) MUST(w, barrow_update_slow(m, x, (void *)value) == BARROW_OK);
      await_soon(&c->told, i);
    } else {
      volatile size_t moment = i % 211;
      await_soon(&c->waiting, i);
      while (moment > 0) moment = moment - 1;
      MUST(w, barrow_update(m, x, (void *)value) == BARROW_OK);
      add_one(&c->told);
    }
  }
}

static void updates_meet(void) {
  size_t thunks = toy_under_valgrind() ? 100 : slow_share(100000), i;
  toy t = shared_heap("-A32m");
  static node *table;
  static lazy_case c;
  task like = task_of(thunks);
  begin_lazily(&c, NULL, 0);
  table = (node *)toy_array(t.m, thunks);
  CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
  for (i = 0; i < thunks; i++) toy_put(t.m, (void **)&table, i, make_thunk(t.m, NULL, i));
  like.table = &table;
  like.shared = &c;
  in_threads(t, 2, like, updates_beside_another);
  for (i = 0; i < thunks; i++) CHECK_EQ(((node *)barrow_indirectee(barrow_array_elements(table)[i]))->value, 7);
  CHECK_OK(barrow_root_remove(t.heap, &table));
  toy_free(t);
}

/* ---- who reads while another updates ---------------------------------------------------------------------------------- */

/* Thread 0 has found a thunk, and reads its fields after thread 1 has updated it. */
static void reads_behind_an_update(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  const thunk *t = (const thunk *)at(w, 0);
  if (w->number == 0) {
    MUST(w, barrow_info_now(t) == &thunk_info);
    add_one(&c->come);
    while (read_now(&c->waiting) == 0) sched_yield(); /* no safepoint */
    MUST(w, is_indirection(barrow_info_now(t)->kind));
    MUST(w, t->n == 0 && t->more == MORE && t->needs == NULL);
  } else {
    /* No safepoint either: the thunk does not move. */
    static const barrow_word value[2] = {0, 0};
    while (read_now(&c->come) == 0) sched_yield();
    MUST(w, barrow_update(m, (void *)t, (void *)value) == BARROW_OK);
    add_one(&c->waiting);
  }
}

static void fields_stay_readable(void) {
  size_t i;
  for (i = 0; i < flags_tried(); i++) one_thunk(many_flags[i], 2, reads_behind_an_update);
}

/* ---- CAFs --------------------------------------------------------------------------------------------------------------- */

INFO(caf_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, NULL, NULL);
static barrow_word caf[4];

/* Of the threads that enter a CAF one evaluates it; the others wait for its blackhole. */
static void enters_the_caf(task *w, barrow_mutator *m) {
  lazy_case *c = (lazy_case *)w->shared;
  struct { barrow_frame frame; void *hole; } r;
  const node *value = NULL;
  node *made;
  BARROW_ENTER(m, r);
  all_come(w, m, &c->come);
  while (!value) {
    if (barrow_info_now(caf) == &caf_info) {
      barrow_word *at = barrow_alloc(m, 2);
      at[0] = (barrow_word)barrow_table(w->heap, BARROW_CAF_BLACKHOLE);
      at[1] = 0;
      r.hole = at;
      if (barrow_new_caf(m, caf, r.hole) != BARROW_OK) continue;
      add_one(&c->evaluations[0]);
      /* This mutator's own, as if it had claimed it. */
      MUST(w, barrow_indirectee(r.hole) == (void *)barrow_window_of(m)->owner);
      MUST(w, w->failures || barrow_wait_for(m, r.hole) == BARROW_E_LOOP);
      sched_yield();
      made = toy_node(m, NULL, NULL, 21); /* may move the hole, so it comes before the call whose argument that is */
      MUST(w, barrow_update(m, r.hole, made) == BARROW_OK);
    }
    value = force(w, m, barrow_indirectee(caf));
  }
  MUST(w, value->value == 21);
  BARROW_LEAVE(m, r);
}

static void cafs_are_entered_once(void) {
  size_t i, round;
  for (i = 0; i < flags_tried(); i++) {
    toy t = shared_heap(many_flags[i]);
    void *cafs[1] = {caf};
    memset(caf, 0, sizeof caf);
    caf[0] = (barrow_word)&caf_info;
    CHECK_OK(barrow_statics_add(t.heap, cafs, 1, true));
    for (round = 0; round < slow_share(10); round++) {
      static lazy_case c;
      task like = task_of(0);
      begin_lazily(&c, NULL, 0);
      like.shared = &c;
      in_threads(t, 4, like, enters_the_caf);
      CHECK_EQ(c.evaluations[0], 1);
      CHECK_EQ(c.told, 0);
      CHECK_OK(barrow_revert_cafs(t.m));
    }
    toy_free(t);
  }
}

/* 0 in the word of a thunk says that nobody has claimed it, so no value is NULL where others may claim it. */
static void values_are_objects(void) {
  static const char *const flags[] = {"", "-DS", "-c", "--source=chunks"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    struct { barrow_frame frame; thunk *x; node *value; } r;
    BARROW_ENTER(t.m, r);
    r.x = make_thunk(t.m, NULL, 1);
    REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, NULL));
    CHECK(strstr(barrow_last_error(), "nobody has claimed it") != NULL);
    REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, r.x, NULL));
    REFUSED(BARROW_E_ARG, barrow_update_permanent(t.m, r.x, NULL));
    REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, r.x));
    REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, (char *)r.x + 1));
    CHECK(barrow_info_now(r.x) == &thunk_info);
    CHECK(barrow_claim(t.m, r.x));
    REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, NULL));
    CHECK(barrow_indirectee(r.x) == (void *)barrow_window_of(t.m)->owner);
    r.value = toy_node(t.m, NULL, NULL, 8);
    CHECK_OK(barrow_update(t.m, r.x, r.value));
    REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, NULL)); /* after an update as well */
    CHECK_EQ(((node *)barrow_indirectee(r.x))->value, 8);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* ---- one mutator ------------------------------------------------------------------------------------------------------- */

static void claims_with_one_mutator(void) {
  static const char *const flags[] = {"", "-DS", "-c", "--source=chunks"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    struct { barrow_frame frame; thunk *x; node *value; } r;
    BARROW_ENTER(t.m, r);
    r.x = make_thunk(t.m, NULL, 1);
    CHECK_OK(barrow_wait_for(t.m, r.x));
    CHECK_OK(barrow_wait_for(t.m, NULL));
    CHECK(barrow_claim(t.m, r.x));
    CHECK(r.x->n == 1 && r.x->more == MORE); /* for its code, which runs now */
    CHECK(!barrow_claim(t.m, r.x) && !barrow_claim_slow(t.m, r.x));
    CHECK_EQ(barrow_info_of(r.x)->kind, BARROW_BLACKHOLE);
    CHECK(barrow_indirectee(r.x) == (void *)barrow_window_of(t.m)->owner);
    REFUSED(BARROW_E_LOOP, barrow_wait_for(t.m, r.x));
    CHECK_OK(barrow_collect(t.m, true));
    REFUSED(BARROW_E_LOOP, barrow_wait_for(t.m, r.x));
    r.value = toy_node(t.m, NULL, NULL, 8);
    CHECK_OK(barrow_update(t.m, r.x, r.value));
    CHECK_OK(barrow_wait_for(t.m, r.x));
    CHECK_EQ(((node *)barrow_indirectee(r.x))->value, 8);
    r.x = make_thunk(t.m, NULL, 1);
    CHECK_OK(barrow_blackhole(t.m, r.x));
    CHECK(!barrow_claim(t.m, r.x));
    REFUSED(BARROW_E_LOOP, barrow_wait_for(t.m, r.x)); /* nobody else is there who could evaluate it */
    CHECK(!barrow_claim_slow(t.m, r.value));
    ANSWERS(false, barrow_claim_slow(t.m, &t));
    ANSWERS(false, barrow_claim_slow(t.m, NULL));
    ANSWERS(false, barrow_claim_slow(NULL, r.value));
    REFUSED(BARROW_E_ARG, barrow_wait_for(NULL, r.x));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Where claims come out of line the fields of a thunk are there as well, wherever it lies, until something may collect. */
static void fields_stay_after_a_claim(void) {
  static const char *const flags[] = {"-DS", "-DS -c", "-DS --source=chunks", "-hb -ib64 -pothreads_lazy", "--space=threads_lazy.space",
                                      "--mutators=2 -DS"};
  barrow_ticky counters;
  size_t i, how;
  memset(&counters, 0, sizeof counters);
  counters.size = (uint32_t)sizeof counters;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    for (how = 0; how < 4 && !check_failures; how++) {
      struct { barrow_frame frame; thunk *x, *below; node *value; } r;
      size_t words = barrow_thunk_words(3);
      BARROW_ENTER(t.m, r);
      r.below = make_thunk(t.m, NULL, 2);
      CHECK(how != 3 || barrow_reserve(t.m, 2 * words));
      r.x = (thunk *)(how == 0   ? barrow_alloc(t.m, words)
                      : how == 1 ? barrow_allocate(t.m, words)
                      : how == 2 ? barrow_allocate_pinned(t.m, words, 8, 0)
                                 : barrow_bump(t.m, words));
      r.x->header = (barrow_word)&thunk_info;
      r.x->result = 0;
      /* Behind a blackhole in a block that is taken word by word, the first word that is not 0 would be a wild header. */
      r.x->needs = how == 3 ? NULL : r.below;
      r.x->n = 1;
      r.x->more = MORE;
      CHECK(barrow_claim(t.m, r.x));
      CHECK(r.x->needs == (how == 3 ? NULL : r.below) && r.x->n == 1 && r.x->more == MORE);
      /* The first is refused without a profile of the heap; neither collects. */
      (void)barrow_profile_mark(t.m);
      CHECK_OK(barrow_ticky_counters(t.m, &counters));
      CHECK(r.x->needs == (how == 3 ? NULL : r.below) && r.x->n == 1 && r.x->more == MORE);
      if (how % 2 == 0) CHECK_OK(barrow_check(t.m));
      r.value = toy_node(t.m, NULL, NULL, 8);
      CHECK_OK(barrow_update(t.m, r.x, r.value));
      CHECK_OK(barrow_collect(t.m, how == 1));
      CHECK_OK(barrow_check(t.m));
      BARROW_LEAVE(t.m, r);
    }
    toy_free(t);
  }
  remove("threads_lazy.hp");
  remove("threads_lazy.space");
}

int main(void) {
  bool slow = getenv("BARROW_TEST_VALGRIND") || getenv("BARROW_TEST_FLAGS");
  RUN(values_are_objects);
  RUN(fields_stay_after_a_claim);
  if (check_failures) return DONE; /* a damaged heap would be gone on with */
  RUN(claims_with_one_mutator);
  waits_end_within(slow ? 1000 : 60);
  RUN(rings_are_told);
  RUN(stacks_change_threads);
  waits_end_within(slow ? 2000 : 300);
  RUN(exceptions_reach_who_waits);
  RUN(a_claim_without_its_mutator_is_told);
  RUN(blackholes_of_nobody_are_waited_for);
  RUN(updates_meet);
  RUN(fields_stay_readable);
  RUN(cafs_are_entered_once);
  RUN(claimed_thunks_are_evaluated_once);
  RUN(unclaimed_thunks_have_one_value);
  return DONE;
}
