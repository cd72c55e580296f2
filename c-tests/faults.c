/* --faults: an access to an object that has gone is told with the object, and then goes on as it would have without the
 * flag. Each mistake is made in a process of its own. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "toy.h"
#include "child.h"
#include <signal.h>
#include <sys/time.h>

static volatile barrow_word seen;

static void expect(const char *words) {
  if (!strstr(said, words)) check_failed(__FILE__, __LINE__, words, said);
}

/* The system's own action: a sanitizer has another one. */
static void without_handlers(void) { signal(SIGSEGV, SIG_DFL); }

static void use_moved(void) {
  struct { barrow_frame frame; node *kept; } r;
  node *stale;
  toy t;
  without_handlers();
  t = toy_new("--faults");
  BARROW_ENTER(t.m, r);
  r.kept = stale = toy_node(t.m, NULL, NULL, 7);
  barrow_collect(t.m, true);
  seen = stale->value;
}

static void a_moved_object_is_named(void) {
  int status = status_of(use_moved);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  expect("is no object any more: collection 1 (everything was to be collected) moved it to 0x");
  expect(", a node_info made by ");
  expect("; it was accessed by ");
}

/* Signals come while the words wait for their reader. */
static void note(int number) { (void)number; }
static void use_moved_while_interrupted(void) {
  const struct itimerval often = {{0, 5000}, {0, 5000}};
  struct sigaction noted;
  clog_stderr(true);
  memset(&noted, 0, sizeof noted);
  noted.sa_handler = note;
  sigaction(SIGALRM, &noted, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  use_moved();
}

static void use_moved_without_waiting(void) {
  clog_stderr(false);
  use_moved();
}

static void words_wait_for_a_slow_reader(void) {
  void (*const ways[])(void) = {use_moved_while_interrupted, use_moved_without_waiting};
  size_t i;
  for (i = 0; i < 2; i++) {
    int status = status_of(ways[i]);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    expect("is no object any more");
    expect("; it was accessed by ");
  }
}

static void use_after_many(void) {
  struct { barrow_frame frame; node *kept; } r;
  node *stale;
  int i;
  toy t;
  without_handlers();
  t = toy_new("--faults --stress=1");
  BARROW_ENTER(t.m, r);
  r.kept = stale = toy_node(t.m, NULL, NULL, 7);
  for (i = 0; i < 20; i++) toy_node(t.m, NULL, NULL, 1);
  seen = stale->value;
}

static void it_is_followed_through_later_collections(void) {
  int status = status_of(use_after_many);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  expect("a node_info made by ");
  expect(", which is at 0x");
}

static void use_freed_large(void) {
  barrow_word *large;
  toy t;
  without_handlers();
  t = toy_new("--faults");
  large = (barrow_word *)toy_array(t.m, 5000);
  barrow_collect(t.m, true);
  seen = large[4000];
}

static void a_large_object_that_died_is_named(void) {
  int status = status_of(use_freed_large);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  expect("collection 1 (everything was to be collected) freed it, an array_info");
  expect("since nothing that is known referred to it");
}

static void use_from_a_root(void) {
  struct { barrow_frame frame; node *kept, *old; } r;
  node *stale;
  toy t;
  without_handlers();
  t = toy_new("--faults");
  BARROW_ENTER(t.m, r);
  r.kept = stale = toy_node(t.m, NULL, NULL, 7);
  barrow_collect(t.m, true);
  r.old = stale;
  seen = r.old->value;
}

static void a_root_that_has_the_old_address_is_named(void) {
  status_of(use_from_a_root);
  expect("frame 0 of the shadow stack (0 is the newest), slot 1");
  expect("still ha");
}

static void use_from_a_field(void) {
  struct { barrow_frame frame; node *kept, *holder; } r;
  node *stale;
  toy t;
  without_handlers();
  t = toy_new("--faults");
  BARROW_ENTER(t.m, r);
  r.kept = stale = toy_node(t.m, NULL, NULL, 7);
  barrow_collect(t.m, true);
  r.holder = toy_node(t.m, NULL, NULL, 8);
  r.holder->right = stale;
  seen = r.holder->right->value;
}

static void a_field_that_has_the_old_address_is_named(void) {
  char field[100];
  status_of(use_from_a_field);
  expect("field 2 of the object at 0x");
  sprintf(field, "(node_info)");
  expect(field);
}

/* The client's handler gets the fault after the words, as it would have without the flag. */
static void go_on(int number, siginfo_t *info, void *context) {
  (void)context;
  _exit(number == SIGSEGV && info->si_addr != NULL ? 42 : 43);
}

static void use_with_a_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = go_on;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, NULL);
  {
    struct { barrow_frame frame; node *kept; } r;
    node *stale;
    toy t = toy_new("--faults");
    BARROW_ENTER(t.m, r);
    r.kept = stale = toy_node(t.m, NULL, NULL, 7);
    barrow_collect(t.m, true);
    seen = stale->value;
  }
}

