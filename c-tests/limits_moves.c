/* The overflow hook of calls that never collect: it collects itself, or lets another thread collect, and objects move. The call
 * goes on with its arguments where they are then. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "frames.h"
#include "tasks.h"
#include <setjmp.h>

INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);
INFO(update_info, BARROW_UPDATE_FRAME, 0, 0, 1, 0, 0, NULL, NULL);

enum { COLLECTS, WAITS, JUMPS }; /* the hook */
static struct {
  int how, armed, calls;
  size_t asked, done; /* collections of the other thread */
  jmp_buf out;
} hook;

/* A minor collection moves what is young; a major one may leave it. */
static void collect(barrow_mutator *m) {
  CHECK_OK(barrow_collect(m, false));
  CHECK_OK(barrow_collect(m, true));
}

static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  CHECK(client == &hook && m != NULL && bytes > 0);
  if (!hook.armed) return false;
  if (++hook.calls > 1) return false;
  if (hook.how != WAITS) collect(m);
  if (hook.how == JUMPS) longjmp(hook.out, 1);
  if (hook.how == WAITS) {
    const struct timespec pause = {0, 100000};
    size_t wanted = __atomic_add_fetch(&hook.asked, 1, __ATOMIC_SEQ_CST);
    CHECK_OK(barrow_enter_foreign(m));
    while (__atomic_load_n(&hook.done, __ATOMIC_SEQ_CST) < wanted) nanosleep(&pause, NULL);
    CHECK_OK(barrow_leave_foreign(m));
  }
  return true;
}

/* A dead object of so many words. */
static bool junk(barrow_mutator *m, size_t words) {
  barrow_word *at = barrow_allocate(m, words);
  if (!at) return false;
  at[0] = (barrow_word)&bytes_info;
  at[1] = (words - 2) * sizeof(barrow_word);
  return true;
}

/* Fills the heap with garbage up to the limit: the next call that allocates finds no memory. */
static void exhaust(barrow_mutator *m) {
  size_t words;
  hook.armed = 0;
  for (words = 256; words >= 2; words /= 2)
    while (junk(m, words)) {}
  hook.armed = 1;
  hook.calls = 0;
}

typedef struct roots {
  barrow_frame frame;
  node *key, *value, *finalizer;
  void *made, *part, *stack;
} roots;

static void a_weak_pointer(barrow_mutator *m, roots *r) {
  void *value = NULL, *finalizer = NULL;
  node *before;
  r->value = toy_node(m, NULL, NULL, 2);
  r->finalizer = toy_node(m, NULL, NULL, 3);
  r->key = toy_node(m, NULL, NULL, 1);
  before = r->key;
  exhaust(m);
  r->made = barrow_weak_new(m, r->key, r->value, r->finalizer);
  CHECK(r->made != NULL && hook.calls == 1 && r->key != before);
  CHECK(barrow_weak_key(r->made) == r->key && r->key->value == 1);
  CHECK(barrow_weak_deref(r->made, &value) && value == r->value && r->value->value == 2);
  CHECK_OK(barrow_check(m));
  CHECK_OK(barrow_weak_finalize(m, r->made, &finalizer));
  CHECK(finalizer == r->finalizer && r->finalizer->value == 3);
}

static void a_name(barrow_mutator *m, roots *r) {
  node *before;
  r->key = toy_node(m, NULL, NULL, 1);
  before = r->key;
  exhaust(m);
  r->made = barrow_stable_name(m, r->key);
  CHECK(r->made != NULL && hook.calls == 1 && r->key != before);
  CHECK(barrow_stable_name(m, r->key) == r->made);
  CHECK_OK(barrow_collect(m, true));
  CHECK(barrow_stable_name(m, r->key) == r->made);
}

/* A stack that moves also where objects slide together. */
static void enter_small_stack(barrow_mutator *m, roots *r, size_t words) {
  CHECK(junk(m, 16));
  r->stack = barrow_stack_new(m, NULL, words);
  CHECK_OK(barrow_stack_enter(m, r->stack));
}

