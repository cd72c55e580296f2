/* Forms in line from eight threads at once: those of barrow/inline.h and barrow/ticky.h that no other program of threads has
 * (threads_values.c has words that are values). Fields where all threads store and exchange at the same time have the outcome that steps one after the other have,
 * and counts add up. tests/header_threads.rs reads the names that stand here. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#define BARROW_TICKY
#include "from_eight.h"
#include <barrow/ticky.h>

INFO(pairs_info, BARROW_STRUCTS, 0, 0, 0, 2, 1, NULL, NULL);
INFO(sized_info, BARROW_SIZED, 0, 0, 0, 1, 0, NULL, NULL);
INFO(frame_info, BARROW_RETURN_FRAME, 0, 0, 1, 1, 1, NULL, NULL);

/* What all threads share: registered roots. */
enum { CELL, COUNT, SHARED };
static void *shared[SHARED];

static toy sharing(barrow_config *config, const char *flags) {
  toy t = heap_of_eight(config, flags);
  memset(shared, 0, sizeof shared);
  CHECK_OK(barrow_root_add(t.heap, "shared", shared, SHARED, false));
  return t;
}

static void sharing_ends(toy t) {
  CHECK_OK(barrow_root_remove(t.heap, shared));
  toy_free(t);
}

static size_t rounds_with(const char *flags, size_t rounds) {
  return strstr(flags, "-DS") ? rounds / 10 + 1 : slow_share(rounds);
}

/* ---- objects ---------------------------------------------------------------------------------------------------------- */

/* The fast path alone, then the slow one, as compiled code does. */
static node *node_of(task *w, barrow_mutator *m, barrow_word value) {
  barrow_word *at = barrow_try_alloc(m, 4);
  node *n = (node *)(at ? at : barrow_alloc_slow(m, 4));
  if (!n) {
    task_failed(w, "no memory");
    exit(99);
  }
  barrow_set_header(n, &node_info);
  n->left = n->right = NULL;
  n->value = value;
  return n;
}

static void objects(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *old, *one; barrow_word *pairs, *sized, *bytes; void **array; } r;
  barrow_word own = w->number << 32;
  size_t i;
  MUST(w, barrow_pap_words(2) == 5 && barrow_ap_words(2) == 6);
  BARROW_ENTER(m, r);
  r.old = node_of(w, m, own);
  barrow_set_header(r.old, &cell_info);
  for (i = 0; i < w->rounds; i++) {
    struct { barrow_frame frame; node *inner; } lost;
    barrow_frame *frames = barrow_frames_save(m);
    MUST(w, frames == &r.frame);
    r.one = node_of(w, m, own + i);
    r.pairs = barrow_alloc(m, barrow_structs_words(2, 2));
    r.pairs[0] = (barrow_word)&pairs_info, r.pairs[1] = 2;
    r.pairs[2] = r.pairs[4] = (barrow_word)r.one;
    r.pairs[3] = r.pairs[5] = 2 * i + 1;
    r.sized = barrow_alloc(m, barrow_sized_words(&sized_info, 3));
    r.sized[0] = (barrow_word)&sized_info, r.sized[1] = 3;
    r.sized[2] = r.sized[3] = r.sized[4] = i;
    r.bytes = (barrow_word *)toy_bytes(m, 20);
    memset(barrow_bytes_start(r.bytes), (int)(w->number + 1), 20);
    r.array = (void **)toy_array(m, 150);
    barrow_array_elements(r.array)[149] = r.one;
    /* A plain store, which the barrier follows: nobody else has the object. */
    r.old->left = r.one;
    barrow_barrier(m, r.old, &r.old->left, r.one);
    BARROW_ENTER(m, lost);
    lost.inner = r.one;
    if (i % 8 == w->number) DID(barrow_collect(m, i % 16 == w->number));
    MUST(w, lost.inner == r.one);
    barrow_frames_restore(m, frames);
    DID(barrow_safepoint(m));
    MUST(w, r.old->left == r.one && r.one->value == own + i);
    MUST(w, r.pairs[2] == (barrow_word)r.one && r.pairs[4] == (barrow_word)r.one && r.pairs[5] == 2 * i + 1);
    MUST(w, r.sized[4] == i && barrow_object_words(w->heap, r.sized) == 5);
    MUST(w, toy_bytes_at(r.bytes)[19] == w->number + 1);
    MUST(w, barrow_array_length(r.array) == 150 && barrow_array_elements(r.array)[149] == (void *)r.one);
    MUST(w, (size_t)r.one - barrow_bdescr_of(r.one)->start < BARROW_BLOCK_BYTES);
  }
  BARROW_LEAVE(m, r);
}