static void the_clients_handler_is_called(void) {
  int status = status_of(use_with_a_handler);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 42);
  expect("is no object any more");
}

/* A fault elsewhere is none of a heap's. */
static void use_nothing(void) {
  toy t;
  without_handlers();
  t = toy_new("--faults");
  (void)t;
  raise(SIGSEGV);
}

static void other_faults_are_not_told(void) {
  int status = status_of(use_nothing);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  CHECK(strstr(said, "barrow:") == NULL);
}

static struct sigaction action_now(void) {
  struct sigaction action;
  CHECK_EQ(sigaction(SIGSEGV, NULL, &action), 0);
  return action;
}

static void only_the_flag_installs_the_handler(void) {
  struct sigaction before = action_now(), now;
  toy plain, t;
  const char *all = getenv("BARROW_TEST_FLAGS");
  if (!all || !strstr(all, "--faults")) {
    plain = toy_new("");
    now = action_now();
    CHECK(now.sa_handler == before.sa_handler);
    toy_free(plain);
  }
  t = toy_new("--faults");
  now = action_now();
  CHECK(now.sa_handler != before.sa_handler);
  toy_free(t);
  now = action_now();
  CHECK(now.sa_handler == before.sa_handler);
}

/* A program without mistakes computes what it does without the flag, with memory set aside and given back. */
static void right_programs_run(void) {
  static const char *flags[] = {"--faults -A64k", "--faults -A64k -DS", "--faults -A64k -M30m", "--faults -c -A64k",
                                "--faults -G1 -A64k", "--faults -G3 --source=chunks -A64k", "--faults --stress=40"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    struct { barrow_frame frame; node *tree; void *array; } r;
    toy t = toy_new(flags[i]);
    int round;
    BARROW_ENTER(t.m, r);
    r.tree = toy_tree(t.m, 8);
    for (round = 0; round < 40; round++) {
      node *made = toy_tree(t.m, 6);
      BARROW_WRITE(t.m, r.tree, left, made);
      r.array = toy_array(t.m, 3000);
    }
    CHECK_EQ(toy_count(r.tree->left), 127);
    CHECK_EQ(toy_count(r.tree->right), 255);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A handler of the client's over the library's, to which it hands on. */
static struct sigaction below;
static volatile sig_atomic_t calls;

static void hand_on(int number, siginfo_t *info, void *context) {
  if (calls++) _exit(44);
  if (below.sa_handler == SIG_DFL) _exit(45);
  below.sa_sigaction(number, info, context);
  _exit(46);
}

static void with_a_handler_above(void) {
  struct sigaction above;
  toy t;
  alarm(20);
  without_handlers();
  t = toy_new("--faults");
  memset(&above, 0, sizeof above);
  above.sa_sigaction = hand_on;
  above.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &above, &below);
  toy_free(t);
}

static void use_moved_again(const char *flags) {
  struct { barrow_frame frame; node *kept; } r;
  node *stale;
  toy t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  r.kept = stale = toy_node(t.m, NULL, NULL, 7);
  barrow_collect(t.m, true);
  seen = stale->value;
}

static void use_below_a_handler(void) {
  with_a_handler_above();
  use_moved_again("--faults");
}

static void use_after_a_handler(void) {
  with_a_handler_above();
  sigaction(SIGSEGV, &below, NULL);
  use_moved_again("--faults");
}

static void use_over_the_systems_own(void) {
  with_a_handler_above();
  signal(SIGSEGV, SIG_DFL);
  use_moved_again("--faults");
}

static void told_once(void) {
  const char *first = strstr(said, "is no object any more");
  CHECK(first != NULL);
  if (first) CHECK(strstr(first + 1, "is no object any more") == NULL);
}

/* The handler that a client's kept in its place serves the next heap, and hands on to what was before it. */
static void a_second_heap_finds_the_handler_below(void) {
  int status = status_of(use_below_a_handler);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 46);
  told_once();
}

static void a_second_heap_finds_the_handler_alone(void) {
  int status = status_of(use_after_a_handler);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  told_once();
}

static void a_second_heap_finds_the_systems_own_action(void) {
  int status = status_of(use_over_the_systems_own);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  told_once();
}

int main(void) {
  RUN(only_the_flag_installs_the_handler);
  RUN(right_programs_run);
  if (toy_under_valgrind()) return DONE;
  RUN(a_moved_object_is_named);
  RUN(words_wait_for_a_slow_reader);
  RUN(it_is_followed_through_later_collections);
  RUN(a_large_object_that_died_is_named);
  RUN(a_root_that_has_the_old_address_is_named);
  RUN(a_field_that_has_the_old_address_is_named);
  RUN(the_clients_handler_is_called);
  RUN(other_faults_are_not_told);
  RUN(a_second_heap_finds_the_handler_below);
  RUN(a_second_heap_finds_the_handler_alone);
  RUN(a_second_heap_finds_the_systems_own_action);
  return DONE;
}
