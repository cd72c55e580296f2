/* Stack objects in eight threads: each thread runs on one of its own, which it grows, cuts, captures and puts back, while all of
 * them collect, and hands parts of it to the next thread. Green threads run now in one thread and now in another, and a stack is as
 * its thread has left it when that detaches or ends. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "frames.h"
#include "tasks.h"
#include <unistd.h>

enum { THREADS = 8, DEPTH = 100 };

static const char *const many_flags[] = {"-A256k", "-DS -A256k -kc1k", "-c -A256k -kc1k", "--old=copy -A256k",
                                         "-A256k --workers=3!", "--source=chunks -A256k --squeeze -kc2k"};
enum { FLAGS = sizeof many_flags / sizeof *many_flags };

/* Frames from a prompt on, by their numbers. */
static void push_part(task *w, barrow_mutator *m, barrow_word number, size_t depth) {
  size_t i;
  MUST(w, push_frame(m, &prompt_info, number));
  for (i = 1; i <= depth; i++) MUST(w, push_frame(m, &call_info, number + i));
}
/* The frames above the prompt, which are what is captured. */
static void pop_part(task *w, barrow_mutator *m, barrow_word number, size_t depth) {
  for (; depth > 0; depth--) MUST(w, pop_frame(m) == number + depth);
}

/* The numbers of a part tell whose it is. */
static barrow_word number_of(size_t thread) { return 1000000 * (thread + 1); }

static void runs_on_stacks(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; void *part, *theirs; } r;
  barrow_word own = number_of(w->number);
  size_t i, next = (w->number + 1) % w->count;
  BARROW_ENTER(m, r);
  MUST(w, barrow_stack_enter(m, barrow_stack_new(m, NULL, 20)) == BARROW_OK);
  for (i = 0; i < w->rounds; i++) {
    barrow_word *prompt;
    size_t depth = 1 + (w->number + i) % DEPTH;
    MUST(w, barrow_stack_reserve(m, 50 + i % 200));
    if (i % 8 == 1) MUST(w, barrow_stack_grow(m, 300));
    push_part(w, m, own + 7, 3);
    push_part(w, m, own, depth);
    if (i % THREADS == w->number) MUST(w, barrow_collect(m, i % 3 == 0) == BARROW_OK);
    prompt = barrow_stack_find(m, &prompt_info, NULL);
    MUST(w, prompt != NULL && prompt[2] == own);
    r.part = barrow_stack_capture(m, prompt);
    MUST(w, r.part != NULL && barrow_stack_check(m, r.part) == BARROW_OK);
    /* A part that is shared stays as it is, whoever puts it on a stack. */
    barrow_write(m, *w->table, &barrow_array_elements(*w->table)[w->number], r.part);
    prompt = barrow_stack_find(m, &prompt_info, NULL);
    MUST(w, barrow_stack_cut(m, prompt) == BARROW_OK);
    MUST(w, pop_frame(m) == own);
    r.theirs = __atomic_load_n(&barrow_array_elements(*w->table)[next], __ATOMIC_ACQUIRE);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    if (r.theirs) {
      barrow_word theirs = number_of(next), newest;
      MUST(w, barrow_stack_reinstate(m, r.theirs));
      newest = barrow_window_of(m)->sp[2];
      MUST(w, newest > theirs && newest <= theirs + DEPTH);
      pop_part(w, m, theirs, newest > theirs ? newest - theirs : 0);
    }
    MUST(w, barrow_stack_reinstate(m, r.part));
    pop_part(w, m, own, depth);
    pop_part(w, m, own + 7, 3);
    MUST(w, pop_frame(m) == own + 7);
  }
  MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
  BARROW_LEAVE(m, r);
}

/* ---- green threads ----------------------------------------------------------------------------------------------------- */

INFO(thread_info, BARROW_THREAD, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);
enum { GREEN = 12 };

/* A green thread's state outside of the heap, which belongs to the thread that runs it. */
typedef struct green {
  int runs;
  size_t depth, turns; /* frames; times that it ran */
} green;