/* Objects of this thread's that begin anew where they are, while all count uses. */
static void made_anew(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *again; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    barrow_word *biography;
    r.again = node_of(w, m, i);
    if (i % 8 == w->number) DID(barrow_collect(m, false));
    barrow_use(m, r.again);
    MUST(w, (*barrow_biography_slow(m, r.again) & BARROW_BIOGRAPHY_STATE_MASK) == BARROW_BIOGRAPHY_USED);
    barrow_record_create(m, r.again);
    biography = barrow_biography_slow(m, r.again);
    MUST(w, (*biography & BARROW_BIOGRAPHY_STATE_MASK) == BARROW_BIOGRAPHY_CREATED);
    MUST(w, (*biography & BARROW_BIOGRAPHY_LAST_MASK) == 0);
    MUST(w, (*biography & BARROW_BIOGRAPHY_CREATE_MASK) >> BARROW_BIOGRAPHY_SHIFT == barrow_window_of(m)->era);
  }
  BARROW_LEAVE(m, r);
}

/* ---- one field, all threads -------------------------------------------------------------------------------------------- */

/* Pushes nodes on one list, and counts them in another field: each exchange that fails is tried again. */
static void pushes(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    node *n = node_of(w, m, w->number << 32 | i), *cell = (node *)shared[CELL], *count;
    do n->left = (node *)BARROW_LOAD_ACQUIRE(&cell->left);
    while (!barrow_cas(m, cell, &cell->left, n->left, n));
    if (n->left) MUST(w, barrow_info_of(n->left) == &node_info && n->left->right == NULL);
    do {
      n = node_of(w, m, 0);
      cell = (node *)shared[COUNT];
      count = (node *)BARROW_LOAD_ACQUIRE(&cell->right);
      n->value = count->value + 1;
    } while (!barrow_cas(m, cell, &cell->right, count, n));
    if (i % 64 == w->number) DID(barrow_collect(m, i % 128 == w->number));
  }
}

static void pushed_with(const char *flags) {
  barrow_config config;
  task like = task_of(rounds_with(flags, 3000));
  size_t next[THREADS], i, found = 0;
  const node *n;
  toy t;
  barrow_config_init(&config);
  t = sharing(&config, flags);
  shared[CELL] = toy_cell(t.m, NULL, NULL, 0);
  shared[COUNT] = toy_cell(t.m, NULL, NULL, 0);
  n = toy_node(t.m, NULL, NULL, 0);
  barrow_write(t.m, shared[COUNT], &((node *)shared[COUNT])->right, (void *)n);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  eight_in(t, like, pushes);
  CHECK_EQ(((node *)shared[COUNT])->right->value, THREADS * like.rounds);
  /* Each thread's nodes are all there, the last one first. */
  for (i = 0; i < THREADS; i++) next[i] = like.rounds;
  for (n = ((node *)shared[CELL])->left; n; n = n->left, found++) {
    size_t thread = n->value >> 32;
    CHECK(thread < THREADS && n->value == (thread << 32 | --next[thread]));
  }
  CHECK_EQ(found, THREADS * like.rounds);
  sharing_ends(t);
}

static void exchanges_from_eight(void) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++) pushed_with(few_flags[i]);
  pushed_with("-A1m --workers=2!");
}

/* ---- stacks, names ----------------------------------------------------------------------------------------------------- */

/* A word of a stack that is old and that nobody runs on is written while all collect. */
static void stacks(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; void *written, *other, *name; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.written = barrow_stack_new(m, NULL, 50);
  r.other = barrow_stack_new(m, NULL, 50);
  DID(barrow_stack_enter(m, r.written));
  MUST(w, barrow_stack_need(m, 3));
  barrow_stack_push(m, &frame_info, 3);
  barrow_window_of(m)->sp[1] = 0, barrow_window_of(m)->sp[2] = w->number;
  DID(barrow_stack_enter(m, r.other));
  for (i = 0; i < w->rounds; i++) {
    node *n = node_of(w, m, i);
    barrow_stack *s = (barrow_stack *)r.written;
    barrow_word *words = (barrow_word *)(s + 1) + s->top;
    MUST(w, words[2] == w->number && (i == 0 || ((node *)words[1])->value == i - 1));
    barrow_stack_dirty(m, s);
    words[1] = (barrow_word)n;
    if (i % 8 == w->number) DID(barrow_collect(m, i % 64 == w->number));
    r.name = barrow_stable_name(m, shared[CELL]);
    MUST(w, barrow_stable_name_number(r.name) == ((size_t *)w->shared)[0]);
  }
  DID(barrow_stack_enter(m, r.written));
  MUST(w, barrow_stack_top(m) == &frame_info);
  barrow_stack_pop(m, 3);
  DID(barrow_stack_enter(m, NULL));
  BARROW_LEAVE(m, r);
}