enum { SMALL = 100, BELOW = 3, ABOVE = 5 };

static void push_numbers(barrow_mutator *m) {
  barrow_word i;
  for (i = 0; i < BELOW; i++) CHECK(push_frame(m, &call_info, i));
  CHECK(push_frame(m, &prompt_info, 50));
  for (i = 0; i < ABOVE; i++) CHECK(push_frame(m, &call_info, 100 + i));
}

static void pop_numbers(barrow_mutator *m, size_t frames, barrow_word above) {
  for (; frames > 0; frames--) CHECK_EQ(pop_frame(m), above + frames - 1);
}

/* A part from a prompt on, in the newest chunk or, with a smaller one, in the one before. */
static void a_part_of(barrow_mutator *m, roots *r, size_t words) {
  barrow_word *prompt;
  void *before;
  enter_small_stack(m, r, words);
  push_numbers(m);
  before = barrow_window_of(m)->stack;
  prompt = barrow_stack_find(m, &prompt_info, NULL);
  exhaust(m);
  r->made = barrow_stack_capture(m, prompt);
  CHECK(r->made != NULL);
  CHECK_EQ(hook.calls, 1);
  CHECK(barrow_window_of(m)->stack != before);
  pop_numbers(m, ABOVE, 100);
  CHECK_EQ(pop_frame(m), 50);
  pop_numbers(m, BELOW, 0);
  CHECK(barrow_stack_reinstate(m, r->made));
  pop_numbers(m, ABOVE, 100);
  CHECK_EQ(pop_frame(m), (barrow_word)-1);
  CHECK_OK(barrow_stack_enter(m, NULL));
}

static void a_part(barrow_mutator *m, roots *r) { a_part_of(m, r, SMALL); }
static void a_part_in_chunks(barrow_mutator *m, roots *r) { a_part_of(m, r, 3 * FRAME * 3); }

static void a_part_put_back(barrow_mutator *m, roots *r) {
  void *before;
  enter_small_stack(m, r, SMALL);
  push_numbers(m);
  r->part = barrow_stack_capture(m, barrow_stack_find(m, &prompt_info, NULL));
  enter_small_stack(m, r, 4);
  CHECK(r->part != NULL);
  before = r->part;
  exhaust(m);
  CHECK(barrow_stack_reinstate(m, r->part));
  CHECK(hook.calls == 1 && r->part != before);
  CHECK_OK(barrow_check(m));
  pop_numbers(m, ABOVE, 100);
  CHECK_EQ(pop_frame(m), (barrow_word)-1);
  CHECK_OK(barrow_stack_enter(m, NULL));
}

/* Frames that became one while the hook ran: the frame is not told by what is newer any more. */
static void a_part_of_fewer_frames(barrow_mutator *m, roots *r) {
  barrow_word *prompt;
  int i;
  enter_small_stack(m, r, SMALL);
  CHECK(push_frame(m, &prompt_info, 50));
  for (i = 0; i < 3; i++) {
    barrow_word *thunk = barrow_alloc(m, 5);
    memset(thunk, 0, 5 * sizeof *thunk);
    thunk[0] = (barrow_word)&thunk_info;
    r->made = thunk;
    CHECK(barrow_stack_need(m, 2));
    barrow_stack_push(m, &update_info, 2)[1] = (barrow_word)r->made;
  }
  prompt = barrow_stack_find(m, &prompt_info, NULL);
  exhaust(m);
  check_forget();
  CHECK(barrow_stack_capture(m, prompt) == NULL);
  CHECK_EQ(hook.calls, 1);
  check_sentence(__FILE__, __LINE__, "barrow_stack_capture");
  CHECK(strstr(barrow_last_error(), "became one") != NULL);
  prompt = barrow_stack_find(m, &prompt_info, NULL);
  r->made = barrow_stack_capture(m, prompt);
  CHECK(r->made != NULL && barrow_stack_check(m, r->made) == BARROW_OK);
  CHECK_OK(barrow_stack_cut(m, NULL));
  CHECK_OK(barrow_stack_enter(m, NULL));
}