/* Runs a green thread for a while: some frames are popped and pushed, and each has the number of its place. */
static void take_a_turn(task *w, barrow_mutator *m, green *g, size_t which, barrow_word random) {
  size_t pop = random % 40, more = (random >> 8) % 60;
  MUST(w, barrow_thread_enter(m, barrow_array_elements(*w->table)[which]) == BARROW_OK);
  for (; pop > 0 && g->depth > 0; pop--) MUST(w, pop_frame(m) == 1000 * which + --g->depth);
  for (; more > 0 && g->depth < 500; more--) MUST(w, push_frame(m, &call_info, 1000 * which + g->depth++));
  if (random >> 20 & 1) MUST(w, barrow_safepoint(m) == BARROW_OK);
  MUST(w, barrow_thread_leave(m, barrow_array_elements(*w->table)[which]) == BARROW_OK);
  g->turns++;
}

static void runs_green_threads(task *w, barrow_mutator *m) {
  green *all = (green *)w->shared;
  barrow_word random = w->number * 7919 + 1;
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    size_t which;
    random = random * 6364136223846793005u + 1442695040888963407u;
    which = (random >> 33) % GREEN;
    if (!__atomic_exchange_n(&all[which].runs, 1, __ATOMIC_ACQUIRE)) {
      take_a_turn(w, m, &all[which], which, random >> 36);
      __atomic_store_n(&all[which].runs, 0, __ATOMIC_RELEASE);
    }
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    if (i % 40 == w->number) MUST(w, barrow_collect(m, i % 3 == 0) == BARROW_OK);
  }
}

static void *green_thread(barrow_mutator *m) {
  struct { barrow_frame frame; void *stack; } r;
  barrow_word *made;
  BARROW_ENTER(m, r);
  r.stack = barrow_stack_new(m, NULL, 30);
  made = barrow_alloc(m, 4);
  made[0] = (barrow_word)&thread_info;
  made[1] = (barrow_word)r.stack;
  made[2] = made[3] = 0;
  BARROW_LEAVE(m, r);
  return made;
}

/* ---- heaps ------------------------------------------------------------------------------------------------------------- */

static node *table; /* a registered root: an array with what threads share */

/* Runs a body in eight threads, in each heap, with a table of so many objects that `make` gives, or of nothing. */
static void from_eight(void (*body)(task *, barrow_mutator *), size_t rounds, size_t slots, void *(*make)(barrow_mutator *),
                       green *all) {
  size_t i, k;
  for (i = 0; i < FLAGS; i++) {
    toy t = shared_heap(many_flags[i]);
    task like = task_of(strstr(many_flags[i], "-DS") ? rounds / 10 : slow_share(rounds));
    size_t turns = 0;
    if (all) memset(all, 0, slots * sizeof *all);
    table = (node *)toy_array(t.m, slots);
    CHECK_OK(barrow_root_add(t.heap, "table", &table, 1, false));
    for (k = 0; make && k < slots; k++) toy_put(t.m, (void **)&table, k, make(t.m));
    like.table = &table;
    like.shared = all;
    in_threads(t, THREADS, like, body);
    for (k = 0; all && k < slots; k++) turns += all[k].turns;
    CHECK(!all || turns > like.rounds);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_root_remove(t.heap, &table));
    toy_free(t);
  }
}

/* ---- a thread that goes while it runs on a stack ---------------------------------------------------------------------------- */

INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);
INFO(update_info, BARROW_UPDATE_FRAME, 0, 0, 1, 0, 0, NULL, NULL);
enum { PUSHED = 150, POPPED = 120, LEFT = 70 }; /* frames */
enum { DETACHES, ENDS, ENDS_IN_FOREIGN_CODE, WAYS };

/* Goes in some way, with new frames since the last collection, or with fewer than it has seen. */
static void goes_on_a_stack(task *w, barrow_mutator *m) {
  size_t i, way = w->rounds / 2, kept = w->rounds % 2 ? PUSHED - POPPED : 0;
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[0]) == BARROW_OK);
  if (kept) {
    for (i = 0; i < PUSHED; i++) MUST(w, push_frame(m, &call_info, i));
    MUST(w, barrow_collect(m, true) == BARROW_OK);
    for (i = 0; i < POPPED; i++) MUST(w, pop_frame(m) == PUSHED - 1 - i);
  }
  for (i = kept; i < LEFT; i++) MUST(w, push_frame(m, &call_info, i));
  /* A stack that has grown is its newest chunk. */
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[0], barrow_window_of(m)->stack);
  if (way == DETACHES) MUST(w, barrow_detach(m) == BARROW_OK);
  if (way == ENDS_IN_FOREIGN_CODE) MUST(w, barrow_enter_foreign(m) == BARROW_OK);
}