static void stacks_with(const char *flags) {
  struct { barrow_frame frame; void *name; } r;
  barrow_config config;
  task like = task_of(rounds_with(flags, 300));
  size_t number;
  toy t;
  barrow_config_init(&config);
  t = sharing(&config, flags);
  BARROW_ENTER(t.m, r);
  shared[CELL] = toy_node(t.m, NULL, NULL, 0);
  r.name = barrow_stable_name(t.m, shared[CELL]);
  number = barrow_stable_name_number(r.name);
  like.shared = &number;
  eight_in(t, like, stacks);
  BARROW_LEAVE(t.m, r);
  sharing_ends(t);
}

static void stacks_from_eight(void) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++) stacks_with(few_flags[i]);
}

/* ---- counts ------------------------------------------------------------------------------------------------------------- */

static barrow_cc outer = BARROW_CC("outer", "Main", NULL), caller = BARROW_CC("caller", "Main", NULL);
static barrow_ticky_function counted = BARROW_COUNTED_FUNCTION("counted", "Main", &outer);

/* Bytes in the caller's centre, and in that of a function which was made in another one. */
static void costs(task *w, barrow_mutator *m) {
  barrow_ccs *main_stack = barrow_ccs_current(m), *lexical, *before, *callers = main_stack;
  barrow_word *made = (barrow_word *)w->shared, all = 0, inside = 0;
  size_t i;
  before = barrow_ccs_enter(m, &outer);
  lexical = barrow_ccs_current(m);
  MUST(w, before == main_stack && barrow_cost_of(m, lexical)->entries == 1);
  barrow_ccs_leave(m, before);
  for (i = 0; i < w->rounds; i++) {
    barrow_word now = w->made;
    before = barrow_ccs_enter(m, &caller);
    tree(w, m, 3, 1);
    all += w->made - now, now = w->made;
    callers = barrow_ccs_enter_function(m, lexical);
    MUST(w, callers != lexical && barrow_ccs_current(m) != callers);
    barrow_count_call(m, &counted);
    tree(w, m, 4, 1);
    inside += w->made - now;
    barrow_ccs_leave(m, callers);
    MUST(w, barrow_ccs_current(m) == callers && barrow_cost_of(m, callers)->entries == i + 1);
    barrow_ccs_leave(m, before);
  }
  MUST(w, barrow_cost_of(m, callers)->bytes == all);
  __atomic_add_fetch(&made[0], all, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&made[1], inside, __ATOMIC_SEQ_CST);
}

/* Objects that code counts as it makes them, of each sort once in a round. */
static void ticks(task *w, barrow_mutator *m) {
  uint64_t own[3] = {0, 0, 0}, *all = (uint64_t *)w->shared;
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    BARROW_TICKY_ADD(m, ent_bh_ctr, 3);
    BARROW_TICKY_ALLOC_OF(m, &counted, 2);
    BARROW_TICKY_ALLOC_HEAP(m, 5);
    BARROW_TICKY_ALLOC_FUN(m, 2, 0);
    BARROW_TICKY_ALLOC_UP_THK(m, 3, 1);
    BARROW_TICKY_ALLOC_SE_THK(m, 3, 0);
    BARROW_TICKY_ALLOC_CON(m, 3, 0);
    BARROW_TICKY_ALLOC_TUP(m, 7, 0);
    BARROW_TICKY_ALLOC_BH(m, 2, 0);
    BARROW_TICKY_ALLOC_PRIM(m, 9, 0);
    BARROW_TICKY_ALLOC_PAP(m, 4, 0);
    BARROW_TICKY_ALLOC_TSO(m, 5, 0);
    BARROW_TICKY_COUNT_N(m, ret_new, i);
    BARROW_TICK(own, 0);
    if (barrow_tick_decision_shared(all, 1, barrow_tick_decision(own, 1, i % 3 == 0))) BARROW_TICK_SHARED(all, 0);
    if (i % 100 == 0) DID(barrow_safepoint(m));
  }
  MUST(w, own[0] == w->rounds && own[1] == (w->rounds + 2) / 3 && own[1] + own[2] == w->rounds);
}