typedef struct other {
  barrow_heap *heap;
  int may_go;
} other;

/* Collects whenever the hook asks. */
static void *collects_for_the_hook(void *given) {
  const struct timespec pause = {0, 100000};
  other *o = (other *)given;
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach(o->heap, &m));
  while (!__atomic_load_n(&o->may_go, __ATOMIC_SEQ_CST)) {
    if (__atomic_load_n(&hook.asked, __ATOMIC_SEQ_CST) > hook.done) {
      collect(m);
      __atomic_add_fetch(&hook.done, 1, __ATOMIC_SEQ_CST);
    }
    CHECK_OK(barrow_enter_foreign(m));
    nanosleep(&pause, NULL);
    CHECK_OK(barrow_leave_foreign(m));
  }
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static toy limited(const char *flags, int how) {
  barrow_config config;
  barrow_config_init(&config);
  memset(&hook, 0, sizeof hook);
  hook.how = how;
  config.overflow = overflow;
  config.client = &hook;
  return toy_new_with(&config, flags);
}

static void one(const char *flags, int how, void (*body)(barrow_mutator *, roots *)) {
  toy t = limited(flags, how);
  other o;
  pthread_t thread;
  roots r;
  o.heap = t.heap;
  o.may_go = 0;
  if (how == WAITS) CHECK_EQ(pthread_create(&thread, NULL, collects_for_the_hook, &o), 0);
  BARROW_ENTER(t.m, r);
  body(t.m, &r);
  CHECK(barrow_frames_save(t.m) == &r.frame);
  BARROW_LEAVE(t.m, r);
  if (how == WAITS) {
    __atomic_store_n(&o.may_go, 1, __ATOMIC_SEQ_CST);
    CHECK_OK(barrow_enter_foreign(t.m));
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_OK(barrow_leave_foreign(t.m));
  }
  toy_free(t);
}

static void with_each(void (*body)(barrow_mutator *, roots *)) {
  /* What has moved is overwritten where it was. */
  one("-M8m -DZ", COLLECTS, body);
  one("-M8m -DZ -c", COLLECTS, body);
  one("-M8m -DZ -A256k --mutators=2", COLLECTS, body);
  one("-M8m -DZ -A256k --mutators=2", WAITS, body);
}

static void weak_pointers(void) { with_each(a_weak_pointer); }
static void names(void) { with_each(a_name); }
static void parts(void) { with_each(a_part); }
static void parts_in_chunks(void) { with_each(a_part_in_chunks); }
static void parts_put_back(void) { with_each(a_part_put_back); }
static void squeezed_frames(void) { one("-M8m --squeeze", COLLECTS, a_part_of_fewer_frames); }

/* The frame that holds the arguments meanwhile goes with the rest. */
static void a_jump_leaves_nothing(void) {
  toy t = limited("-M8m", JUMPS);
  static roots r;
  static barrow_frame *saved;
  BARROW_ENTER(t.m, r);
  r.key = toy_node(t.m, NULL, NULL, 1);
  saved = barrow_frames_save(t.m);
  exhaust(t.m);
  if (setjmp(hook.out) == 0) {
    barrow_weak_new(t.m, r.key, NULL, NULL);
    CHECK(!"reached");
  }
  barrow_frames_restore(t.m, saved);
  CHECK_EQ(hook.calls, 1);
  CHECK_OK(barrow_check_frames(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(r.key->value, 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(weak_pointers);
  RUN(names);
  RUN(parts);
  RUN(parts_in_chunks);
  RUN(parts_put_back);
  RUN(squeezed_frames);
  RUN(a_jump_leaves_nothing);
  return DONE;
}