static void finds_the_frames(task *w, barrow_mutator *m) {
  size_t i;
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[0]) == BARROW_OK);
  MUST(w, barrow_stack_check(m, barrow_window_of(m)->stack) == BARROW_OK);
  for (i = LEFT; i > 0; i--) MUST(w, pop_frame(m) == i - 1);
  MUST(w, pop_frame(m) == (barrow_word)-1);
  MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
}

/* The thunk of an update frame on such a stack is marked as under evaluation: what it refers to may die. */
static void goes_in_a_thunk(task *w, barrow_mutator *m) {
  barrow_word *thunk = barrow_alloc(m, barrow_thunk_words(3));
  thunk[0] = (barrow_word)&thunk_info;
  thunk[1] = thunk[2] = thunk[3] = thunk[4] = 0;
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[1], thunk);
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[0]) == BARROW_OK);
  barrow_stack_push(m, &update_info, 2)[1] = (barrow_word)barrow_array_elements(*w->table)[1];
}

static void left_in(const char *flags, size_t words, size_t how) {
  static node *held; /* a registered root */
  toy t = shared_heap(flags);
  task like = task_of(how);
  held = (node *)toy_array(t.m, 1);
  CHECK_OK(barrow_root_add(t.heap, "held", &held, 1, false));
  toy_put(t.m, (void **)&held, 0, barrow_stack_new(t.m, NULL, words));
  if (how / 2 == ENDS) CHECK_OK(barrow_collect(t.m, true)); /* the stack is old */
  like.table = &held;
  like.stays = 1;
  in_threads(t, 1, like, goes_on_a_stack);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  toy_list(t.m, 1000);
  CHECK_OK(barrow_check(t.m));
  like.stays = 0;
  in_threads(t, 1, like, finds_the_frames);
  CHECK_OK(barrow_root_remove(t.heap, &held));
  toy_free(t);
}

static void a_stack_is_as_its_thread_has_left_it(void) {
  size_t i, how;
  for (i = 0; i < FLAGS; i++)
    for (how = 0; how < 2 * WAYS; how++) {
      left_in(many_flags[i], 1000, how);
      left_in(many_flags[i], 40, how); /* in several chunks */
    }
}

/* The window's sp is of no stack: a detach is refused, and the end of the thread leaves no frames, for want of a top. */
static void goes_with_a_wild_top(task *w, barrow_mutator *m) {
  barrow_word *top, wild = 0;
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[0]) == BARROW_OK);
  MUST(w, push_frame(m, &call_info, 1));
  top = barrow_window_of(m)->sp;
  barrow_window_of(m)->sp = &wild;
  MUST(w, barrow_detach(m) == BARROW_E_ARG);
  MUST(w, strstr(barrow_last_error(), "the window's sp") != NULL);
  if (w->rounds == ENDS) return;
  barrow_window_of(m)->sp = top;
  MUST(w, barrow_detach(m) == BARROW_OK);
}

static void frames_are_kept_or_told_of(void) {
  int before = dup(2);
  char words[400];
  size_t length;
  FILE *told;
  toy t = shared_heap("-A1m");
  task like = task_of(DETACHES);
  static node *held;
  held = (node *)toy_array(t.m, 2);
  CHECK_OK(barrow_root_add(t.heap, "held", &held, 1, false));
  toy_put(t.m, (void **)&held, 0, barrow_stack_new(t.m, NULL, 100));
  like.table = &held;
  in_threads(t, 1, like, goes_in_a_thunk);
  CHECK_EQ(barrow_info_of(barrow_array_elements(held)[1])->kind, BARROW_BLACKHOLE);
  CHECK_OK(barrow_stack_enter(t.m, barrow_array_elements(held)[0]));
  barrow_stack_pop(t.m, 2);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  like.stays = 1;
  in_threads(t, 1, like, goes_with_a_wild_top);
  CHECK_OK(barrow_stack_enter(t.m, barrow_array_elements(held)[0]));
  CHECK_EQ(pop_frame(t.m), 1);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  like.rounds = ENDS;
  fflush(stderr);
  CHECK(freopen("threads_stacks.words", "w", stderr) != NULL);
  in_threads(t, 1, like, goes_with_a_wild_top);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  told = fopen("threads_stacks.words", "r");
  length = told ? fread(words, 1, sizeof words - 1, told) : 0;
  if (told) fclose(told);
  words[length] = 0;
  remove("threads_stacks.words");
  CHECK(strstr(words, "frames are lost") != NULL && strstr(words, "the window's sp") != NULL);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_stack_enter(t.m, barrow_array_elements(held)[0]));
  CHECK_EQ(pop_frame(t.m), (barrow_word)-1);
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  CHECK_OK(barrow_root_remove(t.heap, &held));
  toy_free(t);
}