static void costs_add_up(void) {
  static barrow_cost_row rows[20];
  barrow_config config;
  barrow_word made[2] = {0, 0}, bytes = 0, inside = 0;
  task like = task_of(slow_share(1000));
  barrow_ticky_row_t row;
  size_t count = 0, i;
  toy t;
  barrow_config_init(&config);
  t = heap_of_eight(&config, "-A256k");
  like.shared = made;
  eight_in(t, like, costs);
  rows[0].size = (uint32_t)sizeof rows[0];
  CHECK_OK(barrow_costs(t.m, rows, 20, &count));
  for (i = 0; i < count && i < 20; i++) {
    if (strcmp(rows[i].label, "caller") == 0) bytes += rows[i].bytes;
    if (strcmp(rows[i].label, "outer") == 0) inside += rows[i].bytes;
  }
  CHECK_EQ(bytes, made[0]);
  CHECK_EQ(inside, made[1]);
  memset(&row, 0, sizeof row), row.size = (uint32_t)sizeof row;
  CHECK_OK(barrow_ticky_functions(t.m, &row, 1, &count));
  CHECK_EQ(row.entries, THREADS * like.rounds);
  toy_free(t);
}

static void ticks_add_up(void) {
  barrow_config config;
  uint64_t decided[3] = {0, 0, 0};
  task like = task_of(slow_share(30000));
  barrow_word all = THREADS * like.rounds, word = sizeof(barrow_word);
  barrow_ticky_row_t row;
  barrow_ticky c;
  size_t count = 0;
  toy t;
  barrow_config_init(&config);
  t = heap_of_eight(&config, "-A256k");
  like.shared = decided;
  eight_in(t, like, ticks);
  CHECK_EQ(decided[0], THREADS * ((like.rounds + 2) / 3));
  CHECK_EQ(decided[1], decided[0]);
  CHECK_EQ(decided[1] + decided[2], all);
  memset(&c, 0, sizeof c), c.size = (uint32_t)sizeof c;
  CHECK_OK(barrow_ticky_counters(t.m, &c));
  CHECK_EQ(c.ent_bh_ctr, 3 * all);
  CHECK_EQ(c.alloc_heap_tot, 5 * all * word);
  CHECK_EQ(c.alloc_fun_ctr, all);
  CHECK_EQ(c.alloc_up_thk_ctr, all);
  CHECK_EQ(c.alloc_se_thk_ctr, all);
  CHECK_EQ(c.alloc_con_gds, 3 * all * word);
  CHECK_EQ(c.alloc_tup_gds, 7 * all * word);
  CHECK_EQ(c.alloc_bh_ctr, all);
  CHECK_EQ(c.alloc_prim_gds, 9 * all * word);
  CHECK_EQ(c.alloc_pap_ctr, all);
  CHECK_EQ(c.alloc_tso_ctr, all);
  CHECK_EQ(c.ret_new_ctr, all);
  CHECK_EQ(c.ret_new_hst[0], THREADS);
  memset(&row, 0, sizeof row), row.size = (uint32_t)sizeof row;
  CHECK_OK(barrow_ticky_functions(t.m, &row, 1, &count));
  CHECK_EQ(row.allocated_of, 2 * all * word);
  toy_free(t);
}

static void objects_from_eight(void) { in_each_heap(200, objects); }

static void made_anew_from_eight(void) {
  static const char *const flags[] = {"-hb -i0 -A256k -pothreads-inline", "-hb -i0 -A256k -DS --marks=off -pothreads-inline"};
  size_t i;
  for (i = 0; i < 2; i++) {
    from_eight(flags[i], rounds_with(flags[i], 200), made_anew);
    remove("threads-inline.hp");
  }
}

int main(void) {
  RUN(objects_from_eight);
  RUN(made_anew_from_eight);
  RUN(exchanges_from_eight);
  RUN(stacks_from_eight);
  RUN(costs_add_up);
  RUN(ticks_add_up);
  return DONE;
}