/* ---- broken chains of others ------------------------------------------------------------------------------------------ */

enum { FRAMES, SP, CHAIN };

/* The thread that has collected last. */
static barrow_word collected_by;
static void note_thread(void *client, const barrow_event *event) {
  (void)client;
  collected_by = event->thread;
}

typedef struct broken {
  size_t is_broken, is_told;
  barrow_mutator *m;
  barrow_word thread;
} broken;

/* Breaks what collections look at, and leaves for foreign code. */
static void breaks_its_frames(task *w, barrow_mutator *m) {
  broken *b = (broken *)w->shared;
  barrow_window *window = barrow_window_of(m);
  static barrow_word odd[4];
  barrow_word *sp;
  void *chain = odd;
  MUST(w, barrow_collect(m, true) == BARROW_OK);
  b->m = m;
  b->thread = collected_by;
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[0]) == BARROW_OK);
  sp = window->sp;
  odd[1] = w->rounds == FRAMES ? 1u << 30 : 0; /* too many roots, or no map */
  if (w->rounds == FRAMES) window->frames = (barrow_frame *)odd;
  if (w->rounds == SP) window->sp = odd;
  if (w->rounds == CHAIN) MUST(w, barrow_attach_llvm_frames(m, &chain) == BARROW_OK);
  MUST(w, barrow_enter_foreign(m) == BARROW_OK);
  __atomic_store_n(&b->is_broken, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&b->is_told, __ATOMIC_ACQUIRE)) sched_yield();
  MUST(w, barrow_leave_foreign(m) == BARROW_OK);
  window->frames = NULL;
  window->sp = sp;
  MUST(w, barrow_attach_llvm_frames(m, NULL) == BARROW_OK);
  MUST(w, barrow_collect(m, true) == BARROW_OK);
  MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
}

static void *breaks_in_a_thread(void *given) {
  task_runs((task *)given);
  return NULL;
}

/* A collection says whose frames are broken, not only to whom it is told. */
static void broken_chains_have_a_name(void) {
  static const char *const sentences[] = {"shadow-stack frame 0", "the window's sp", "LLVM's chain"};
  static node *held;
  barrow_config config;
  toy t;
  size_t which;
  barrow_config_init(&config);
  config.event = note_thread;
  t = toy_new_with(&config, "--mutators=2 -A1m");
  held = (node *)toy_array(t.m, 1);
  CHECK_OK(barrow_root_add(t.heap, "held", &held, 1, false));
  toy_put(t.m, (void **)&held, 0, barrow_stack_new(t.m, NULL, 100));
  for (which = 0; which < 3; which++) {
    broken b;
    task w = task_of(which);
    pthread_t thread;
    char name[100];
    memset(&b, 0, sizeof b);
    w.heap = t.heap;
    w.table = &held;
    w.body = breaks_its_frames;
    w.shared = &b;
    CHECK_OK(barrow_enter_foreign(t.m));
    CHECK_EQ(pthread_create(&thread, NULL, breaks_in_a_thread, &w), 0);
    while (!__atomic_load_n(&b.is_broken, __ATOMIC_ACQUIRE)) sched_yield();
    CHECK_OK(barrow_leave_foreign(t.m));
    REFUSED(BARROW_E_ARG, barrow_collect(t.m, true));
    sprintf(name, "the mutator %p of thread %lu", (void *)b.m, (unsigned long)b.thread);
    CHECK(strstr(barrow_last_error(), sentences[which]) != NULL);
    CHECK(strstr(barrow_last_error(), name) != NULL);
    CHECK(b.thread != 0);
    CHECK_OK(barrow_enter_foreign(t.m));
    __atomic_store_n(&b.is_told, 1, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_OK(barrow_leave_foreign(t.m));
    CHECK_EQ(w.failures, 0);
  }
  CHECK_OK(barrow_root_remove(t.heap, &held));
  toy_free(t);
}

/* ---- empty chunks -------------------------------------------------------------------------------------------------------- */

/* Where two threads take turns, without a collection: a chunk that one has put by is in the stack that the other one enters. */
enum { NEWEST, MIDDLE, OLDER, OTHER, PLACES };
enum { STAYS_ABOVE, GOES_THERE, GOES_THROUGH, TURNS };

static void grow_in(task *w, barrow_mutator *m, size_t place, size_t words) {
  MUST(w, barrow_stack_grow(m, words));
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[place], barrow_window_of(m)->stack);
}
static void enter_in(task *w, barrow_mutator *m, size_t place) {
  MUST(w, barrow_stack_enter(m, barrow_array_elements(*w->table)[place]) == BARROW_OK);
}
static void pop_one(task *w, barrow_mutator *m, barrow_word number) { MUST(w, pop_frame(m) == number); }

static void puts_by_and_grows(task *w, barrow_mutator *m, size_t *turn) {
  size_t i;
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[OLDER], barrow_stack_new(m, NULL, 40));
  enter_in(w, m, OLDER);
  MUST(w, push_frame(m, &call_info, 1));
  grow_in(w, m, MIDDLE, 60);
  grow_in(w, m, NEWEST, 60);
  MUST(w, push_frame(m, &call_info, 2));
  enter_in(w, m, MIDDLE);
  MUST(w, barrow_stack_underflow(m)); /* the middle one is put by */
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[OTHER], barrow_stack_new(m, NULL, 40));
  enter_in(w, m, OTHER);
  __atomic_store_n(turn, 1, __ATOMIC_SEQ_CST);
  await_all(w, m, turn, 2);
  MUST(w, barrow_stack_grow(m, 30));
  for (i = 0; i < 8; i++) MUST(w, push_frame(m, &call_info, 100 + i));
  __atomic_store_n(turn, 3, __ATOMIC_SEQ_CST);
  await_all(w, m, turn, 4);
  for (i = 8; i > 0; i--) pop_one(w, m, 99 + i);
  pop_one(w, m, (barrow_word)-1);
}

static void runs_where_it_was_put_by(task *w, barrow_mutator *m, size_t *turn) {
  size_t i, count = w->rounds == STAYS_ABOVE ? 0 : 5;
  await_all(w, m, turn, 1);
  enter_in(w, m, NEWEST);
  if (w->rounds != STAYS_ABOVE) {
    pop_one(w, m, 2);
    MUST(w, barrow_stack_underflow(m));
    if (w->rounds == GOES_THROUGH) {
      MUST(w, barrow_stack_underflow(m)); /* this thread puts it by, too, and takes it again */
      MUST(w, barrow_stack_grow(m, 30));
    }
    for (i = 0; i < count; i++) MUST(w, push_frame(m, &call_info, 10 + i));
  }
  __atomic_store_n(turn, 2, __ATOMIC_SEQ_CST);
  await_all(w, m, turn, 3);
  for (i = count; i > 0; i--) pop_one(w, m, 9 + i);
  if (w->rounds == STAYS_ABOVE) pop_one(w, m, 2);
  pop_one(w, m, 1);
  pop_one(w, m, (barrow_word)-1);
  __atomic_store_n(turn, 4, __ATOMIC_SEQ_CST);
}

static void takes_turns(task *w, barrow_mutator *m) {
  (w->number == 0 ? puts_by_and_grows : runs_where_it_was_put_by)(w, m, (size_t *)w->shared);
  MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
}

static void a_chunk_that_another_has_put_by(void) {
  static node *held;
  size_t turns;
  for (turns = 0; turns < TURNS; turns++) {
    toy t = shared_heap("-A4m");
    task like = task_of(turns);
    size_t turn = 0;
    held = (node *)toy_array(t.m, PLACES);
    CHECK_OK(barrow_root_add(t.heap, "held", &held, 1, false));
    like.table = &held;
    like.shared = &turn;
    in_threads(t, 2, like, takes_turns);
    CHECK_OK(barrow_root_remove(t.heap, &held));
    toy_free(t);
  }
}

static void stacks_of_eight(void) { from_eight(runs_on_stacks, 100, THREADS, NULL, NULL); }
static void eight_run_green_threads(void) {
  static green all[GREEN];
  from_eight(runs_green_threads, 1000, GREEN, green_thread, all);
}

int main(void) {
  RUN(stacks_of_eight);
  RUN(eight_run_green_threads);
  RUN(a_stack_is_as_its_thread_has_left_it);
  RUN(frames_are_kept_or_told_of);
  RUN(broken_chains_have_a_name);
  RUN(a_chunk_that_another_has_put_by);
  return DONE;
}
